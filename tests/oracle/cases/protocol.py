"""Requests that are not what the protocol expects, and tables that are not there."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from tests.oracle.cases.builders import TABLE, create, put, s
from tests.oracle.scenario import Scenario, Step, each

__all__ = ["scenarios"]

_KEY = {"pk": s("a")}
_CONDITION = {
    "KeyConditionExpression": "pk = :p",
    "ExpressionAttributeValues": {":p": s("a")},
}
_MISSING: dict[str, dict[str, Any]] = {
    "DeleteItem": {"Key": _KEY},
    "DeleteTable": {},
    "DescribeTable": {},
    "GetItem": {"Key": _KEY},
    "PutItem": {"Item": _KEY},
    "Query": _CONDITION,
    "Scan": {},
    "UpdateItem": {"Key": _KEY},
}
_MALFORMED: list[tuple[str, str, Any]] = [
    ("table name that is a number", "GetItem", {"TableName": 1, "Key": _KEY}),
    ("key that is a list", "GetItem", {"TableName": TABLE, "Key": []}),
    ("unknown member", "GetItem", {"TableName": TABLE, "Key": _KEY, "Foo": 1}),
    ("no table name", "GetItem", {"Key": _KEY}),
    ("no key", "GetItem", {"TableName": TABLE}),
    ("no item", "PutItem", {"TableName": TABLE}),
    ("table name of one letter", "GetItem", {"TableName": "a", "Key": _KEY}),
    ("empty table name", "GetItem", {"TableName": "", "Key": _KEY}),
    ("table name with a blank", "GetItem", {"TableName": "a b c", "Key": _KEY}),
    ("limit that is a word", "Scan", {"TableName": TABLE, "Limit": "many"}),
    ("item that is a string", "PutItem", {"TableName": TABLE, "Item": "a"}),
    ("value that is a string", "PutItem", {"TableName": TABLE, "Item": {"pk": "a"}}),
]


def scenarios() -> Iterator[Scenario]:
    """Each request by itself."""
    missing = (
        Step(operation, {"TableName": "missing", **members}, operation)
        for operation, members in _MISSING.items()
    )
    yield from each("missing table", [], missing)
    setup = [create(), put(_KEY)]
    malformed = (Step(operation, body, note) for note, operation, body in _MALFORMED)
    yield from each("malformed", setup, malformed)
