"""Between plain Python values and DynamoDB's attribute values."""

from __future__ import annotations

from collections.abc import Mapping
from decimal import Decimal
from typing import Any

__all__ = ["given", "item", "plain", "plain_value", "value", "weighing"]

Shape = dict[str, Any]


def value(python: object) -> Shape:
    """The attribute value that holds this Python value."""
    match python:
        case None:
            return {"NULL": True}
        case bool():
            return {"BOOL": python}
        case str():
            return {"S": python}
        case int() | Decimal():
            return {"N": str(python)}
        case bytes():
            return {"B": python}
        case list():
            return {"L": [value(element) for element in python]}
        case dict():
            return {"M": item(python)}
        case set() | frozenset():
            return _set(python)
    raise TypeError(f"no attribute value holds {python!r}")


def _set(python: set[Any] | frozenset[Any]) -> Shape:
    shapes = [value(element) for element in sorted(python)]
    (kind,) = {kind for shape in shapes for kind in shape}
    return {f"{kind}S": [shape[kind] for shape in shapes]}


def item(attributes: Mapping[str, object] | None = None, /, **more: object) -> Shape:
    """An item (or a key) of these attributes."""
    return {name: value(python) for name, python in {**(attributes or {}), **more}.items()}


def plain_value(shape: Shape) -> Any:
    """The Python value that an attribute value holds; numbers become Decimal."""
    ((kind, held),) = shape.items()
    match kind:
        case "N":
            return Decimal(held)
        case "NULL":
            return None
        case "M":
            return plain(held)
        case "L":
            return [plain_value(element) for element in held]
        case "SS" | "BS":
            return set(held)
        case "NS":
            return {Decimal(element) for element in held}
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


def weighing(size: int, **text: str) -> Shape:
    """An item of these strings that weighs so many bytes: names and UTF-8 values, padded in v."""
    weight = sum(len(name) + len(held.encode()) for name, held in text.items()) + len("v")
    return item(text, v="x" * (size - weight))
