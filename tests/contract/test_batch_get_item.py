from __future__ import annotations

from typing import Any

import pytest

from .refusals import INVALID, refused
from .shapes import given, item, plain
from .tables import MakeTable, Table, unique_name

BIG = "x" * (390 * 1024)


@pytest.fixture(scope="module")
def stocked(make_shared_table: MakeTable) -> Table:
    table = make_shared_table("pk:N")
    table.fill({"pk": n, "double": 2 * n, "m": {"a": n, "b": n}} for n in range(110))
    return table


def _keys(*numbers: int) -> list[dict[str, Any]]:
    return [item(pk=n) for n in numbers]


def _found(answer: dict[str, Any], table: Table) -> list[Any]:
    return sorted(plain(each)["pk"] for each in answer["Responses"][table.name])


@pytest.mark.parametrize("count", [1, 2, 100])
def test_a_batch_gives_every_item(stocked: Table, count: int) -> None:
    keys = _keys(*range(count))
    answer = stocked.client.batch_get_item(RequestItems={stocked.name: {"Keys": keys}})
    assert _found(answer, stocked) == list(range(count))
    assert answer["UnprocessedKeys"] == {}


def test_items_that_are_not_there_are_left_out(stocked: Table) -> None:
    keys = _keys(1, -1, 2, -2)
    answer = stocked.client.batch_get_item(RequestItems={stocked.name: {"Keys": keys}})
    assert _found(answer, stocked) == [1, 2]


def test_a_batch_of_nothing_found_has_an_empty_list(stocked: Table) -> None:
    answer = stocked.client.batch_get_item(RequestItems={stocked.name: {"Keys": _keys(-1)}})
    assert answer["Responses"] == {stocked.name: []}


def test_a_batch_reads_from_several_tables(stocked: Table, make_table: MakeTable) -> None:
    other = make_table("pk:S sk:S")
    other.put(pk="a", sk="b", v=1)
    answer = stocked.client.batch_get_item(
        RequestItems={
            stocked.name: {"Keys": _keys(1, 2), "ConsistentRead": True},
            other.name: {"Keys": [item(pk="a", sk="b")]},
        }
    )
    assert _found(answer, stocked) == [1, 2]
    assert answer["Responses"][other.name] == [item(pk="a", sk="b", v=1)]


def test_each_table_has_its_own_projection(stocked: Table, make_table: MakeTable) -> None:
    other = make_table("pk:S")
    other.put(pk="a", v=1, w=2)
    answer = stocked.client.batch_get_item(
        RequestItems={
            stocked.name: {
                "Keys": _keys(3),
                "ProjectionExpression": "#d, m.a",
                **given({"#d": "double"}),
            },
            other.name: {"Keys": [item(pk="a")], "ProjectionExpression": "w"},
        }
    )
    assert answer["Responses"][stocked.name] == [item(double=6, m={"a": 3})]
    assert answer["Responses"][other.name] == [item(w=2)]


REFUSED: dict[str, dict[str, Any]] = {
    "101 keys": {"Keys": _keys(*range(101))},
    "a key twice": {"Keys": _keys(1, 2, 1)},
    "a key twice in two forms": {"Keys": [{"pk": {"N": "1"}}, {"pk": {"N": "1.0"}}]},
    "no keys": {"Keys": []},
    "a key of another type": {"Keys": [item(pk="1")]},
    "a key with more": {"Keys": [item(pk=1, more=1)]},
    "an empty projection": {"Keys": _keys(1), "ProjectionExpression": ""},
    "names for no projection": {"Keys": _keys(1), "ExpressionAttributeNames": {"#a": "a"}},
}


@pytest.mark.parametrize("fault", REFUSED)
def test_a_batch_is_refused_for(stocked: Table, fault: str) -> None:
    with refused(INVALID):
        stocked.client.batch_get_item(RequestItems={stocked.name: REFUSED[fault]})


def test_the_limit_counts_the_keys_of_all_tables(stocked: Table, make_table: MakeTable) -> None:
    other = make_table("pk:N")
    with refused(INVALID):
        stocked.client.batch_get_item(
            RequestItems={
                stocked.name: {"Keys": _keys(*range(60))},
                other.name: {"Keys": _keys(*range(60))},
            }
        )


def test_an_empty_batch_is_refused(client: Any) -> None:
    with refused(INVALID):
        client.batch_get_item(RequestItems={})


def test_a_batch_from_a_missing_table_is_refused_whole(stocked: Table) -> None:
    requests = {stocked.name: {"Keys": _keys(1)}, unique_name(): {"Keys": _keys(1)}}
    with refused("ResourceNotFoundException"):
        stocked.client.batch_get_item(RequestItems=requests)


def test_what_passes_16_megabytes_is_left_for_the_next_call(make_table: MakeTable) -> None:
    table = make_table("pk:N")
    table.fill(({"pk": n, "v": BIG} for n in range(50)), batch=10)
    requests = {table.name: {"Keys": _keys(*range(50)), "ConsistentRead": True}}
    rounds: list[list[Any]] = []
    while requests:
        answer = table.client.batch_get_item(RequestItems=requests)
        rounds.append(_found(answer, table))
        requests = answer["UnprocessedKeys"]
        assert not requests or requests[table.name]["ConsistentRead"] is True
    assert len(rounds) == 2
    assert 41 <= len(rounds[0]) <= 43
    assert sorted(rounds[0] + rounds[1]) == list(range(50))
