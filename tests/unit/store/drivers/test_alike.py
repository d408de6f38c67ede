"""Every driver gives the same answers and the same faults."""

from __future__ import annotations

import copy
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from gotgan.store.drivers import Driver
from gotgan.store.engine.faults import (
    ConditionalCheckFailedException,
    DynamoDBError,
    ResourceNotFoundException,
    SerializationException,
    TransactionCanceledException,
    UnknownOperationException,
    ValidationException,
)

VALUES: dict[str, dict[str, Any]] = {
    "text": {"S": "곳간 \U0001f3da \u2028 \"B\" 'BS'"},
    "empty text": {"S": ""},
    "number": {"N": "-12.5"},
    "large number": {"N": "99999999999999999999999999999999999999"},
    "bytes": {"B": b"\x00\xff\xfe"},
    "empty bytes": {"B": b""},
    "true": {"BOOL": True},
    "false": {"BOOL": False},
    "null": {"NULL": True},
    "texts": {"SS": ["a", "B"]},
    "numbers": {"NS": ["1", "2.5"]},
    "sets of bytes": {"BS": [b"\x00", b"\xff"]},
    "empty list": {"L": []},
    "empty map": {"M": {}},
    "list": {"L": [{"S": "x"}, {"B": b"\x01"}, {"L": [{"BS": [b"\x02"]}]}]},
    "map": {"M": {"B": {"B": b"\x03"}, "BS": {"M": {"B": {"S": "B"}}}, "S": {"N": "1"}}},
}
SCALARS = st.one_of(
    st.builds(lambda text: {"S": text}, st.text(st.characters(codec="utf-8"), max_size=8)),
    st.builds(lambda number: {"N": str(number)}, st.integers(-999, 999)),
    st.builds(lambda data: {"B": data}, st.binary(max_size=8)),
    st.builds(lambda flag: {"BOOL": flag}, st.booleans()),
    st.just({"NULL": True}),
    st.builds(lambda data: {"BS": sorted(data)}, st.sets(st.binary(max_size=4), min_size=1)),
)
ANY_VALUE = st.recursive(
    SCALARS,
    lambda inner: st.one_of(
        st.builds(lambda members: {"L": members}, st.lists(inner, max_size=3)),
        st.builds(
            lambda members: {"M": members},
            st.dictionaries(st.sampled_from(["a", "B", "BS", "S", "곳"]), inner, max_size=3),
        ),
    ),
    max_leaves=8,
)


def item(sort: str, **more: dict[str, Any]) -> dict[str, Any]:
    return {"pk": {"S": "p"}, "sk": {"S": sort}, **more}


def everything(sort: str = "all") -> dict[str, Any]:
    return item(sort, **VALUES)


def asked(drivers: dict[str, Driver], operation: str, request: dict[str, Any]) -> dict[str, Any]:
    """The answer, after all drivers have given the same and left the request as it was."""
    before = copy.deepcopy(request)
    answers = {name: driver.call(operation, request) for name, driver in drivers.items()}
    assert request == before
    assert answers["shortened"] == answers["by botocore"] == answers["embedded"]
    return answers["embedded"]


def refused(drivers: dict[str, Driver], operation: str, request: dict[str, Any]) -> DynamoDBError:
    """The fault, after all drivers have raised the same."""
    faults: list[DynamoDBError] = []
    for driver in drivers.values():
        with pytest.raises(DynamoDBError) as caught:
            driver.call(operation, request)
        faults.append(caught.value)
    assert len({type(fault) for fault in faults}) == 1
    assert len({str(fault) for fault in faults}) == 1
    assert [fault.members for fault in faults] == [faults[0].members] * len(faults)
    assert not any(fault.maybe_done for fault in faults)
    return faults[0]


@pytest.mark.parametrize("value", VALUES.values(), ids=VALUES)
@pytest.mark.parametrize("writer", ["embedded", "shortened", "by botocore"])
def test_a_value_of_every_type_comes_back_as_it_was_put(
    drivers: dict[str, Driver], table: str, writer: str, value: dict[str, Any]
) -> None:
    put = item("x", value=value)
    drivers[writer].call("PutItem", {"TableName": table, "Item": put})
    key = {"pk": {"S": "p"}, "sk": {"S": "x"}}
    assert asked(drivers, "GetItem", {"TableName": table, "Key": key})["Item"] == put


