"""A crawl finds every page of a shop once, goes on where another stopped, and loses nothing."""

from __future__ import annotations

from collections.abc import Iterator
from datetime import timedelta

import pytest

from gotgan.domains.shops.crawl import Crawl
from gotgan.domains.shops.models import SHOPS, ShopPage
from gotgan.messages import Message
from gotgan.store.schema import schema_of
from gotgan.world import FaultKind
from gotgan.world.scene import NOT_FOUND, SceneResponse, plain_text, redirect
from tests.unit.domains.shops.streets import SHOP, Street, opened_street

DAY = timedelta(days=1)


@pytest.fixture
def street() -> Iterator[Street]:
    with opened_street() as street:
        yield street


@pytest.mark.parametrize("domain", [f"antik-{number}.shop.test" for number in (1, 2, 3, 4, 5)])
def test_every_product_is_found_once_whatever_shape_the_shop_has(
    street: Street, domain: str
) -> None:
    report = street.crawl(domain)
    pages = street.pages(domain)
    assert street.sold(domain) <= set(pages)
    assert (report.outcome, report.pages) == ("ok", street.shop(domain).crawl_pages)
    assert max(street.asked().values()) == 1
    assert street.shop(domain).crawl_outcome == "ok"


def test_a_second_crawl_of_an_unchanged_shop_writes_next_to_nothing(street: Street) -> None:
    first = street.crawl()
    before = street.pages()
    second = street.crawl()
    assert second.unchanged > 0.9 * second.pages
    assert (second.new, second.changed) == (0, 0)
    assert second.pages == first.pages
    assert street.pages() == before
    assert second.cost.by_table()[SHOPS.name].writes < 0.2 * second.pages + 10


def test_a_crawl_never_wipes_what_a_scrape_wrote(street: Street) -> None:
    street.crawl()
    [url] = list(street.sold())[:1]
    page = street.store.update(street.pages()[url], hash="h", price=100, currency="EUR").item
    street.clock.advance(DAY)
    street.crawl()
    assert street.pages()[url] == page


def test_a_budget_ends_a_crawl_and_says_how_much_is_left(street: Street) -> None:
    report = street.crawl("kalender.shop.test", budget=60)
    assert (report.outcome, report.pages) == ("budget", 60)
    assert report.reason.startswith("at least ")
    assert " more pages are left; " in report.reason
    assert report.reason.endswith("the next crawl continues there")
    stored = street.shop("kalender.shop.test").crawl_reason
    assert isinstance(stored, Message)
    assert (stored, stored.code) == (report.reason, "shops.pages_left")


