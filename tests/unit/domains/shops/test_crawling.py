"""A crawl finds every page of a shop once, goes on where another stopped, and loses nothing."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta

import pytest

from gotgan.clock import FixedClock
from gotgan.domains.shops import changes, patterns
from gotgan.domains.shops.crawling import STRETCH, Crawl, CrawlReport, CrawlStep
from gotgan.domains.shops.keys import SHOPS
from gotgan.domains.shops.models import Shop, ShopPage
from gotgan.domains.shops.reading import PageFacts
from gotgan.errors import LostRace
from gotgan.fetch import Rules, Web
from gotgan.lifecycle import Claim
from gotgan.retry import Policy
from gotgan.store import Store
from gotgan.store.schema import schema_of
from gotgan.world import Fault, World, serving_world
from gotgan.world.shops import products_of

NOON = datetime(2025, 11, 6, 12, tzinfo=UTC)
DAY = timedelta(days=1)
SHOP = "antik-3.shop.test"


class Killed(Exception):
    """What a test raises in the middle of a crawl, as a power cut would."""


@dataclass(frozen=True)
class Street:
    """A street of shops, and somebody who crawls them."""

    store: Store
    web: Web
    clock: FixedClock
    world: World

    def claimed(self, domain: str = SHOP) -> Claim[Shop]:
        self.store.put_new(Shop(domain=domain, core_domain_name=domain, shop_country="DE"))
        shop = self.store.get(patterns.shop(domain), consistent=True)
        assert shop is not None
        return Shop.crawl.claim(self.store, shop)

    def crawl(self, domain: str = SHOP, *, budget: int = 5_000) -> CrawlReport:
        return Crawl(self.store, self.web, self.claimed(domain), budget=budget).run()

    def shop(self, domain: str = SHOP) -> Shop:
        shop = self.store.get(patterns.shop(domain))
        assert shop is not None
        return shop

    def pages(self, domain: str = SHOP) -> dict[str, ShopPage]:
        found = self.store.iterate(patterns.pages_of(domain), at_most=None)
        return {page.url: page for page in found}

    def asked(self) -> Counter[str]:
        """How often each page was asked for."""
        plain = ("/robots.txt", "/sitemap.xml")
        seen = (each for each in self.world.requests if each.path not in plain)
        return Counter(f"{each.path}?{each.query}" for each in seen)

    def sold(self, domain: str = SHOP) -> set[str]:
        """The addresses of all products that the shop has."""
        return {product.url for product in products_of(self.world.scene, domain)}


@pytest.fixture
def street() -> Iterator[Street]:
    clock = FixedClock(NOON)
    world = World(clock=clock, shop_bytes=500)
    with serving_world(world) as served, Store.in_memory(clock=clock) as store:
        store.create(SHOPS)
        patience = Policy(attempts=1)
        rules = Rules(delay=0, seconds=2, deadline=4, retry=patience, resolve=served.resolve)
        with Web(rules, clock=clock) as web:
            yield Street(store, web, clock, world)


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


def test_a_crawl_that_died_is_gone_on_with_and_repeats_one_stretch_at_most(street: Street) -> None:
    domain = "antik-20.shop.test"
    seen = 0

    def die(step: CrawlStep) -> None:
        nonlocal seen
        seen = step.pages
        if step.pages == STRETCH + 20:
            raise Killed

    with pytest.raises(Killed):
        Crawl(street.store, street.web, street.claimed(domain), on_step=die).run()
    street.clock.advance(timedelta(hours=3))
    report = street.crawl(domain)
    assert report.outcome == "ok"
    assert street.sold(domain) <= set(street.pages(domain))
    repeated = sum(times - 1 for times in street.asked().values())
    assert 0 < repeated <= 50
    assert seen == STRETCH + 20


def test_who_was_taken_over_writes_no_more(street: Street) -> None:
    domain = "antik-20.shop.test"
    late = street.claimed(domain)

    def be_taken_over(step: CrawlStep) -> None:
        if step.pages == STRETCH - 1:
            street.clock.advance(timedelta(hours=3))
            street.crawl(domain)

    with pytest.raises(LostRace):
        Crawl(street.store, street.web, late, on_step=be_taken_over).run()
    assert street.shop(domain).crawl_outcome == "ok"


def test_a_budget_ends_a_crawl_and_says_how_much_is_left(street: Street) -> None:
    report = street.crawl("kalender.shop.test", budget=60)
    assert (report.outcome, report.pages) == ("budget", 60)
    assert "--max-pages" in report.reason


@pytest.mark.parametrize(
    ("fault", "outcome"), [(Fault.FORBIDDEN, "blocked"), (Fault.RESET, "unreachable")]
)
def test_a_shop_that_does_not_answer_is_done_all_the_same_and_keeps_what_was_known(
    street: Street, fault: Fault, outcome: str
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
    street.world.fail(SHOP, "/", Fault.THROTTLED, times=1)
    told: list[float] = []
    crawl = Crawl(
        street.store,
        street.web,
        street.claimed(),
        on_step=lambda step: told.append(step.back_off),
    )
    crawl.run()
    assert max(told) > 0


@pytest.mark.parametrize("path", ["/produ*", "/sitemap*"])
def test_what_could_not_be_had_is_not_taken_for_gone(street: Street, path: str) -> None:
    for domain in ("antik-1.shop.test", "antik-2.shop.test", "antik-4.shop.test"):
        street.crawl(domain)
        street.clock.advance(timedelta(minutes=1))
        street.world.fail(domain, path, Fault.BROKEN, times=3)
        report = street.crawl(domain)
        assert report.removed == 0
        assert "REMOVED" not in {page.status for page in street.pages(domain).values()}
        street.world.heal()


def test_a_product_that_nothing_leads_to_any_more_is_removed(street: Street) -> None:
    street.crawl()
    page = ShopPage(domain=SHOP, url=f"https://{SHOP}/gone-from-all-lists", type="product")
    street.store.put_new(page)
    changes.record(street.store, page, PageFacts("product", price=100, currency="EUR"))
    street.clock.advance(timedelta(minutes=1))
    assert street.crawl().removed == 1
    assert street.pages()[page.url].status == "REMOVED"


def test_a_half_crawl_of_long_ago_is_not_gone_on_with(street: Street) -> None:
    domain = "antik-20.shop.test"

    def die(step: CrawlStep) -> None:
        if step.pages == STRETCH + 20:
            raise Killed

    with pytest.raises(Killed):
        Crawl(street.store, street.web, street.claimed(domain), on_step=die).run()
    street.clock.advance(20 * DAY)
    report = street.crawl(domain)
    assert report.outcome == "ok"
    assert street.sold(domain) <= set(street.pages(domain))


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
