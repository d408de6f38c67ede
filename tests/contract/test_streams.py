"""DynamoDB Streams: which writes make records, what records contain, and how they are read.

Sources: AWS's API reference and its developer guide ("Change data capture for DynamoDB Streams",
whose example has the sizes used here). Messages are those that several public issue threads show.
"""

from __future__ import annotations

from collections.abc import Callable
from datetime import UTC, datetime, timedelta
from itertools import pairwise
from typing import Any

import pytest

from .refusals import CANCELLED, INVALID, refused
from .shapes import given, item
from .stream_reader import VIEW_TYPES, StreamReader, stream_of
from .tables import MakeTable, Table, unique_name

MISSING = "ResourceNotFoundException"
BOTH = "NEW_AND_OLD_IMAGES"

Streamed = Callable[..., tuple[Table, StreamReader]]


def enabled(view_type: str = BOTH) -> dict[str, Any]:
    return {"StreamSpecification": {"StreamEnabled": True, "StreamViewType": view_type}}


DISABLED: dict[str, Any] = {"StreamSpecification": {"StreamEnabled": False}}


@pytest.fixture
def streamed(make_table: MakeTable, streams: Any) -> Streamed:
    """Make a table with a stream."""

    def make(
        view_type: str = BOTH, key: str = "pk:S", **members: Any
    ) -> tuple[Table, StreamReader]:
        table = make_table(key, **enabled(view_type), **members)
        return table, stream_of(table, streams)

    return make


def test_the_example_of_the_developer_guide(streamed: Streamed) -> None:
    table, stream = streamed(key="Id:N")
    table.put(Id=101, Message="New item!")
    table.put(Id=101, Message="This item has changed")
    table.delete_item(Key=item(Id=101))
    inserted, modified, removed = stream.records()
    assert [each["dynamodb"]["SizeBytes"] for each in (inserted, modified, removed)] == [26, 59, 38]
    assert stream.changes() == [
        ("INSERT", {"Id": 101}, None, {"Id": 101, "Message": "New item!"}),
        (
            "MODIFY",
            {"Id": 101},
            {"Id": 101, "Message": "New item!"},
            {"Id": 101, "Message": "This item has changed"},
        ),
        ("REMOVE", {"Id": 101}, {"Id": 101, "Message": "This item has changed"}, None),
    ]


def test_a_record_names_its_source_region_and_time(streamed: Streamed) -> None:
    table, stream = streamed()
    table.put(pk="a")
    (record,) = stream.records()
    assert (record["eventSource"], record["eventVersion"]) == ("aws:dynamodb", "1.1")
    assert record["awsRegion"] == stream.arn.split(":")[3]
    assert record["dynamodb"]["StreamViewType"] == BOTH
    created = record["dynamodb"]["ApproximateCreationDateTime"]
    assert created == created.replace(microsecond=0)
    assert "userIdentity" not in record


@pytest.mark.parametrize("view_type", VIEW_TYPES)
def test_the_view_type_determines_the_images(streamed: Streamed, view_type: str) -> None:
    table, stream = streamed(view_type, key="pk:S sk:N")
    key = {"pk": "a", "sk": 1}
    table.put(**key, v="old", data=b"\x00", many={b"\x01"})
    table.put(**key, v="new")
    table.delete_item(Key=item(key))
    old = {**key, "v": "old", "data": b"\x00", "many": {b"\x01"}}
    new = {**key, "v": "new"}
    olds = [None, old, new] if "OLD" in view_type else [None] * 3
    news = [old, new, None] if "NEW" in view_type else [None] * 3
    names = ("INSERT", "MODIFY", "REMOVE")
    assert stream.changes() == [
        (name, key, *images) for name, *images in zip(names, olds, news, strict=True)
    ]
    assert {each["dynamodb"]["StreamViewType"] for each in stream.records()} == {view_type}


