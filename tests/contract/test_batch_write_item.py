from __future__ import annotations

from typing import Any

import pytest

from .refusals import INVALID, refused
from .shapes import item
from .tables import Index, MakeTable, Table, everything, unique_name


def _put(**attributes: object) -> dict[str, Any]:
    return {"PutRequest": {"Item": item(attributes)}}


def _delete(**key: object) -> dict[str, Any]:
    return {"DeleteRequest": {"Key": item(key)}}


def _write(table: Table, *requests: dict[str, Any]) -> dict[str, Any]:
    answer: dict[str, Any] = table.client.batch_write_item(
        RequestItems={table.name: list(requests)}
    )
    return answer


@pytest.mark.parametrize("count", [1, 25])
def test_a_batch_puts_every_item(make_table: MakeTable, count: int) -> None:
    table = make_table()
    answer = _write(table, *(_put(pk=f"k{n}", n=n) for n in range(count)))
    assert answer["UnprocessedItems"] == {}
    assert sorted(found["n"] for found in everything(table.scan)) == list(range(count))


def test_a_batch_puts_and_deletes(shared: Table) -> None:
    old, new = unique_name(), unique_name()
    shared.put(pk=old)
    _write(shared, _delete(pk=old), _put(pk=new, v=1), _delete(pk=unique_name()))
    assert shared.get(pk=old) is None
    assert shared.get(pk=new) == {"pk": new, "v": 1}


def test_a_put_in_a_batch_replaces_the_whole_item(shared: Table) -> None:
    key = unique_name()
    shared.put(pk=key, a=1)
    _write(shared, _put(pk=key, b=2))
    assert shared.get(pk=key) == {"pk": key, "b": 2}


def test_a_batch_writes_to_several_tables(make_table: MakeTable) -> None:
    one, two = make_table("pk:S"), make_table("pk:S sk:N")
    one.client.batch_write_item(
        RequestItems={one.name: [_put(pk="a")], two.name: [_put(pk="a", sk=n) for n in range(3)]}
    )
    assert len(everything(one.scan)) == 1
    assert len(everything(two.scan)) == 3


def test_a_batch_keeps_the_indexes(make_table: MakeTable) -> None:
    table = make_table("pk:S", gsi=[Index("by_state", "state:S")])
    _write(table, _put(pk="a", state="NEW"), _put(pk="b", state="OLD"), _put(pk="c"))
    _write(table, _delete(pk="a"), _put(pk="b"), _put(pk="c", state="NEW"))
    assert [found["pk"] for found in everything(table.scan, IndexName="by_state")] == ["c"]


def test_keys_that_differ_only_in_their_range_are_different(shared_sorted: Table) -> None:
    key = unique_name()
    _write(shared_sorted, _put(pk=key, sk=1), _put(pk=key, sk=2), _delete(pk=key, sk=3))
    assert shared_sorted.get(pk=key, sk=2) == {"pk": key, "sk": 2}


REFUSED: dict[str, list[dict[str, Any]]] = {
    "26 items": [_put(pk=f"k{n}") for n in range(26)],
    "no items": [],
    "an item twice": [_put(pk="a"), _put(pk="a", v=1)],
    "a put and a delete of one item": [_put(pk="a"), _delete(pk="a")],
    "a delete twice": [_delete(pk="a"), _delete(pk="a")],
    "a request of nothing": [{}],
    "a put without its key": [_put(v=1)],
    "a put with a key of another type": [_put(pk=1)],
    "a put with an empty key": [_put(pk="")],
    "a put with an empty set": [{"PutRequest": {"Item": item(pk="a") | {"v": {"SS": []}}}}],
    "a put with a bad number": [{"PutRequest": {"Item": item(pk="a") | {"v": {"N": "x"}}}}],
    "a put over 400 KB": [_put(pk="a", v="x" * (400 * 1024))],
    "a delete with more than the key": [_delete(pk="a", v=1)],
    "a delete with a key of another type": [_delete(pk=1)],
}


@pytest.mark.parametrize("fault", REFUSED)
def test_a_batch_is_refused_whole_for(make_table: MakeTable, fault: str) -> None:
    table = make_table()
    good = [_put(pk="good")] if fault != "no items" and len(REFUSED[fault]) < 25 else []
    with refused(INVALID):
        _write(table, *good, *REFUSED[fault])
    assert everything(table.scan) == []


def test_the_limit_counts_the_items_of_all_tables(make_table: MakeTable) -> None:
    one, two = make_table(), make_table()
    with refused(INVALID):
        one.client.batch_write_item(
            RequestItems={
                one.name: [_put(pk=f"k{n}") for n in range(13)],
                two.name: [_put(pk=f"k{n}") for n in range(13)],
            }
        )


def test_an_empty_batch_is_refused(client: Any) -> None:
    with refused(INVALID):
        client.batch_write_item(RequestItems={})


def test_a_batch_to_a_missing_table_is_refused_whole(shared: Table) -> None:
    key = unique_name()
    with refused("ResourceNotFoundException"):
        shared.client.batch_write_item(
            RequestItems={shared.name: [_put(pk=key)], unique_name(): [_put(pk=key)]}
        )
    assert shared.get(pk=key) is None


def test_twenty_five_large_items_are_one_batch(make_table: MakeTable) -> None:
    table = make_table()
    answer = _write(table, *(_put(pk=f"k{n}", v="x" * (390 * 1024)) for n in range(25)))
    assert answer["UnprocessedItems"] == {}
    assert len(everything(table.scan, ProjectionExpression="pk")) == 25


def test_a_key_of_another_type_is_refused_in_the_words_of_a_key(shared: Table) -> None:
    # Three implementations agree: dynalite, dynoxide and ministack.
    puts = [{"PutRequest": {"Item": item(pk=1)}}]
    with refused(INVALID, match="^The provided key element does not match the schema$"):
        shared.client.batch_write_item(RequestItems={shared.name: puts})
