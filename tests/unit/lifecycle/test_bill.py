"""What the moves of a small item cost, to the unit."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from datetime import timedelta
from typing import Any

import pytest

from gotgan.clock import FixedClock
from gotgan.domains.shops.models import SHOPS, Shop
from gotgan.errors import LostRace
from gotgan.store import Store
from tests.unit.lifecycle.jobs import BEGIN

TABLE = "aura-historia-data"


@pytest.fixture
def clock() -> FixedClock:
    return FixedClock(BEGIN)


@pytest.fixture
def store(clock: FixedClock) -> Iterator[Store]:
    with Store.in_memory(clock=clock) as store:
        store.create(SHOPS)
        yield store


@pytest.fixture
def shop(store: Store) -> Shop:
    shop = Shop(domain="example.com", core_domain_name="example", shop_country="DE")
    return store.put_new(shop).item


def _writes(store: Store, move: Callable[[], Any]) -> tuple[Any, dict[str | None, float]]:
    """What a move gives, and the units that it wrote: to the table (None) and to each index."""
    with store.metered() as measured:
        given = move()
    by_index = measured.cost.by_index()
    return given, {index: cost.writes for (_, index), cost in by_index.items()}


def test_the_crawl_of_a_shop_costs_seven_write_units(store: Store, shop: Shop) -> None:
    claim, claimed = _writes(store, lambda: Shop.crawl.claim(store, shop))
    _, finished = _writes(store, lambda: Shop.crawl.finish(store, claim))
    assert claimed == {None: 1.0, "GSI2": 2.0}
    assert finished == {None: 1.0, "GSI2": 2.0, "GSI3": 1.0}
    assert sum(claimed.values()) + sum(finished.values()) == 7


def test_the_scrape_of_a_shop_costs_six_because_no_other_index_holds_its_times(
    store: Store, shop: Shop
) -> None:
    claim, claimed = _writes(store, lambda: Shop.scrape.claim(store, shop))
    _, finished = _writes(store, lambda: Shop.scrape.finish(store, claim))
    assert claimed == finished == {None: 1.0, "GSI3": 2.0}


def test_renewing_costs_the_table_one_unit_and_no_index_anything(
    store: Store, shop: Shop, clock: FixedClock
) -> None:
    claim = Shop.crawl.claim(store, shop)
    for _ in range(3):
        clock.advance(timedelta(hours=1))
        _, renewed = _writes(store, lambda: Shop.crawl.renew(store, claim))
        assert renewed == {None: 1.0}


def test_giving_back_costs_as_much_as_claiming(store: Store, shop: Shop) -> None:
    claim = Shop.crawl.claim(store, shop)
    assert _writes(store, lambda: Shop.crawl.release(store, claim))[1] == {None: 1.0, "GSI2": 2.0}


def test_taking_over_costs_as_much_as_claiming(store: Store, shop: Shop, clock: FixedClock) -> None:
    Shop.crawl.claim(store, shop)
    clock.advance(timedelta(hours=2))
    [stuck] = Shop.crawl.stuck(store, "DE")
    _, taken = _writes(store, lambda: Shop.crawl.claim(store, stuck))
    assert taken == {None: 1.0, "GSI2": 2.0}


def test_a_race_that_is_lost_costs_one_unit(store: Store, shop: Shop) -> None:
    Shop.crawl.claim(store, shop)
    with store.metered() as measured, pytest.raises(LostRace):
        Shop.crawl.claim(store, shop)
    assert (measured.cost.writes, measured.cost.reads) == (1.0, 0.0)


def test_a_move_is_booked_under_its_verb(store: Store, shop: Shop) -> None:
    with store.metered() as measured:
        claim = Shop.crawl.renew(store, Shop.crawl.claim(store, shop))
        claim = Shop.crawl.claim(store, Shop.crawl.release(store, claim))
        Shop.crawl.finish(store, claim)
    assert set(measured.cost.by_verb()) == {"claim", "renew", "release", "finish"}


def test_a_shop_in_no_country_costs_the_table_alone(store: Store) -> None:
    shop = store.put_new(Shop(domain="example.com", core_domain_name="example")).item
    claim, claimed = _writes(store, lambda: Shop.crawl.claim(store, shop))
    _, finished = _writes(store, lambda: Shop.crawl.finish(store, claim))
    assert claimed == finished == {None: 1.0}
