"""What calls cost, by AWS's rules."""

from __future__ import annotations

from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from gotgan.store.engine import connect
from gotgan.store.engine.capacity import read_units, write_units
from tests.contract.shapes import item
from tests.contract.tables import Index, Table, create_table


@pytest.mark.parametrize(
    ("size", "units"),
    [(0, 1), (1, 1), (1024, 1), (1025, 2), (2048, 2), (400 * 1024, 400)],
)
def test_a_write_unit_is_a_kilobyte_begun(size: int, units: int) -> None:
    assert write_units(size) == units


@pytest.mark.parametrize(
    ("size", "units"), [(0, 1), (1, 1), (4096, 1), (4097, 2), (400 * 1024, 100)]
)
def test_a_read_unit_is_four_kilobytes_begun_and_half_of_it_where_consistency_can_wait(
    size: int, units: int
) -> None:
    assert read_units(size, consistent=True) == units
    assert read_units(size, consistent=False) == units / 2


@given(st.integers(0, 1 << 20))
def test_more_bytes_never_cost_less(size: int) -> None:
    assert write_units(size) <= write_units(size + 1)
    assert read_units(size, consistent=True) <= read_units(size + 1, consistent=True)


@pytest.fixture
def table() -> Any:
    with connect(None) as client:
        gsi = [Index("whole", "group:S"), Index("keys", "group:S", "KEYS_ONLY")]
        yield create_table(client, "pk:S sk:N", gsi=gsi, lsi=[Index("local", "pk:S rank:N")])


def _cost(answer: dict[str, Any]) -> dict[str, float]:
    shown = answer["ConsumedCapacity"]
    charged = {"total": shown["CapacityUnits"], "table": shown["Table"]["CapacityUnits"]}
    for member in ("GlobalSecondaryIndexes", "LocalSecondaryIndexes"):
        for name, units in shown.get(member, {}).items():
            charged[name] = units["CapacityUnits"]
    return charged


def _put(table: Table, **attributes: object) -> dict[str, float]:
    whole = item(pk="a", sk=1, **attributes)
    return _cost(table.put_item(Item=whole, ReturnConsumedCapacity="INDEXES"))


def test_an_index_is_charged_where_it_has_an_entry_to_add(table: Table) -> None:
    assert _put(table) == {"total": 1, "table": 1}
    assert _put(table, rank=1) == {"total": 2, "table": 1, "local": 1}
    assert _put(table, group="g") == {
        "total": 4,
        "table": 1,
        "whole": 1,
        "keys": 1,
        "local": 1,  # the entry that is taken away
    }


def test_a_changed_index_key_is_a_removal_and_an_addition(table: Table) -> None:
    _put(table, group="g")
    assert _put(table, group="h") == {"total": 5, "table": 1, "whole": 2, "keys": 2}


def test_an_index_that_does_not_hold_what_changed_costs_nothing(table: Table) -> None:
    _put(table, group="g", note="old")
    assert _put(table, group="g", note="new") == {"total": 2, "table": 1, "whole": 1}


def test_a_write_costs_the_larger_of_before_and_after(table: Table) -> None:
    assert _put(table, text="x" * 2500)["table"] == 3
    assert _put(table)["table"] == 3
    assert _put(table)["table"] == 1


def test_a_delete_costs_the_item_that_was_there(table: Table) -> None:
    _put(table, group="g", text="x" * 2500)
    answer = table.delete_item(Key=item(pk="a", sk=1), ReturnConsumedCapacity="INDEXES")
    assert _cost(answer) == {"total": 7, "table": 3, "whole": 3, "keys": 1}
    answer = table.delete_item(Key=item(pk="a", sk=1), ReturnConsumedCapacity="INDEXES")
    assert _cost(answer) == {"total": 1, "table": 1}


def test_a_total_says_nothing_of_indexes(table: Table) -> None:
    answer = table.put_item(Item=item(pk="a", sk=1, group="g"), ReturnConsumedCapacity="TOTAL")
    assert answer["ConsumedCapacity"] == {"TableName": table.name, "CapacityUnits": 3.0}
    assert "ConsumedCapacity" not in table.put_item(Item=item(pk="a", sk=1))
