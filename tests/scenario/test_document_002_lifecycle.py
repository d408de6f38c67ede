"""Document 002's shops, from registration through crawls and scrapes, in its own strings."""

from __future__ import annotations

from collections.abc import Iterator
from datetime import UTC, datetime, timedelta

import pytest

from gotgan.clock import FixedClock
from gotgan.domains.shops.keys import SHOPS
from gotgan.domains.shops.models import Shop
from gotgan.domains.shops.patterns import (
    crawls_in_progress,
    scrapes_in_progress,
    shops_to_crawl,
    shops_to_scrape,
)
from gotgan.errors import LostRace
from gotgan.lifecycle import Claim
from gotgan.store import Query, Store, patterns_of

TEN = datetime(2026, 1, 15, 10, tzinfo=UTC)
HOUR = timedelta(hours=1)
TWO_DAYS = timedelta(days=2)


@pytest.fixture
def clock() -> FixedClock:
    return FixedClock(TEN)


@pytest.fixture
def store(clock: FixedClock) -> Iterator[Store]:
    with Store.in_memory(clock=clock) as store:
        store.create(SHOPS)
        yield store


def _register(store: Store, domain: str = "example.com", country: str | None = "DE") -> Shop:
    core = domain.partition(".")[0]
    return store.put_new(Shop(domain=domain, core_domain_name=core, shop_country=country)).item


def _stored(store: Store, domain: str = "example.com") -> dict[str, str]:
    """The texts of a shop's item."""
    shop = store.get(Shop.key(domain=domain))
    assert shop is not None
    assert shop.origin is not None
    return {name: value["S"] for name, value in shop.origin.item.items() if "S" in value}


def _domains(store: Store, query: Query[Shop]) -> list[str]:
    return [shop.domain for shop in store.query(query)]


def _crawl(store: Store, clock: FixedClock, shop: Shop, took: timedelta = 2 * HOUR) -> Shop:
    claim = Shop.crawl.claim(store, shop)
    clock.advance(took)
    return Shop.crawl.finish(store, claim)


def _scrape(store: Store, clock: FixedClock, shop: Shop, took: timedelta = 2 * HOUR) -> Shop:
    claim = Shop.scrape.claim(store, shop)
    clock.advance(took)
    return Shop.scrape.finish(store, claim)


def test_a_crawl_goes_through_the_strings_of_the_documents_lifecycle_example(
    store: Store, clock: FixedClock
) -> None:
    shop = _register(store)
    assert _stored(store)["gsi2_sk"] == "NEVER#"  # 1. new shop registered
    claim = Shop.crawl.claim(store, shop)
    assert _stored(store)["gsi2_sk"] == "PROGRESS#2026-01-15T10:00:00Z"  # 2. crawl starts
    clock.advance(2 * HOUR)
    Shop.crawl.finish(store, claim)
    after = _stored(store)
    assert after["gsi2_sk"] == "DONE#2026-01-15T12:00:00Z"  # 3. crawl completes
    assert after["last_crawled_start"] == "2026-01-15T10:00:00Z"
    assert after["last_crawled_end"] == "2026-01-15T12:00:00Z"
    assert (after["gsi3_sk"], after["gsi2_pk"]) == ("NEVER#", "COUNTRY#DE")


def test_a_scrape_goes_through_the_strings_of_the_documents_lifecycle_example(
    store: Store, clock: FixedClock
) -> None:
    shop = _crawl(store, clock, _register(store), took=HOUR)
    assert _stored(store)["gsi3_sk"] == "NEVER#"  # 1. shop crawled, ready for scraping
    claim = Shop.scrape.claim(store, shop)
    assert _stored(store)["gsi3_sk"] == "PROGRESS#2026-01-15T11:00:00Z"  # 2. scrape starts
    clock.advance(2 * HOUR)
    shop = Shop.scrape.finish(store, claim)
    assert _stored(store)["gsi3_sk"] == "DONE#2026-01-15T13:00:00Z"  # 3. scrape completes
    assert _domains(store, shops_to_scrape("DE", clock.now())) == []
    _crawl(store, clock, shop)  # 4. new crawl happens: eligible for re-scrape
    assert _stored(store)["gsi3_sk"] == "DONE#2026-01-15T13:00:00Z"
    assert _domains(store, shops_to_scrape("DE", clock.now())) == ["example.com"]


