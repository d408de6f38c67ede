"""Query: key conditions, filters, Select, indexes."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from tests.oracle.cases.builders import TABLE, create, index, keys, n, put, s
from tests.oracle.scenario import ANY_ORDER, Scenario, Step, together

__all__ = ["ITEMS", "SETUP", "query", "scenarios"]

ITEMS = [
    {"pk": s("p"), "sk": n(place), "g": s("g"), "l": n(10 - place), "v": n(place % 2)}
    for place in range(1, 6)
]
SETUP = [
    create(
        "pk:S sk:N g:S l:N",
        "sk",
        GlobalSecondaryIndexes=[
            index("gsi", keys("g", "l"), "KEYS_ONLY"),
            index("all", keys("g")),
            index("some", keys("g", "sk"), "INCLUDE", "v"),
        ],
        LocalSecondaryIndexes=[index("lsi", keys("pk", "l"), "KEYS_ONLY")],
    ),
    *(put(item) for item in ITEMS),
    put({"pk": s("q"), "sk": n(1), "l": n(1)}),
    put({"pk": s("r"), "sk": n(1)}),
]
_P = {":p": s("p")}
_PS = {":p": s("p"), ":s": n(3)}
_PST = {":p": s("p"), ":s": n(2), ":t": n(4)}
_CONDITIONS: list[tuple[str, dict[str, Any] | None]] = [
    ("pk = :p", _P),
    ("pk = :p AND sk = :s", _PS),
    ("pk = :p AND sk < :s", _PS),
    ("pk = :p AND sk <= :s", _PS),
    ("pk = :p AND sk > :s", _PS),
    ("pk = :p AND sk >= :s", _PS),
    ("pk = :p AND sk BETWEEN :s AND :t", _PST),
    ("pk = :p AND sk BETWEEN :t AND :s", _PST),
    ("sk = :s AND pk = :p", _PS),
    ("sk BETWEEN :s AND :t AND pk = :p", _PST),
    ("(pk = :p) AND (sk = :s)", _PS),
    ("(pk = :p AND sk = :s)", _PS),
    ("((pk = :p))", _P),
    (":p = pk", _P),
    ("pk = :p AND :s < sk", _PS),
    ("pk = :p and sk = :s", _PS),
    ("sk = :s", {":s": n(1)}),
    ("pk < :p", _P),
    ("pk <> :p", _P),
    ("begins_with(pk, :p)", _P),
    ("pk = :p OR sk = :s", _PS),
    ("NOT pk = :p", _P),
    ("pk = :p AND NOT sk = :s", _PS),
    ("pk = :p AND v = :s", _PS),
    ("pk = :p AND sk <> :s", _PS),
    ("pk = :p AND sk IN (:s)", _PS),
    ("pk = :p AND contains(sk, :s)", _PS),
    ("pk = :p AND attribute_exists(sk)", _P),
    ("pk = :p AND size(sk) = :s", _PS),
    ("pk = :p AND begins_with(sk, :s)", _PS),
    ("pk = :p AND begins_with(sk, :s)", {":p": s("p"), ":s": s("1")}),
    ("pk = :p AND sk = :s", {":p": s("p"), ":s": s("3")}),
    ("pk = :p AND sk = :s", {":p": s("p"), ":s": {"NS": ["1"]}}),
    ("pk = :p", {":p": n(1)}),
    ("pk = :p", {":p": s("")}),
    ("pk = :p AND pk = :p", _P),
    ("pk = :p AND sk > :s AND sk < :t", _PST),
    ("pk = :p AND sk = pk", _P),
    ("pk = :p AND sk.x = :s", _PS),
    ("pk = :q", _P),
    ("pk = :p", {**_P, ":x": n(1)}),
    ("pk = :p", None),
    ("pk = ", _P),
    ("pk", _P),
    ("", _P),
    ("pk = :p", {":p": s("none")}),
]
_FILTERS: list[tuple[str, dict[str, Any]]] = [
    ("v = :v", {":v": n(1)}),
    ("v = :v AND l > :w", {":v": n(1), ":w": n(6)}),
    ("attribute_not_exists(v)", {}),
    ("sk = :v", {":v": n(1)}),
    ("pk = :v", {":v": s("p")}),
    ("NOT v = :v", {":v": n(1)}),
    ("v = v", {}),
    ("", {}),
    ("v = = :v", {":v": n(1)}),
]
_SELECTS = (None, "ALL_ATTRIBUTES", "ALL_PROJECTED_ATTRIBUTES", "SPECIFIC_ATTRIBUTES", "COUNT", "X")
_PROJECTIONS = (None, "v", "pk, v", "nope")


def scenarios() -> Iterator[Scenario]:
    """Reads of one small table; nothing changes, so each group is one scenario."""
    yield from together("key condition", SETUP, _conditions())
    yield from together("query filter", SETUP, _filters())
    for name in (None, "gsi", "all", "some", "lsi"):
        yield from together(f"select on {name or 'table'}", SETUP, _selects(name))
    yield from together("query members", SETUP, _members())


def query(note: str, name: str | None = None, **members: Any) -> Step:
    """A query of the one partition that has five items, through an index if one is named."""
    partition = "pk = :p" if name in (None, "lsi") else "g = :p"
    request: dict[str, Any] = {
        "TableName": TABLE,
        "KeyConditionExpression": partition,
        "ExpressionAttributeValues": {":p": s("p" if partition[0] == "p" else "g")},
        **members,
    }
    if name is not None:
        request["IndexName"] = name
    return Step("Query", request, note, order=ANY_ORDER if name == "all" else "")


def _conditions() -> Iterator[Step]:
    for expression, values in _CONDITIONS:
        request: dict[str, Any] = {"TableName": TABLE, "KeyConditionExpression": expression}
        if values is not None:
            request["ExpressionAttributeValues"] = values
        yield Step("Query", request, f"{expression} {values or ''}")
    yield Step("Query", {"TableName": TABLE}, "none")
    both = {"#p": "pk", "#u": "unused"}
    yield query("name", KeyConditionExpression="#p = :p", ExpressionAttributeNames={"#p": "pk"})
    yield query("unused", KeyConditionExpression="#p = :p", ExpressionAttributeNames=both)
    yield query("empty names", ExpressionAttributeNames={})


def _filters() -> Iterator[Step]:
    for expression, own in _FILTERS:
        values = {":p": s("p"), **own}
        members: dict[str, Any] = {
            "FilterExpression": expression,
            "ExpressionAttributeValues": values,
        }
        yield query(expression, **members)
        yield query(f"{expression}, Limit 2", Limit=2, **members)
        yield query(f"{expression}, counted", Select="COUNT", **members)
    for name in ("gsi", "some", "lsi"):
        values = {":p": s("p" if name == "lsi" else "g"), ":v": n(1)}
        filtered = {"FilterExpression": "v = :v", "ExpressionAttributeValues": values}
        yield query(f"filter on {name}", name, **filtered)
    keyed = {":p": s("g"), ":v": n(8)}
    yield query("index key", "gsi", FilterExpression="l = :v", ExpressionAttributeValues=keyed)
    yield query("table key", "gsi", FilterExpression="sk = :v", ExpressionAttributeValues=keyed)


def _selects(name: str | None) -> Iterator[Step]:
    for select in _SELECTS:
        for projection in _PROJECTIONS:
            members: dict[str, Any] = {}
            if select is not None:
                members["Select"] = select
            if projection is not None:
                members["ProjectionExpression"] = projection
            yield query(f"{select}, {projection}", name, **members)


def _members() -> Iterator[Step]:
    yield query("backward", ScanIndexForward=False)
    yield query("forward", ScanIndexForward=True)
    yield query("backward on gsi", "gsi", ScanIndexForward=False)
    yield query("backward on lsi", "lsi", ScanIndexForward=False)
    yield query("consistent", ConsistentRead=True)
    yield query("consistent on lsi", "lsi", ConsistentRead=True)
    yield query("consistent on gsi", "gsi", ConsistentRead=True)
    yield query("unknown index", "nope")
    yield query("index name too short", "ab")
    for limit in (0, -1):
        yield query(f"limit {limit}", Limit=limit)
