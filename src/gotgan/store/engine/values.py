"""Attribute values as boto3's client has them: ``{"S": "x"}``, ``{"N": "1"}``, ``{"B": b"…"}``.

``clean`` is the one pass over what a caller sends: it checks, makes numbers canonical and measures.
Behind it every value is canonical, so that equal scalars are equal Python values.
"""

from __future__ import annotations

from base64 import b64encode
from collections.abc import Callable, Mapping
from decimal import Decimal
from functools import lru_cache
from typing import Any, TypeAlias

from gotgan.store.engine import numbers
from gotgan.store.engine.faults import SerializationException, ValidationException

__all__ = [
    "AttributeValue",
    "Item",
    "clean",
    "clean_item",
    "equal",
    "less",
    "size_of",
    "size_of_item",
    "type_of",
]

AttributeValue: TypeAlias = dict[str, Any]
Item: TypeAlias = dict[str, AttributeValue]

MAX_NAME_BYTES = 65535
MAX_DEPTH = 31  # containers within one another; the item itself is the 32nd level
_CONTAINER_OVERHEAD = 3
_ELEMENT_OVERHEAD = 1
_INVALID = "One or more parameter values were invalid: "
_EMPTY_SETS = {
    "SS": "An string set  may not be empty",
    "NS": "An number set  may not be empty",
    "BS": "Binary sets should not be empty",
}


def type_of(value: Mapping[str, Any]) -> str:
    """Return the type's name: S, N, B, SS, NS, BS, M, L, BOOL or NULL."""
    return next(iter(value))


def clean_item(item: Mapping[str, Any], depth: int = 0) -> tuple[Item, int]:
    """Check an item or map; return it in canonical form with its size in bytes."""
    if type(item) is not dict and not isinstance(item, Mapping):
        raise SerializationException(_expected("a map of attribute values", item))
    total = 0
    cleaned: Item = {}
    for name, value in item.items():
        if type(value) is dict and len(value) == 1 and type(text := value.get("S")) is str:
            cleaned[name] = value  # most values are strings: they need no further call
            size = len(text) if text.isascii() else _utf8_length(text)
        else:
            cleaned[name], size = clean(value, depth)
        total += _name_size(name) + size
    return cleaned, total


def clean(value: Any, depth: int = 0) -> tuple[AttributeValue, int]:
    """Check one attribute value; return it in canonical form with its size in bytes."""
    if type(value) is not dict or len(value) != 1:
        value = _single_member(value)
    [(kind, content)] = value.items()
    if content is None:
        kind = ""  # as if it were not there
    cleaner = _CLEANERS.get(kind)
    if cleaner is None:
        raise ValidationException(
            "Supplied AttributeValue is empty, must contain exactly one of the supported datatypes",
        )
    return cleaner(value, content, depth)


def size_of_item(item: Item) -> int:
    """Measure a canonical item as DynamoDB bills it."""
    return sum(_utf8_length(name) + size_of(value) for name, value in item.items())


def size_of(value: AttributeValue) -> int:
    """Measure a canonical value as DynamoDB bills it."""
    [(kind, content)] = value.items()
    return _SIZES[kind](content)


def equal(left: AttributeValue, right: AttributeValue) -> bool:
    """Say whether two canonical values are the same; the order within a set does not count."""
    if left == right:
        return True
    [(kind, mine)] = left.items()
    if kind not in right:
        return False
    theirs = right[kind]
    if kind in {"SS", "NS", "BS"}:
        return len(mine) == len(theirs) and set(mine) == set(theirs)
    if kind == "L":
        return len(mine) == len(theirs) and all(map(equal, mine, theirs))
    if kind == "M":
        return mine.keys() == theirs.keys() and all(equal(mine[k], theirs[k]) for k in mine)
    return False


def less(left: AttributeValue, right: AttributeValue) -> bool | None:
    """Say whether left sorts before right; None where the two cannot be ordered."""
    [(kind, mine)] = left.items()
    if kind not in right or kind not in {"S", "N", "B"}:
        return None
    theirs = right[kind]
    if kind == "N":
        return Decimal(mine) < Decimal(theirs)
    # Code points and UTF-8 bytes sort alike, so strings need no encoding here.
    return bool(mine < theirs)


def _single_member(value: Any) -> dict[str, Any]:
    """Accept any mapping with exactly one member that is not None, as boto3 does."""
    if not isinstance(value, Mapping):
        raise SerializationException(_expected("an attribute value", value))
    members = {kind: content for kind, content in value.items() if content is not None}
    if len(members) > 1:
        raise ValidationException(
            "Supplied AttributeValue has more than one datatypes set, must contain exactly one of"
            " the supported datatypes",
        )
    return members or {"": None}


def _clean_string(value: AttributeValue, content: Any, _depth: int) -> tuple[AttributeValue, int]:
    if not isinstance(content, str):
        raise SerializationException(_expected("a string for S", content))
    return value, _utf8_length(content)


def _clean_number(value: AttributeValue, content: Any, _depth: int) -> tuple[AttributeValue, int]:
    text = _canonical_number(content)
    return (value if text is content else {"N": text}), numbers.byte_count(text)


def _clean_binary(value: AttributeValue, content: Any, _depth: int) -> tuple[AttributeValue, int]:
    data = _bytes(content)
    return (value if data is content else {"B": data}), len(data)


