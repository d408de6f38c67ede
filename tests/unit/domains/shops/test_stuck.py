"""Shops whose worker died: found by their claims, and released."""

from __future__ import annotations

import re
from collections.abc import Iterator
from datetime import UTC, datetime, timedelta

import pytest

from gotgan.clock import FixedClock
from gotgan.domains.shops.models import SHOPS, Shop
from gotgan.domains.shops.registry import Registry
from gotgan.encoding import encode
from gotgan.errors import BadItem, Conflict, GotganError, NotFound, UsageError
from gotgan.store import Store

TEN = datetime(2026, 1, 15, 10, tzinfo=UTC)
HOUR = timedelta(hours=1)


@pytest.fixture
def clock() -> FixedClock:
    return FixedClock(TEN)


@pytest.fixture
def store(clock: FixedClock) -> Iterator[Store]:
    with Store.in_memory(clock=clock) as opened:
        opened.create(SHOPS)
        yield opened


@pytest.fixture
def registry(store: Store) -> Registry:
    return Registry(store)


def _claim(store: Store, domain: str, owner: str = "worker") -> None:
    Shop.crawl.claim(store, Registry(store).get(domain), owner=owner)


def _refusal(registry: Registry, domain: str) -> GotganError:
    """Why a shop was not released."""
    report = registry.release(domain)
    [refused] = report.refused
    assert (refused.domain, report.released) == (domain, ())
    return refused.error


def test_stuck_is_what_began_long_ago_and_whose_lease_is_over(
    store: Store, clock: FixedClock, registry: Registry
) -> None:
    registry.add(["dead.de", "alive.de", "later.de"], country="DE")
    registry.add("dead.fr", country="FR")
    for domain in ("dead.de", "dead.fr"):
        _claim(store, domain, owner="gone")
    alive = Shop.crawl.claim(store, registry.get("alive.de"))
    clock.advance(HOUR)
    Shop.crawl.claim(store, registry.get("later.de"), lease=timedelta(minutes=1))
    Shop.crawl.renew(store, alive)
    clock.advance(HOUR)
    assert [each.shop.domain for each in registry.iter_stuck()] == ["dead.de", "dead.fr"]
    assert [each.shop.domain for each in registry.iter_stuck(country="fr")] == ["dead.fr"]
    at_all = registry.iter_stuck(older_than=timedelta(0), country="DE")
    assert {each.shop.domain for each in at_all} == {"dead.de", "later.de"}
    told = encode(registry.iter_stuck()[0])
    assert told.pop("owner").startswith("gone/")
    assert told == {
        "domain": "dead.de",
        "shopCountry": "DE",
        "stage": "crawl",
        "since": "2026-01-15T10:00:00Z",
        "attempts": 1,
    }


def test_both_stages_can_be_stuck_and_are_released_together_or_alone(
    store: Store, clock: FixedClock, registry: Registry
) -> None:
    registry.add("a.de", country="DE")
    crawl = Shop.crawl.claim(store, registry.get("a.de"))
    clock.advance(HOUR)
    Shop.crawl.finish(store, crawl)
    _claim(store, "a.de")
    Shop.scrape.claim(store, registry.get("a.de"))
    clock.advance(3 * HOUR)
    assert [each.stage for each in registry.iter_stuck()] == ["crawl", "scrape"]
    assert [each.stage for each in registry.release("a.de", stage="scrape").released] == ["scrape"]
    assert [each.stage for each in registry.release("a.de").released] == ["crawl"]
    record = encode(registry.get("a.de"))
    assert (record["crawl_state"], record["scrape_state"]) == ("DONE", "NEVER")
    assert record["last_crawled_end"] == "2026-01-15T11:00:00Z"


def test_a_worker_that_is_alive_keeps_its_shop(
    store: Store, clock: FixedClock, registry: Registry
) -> None:
    registry.add("a.de", country="DE")
    idle = _refusal(registry, "a.de")
    assert isinstance(idle, Conflict)
    assert "No worker has claimed a.de. There is nothing to release." in idle.message
    _claim(store, "a.de", owner="kim")
    clock.advance(HOUR)
    held = _refusal(registry, "a.de")
    assert isinstance(held, Conflict)
    assert re.search(
        r"kim/\w+ has claimed the crawl of a\.de until 01-15 12:00 UTC\.", held.message
    )
    assert encode(registry.get("a.de"))["crawl_state"] == "PROGRESS"


def test_a_stuck_shop_without_a_country_is_found_by_the_scan_and_released(
    store: Store, clock: FixedClock, registry: Registry
) -> None:
    registry.add("nowhere.com")
    _claim(store, "nowhere.com")
    clock.advance(3 * HOUR)
    assert registry.iter_stuck() == []
    scanned = registry.without_country("scrape")
    assert [(each.stage, each.shop.domain) for each in scanned.stuck] == [("crawl", "nowhere.com")]
    registry.release("nowhere.com")
    assert [shop.domain for shop in registry.without_country("crawl").due] == ["nowhere.com"]


def test_a_claim_that_makes_no_sense_is_shown_and_keeps_no_other_from_being_released(
    store: Store, clock: FixedClock, registry: Registry
) -> None:
    registry.add("a.de", country="DE")
    _claim(store, "a.de")
    store.calls.driver.call(
        "UpdateItem",
        {
            "TableName": SHOPS.name,
            "Key": {"pk": {"S": "SHOP#a.de"}, "sk": {"S": "META#"}},
            "UpdateExpression": "SET crawl_lease_until = :when",
            "ExpressionAttributeValues": {":when": {"S": "tomorrow"}},
        },
    )
    [found] = registry.iter_stuck()
    assert (found.since, found.owner) == (None, None)
    registry.add("b.de", country="DE")
    _claim(store, "b.de")
    clock.advance(3 * HOUR)
    report = registry.release(["a.de", "b.de"])
    [refused] = report.refused
    assert isinstance(refused.error, BadItem)
    assert "crawl_lease_until contains the invalid value 'tomorrow'" in refused.error.message
    assert [each.domain for each in report.released] == ["b.de"]


def test_shops_to_release_are_checked_before_the_first_is_released(
    store: Store, clock: FixedClock, registry: Registry
) -> None:
    registry.add("a.de", country="DE")
    _claim(store, "a.de")
    clock.advance(3 * HOUR)
    with pytest.raises(UsageError, match="'not a domain'"):
        registry.release(["a.de", "not a domain"])
    assert [each.domain for each in registry.iter_stuck()] == ["a.de"]
    assert isinstance(_refusal(registry, "nobody.de"), NotFound)
