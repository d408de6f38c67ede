"""Items as a person reads them, and as any JSON can hold them."""

from __future__ import annotations

from base64 import b64encode
from collections.abc import Callable
from decimal import Decimal
from typing import Any, Final

from gotgan.store.attributes import AttributeValue, Item

__all__ = ["readable", "readable_number"]


def readable(item: Item) -> dict[str, Any]:
    """An item as plain JSON values: sets as lists, bytes as base64."""
    return {name: _value(value) for name, value in item.items()}


def readable_number(text: str) -> int | float | str:
    """A number where JSON's readers keep all of its digits, and its text where they would not."""
    number = Decimal(text)
    if number == number.to_integral_value():
        return int(number)
    return float(text) if Decimal(repr(float(text))) == number else text


def _value(value: AttributeValue) -> Any:
    [(kind, content)] = value.items()
    reader = _READERS.get(kind)
    return content if reader is None else reader(content)


def _base64(content: bytes) -> str:
    return b64encode(content).decode("ascii")


_READERS: Final[dict[str, Callable[[Any], Any]]] = {
    "N": readable_number,
    "NS": lambda texts: [readable_number(text) for text in texts],
    "B": _base64,
    "BS": lambda members: [_base64(member) for member in members],
    "NULL": lambda _: None,
    "L": lambda elements: [_value(element) for element in elements],
    "M": readable,
}
