"""Broken constraints of a request's members: all of them, counted, before anything else is judged.

The texts are those that dynalite, which was written against DynamoDB, and dynoxide both have.
"""

from __future__ import annotations

from typing import Any

import pytest

from .refusals import INVALID, refused
from .shapes import item
from .tables import Table, table_request, unique_name

KEY = item(pk="p")
CAPACITY = "'returnConsumedCapacity' failed to satisfy constraint: Member must satisfy enum value set: [INDEXES, TOTAL, NONE]"  # noqa: E501
VALUES = "'returnValues' failed to satisfy constraint: Member must satisfy enum value set: [ALL_NEW, UPDATED_OLD, ALL_OLD, NONE, UPDATED_NEW]"  # noqa: E501
METRICS = "'returnItemCollectionMetrics' failed to satisfy constraint: Member must satisfy enum value set: [SIZE, NONE]"  # noqa: E501
MISSING = "failed to satisfy constraint: Member must not be null"
AT_LEAST = "failed to satisfy constraint: Member must have value greater than or equal to"
WORDS = "failed to satisfy constraint: Member must satisfy enum value set:"
TOO_SHORT = "failed to satisfy constraint: Member must have length greater than or equal to"
PATTERN = (
    "failed to satisfy constraint: Member must satisfy regular expression pattern: [a-zA-Z0-9_.-]+"
)


def _broken(call: Any, **request: Any) -> list[str]:
    """The broken constraints that a refusal names; their count must be right."""
    with refused(INVALID) as refusal:
        call(**request)
    message: str = refusal.response["Error"]["Message"]
    count, _, listed = message.partition(" detected: ")
    broken = listed.split("; ")
    assert count == f"{len(broken)} validation error{'s' if len(broken) > 1 else ''}"
    return broken


def test_several_wrong_words_are_reported_together(shared: Table) -> None:
    wrong = {"ReturnConsumedCapacity": "x", "ReturnValues": "y", "ReturnItemCollectionMetrics": "z"}
    expected = {f"Value 'x' at {CAPACITY}", f"Value 'y' at {VALUES}", f"Value 'z' at {METRICS}"}
    assert set(_broken(shared.put_item, Item=KEY, **wrong)) == expected
    for method in (shared.delete_item, shared.update_item):
        assert set(_broken(method, Key=KEY, **wrong)) == expected


def test_a_missing_key_is_reported_with_wrong_words(shared: Table) -> None:
    assert set(_broken(shared.delete_item, ReturnConsumedCapacity="x")) == {
        f"Value 'x' at {CAPACITY}",
        f"Value null at 'key' {MISSING}",
    }


def test_all_missing_members_are_reported(client: Any) -> None:
    assert _broken(client.get_item) == [
        f"Value null at 'tableName' {MISSING}",
        f"Value null at 'key' {MISSING}",
    ]


def test_an_empty_name_is_reported_with_a_wrong_word(client: Any) -> None:
    request = {"TableName": "", "Key": KEY, "ReturnConsumedCapacity": "x"}
    assert set(_broken(client.get_item, **request)) == {
        f"Value '' at 'tableName' {TOO_SHORT} 1",
        f"Value 'x' at {CAPACITY}",
    }


def test_constraints_come_before_the_table_and_the_expressions(client: Any) -> None:
    request = {
        "TableName": "there-is-none",
        "Key": KEY,
        "ProjectionExpression": "(",
        "ReturnConsumedCapacity": "x",
    }
    assert _broken(client.get_item, **request) == [f"Value 'x' at {CAPACITY}"]


def test_a_limit_is_at_least_1(shared: Table) -> None:
    assert _broken(shared.scan, Limit=0) == [f"Value '0' at 'limit' {AT_LEAST} 1"]
    # So dynoxide and ministack have it; a query shows the member as requests have it.
    assert _broken(shared.query, Limit=0) == [f"Value at 'Limit' {AT_LEAST} 1"]


def test_a_scan_reports_everything_that_is_wrong(shared: Table) -> None:
    request = {"Limit": 0, "Select": "x", "IndexName": "a;", "Segment": -1, "TotalSegments": 0}
    assert len(_broken(shared.scan, **request)) == 6  # the name of the index breaks two


def test_conditions_name_a_comparison_operator(shared: Table) -> None:
    operators = (
        f"{WORDS} [IN, NULL, BETWEEN, LT, NOT_CONTAINS, EQ, GT,"
        " NOT_NULL, NE, LE, BEGINS_WITH, GE, CONTAINS]"
    )
    condition = {"ComparisonOperator": "x"}
    assert _broken(shared.scan, ScanFilter={"a": condition, "b": {}}) == [
        f"Value 'x' at 'scanFilter.a.member.comparisonOperator' {operators}",
        f"Value null at 'scanFilter.b.member.comparisonOperator' {MISSING}",
    ]
    [broken] = _broken(shared.delete_item, Key=KEY, Expected={"a": condition})
    assert broken.endswith(operators)


def test_attributes_to_get_are_at_least_one(shared: Table) -> None:
    assert _broken(shared.get_item, Key=KEY, AttributesToGet=[]) == [
        f"Value '[]' at 'attributesToGet' {TOO_SHORT} 1"
    ]