def test_the_queries_are_those_of_the_document() -> None:
    reads = {pattern.name: pattern.reads for pattern in patterns_of(SHOPS)}
    sorts = {name: [read.sort for read in each] for name, each in reads.items()}
    assert sorts["shops_to_crawl"] == [
        'begins_with(gsi2_sk, "NEVER#")',
        'gsi2_sk BETWEEN "DONE#" AND "DONE#{before}"',
    ]
    assert sorts["crawls_in_progress"] == ['gsi2_sk BETWEEN "PROGRESS#" AND "PROGRESS#{before}"']
    assert sorts["scrapes_in_progress"] == ['gsi3_sk BETWEEN "PROGRESS#" AND "PROGRESS#{before}"']
    assert [(read.sort, read.filter) for read in reads["shops_to_scrape"]] == [
        ('begins_with(gsi3_sk, "NEVER#")', "attribute_exists(last_crawled_end)"),
        ('gsi3_sk BETWEEN "DONE#" AND "DONE#{before}"', "last_crawled_end > last_scraped_end"),
    ]


def test_shops_that_need_a_crawl_are_the_new_ones_and_the_old_ones(
    store: Store, clock: FixedClock
) -> None:
    _crawl(store, clock, _register(store, "old.de"))
    clock.advance(TWO_DAYS)
    cutoff = clock.now()
    clock.advance(HOUR)
    _crawl(store, clock, _register(store, "recent.de"))
    _register(store, "new.de")
    _register(store, "new.fr", country="FR")
    _register(store, "nowhere.com", country=None)
    assert _domains(store, shops_to_crawl("DE", cutoff)) == ["new.de", "old.de"]
    assert _domains(store, shops_to_crawl("FR", cutoff)) == ["new.fr"]


def test_shops_in_progress_are_excluded_without_a_filter(store: Store, clock: FixedClock) -> None:
    old = _crawl(store, clock, _register(store, "old.de"))
    new = _register(store, "new.de")
    clock.advance(TWO_DAYS)
    claims = [Shop.crawl.claim(store, shop) for shop in (old, new)]
    page = store.query(shops_to_crawl("DE", clock.now()))
    assert (page.items, page.read) == ((), 0)
    for claim in claims:
        Shop.crawl.release(store, claim)
    assert _domains(store, shops_to_crawl("DE", clock.now())) == ["new.de", "old.de"]


def test_a_shop_never_disappears_from_its_indexes(store: Store, clock: FixedClock) -> None:
    def everywhere() -> list[int]:
        """How many entries each of the two indexes has, over all states."""
        return [
            store.count(each.never("DE") + each.in_progress("DE") + each.done("DE")).items
            for each in (Shop.crawl, Shop.scrape)
        ]

    shop = _register(store)
    counts = [everywhere()]
    claim = Shop.crawl.claim(store, shop)
    counts.append(everywhere())
    claim = Shop.crawl.claim(store, Shop.crawl.release(store, claim))
    counts.append(everywhere())
    clock.advance(HOUR)
    _scrape(store, clock, Shop.crawl.finish(store, claim))
    counts.append(everywhere())
    assert counts == [[1, 1]] * 4


def test_crawls_that_take_more_than_two_hours_are_found(store: Store, clock: FixedClock) -> None:
    """As the document asks, by when they began; and by the lease, which a live one renews."""
    Shop.crawl.claim(store, _register(store, "dead.de"))
    alive = Shop.crawl.claim(store, _register(store, "alive.de"))
    clock.advance(HOUR)
    Shop.crawl.claim(store, _register(store, "begun-later.de"))
    Shop.crawl.renew(store, alive)
    clock.advance(HOUR)
    two_hours_ago = clock.now() - 2 * HOUR
    begun_long_ago = store.query(crawls_in_progress("DE", two_hours_ago))
    assert {shop.domain for shop in begun_long_ago} == {"alive.de", "dead.de"}
    assert [shop.domain for shop in Shop.crawl.stuck(store, "DE")] == ["dead.de"]


