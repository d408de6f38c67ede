"""A scrape looks at every product that is known, notes each change once, and always ends."""

from __future__ import annotations

from collections import Counter
from typing import Any

import pytest

from gotgan.domains.shops.models import SHOPS, Change, Shop, ShopPage
from gotgan.domains.shops.reports import ScrapeStep, is_shop_failure, judge_scrape
from gotgan.domains.shops.scrape import scrape_shop
from gotgan.errors import (
    GotganError,
    LeadsElsewhere,
    PageForbidden,
    RobotsDisallowed,
    TooLarge,
    UnknownShape,
    Unreachable,
)
from gotgan.lifecycle import State
from gotgan.store.attributes import encode
from gotgan.world import FaultKind
from tests.unit.domains.shops.conftest import DAY, NOON, SHOP, Market, of_another, offered, stored

# What is noted


@pytest.mark.parametrize("number", [1, 3, 5, 15])
def test_every_product_is_noted_as_the_shop_has_it(market: Market, number: int) -> None:
    if number > 1:
        market = of_another(market, f"antik-{number}.shop.test")
    report = market.scrape()
    products = market.products()
    assert products
    assert (report.outcome, report.new, report.pages) == ("ok", len(products), len(products))
    for url, page in market.pages().items():
        assert stored(page) == offered(products[url])
        assert page.title == products[url].title
        assert page.sources
        assert page.checked_at == NOON
    assert {change.url for change in market.changes()} == set(products)
    assert {change.before for change in market.changes()} == {None}


def test_prices_that_only_people_can_read_are_noted_too(market: Market) -> None:
    plain = of_another(market, "antik-7.shop.test")
    plain.scrape()
    priced = {url: thing for url, thing in plain.products().items() if thing.price is not None}
    assert priced
    for url, thing in priced.items():
        assert stored(plain.pages()[url]) == offered(thing)


def test_day_by_day_every_change_is_noted_once(market: Market) -> None:
    known = market.products()
    market.scrape()
    seen = {url: offered(thing) for url, thing in known.items()}
    misses: Counter[str] = Counter()
    noted = Counter[str]()
    for _ in range(12):
        market.clock.advance(DAY)
        today = market.products()
        market.scrape()
        expected = {}
        for url in known:
            misses[url] = 0 if url in today else misses[url] + 1
            if url in today or misses[url] == 2:
                expected[url] = offered(today.get(url))
        news = {url: state for url, state in expected.items() if seen[url] != state}
        changes = market.changes(market.clock.now())
        assert {change.url: _after(change) for change in changes} == news
        assert {change.url: _before(change) for change in changes} == {u: seen[u] for u in news}
        seen |= news
        noted.update(change.after.status or "" for change in changes)
    assert set(noted) >= {"RESERVED", "SOLD", "REMOVED"}
    assert {url: stored(page) for url, page in market.pages().items()} == seen


def _after(change: Change) -> tuple[Any, ...]:
    return change.after.status, change.after.price, change.after.currency


def _before(change: Change) -> tuple[Any, ...]:
    assert change.before is not None
    return change.before.status, change.before.price, change.before.currency


def test_an_unchanged_shop_answers_by_304_and_costs_no_write_a_page(market: Market) -> None:
    market.scrape()
    before = market.pages()
    claim = market.claim()
    report = scrape_shop(market.store, market.web, claim)
    assert (report.outcome, report.unchanged) == ("ok", len(before))
    assert market.pages() == before
    conditional = [seen for seen in market.world.requests if "if-modified-since" in seen.headers]
    assert len(conditional) == len(before)
    assert report.cost.writes <= 4  # the shop and its place in an index, at the end


def test_a_page_whose_hash_is_not_ours_is_asked_for_whole(market: Market) -> None:
    market.scrape()
    url, page = next(iter(market.pages().items()))
    market.store.update(page, hash="a1b2c3d4")
    report = market.scrape()
    assert report.noted == {"adopted": 1, "unchanged": len(market.pages()) - 1}
    assert market.pages()[url] == page
    assert len(market.changes()) == len(market.pages())


