"""Products that are gone by their own words, with status 200; and captchas behind redirects."""

from __future__ import annotations

from collections.abc import Iterator
from datetime import timedelta

import pytest

from gotgan.domains.shops.crawl import CHECKPOINT_PAGES, Crawl
from gotgan.domains.shops.models import Shop
from gotgan.domains.shops.reports import ScrapeReport
from gotgan.domains.shops.scrape import scrape_shop
from gotgan.world.scene import SceneResponse, redirect
from tests.unit.domains.shops.streets import LARGE, SHOP, Killed, Street, dying_at, opened_street

HOME = f"https://{SHOP}/"
GONE = SceneResponse(
    b"<!doctype html><html><head><title>A chair</title></head><body>"
    b"<h1>A chair</h1><p>This item is no longer available.</p></body></html>"
)
NOT_HERE = SceneResponse(b"<!doctype html><title>Page not found</title><h1>Page not found</h1>")
CAPTCHA = SceneResponse(
    b"<!doctype html><title>Just a moment...</title><script>var _cf_chl_opt = 1</script>"
)
TO_CAPTCHA = redirect("/check?back=1")
MINUTE = timedelta(minutes=1)


@pytest.fixture
def street() -> Iterator[Street]:
    with opened_street() as street:
        street.world.replaced[f"{HOME}check?back=1"] = CAPTCHA
        yield street


def scrape(street: Street, domain: str = SHOP) -> ScrapeReport:
    street.clock.advance(MINUTE)
    claim = Shop.scrape.claim(street.store, street.shop(domain))
    return scrape_shop(street.store, street.web, claim)


@pytest.fixture
def url(street: Street) -> str:
    """A product of a shop that was crawled and scraped before."""
    street.crawl()
    scrape(street)
    street.clock.advance(MINUTE)
    return min(street.sold())


@pytest.mark.parametrize(
    "answer",
    [GONE, NOT_HERE, redirect(HOME), redirect("/en/"), redirect("/category/0")],
    ids=["gone", "not-here", "front-page", "front-page-in-a-language", "category"],
)
def test_a_scrape_counts_a_product_that_says_it_is_gone_as_missing(
    street: Street, url: str, answer: SceneResponse
) -> None:
    category = next(each for each, page in street.pages().items() if page.type == "category")
    street.world.replaced[url] = answer
    street.world.replaced[f"{HOME}en/"] = SceneResponse(b"<h1>Welcome</h1>")
    street.world.replaced[f"{HOME}category/0"] = redirect(category)
    report = scrape(street)
    assert (report.outcome, report.noted["missed"], report.removed) == ("ok", 1, 0)
    assert street.removed() == set()
    assert (scrape(street).removed, street.removed()) == (1, {url})
    assert scrape(street).removed == 0


def test_a_product_that_is_back_between_is_not_gone_twice_in_a_row(
    street: Street, url: str
) -> None:
    for page in (GONE, None, GONE):
        street.world.replaced = {url: page} if page else {}
        scrape(street)
    assert street.removed() == set()


def test_a_product_that_moved_to_another_one_is_not_missing(street: Street, url: str) -> None:
    street.world.replaced[url] = redirect(max(street.sold()))
    for _ in range(3):
        assert scrape(street).failed == {"fetch.elsewhere": 1}
    assert street.removed() == set()


@pytest.mark.parametrize("answer", [GONE, redirect("/")], ids=["gone", "front-page"])
def test_a_shop_whose_products_are_all_gone_at_once_keeps_them(
    street: Street, answer: SceneResponse
) -> None:
    street.crawl(LARGE)
    scrape(street, LARGE)
    before = street.pages(LARGE)
    street.world.replaced |= dict.fromkeys(street.sold(LARGE), answer)
    for _ in range(3):
        report = scrape(street, LARGE)
        assert (report.outcome, report.removed) == ("blocked", 0)
        assert "product pages say that their product is gone" in report.reason
        street.crawl(LARGE)
    hashes = {url: page.hash for url, page in street.pages(LARGE).items()}
    assert hashes == {url: page.hash for url, page in before.items()}


def test_a_crawl_counts_a_product_that_says_it_is_gone_as_missing(street: Street, url: str) -> None:
    street.world.replaced[url] = GONE
    report = street.crawl()
    assert (report.outcome, report.gone, report.unlike, report.removed) == ("ok", 1, 0, 0)
    street.clock.advance(MINUTE)
    assert (street.crawl().removed, street.removed()) == (1, {url})


def test_a_crawl_that_is_killed_counts_it_once(street: Street, url: str) -> None:
    street.crawl(LARGE)
    url = min(street.sold(LARGE))
    street.scraped(url, LARGE)
    street.world.replaced[url] = GONE
    for pages in (CHECKPOINT_PAGES + 20, 2 * CHECKPOINT_PAGES):
        with pytest.raises(Killed):
            Crawl(street.store, street.web, street.claimed(LARGE), on_step=dying_at(pages)).run()
        street.clock.advance(timedelta(hours=3))
    street.crawl(LARGE)
    assert street.pages(LARGE)[url].misses == 1


def test_a_page_that_nobody_knows_as_a_product_is_none_when_it_is_gone(street: Street) -> None:
    url = min(street.sold())
    street.world.replaced[url] = GONE
    street.crawl()
    assert street.pages()[url].type != "product"


# Captchas


def test_a_captcha_behind_a_redirect_of_the_front_page_is_a_refusal(street: Street) -> None:
    for address in (HOME, f"{HOME}sitemap.xml"):
        street.world.replaced[address] = TO_CAPTCHA
    report = street.crawl()
    assert report.outcome == "blocked"
    assert "captcha" in report.reason


@pytest.mark.parametrize("answer", [TO_CAPTCHA, CAPTCHA], ids=["redirect", "at-once"])
def test_a_shop_behind_a_captcha_is_blocked_and_not_empty(
    street: Street, url: str, answer: SceneResponse
) -> None:
    before = street.pages()
    pages = [*before, HOME, f"{HOME}sitemap.xml"]
    street.world.replaced |= dict.fromkeys(pages, answer)
    report = street.crawl()
    assert (report.outcome, report.removed) == ("blocked", 0)
    assert {each: page.hash for each, page in street.pages().items()} == {
        each: page.hash for each, page in before.items()
    }
    scraped = scrape(street)
    assert (scraped.outcome, set(scraped.failed)) == ("blocked", {"page.blocked"})
    assert street.shop().scrape_outcome == "blocked"
    assert url not in street.removed()


def test_some_captchas_in_a_crawl_remove_nothing(street: Street, url: str) -> None:
    hidden = f"{HOME}hidden"
    street.scraped(hidden)
    street.world.replaced[url] = TO_CAPTCHA
    report = street.crawl()
    assert (report.outcome, report.removed, report.failed) == ("ok", 0, {"page.blocked": 1})
    assert "page.blocked 1 time" in report.reason
    assert street.removed() == set()
    del street.world.replaced[url]
    street.clock.advance(MINUTE)
    street.crawl()
    assert street.removed() == {hidden}
