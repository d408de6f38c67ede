"""Attribute values as boto3's client has them: ``{"S": "x"}``, ``{"N": "1"}``, ``{"B": b"…"}``.

``clean`` is the one pass over what a caller sends: it checks, makes numbers canonical and measures.
Behind it every value is canonical, so that equal scalars are equal Python values.

Items are stored as the JSON that HTTP carries, with binary values in base64. An item that has some
is written with a space in front, which JSON allows: reading then knows without looking whether
there is anything to decode.
"""

from __future__ import annotations

import binascii
from base64 import b64decode, b64encode
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from decimal import Decimal
from functools import lru_cache
from itertools import repeat
from typing import Any, TypeAlias, overload

import orjson

from gotgan.store.engine import numbers
from gotgan.store.engine.faults import SerializationException, ValidationException, invalid_value

AttributeValue: TypeAlias = dict[str, Any]
Item: TypeAlias = dict[str, AttributeValue]

MAX_NAME_BYTES = 65535
MAX_DEPTH = 31  # containers within one another; the item itself is the 32nd level
_CONTAINER_OVERHEAD = 3  # bytes of a map or list, beside one for each element
_BINARY_MARK = b" "
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
        raise _type_mismatch("a map of attribute values", item)
    total = _names_size(tuple(item))
    cleaned: Item = {}
    for name, value in item.items():
        cleaned[name] = value
        # Most values are strings and natural numbers: they need less than ``clean``.
        is_single = type(value) is dict and len(value) == 1
        if is_single and type(text := value.get("S")) is str:
            total += len(text) if text.isascii() else _utf8_length(text)
        elif is_single and type(text := value.get("N")) is str and numbers.is_natural(text):
            total += numbers.natural_byte_count(text)
        else:
            cleaned[name], size = clean(value, depth)
            total += size
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
            "Supplied AttributeValue is empty, must contain exactly one of the supported datatypes"
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
    """Whether two canonical values are the same; the order within a set does not count."""
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
    """Whether left sorts before right; None where the two cannot be ordered."""
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
        raise _type_mismatch("an attribute value", value)
    members = {kind: content for kind, content in value.items() if content is not None}
    if len(members) > 1:
        raise ValidationException(
            "Supplied AttributeValue has more than one datatypes set, must contain exactly one of"
            " the supported datatypes"
        )
    return members or {"": None}


def _clean_string(value: AttributeValue, content: Any, _depth: int) -> tuple[AttributeValue, int]:
    if not isinstance(content, str):
        raise _type_mismatch("a string for S", content)
    return value, _utf8_length(content)


def _clean_number(value: AttributeValue, content: Any, _depth: int) -> tuple[AttributeValue, int]:
    text = _canonical_number(content)
    return (value if text is content else {"N": text}), numbers.byte_count(text)


def _clean_binary(value: AttributeValue, content: Any, _depth: int) -> tuple[AttributeValue, int]:
    data = _bytes(content)
    return (value if data is content else {"B": data}), len(data)


def _clean_bool(value: AttributeValue, content: Any, _depth: int) -> tuple[AttributeValue, int]:
    if not isinstance(content, bool):
        raise _type_mismatch("true or false for BOOL", content)
    return value, 1


def _clean_null(value: AttributeValue, content: Any, _depth: int) -> tuple[AttributeValue, int]:
    if not isinstance(content, bool):
        raise _type_mismatch("true for NULL", content)
    if not content:
        raise invalid_value("Null attribute value types must have the value of true")
    return value, 1


def _clean_map(_value: AttributeValue, content: Any, depth: int) -> tuple[AttributeValue, int]:
    cleaned, size = clean_item(content, _next_depth(depth))
    return {"M": cleaned}, size + _CONTAINER_OVERHEAD + len(cleaned)


def _clean_list(_value: AttributeValue, content: Any, depth: int) -> tuple[AttributeValue, int]:
    depth = _next_depth(depth)
    pairs = [clean(element, depth) for element in _sequence(content)]
    size = sum(size for _, size in pairs) + _CONTAINER_OVERHEAD + len(pairs)
    return {"L": [element for element, _ in pairs]}, size


def _clean_set(kind: str, element: Callable[[Any], Any]) -> Callable[..., Any]:
    """Make the cleaner of one set type."""

    def cleaner(_value: AttributeValue, content: Any, _depth: int) -> tuple[AttributeValue, int]:
        members = [element(member) for member in _sequence(content)]
        if not members:
            raise invalid_value(f"{_EMPTY_SETS[kind]}")
        if len(set(members)) != len(members):
            raise invalid_value(f"{_duplicates_text(kind, members)}")
        return {kind: members}, _SIZES[kind](members)

    return cleaner


def _duplicates_text(kind: str, members: list[Any]) -> str:
    if kind == "NS":
        return "Input collection contains duplicates"
    if kind == "SS":
        return f"Input collection [{', '.join(members)}] contains duplicates."
    encoded = ", ".join(b64encode(member).decode() for member in members)
    return f"Input collection [{encoded}]of type BS contains duplicates."


def _string(content: Any) -> str:
    if not isinstance(content, str):
        raise _type_mismatch("a string", content)
    return content


def _bytes(content: Any) -> bytes:
    if isinstance(content, bytes):
        return content
    if isinstance(content, bytearray | memoryview):
        return bytes(content)
    raw = getattr(content, "value", None)  # boto3.dynamodb.types.Binary
    if isinstance(raw, bytes | bytearray):
        return bytes(raw)
    raise _type_mismatch("bytes for B", content)


