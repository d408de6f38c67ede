"""Attribute values by chance, from domains so small that requests meet the same items again."""

from __future__ import annotations

import base64
from random import Random
from typing import Any

__all__ = ["NAMES", "attributes", "key_value", "of_type", "value"]

NAMES = ("a", "b", "c", "d", "e", "f")
_STRINGS = ("", "x", "xy", "xyz", "y", "Z", "é", "한국", "𝄞", "x" * 40, " ", "10", "9")
_NUMBERS = ("0", "1", "2", "9", "10", "-1", "-2.5", "2.5", "0.001", "1e3", "1.50", "123456789.123")
_BINARIES = (b"", b"\x00", b"\x00\x01", b"x", b"xy", b"\xff")
_SCALARS = ("S", "N", "B", "BOOL", "NULL")
_SETS = ("SS", "NS", "BS")


def value(dice: Random, depth: int = 2) -> dict[str, Any]:
    """Any value, nested at most ``depth`` deep."""
    kinds = (*_SCALARS, "S", "N", *_SETS)
    return of_type(dice, dice.choice((*kinds, "L", "M") if depth else kinds), depth)


def of_type(dice: Random, kind: str, depth: int = 1) -> dict[str, Any]:
    """A value of one type."""
    if kind == "L":
        return {"L": [value(dice, depth - 1) for _ in range(dice.randrange(4))]}
    if kind == "M":
        names = dice.sample(NAMES, dice.randrange(4))
        return {"M": {name: value(dice, depth - 1) for name in names}}
    if kind in _SETS:
        return {kind: _members(dice, kind[0])}
    return {kind: _scalar(dice, kind)}


def key_value(dice: Random, kind: str) -> dict[str, Any]:
    """A value for a key: never empty, and one of few."""
    if kind == "N":
        return {"N": dice.choice(("0", "1", "2", "10", "-1", "0.5", "100"))}
    if kind == "B":
        return {"B": _encoded(dice.choice((b"a", b"ab", b"b", b"\x00", b"\xff")))}
    return {"S": dice.choice(("a", "ab", "b", "B", "é", "10", "9"))}


def attributes(dice: Random) -> dict[str, Any]:
    """Attributes that are no keys."""
    return {name: value(dice) for name in dice.sample(NAMES, dice.randrange(len(NAMES)))}


def _scalar(dice: Random, kind: str) -> Any:
    if kind == "S":
        return dice.choice(_STRINGS)
    if kind == "N":
        return dice.choice(_NUMBERS)
    if kind == "B":
        return _encoded(dice.choice(_BINARIES))
    return True if kind == "NULL" else dice.random() < 0.5


def _members(dice: Random, kind: str) -> list[str]:
    # Numbers in their plain form: most peers compare the members of a set by their text.
    domain = {
        "S": ("x", "xy", "é", "10"),
        "N": ("0", "1", "2.5", "-10"),
        "B": tuple(_encoded(content) for content in (b"x", b"\x00", b"\xff")),
    }[kind]
    return dice.sample(domain, dice.randint(1, len(domain)))


def _encoded(content: bytes) -> str:
    return base64.b64encode(content).decode()