@settings(suppress_health_check=[HealthCheck.function_scoped_fixture], max_examples=50)
@given(value=ANY_VALUE)
def test_any_value_is_read_alike(
    drivers: dict[str, Driver], table: str, value: dict[str, Any]
) -> None:
    drivers["shortened"].call("PutItem", {"TableName": table, "Item": item("x", value=value)})
    key = {"pk": {"S": "p"}, "sk": {"S": "x"}}
    answer = asked(drivers, "GetItem", {"TableName": table, "Key": key})
    assert answer["Item"]["value"] == value


def test_a_missing_item_is_no_member_of_the_answer(drivers: dict[str, Driver], table: str) -> None:
    key = {"pk": {"S": "p"}, "sk": {"S": "nowhere"}}
    assert asked(drivers, "GetItem", {"TableName": table, "Key": key}) == {}


@pytest.mark.parametrize("operation", ["Query", "Scan"])
def test_a_page_is_read_alike_with_its_capacity(
    drivers: dict[str, Driver], table: str, operation: str
) -> None:
    for sort in ("a", "b", "c"):
        drivers["embedded"].call("PutItem", {"TableName": table, "Item": everything(sort)})
    request: dict[str, Any] = {
        "TableName": table,
        "Limit": 2,
        "ReturnConsumedCapacity": "INDEXES",
    }
    if operation == "Query":
        request |= {
            "KeyConditionExpression": "pk = :p",
            "ExpressionAttributeValues": {":p": {"S": "p"}},
        }
    answer = asked(drivers, operation, request)
    assert answer["Items"] == [everything("a"), everything("b")]
    assert answer["LastEvaluatedKey"] == {"pk": {"S": "p"}, "sk": {"S": "b"}}
    assert answer["ConsumedCapacity"]["TableName"] == table


@pytest.mark.parametrize(
    ("operation", "more"),
    [
        ("PutItem", {"Item": everything()}),
        (
            "UpdateItem",
            {
                "Key": item("all"),
                "UpdateExpression": "SET extra = :b",
                "ExpressionAttributeValues": {":b": {"B": b"\x09"}},
            },
        ),
    ],
)
def test_the_old_item_is_read_alike(
    drivers: dict[str, Driver], table: str, operation: str, more: dict[str, Any]
) -> None:
    once = {"TableName": table, **more}
    drivers["embedded"].call("PutItem", {"TableName": table, "Item": everything()})
    drivers["embedded"].call(operation, once)
    answer = asked(drivers, operation, {**once, "ReturnValues": "ALL_OLD"})
    assert answer["Attributes"].items() >= everything().items()


@pytest.mark.parametrize("driver", ["embedded", "shortened", "by botocore"])
def test_a_deleted_item_is_read_alike(drivers: dict[str, Driver], table: str, driver: str) -> None:
    drivers["embedded"].call("PutItem", {"TableName": table, "Item": everything()})
    request = {"TableName": table, "Key": item("all"), "ReturnValues": "ALL_OLD"}
    assert drivers[driver].call("DeleteItem", request) == {"Attributes": everything()}


@pytest.mark.parametrize("writer", ["embedded", "shortened", "by botocore"])
def test_batches_and_transactions_are_written_and_read_alike(
    drivers: dict[str, Driver], table: str, writer: str
) -> None:
    puts = [{"PutRequest": {"Item": everything(sort)}} for sort in ("a", "b")]
    answer = drivers[writer].call("BatchWriteItem", {"RequestItems": {table: puts}})
    assert answer == {"UnprocessedItems": {}}
    put = {"Put": {"TableName": table, "Item": everything("c")}}
    assert drivers[writer].call("TransactWriteItems", {"TransactItems": [put]}) == {}
    keys = [item(sort) for sort in ("a", "b", "c")]
    wanted = [everything(sort) for sort in ("a", "b", "c")]
    batch = asked(drivers, "BatchGetItem", {"RequestItems": {table: {"Keys": keys}}})
    assert sorted(batch["Responses"][table], key=lambda found: found["sk"]["S"]) == wanted
    gets = [{"Get": {"TableName": table, "Key": key}} for key in keys]
    transaction = asked(drivers, "TransactGetItems", {"TransactItems": gets})
    assert transaction["Responses"] == [{"Item": found} for found in wanted]


