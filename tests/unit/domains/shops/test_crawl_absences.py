"""What a crawl does not find: only one that saw everything removes it, and 404 counts once each."""

from __future__ import annotations

from collections.abc import Iterator
from datetime import timedelta
from urllib.parse import urlsplit

import pytest

from gotgan.domains.shops.crawl import Crawl
from gotgan.errors import LostRace
from gotgan.world import FaultKind
from gotgan.world.scene import NOT_FOUND, SceneResponse, redirect
from tests.unit.domains.shops.streets import (
    LARGE,
    SHOP,
    DiesAtTheEnd,
    Killed,
    Street,
    opened_street,
)

MINUTE = timedelta(minutes=1)
HOME = f"https://{SHOP}/"
UNLINKED = f"https://{SHOP}/gone-from-all-lists"
CAPTCHA = SceneResponse(
    b"<html><head><title>Are you a robot?</title></head><body>Wait</body></html>"
)
TWIN = f'<!doctype html><html><head><link rel="canonical" href="{HOME}"></head></html>'


@pytest.fixture
def street() -> Iterator[Street]:
    with opened_street() as street:
        yield street


@pytest.fixture
def url(street: Street) -> str:
    """A product of a shop that was crawled and scraped before."""
    street.crawl()
    url = min(street.sold())
    street.scraped(url)
    street.clock.advance(MINUTE)
    return url


def test_a_page_that_is_gone_once_is_kept_and_twice_is_removed(street: Street, url: str) -> None:
    street.world.replaced[url] = NOT_FOUND
    assert (street.crawl().removed, street.removed()) == (0, set())
    street.clock.advance(MINUTE)
    assert (street.crawl().removed, street.removed()) == (1, {url})


def test_a_page_that_is_there_between_is_not_gone_twice_in_a_row(street: Street, url: str) -> None:
    for page in (NOT_FOUND, None, NOT_FOUND):
        street.world.replaced = {url: page} if page else {}
        street.clock.advance(MINUTE)
        street.crawl()
    assert street.removed() == set()


def test_one_crawl_counts_a_page_as_gone_once_however_often_it_is_gone_on_with(
    street: Street, url: str
) -> None:
    street.world.replaced[url] = NOT_FOUND
    for _ in range(3):
        with pytest.raises(Killed):
            DiesAtTheEnd(street.store, street.web, street.claimed()).run()
        street.clock.advance(timedelta(hours=3))
    street.crawl()
    assert street.pages()[url].misses == 1
    street.clock.advance(MINUTE)
    street.crawl()
    assert street.removed() == {url}


def test_who_was_taken_over_counts_nothing_as_gone(street: Street, url: str) -> None:
    street.world.replaced[url] = NOT_FOUND
    late = Crawl(street.store, street.web, street.claimed())
    street.clock.advance(timedelta(hours=3))
    street.crawl()
    with pytest.raises(LostRace):
        late.run()
    assert street.pages()[url].misses == 1


def test_who_was_taken_over_at_the_very_end_removes_nothing(street: Street, url: str) -> None:
    class TakenOver(Crawl):
        def _judge(self) -> None:
            super()._judge()
            street.clock.advance(timedelta(hours=3))
            street.claimed()
            street.scraped(UNLINKED)

    with pytest.raises(LostRace):
        TakenOver(street.store, street.web, street.claimed()).run()
    assert {url, UNLINKED} <= set(street.pages())
    assert street.removed() == set()


def test_a_crawl_whose_budget_was_too_small_removes_nothing(street: Street) -> None:
    street.scraped(f"https://{LARGE}/gone-from-all-lists", LARGE)
    report = street.crawl(LARGE, budget=60)
    assert (report.outcome, report.removed) == ("budget", 0)
    assert street.removed(LARGE) == set()


def test_a_crawl_that_failed_counts_nothing_as_gone(street: Street) -> None:
    street.crawl(LARGE)
    things = {urlsplit(url).path: url for url in street.sold(LARGE)}
    first = next(each.path for each in street.world.requests if each.path in things)
    url = things[first]
    street.scraped(url, LARGE)
    street.world.replaced[url] = NOT_FOUND
    street.clock.advance(MINUTE)
    street.crawl(LARGE)
    for thing in things.values():
        street.fail(thing, FaultKind.FORBIDDEN)
    street.clock.advance(MINUTE)
    report = street.crawl(LARGE)
    assert (report.outcome, report.gone) == ("blocked", 1)
    assert (street.pages(LARGE)[url].misses, street.removed(LARGE)) == (1, set())


