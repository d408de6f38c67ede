"""Reads that could answer wrongly in silence, and do not."""

from __future__ import annotations

from collections.abc import Iterator
from datetime import UTC, datetime, timedelta
from typing import Any

import pytest
from pydantic import BaseModel

from gotgan.clock import FixedClock
from gotgan.errors import BadItem, BadKeyPart, TableMissing, UsageError
from gotgan.store import (
    Entity,
    Epoch,
    FewValues,
    Id,
    IndexKey,
    Key,
    Store,
    Table,
    Timestamp,
    attr,
    collection,
)

NOON = datetime(2026, 1, 15, 12, tzinfo=UTC)
ATTIC = Table("attic", pk="pk", sk="sk", ttl="expires_at")
BY_KIND = ATTIC.index("by_kind", pk="kind", sk="made", project=("name", "expires_at"))


class Inner(BaseModel):
    a: int = 1
    b: int = 7


class Chest(Entity, table=ATTIC):
    key = Key("ROOM#{room}", "CHEST#{id}")
    by_kind = IndexKey(BY_KIND, "chest", "{made}", acknowledge=[FewValues("a small attic")])
    room: Id
    id: Id
    name: str = ""
    note: str = ""
    inner: Inner = Inner()
    made: Timestamp = NOON
    expires_at: Epoch | None = None


class Room(Entity, table=ATTIC):
    key = Key("ROOM#{id}", "METADATA")
    id: Id


@pytest.fixture
def store() -> Iterator[Store]:
    with Store.in_memory(clock=FixedClock(NOON)) as store:
        store.create(ATTIC)
        yield store


def fill(store: Store, number: int, **values: Any) -> None:
    store.put_all(Chest(room="r1", id=f"c{each:04d}", **values) for each in range(number))


def test_a_part_of_a_field_is_not_read_alone(store: Store) -> None:
    fill(store, 1, inner=Inner(a=2, b=3))
    with pytest.raises(UsageError, match=r"inner\.a is a part of a field; ask for inner"):
        store.get(Chest.key(room="r1", id="c0000"), only=("inner.a",))
    with pytest.raises(UsageError, match="ask for inner"):
        store.query(Chest.key.query(room="r1").only("inner.a"))


def test_a_filter_on_what_an_index_does_not_hold_is_refused(store: Store) -> None:
    with pytest.raises(UsageError, match="does not hold note"):
        store.query(Chest.by_kind.query().filtered(attr("note") == "x"))
    fill(store, 3, name="x")
    assert len(store.query(Chest.by_kind.query().filtered(attr("name") == "x"))) == 3


def test_what_was_dropped_is_not_paid_for_one_by_one(store: Store) -> None:
    fill(store, 300, expires_at=NOON - timedelta(days=1))
    store.put_new(Chest(room="r1", id="z"))
    with store.metered() as measured:
        assert store.first(Chest.key.query(room="r1")) == Chest(room="r1", id="z")
        assert len(list(store.iterate(Chest.key.query(room="r1"), at_most=1))) == 1
    assert measured.cost.reads < 30


def test_a_count_is_of_what_a_query_finds(store: Store) -> None:
    fill(store, 2)
    store.put_new(Room(id="r1"))
    for query in (collection(Chest, room="r1"), collection(Chest, Room, room="r1")):
        assert store.count(query).items == len(store.query(query))
    assert store.count(Chest.by_kind.query()).items == 2


def test_a_missing_table_is_named_with_what_to_do() -> None:
    with (
        Store.in_memory() as empty,
        pytest.raises(TableMissing, match="Table attic does not exist in embedded"),
    ):
        empty.get(Room.key(id="r1"))


def test_bounds_the_wrong_way_round_are_said() -> None:
    with pytest.raises(UsageError, match="Give the lower bound first"):
        Chest.by_kind.query().between(NOON, NOON - timedelta(days=1))


def test_two_bounds_after_one_another_lead_to_between() -> None:
    with pytest.raises(UsageError, match=r"use between\(low, high\)"):
        Chest.by_kind.query().after(NOON).before(NOON)


def test_half_a_character_cannot_be_asked_for(store: Store) -> None:
    with pytest.raises(UsageError, match="cannot be written"):
        store.query(Chest.key.query(room="r1").begins_with("\ud800"))


@pytest.mark.parametrize("part", ["", "x" * 101, None, ["x"]])
def test_a_key_that_no_item_can_have_is_refused(part: Any) -> None:
    with pytest.raises(BadKeyPart, match="room cannot be"):
        Chest.key(room=part, id="c")
    with pytest.raises(BadKeyPart, match="room cannot be"):
        Chest.key.query(room=part)


def test_an_item_that_does_not_fit_can_be_told_and_passed_over(store: Store) -> None:
    fill(store, 3)
    driver = store.calls.driver
    key = {"pk": {"S": "ROOM#r1"}, "sk": {"S": "CHEST#c0001"}}
    driver.call("PutItem", {"TableName": "attic", "Item": {**key, "name": {"N": "1"}}})
    query = Chest.key.query(room="r1")
    with pytest.raises(BadItem, match="CHEST#c0001 of table attic is not a valid Chest"):
        store.query(query)
    told: list[BadItem] = []
    page = store.query(query, limit=2, on_bad=told.append)
    assert [chest.id for chest in page] == ["c0000", "c0002"]
    assert len(list(store.iterate(query, at_most=None, on_bad=told.append))) == 2
    assert len(list(store.scan(Chest, on_bad=told.append))) == 2
    assert [bad.item["sk"] for bad in told] == [{"S": "CHEST#c0001"}] * 3


def test_a_count_of_nothing_is_false(store: Store) -> None:
    assert not store.count(Chest.key.query(room="r1"))
    fill(store, 2)
    count = store.count(Chest.key.query(room="r1"))
    assert count
    assert int(count) == 2
