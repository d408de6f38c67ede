"""Time to live: what has expired is removed, nothing else is, and the indexes follow."""

from __future__ import annotations

from collections.abc import Iterator
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

import pytest

from gotgan.clock import FixedClock
from gotgan.store.engine import Client, Engine
from tests.contract.tables import Index, Table, create_table, everything
from tests.durability.invariants import check_indexes

NOW = int(datetime(2025, 6, 1, tzinfo=UTC).timestamp())
YEAR = 365 * 24 * 3600


@pytest.fixture
def clock() -> FixedClock:
    return FixedClock(datetime.fromtimestamp(NOW, UTC))


@pytest.fixture
def engine(clock: FixedClock) -> Iterator[Engine]:
    with Engine(None, clock=clock) as engine:
        yield engine


@pytest.fixture
def table(engine: Engine) -> Table:
    return create_table(Client(engine), gsi=[Index("by_group", "group:S")])


def _switch(table: Table, *, on: bool = True) -> None:
    table.update_time_to_live(TimeToLiveSpecification={"AttributeName": "expires", "Enabled": on})


def _keys(table: Table) -> set[str]:
    return {found["pk"] for found in everything(table.scan)}


@pytest.mark.parametrize(
    ("expires", "stays"),
    [
        (NOW - 1, False),
        (NOW - 1000, False),
        (NOW - 5 * YEAR + 60, False),
        (NOW, True),
        (NOW + 1, True),
        (NOW - 5 * YEAR - 60, True),
        (0, True),
        (-5, True),
        (10**100, True),
        (str(NOW - 1), True),
        (True, True),
        (None, True),
        ({NOW - 1}, True),
        ([NOW - 1], True),
        ({"expires": NOW - 1}, True),
    ],
    ids=repr,
)
@pytest.mark.parametrize("when", ["before the items", "after the items"])
def test_only_a_number_of_seconds_that_lies_in_the_last_five_years_has_expired(
    engine: Engine, table: Table, expires: Any, stays: bool, when: str
) -> None:
    if when == "before the items":
        _switch(table)
    table.put(pk="a", expires=expires)
    if when == "after the items":
        _switch(table)
    assert engine.sweep() == int(not stays)
    assert _keys(table) == ({"a"} if stays else set())


def test_an_item_without_the_attribute_stays(engine: Engine, table: Table) -> None:
    _switch(table)
    table.put(pk="a", other=NOW - 100)
    assert engine.sweep() == 0
    assert _keys(table) == {"a"}


def test_an_item_expires_when_its_time_comes(
    engine: Engine, table: Table, clock: FixedClock
) -> None:
    _switch(table)
    table.put(pk="a", expires=NOW + 60)
    assert engine.sweep() == 0
    clock.advance(timedelta(seconds=61))
    assert engine.sweep() == 1
    assert _keys(table) == set()


def test_a_fraction_of_a_second_does_not_count(
    engine: Engine, table: Table, clock: FixedClock
) -> None:
    _switch(table)
    table.put_item(Item={"pk": {"S": "a"}, "expires": {"N": f"{NOW}.9"}})
    assert engine.sweep() == 0
    clock.advance(timedelta(seconds=1))
    assert engine.sweep() == 1


def test_an_item_whose_expiry_is_moved_or_taken_away_stays(engine: Engine, table: Table) -> None:
    _switch(table)
    for key in ("moved", "taken away", "left"):
        table.put(pk=key, expires=NOW - 10)
    table.put(pk="moved", expires=NOW + 10)
    table.update_item(Key={"pk": {"S": "taken away"}}, UpdateExpression="REMOVE expires")
    assert engine.sweep() == 1
    assert _keys(table) == {"moved", "taken away"}


def test_an_update_can_let_an_item_expire(engine: Engine, table: Table) -> None:
    _switch(table)
    table.put(pk="a")
    table.update_item(
        Key={"pk": {"S": "a"}},
        UpdateExpression="SET expires = :past",
        ExpressionAttributeValues={":past": {"N": str(NOW - 10)}},
    )
    assert engine.sweep() == 1


def test_nothing_expires_once_it_is_turned_off(engine: Engine, table: Table) -> None:
    _switch(table)
    table.put(pk="a", expires=NOW - 10)
    _switch(table, on=False)
    table.put(pk="b", expires=NOW - 10)
    assert engine.sweep() == 0
    assert _keys(table) == {"a", "b"}


def test_turned_on_again_it_knows_the_items_of_the_time_between(
    engine: Engine, table: Table
) -> None:
    _switch(table)
    _switch(table, on=False)
    table.put(pk="a", expires=NOW - 10)
    _switch(table)
    assert engine.sweep() == 1


def test_other_tables_are_not_touched(engine: Engine, table: Table) -> None:
    other = create_table(Client(engine))
    other.put(pk="a", expires=NOW - 10)
    _switch(table)
    table.put(pk="a", expires=NOW - 10)
    assert engine.sweep() == 1
    assert _keys(other) == {"a"}


def test_many_items_go_in_one_sweep_and_the_indexes_follow(engine: Engine, table: Table) -> None:
    _switch(table)
    table.fill(
        {"pk": str(n), "group": f"g{n % 3}", "expires": NOW + (1 if n % 5 == 0 else -1)}
        for n in range(1500)
    )
    engine.sweep()  # on a slow machine the engine's own sweep may have come first
    assert len(_keys(table)) == 300
    check_indexes(table)


def test_a_table_with_expiry_can_be_made_anew(engine: Engine, table: Table) -> None:
    _switch(table)
    table.put(pk="a", expires=NOW - 10)
    table.delete_table()
    anew = create_table(Client(engine), name=table.name)
    anew.put(pk="a", expires=NOW - 10)
    assert engine.sweep() == 0
    assert _keys(anew) == {"a"}


def test_expiry_survives_reopening(path: Path, clock: FixedClock) -> None:
    with Engine(path, clock=clock) as engine:
        table = create_table(Client(engine))
        _switch(table)
        table.put(pk="a", expires=NOW - 10)
    with Engine(path, clock=clock) as engine:
        assert engine.sweep() == 1


def test_a_table_that_changes_during_the_sweep_is_swept_the_next_time(
    path: Path, clock: FixedClock, monkeypatch: pytest.MonkeyPatch
) -> None:
    with Engine(path, clock=clock) as engine, Engine(path, clock=clock) as other:
        table = create_table(Client(engine))
        _switch(table)
        table.put(pk="a", expires=NOW - 10)
        changes = [{"TableName": table.name, "DeletionProtectionEnabled": True}]

        def now() -> datetime:
            while changes:
                other.execute("UpdateTable", changes.pop())
            return datetime.fromtimestamp(NOW, UTC)

        monkeypatch.setattr(clock, "now", now)
        assert engine.sweep() + engine.sweep() == 1
