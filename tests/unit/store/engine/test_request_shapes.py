"""Requests as JSON has them become requests as the engine takes them, or are refused."""

from __future__ import annotations

import base64
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from gotgan.errors import UsageError
from gotgan.store.engine.engine import OPERATIONS
from gotgan.store.engine.faults import SerializationException, UnknownOperationException
from gotgan.store.engine.members import attribute_value, blob
from gotgan.store.engine.request_checks import check_request, read_request
from gotgan.store.engine.shapes import SHAPES


def read_value(value: Any) -> Any:
    return read_request("PutItem", {"Item": {"a": value}})["Item"]["a"]


def test_every_operation_of_the_engine_has_a_shape() -> None:
    assert SHAPES.keys() == OPERATIONS.keys()


@pytest.mark.parametrize(
    ("operation", "request_", "sentence"),
    [
        ("PutItem", {"Itm": {}}, "PutItem has no parameter Itm"),
        ("PutItem", {"Item": []}, "PutItem.Item must be a map, not list"),
        ("GetItem", {"TableName": 5}, "GetItem.TableName must be a string, not int"),
        ("Query", {"Limit": "5"}, "Query.Limit must be a whole number, not str"),
        ("Scan", {"ConsistentRead": 1}, "Scan.ConsistentRead must be True or False, not int"),
        (
            "TransactWriteItems",
            {"TransactItems": [{"Put": {"Item": {}}}, {"Put": "x"}]},
            r"TransactWriteItems.TransactItems\[1\].Put must be a map, not str",
        ),
        (
            "BatchWriteItem",
            {"RequestItems": {"goods": {}}},
            "BatchWriteItem.RequestItems.goods must be a list, not dict",
        ),
    ],
)
def test_a_slip_in_python_is_told_with_its_place(
    operation: str, request_: dict[str, Any], sentence: str
) -> None:
    with pytest.raises(UsageError, match=sentence):
        check_request(operation, request_)


def test_older_notations_reach_the_engine_for_it_to_refuse() -> None:
    request = {"TableName": "t", "Item": {}, "Expected": {"a": {"Exists": False}}}
    assert read_request("PutItem", dict(request)) == request


def test_an_operation_without_a_shape_is_unknown() -> None:
    with pytest.raises(UnknownOperationException, match="Paint"):
        read_request("Paint", {})


@given(st.binary(max_size=200))
def test_base64_becomes_the_bytes_that_it_stands_for(data: bytes) -> None:
    assert blob.read(base64.b64encode(data).decode()) == data


@given(st.binary(min_size=1), st.binary(min_size=1))
def test_bytes_are_found_at_any_depth(one: bytes, other: bytes) -> None:
    first, second = base64.b64encode(one).decode(), base64.b64encode(other).decode()
    value = {"M": {"B": {"L": [{"B": first}, {"BS": [second]}, {"S": first}]}}}
    read = attribute_value.read(value)
    assert read == {"M": {"B": {"L": [{"B": one}, {"BS": [other]}, {"S": first}]}}}


@pytest.mark.parametrize("encoded", ["!!!!", "YQ", "YQ=", "YR==", "YQ==\n", "YQ-_"])
def test_text_that_is_not_the_base64_of_anything_is_refused(encoded: str) -> None:
    with pytest.raises(SerializationException):
        blob.read(encoded)


@pytest.mark.parametrize(
    ("value", "words"),
    [
        ("x", "Unexpected value type in payload"),
        (["x"], "Unrecognized collection type"),
        ({"S": 1}, "NUMBER_VALUE cannot be converted to String"),
        ({"S": 1.5}, "DECIMAL_VALUE cannot be converted to String"),
        ({"N": True}, "TRUE_VALUE cannot be converted to String"),
        ({"N": {}}, "Start of structure or map found where not expected"),
        ({"S": []}, "Unrecognized collection type class java.lang.String"),
        ({"B": 1}, "only base-64-encoded strings are convertible to bytes"),
        ({"BS": "YQ=="}, "Unexpected field type"),
        ({"SS": ["a", False]}, "FALSE_VALUE cannot be converted to String"),
        ({"SS": ["a", None]}, "NULL_VALUE cannot be converted to String"),
        ({"L": {}}, "Start of structure or map found where not expected"),
        ({"M": []}, "Unrecognized collection type"),
        ({"M": "x"}, "Unexpected field type"),
        ({"BOOL": "perhaps"}, "Unexpected token received from parser"),
        ({"NULL": 1}, "NUMBER_VALUE cannot be converted to Boolean"),
        ({"L": [{"M": {"deep": {"S": 1}}}]}, "NUMBER_VALUE cannot be converted to String"),
    ],
)
def test_a_value_of_another_json_type_is_refused_in_the_words_of_aws(
    value: Any,
    words: str,
) -> None:
    with pytest.raises(SerializationException) as refusal:
        read_value(value)
    assert refusal.value.message == words


@pytest.mark.parametrize(
    ("operation", "request_"),
    [
        ("ListTables", {"Limit": "1"}),
        ("ListTables", {"Limit": True}),
        ("Scan", {"TableName": 1}),
        ("GetShardIterator", {"Timestamp": "2025-06-01"}),
        ("Query", {"ScanIndexForward": 0}),
        ("CreateTable", {"KeySchema": {"AttributeName": "pk"}}),
        ("CreateTable", {"KeySchema": ["pk"]}),
        ("CreateTable", {"GlobalSecondaryIndexes": [{"IndexName": 1}]}),
        ("UpdateTable", {"GlobalSecondaryIndexUpdates": [{"Create": {"KeySchema": 1}}]}),
        ("UpdateTimeToLive", {"TimeToLiveSpecification": {"Enabled": 2}}),
        ("BatchGetItem", {"RequestItems": {"t": {"Keys": {}}}}),
        ("BatchWriteItem", {"RequestItems": {"t": [{"PutRequest": {"Item": 1}}]}}),
        ("TransactWriteItems", {"TransactItems": [{"Put": {"Item": {"a": 1}}}]}),
        ("TransactGetItems", {"TransactItems": {}}),
        ("PutItem", {"ExpressionAttributeNames": {"#a": 1}}),
    ],
)
def test_a_member_of_another_json_type_is_refused(operation: str, request_: Any) -> None:
    with pytest.raises(SerializationException):
        read_request(operation, request_)


@pytest.mark.parametrize(
    ("word", "meaning"), [("true", True), ("YES", True), ("1", True), ("no", False), ("0", False)]
)
def test_a_few_words_stand_for_true_and_false(word: str, meaning: bool) -> None:
    assert read_request("GetItem", {"ConsistentRead": word}) == {"ConsistentRead": meaning}


def test_a_fraction_is_cut_off_where_a_whole_number_is_wanted() -> None:
    assert read_request("ListTables", {"Limit": 1.9}) == {"Limit": 1}
