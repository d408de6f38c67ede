"""ReturnConsumedCapacity, ReturnItemCollectionMetrics and the sizes behind them."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from tests.oracle.cases.builders import TABLE, ask, create, delete, get, index, keys, n, put, s
from tests.oracle.cases.builders import update as changed
from tests.oracle.scenario import Scenario, Step, together

__all__ = ["scenarios"]

_SETUP = [
    create(
        "pk:S sk:S g:S l:N",
        "sk",
        GlobalSecondaryIndexes=[index("gsi", keys("g", "sk"), "INCLUDE", "a")],
        LocalSecondaryIndexes=[index("lsi", keys("pk", "l"))],
    )
]
_KEY = {"pk": s("p"), "sk": s("1")}
_SIZED: dict[str, tuple[dict[str, Any], int]] = {
    "0": (n(0), 1),
    "1": (n(1), 2),
    "-1": (n(-1), 3),
    "10": (n(10), 2),
    "123": (n(123), 3),
    "1000": (n(1000), 2),
    "1.5": (n("1.5"), 3),
    "0.12": (n("0.12"), 2),
    "0.012": (n("0.012"), 3),
    "12345": (n(12345), 4),
    "-12345": (n(-12345), 5),
    "38 digits": (n("12345678901234567890123456789012345678"), 20),
    "1e125": (n("1e125"), 2),
    "null": ({"NULL": True}, 1),
    "boolean": ({"BOOL": False}, 1),
    "letters": (s("abé"), 4),
    "binary": ({"B": "QUFB"}, 3),
    "empty list": ({"L": []}, 3),
    "list": ({"L": [s("a"), {"NULL": True}]}, 7),
    "empty map": ({"M": {}}, 3),
    "map": ({"M": {"ab": s("c")}}, 7),
    "string set": ({"SS": ["ab", "c"]}, 3),
    "number set": ({"NS": ["1", "22"]}, 4),
    "binary set": ({"BS": ["QUFB", "QUFC"]}, 6),
}


def scenarios() -> Iterator[Scenario]:
    """The units of every operation, small and at the edges of a kilobyte."""
    for level in ("TOTAL", "INDEXES", "NONE", "ALL"):
        yield from together(f"capacity {level}", _SETUP, _writes(level))
        yield from together(f"capacity {level} of reads", [*_SETUP, put(_item())], _reads(level))
        yield from together(f"capacity {level} of many", [*_SETUP, put(_item())], _many(level))
    for name, (value, size) in _SIZED.items():
        yield from together(f"size: {name}", [create()], _sized(value, size))
    yield from together("size of an item", [create()], _largest())
    yield from together("collection metrics", _SETUP, _metrics())


def _item(sort: str = "1", **attributes: Any) -> dict[str, Any]:
    shown = {"g": s("g"), "l": n(1), "a": s("a"), "z": s("z")}
    return {"pk": s("p"), "sk": s(sort), **shown, **attributes}


def _writes(level: str) -> list[Step]:
    counted = {"ReturnConsumedCapacity": level}
    steps = [
        put(_item(), "put", **counted),
        put(_item(), "put again", **counted),
        put(_item(z=s("y")), "an attribute of no global index", **counted),
        put(_item(g=s("g2"), l=n(2)), "other index keys", **counted),
        put(_KEY, "out of the indexes", **counted),
        put(_item(), "back into them", **counted),
        put(_item(z=s("z" * 3000)), "larger", **counted),
        put(_item(), "smaller", **counted),
    ]
    steps += [
        changed(_KEY, f"SET {name} = :v", {":v": value}, f"update of {name}", **counted)
        for name, value in (("z", s("1")), ("a", s("1")), ("g", s("1")), ("l", n(7)))
    ]
    return [
        *steps,
        delete(_KEY, "delete", **counted),
        delete(_KEY, "delete of nothing", **counted),
        changed(_KEY, None, None, "update of nothing to nothing", **counted),
    ]


def _reads(level: str) -> list[Step]:
    counted = {"ReturnConsumedCapacity": level}
    return [
        get(_KEY, "get", **counted),
        get(_KEY, "consistent get", ConsistentRead=True, **counted),
        get({"pk": s("zz"), "sk": s("1")}, "get of nothing", **counted),
        *(_query(name, **counted) for name in (None, "lsi", "gsi")),
        _query(None, ConsistentRead=True, **counted),
        _query("lsi", ConsistentRead=True, **counted),
        ask("Scan", "scan", **counted),
        ask("Scan", "scan of an index", IndexName="gsi", **counted),
    ]


def _query(name: str | None, **members: Any) -> Step:
    key = "g" if name == "gsi" else "pk"
    request = {
        "KeyConditionExpression": f"{key} = :k",
        "ExpressionAttributeValues": {":k": s("g" if name == "gsi" else "p")},
        **members,
    }
    if name is not None:
        request["IndexName"] = name
    return ask("Query", f"query of {name or 'the table'}", **request)


def _many(level: str) -> list[Step]:
    counted = {"ReturnConsumedCapacity": level}
    nothing = {"pk": s("zz"), "sk": s("1")}
    writes = [{"PutRequest": {"Item": _item("b1")}}, {"PutRequest": {"Item": _item("b2")}}]
    actions = [
        {"Put": {"TableName": TABLE, "Item": _item("t1")}},
        {"Delete": {"TableName": TABLE, "Key": {"pk": s("p"), "sk": s("b2")}}},
        {
            "ConditionCheck": {
                "TableName": TABLE,
                "Key": _KEY,
                "ConditionExpression": "attribute_exists(pk)",
            }
        },
    ]
    gets = [{"Get": {"TableName": TABLE, "Key": key}} for key in (_KEY, nothing)]
    both = {"RequestItems": {TABLE: {"Keys": [_KEY, nothing]}}}
    return [
        Step("BatchGetItem", {**both, **counted}, "batch get"),
        Step("BatchWriteItem", {"RequestItems": {TABLE: writes}, **counted}, "batch write"),
        Step("TransactWriteItems", {"TransactItems": actions, **counted}, "transaction"),
        Step("TransactGetItems", {"TransactItems": gets, **counted}, "transaction get"),
    ]


def _sized(value: dict[str, Any], size: int) -> list[Step]:
    """A put of exactly one kilobyte, and one of a byte more."""
    counted = {"ReturnConsumedCapacity": "TOTAL"}
    rest = 1024 - len("pka") - len("v") - size - len("p")
    fitting = {"pk": s("a"), "v": value, "p": s("x" * rest)}
    over = {"pk": s("b"), "v": value, "p": s("x" * (rest + 1))}
    return [put(fitting, "one kilobyte", **counted), put(over, "a byte more", **counted)]


def _largest() -> list[Step]:
    rest = 400 * 1024 - len("pka") - len("p")
    return [
        put({"pk": s("a"), "p": s("x" * rest)}, "400 KB"),
        put({"pk": s("b"), "p": s("x" * (rest + 1))}, "a byte more"),
        changed({"pk": s("a")}, "SET q = :v", {":v": s("y")}, "grown by an update"),
        get({"pk": s("a")}, "read", ReturnConsumedCapacity="TOTAL", ProjectionExpression="pk"),
    ]


def _metrics() -> list[Step]:
    asked = {"ReturnItemCollectionMetrics": "SIZE"}
    writes = {"RequestItems": {TABLE: [{"PutRequest": {"Item": _item("2")}}]}}
    actions = {"TransactItems": [{"Put": {"TableName": TABLE, "Item": _item("3")}}]}
    return [
        put(_item(), "put", **asked),
        changed(_KEY, "SET z = :v", {":v": s("1")}, "update", **asked),
        delete(_KEY, "delete", **asked),
        Step("BatchWriteItem", {**writes, **asked}, "batch"),
        Step("TransactWriteItems", {**actions, **asked}, "transaction"),
        put(_item(), "unknown choice", ReturnItemCollectionMetrics="ALL"),
    ]
