"""Between plain Python values and DynamoDB's attribute values."""

from __future__ import annotations

import re
from collections.abc import Mapping
from decimal import Decimal
from typing import Any

__all__ = ["given", "item", "plain", "plain_value", "used", "value", "weighing"]

Shape = dict[str, Any]


def value(python: object) -> Shape:
    """The attribute value that holds this Python value."""
    held: Any = python
    match python:
        case None:
            kind, held = "NULL", True
        case bool():
            kind = "BOOL"
        case str():
            kind = "S"
        case int() | Decimal():
            kind, held = "N", str(python)
        case bytes():
            kind = "B"
        case list():
            kind, held = "L", [value(element) for element in python]
        case dict():
            kind, held = "M", item(python)
        case set() | frozenset():
            kind, held = _set(python)
        case _:
            raise TypeError(f"no attribute value holds {python!r}")
    return {kind: held}


def _set(python: set[Any] | frozenset[Any]) -> tuple[str, list[Any]]:
    shapes = [value(element) for element in sorted(python)]
    (kind,) = {kind for shape in shapes for kind in shape}
    return f"{kind}S", [shape[kind] for shape in shapes]


def item(attributes: Mapping[str, object] | None = None, /, **more: object) -> Shape:
    """An item (or a key) of these attributes."""
    return {name: value(python) for name, python in {**(attributes or {}), **more}.items()}


def plain_value(shape: Shape) -> Any:
    """The Python value that an attribute value holds; numbers become Decimal."""
    ((kind, held),) = shape.items()
    match kind:
        case "N":
            held = Decimal(held)
        case "NULL":
            held = None
        case "M":
            held = plain(held)
        case "L":
            held = [plain_value(element) for element in held]
        case "SS" | "BS":
            held = set(held)
        case "NS":
            held = {Decimal(element) for element in held}
    return held


def plain(attributes: Mapping[str, Shape]) -> dict[str, Any]:
    """An item as a dictionary of Python values."""
    return {name: plain_value(shape) for name, shape in attributes.items()}


def given(names: Mapping[str, str] | None = None, /, **values: object) -> dict[str, Any]:
    """The request's members that explain an expression: ``given({"#n": "name"}, v=1)``."""
    members: dict[str, Any] = {}
    if names:
        members["ExpressionAttributeNames"] = dict(names)
    if values:
        members["ExpressionAttributeValues"] = {f":{key}": value(v) for key, v in values.items()}
    return members


def used(expression: str, values: Mapping[str, object]) -> dict[str, Any]:
    """The members for those of the values that the expression speaks of."""
    spoken = dict.fromkeys(re.findall(r":(\w+)", expression))
    return given(**{name: values[name] for name in spoken if name in values})


def weighing(size: int, **text: str) -> Shape:
    """An item of these strings that weighs so many bytes: names and UTF-8 values, padded in v."""
    weight = sum(len(name) + len(held.encode()) for name, held in text.items()) + len("v")
    return item(text, v="x" * (size - weight))