def test_a_batch_reads_between_1_and_100_keys(shared: Table) -> None:
    def read(keys: list[Any], **more: Any) -> list[str]:
        request = {"RequestItems": {shared.name: {"Keys": keys}}}
        return _broken(shared.client.batch_get_item, **request, **more)

    # So dynoxide and ministack have it: the members as requests have them, and no value.
    where = f"Value at 'RequestItems.{shared.name}.member.Keys' failed to satisfy constraint:"
    assert read([]) == [f"{where} Member must have length greater than or equal to 1"]
    many = read([item(pk=str(n)) for n in range(101)], ReturnConsumedCapacity="x")
    assert f"Value 'x' at {CAPACITY}" in many
    assert f"{where} Member must have length less than or equal to 100" in many
    assert len(many) == 2


def test_a_batch_writes_between_1_and_25_items(shared: Table) -> None:
    rule = (
        "at 'requestItems' failed to satisfy constraint: Map value must satisfy constraint:"
        " [Member must have length less than or equal to 25, Member must have length greater than"
        " or equal to 1]"
    )
    for count in (0, 26):
        puts = [{"PutRequest": {"Item": item(pk=str(n))}} for n in range(count)]
        [broken] = _broken(shared.client.batch_write_item, RequestItems={shared.name: puts})
        assert broken.endswith(rule)


def test_a_batch_is_of_one_table_at_least(client: Any) -> None:
    nothing: dict[str, Any] = {"RequestItems": {}}
    assert _broken(client.batch_get_item, **nothing) == [f"Value at 'RequestItems' {TOO_SHORT} 1"]
    assert _broken(client.batch_write_item, **nothing) == [
        f"Value '{{}}' at 'requestItems' {TOO_SHORT} 1"
    ]


def test_the_members_of_an_action_are_reported_with_their_place(client: Any) -> None:
    request = {"TransactItems": [{"Update": {"TableName": "goods"}}]}
    assert _broken(client.transact_write_items, **request) == [
        f"Value null at 'transactItems.1.member.update.key' {MISSING}",
        f"Value null at 'transactItems.1.member.update.updateExpression' {MISSING}",
    ]


def test_no_more_than_ten_are_reported(client: Any) -> None:
    request: dict[str, Any] = {"TransactItems": [{"Get": {}}] * 6}
    assert len(_broken(client.transact_get_items, **request)) == 10


def test_a_new_table_is_told_all_that_its_request_breaks(client: Any) -> None:
    request = {
        "TableName": unique_name(),
        "AttributeDefinitions": [{"AttributeName": "pk", "AttributeType": "x"}],
        "KeySchema": [],
        "BillingMode": "y",
        "ProvisionedThroughput": {"ReadCapacityUnits": 0, "WriteCapacityUnits": 0},
    }
    units = "provisionedThroughput"
    assert set(_broken(client.create_table, **request)) == {
        f"Value 'x' at 'attributeDefinitions.1.member.attributeType' {WORDS} [B, N, S]",
        f"Value 'y' at 'billingMode' {WORDS} [PROVISIONED, PAY_PER_REQUEST]",
        f"Value '0' at '{units}.readCapacityUnits' {AT_LEAST} 1",
        f"Value '0' at '{units}.writeCapacityUnits' {AT_LEAST} 1",
        f"Value '[]' at 'keySchema' {TOO_SHORT} 1",
    }


def test_a_new_index_is_told_so_too(client: Any) -> None:
    request = table_request() | {"GlobalSecondaryIndexes": [{"IndexName": "a;"}]}
    index = "globalSecondaryIndexes.1.member"
    assert set(_broken(client.create_table, TableName=unique_name(), **request)) == {
        f"Value 'a;' at '{index}.indexName' {PATTERN}",
        f"Value 'a;' at '{index}.indexName' {TOO_SHORT} 3",
        f"Value null at '{index}.keySchema' {MISSING}",
        f"Value null at '{index}.projection' {MISSING}",
    }


@pytest.mark.parametrize(
    ("keys", "definitions", "message"),
    [
        (("a", "a"), ("a",), "Invalid KeySchema: Some index key attribute have no definition"),
        (
            ("a", "a"),
            ("a", "b"),
            "Hash Key and the Range Key element in the KeySchema have the same",
        ),
        (
            ("a", "b"),
            ("a", "c"),
            r"Keys: \[a, b\], AttributeDefinitions: \[a, c\]",
        ),
        (("a",), ("a", "a"), "^Attribute Name is duplicated: a$"),
        (("a",), ("a", "b"), "Number of attributes in KeySchema does not exactly match number of"),
    ],
)
def test_a_key_names_each_attribute_once(
    client: Any, keys: tuple[str, ...], definitions: tuple[str, ...], message: str
) -> None:
    roles = zip(keys, ("HASH", "RANGE"), strict=False)
    with refused(INVALID, match=message):
        client.create_table(
            TableName=unique_name(),
            KeySchema=[{"AttributeName": name, "KeyType": role} for name, role in roles],
            AttributeDefinitions=[
                {"AttributeName": name, "AttributeType": "S"} for name in definitions
            ],
            BillingMode="PAY_PER_REQUEST",
        )


@pytest.mark.parametrize(
    "method", ["describe_table", "delete_table", "update_table", "describe_time_to_live"]
)
def test_what_is_about_a_table_looks_at_its_name_first(client: Any, method: str) -> None:
    with refused(INVALID, match="^The parameter 'TableName' is required but was not present"):
        getattr(client, method)()
    for name in ("", "ab", "a" * 256):
        with refused(INVALID, match="^TableName must be at least 3 characters long and at most"):
            getattr(client, method)(TableName=name)
