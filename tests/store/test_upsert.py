"""Upserts: a change by key alone that makes the item where there is none."""

from __future__ import annotations

from concurrent.futures import ThreadPoolExecutor
from typing import Annotated

import pytest

from gotgan.errors import ConditionFailed, ItemMissing, TransactionFailed
from gotgan.store import (
    Entity,
    Id,
    Key,
    KeyOnly,
    Store,
    Table,
    append,
    attr,
    increment,
    writes,
)
from gotgan.store.engine.faults import DynamoDBError
from tests.store.conftest import MakeStore
from tests.store.deviations import Feature, Where
from tests.store.library import Entry, Shelf
from tests.store.stored import scribble, stored

COUNTERS = Table("counters", pk="pk")


class Visits(Entity, table=COUNTERS):
    """How often somebody came; all that is known of them is in the key."""

    key = Key("VISITS#{who}")

    who: Annotated[Id, KeyOnly()]
    times: int = 0
    notes: tuple[str, ...] = ()


SHELF = Shelf.key(id="s1")
ENTRY = Entry.key(log="l1", day="monday", number=7)


def test_where_there_is_nothing_an_item_is_made_that_reads_as_any_other(store: Store) -> None:
    made = store.upsert(ENTRY, text="hello").item
    assert made == store.get(ENTRY) == Entry(log="l1", day="monday", number=7, text="hello")
    put = store.put_new(Entry(log="l2", day="monday", number=7, text="hello")).item
    ours, theirs = stored(store, ENTRY), stored(store, put.key)
    assert ours is not None
    assert theirs is not None
    assert set(ours) == set(theirs)


def test_where_there_is_something_it_is_changed_and_all_else_stays(store: Store) -> None:
    store.put_new(Shelf(id="s1", room="attic"))
    scribble(store, SHELF, colour="red")
    assert store.upsert(SHELF, room="cellar").item == Shelf(id="s1", room="cellar")
    assert store.upsert(SHELF, room=None).item == Shelf(id="s1")
    item = stored(store, SHELF)
    assert item is not None
    assert (item["colour"], "room" in item) == ("red", False)


def test_a_condition_is_asked_of_what_is_there_and_of_what_is_not(store: Store) -> None:
    with pytest.raises(ItemMissing):
        store.upsert(SHELF, room="attic", only_if=attr("room") == "cellar")
    assert stored(store, SHELF) is None
    assert store.upsert(SHELF, room="attic", only_if=attr("room").missing()).item.room == "attic"
    with pytest.raises(ConditionFailed) as caught:
        store.upsert(SHELF, room="cellar", only_if=attr("room").missing())
    assert caught.value.current == Shelf(id="s1", room="attic")


def test_an_upsert_goes_with_a_transaction_or_not_at_all(store: Store, where: Where) -> None:
    change = writes.upsert(ENTRY, text="together")
    refusal = DynamoDBError if where.lacks(Feature.TRANSACTIONS) else TransactionFailed
    with pytest.raises(refusal):
        store.transact([change, writes.check(SHELF)])
    assert stored(store, ENTRY) is None
    if not where.lacks(Feature.TRANSACTIONS):
        store.put_new(Shelf(id="s1"))
        for _ in range(2):
            store.transact([change, writes.check(SHELF)])
        assert store.get(ENTRY) == Entry(log="l1", day="monday", number=7, text="together")


def test_the_cost_of_an_upsert_is_told_under_its_name(store: Store, where: Where) -> None:
    written = store.upsert(SHELF, room="attic")
    assert set(written.cost.by_verb()) == {"upsert"}
    if not where.lacks(Feature.CAPACITY):
        assert written.cost.writes == 1.0


@pytest.fixture
def counters(make_store: MakeStore) -> Store:
    return make_store(COUNTERS)


def test_a_counter_begins_by_itself(counters: Store) -> None:
    ref = Visits.key(who="kim")
    assert counters.upsert(ref, times=increment()).item == Visits(who="kim", times=1)
    counters.upsert(ref, times=increment(4), notes=append("late"))
    assert counters.get(ref) == Visits(who="kim", times=5, notes=("late",))
    assert set(stored(counters, ref) or {}) == {"pk", "times", "notes"}


def test_of_many_who_count_at_once_everybody_counts(counters: Store, where: Where) -> None:
    ref = Visits.key(who="kim")
    at_once = 1 if where.lacks(Feature.ATOMICITY) else 4
    with ThreadPoolExecutor(at_once) as pool:
        counted = list(pool.map(lambda _: counters.upsert(ref, times=increment()), range(12)))
    assert sorted(each.item.times for each in counted) == list(range(1, 13))
