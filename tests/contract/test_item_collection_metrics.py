from __future__ import annotations

from typing import Any

import pytest

from .refusals import INVALID, refused
from .shapes import given, item
from .tables import Index, MakeTable, Table, unique_name

SIZE = {"ReturnItemCollectionMetrics": "SIZE"}


@pytest.fixture(scope="module")
def collected(make_shared_table: MakeTable) -> Table:
    return make_shared_table("pk:S sk:N", lsi=[Index("by_at", "pk:S at:N")])


def _check(metrics: dict[str, Any], key: str) -> None:
    assert metrics["ItemCollectionKey"] == item(pk=key)
    low, high = metrics["SizeEstimateRangeGB"]
    assert 0 <= low <= high <= 1


def test_every_write_tells_the_size_of_its_collection(collected: Table) -> None:
    key = unique_name()
    put = collected.put_item(Item=item(pk=key, sk=1, at=1), **SIZE)
    update = collected.update_item(
        Key=item(pk=key, sk=1), UpdateExpression="SET v = :v", **given(v=1), **SIZE
    )
    delete = collected.delete_item(Key=item(pk=key, sk=1), **SIZE)
    for answer in (put, update, delete):
        _check(answer["ItemCollectionMetrics"], key)


def test_a_batch_tells_each_collection_once(collected: Table) -> None:
    one, two = unique_name(), unique_name()
    puts = [
        {"PutRequest": {"Item": item(pk=key, sk=n)}} for key, n in ((one, 1), (one, 2), (two, 1))
    ]
    answer = collected.client.batch_write_item(RequestItems={collected.name: puts}, **SIZE)
    told = answer["ItemCollectionMetrics"][collected.name]
    keys = {metrics["ItemCollectionKey"]["pk"]["S"] for metrics in told}
    assert keys == {one, two}


def test_a_transaction_tells_its_collections(collected: Table) -> None:
    key = unique_name()
    put = {"Put": {"TableName": collected.name, "Item": item(pk=key, sk=1)}}
    answer = collected.client.transact_write_items(TransactItems=[put], **SIZE)
    (metrics,) = answer["ItemCollectionMetrics"][collected.name]
    _check(metrics, key)


def test_a_table_without_local_indexes_has_no_collections(shared: Table) -> None:
    answer = shared.put_item(Item=item(pk=unique_name()), **SIZE)
    assert "ItemCollectionMetrics" not in answer


def test_sizes_are_only_told_where_asked(collected: Table) -> None:
    for members in ({}, {"ReturnItemCollectionMetrics": "NONE"}):
        answer = collected.put_item(Item=item(pk=unique_name(), sk=1), **members)
        assert "ItemCollectionMetrics" not in answer
    with refused(INVALID):
        collected.put_item(Item=item(pk="a", sk=1), ReturnItemCollectionMetrics="SOME")