def test_a_write_that_changes_nothing_has_no_record(streamed: Streamed) -> None:
    table, stream = streamed()
    table.put(pk="a", n=1, many={"x", "y"}, inner={"b": 1, "c": 2})
    table.put(inner={"c": 2, "b": 1}, many={"x", "y"}, n=1, pk="a")
    raw = {"SS": ["y", "x"]}
    table.put_item(Item=item(pk="a", n=1, inner={"b": 1, "c": 2}) | {"many": raw})
    table.update_item(Key=item(pk="a"), UpdateExpression="SET n = :n", **given(n=1))
    table.update_item(Key=item(pk="a"))
    table.delete_item(Key=item(pk="b"))
    batch = [{"PutRequest": {"Item": item(pk="a", n=1, inner={"b": 1, "c": 2}) | {"many": raw}}}]
    table.client.batch_write_item(RequestItems={table.name: batch})
    assert [name for name, *_ in stream.changes()] == ["INSERT"]
    table.update_item(Key=item(pk="a"), UpdateExpression="SET n = :n", **given(n=2))
    assert [name for name, *_ in stream.changes()] == ["INSERT", "MODIFY"]


def test_a_refused_write_has_no_record(streamed: Streamed) -> None:
    table, stream = streamed()
    table.put(pk="a")
    with refused("ConditionalCheckFailedException"):
        table.put_item(Item=item(pk="a", n=1), ConditionExpression="attribute_not_exists(pk)")
    table.put_item(Item=item(pk="b", n=1), ConditionExpression="attribute_not_exists(pk)")
    with refused(CANCELLED):
        table.client.transact_write_items(
            TransactItems=[
                {"Put": {"TableName": table.name, "Item": item(pk="c")}},
                {
                    "ConditionCheck": {
                        "TableName": table.name,
                        "Key": item(pk="d"),
                        "ConditionExpression": "attribute_exists(pk)",
                    }
                },
            ]
        )
    assert [keys["pk"] for _, keys, *_ in stream.changes()] == ["a", "b"]


def test_every_write_operation_makes_records(streamed: Streamed) -> None:
    table, stream = streamed()
    table.update_item(Key=item(pk="a"), UpdateExpression="SET n = :n", **given(n=1))
    puts = [{"PutRequest": {"Item": item(pk=key)}} for key in ("b", "c")]
    table.client.batch_write_item(RequestItems={table.name: puts})
    table.client.batch_write_item(
        RequestItems={
            table.name: [
                {"DeleteRequest": {"Key": item(pk="b")}},
                {"PutRequest": {"Item": item(pk="c", n=2)}},
            ]
        },
        ReturnConsumedCapacity="TOTAL",
    )
    named = {"TableName": table.name}
    table.client.transact_write_items(
        TransactItems=[
            {"Put": named | {"Item": item(pk="d")}},
            {"Delete": named | {"Key": item(pk="c")}},
            {
                "Update": named
                | {"Key": item(pk="a"), "UpdateExpression": "SET n = :n"}
                | given(n=3)
            },
        ]
    )
    table.delete_item(Key=item(pk="d"))
    changes = [(name, keys["pk"]) for name, keys, *_ in stream.changes()]
    assert changes[:3] == [("INSERT", "a"), ("INSERT", "b"), ("INSERT", "c")]
    assert sorted(changes[3:5]) == [("MODIFY", "c"), ("REMOVE", "b")]
    assert sorted(changes[5:8]) == [("INSERT", "d"), ("MODIFY", "a"), ("REMOVE", "c")]
    assert changes[8:] == [("REMOVE", "d")]


def test_sequence_numbers_are_digits_and_increase(streamed: Streamed) -> None:
    table, stream = streamed()
    table.fill({"pk": f"k{n}"} for n in range(60))
    numbers = [record["dynamodb"]["SequenceNumber"] for record in stream.records()]
    assert len(numbers) == 60
    assert all(number.isdigit() and 21 <= len(number) <= 40 for number in numbers)
    assert all(int(one) < int(next_one) for one, next_one in pairwise(numbers))
    assert len({record["eventID"] for record in stream.records()}) == 60


def test_each_iterator_type_starts_at_its_position(streamed: Streamed) -> None:
    table, stream = streamed()
    for n in range(3):
        table.put(pk=f"k{n}")
    latest = stream.iterator("LATEST")
    table.put(pk="later")

    def keys(iterator: str) -> list[str]:
        return [each["dynamodb"]["Keys"]["pk"]["S"] for each in stream.records(iterator)]

    assert keys(stream.iterator("TRIM_HORIZON")) == ["k0", "k1", "k2", "later"]
    assert keys(latest) == ["later"]
    number = stream.records()[1]["dynamodb"]["SequenceNumber"]
    assert keys(stream.iterator("AT_SEQUENCE_NUMBER", number)) == ["k1", "k2", "later"]
    assert keys(stream.iterator("AFTER_SEQUENCE_NUMBER", number)) == ["k2", "later"]
    last = stream.records()[-1]["dynamodb"]["SequenceNumber"]
    assert keys(stream.iterator("AFTER_SEQUENCE_NUMBER", last)) == []


