from __future__ import annotations

from typing import Any

import pytest

from .refusals import INVALID, refused
from .shapes import given, item, plain
from .tables import Index, MakeTable, Table, everything, pages


@pytest.fixture(scope="module")
def crowd(make_shared_table: MakeTable) -> Table:
    """A hundred items in sixty partitions; every third has a colour."""
    table = make_shared_table("pk:S sk:N", gsi=[Index("by_colour", "colour:S")])
    table.fill(
        {
            "pk": f"p{n % 60}",
            "sk": n,
            "even": n % 2 == 0,
            **({"colour": "red"} if n % 3 == 0 else {}),
        }
        for n in range(100)
    )
    return table


def _sorted_sks(items: list[dict[str, Any]]) -> list[int]:
    return sorted(int(found["sk"]) for found in items)


def test_a_scan_gives_every_item(crowd: Table) -> None:
    page = crowd.scan()
    assert _sorted_sks([plain(found) for found in page["Items"]]) == list(range(100))
    assert (page["Count"], page["ScannedCount"]) == (100, 100)
    assert "LastEvaluatedKey" not in page


def test_an_empty_table_has_an_empty_scan(make_table: MakeTable) -> None:
    page = make_table().scan()
    assert (page["Items"], page["Count"], page["ScannedCount"]) == ([], 0, 0)


def test_a_scan_keeps_the_order_of_range_keys_in_a_partition(crowd: Table) -> None:
    places: dict[str, list[int]] = {}
    for found in everything(crowd.scan, Limit=9):
        places.setdefault(found["pk"], []).append(int(found["sk"]))
    assert all(sks == sorted(sks) for sks in places.values())


@pytest.mark.parametrize("total", [1, 2, 3, 7, 64])
@pytest.mark.parametrize("limit", [None, 3])
def test_segments_together_give_every_item_once(
    crowd: Table, total: int, limit: int | None
) -> None:
    members = {"Limit": limit} if limit else {}
    found = [
        each
        for segment in range(total)
        for each in everything(crowd.scan, Segment=segment, TotalSegments=total, **members)
    ]
    assert _sorted_sks(found) == list(range(100))


def test_a_partition_is_never_split_between_segments(crowd: Table) -> None:
    homes: dict[str, set[int]] = {}
    for segment in range(4):
        for found in everything(crowd.scan, Segment=segment, TotalSegments=4):
            homes.setdefault(found["pk"], set()).add(segment)
    assert all(len(segments) == 1 for segments in homes.values())
    assert len(set.union(*homes.values())) > 1


@pytest.mark.parametrize("total", [1, 3])
def test_an_index_is_scanned_in_segments(crowd: Table, total: int) -> None:
    found = [
        each
        for segment in range(total)
        for each in everything(
            crowd.scan, IndexName="by_colour", Segment=segment, TotalSegments=total, Limit=5
        )
    ]
    assert _sorted_sks(found) == list(range(0, 100, 3))


def test_a_segment_does_not_start_in_another(crowd: Table) -> None:
    key = crowd.scan(Segment=0, TotalSegments=2, Limit=1)["LastEvaluatedKey"]
    with refused(INVALID):
        crowd.scan(Segment=1, TotalSegments=2, ExclusiveStartKey=key)


def test_a_filter_leaves_the_scanned_count(crowd: Table) -> None:
    page = crowd.scan(FilterExpression="even = :t AND sk < :n", **given(t=True, n=10))
    assert _sorted_sks([plain(found) for found in page["Items"]]) == [0, 2, 4, 6, 8]
    assert (page["Count"], page["ScannedCount"]) == (5, 100)


def test_a_filter_that_nothing_passes_still_pages_to_the_end(crowd: Table) -> None:
    found = list(pages(crowd.scan, FilterExpression="attribute_exists(absent)", Limit=30))
    assert [page["Items"] for page in found] == [[]] * len(found)
    assert sum(page["ScannedCount"] for page in found) == 100


def test_a_scan_may_be_counted_or_projected(crowd: Table) -> None:
    count = crowd.scan(Select="COUNT")
    assert count["Count"] == 100
    assert "Items" not in count
    projected = crowd.scan(ProjectionExpression="even, sk")
    assert {tuple(sorted(found)) for found in projected["Items"]} == {("even", "sk")}


def test_a_limit_of_one_gives_one_item_and_its_key(crowd: Table) -> None:
    page = crowd.scan(Limit=1)
    (found,) = page["Items"]
    assert page["LastEvaluatedKey"] == {name: found[name] for name in ("pk", "sk")}


def test_the_last_key_of_an_index_scan_holds_all_keys(crowd: Table) -> None:
    page = crowd.scan(IndexName="by_colour", Limit=1)
    assert set(page["LastEvaluatedKey"]) == {"pk", "sk", "colour"}


def test_a_scan_may_read_consistently(crowd: Table) -> None:
    assert crowd.scan(ConsistentRead=True, Select="COUNT")["Count"] == 100


@pytest.mark.parametrize(
    "members",
    [
        {"Segment": 0},
        {"TotalSegments": 2},
        {"Segment": 2, "TotalSegments": 2},
        {"Segment": -1, "TotalSegments": 2},
        {"Segment": 0, "TotalSegments": 0},
        {"Segment": 0, "TotalSegments": 1_000_001},
        {"Limit": 0},
        {"Select": "SPECIFIC_ATTRIBUTES"},
        {"Select": "ALL_PROJECTED_ATTRIBUTES"},
        {"FilterExpression": ""},
        {"FilterExpression": "sk >"},
        {"ProjectionExpression": ""},
        {"ExpressionAttributeNames": {"#a": "a"}},
        {"ExpressionAttributeValues": item({":a": 1})},
        {"ExclusiveStartKey": item(pk="a")},
        {"ExclusiveStartKey": item(pk="a", sk="text")},
        {"ExclusiveStartKey": {}},
    ],
    ids=str,
)
def test_a_scan_is_refused_with(crowd: Table, members: dict[str, Any]) -> None:
    with refused(INVALID):
        crowd.scan(**members)


def test_pages_are_found_by_the_paginator(crowd: Table) -> None:
    paginator = crowd.client.get_paginator("scan")
    found = [
        plain(each)
        for page in paginator.paginate(TableName=crowd.name, PaginationConfig={"PageSize": 33})
        for each in page["Items"]
    ]
    assert _sorted_sks(found) == list(range(100))
