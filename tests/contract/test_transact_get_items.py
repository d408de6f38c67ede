from __future__ import annotations

from typing import Any

import pytest

from .refusals import CANCELLED, INVALID, refused
from .shapes import given, item
from .tables import MakeTable, Table, unique_name


@pytest.fixture(scope="module")
def stocked(make_shared_table: MakeTable) -> Table:
    table = make_shared_table("pk:N")
    table.fill({"pk": n, "double": 2 * n, "m": {"a": n, "b": n}} for n in range(101))
    return table


def _get(table: Table, key: dict[str, Any], **members: Any) -> dict[str, Any]:
    return {"Get": {"TableName": table.name, "Key": key, **members}}


def _read(table: Table, *gets: dict[str, Any]) -> list[dict[str, Any]]:
    responses: list[dict[str, Any]] = table.client.transact_get_items(TransactItems=list(gets))[
        "Responses"
    ]
    return responses


def test_items_of_more_than_4_mb_are_not_read_at_once(make_table: MakeTable) -> None:
    table = make_table()
    table.fill({"pk": str(n), "x": "x" * 400_000} for n in range(11))
    with refused(INVALID):
        _read(table, *(_get(table, item(pk=str(n))) for n in range(11)))
    assert len(_read(table, *(_get(table, item(pk=str(n))) for n in range(10)))) == 10


def test_items_come_in_the_order_they_were_asked_for(stocked: Table) -> None:
    numbers = [7, 3, 99, 0, 42]
    found = _read(stocked, *(_get(stocked, item(pk=n)) for n in numbers))
    assert [each["Item"]["double"] for each in found] == [{"N": str(2 * n)} for n in numbers]


def test_an_item_that_is_not_there_has_an_empty_place(stocked: Table) -> None:
    found = _read(stocked, _get(stocked, item(pk=-1)), _get(stocked, item(pk=1)))
    assert not found[0].get("Item")
    assert found[1]["Item"]["pk"] == {"N": "1"}


def test_each_get_has_its_own_projection(stocked: Table, make_table: MakeTable) -> None:
    other = make_table("pk:S")
    other.put(pk="a", v=1, w=2)
    found = _read(
        stocked,
        _get(stocked, item(pk=3), ProjectionExpression="#d, m.a", **given({"#d": "double"})),
        _get(other, item(pk="a"), ProjectionExpression="w"),
        _get(other, item(pk="a2")),
    )
    assert [each.get("Item", {}) for each in found] == [
        item(double=6, m={"a": 3}),
        item(w=2),
        {},
    ]


def test_a_hundred_items_are_read_at_once(stocked: Table) -> None:
    found = _read(stocked, *(_get(stocked, item(pk=n)) for n in range(100)))
    assert len(found) == 100


def _requests(table: Table) -> dict[str, list[dict[str, Any]]]:
    one = item(pk=1)
    return {
        "101 items": [_get(table, item(pk=n)) for n in range(101)],
        "no items": [],
        "an item twice": [_get(table, one), _get(table, one)],
        "a get of nothing": [{}],
        "a key of another type": [_get(table, item(pk="1"))],
        "a key with more": [_get(table, item(pk=1, more=1))],
        "a bad projection": [_get(table, one, ProjectionExpression="a,,b")],
        "names for no projection": [_get(table, one, **given({"#a": "a"}))],
    }


@pytest.mark.parametrize("fault", _requests(Table(None, "")))
def test_a_transaction_is_refused_for(stocked: Table, fault: str) -> None:
    # A fault in the key may be reported as a cancellation instead.
    with refused(INVALID, CANCELLED):
        _read(stocked, *_requests(stocked)[fault])


def test_a_missing_table_is_refused(stocked: Table) -> None:
    with refused("ResourceNotFoundException"):
        _read(stocked, _get(stocked, item(pk=1)), _get(Table(None, unique_name()), item(pk=1)))