def test_what_is_no_product_is_not_asked_for(market: Market) -> None:
    url = f"https://{SHOP}/imprint"
    market.store.put_new(ShopPage(domain=SHOP, url=url, type="other"))
    market.scrape()
    assert "/imprint" not in market.asked()


def test_a_product_that_is_gone_for_good_is_left_alone_until_a_crawl_finds_it(
    market: Market,
) -> None:
    market.register(f"https://{SHOP}/produkt/000000-niemals-da.html")
    reports = []
    for _ in range(3):
        market.clock.advance(DAY)
        reports.append(market.scrape())
    assert Counter(market.asked())["/produkt/000000-niemals-da.html"] == 2
    assert [report.removed for report in reports] == [0, 1, 0]


def test_every_page_is_told_of(market: Market) -> None:
    market.scrape()
    count = len(market.products())
    assert [step.pages for step in market.steps] == list(range(1, count + 1))
    assert {step.url for step in market.steps} == set(market.products())
    assert {step.result for step in market.steps} == {"new"}
    assert market.steps[-1].changes == count


# How it ends


def test_a_shop_that_was_scraped_is_done_with_its_outcome(market: Market) -> None:
    report = market.scrape()
    shop = market.shop()
    assert Shop.scrape.position(shop).state is State.DONE
    assert (shop.scrape_outcome, shop.scrape_reason) == ("ok", report.reason)
    assert shop.last_scraped_end == NOON


def test_a_shop_without_products_is_empty(market: Market) -> None:
    market.store.delete_all(page.key for page in market.pages().values())
    report = market.scrape()
    assert (report.outcome, market.shop().scrape_outcome) == ("empty", "empty")
    assert "crawl the shop first" in report.reason
    assert market.asked() == []


@pytest.mark.parametrize(
    ("fault", "outcome", "code"),
    [
        (FaultKind.FORBIDDEN, "blocked", "fetch.forbidden"),
        (FaultKind.BLOCK, "blocked", "page.blocked"),
        (FaultKind.CONSENT, "blocked", "fetch.elsewhere"),
        (FaultKind.WRONG_TYPE, "blocked", "page.shape"),
        (FaultKind.REDIRECT_ELSEWHERE, "blocked", "fetch.elsewhere"),
        (FaultKind.BROKEN, "unreachable", "fetch.server"),
        (FaultKind.TRUNCATED, "unreachable", "fetch.truncated"),
        (FaultKind.REDIRECT_METADATA, "unreachable", "fetch.address"),
    ],
    ids=lambda value: value.value if isinstance(value, FaultKind) else "",
)
def test_a_shop_that_gives_nothing_is_done_and_stays_as_it_was(
    market: Market, fault: FaultKind, outcome: str, code: str
) -> None:
    market.scrape()
    before = market.pages()
    for _ in range(3):  # however often
        market.clock.advance(DAY)
        market.world.fail(SHOP, "*", fault)
        report = market.scrape()
        assert (report.outcome, market.shop().scrape_outcome) == (outcome, outcome)
        assert set(report.failed) == {code}
        assert report.reason == market.shop().scrape_reason != ""
    assert Shop.scrape.position(market.shop()).state is State.DONE
    assert market.pages() == before
    assert len(market.changes()) == len(before)


def test_a_shop_behind_a_login_is_blocked(market: Market) -> None:
    walled = of_another(market, "mitglieder.shop.test")
    report = walled.scrape()
    assert (report.outcome, set(report.failed)) == ("blocked", {"fetch.elsewhere"})
    assert "login" in report.reason
    assert walled.changes() == []


def test_a_shop_that_refuses_is_left_alone_after_a_few_pages(market: Market) -> None:
    many = of_another(market, "antik-4.shop.test")
    assert len(many.products()) > 40
    market.world.fail(many.domain, "*", FaultKind.FORBIDDEN)
    assert many.scrape().outcome == "blocked"
    assert len(market.asked()) < 40


def test_a_robots_txt_that_forbids_everything_blocks_without_a_request(market: Market) -> None:
    market.world.fail(SHOP, "/robots.txt", FaultKind.BROKEN)
    report = market.scrape()
    assert (report.outcome, set(report.failed)) == ("unreachable", {"fetch.robots_unavailable"})
    assert market.asked() == []


