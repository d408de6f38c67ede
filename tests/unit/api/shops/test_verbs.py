"""Crawling and scraping over the API: runs that are joined, and what became of each shop."""

from __future__ import annotations

from datetime import timedelta
from typing import Any

import pytest

from gotgan.clock import FixedClock
from gotgan.domains.shops.models import ShopPage
from gotgan.encoding import field_keys
from gotgan.verbs import start
from gotgan.world import FaultKind, World
from gotgan.world.shops import shop_products
from tests.unit.api.calling import Api
from tests.unit.api.shops.stock import SHOP, claimed, register
from tests.unit.domains.shops.adopting import ITEM, META, Table


def _crawl(api: Api, **words: Any) -> Any:
    return api.data("POST", "/shops/crawl", **words)


def _scrape(api: Api, **words: Any) -> Any:
    return api.data("POST", "/shops/scrape", **words)


def test_a_shop_is_crawled_scraped_and_read(api: Api, world: World) -> None:
    register(api, SHOP)
    told = _crawl(api, role="editor", json={"domains": [SHOP]})
    run, [report] = told["run"], told["report"]["shops"]
    products = shop_products(world.scene, SHOP)
    assert (run["verb"], run["state"], run["done"]) == ("shops.crawl", "done", report["pages"])
    assert (report["outcome"], report["products"]) == ("ok", len(products))
    assert (told["report"]["skipped"], told["report"]["failed"]) == ([], [])
    assert told["report"]["cost"]["writes"] == report["cost"]["writes"] > 0
    [report] = _scrape(api, role="editor")["report"]["shops"]
    assert (report["outcome"], report["noted"]) == ("ok", {"new": len(products)})
    shop = api.data("GET", f"/shops/{SHOP}")
    assert (shop["crawl_state"], shop["scrape_outcome"]) == ("DONE", "ok")
    _expect_urls(api, {product.url for product in products})
    _expect_changes(api, {product.url for product in products})


def _expect_urls(api: Api, urls: set[str]) -> None:
    path, found = f"/shops/{SHOP}/urls", set[str]()
    query: dict[str, Any] = {"type": "product", "limit": 3}
    while "cursor" not in query or query["cursor"] is not None:
        page = api.data("GET", path, role="viewer", params=query)
        assert {each["type"] for each in page["items"]} <= {"product"}
        assert all(tuple(each) == field_keys(ShopPage) for each in page["items"])
        found |= {each["url"] for each in page["items"]}
        query["cursor"] = page["cursor"]
    assert found == urls
    assert api.refusal("GET", path, params={"type": "sale"}) == (422, "invalid")


def _expect_changes(api: Api, urls: set[str]) -> None:
    path = f"/shops/{SHOP}/changes"
    found = api.data("GET", path, role="viewer", params={"limit": 100})["items"]
    assert {each["url"] for each in found} == urls
    assert {each["before"] for each in found} == {None}
    assert all(each["after"]["hash"] for each in found)
    assert api.data("GET", path, params={"since": "2025-11-16"})["items"] == []
    assert len(api.data("GET", path, params={"since": "2025-11-15T12:00:00Z"})["items"]) > 0
    assert len(api.data("GET", path, params={"since": "2025-11-15T21:00"})["items"]) > 0  # in Seoul
    assert api.data("GET", path, params={"since": "2025-11-15T21:00:01"})["items"] == []


def test_a_run_tells_what_it_is_about(api: Api) -> None:
    register(api, SHOP)
    sent: list[dict[str, Any]] = [{"domains": [f"https://{SHOP}/"]}, {"country": "DE"}, {}]
    told = [_scrape(api, json=body)["run"] for body in sent]
    assert [run["about"] for run in told] == [[SHOP], ["DE"], None]
    assert api.data("GET", f"/runs/{told[0]['id']}")["run"]["about"] == [SHOP]


def test_related_domains_share_a_core_name(api: Api) -> None:
    register(api, "example.com", "example.de", "other.com")
    told = api.data("GET", "/shops/example.com/related", role="viewer")
    assert (told["items"], told["cost"]["reads"]) == (["example.de"], 1)


@pytest.mark.parametrize("part", ["", "/urls", "/changes", "/related"])
def test_a_shop_that_nobody_registered_is_not_found(api: Api, part: str) -> None:
    assert api.refusal("GET", f"/shops/nobody.test{part}") == (404, "not_found")
    assert api.refusal("GET", f"/shops/nobody{part}") == (400, "usage")


@pytest.mark.parametrize("verb", ["crawl", "scrape"])
def test_a_run_is_for_shops_that_are_there(api: Api, verb: str) -> None:
    body = {"domains": ["nobody.test"]}
    path = f"/shops/{verb}"
    assert api.refusal("POST", path, json=body, params={"wait": 0}) == (404, "not_found")
    assert api.app.runs.latest(f"shops.{verb}") is None