def _clean_bool(value: AttributeValue, content: Any, _depth: int) -> tuple[AttributeValue, int]:
    if not isinstance(content, bool):
        raise SerializationException(_expected("true or false for BOOL", content))
    return value, 1


def _clean_null(value: AttributeValue, content: Any, _depth: int) -> tuple[AttributeValue, int]:
    if not isinstance(content, bool):
        raise SerializationException(_expected("true for NULL", content))
    if not content:
        raise ValidationException(
            _INVALID + "Null attribute value types must have the value of true",
        )
    return value, 1


def _clean_map(_value: AttributeValue, content: Any, depth: int) -> tuple[AttributeValue, int]:
    depth = _one_deeper(depth)
    cleaned, size = clean_item(content, depth)
    return {"M": cleaned}, size + _CONTAINER_OVERHEAD + _ELEMENT_OVERHEAD * len(cleaned)


def _clean_list(_value: AttributeValue, content: Any, depth: int) -> tuple[AttributeValue, int]:
    depth = _one_deeper(depth)
    pairs = [clean(element, depth) for element in _sequence(content)]
    size = sum(size for _, size in pairs) + _CONTAINER_OVERHEAD + _ELEMENT_OVERHEAD * len(pairs)
    return {"L": [element for element, _ in pairs]}, size


def _clean_set(kind: str, element: Callable[[Any], Any]) -> Callable[..., Any]:
    """Make the cleaner of one set type."""

    def cleaner(_value: AttributeValue, content: Any, _depth: int) -> tuple[AttributeValue, int]:
        members = [element(member) for member in _sequence(content)]
        if not members:
            raise ValidationException(f"{_INVALID}{_EMPTY_SETS[kind]}")
        if len(set(members)) != len(members):
            raise ValidationException(f"{_INVALID}{_duplicates(kind, members)}")
        return {kind: members}, _SIZES[kind](members)

    return cleaner


def _duplicates(kind: str, members: list[Any]) -> str:
    if kind == "NS":
        return "Input collection contains duplicates"
    if kind == "SS":
        return f"Input collection [{', '.join(members)}] contains duplicates."
    shown = ", ".join(b64encode(member).decode() for member in members)
    return f"Input collection [{shown}]of type BS contains duplicates."


def _string(content: Any) -> str:
    if not isinstance(content, str):
        raise SerializationException(_expected("a string", content))
    return content


def _bytes(content: Any) -> bytes:
    if isinstance(content, bytes):
        return content
    if isinstance(content, bytearray | memoryview):
        return bytes(content)
    raw = getattr(content, "value", None)  # boto3.dynamodb.types.Binary
    if isinstance(raw, bytes | bytearray):
        return bytes(raw)
    raise SerializationException(_expected("bytes for B", content))


def _canonical_number(content: Any) -> str:
    if not isinstance(content, str):
        raise SerializationException(_expected("a number written as a string for N", content))
    return numbers.canonical(content)


def _sequence(content: Any) -> list[Any] | tuple[Any, ...]:
    if not isinstance(content, list | tuple):
        raise SerializationException(_expected("a list", content))
    return content


def _one_deeper(depth: int) -> int:
    if depth >= MAX_DEPTH:
        raise ValidationException(
            "Nesting Levels have exceeded supported limits: Attributes in the item have nested"
            " levels beyond supported limit",
        )
    return depth + 1


@lru_cache(maxsize=1024)  # the same few names come again and again
def _name_size(name: str) -> int:
    if not isinstance(name, str):
        raise SerializationException(_expected("a string as an attribute's name", name))
    if not name:
        raise ValidationException("Empty attribute name")
    size = _utf8_length(name)
    if size > MAX_NAME_BYTES:
        raise ValidationException(
            f"{_INVALID}An attribute name may not have more than {MAX_NAME_BYTES} bytes",
        )
    return size


def _expected(what: str, content: object) -> str:
    return f"Expected {what}, but got {type(content).__name__}"


def _utf8_length(text: str) -> int:
    if text.isascii():
        return len(text)
    try:
        return len(text.encode())
    except UnicodeEncodeError as error:
        raise ValidationException(f"A string is not valid Unicode text: {error.reason}") from error


def _map_size(content: Item) -> int:
    return size_of_item(content) + _CONTAINER_OVERHEAD + _ELEMENT_OVERHEAD * len(content)


def _list_size(content: list[AttributeValue]) -> int:
    return sum(map(size_of, content)) + _CONTAINER_OVERHEAD + _ELEMENT_OVERHEAD * len(content)


def _one(_content: bool) -> int:  # noqa: FBT001 - the shape of every size function
    return 1


_SIZES: dict[str, Callable[[Any], int]] = {
    "S": _utf8_length,
    "N": numbers.byte_count,
    "B": len,
    "BOOL": _one,
    "NULL": _one,
    "SS": lambda members: sum(map(_utf8_length, members)),
    "NS": lambda members: sum(map(numbers.byte_count, members)),
    "BS": lambda members: sum(map(len, members)),
    "M": _map_size,
    "L": _list_size,
}

_CLEANERS: dict[str, Callable[[AttributeValue, Any, int], tuple[AttributeValue, int]]] = {
    "S": _clean_string,
    "N": _clean_number,
    "B": _clean_binary,
    "BOOL": _clean_bool,
    "NULL": _clean_null,
    "SS": _clean_set("SS", _string),
    "NS": _clean_set("NS", _canonical_number),
    "BS": _clean_set("BS", _bytes),
    "M": _clean_map,
    "L": _clean_list,
}
