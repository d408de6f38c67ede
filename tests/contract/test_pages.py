"""Pages of Query and Scan: limits, keys to go on from, and the megabyte."""

from __future__ import annotations

from typing import Any

import pytest

from .refusals import INVALID, refused
from .shapes import given, item, plain
from .tables import Index, MakeTable, Table, everything, pages

KILOBYTE_100 = "x" * (100 * 1024)


@pytest.fixture(scope="module")
def ten(make_shared_table: MakeTable) -> Table:
    table = make_shared_table(
        "pk:S sk:N",
        gsi=[Index("by_colour", "colour:S"), Index("by_size", "colour:S rank:N")],
        lsi=[Index("by_rank", "pk:S rank:N")],
    )
    # Ranks repeat, so that the index has to fall back on the table's key to keep its place.
    table.fill({"pk": "p", "sk": n, "colour": "red", "rank": n // 4} for n in range(10))
    table.fill({"pk": f"other{n}", "sk": 1, "colour": "blue", "rank": 1} for n in range(3))
    return table


@pytest.fixture(scope="module")
def heavy(make_shared_table: MakeTable) -> Table:
    table = make_shared_table("pk:S sk:N", gsi=[Index("by_half", "half:S sk:N", "KEYS_ONLY")])
    table.fill(({"pk": "p", "sk": n, "half": "h", "v": KILOBYTE_100} for n in range(25)), batch=10)
    return table


def _ends_at_a_megabyte(counts: list[int]) -> bool:
    """Whether pages of 100 KB items are a megabyte long; the item that crosses it may be in."""
    return sum(counts) == 25 and len(counts) == 3 and set(counts[:-1]) <= {10, 11}


QUERIES: dict[str, dict[str, Any]] = {
    "the table": {"KeyConditionExpression": "pk = :v", **given(v="p")},
    "part of it": {"KeyConditionExpression": "pk = :v AND sk > :s", **given(v="p", s=3)},
    "a local index": {
        "IndexName": "by_rank", "KeyConditionExpression": "pk = :v", **given(v="p")
    },
    "a global index": {
        "IndexName": "by_colour", "KeyConditionExpression": "colour = :v", **given(v="red")
    },
    "a sorted global index": {
        "IndexName": "by_size", "KeyConditionExpression": "colour = :v", **given(v="red")
    },
    "with a filter": {
        "KeyConditionExpression": "pk = :v", "FilterExpression": "#r = :r",
        **given({"#r": "rank"}, v="p", r=1),
    },
}  # fmt: skip


@pytest.mark.parametrize("forward", [True, False], ids=["forward", "backward"])
@pytest.mark.parametrize("what", QUERIES)
def test_any_limit_gives_the_same_items_in_the_same_order(
    ten: Table, what: str, forward: bool
) -> None:
    request = QUERIES[what] | {"ScanIndexForward": forward}
    whole = everything(ten.query, **request)
    assert len(whole) == {"part of it": 6, "with a filter": 4}.get(what, 10)
    for limit in range(1, 12):
        assert everything(ten.query, **request, Limit=limit) == whole


@pytest.mark.parametrize("what", ["the table", "a local index", "a sorted global index"])
def test_backward_is_forward_reversed(ten: Table, what: str) -> None:
    forward = everything(ten.query, **QUERIES[what])
    assert everything(ten.query, **QUERIES[what], ScanIndexForward=False) == forward[::-1]


def test_a_page_never_holds_more_than_its_limit(ten: Table) -> None:
    counts = [page["Count"] for page in pages(ten.query, **QUERIES["the table"], Limit=4)]
    assert counts == [4, 4, 2]


def test_a_limit_that_is_just_reached_still_gives_a_key(ten: Table) -> None:
    page = ten.query(**QUERIES["the table"], Limit=10)
    assert page["LastEvaluatedKey"] == item(pk="p", sk=9)
    rest = ten.query(**QUERIES["the table"], ExclusiveStartKey=page["LastEvaluatedKey"])
    assert rest["Items"] == []
    assert "LastEvaluatedKey" not in rest


def test_the_limit_counts_items_before_the_filter(ten: Table) -> None:
    page = ten.query(**QUERIES["with a filter"], Limit=4)
    assert (page["Count"], page["ScannedCount"]) == (0, 4)
    assert page["LastEvaluatedKey"] == item(pk="p", sk=3)


@pytest.mark.parametrize(
    ("what", "key"),
    [
        ("the table", {"pk": "p", "sk": 1}),
        ("a local index", {"pk": "p", "sk": 1, "rank": 0}),
        ("a sorted global index", {"pk": "p", "sk": 1, "colour": "red", "rank": 0}),
    ],
)
def test_the_last_key_holds_the_keys_of_table_and_index(
    ten: Table, what: str, key: dict[str, Any]
) -> None:
    assert plain(ten.query(**QUERIES[what], Limit=2)["LastEvaluatedKey"]) == key


def test_a_query_may_start_where_no_item_is(ten: Table) -> None:
    ten.put(pk="gaps", sk=1)
    ten.put(pk="gaps", sk=5)
    page = ten.query(
        KeyConditionExpression="pk = :p", ExclusiveStartKey=item(pk="gaps", sk=3), **given(p="gaps")
    )
    assert [plain(found)["sk"] for found in page["Items"]] == [5]


@pytest.mark.parametrize(
    ("condition", "start"), [("sk > :s", 1), ("sk < :s", 8), ("sk = :s", 1), ("sk = :s", 8)]
)
def test_a_query_does_not_start_outside_its_condition(
    ten: Table, condition: str, start: int
) -> None:
    with refused(INVALID, match="starting key"):
        ten.query(
            KeyConditionExpression=f"pk = :p AND {condition}",
            ExclusiveStartKey=item(pk="p", sk=start),
            **given(p="p", s=4),
        )


NO_KEY = "The provided key element does not match the schema"
BAD_START = "The provided starting key is invalid"


@pytest.mark.parametrize(
    ("start", "of_scan", "of_query"),
    [
        ({}, f"{BAD_START}: {NO_KEY}", BAD_START),
        (item(other="a"), f"{BAD_START}: {NO_KEY}", BAD_START),
        (item(pk="a", other="b"), f"{BAD_START}: {NO_KEY}", BAD_START),
        (item(pk=1), f"{BAD_START}: {NO_KEY}", NO_KEY),
        ({"pk": {}}, f"{BAD_START}: Supplied AttributeValue is empty", "Supplied AttributeValue"),
        ({"pk": {"N": "x"}}, "^The parameter cannot be converted", "^The parameter cannot be"),
        (item(pk="b"), "", "outside query boundaries"),
    ],
    ids=lambda case: "" if isinstance(case, str) else f"{sorted(case)}",
)
def test_a_start_is_a_key_of_the_table_also_without_a_sort_key(
    shared: Table, start: Any, of_scan: str, of_query: str
) -> None:
    # Two implementations agree on each text: dynalite and dynoxide.
    query = {"KeyConditionExpression": "pk = :p", **given(p="a"), "ExclusiveStartKey": start}
    with refused(INVALID, match=of_query):
        shared.query(**query)
    if of_scan:
        with refused(INVALID, match=of_scan):
            shared.scan(ExclusiveStartKey=start)
    else:
        shared.scan(ExclusiveStartKey=start)


def test_going_on_after_the_last_item_was_deleted_loses_nothing(make_table: MakeTable) -> None:
    table = make_table("pk:S sk:N")
    table.fill({"pk": "p", "sk": n} for n in range(6))
    request = {"KeyConditionExpression": "pk = :p", **given(p="p")}
    first = table.query(**request, Limit=3)
    table.delete_item(Key=first["LastEvaluatedKey"])
    rest = everything(table.query, **request, ExclusiveStartKey=first["LastEvaluatedKey"])
    assert [found["sk"] for found in rest] == [3, 4, 5]


@pytest.mark.parametrize("limit", [1, 2, 5, 13, 14, None])
@pytest.mark.parametrize("index", [None, "by_colour", "by_rank"])
def test_a_scan_gives_every_item_once_with_any_limit(
    ten: Table, limit: int | None, index: str | None
) -> None:
    members: dict[str, Any] = {"Limit": limit} if limit else {}
    members |= {"IndexName": index} if index else {}
    found = everything(ten.scan, **members, FilterExpression="attribute_exists(colour)")
    assert sorted((each["pk"], each["sk"]) for each in found) == sorted(
        [("p", n) for n in range(10)] + [(f"other{n}", 1) for n in range(3)]
    )


@pytest.mark.parametrize("method", ["query", "scan"])
def test_a_page_ends_at_one_megabyte(heavy: Table, method: str) -> None:
    members = {"KeyConditionExpression": "pk = :p", **given(p="p")} if method == "query" else {}
    found = list(pages(getattr(heavy, method), **members))
    assert _ends_at_a_megabyte([page["Count"] for page in found])
    assert ["LastEvaluatedKey" in page for page in found] == [True, True, False]
    sks = [plain(each)["sk"] for page in found for each in page["Items"]]
    assert sks == list(range(25))


@pytest.mark.parametrize(
    "members",
    [
        {"ProjectionExpression": "sk"},
        {"Select": "COUNT"},
        {"FilterExpression": "attribute_not_exists(v)"},
    ],
    ids=["projection", "count", "filter"],
)
def test_what_is_left_out_still_counts_towards_the_megabyte(
    heavy: Table, members: dict[str, Any]
) -> None:
    request = {"KeyConditionExpression": "pk = :p", **given(p="p"), **members}
    assert _ends_at_a_megabyte([page["ScannedCount"] for page in pages(heavy.query, **request)])


def test_an_index_counts_only_what_it_holds(heavy: Table) -> None:
    request = {"IndexName": "by_half", "KeyConditionExpression": "half = :h", **given(h="h")}
    (page,) = pages(heavy.query, **request)
    assert page["Count"] == 25


def test_pages_are_found_by_the_paginator(ten: Table) -> None:
    paginator = ten.client.get_paginator("query")
    request = {"TableName": ten.name, **QUERIES["the table"]}
    found = [
        plain(each)["sk"]
        for page in paginator.paginate(**request, PaginationConfig={"PageSize": 3})
        for each in page["Items"]
    ]
    assert found == list(range(10))