def test_an_iterator_can_start_at_a_timestamp(streamed: Streamed) -> None:
    table, stream = streamed()
    for n in range(3):
        table.put(pk=f"k{n}")
    created = stream.records()[0]["dynamodb"]["ApproximateCreationDateTime"]
    for moment in (created, created.timestamp(), created - timedelta(days=2)):
        iterator = stream.iterator("AT_TIMESTAMP", Timestamp=moment)
        assert len(stream.records(iterator)) == 3


def test_a_missing_or_future_timestamp_is_refused(streamed: Streamed) -> None:
    _, stream = streamed()
    for members in ({}, {"Timestamp": datetime(9999, 1, 1, tzinfo=UTC)}):
        with refused(INVALID):
            stream.iterator("AT_TIMESTAMP", **members)


def test_an_iterator_of_an_empty_stream_returns_later_records(streamed: Streamed) -> None:
    table, stream = streamed()
    (page,) = stream.pages()
    assert page["Records"] == []
    table.put(pk="a")
    assert len(stream.records(page["NextShardIterator"])) == 1


def test_limit_bounds_the_records_of_a_page(streamed: Streamed) -> None:
    table, stream = streamed()
    table.fill({"pk": f"k{n}"} for n in range(7))
    counts = [len(page["Records"]) for page in stream.pages(Limit=3)]
    assert counts == [3, 3, 1, 0]


def test_a_page_has_at_most_one_megabyte(streamed: Streamed) -> None:
    table, stream = streamed()
    for n in range(5):
        table.put(pk=f"k{n}", text="x" * 300_000)
    counts = [len(page["Records"]) for page in stream.pages()]
    assert sum(counts) == 5
    assert max(counts) == 3


def test_describe_table_shows_the_stream(make_table: MakeTable, streams: Any) -> None:
    table = make_table(**enabled("KEYS_ONLY"))
    description = table.describe_table()["Table"]
    assert description["StreamSpecification"] == {
        "StreamEnabled": True,
        "StreamViewType": "KEYS_ONLY",
    }
    label = description["LatestStreamLabel"]
    assert description["LatestStreamArn"] == f"{description['TableArn']}/stream/{label}"
    stream = stream_of(table, streams).describe()
    assert stream["StreamLabel"] == label
    assert stream["StreamStatus"] in {"ENABLING", "ENABLED"}
    assert stream["StreamViewType"] == "KEYS_ONLY"
    assert stream["TableName"] == table.name
    assert stream["KeySchema"] == description["KeySchema"]
    (shard,) = stream["Shards"]
    assert "EndingSequenceNumber" not in shard["SequenceNumberRange"]
    assert 28 <= len(shard["ShardId"]) <= 65


def test_describe_table_omits_a_missing_stream(make_table: MakeTable, streams: Any) -> None:
    for table in (make_table(), make_table(**DISABLED)):
        description = table.describe_table()["Table"]
        assert not {"StreamSpecification", "LatestStreamArn", "LatestStreamLabel"} & set(
            description
        )
        assert streams.list_streams(TableName=table.name)["Streams"] == []


def test_a_stream_can_be_enabled_disabled_and_enabled_again(
    make_table: MakeTable, streams: Any
) -> None:
    table = make_table()
    table.put(pk="before")
    answer = table.update_table(**enabled("NEW_IMAGE"))["TableDescription"]
    assert answer["StreamSpecification"]["StreamViewType"] == "NEW_IMAGE"
    table.settle()
    first = stream_of(table, streams)
    table.put(pk="a")
    table.update_table(**DISABLED)
    table.settle()
    table.put(pk="between")
    description = table.describe_table()["Table"]
    assert "StreamSpecification" not in description
    assert description["LatestStreamArn"] == first.arn
    table.update_table(**enabled("OLD_IMAGE"))
    table.settle()
    second = stream_of(table, streams)
    assert second.arn != first.arn
    table.put(pk="b")
    assert [keys["pk"] for _, keys, *_ in first.changes()] == ["a"]
    assert [keys["pk"] for _, keys, *_ in second.changes()] == ["b"]
    assert second.shard != first.shard


