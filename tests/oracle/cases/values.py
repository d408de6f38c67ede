"""Attribute values and numbers: what is taken, and in which form it comes back."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from tests.oracle.cases.builders import create, get, n, put, s, update
from tests.oracle.scenario import Scenario, Step, each, together

__all__ = ["scenarios"]

_NUMBERS = (
    "0",
    "1",
    "-1",
    "1.0",
    "1e2",
    "1E+2",
    "1E+100",
    "1e-130",
    "1e125",
    "-1e125",
    "1e126",
    "-1e126",
    "1e-131",
    "0.000",
    "-0",
    "-0.0",
    "0e5",
    "00012",
    "+5",
    "1.50",
    "-1.10e1",
    ".5",
    "5.",
    "123456789012345678901234567890",
    "12345678901234567890123456789012345678",
    "123456789012345678901234567890123456789",
    "-12345678901234567890123456789012345678",
    "9.9999999999999999999999999999999999999E+125",
    "0.00000000000000000000000000000000000001",
    "1e20",
    "1e21",
    "1e37",
    "1e38",
    "123e38",
    "1.5e-7",
    "100000000000000000000000000000000000000",
    "1.00000000000000000000000000000000000000000",
    "0x10",
    "abc",
    "NaN",
    "Infinity",
    "-Infinity",
    "1_000",
    "1e",
    "--1",
    "1,5",
    "1.2.3",
    "1e1.5",
    "e5",
    "-",
    ".",
    "1e+",
    "0.1e-129",
    "",
    " 5",
    "5 ",
    "1 2",
    "\u0661",
)
_VALUES: dict[str, Any] = {
    "empty string set": {"SS": []},
    "empty number set": {"NS": []},
    "empty binary set": {"BS": []},
    "repeated string": {"SS": ["a", "b", "a"]},
    "repeated number": {"NS": ["1", "2", "1"]},
    "number repeated by value": {"NS": ["1", "1.0"]},
    "repeated binary": {"BS": ["YQ==", "YQ=="]},
    "set of the empty string": {"SS": ["", "b"]},
    "set of the empty binary": {"BS": [""]},
    "empty string": {"S": ""},
    "empty binary": {"B": ""},
    "empty list": {"L": []},
    "empty map": {"M": {}},
    "null": {"NULL": True},
    "null that is false": {"NULL": False},
    "true": {"BOOL": True},
    "two types": {"S": "a", "N": "1"},
    "no type": {},
    "unknown type": {"X": "a"},
    "string that is a number": {"S": 1},
    "number that is a number": {"N": 1},
    "binary that is not base64": {"B": "%%%"},
    "string set that is a string": {"SS": "a"},
    "list with an empty value": {"L": [{"S": "a"}, {}]},
    "map with an unknown type": {"M": {"x": {"Y": 1}}},
    "map with an empty name": {"M": {"": {"S": "a"}}},
    "number set with a word": {"NS": ["a"]},
    "empty set in a list": {"L": [{"SS": []}]},
    "number set in other words": {"NS": ["1e1", "2.50", "-0.0"]},
    "all types": {
        "M": {
            "s": {"S": "é𝄞"},
            "n": {"N": "-1.5"},
            "b": {"B": "AAEC"},
            "ss": {"SS": ["b", "a"]},
            "ns": {"NS": ["10", "9"]},
            "bs": {"BS": ["Yg==", "YQ=="]},
            "l": {"L": [{"NULL": True}, {"BOOL": False}, {"L": []}, {"M": {}}]},
        }
    },
}
_SUMS = (
    ("99999999999999999999999999999999999999", "1"),
    ("99999999999999999999999999999999999998", "0.5"),
    ("9e125", "9e125"),
    ("0.1", "0.2"),
    ("1e-130", "-1e-130"),
    ("1e100", "1"),
    ("5", "-5.0"),
)


def scenarios() -> Iterator[Scenario]:
    """Every value by itself, in a PutItem and in an expression."""
    for number in _NUMBERS:
        yield from _kept(f"number {number!r}", n(number))
    for name, value in _VALUES.items():
        yield from _kept(f"value: {name}", value)
    for depth in (30, 31, 32, 33):
        yield from _kept(f"value: {depth} nested lists", _nested(depth))
        yield from _kept(f"value: {depth} nested maps", _nested_maps(depth))
    yield from each("value in an update", [create()], _in_updates())
    for left, right in _SUMS:
        yield from together(f"sum: {left} + {right}", [create()], _sum(left, right))
    yield from _kept("item: empty attribute name", s("x"), attribute="")


def _kept(name: str, value: Any, attribute: str = "v") -> Iterator[Scenario]:
    item = {"pk": s("a"), attribute: value}
    yield from together(name, [create()], [put(item, "put"), get({"pk": s("a")}, "get")])


def _in_updates() -> Iterator[Step]:
    for name, value in _VALUES.items():
        yield update({"pk": s("a")}, "SET v = :v", {":v": value}, name, ReturnValues="ALL_NEW")


def _sum(left: str, right: str) -> list[Step]:
    key = {"pk": s("a")}
    return [
        put({**key, "v": n(left)}),
        update(key, "SET v = v + :v", {":v": n(right)}, ReturnValues="ALL_NEW"),
        update(key, "ADD w :v", {":v": n(left)}, ReturnValues="ALL_NEW"),
        update(key, "ADD w :v", {":v": n(right)}, ReturnValues="ALL_NEW"),
        update(key, "SET w = :l - w", {":l": n(left)}, ReturnValues="ALL_NEW"),
    ]


def _nested(depth: int) -> dict[str, Any]:
    value: dict[str, Any] = s("x")
    for _ in range(depth):
        value = {"L": [value]}
    return value


def _nested_maps(depth: int) -> dict[str, Any]:
    value: dict[str, Any] = s("x")
    for _ in range(depth):
        value = {"M": {"a": value}}
    return value
