"""Requests of the wrong shape are refused before anything is done."""

from __future__ import annotations

from typing import Any

import pytest

from gotgan.errors import UsageError
from gotgan.store.engine.faults import ValidationException
from gotgan.store.engine.request_checks import check_request, read_request


@pytest.mark.parametrize(
    ("operation", "request_"),
    [
        ("ListTables", {}),
        ("PutItem", {"TableName": "goods", "Item": {"pk": "the engine judges values"}}),
        ("Query", {"Limit": 1, "ConsistentRead": True, "ScanIndexForward": False}),
        ("TransactWriteItems", {"TransactItems": ({"Put": {"Item": {}}},)}),
        ("BatchGetItem", {"RequestItems": {"goods": {"Keys": [{}]}}}),
        ("UpdateItem", {"AttributeUpdates": {}}),
    ],
)
def test_members_of_the_right_kind_are_taken(operation: str, request_: dict[str, Any]) -> None:
    check_request(operation, request_)


def test_a_misspelt_parameter_is_named_with_those_that_there_are() -> None:
    with pytest.raises(UsageError, match=r"GetItem has no parameter Kye\. It has: .*Key"):
        check_request("GetItem", {"TableName": "goods", "Kye": {}})


def test_a_misspelt_parameter_is_found_in_the_depths() -> None:
    request: dict[str, Any] = {"TransactItems": [{"Put": {"Itme": {}}}]}
    with pytest.raises(UsageError, match=r"TransactItems\[0\]\.Put has no parameter Itme"):
        check_request("TransactWriteItems", request)


def test_json_that_is_nested_beyond_reason_is_refused() -> None:
    value: dict[str, Any] = {"S": "x"}
    for _ in range(50_000):
        value = {"L": [value]}
    with pytest.raises(ValidationException, match="Nesting Levels"):
        read_request("PutItem", {"TableName": "goods", "Item": {"pk": value}})
    while "L" in value:  # taken apart by hand: freeing it at one go would nest as deep again
        [value] = value["L"]