@pytest.mark.parametrize(
    "answer",
    [redirect(HOME), redirect("https://antik-1.shop.test/"), SceneResponse(TWIN.encode())],
    ids=["to-the-front-page", "to-another-site", "by-its-own-word"],
)
def test_a_product_that_is_another_page_now_is_removed_by_a_crawl_that_saw_everything(
    street: Street, url: str, answer: SceneResponse
) -> None:
    street.world.replaced[url] = answer
    street.world.fail(SHOP, "/sitemap.xml", FaultKind.BROKEN, times=1)
    assert (street.crawl().outcome, street.removed()) == ("ok", set())
    street.clock.advance(MINUTE)
    assert (street.crawl().outcome, street.removed()) == ("ok", {url})


def test_a_product_that_nothing_leads_to_any_more_is_removed(street: Street, url: str) -> None:
    street.scraped(UNLINKED)
    assert url not in street.removed()
    assert street.crawl().removed == 1
    assert street.removed() == {UNLINKED}


def test_a_product_that_robots_txt_keeps_us_from_is_not_taken_for_missing(street: Street) -> None:
    cart = f"https://{SHOP}/cart"
    street.world.replaced[HOME] = SceneResponse(
        f'<html><body><a href="{cart}">x</a></body></html>'.encode()
    )
    rules = b"User-agent: *\nDisallow: /cart\n"
    street.world.replaced[f"{HOME}robots.txt"] = SceneResponse(rules, kind="text/plain")
    street.scraped(cart)
    street.scraped(UNLINKED)
    street.clock.advance(MINUTE)
    street.crawl()
    assert street.removed() <= {UNLINKED}


@pytest.mark.parametrize("path", ["/produ*", "/sitemap*"])
def test_what_could_not_be_had_is_not_taken_for_gone(street: Street, path: str) -> None:
    for domain in ("antik-1.shop.test", "antik-2.shop.test", "antik-4.shop.test"):
        street.crawl(domain)
        street.clock.advance(MINUTE)
        street.world.fail(domain, path, FaultKind.BROKEN, times=3)
        assert street.crawl(domain).removed == 0
        assert street.removed(domain) == set()
        street.world.heal()


def test_a_captcha_in_the_place_of_most_products_is_a_refusal_and_changes_none(
    street: Street, url: str
) -> None:
    for each in street.sold():
        street.scraped(each)
        street.world.replaced[each] = CAPTCHA
    street.scraped(UNLINKED)
    before = street.pages()
    report = street.crawl()
    count = len(street.sold())
    assert (report.outcome, report.unlike, report.removed) == ("blocked", count, 0)
    assert f"{count} known products no longer look like products" in report.reason
    assert {each: page for each, page in street.pages().items() if page.hash} == {
        each: page for each, page in before.items() if page.hash
    }
    street.world.replaced.clear()
    street.clock.advance(MINUTE)
    assert (street.crawl().outcome, street.removed()) == ("ok", {UNLINKED})
    assert url not in street.removed()


def test_a_captcha_in_the_place_of_one_product_leaves_it_a_product_and_removes_nothing(
    street: Street, url: str
) -> None:
    street.world.replaced[url] = CAPTCHA
    street.scraped(UNLINKED)
    report = street.crawl()
    assert (report.outcome, report.unlike, report.changed) == ("ok", 1, 0)
    assert report.reason.startswith("1 known product no longer looks like a product")
    assert (street.pages()[url].type, street.removed()) == ("product", set())


def test_who_goes_on_after_a_crash_knows_of_the_captcha(street: Street, url: str) -> None:
    street.world.replaced[url] = CAPTCHA
    street.scraped(UNLINKED)
    with pytest.raises(Killed):
        DiesAtTheEnd(street.store, street.web, street.claimed()).run()
    street.clock.advance(timedelta(hours=3))
    report = street.crawl()
    assert (report.unlike, street.removed()) == (1, set())


def test_a_page_whose_offer_nobody_knows_is_what_it_looks_like(street: Street, url: str) -> None:
    other = max(street.sold())
    street.world.replaced[other] = CAPTCHA
    report = street.crawl()
    assert (other != url, report.unlike, street.pages()[other].type) == (True, 0, "unreadable")


def test_what_was_a_product_and_is_stored_as_something_else_is_healed_or_removed(
    street: Street, url: str
) -> None:
    street.scraped(UNLINKED)
    for each in (url, UNLINKED):
        street.store.update(street.pages()[each], type="other")
    assert street.crawl().removed == 1
    assert (street.pages()[url].type, street.removed()) == ("product", {UNLINKED})


def test_a_product_that_is_gone_for_good_may_become_another_page(street: Street, url: str) -> None:
    street.world.replaced[url] = NOT_FOUND
    for _ in range(2):
        street.crawl()
        street.clock.advance(MINUTE)
    street.world.replaced[url] = CAPTCHA
    report = street.crawl()
    assert (report.unlike, street.pages()[url].type) == (0, "unreadable")