def test_a_disabled_stream_is_closed_and_still_readable(streamed: Streamed) -> None:
    table, stream = streamed()
    table.put(pk="a")
    table.update_table(**DISABLED)
    table.settle()
    description = stream.describe()
    assert description["StreamStatus"] in {"DISABLING", "DISABLED"}
    (shard,) = description["Shards"]
    numbers = shard["SequenceNumberRange"]
    assert int(numbers["StartingSequenceNumber"]) <= int(numbers["EndingSequenceNumber"])
    (page,) = stream.pages()
    assert len(page["Records"]) == 1
    assert "NextShardIterator" not in page


def test_the_stream_of_a_deleted_table_is_still_readable(streamed: Streamed, streams: Any) -> None:
    table, stream = streamed()
    table.put(pk="a")
    description = table.delete_table()["TableDescription"]
    assert description["LatestStreamArn"] == stream.arn
    assert [name for name, *_ in stream.changes()] == ["INSERT"]
    (found,) = streams.list_streams(TableName=table.name)["Streams"]
    assert found["StreamArn"] == stream.arn


def test_a_recreated_table_has_a_new_stream(make_table: MakeTable, streams: Any) -> None:
    table = make_table(**enabled())
    before = stream_of(table, streams)
    table.delete_table()
    after = stream_of(make_table(name=table.name, **enabled()), streams)
    assert after.arn != before.arn
    table.put(pk="a")
    assert (len(before.records()), len(after.records())) == (0, 1)


def test_a_stream_continues_through_other_changes_of_its_table(streamed: Streamed) -> None:
    table, stream = streamed()
    table.put(pk="a", state="new")
    table.update_table(
        AttributeDefinitions=[{"AttributeName": "state", "AttributeType": "S"}],
        GlobalSecondaryIndexUpdates=[
            {
                "Create": {
                    "IndexName": "by_state",
                    "KeySchema": [{"AttributeName": "state", "KeyType": "HASH"}],
                    "Projection": {"ProjectionType": "ALL"},
                }
            }
        ],
    )
    table.settle()
    table.update_time_to_live(TimeToLiveSpecification={"AttributeName": "expires", "Enabled": True})
    table.put(pk="a", state="old")
    table.update_table(GlobalSecondaryIndexUpdates=[{"Delete": {"IndexName": "by_state"}}])
    table.settle()
    table.delete_item(Key=item(pk="a"))
    assert [name for name, *_ in stream.changes()] == ["INSERT", "MODIFY", "REMOVE"]


def test_enabling_or_disabling_a_stream_twice_is_refused(make_table: MakeTable) -> None:
    table = make_table()
    with refused(INVALID):
        table.update_table(**DISABLED)
    table.update_table(**enabled())
    table.settle()
    for again in (enabled(), enabled("KEYS_ONLY")):
        text = f"Table already has an enabled stream: TableName: {table.name}"
        with refused(INVALID, match=text):
            table.update_table(**again)
    table.update_table(**DISABLED)
    table.settle()
    with refused(INVALID):
        table.update_table(**DISABLED)


@pytest.mark.parametrize(
    "specification",
    [
        {},
        {"StreamEnabled": True},
        {"StreamViewType": BOTH},
        {"StreamEnabled": True, "StreamViewType": "IMAGES"},
        {"StreamEnabled": True, "StreamViewType": ""},
    ],
    ids=repr,
)
def test_an_incomplete_stream_specification_is_refused(
    make_table: MakeTable, specification: dict[str, Any]
) -> None:
    with refused(INVALID):
        make_table(StreamSpecification=specification)
    table = make_table()
    with refused(INVALID):
        table.update_table(StreamSpecification=specification)
    assert "LatestStreamArn" not in table.describe_table()["Table"]


def test_a_view_type_for_a_disabled_stream_is_refused(make_table: MakeTable) -> None:
    both = {"StreamEnabled": False, "StreamViewType": BOTH}
    text = (
        "One or more parameter values were invalid: Table is being created with a stream disabled,"
        " UpdateViewType should not be specified"
    )
    with refused(INVALID, match=text):
        make_table(StreamSpecification=both)
    table = make_table(**enabled())
    with refused(INVALID):
        table.update_table(StreamSpecification=both)
    assert "StreamSpecification" in table.describe_table()["Table"]


