"""A small table to look at: what lies on the shelves of a storehouse."""

from __future__ import annotations

from contextlib import suppress
from typing import Any, Final

from gotgan.store.engine.faults import ConditionalCheckFailedException, ResourceInUseException
from gotgan.store.engine.protocol import Executor

__all__ = ["DEFINITION", "ITEMS", "TABLE", "fill"]

TABLE: Final = "Storehouse"


DEFINITION: Final[dict[str, Any]] = {
    "TableName": TABLE,
    "BillingMode": "PAY_PER_REQUEST",
    "AttributeDefinitions": [
        {"AttributeName": "shelf", "AttributeType": "S"},
        {"AttributeName": "goods", "AttributeType": "S"},
        {"AttributeName": "kind", "AttributeType": "S"},
        {"AttributeName": "best_before", "AttributeType": "S"},
    ],
    "KeySchema": [
        {"AttributeName": "shelf", "KeyType": "HASH"},
        {"AttributeName": "goods", "KeyType": "RANGE"},
    ],
    "GlobalSecondaryIndexes": [
        {
            # Tools keep for ever: without best_before they stay out of the index.
            "IndexName": "by_kind",
            "KeySchema": [
                {"AttributeName": "kind", "KeyType": "HASH"},
                {"AttributeName": "best_before", "KeyType": "RANGE"},
            ],
            "Projection": {"ProjectionType": "ALL"},
        }
    ],
}


def _food(shelf: str, goods: str, kind: str, kilos: str, best_before: str) -> dict[str, Any]:
    return {
        "shelf": {"S": shelf},
        "goods": {"S": goods},
        "kind": {"S": kind},
        "kilos": {"N": kilos},
        "best_before": {"S": best_before},
    }


def _tool(shelf: str, goods: str, count: str, uses: list[str]) -> dict[str, Any]:
    return {
        "shelf": {"S": shelf},
        "goods": {"S": goods},
        "kind": {"S": "tool"},
        "count": {"N": count},
        "uses": {"SS": uses},
    }


ITEMS: Final = [
    _food("floor", "barley", "grain", "40", "2027-06-30"),
    _food("floor", "rice", "grain", "160", "2026-10-31"),
    _food("floor", "millet", "grain", "12.5", "2027-01-31"),
    _food("jars", "kimchi", "fermented", "30", "2026-04-15"),
    _food("jars", "soy sauce", "fermented", "18", "2029-12-31"),
    _food("jars", "soybean paste", "fermented", "22", "2028-12-31"),
    _food("rafters", "dried persimmons", "dried", "4.2", "2026-03-01"),
    _food("rafters", "garlic", "dried", "6", "2026-05-20"),
    _food("rafters", "red peppers", "dried", "3.75", "2026-08-15"),
    _tool("wall", "sickle", "3", ["harvest", "grass"]),
    _tool("wall", "straw rope", "12", ["binding"]),
    _tool("wall", "winnowing basket", "2", ["grain", "beans"]),
]


def fill(engine: Executor) -> None:
    """Make the table and its items where they are missing; what is there is left alone."""
    with suppress(ResourceInUseException):
        engine.execute("CreateTable", DEFINITION)
    for item in ITEMS:
        _put_if_absent(engine, item)


def _put_if_absent(engine: Executor, item: dict[str, Any]) -> None:
    request = {
        "TableName": TABLE,
        "Item": item,
        "ConditionExpression": "attribute_not_exists(shelf)",
    }
    with suppress(ConditionalCheckFailedException):
        engine.execute("PutItem", request)
