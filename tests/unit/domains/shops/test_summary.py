"""What a day brought in shops, and how many changes each of some days had."""

from __future__ import annotations

from datetime import UTC, date, datetime, timedelta

import pytest

from gotgan.clock import Zone, day_span
from gotgan.domains.shops import summary
from gotgan.domains.shops.models import Change, Offer, Shop
from gotgan.domains.shops.summary import ShopsDay, changes_by_day, shops_day
from gotgan.store import Store
from tests.unit.domains.shops.conftest import DAY, NOON, SHOP, Market, of_another

TODAY = date(2025, 11, 6)
SECOND = timedelta(seconds=1)
AVAILABLE = Offer(status="AVAILABLE", price=10_000, currency="EUR")


def read_day(store: Store, day: date = TODAY, zone: Zone = "utc") -> ShopsDay:
    return shops_day(store, day_span(day, zone), ["DE"], [])


def changed(store: Store, at: datetime, number: int = 0, domain: str = SHOP) -> Change:
    """A price that fell at a moment."""
    after = Offer(status="AVAILABLE", price=9_000, currency="EUR")
    url = f"https://{domain}/{at:%d%H%M%S}/{number}"
    change = Change(domain=domain, seen_at=at, url=url, before=AVAILABLE, after=after)
    return store.put_new(change).item


def crawled(store: Store, domain: str = SHOP) -> None:
    """A shop whose crawl ends now."""
    shop = Shop(domain=domain, core_domain_name="x", shop_country="DE")
    claim = Shop.crawl.claim(store, store.put_new(shop).item)
    Shop.crawl.finish(store, claim, crawl_outcome="ok", crawl_pages=7)


def test_a_day_on_which_nobody_was_looked_at_is_empty(market: Market) -> None:
    day = read_day(market.store)
    assert (day.crawled, day.scraped, day.changes, day.counts) == ((), (), (), {})
    assert (day.countries, day.read, day.is_cut) == (("DE",), 0, False)


def test_a_scrape_tells_what_is_new(market: Market) -> None:
    report = market.scrape()
    day = read_day(market.store)
    [visit] = day.scraped
    assert (visit.domain, visit.stage, visit.outcome) == (SHOP, "scrape", report.outcome)
    assert (visit.began_at, visit.ended_at, visit.seconds) == (NOON, NOON, 0.0)
    assert day.counts == {"new": len(market.changes())}
    assert set(day.new_products) == set(day.changes) == set(market.changes())
    assert day.changed == ()


def test_what_changed_is_told_on_its_own_day_though_the_shop_was_visited_since(
    market: Market,
) -> None:
    market.scrape()
    market.clock.advance(5 * DAY)
    market.scrape()
    first, second = read_day(market.store), read_day(market.store, TODAY + 5 * DAY)
    assert (first.scraped, len(second.scraped)) == ((), 1)
    assert set(first.changes) | set(second.changes) == set(market.changes())
    assert {change.seen_at for change in first.changes} == {NOON}
    assert second.changed


def test_a_crawl_tells_how_many_pages_it_saw(market: Market) -> None:
    crawled(market.store, "other.shop.test")
    [visit] = read_day(market.store).crawled
    assert (visit.domain, visit.outcome, visit.pages) == ("other.shop.test", "ok", 7)


def test_changes_of_a_shop_that_is_being_looked_at_are_told(market: Market) -> None:
    market.claim()
    change = changed(market.store, NOON)
    assert read_day(market.store).changes == (change,)


@pytest.mark.parametrize("zone", ["utc", "ny", "kst"])
def test_a_day_begins_and_ends_with_the_zones_midnight(market: Market, zone: Zone) -> None:
    span = day_span(TODAY, zone)
    market.claim()
    moments = (span.first - SECOND, span.first, span.last - SECOND, span.last)
    before, first, last, after = (changed(market.store, moment) for moment in moments)
    assert read_day(market.store, zone=zone).changes == (last, first)
    assert before not in read_day(market.store, zone=zone).changes
    assert after in read_day(market.store, TODAY + DAY, zone).changes


def test_changes_of_several_shops_are_told_the_newest_first(market: Market) -> None:
    other = of_another(market, "antik-2.shop.test")
    market.claim()
    other.claim()
    early, late = changed(market.store, NOON), changed(market.store, NOON + SECOND)
    between = changed(market.store, NOON, domain=other.domain)
    assert read_day(market.store).changes == (late, between, early)


def test_more_shops_or_changes_than_are_read_are_said_to_be_there(
    market: Market, monkeypatch: pytest.MonkeyPatch
) -> None:
    market.claim()
    for number in range(4):
        changed(market.store, NOON, number)
    assert not read_day(market.store).is_cut
    monkeypatch.setattr(summary, "MAX_CHANGES", 3)
    assert (read_day(market.store).read, read_day(market.store).is_cut) == (3, True)
    monkeypatch.setattr(summary, "MAX_CHANGES", 100)
    monkeypatch.setattr(summary, "MAX_SHOPS", 1)
    assert not read_day(market.store).is_cut
    crawled(market.store, "other.shop.test")
    assert read_day(market.store).is_cut


def test_a_shop_is_asked_once_for_its_changes(market: Market) -> None:
    market.scrape()
    with market.store.metered() as measured:
        read_day(market.store)
    tables = {line.index for line in measured.cost.lines}
    assert len(tables) == 3  # the shop itself and its changes, and the two indexes
    assert measured.cost.reads < 10


@pytest.mark.parametrize(
    ("before", "after", "kind"),
    [
        (None, AVAILABLE, "new"),
        (AVAILABLE, Offer(status="REMOVED"), "removed"),
        (AVAILABLE, Offer(status="SOLD", price=10_000, currency="EUR"), "sold"),
        (AVAILABLE, Offer(status="AVAILABLE", price=9_999, currency="EUR"), "price_down"),
        (AVAILABLE, Offer(status="AVAILABLE", price=10_001, currency="EUR"), "price_up"),
        (AVAILABLE, Offer(status="AVAILABLE", price=9_999, currency="USD"), "other"),
        (AVAILABLE, Offer(status="RESERVED", price=10_000, currency="EUR"), "other"),
        (Offer(status="SOLD"), AVAILABLE, "other"),
        (Offer(status="SOLD", price=1, currency="EUR"), Offer(status="SOLD"), "other"),
    ],
)
def test_a_change_is_of_the_first_kind_that_fits(
    before: Offer | None, after: Offer, kind: str
) -> None:
    change = Change(domain=SHOP, seen_at=NOON, url="https://a.test/", before=before, after=after)
    assert change.kind == kind


# Days in numbers


def test_changes_are_counted_by_the_days_of_the_zone(market: Market) -> None:
    market.claim()
    for moment in (
        datetime(2025, 11, 2, 4, tzinfo=UTC),  # New York's midnight, and the hour that it has twice
        datetime(2025, 11, 2, 6, 30, tzinfo=UTC),
        datetime(2025, 11, 3, 4, 59, 59, tzinfo=UTC),
        datetime(2025, 11, 3, 5, tzinfo=UTC),
    ):
        changed(market.store, moment)
    days = [date(2025, 11, day) for day in (1, 2, 3)]
    counted = changes_by_day(market.store, ["DE"], days, "ny")
    assert list(counted.values()) == [0, 3, 1]


def test_without_a_shop_nothing_is_counted(market: Market) -> None:
    assert changes_by_day(market.store, ["KR"], [TODAY], "kst") == {TODAY: 0}
