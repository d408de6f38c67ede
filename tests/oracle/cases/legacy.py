"""The parameters from before expressions: Expected, AttributeUpdates, KeyConditions and others."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from tests.oracle.cases.builders import TABLE, create, get, index, keys, n, put, s
from tests.oracle.scenario import Scenario, Step, each

__all__ = ["scenarios"]

_KEY = {"pk": s("p"), "sk": n(1)}
_ITEM = {
    **_KEY,
    "g": s("g"),
    "s": s("hello"),
    "n": n(5),
    "b": {"B": "AQID"},
    "yes": {"BOOL": True},
    "ss": {"SS": ["a", "b"]},
    "ns": {"NS": ["1", "2"]},
    "l": {"L": [s("a"), n(1)]},
    "m": {"M": {"x": n(1)}},
}
_SETUP = [
    create("pk:S sk:N g:S", "sk", GlobalSecondaryIndexes=[index("gsi", keys("g"))]),
    put(_ITEM),
    put({"pk": s("p"), "sk": n(2), "n": n(7)}),
    put({"pk": s("p"), "sk": n(3)}),
]
_A = {"L": [s("a")]}


def _compare(operator: str, *values: Any) -> dict[str, Any]:
    condition: dict[str, Any] = {"ComparisonOperator": operator}
    return condition | ({"AttributeValueList": list(values)} if values else {})


_COMPARISONS: dict[str, dict[str, Any]] = {
    f"{name} {operator} {values}": {name: _compare(operator, *values)}
    for name, operator, *values in (
        ("s", "EQ", s("hello")),
        ("s", "EQ", n(1)),
        ("ss", "EQ", {"SS": ["b", "a"]}),
        ("m", "EQ", {"M": {"x": n(1)}}),
        ("absent", "EQ", s("a")),
        ("s", "NE", s("hello")),
        ("s", "NE", n(1)),
        ("absent", "NE", s("a")),
        ("n", "LE", n(5)),
        ("n", "LT", n(5)),
        ("n", "GE", n(5)),
        ("n", "GT", s("5")),
        ("n", "LT", {"NS": ["1"]}),
        ("n", "GT", {"BOOL": True}),
        ("s", "NULL"),
        ("absent", "NULL"),
        ("s", "NOT_NULL"),
        ("absent", "NOT_NULL"),
        ("s", "NULL", s("a")),
        ("s", "CONTAINS", s("ell")),
        ("ss", "CONTAINS", s("a")),
        ("ns", "CONTAINS", n(1)),
        ("l", "CONTAINS", n(1)),
        ("s", "CONTAINS", {"SS": ["a"]}),
        ("s", "NOT_CONTAINS", s("ell")),
        ("ss", "NOT_CONTAINS", s("x")),
        ("absent", "NOT_CONTAINS", s("x")),
        ("n", "NOT_CONTAINS", s("x")),
        ("s", "NOT_CONTAINS", _A),
        ("s", "BEGINS_WITH", s("he")),
        ("b", "BEGINS_WITH", {"B": "AQI="}),
        ("s", "BEGINS_WITH", n(1)),
        ("n", "IN", n(1), n(5)),
        ("n", "IN", n(1)),
        ("n", "IN"),
        ("n", "IN", n(1), s("a")),
        ("n", "IN", {"SS": ["a"]}),
        ("n", "BETWEEN", n(1), n(5)),
        ("n", "BETWEEN", n(5), n(1)),
        ("n", "BETWEEN", n(5)),
        ("n", "BETWEEN", n(5), s("a")),
        ("n", "EQ"),
        ("n", "EQ", n(1), n(2)),
        ("n", "EQ", {"N": "many"}),
    )
}
_EXPECTED: dict[str, dict[str, Any]] = {
    "value": {"s": {"Value": s("hello")}},
    "another value": {"s": {"Value": s("other")}},
    "exists with its value": {"s": {"Value": s("hello"), "Exists": True}},
    "exists without a value": {"s": {"Exists": True}},
    "does not exist": {"absent": {"Exists": False}},
    "does not exist but does": {"s": {"Exists": False}},
    "does not exist with a value": {"s": {"Exists": False, "Value": s("a")}},
    "nothing": {"s": {}},
    "none": {},
    "value and list": {"s": {**_compare("EQ", s("a")), "Value": s("a")}},
    "operator and exists": {"s": {**_compare("EQ", s("a")), "Exists": True}},
    "operator and value": {"s": {"ComparisonOperator": "EQ", "Value": s("hello")}},
    "operator alone": {"s": {"ComparisonOperator": "EQ"}},
    "list alone": {"s": {"AttributeValueList": [s("a")]}},
}
_TWO = {"s": _compare("EQ", s("hello")), "n": _compare("EQ", n(0))}
_UPDATES: dict[str, dict[str, Any]] = {
    "put": {"a": {"Value": s("x"), "Action": "PUT"}},
    "no action": {"a": {"Value": s("x")}},
    "put without a value": {"a": {"Action": "PUT"}},
    "add to a number": {"n": {"Value": n(2), "Action": "ADD"}},
    "add to nothing": {"a": {"Value": n(2), "Action": "ADD"}},
    "add to a set": {"ss": {"Value": {"SS": ["c", "a"]}, "Action": "ADD"}},
    "add to a list": {"l": {"Value": _A, "Action": "ADD"}},
    "add a list to nothing": {"a": {"Value": _A, "Action": "ADD"}},
    "add a list to a number": {"n": {"Value": _A, "Action": "ADD"}},
    "add a string": {"s": {"Value": s("c"), "Action": "ADD"}},
    "add a number to a string": {"s": {"Value": n(1), "Action": "ADD"}},
    "add without a value": {"n": {"Action": "ADD"}},
    "delete": {"s": {"Action": "DELETE"}},
    "delete from a set": {"ss": {"Value": {"SS": ["a", "x"]}, "Action": "DELETE"}},
    "delete all of a set": {"ss": {"Value": {"SS": ["a", "b"]}, "Action": "DELETE"}},
    "delete from another set": {"ss": {"Value": {"NS": ["1"]}, "Action": "DELETE"}},
    "delete a string": {"s": {"Value": s("hello"), "Action": "DELETE"}},
    "key": {"pk": {"Value": s("x")}},
    "none": {},
    "several": {"a": {"Value": n(1)}, "s": {"Action": "DELETE"}, "n": {"Value": n(7)}},
}
_KEYS = {"pk": _compare("EQ", s("p"))}
_QUERIES: dict[str, dict[str, Any]] = {
    "hash": {"KeyConditions": _KEYS},
    **{
        f"range {operator}": {"KeyConditions": {**_KEYS, "sk": _compare(operator, *values)}}
        for operator, *values in (
            ("EQ", n(2)),
            ("LE", n(2)),
            ("LT", n(2)),
            ("GE", n(2)),
            ("GT", n(2)),
            ("BETWEEN", n(1), n(2)),
            ("NE", n(1)),
            ("IN", n(1)),
            ("EQ", s("a")),
        )
    },
    "no conditions": {"KeyConditions": {}},
    "three conditions": {"KeyConditions": {**_KEYS, "sk": _compare("NULL"), "x": _compare("NULL")}},
    "range alone": {"KeyConditions": {"sk": _compare("EQ", n(1))}},
    "hash by order": {"KeyConditions": {"pk": _compare("GT", s("p"))}},
    "another attribute": {"KeyConditions": {**_KEYS, "n": _compare("EQ", n(1))}},
    "index": {"IndexName": "gsi", "KeyConditions": {"g": _compare("EQ", s("g"))}},
    "two conditions on a hash key": {
        "IndexName": "gsi",
        "KeyConditions": {"g": _compare("EQ", s("g")), "sk": _compare("EQ", n(1))},
    },
    "filter": {"KeyConditions": _KEYS, "QueryFilter": {"n": _compare("GT", n(5))}},
    "filter on a key": {"KeyConditions": _KEYS, "QueryFilter": {"sk": _compare("GT", n(5))}},
    "filter or": {
        "KeyConditions": _KEYS,
        "QueryFilter": {"n": _compare("GT", n(5)), "s": _compare("NOT_NULL")},
        "ConditionalOperator": "OR",
    },
    "operator without a filter": {"KeyConditions": _KEYS, "ConditionalOperator": "OR"},
    "attributes": {"KeyConditions": _KEYS, "AttributesToGet": ["n", "m"]},
    "attributes counted": {"KeyConditions": _KEYS, "AttributesToGet": ["n"], "Select": "COUNT"},
    "filter expression": {
        "KeyConditions": _KEYS,
        "FilterExpression": "n > :0",
        "ExpressionAttributeValues": {":0": n(5)},
    },
    "both key conditions": {
        "KeyConditions": _KEYS,
        "KeyConditionExpression": "pk = :p",
        "ExpressionAttributeValues": {":p": s("p")},
    },
    "filter and expression": {
        "KeyConditionExpression": "pk = :p",
        "ExpressionAttributeValues": {":p": s("p")},
        "QueryFilter": {"n": _compare("GT", n(5))},
    },
    "values without an expression": {
        "KeyConditions": _KEYS,
        "ExpressionAttributeValues": {":p": s("p")},
    },
}
_MIXED: list[tuple[str, dict[str, Any]]] = [
    ("PutItem", {"Expected": _TWO, "ConditionExpression": "attribute_exists(pk)", "Item": _KEY}),
    ("DeleteItem", {"Expected": _TWO, "ConditionExpression": "attribute_exists(pk)", "Key": _KEY}),
    ("UpdateItem", {"Expected": _TWO, "UpdateExpression": "REMOVE s", "Key": _KEY}),
    (
        "UpdateItem",
        {"AttributeUpdates": {}, "ConditionExpression": "attribute_exists(pk)", "Key": _KEY},
    ),
    ("GetItem", {"AttributesToGet": ["s"], "ProjectionExpression": "s", "Key": _KEY}),
    ("Scan", {"AttributesToGet": ["s"], "FilterExpression": "attribute_exists(pk)"}),
]


def _step(operation: str, note: str, **members: Any) -> Step:
    return Step(operation, {"TableName": TABLE, **members}, note)


def scenarios() -> Iterator[Scenario]:
    """Each kind of parameter by itself."""
    yield from each(
        "legacy filter",
        _SETUP,
        (_step("Scan", note, ScanFilter=each_) for note, each_ in _COMPARISONS.items()),
    )
    yield from each(
        "legacy comparison",
        _SETUP,
        (
            _step("DeleteItem", note, Key=_KEY, Expected=each_)
            for note, each_ in _COMPARISONS.items()
        ),
    )
    yield from each(
        "legacy expected",
        _SETUP,
        (_step("PutItem", note, Item=_KEY, Expected=each_) for note, each_ in _EXPECTED.items()),
    )
    operators = (
        _step(
            "PutItem", f"{operator} {len(each_)}", Item=_KEY, ConditionalOperator=operator, **more
        )
        for operator in ("AND", "OR")
        for each_ in ({}, {"s": _TWO["s"]}, _TWO)
        for more in ([{"Expected": each_}] if each_ else [{}])
    )
    yield from each("legacy operator", _SETUP, operators)
    for returns in ("NONE", "ALL_OLD", "UPDATED_OLD", "ALL_NEW", "UPDATED_NEW"):
        for note, updates in _UPDATES.items():
            asked = _step(
                "UpdateItem", note, Key=_KEY, AttributeUpdates=updates, ReturnValues=returns
            )
            yield Scenario(f"legacy update {returns}: {note}", tuple(_SETUP), (asked, get(_KEY)))
    missing = {"pk": s("new"), "sk": n(1)}
    for note, updates in _UPDATES.items():
        asked = _step("UpdateItem", note, Key=missing, AttributeUpdates=updates)
        yield Scenario(f"legacy update missing: {note}", tuple(_SETUP), (asked, get(missing)))
    yield from each(
        "legacy query", _SETUP, (_step("Query", note, **each_) for note, each_ in _QUERIES.items())
    )
    attributes = (
        _step("GetItem", f"{names}", Key=_KEY, AttributesToGet=names)
        for names in (["s"], ["s", "absent"], ["absent"], ["m.x"], ["s", "s"], [])
    )
    yield from each("legacy attributes", _SETUP, attributes)
    yield from each(
        "legacy mixed",
        _SETUP,
        (_step(operation, f"{operation} {sorted(m)}", **m) for operation, m in _MIXED),
    )
