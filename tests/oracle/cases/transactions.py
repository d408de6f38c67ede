"""TransactWriteItems and TransactGetItems."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from tests.oracle.cases.builders import TABLE, ask, create, index, keys, n, put, s
from tests.oracle.scenario import Scenario, Step, each, together

__all__ = ["scenarios"]

_SETUP = [
    create("pk:S g:S", GlobalSecondaryIndexes=[index("gsi", keys("g"))]),
    put({"pk": s("1"), "v": n(1), "w": s("x")}),
    put({"pk": s("2"), "v": n(2)}),
]
_ABSENT = {"ConditionExpression": "attribute_not_exists(pk)"}
_PRESENT = {"ConditionExpression": "attribute_exists(pk)"}
_SHOWN = {"ReturnValuesOnConditionCheckFailure": "ALL_OLD"}


def _put(pk: Any, table: str = TABLE, item: Any = None, **members: Any) -> dict[str, Any]:
    content = {"pk": s(str(pk)), "v": n(9)} if item is None else item
    return {"Put": {"TableName": table, "Item": content, **members}}


def _delete(pk: Any, **members: Any) -> dict[str, Any]:
    return {"Delete": {"TableName": TABLE, "Key": {"pk": s(str(pk))}, **members}}


def _check(pk: Any, **members: Any) -> dict[str, Any]:
    return {"ConditionCheck": {"TableName": TABLE, "Key": {"pk": s(str(pk))}, **members}}


def _update(pk: Any, expression: str, value: Any = None, **members: Any) -> dict[str, Any]:
    request = {"TableName": TABLE, "Key": {"pk": s(str(pk))}, "UpdateExpression": expression}
    if value is not None:
        request["ExpressionAttributeValues"] = {":v": value}
    return {"Update": {**request, **members}}


def _get(pk: Any, table: str = TABLE, **members: Any) -> dict[str, Any]:
    return {"Get": {"TableName": table, "Key": {"pk": s(str(pk))}, **members}}


_WRITES: dict[str, list[dict[str, Any]]] = {
    "all four": [
        _put("new"),
        _update("1", "SET v = v + :v", n(1)),
        _delete("2"),
        _check("none", **_ABSENT),
    ],
    "update of nothing": [_update("none", "SET v = :v", n(1))],
    "delete of nothing": [_delete("none")],
    "condition holds": [_put("1", **_PRESENT)],
    "second condition fails": [_put("new"), _put("1", **_ABSENT)],
    "both conditions fail": [_put("1", **_ABSENT), _delete("none", **_PRESENT)],
    "condition fails, shown": [_put("new"), _put("1", **_ABSENT, **_SHOWN)],
    "check fails, shown": [_check("1", **_ABSENT, **_SHOWN)],
    "update fails, shown": [_update("1", "SET v = :v", n(1), **_ABSENT, **_SHOWN)],
    "delete fails, shown": [_delete("1", **_ABSENT, **_SHOWN)],
    "check of nothing fails, shown": [_check("none", **_PRESENT, **_SHOWN)],
    "one item twice": [_put("1"), _delete("1")],
    "one item checked and put": [_check("1", **_PRESENT), _put("1")],
    "100": [_put(place) for place in range(100)],
    "101": [_put(place) for place in range(101)],
    "none": [],
    "two actions in one": [{**_put("a"), **_delete("b")}],
    "no action in one": [{}],
    "update of the key": [_update("1", "SET pk = :v", s("z"))],
    "sum with a string": [_update("1", "SET v = v + :v", s("z"))],
    "sum of a string": [_update("1", "SET v = w + :v", n(1))],
    "sum of nothing": [_put("a"), _update("1", "SET v = nope + :v", n(1))],
    "path into nothing": [_update("1", "SET nope.x = :v", n(1))],
    "another key type": [_put("", item={"pk": n(1)})],
    "no key": [_put("", item={"x": n(1)})],
    "empty key": [_put("")],
    "index key of another type": [_put("", item={"pk": s("a"), "g": n(1)})],
    "update of an index key to another type": [_update("1", "SET g = :v", n(1))],
    "item too large": [_put("", item={"pk": s("a"), "p": s("x" * 409_600)})],
    "update makes the item too large": [_update("1", "SET p = :v", s("x" * 409_600))],
    "empty set": [_put("", item={"pk": s("a"), "p": {"SS": []}})],
    "check without a condition": [_check("1")],
    "update without an expression": [{"Update": {"TableName": TABLE, "Key": {"pk": s("1")}}}],
    "condition with a syntax error": [_put("a", ConditionExpression="pk = = :a")],
    "condition with an unknown value": [_put("a", ConditionExpression="pk = :a")],
    "update with a syntax error": [_update("1", "SET v", n(1))],
    "unused value": [_put("a", ExpressionAttributeValues={":v": n(1)}, **_ABSENT)],
    "missing table": [_put("a", "missing")],
    "one missing table of two": [_put("a"), _put("a", "missing")],
    "over 4 MB": [
        _put("", item={"pk": s(f"big{place}"), "p": s("x" * 400_000)}) for place in range(11)
    ],
    "return values": [_put("a", ReturnValues="ALL_OLD")],
}
_READS: dict[str, list[dict[str, Any]]] = {
    "there and not": [_get("1"), _get("none")],
    "twice the same": [_get("1"), _get("1")],
    "projected": [_get("1", ProjectionExpression="v")],
    "projected to nothing": [_get("1", ProjectionExpression="nope")],
    "100": [_get(place) for place in range(100)],
    "101": [_get(place) for place in range(101)],
    "none": [],
    "empty": [{}],
    "another key type": [{"Get": {"TableName": TABLE, "Key": {"pk": n(1)}}}],
    "no key in the second": [_get("1"), {"Get": {"TableName": TABLE, "Key": {"x": n(1)}}}],
    "empty key": [_get("")],
    "missing table": [_get("1", "missing")],
    "syntax error": [_get("1", ProjectionExpression="v,,")],
}


def scenarios() -> Iterator[Scenario]:
    """Each transaction by itself, and tokens."""
    for name, actions in _WRITES.items():
        steps = [_write(name, actions), ask("Scan", "then")]
        yield from together(f"transaction: {name}", _SETUP, steps)
    reads = (
        Step("TransactGetItems", {"TransactItems": actions}, name)
        for name, actions in _READS.items()
    )
    yield from each("transaction get", _SETUP, reads)
    yield from together("transaction token", _SETUP, _tokens())
    yield from together("transaction token of a refusal", _SETUP, _refused_token())
    yield from each("transaction token refused", _SETUP, _wrong_tokens())


def _write(note: str, actions: list[dict[str, Any]], **members: Any) -> Step:
    return Step("TransactWriteItems", {"TransactItems": actions, **members}, note)


def _tokens() -> list[Step]:
    more = [_update("1", "SET v = v + :v", n(1))]
    counted = {"ReturnConsumedCapacity": "TOTAL"}
    return [
        _write("first", more, ClientRequestToken="token", **counted),
        _write("again", more, ClientRequestToken="token", **counted),
        ask("GetItem", "once", Key={"pk": s("1")}),
        _write("another body", [_put("b")], ClientRequestToken="token"),
        _write("another token", more, ClientRequestToken="other"),
        ask("GetItem", "twice", Key={"pk": s("1")}),
    ]


def _refused_token() -> list[Step]:
    checked = [_check("later", **_PRESENT), _put("b")]
    return [
        _write("refused", checked, ClientRequestToken="token"),
        put({"pk": s("later")}, "made true"),
        _write("again", checked, ClientRequestToken="token"),
        ask("Scan", "then"),
    ]


def _wrong_tokens() -> list[Step]:
    return [
        _write("37 letters", [_put("a")], ClientRequestToken="x" * 37),
        _write("36 letters", [_put("a")], ClientRequestToken="x" * 36),
    ]