def test_a_description_has_its_moments_as_moments(drivers: dict[str, Driver], table: str) -> None:
    answers = [driver.call("DescribeTable", {"TableName": table}) for driver in drivers.values()]
    moments = [answer["Table"]["CreationDateTime"] for answer in answers]
    assert moments == [moments[0]] * 3
    assert moments[0].tzinfo is not None


def test_a_failed_condition_carries_the_item(drivers: dict[str, Driver], table: str) -> None:
    drivers["embedded"].call("PutItem", {"TableName": table, "Item": everything()})
    request = {
        "TableName": table,
        "Item": everything(),
        "ConditionExpression": "attribute_not_exists(pk)",
        "ReturnValuesOnConditionCheckFailure": "ALL_OLD",
    }
    fault = refused(drivers, "PutItem", request)
    assert isinstance(fault, ConditionalCheckFailedException)
    assert fault.members == {"Item": everything()}


def test_a_cancelled_transaction_carries_its_reasons_with_items(
    drivers: dict[str, Driver], table: str
) -> None:
    drivers["embedded"].call("PutItem", {"TableName": table, "Item": everything()})
    put = {
        "TableName": table,
        "ConditionExpression": "attribute_not_exists(pk)",
        "ReturnValuesOnConditionCheckFailure": "ALL_OLD",
    }
    actions = [{"Put": {**put, "Item": everything(sort)}} for sort in ("new", "all")]
    fault = refused(drivers, "TransactWriteItems", {"TransactItems": actions})
    assert isinstance(fault, TransactionCanceledException)
    reasons = fault.members["CancellationReasons"]
    assert [reason["Code"] for reason in reasons] == ["None", "ConditionalCheckFailed"]
    assert reasons[1]["Item"] == everything()


@pytest.mark.parametrize(
    ("operation", "request_", "kind"),
    [
        ("GetItem", {"TableName": "nowhere", "Key": item("x")}, ResourceNotFoundException),
        ("GetItem", {"TableName": "no table"}, ValidationException),
        ("Query", {"TableName": "nowhere", "Limit": 0}, ValidationException),
        ("GetNothing", {}, UnknownOperationException),
    ],
)
def test_a_refusal_is_of_the_class_of_its_code(
    drivers: dict[str, Driver], operation: str, request_: dict[str, Any], kind: type[DynamoDBError]
) -> None:
    fault = refused(drivers, operation, request_)
    assert type(fault) is kind


@pytest.mark.parametrize("value", [{"S": "\ud800"}, {"B": object()}, {"N": 1 << 70}])
def test_what_json_cannot_say_is_refused_before_it_is_sent(
    drivers: dict[str, Driver], table: str, value: dict[str, Any]
) -> None:
    with pytest.raises(SerializationException):
        drivers["shortened"].call("PutItem", {"TableName": table, "Item": item("x", value=value)})


@pytest.mark.parametrize("name", ["embedded", "shortened", "by botocore"])
def test_streams_are_read_through_every_driver(
    drivers: dict[str, Driver], table: str, name: str
) -> None:
    driver = drivers[name]
    view = {"StreamEnabled": True, "StreamViewType": "NEW_IMAGE"}
    described = driver.call("UpdateTable", {"TableName": table, "StreamSpecification": view})
    arn = described["TableDescription"]["LatestStreamArn"]
    item = {"pk": {"S": "a"}, "sk": {"S": "b"}, **VALUES}
    driver.call("PutItem", {"TableName": table, "Item": item})
    [shard] = driver.call("DescribeStream", {"StreamArn": arn})["StreamDescription"]["Shards"]
    place = {"StreamArn": arn, "ShardId": shard["ShardId"], "ShardIteratorType": "TRIM_HORIZON"}
    page = driver.call("GetRecords", driver.call("GetShardIterator", place))
    [record] = page["Records"]
    assert record["dynamodb"]["NewImage"] == item
    with pytest.raises(ValidationException):
        driver.call("GetRecords", {"ShardIterator": "x"})