def _canonical_number(content: Any) -> str:
    if not isinstance(content, str):
        raise _type_mismatch("a number written as a string for N", content)
    return numbers.canonical(content)


def _sequence(content: Any) -> list[Any] | tuple[Any, ...]:
    if not isinstance(content, list | tuple):
        raise _type_mismatch("a list", content)
    return content


def _next_depth(depth: int) -> int:
    if depth >= MAX_DEPTH:
        raise ValidationException(
            "Nesting Levels have exceeded supported limits: Attributes in the item have nested"
            " levels beyond supported limit"
        )
    return depth + 1


@lru_cache(maxsize=1024)  # the items of a table have few combinations of names
def _names_size(names: tuple[str, ...]) -> int:
    return sum(map(_name_size, names))


@lru_cache(maxsize=1024)  # a table has few names
def _name_size(name: str) -> int:
    if not isinstance(name, str):
        raise _type_mismatch("a string as an attribute's name", name)
    if not name:
        raise ValidationException("Empty attribute name")
    size = _utf8_length(name)
    if size > MAX_NAME_BYTES:
        raise invalid_value(f"An attribute name may not have more than {MAX_NAME_BYTES} bytes")
    return size


def _type_mismatch(what: str, content: object) -> SerializationException:
    return SerializationException(f"Expected {what}, but got {type(content).__name__}")


def _utf8_length(text: str) -> int:
    if text.isascii():
        return len(text)
    try:
        return len(text.encode())
    except UnicodeEncodeError as error:
        raise ValidationException(f"A string is not valid Unicode text: {error.reason}") from error


_SIZES: dict[str, Callable[[Any], int]] = {
    "S": _utf8_length,
    "N": numbers.byte_count,
    "B": len,
    "BOOL": lambda _content: 1,
    "NULL": lambda _content: 1,
    "SS": lambda members: sum(map(_utf8_length, members)),
    "NS": lambda members: sum(map(numbers.byte_count, members)),
    "BS": lambda members: sum(map(len, members)),
    "M": lambda content: size_of_item(content) + _CONTAINER_OVERHEAD + len(content),
    "L": lambda content: sum(map(size_of, content)) + _CONTAINER_OVERHEAD + len(content),
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


def dump_item(item: Item) -> bytes:
    """Write an item as the JSON that DynamoDB's protocol has for it."""
    binary = []

    def base64(content: Any) -> str:
        binary.append(content)
        return b64encode(content).decode("ascii")

    try:
        raw = orjson.dumps(item, default=base64)
    except orjson.JSONEncodeError as error:
        raise ValidationException(f"The item cannot be written as JSON: {error}") from error
    return _BINARY_MARK + raw if binary else raw


def load_item(raw: bytes) -> Item:
    """Read an item."""
    item: Item = orjson.loads(raw)
    return _decode_item(item) if raw.startswith(_BINARY_MARK) else item


def load_items(raws: Sequence[bytes]) -> list[Item]:
    """Read many items, without a call of ours for each."""
    items: list[Item] = list(map(orjson.loads, raws))
    if min(raws, default=b"{") >= b"{":  # the mark sorts before it
        return items
    return [
        _decode_item(item) if raw.startswith(_BINARY_MARK) else item
        for item, raw in zip(items, raws, strict=True)
    ]


class StoredItems(Sequence[Item]):
    """The items of a page, each read from its JSON when it is looked at."""

    __slots__ = ("_damaged", "raws")

    def __init__(self, raws: Sequence[bytes], damaged: Callable[[Exception], Exception]) -> None:
        """``damaged`` makes the error of an item that cannot be read."""
        self.raws = raws
        self._damaged = damaged

    def __len__(self) -> int:
        return len(self.raws)

    def __iter__(self) -> Iterator[Item]:
        has_binary = min(self.raws, default=b"{") < b"{"  # the mark sorts before it
        try:
            yield from map(load_item if has_binary else orjson.loads, self.raws)
        except (orjson.JSONDecodeError, binascii.Error) as error:
            raise self._damaged(error) from error

    @overload
    def __getitem__(self, place: int) -> Item: ...
    @overload
    def __getitem__(self, place: slice) -> Sequence[Item]: ...
    def __getitem__(self, place: int | slice) -> Item | Sequence[Item]:
        if isinstance(place, slice):
            return StoredItems(self.raws[place], self._damaged)
        [item] = StoredItems([self.raws[place]], self._damaged)
        return item

    def __eq__(self, other: object) -> bool:
        return list(self) == list(other) if isinstance(other, Sequence) else NotImplemented

    __hash__ = None  # type: ignore[assignment]


def raws_of(items: Iterable[Item]) -> Iterable[bytes | None]:
    """The JSON of each item, where it is at hand."""
    return items.raws if isinstance(items, StoredItems) else repeat(None)


def _decode_item(item: Item) -> Item:
    return {name: _decode_binary(value) for name, value in item.items()}


def _decode_binary(value: AttributeValue) -> AttributeValue:
    [(kind, content)] = value.items()
    if kind == "B":
        return {"B": b64decode(content)}
    if kind == "BS":
        return {"BS": [b64decode(member) for member in content]}
    if kind == "L":
        return {"L": [_decode_binary(element) for element in content]}
    if kind == "M":
        return {"M": {name: _decode_binary(member) for name, member in content.items()}}
    return value