def test_changing_capacity_and_stream_in_one_call_is_refused(make_table: MakeTable) -> None:
    units = {"ReadCapacityUnits": 5, "WriteCapacityUnits": 5}
    table = make_table(
        BillingMode="PROVISIONED",
        ProvisionedThroughput=units,
        **enabled(),
    )
    with refused(INVALID, match="You cannot modify stream status while updating table IOPS"):
        table.update_table(ProvisionedThroughput={**units, "ReadCapacityUnits": 6}, **DISABLED)


def test_streams_are_listed_in_pages(make_table: MakeTable, streams: Any) -> None:
    tables = [make_table(**enabled()) for _ in range(3)]
    arns = {stream_of(table, streams).arn for table in tables}
    found: list[str] = []
    request: dict[str, Any] = {"Limit": 1}
    while True:
        page = streams.list_streams(**request)
        assert len(page["Streams"]) <= 1
        found += [each["StreamArn"] for each in page["Streams"]]
        if "LastEvaluatedStreamArn" not in page:
            break
        request["ExclusiveStartStreamArn"] = page["LastEvaluatedStreamArn"]
    assert arns <= set(found)
    assert len(set(found)) == len(found)
    (own,) = streams.list_streams(TableName=tables[0].name)["Streams"]
    assert (own["TableName"], own["StreamLabel"]) == (
        tables[0].name,
        own["StreamArn"].rpartition("/")[2],
    )
    assert streams.list_streams(TableName=unique_name())["Streams"] == []


def test_no_shards_follow_the_only_one(streamed: Streamed, streams: Any) -> None:
    _, stream = streamed()
    answer = streams.describe_stream(
        StreamArn=stream.arn, Limit=1, ExclusiveStartShardId=stream.shard
    )
    assert answer["StreamDescription"]["Shards"] == []
    assert "LastEvaluatedShardId" not in answer["StreamDescription"]


def test_a_missing_stream_or_shard_is_not_found(streamed: Streamed, streams: Any) -> None:
    _, stream = streamed()
    other = stream.arn.rpartition("/")[0] + "/2020-01-01T00:00:00.000"
    with refused(MISSING, match=f"Requested resource not found: Stream: {other} not found"):
        streams.describe_stream(StreamArn=other)
    with refused(MISSING):
        streams.get_shard_iterator(
            StreamArn=other, ShardId=stream.shard, ShardIteratorType="LATEST"
        )
    with refused(MISSING, match="Requested resource not found: Shard does not exist"):
        streams.get_shard_iterator(
            StreamArn=stream.arn,
            ShardId="shardId-00000000000000000000-00000000",
            ShardIteratorType="LATEST",
        )


@pytest.mark.parametrize(
    ("method", "request_"),
    [
        ("describe_stream", {}),
        ("describe_stream", {"StreamArn": "fake-stream"}),
        ("describe_stream", {"StreamArn": "fake-stream", "ShardFilter": {"Type": "PARENTS"}}),
        ("get_shard_iterator", {}),
        ("get_shard_iterator", {"ShardId": "shardId-00000000000000000000-00000000"}),
        ("get_records", {}),
        ("get_records", {"ShardIterator": ""}),
        ("get_records", {"ShardIterator": "x"}),
        ("get_records", {"ShardIterator": "a|1|b"}),
        ("list_streams", {"Limit": 0}),
        ("list_streams", {"Limit": 101}),
        ("list_streams", {"ExclusiveStartStreamArn": "fake-stream"}),
    ],
    ids=repr,
)
def test_a_bad_request_is_refused(streams: Any, method: str, request_: dict[str, Any]) -> None:
    with refused(INVALID):
        getattr(streams, method)(**request_)


def test_an_invalid_position_or_limit_is_refused(streamed: Streamed, streams: Any) -> None:
    table, stream = streamed()
    table.put(pk="a")
    for kind, number in (
        ("SOMEWHERE", None),
        ("AT_SEQUENCE_NUMBER", None),
        ("AFTER_SEQUENCE_NUMBER", "1"),
        ("AFTER_SEQUENCE_NUMBER", "x" * 21),
    ):
        with refused(INVALID):
            stream.iterator(kind, number)
    for limit in (0, 1001):
        with refused(INVALID):
            streams.get_records(ShardIterator=stream.iterator(), Limit=limit)
