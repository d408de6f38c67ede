"""A fortnight of two shops with product lists, crawled and scraped by two processes at once."""

from __future__ import annotations

import threading
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from contextlib import ExitStack
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

import pytest

from gotgan.app import App
from gotgan.clock import FixedClock
from gotgan.domains.shops import keys
from gotgan.domains.shops.changes import state_hash
from gotgan.domains.shops.models import Change, ShopPage
from gotgan.domains.shops.workers import PoolReport
from gotgan.settings import Settings
from gotgan.world import FaultKind, ServedWorld, World, world_server
from gotgan.world.shops import Product, shop_products

SHOPS = {"laden.shop.test": "US", "werkstatt.shop.test": "DE"}
LISTS = ("/products.json", "/wp-json/wc/store/v1/products")
DAYS = 14


@pytest.fixture
def served() -> Iterator[ServedWorld]:
    clock = FixedClock(datetime(2025, 11, 6, 12, tzinfo=UTC))
    with world_server(World(clock=clock, shop_bytes=500)) as served:
        yield served


@pytest.fixture
def apps(served: ServedWorld, tmp_path: Path) -> Iterator[list[App]]:
    """Two apps on one data folder, as two processes have them."""
    settings = Settings(data=tmp_path, resolve=served.resolve, delay=0, synchronous="normal")
    with ExitStack() as stack:
        yield [stack.enter_context(App.open(settings, clock=served.world.clock)) for _ in range(2)]


def test_two_processes_record_each_change_of_a_listed_shop_once_by_few_requests(
    served: ServedWorld, apps: list[App]
) -> None:
    clock, seen = served.world.clock, dict[str, Product]()
    assert isinstance(clock, FixedClock)
    for domain, country in SHOPS.items():
        apps[0].shops.add(domain, country=country)
    pages = 0
    for day in range(DAYS):
        if day == DAYS // 2:  # for one day, both lists fail
            for domain, path in zip(SHOPS, LISTS, strict=True):
                served.world.fail(domain, path, FaultKind.TRUNCATED)
        _at_once([app.shops.crawl for app in apps])
        _at_once([app.shops.scrape for app in apps])
        served.world.heal()
        for domain in SHOPS:
            today = {each.url: each for each in shop_products(served.world.scene, domain)}
            seen |= today
            pages += 2 * len(today)
            _compare(apps[0], domain, today)
        clock.advance(timedelta(days=2))
    assert len(served.world.requests) < 0.75 * pages
    for domain in SHOPS:
        _check_changes(apps[0], domain)
    assert {change.url for domain in SHOPS for change in _changes(apps[0], domain)} == set(seen)


def _at_once(verbs: Sequence[Callable[[], PoolReport[Any]]]) -> None:
    def run(verb: Callable[[], PoolReport[Any]]) -> None:
        failures.extend(verb().failed)

    failures: list[object] = []
    threads = [threading.Thread(target=run, args=(verb,)) for verb in verbs]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert failures == []


def _pages(app: App, domain: str) -> dict[str, ShopPage]:
    found = app.store.iterate(keys.pages_of(domain), at_most=None)
    return {page.url: page for page in found}


def _changes(app: App, domain: str) -> list[Change]:
    return list(
        app.store.iterate(
            keys.changes_since(domain, datetime(2025, 1, 1, tzinfo=UTC)), at_most=None
        )
    )


def _compare(app: App, domain: str, today: dict[str, Product]) -> None:
    """What is stored is what the shop has."""
    pages = _pages(app, domain)
    for url, each in today.items():
        currency = each.currency if each.price is not None else None
        assert pages[url].hash == state_hash(each.status, each.price, currency)
    gone = [url for url, page in pages.items() if page.status == "REMOVED"]
    assert not set(gone) & set(today)


def _check_changes(app: App, domain: str) -> None:
    """Each change begins where the one before it ended."""
    last: dict[str, str | None] = {}
    for change in _changes(app, domain):
        assert last.get(change.url) == (change.before.hash if change.before else None)
        last[change.url] = change.after.hash
    assert max(Counter(change.id for change in _changes(app, domain)).values()) == 1
