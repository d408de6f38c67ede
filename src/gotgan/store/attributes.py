"""Python values as DynamoDB's attribute values, and back; numbers never pass through a float."""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping, Sequence
from collections.abc import Set as AbstractSet
from datetime import date, datetime
from decimal import Decimal
from enum import Enum
from typing import Any, Final, TypeAlias
from uuid import UUID

from pydantic import BaseModel

from gotgan.clock import utc_iso
from gotgan.errors import UsageError

AttributeValue: TypeAlias = dict[str, Any]
Item: TypeAlias = dict[str, AttributeValue]
KeyValue: TypeAlias = str | int | Decimal | bytes


def encode(value: Any) -> AttributeValue:
    """The attribute value that holds a Python value."""
    writer = _WRITERS.get(type(value))
    if writer is None:  # a type that is only known by its ancestors
        writer = next((each for kind, each in _KINDS if isinstance(value, kind)), None)
    if writer is None:
        kind = type(value).__name__
        raise UsageError(f"a {kind} cannot be stored; turn it into text or a mapping")
    return writer(value)


def decode(value: AttributeValue) -> Any:
    """The Python value that an attribute value holds; a whole number is an int."""
    text = value.get("S")
    if text is not None:  # as most are
        return text
    [(kind, content)] = value.items()
    reader = _READERS.get(kind)
    return content if reader is None else reader(content)


def content_reader(kind: str) -> Callable[[Any], Any]:
    """What makes a Python value of the content of an attribute value of this type."""
    return _READERS.get(kind, _same)


def _same(content: Any) -> Any:
    return content


def _elements(values: list[AttributeValue]) -> list[Any]:
    return [value["S"] if "S" in value else decode(value) for value in values]


def decode_item(item: Item) -> dict[str, Any]:
    """A whole item as Python values."""
    return {name: decode(value) for name, value in item.items()}


def same_value(left: AttributeValue, right: AttributeValue) -> bool:
    """Whether two values are one: DynamoDB gives 1.50 back as 1.5, and sets in any order."""
    return left.keys() == right.keys() and bool(decode(left) == decode(right))


def plain_value(value: Any) -> Any:
    """A value in the form that keys and templates are made of: text, number or bytes."""
    if type(value) is str:
        return value
    if isinstance(value, Enum):
        return value.value
    if isinstance(value, datetime):
        return _moment(value)
    if isinstance(value, date):
        return value.isoformat()
    return str(value) if isinstance(value, UUID) else value


def _number(text: str) -> int | Decimal:
    try:
        return int(text)
    except ValueError:
        return Decimal(text)


def _float(value: float) -> AttributeValue:
    if not math.isfinite(value):
        raise UsageError(f"{value} is no number that can be stored")
    return _decimal(Decimal(repr(value)))


def _decimal(value: Decimal) -> AttributeValue:
    if not value.is_finite():
        raise UsageError(f"{value} is no number that can be stored")
    return {"N": str(value)}


def _moment(value: datetime) -> str:
    """Whole seconds as stamps write them; a part of a second is kept, at full width."""
    whole = utc_iso(value)
    return f"{whole[:-1]}.{value.microsecond:06d}Z" if value.microsecond else whole


def _set(values: AbstractSet[Any]) -> AttributeValue:
    members = [encode(value) for value in values]
    kinds = {next(iter(member)) for member in members}
    if len(kinds) != 1 or not kinds <= {"S", "N", "B"}:
        raise UsageError("a set holds texts, or numbers, or bytes, and at least one of them")
    [kind] = kinds
    contents = [member[kind] for member in members]
    return {f"{kind}S": sorted(contents, key=Decimal if kind == "N" else None)}


def _list(values: Sequence[Any]) -> AttributeValue:
    return {"L": [encode(value) for value in values]}


def _map(values: Mapping[str, Any]) -> AttributeValue:
    return {"M": {name: encode(value) for name, value in values.items()}}


_WRITERS: Final[dict[type, Callable[[Any], AttributeValue]]] = {
    str: lambda value: {"S": value},
    bool: lambda value: {"BOOL": value},
    int: lambda value: {"N": str(value)},
    float: _float,
    Decimal: _decimal,
    bytes: lambda value: {"B": value},
    type(None): lambda _: {"NULL": True},
    list: _list,
    tuple: _list,
    dict: _map,
    set: _set,
    frozenset: _set,
}
_KINDS: Final[list[tuple[Any, Callable[[Any], AttributeValue]]]] = [
    (Enum, lambda value: encode(value.value)),
    (datetime, lambda value: {"S": _moment(value)}),
    (date, lambda value: {"S": value.isoformat()}),
    (UUID, lambda value: {"S": str(value)}),
    (BaseModel, lambda value: _map(value.model_dump())),
    (str, lambda value: {"S": str(value)}),
    (int, lambda value: {"N": str(int(value))}),
    (float, lambda value: _float(float(value))),
    (Decimal, _decimal),
    (bytes | bytearray | memoryview, lambda value: {"B": bytes(value)}),
    (Mapping, _map),
    (AbstractSet, _set),
    (Sequence, _list),
]
_READERS: Final[dict[str, Callable[[Any], Any]]] = {
    "N": _number,
    "NULL": lambda _: None,
    "L": _elements,
    "M": decode_item,
    "SS": frozenset,
    "NS": lambda texts: frozenset(map(_number, texts)),
    "BS": frozenset,
}