@pytest.mark.parametrize(
    ("verb", "body"),
    [
        ("crawl", {"workers": 0}),
        ("crawl", {"workers": True}),
        ("crawl", {"maxPages": 0}),
        ("crawl", {"country": "Germany"}),
        ("crawl", {"checkOnly": True}),
        ("scrape", {"checkOnly": 1}),
        ("scrape", {"domains": "example.com"}),
        ("crawl", {"lease": "1m"}),
        ("crawl", {"max_pages": 1}),
        ("scrape", {"domains": ["x"] * 1_001}),
    ],
)
def test_words_that_cannot_be_meant_start_nothing(
    api: Api, verb: str, body: dict[str, Any]
) -> None:
    assert api.refusal("POST", f"/shops/{verb}", json=body) == (422, "invalid")
    assert api.app.runs.latest(f"shops.{verb}") is None


def test_whoever_comes_while_it_runs_joins_the_run(api: Api, world: World) -> None:
    register(api, SHOP)
    world.fail(SHOP, "/robots.txt", FaultKind.HANG)
    first = _crawl(api, params={"wait": 0})
    assert (first["run"]["state"], first["report"]) == ("running", None)
    assert _crawl(api, params={"wait": 0})["run"]["id"] == first["run"]["id"]
    body = {"country": "DE"}
    assert api.refusal("POST", "/shops/crawl", json=body) == (409, "conflict")


def test_a_shop_that_somebody_else_has_is_skipped(api: Api) -> None:
    register(api, SHOP)
    claimed(api, SHOP)
    report = _crawl(api, json={"domains": [SHOP]})["report"]
    [skipped] = report["skipped"]
    assert (report["shops"], skipped["domain"]) == ([], SHOP)
    assert skipped["reason"].startswith("worker-1")


def test_a_budget_ends_a_crawl_with_its_reason(api: Api) -> None:
    register(api, SHOP)
    told = _crawl(api, json={"maxPages": 2})
    [report] = told["report"]["shops"]
    assert (report["outcome"], report["pages"]) == ("budget", 2)
    assert told["run"]["total"] <= 2
    assert "pages are left" in report["reason"]


def test_what_is_not_due_is_scraped_where_only_checking_is_asked_for(
    api: Api, clock: FixedClock
) -> None:
    register(api, SHOP)
    _crawl(api)
    _scrape(api)
    clock.advance(timedelta(minutes=1))
    assert _scrape(api)["report"]["shops"] == []
    [report] = _scrape(api, json={"checkOnly": True})["report"]["shops"]
    assert report["noted"].keys() == {"unchanged"}


def test_a_run_that_somebody_else_started_is_the_same(api: Api) -> None:
    register(api, SHOP)
    run = start(api.app.runs, api.app.shops.crawl, [SHOP], max_pages=1)
    api.app.runs.wait(run.id, 10)
    told = api.data("GET", f"/runs/{run.id}", role="viewer")
    assert [each["domain"] for each in told["report"]["shops"]] == [SHOP]


def test_a_run_over_several_shops_counts_the_pages_of_all(api: Api) -> None:
    register(api, SHOP, "antik-2.shop.test")
    told = _crawl(api, json={"maxPages": 4})
    pages = {each["domain"]: each["pages"] for each in told["report"]["shops"]}
    assert pages.keys() == {SHOP, "antik-2.shop.test"}
    assert told["run"]["done"] == sum(pages.values())
    costs = [each["cost"]["writes"] for each in told["report"]["shops"]]
    assert told["report"]["cost"]["writes"] == sum(costs)


def test_changes_are_handed_over_and_kept_where_nobody_takes_them(api: Api) -> None:
    register(api, SHOP)
    told = api.data("POST", "/shops/deliver", role="editor")
    assert (told["run"]["verb"], told["run"]["state"]) == ("shops.deliver", "done")
    assert (told["report"]["changes"], told["report"]["stopped"]) == (0, None)
    _crawl(api, json={"domains": [SHOP]})
    _scrape(api)
    report = api.data("POST", "/shops/deliver", json={"domains": [SHOP]})["report"]
    assert report["changes"] == 0
    assert "did not accept the changes" in report["stopped"]
    refused = api.refusal("POST", "/shops/deliver", json={"domains": ["nobody.com"]})
    assert refused == (404, "not_found")


def test_items_of_other_tools_are_adopted(api: Api) -> None:
    table = Table(api.app.store)
    table.put(META)
    table.put(ITEM)
    told = api.data("POST", "/shops/adopt", role="editor", json={"maxItems": 10})
    report = told["report"]
    assert told["run"]["verb"] == "shops.adopt"
    assert (report["shops"], report["pages"], report["countries"]) == (1, 1, ["DE"])
    assert (report["isComplete"], report["unfit"]) == (True, {})
    assert report["cost"]["writes"] > 0
    assert api.refusal("POST", "/shops/adopt", json={"maxItems": 0}) == (422, "invalid")
    assert api.refusal("POST", "/shops/adopt", role="viewer") == (403, "forbidden")
    [due] = api.data("GET", "/shops/due")["items"]
    assert due["domain"] == "example.com"