@pytest.mark.parametrize("domain", ["antik-2.shop.test", "antik-4.shop.test"])
def test_each_crawl_with_a_small_budget_gets_further_until_all_is_found(
    street: Street, domain: str
) -> None:
    things = street.sold(domain)
    for _ in range(4):
        assert street.crawl(domain, budget=len(things) // 2).outcome == "budget"
        street.clock.advance(DAY)
    assert things <= {f"https://{domain}{path}" for path in _paths(street)}


def test_a_sitemap_is_gone_through_in_turns_where_no_page_leads_to_another(street: Street) -> None:
    home, leaf = f"https://{SHOP}/", SceneResponse(b"<html><body>A leaf</body></html>")
    leaves = [f"{home}leaf-{number:02}" for number in range(16)]
    listed = {f"{home}robots.txt": plain_text(f"Sitemap: {home}all.txt\n")}
    listed[f"{home}all.txt"] = plain_text("\n".join(leaves))
    street.world.replaced = {**dict.fromkeys([home, *leaves], leaf), **listed}
    for _ in range(14):
        street.crawl(budget=2)
        street.clock.advance(DAY)
    asked = {f"https://{SHOP}{path}" for path in _paths(street)}
    assert {*leaves, home} <= asked


def _paths(street: Street) -> set[str]:
    return {asked.removesuffix("?") for asked in street.asked()}


@pytest.mark.parametrize(
    ("page", "outcome", "reason"),
    [
        (NOT_FOUND, "unreachable", "its front page is missing (404)"),
        (redirect("https://other.test/"), "unreachable", "redirects to another site: "),
        (redirect(f"https://{SHOP}/consent"), "blocked", "redirects to a consent form: "),
        (redirect("https://consent.other.test/v2"), "blocked", "asks for consent first"),
        (
            SceneResponse(b"<html><head><title>Cookie consent</title></head><body></body></html>"),
            "blocked",
            "its front page asks for consent first",
        ),
    ],
)
def test_a_front_page_with_nothing_behind_it_says_why(
    street: Street, page: SceneResponse, outcome: str, reason: str
) -> None:
    home = f"https://{SHOP}/"
    form = SceneResponse(b"<html><body><form></form></body></html>")
    street.world.replaced = {home: page, f"{home}sitemap.xml": NOT_FOUND, f"{home}consent": form}
    report = street.crawl()
    assert report.outcome == outcome
    assert reason in report.reason


@pytest.mark.parametrize(
    ("fault", "outcome"), [(FaultKind.FORBIDDEN, "blocked"), (FaultKind.BROKEN, "unreachable")]
)
def test_a_shop_that_answers_no_page_is_done_all_the_same_and_keeps_what_was_known(
    street: Street, fault: FaultKind, outcome: str
) -> None:
    street.crawl()
    before = street.pages()
    street.world.fail(SHOP, "*", fault)
    report = street.crawl()
    assert report.outcome == outcome
    assert report.reason
    assert street.pages() == before
    street.world.heal()
    assert street.crawl().unchanged > 0  # what is remembered is of the crawl that went well


def test_nothing_of_other_sites_is_asked_for(street: Street) -> None:
    street.crawl()
    assert {each.host for each in street.world.requests} == {SHOP}


def test_a_shop_that_wants_to_be_left_alone_is_left_alone_and_that_is_told(street: Street) -> None:
    street.world.fail(SHOP, "/", FaultKind.THROTTLED, times=1)
    told: list[float] = []
    crawl = Crawl(
        street.store,
        street.web,
        street.claimed(),
        on_step=lambda step: told.append(step.back_off),
    )
    crawl.run()
    assert max(told) > 0


def test_a_page_that_somebody_else_wrote_and_that_does_not_fit_ends_no_crawl(
    street: Street,
) -> None:
    street.crawl()
    url = next(iter(street.sold()))
    odd = street.store.calls.driver
    item = schema_of(ShopPage).item(street.pages()[url]) | {"price": {"S": "12,00"}}
    odd.call("PutItem", {"TableName": SHOPS.name, "Item": item})
    street.clock.advance(DAY)
    report = street.crawl()
    assert report.outcome == "ok"
    assert report.failed["store.item"] > 0


def test_a_sitemap_beyond_the_budget_ends_as_that(street: Street) -> None:
    report = street.crawl("antik-4.shop.test", budget=5)
    assert (report.outcome, report.pages) == ("budget", 5)


def test_a_page_that_failed_once_is_known_again_when_the_server_calls_it_unchanged(
    street: Street,
) -> None:
    first = street.crawl()
    street.fail(min(street.sold()), FaultKind.BROKEN, times=1)
    told = (
        f"some pages could not be fetched: fetch.server 1 time, for example at {min(street.sold())}"
    )
    assert street.crawl().reason == told
    third = street.crawl()
    assert (third.products, third.reason) == (first.products, "all pages were visited")
    assert third.unchanged > 0.9 * third.pages


def test_a_second_crawl_knows_the_standards_of_pages_that_are_unchanged(street: Street) -> None:
    street.crawl("antik-1.shop.test")
    found = street.shop("antik-1.shop.test").standards
    street.crawl("antik-1.shop.test")
    assert found
    assert street.shop("antik-1.shop.test").standards == found


def test_a_shop_that_keeps_everything_behind_a_login_is_blocked(street: Street) -> None:
    report = street.crawl("mitglieder.shop.test")
    assert report.outcome == "blocked"
    assert "/login" in report.reason


def test_more_addresses_in_sitemaps_than_are_looked_at_are_not_all_there_is(street: Street) -> None:
    home = f"https://{SHOP}/"
    files = [f"{home}sitemap-{number}.txt" for number in range(60)]
    named = "".join(f"Sitemap: {file}\n" for file in files)
    street.world.replaced = dict.fromkeys(files, plain_text(home)) | {
        f"{home}robots.txt": plain_text(named)
    }
    assert street.crawl(budget=100).reason == "all pages were visited"
    street.clock.advance(timedelta(minutes=1))
    report = street.crawl(budget=25)
    told = "some pages could not be fetched: its sitemaps list more than 50 URLs"
    assert (report.outcome, report.reason) == ("ok", told)
