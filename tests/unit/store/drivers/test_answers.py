"""Answers from JSON to boto3's values, and what is wrong with those that are none."""

from __future__ import annotations

from typing import Any

import orjson
import pytest

from gotgan.store.drivers.botocore_json import ITEM_PATHS, body_defect, read_answer

BINARY = {"key": {"B": "AAE="}, "deep": {"M": {"l": {"L": [{"BS": ["/w==", ""]}]}}}}
DECODED = {"key": {"B": b"\x00\x01"}, "deep": {"M": {"l": {"L": [{"BS": [b"\xff", b""]}]}}}}


def in_each_place(item: dict[str, Any]) -> dict[str, dict[str, Any]]:
    """An answer of each operation that has the item wherever it can have one."""
    collection = {"ItemCollectionKey": item, "SizeEstimateRangeGB": [0.0, 1.0]}
    write = {"Attributes": item, "ItemCollectionMetrics": collection}
    page = {"Items": [item, item], "Count": 2, "ScannedCount": 2, "LastEvaluatedKey": item}
    collections = {"t": [collection]}
    return {
        "GetItem": {"Item": item},
        "PutItem": write,
        "UpdateItem": write,
        "DeleteItem": write,
        "Query": page,
        "Scan": page,
        "BatchGetItem": {
            "Responses": {"t": [item], "u": [item, item]},
            "UnprocessedKeys": {"t": {"Keys": [item], "ConsistentRead": True}},
        },
        "BatchWriteItem": {
            "UnprocessedItems": {
                "t": [{"PutRequest": {"Item": item}}, {"DeleteRequest": {"Key": item}}]
            },
            "ItemCollectionMetrics": collections,
        },
        "TransactGetItems": {"Responses": [{"Item": item}, {}]},
        "TransactWriteItems": {"ItemCollectionMetrics": collections},
    }


@pytest.mark.parametrize("operation", ITEM_PATHS)
def test_bytes_are_decoded_wherever_an_answer_can_have_an_item(operation: str) -> None:
    body = orjson.dumps(in_each_place(BINARY)[operation])
    assert read_answer(operation, body) == in_each_place(DECODED)[operation]


def test_a_place_that_is_not_there_is_passed_over() -> None:
    body = b'{"Items": [], "Count": 0, "Comment": "B", "LastEvaluatedKey": null}'
    assert read_answer("Query", body) == {"Items": [], "Count": 0, "Comment": "B"}


def test_spaces_between_a_type_and_its_value_hide_no_bytes() -> None:
    body = b'{ "Item" : { "key" : { "B" : "AAE=" } } }'
    assert read_answer("GetItem", body) == {"Item": {"key": {"B": b"\x00\x01"}}}


@pytest.mark.parametrize("body", [b"", b"{", b"[]", b"null", b"<html></html>", b'{"Item"'])
def test_what_is_no_object_is_refused(body: bytes) -> None:
    with pytest.raises(ValueError, match=r"."):
        read_answer("GetItem", body)


@pytest.mark.parametrize(
    ("headers", "body", "wrong"),
    [
        ({"content-length": "2"}, b"{}", None),
        ({}, b"{}", None),
        ({}, b"{}\n", None),
        ({"content-length": "9"}, b"{}", "it has 2 of 9 bytes"),
        ({"content-length": "0"}, b"", "it is not JSON"),
        ({}, b"<html></html>", "it is not JSON"),
        ({}, b'{"Item": {', "it is not JSON"),
    ],
)
def test_an_answer_that_is_not_whole_is_noticed(
    headers: dict[str, str], body: bytes, wrong: str | None
) -> None:
    assert body_defect(headers, body) == wrong
