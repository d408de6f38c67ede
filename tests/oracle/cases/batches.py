"""BatchGetItem and BatchWriteItem."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from tests.oracle.cases.builders import TABLE, ask, create, index, keys, n, put, s
from tests.oracle.scenario import Scenario, Step, each, together

__all__ = ["scenarios"]

_OTHER = "oracle2"
_SETUP = [
    create("pk:S g:S", GlobalSecondaryIndexes=[index("gsi", keys("g"))]),
    create("pk:S sk:N", "sk", TableName=_OTHER),
    put({"pk": s("1"), "v": n(1), "w": s("x")}),
    put({"pk": s("2"), "v": n(2)}),
]
_BOTH = {"PutRequest": {"Item": {"pk": s("a")}}, "DeleteRequest": {"Key": {"pk": s("b")}}}


def _put(pk: Any, **attributes: Any) -> dict[str, Any]:
    return {"PutRequest": {"Item": {"pk": s(str(pk)), **attributes}}}


def _delete(pk: Any, **attributes: Any) -> dict[str, Any]:
    return {"DeleteRequest": {"Key": {"pk": s(str(pk)), **attributes}}}


def _writes(*requests: dict[str, Any], table: str = TABLE) -> dict[str, Any]:
    return {"RequestItems": {table: list(requests)}}


def _reads(*ids: Any, **members: Any) -> dict[str, Any]:
    return {"RequestItems": {TABLE: {"Keys": [{"pk": s(str(pk))} for pk in ids], **members}}}


_WRITES: dict[str, dict[str, Any]] = {
    "put and delete": _writes(_put("new", v=n(1)), _delete("1"), _delete("none")),
    "25": _writes(*(_put(place) for place in range(25))),
    "26": _writes(*(_put(place) for place in range(26))),
    "one item put twice": _writes(_put(1), _put(1, x=s("y"))),
    "one item put and deleted": _writes(_put(1), _delete(1)),
    "one item deleted twice": _writes(_delete(1), _delete(1)),
    "no tables": {"RequestItems": {}},
    "no requests": _writes(),
    "nothing": {},
    "put and delete in one": _writes(_BOTH),
    "empty request": _writes({}),
    "put without a key": _writes({"PutRequest": {"Item": {"x": s("a")}}}),
    "put of another key type": _writes({"PutRequest": {"Item": {"pk": n(1)}}}),
    "delete with an attribute more": _writes(_delete(1, x=s("1"))),
    "delete without a key": _writes({"DeleteRequest": {"Key": {}}}),
    "empty key": _writes(_put("")),
    "item too large": _writes(_put("big", p=s("x" * 409_600))),
    "index key of another type": _writes(_put("a", g=n(1))),
    "empty set": _writes(_put("a", v={"SS": []})),
    "missing table": _writes(_put(1), table="missing"),
    "one missing table of two": {"RequestItems": {TABLE: [_put(1)], "missing": [_put(1)]}},
    "two tables": {
        "RequestItems": {
            TABLE: [_put("new")],
            _OTHER: [{"PutRequest": {"Item": {"pk": s("a"), "sk": n(1)}}}],
        }
    },
    "one number key in two words": {
        "RequestItems": {
            _OTHER: [
                {"PutRequest": {"Item": {"pk": s("a"), "sk": n("1")}}},
                {"PutRequest": {"Item": {"pk": s("a"), "sk": n("1.0")}}},
            ]
        }
    },
}
_READS: dict[str, dict[str, Any]] = {
    "two": _reads(1, 2),
    "one of two": _reads(1, "none"),
    "none": _reads("none"),
    "twice the same": _reads(1, 1),
    "100": _reads(*range(100)),
    "101": _reads(*range(101)),
    "no tables": {"RequestItems": {}},
    "no keys": _reads(),
    "nothing": {},
    "keys not given": {"RequestItems": {TABLE: {}}},
    "empty key": {"RequestItems": {TABLE: {"Keys": [{}]}}},
    "another key type": {"RequestItems": {TABLE: {"Keys": [{"pk": n(1)}]}}},
    "an attribute more": {"RequestItems": {TABLE: {"Keys": [{"pk": s("1"), "x": s("1")}]}}},
    "empty string key": _reads(""),
    "projected": _reads(1, 2, ProjectionExpression="v"),
    "projected by name": _reads(1, ProjectionExpression="#v", ExpressionAttributeNames={"#v": "v"}),
    "unused name": _reads(1, ExpressionAttributeNames={"#v": "v"}),
    "consistent": _reads(1, ConsistentRead=True),
    "missing table": {"RequestItems": {"missing": {"Keys": [{"pk": s("1")}]}}},
    "one missing table of two": {
        "RequestItems": {
            TABLE: {"Keys": [{"pk": s("1")}]},
            "missing": {"Keys": [{"pk": s("1")}]},
        }
    },
    "two tables": {
        "RequestItems": {
            TABLE: {"Keys": [{"pk": s("1")}]},
            _OTHER: {"Keys": [{"pk": s("1"), "sk": n(1)}]},
        }
    },
}


def scenarios() -> Iterator[Scenario]:
    """Each batch by itself; after a write, the table is read whole."""
    for name, request in _WRITES.items():
        step = Step("BatchWriteItem", request, name)
        yield from together(f"batch write: {name}", _SETUP, [step, ask("Scan", "then")])
    reads = (Step("BatchGetItem", request, name) for name, request in _READS.items())
    yield from each("batch get", _SETUP, reads)