def test_a_stuck_crawl_is_taken_over_and_its_first_worker_cannot_finish(
    store: Store, clock: FixedClock
) -> None:
    first = Shop.crawl.claim(store, _register(store))
    clock.advance(2 * HOUR)
    [stuck] = Shop.crawl.stuck(store, "DE")
    second = Shop.crawl.claim(store, stuck)
    with pytest.raises(LostRace):
        Shop.crawl.finish(store, first)
    clock.advance(HOUR)
    Shop.crawl.finish(store, second)
    assert _stored(store)["gsi2_sk"] == "DONE#2026-01-15T13:00:00Z"
    assert _stored(store)["last_crawled_start"] == "2026-01-15T12:00:00Z"


def test_a_stuck_crawl_can_be_given_back_to_when_it_was_last_done(
    store: Store, clock: FixedClock
) -> None:
    shop = _crawl(store, clock, _register(store))
    clock.advance(TWO_DAYS)
    Shop.crawl.claim(store, shop)
    clock.advance(2 * HOUR)
    [stuck] = Shop.crawl.stuck(store, "DE")
    Shop.crawl.release(store, stuck)
    assert _stored(store)["gsi2_sk"] == "DONE#2026-01-15T12:00:00Z"
    assert _stored(store)["last_crawled_end"] == "2026-01-15T12:00:00Z"


def test_two_crawlers_who_read_the_same_list_crawl_no_shop_twice(store: Store) -> None:
    for number in range(10):
        _register(store, f"shop-{number}.de")
    lists = [store.query(shops_to_crawl("DE", TEN)).items for _ in range(2)]
    won: list[Claim[Shop]] = []
    lost = 0
    for shop in [each for pair in zip(*lists, strict=True) for each in pair]:
        try:
            won.append(Shop.crawl.claim(store, shop))
        except LostRace:
            lost += 1
    assert len({claim.item.domain for claim in won}) == len(won) == lost == 10


def test_shops_that_need_a_scrape_are_known_by_the_crawls_end_that_the_index_holds(
    store: Store, clock: FixedClock
) -> None:
    _register(store, "never-crawled.de")
    _crawl(store, clock, _register(store, "never-scraped.de"))
    rescraped = _crawl(store, clock, _register(store, "crawled-since.de"))
    _crawl(store, clock, _scrape(store, clock, rescraped))
    _scrape(store, clock, _crawl(store, clock, _register(store, "nothing-new.de")))
    scraping = _crawl(store, clock, _register(store, "in-progress.de"))
    Shop.scrape.claim(store, scraping)
    page = store.query(shops_to_scrape("DE", clock.now()))
    assert [shop.domain for shop in page] == ["never-scraped.de", "crawled-since.de"]
    assert all(shop.last_crawled_end is not None for shop in page)
    assert set(page.cost.by_index()) == {("aura-historia-data", "GSI3")}
    assert _domains(store, scrapes_in_progress("DE", clock.now())) == ["in-progress.de"]


def test_a_crawl_and_a_scrape_of_one_shop_run_beside_each_other(
    store: Store, clock: FixedClock
) -> None:
    shop = _crawl(store, clock, _register(store))
    scrape, crawl = Shop.scrape.claim(store, shop), Shop.crawl.claim(store, shop)
    clock.advance(HOUR)
    Shop.crawl.finish(store, crawl, shop_name="Example Shop")
    clock.advance(HOUR)
    Shop.scrape.finish(store, scrape)
    after = _stored(store)
    assert (after["gsi2_sk"], after["gsi3_sk"]) == (
        "DONE#2026-01-15T13:00:00Z",
        "DONE#2026-01-15T14:00:00Z",
    )
    assert after["shop_name"] == "Example Shop"


def test_a_shop_whose_country_becomes_known_turns_up_with_its_history(
    store: Store, clock: FixedClock
) -> None:
    shop = _crawl(store, clock, _register(store, country=None))
    assert _domains(store, Shop.crawl.done("DE")) == []
    store.update(shop, shop_country="DE")
    assert _domains(store, Shop.crawl.done("DE")) == ["example.com"]
    assert _domains(store, shops_to_scrape("DE", clock.now())) == ["example.com"]