def test_pages_that_fail_among_others_are_counted_and_left_as_they_are(market: Market) -> None:
    market.scrape()
    before = market.pages()
    url = next(iter(before))
    market.world.fail(SHOP, url.removeprefix(f"https://{SHOP}"), FaultKind.BROKEN)
    report = market.scrape()
    assert (report.outcome, report.failed) == ("ok", {"fetch.server": 1})
    assert report.reason == f"1 of {len(before)} products could not be read: fetch.server 1"
    assert market.pages() == before


def test_an_item_that_somebody_spoilt_keeps_no_other_waiting(market: Market) -> None:
    page = next(iter(market.pages().values()))
    item = {**page.origin.item, "price": encode("cheap")} if page.origin else {}
    market.store.calls.send("put", "PutItem", {"TableName": SHOPS.name, "Item": item})
    report = market.scrape()
    assert (report.outcome, report.failed) == ("ok", {"store.item": 1})
    assert report.new == len(market.products()) - 1


FORBIDDEN = PageForbidden("not for us", 403)


@pytest.mark.parametrize(
    ("answered", "failed", "last", "is_hopeless", "outcome"),
    [
        (0, {}, None, False, "empty"),
        (3, {}, None, False, "ok"),
        (3, {"fetch.forbidden": 1}, FORBIDDEN, False, "ok"),
        (3, {"fetch.forbidden": 20}, FORBIDDEN, True, "blocked"),
        (0, {"fetch.forbidden": 1}, FORBIDDEN, False, "blocked"),
        (0, {"fetch.elsewhere": 1}, LeadsElsewhere("a form"), False, "blocked"),
        (0, {"fetch.robots": 1}, RobotsDisallowed("no"), False, "blocked"),
        (0, {"fetch.unreachable": 2}, Unreachable("nobody"), False, "unreachable"),
        (9, {"fetch.unreachable": 20}, Unreachable("nobody"), True, "unreachable"),
        (0, {"store.item": 1}, None, False, "ok"),
    ],
)
def test_how_a_scrape_is_judged(
    answered: int,
    failed: dict[str, int],
    last: GotganError | None,
    is_hopeless: bool,
    outcome: str,
) -> None:
    shop = Shop(domain=SHOP, core_domain_name="x")
    assert judge_scrape(shop, answered, failed, last, is_hopeless=is_hopeless)[0] == outcome


@pytest.mark.parametrize(
    ("crawl", "told"),
    [
        ({}, "crawl the shop first"),
        (
            {"crawl_outcome": "blocked", "crawl_reason": "it says 403"},
            "its last crawl ended blocked: it says 403",
        ),
    ],
)
def test_where_no_product_is_known_the_last_crawl_says_why(
    crawl: dict[str, Any], told: str
) -> None:
    shop = Shop(domain=SHOP, core_domain_name="x", **crawl)
    outcome, reason = judge_scrape(shop, 0, {}, None, is_hopeless=False)
    assert (outcome, reason) == ("empty", f"no page is known as a product; {told}")


@pytest.mark.parametrize(
    ("error", "is_it"),
    [
        (FORBIDDEN, True),
        (Unreachable("nobody"), True),
        (RobotsDisallowed("nothing", everything=True), True),
        (RobotsDisallowed("not this one"), False),
        (LeadsElsewhere("a form"), False),
        (TooLarge("pictures"), False),
        (UnknownShape("nothing to see"), False),
    ],
)
def test_which_failures_are_about_the_shop(error: GotganError, is_it: bool) -> None:
    assert is_shop_failure(error) is is_it


def test_failures_with_answers_between_them_do_not_end_it(market: Market) -> None:
    many = of_another(market, "antik-4.shop.test")

    def fail_again(step: ScrapeStep) -> None:
        if step.pages == 30:
            market.world.fail(many.domain, "*", FaultKind.FORBIDDEN, times=15)

    market.world.fail(many.domain, "*", FaultKind.FORBIDDEN, times=15)
    report = scrape_shop(market.store, market.web, many.claim(), on_step=fail_again)
    assert (report.outcome, report.failed) == ("ok", {"fetch.forbidden": 30})
    assert report.pages == len(many.products())
