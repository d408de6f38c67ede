"""Scan: filters, projections, indexes, segments."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from typing import Any

from tests.oracle.cases.builders import ask, create, n, put, s
from tests.oracle.cases.queries import SETUP
from tests.oracle.scenario import Scenario, Step, together

__all__ = ["scenarios"]

_ONE = {":v": n(1)}
_MANY = [put({"pk": s(f"p{place}"), "v": n(place)}) for place in range(20)]
_MEMBERS: dict[str, dict[str, Any]] = {
    "plain": {},
    "counted": {"Select": "COUNT"},
    "filtered": {"FilterExpression": "v = :v", "ExpressionAttributeValues": _ONE},
    "filtered by a key": {"FilterExpression": "sk = :v", "ExpressionAttributeValues": _ONE},
    "projected": {"ProjectionExpression": "pk, v"},
    "projected and all": {"ProjectionExpression": "pk", "Select": "ALL_ATTRIBUTES"},
    "specific without a projection": {"Select": "SPECIFIC_ATTRIBUTES"},
    "projected attributes of a table": {"Select": "ALL_PROJECTED_ATTRIBUTES"},
    "global index": {"IndexName": "gsi"},
    "global index, all attributes": {"IndexName": "gsi", "Select": "ALL_ATTRIBUTES"},
    "local index": {"IndexName": "lsi"},
    "local index, all attributes": {"IndexName": "lsi", "Select": "ALL_ATTRIBUTES"},
    "index with some attributes": {"IndexName": "some"},
    "unknown index": {"IndexName": "nope"},
    "consistent": {"ConsistentRead": True},
    "consistent on a global index": {"IndexName": "gsi", "ConsistentRead": True},
    "consistent on a local index": {"IndexName": "lsi", "ConsistentRead": True},
    "segment without total": {"Segment": 0},
    "total without segment": {"TotalSegments": 2},
    "segment is total": {"Segment": 2, "TotalSegments": 2},
    "segment below zero": {"Segment": -1, "TotalSegments": 2},
    "no segments": {"Segment": 0, "TotalSegments": 0},
    "a million and one": {"Segment": 0, "TotalSegments": 1_000_001, "Select": "COUNT"},
    "one segment": {"Segment": 0, "TotalSegments": 1},
    "limit 0": {"Limit": 0},
    "unused value": {
        "FilterExpression": "v = :v",
        "ExpressionAttributeValues": {**_ONE, ":u": n(1)},
    },
    "values without a filter": {"ExpressionAttributeValues": _ONE},
    "names without a filter": {"ExpressionAttributeNames": {"#v": "v"}},
    "empty values": {"ExpressionAttributeValues": {}},
    "value of a wrong name": {
        "FilterExpression": "v = :v",
        "ExpressionAttributeValues": {**_ONE, "v": n(1)},
    },
}


def scenarios() -> Iterator[Scenario]:
    """Reads of a small table, and of many partitions in segments."""
    asked = [ask("Scan", name, **members) for name, members in _MEMBERS.items()]
    yield from together("scan", SETUP, asked)
    yield from together("scan in segments", [create(), *_MANY], _segments())


def _segments() -> Iterator[Step]:
    whole = ask("Scan")
    for segments in (1, 2, 3, 7):
        yield replace(whole, note=f"{segments} segments", segments=segments)
        limited = ask("Scan", f"{segments} segments, pages of 2", Limit=2)
        yield replace(limited, segments=segments, follow=True)
