"""The item and the values that the tables of these tests speak of."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from gotgan.store.engine.expressions.parser import (
    check_values,
    parse_condition,
    parse_update,
)
from gotgan.store.engine.values import Item

__all__ = ["ITEM", "NAMES", "VALUES", "changed", "holds"]

ITEM: Item = {
    "pk": {"S": "k"},
    "s": {"S": "abc"},
    "wide": {"S": "é日😀"},
    "n": {"N": "5"},
    "bin": {"B": b"abc"},
    "yes": {"BOOL": True},
    "nothing": {"NULL": True},
    "ss": {"SS": ["a", "b"]},
    "ns": {"NS": ["1", "2"]},
    "bs": {"BS": [b"x", b"y"]},
    "l": {"L": [{"S": "x"}, {"N": "1"}, {"M": {"deep": {"S": "y"}}}]},
    "m": {"M": {"x": {"S": "q"}, "parts": {"L": [{"N": "7"}]}, "name": {"S": "z"}}},
}

NAMES: Mapping[str, str] = {"#s": "s", "#m": "m", "#name": "name", "#odd": "a.b c"}

VALUES: Mapping[str, dict[str, Any]] = {
    ":a": {"S": "a"},
    ":ab": {"S": "ab"},
    ":abc": {"S": "abc"},
    ":b": {"S": "b"},
    ":x": {"S": "x"},
    ":one": {"N": "1"},
    ":three": {"N": "3"},
    ":four": {"N": "4"},
    ":five": {"N": "5"},
    ":nine": {"N": "9"},
    ":ten": {"N": "10"},
    ":bytes": {"B": b"ab"},
    ":true": {"BOOL": True},
    ":null": {"NULL": True},
    ":ba": {"SS": ["b", "a"]},
    ":justa": {"SS": ["a"]},
    ":ones": {"NS": ["1"]},
    ":xs": {"BS": [b"x"]},
    ":list": {"L": [{"S": "new"}]},
    ":empty": {"L": []},
    ":map": {"M": {"x": {"S": "q"}}},
    ":S": {"S": "S"},
    ":N": {"S": "N"},
    ":B": {"S": "B"},
    ":SS": {"S": "SS"},
    ":NS": {"S": "NS"},
    ":BS": {"S": "BS"},
    ":L": {"S": "L"},
    ":M": {"S": "M"},
    ":BOOL": {"S": "BOOL"},
    ":NULL": {"S": "NULL"},
}


def holds(text: str, item: Item | None = ITEM) -> bool:
    """Say whether a condition holds for the item."""
    condition = parse_condition(text, NAMES)
    check_values(condition, VALUES)
    return condition.test(item or {}, VALUES)


def changed(text: str, item: Item = ITEM) -> Item:
    """Give what an update makes of the item."""
    update = parse_update(text, NAMES)
    check_values(update, VALUES)
    return update.plan.run(item, VALUES)
