"""Keys as bytes that sort as DynamoDB sorts: what SQLite's B-trees compare.

A partition key is stored behind four bytes of its CRC-32. So a Scan comes in the order of hashes,
as it does on AWS, and a segment of a parallel scan is one contiguous range.

A key of one attribute is its value's bytes. Several attributes are stored one behind the other,
each with its zero bytes escaped and an end mark: this keeps their order, no two keys share their
bytes, and the keys that begin with the same values are one contiguous range.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from struct import Struct
from typing import Any, Literal, NamedTuple, TypeAlias
from zlib import crc32

from gotgan.store.engine import numbers
from gotgan.store.engine.faults import KeyMismatch, ValidationException
from gotgan.store.engine.values import AttributeValue, Item, clean, type_of

KeyType: TypeAlias = Literal["S", "N", "B"]

MAX_HASH_BYTES = 2048
MAX_RANGE_BYTES = 1024
_HASH_BYTES = 4
_HASH_SPACE = 1 << 32
NO_SUCH_KEY = "The provided key element does not match the schema"
_pack_hash = Struct(">I").pack
_INVALID = "One or more parameter values were invalid: "
_END_MARK = b"\x00\x00"
_ESCAPED_ZERO = b"\x00\xff"  # sorts behind an end mark, so that a longer value follows its prefix


@dataclass(frozen=True, slots=True)
class KeySchemaElement:
    """One attribute of a key: its name and its type."""

    name: str
    type: KeyType


@dataclass(frozen=True)
class KeySchema:
    """A partition key and, perhaps, a sort key; in a global index each may have more attributes."""

    hash: KeySchemaElement
    range: KeySchemaElement | None = None
    more_hash: tuple[KeySchemaElement, ...] = ()
    more_range: tuple[KeySchemaElement, ...] = ()

    @cached_property
    def partition(self) -> tuple[KeySchemaElement, ...]:
        """The attributes of the partition key."""
        return (self.hash, *self.more_hash)

    @cached_property
    def sort(self) -> tuple[KeySchemaElement, ...]:
        """The attributes of the sort key."""
        return () if self.range is None else (self.range, *self.more_range)

    @cached_property
    def attributes(self) -> tuple[KeySchemaElement, ...]:
        """All attributes, partition key first."""
        return (*self.partition, *self.sort)

    @cached_property
    def has_multiple(self) -> bool:
        """Whether the partition key or the sort key has several attributes."""
        return bool(self.more_hash or self.more_range)

    @cached_property
    def names(self) -> tuple[str, ...]:
        """The attributes' names, partition key first."""
        return tuple(attribute.name for attribute in self.attributes)


class IndexKeyMismatch(KeyMismatch):
    """A value does not fit the key of an index; ``of_update`` says so of an update's value."""

    def __init__(self, message: str, of_update: str) -> None:
        super().__init__(message)
        self.of_update = of_update


class EncodedKey(NamedTuple):
    """A key as the columns hold it; a key without a sort part has an empty one."""

    hash: bytes
    range: bytes


def encode_range(kind: str, content: Any) -> bytes:
    """Return the stored form of a sort key: bytes that sort as the values do."""
    return _ENCODERS[kind](content)


_ENCODERS: dict[str, Callable[[Any], bytes]] = {"S": str.encode, "N": numbers.encode, "B": bytes}


def encode_hash(kind: str, content: Any) -> bytes:
    """Return the stored form of a partition key."""
    return _hash_prefixed(_ENCODERS[kind](content))


def encode_partition(schema: KeySchema, values: Sequence[AttributeValue]) -> bytes:
    """Return the stored form of a partition key, given the value of each of its attributes."""
    if not schema.more_hash:
        return encode_hash(schema.hash.type, values[0][schema.hash.type])
    pairs = zip(schema.partition, values, strict=True)
    return _hash_prefixed(_joined(encode_range(key.type, value[key.type]) for key, value in pairs))


def encode_values(values: Iterable[AttributeValue]) -> bytes:
    """Return how the sort keys of several attributes begin whose first values are these."""
    return _joined(encode_range(*next(iter(value.items()))) for value in values)


def encode_beginning(value: AttributeValue) -> bytes:
    """Return how a value begins where it is one of several attributes."""
    return encode_range(*next(iter(value.items()))).replace(b"\x00", _ESCAPED_ZERO)


def _joined(parts: Iterable[bytes]) -> bytes:
    return b"".join(part.replace(b"\x00", _ESCAPED_ZERO) + _END_MARK for part in parts)


def _hash_prefixed(data: bytes) -> bytes:
    return _pack_hash(crc32(data)) + data


def prefix_end(prefix: bytes) -> bytes | None:
    """Return the first bytes after everything that begins with the prefix; None: there are none."""
    stem = prefix.rstrip(b"\xff")
    return stem[:-1] + bytes((stem[-1] + 1,)) if stem else None


def segment_bounds(segment: int, total: int) -> tuple[bytes, bytes]:
    """Return the half-open range of partition keys that a parallel scan's segment covers."""
    low = -(-_HASH_SPACE * segment // total)
    high = -(-_HASH_SPACE * (segment + 1) // total)
    # The end of the last segment lies past every hash, so it needs a fifth byte.
    return _hash_bound(low), _hash_bound(high)


def _hash_bound(value: int) -> bytes:
    if value == _HASH_SPACE:
        return b"\xff" * (_HASH_BYTES + MAX_HASH_BYTES + 1)
    return value.to_bytes(_HASH_BYTES, "big")


def request_key(schema: KeySchema, given: Mapping[str, Any]) -> tuple[Item, EncodedKey]:
    """Read the Key of a request: exactly the key attributes, each of its type."""
    key: Item = {}
    parts: list[bytes] = []
    for attribute in schema.attributes:
        value = given.get(attribute.name)
        if value is not None:
            value = key[attribute.name] = clean(value)[0]
        if value is None or attribute.type not in value:
            raise KeyMismatch(NO_SUCH_KEY)
        check_not_empty(attribute, value)
        parts.append(_ENCODERS[attribute.type](value[attribute.type]))
    if len(given) != len(key):
        raise KeyMismatch(NO_SUCH_KEY)
    return key, _encoded_key(parts)


def item_key(schema: KeySchema, item: Item) -> EncodedKey:
    """Read the primary key of a whole item."""
    parts: list[bytes] = []
    for attribute in schema.attributes:
        value = item.get(attribute.name)
        content = None if value is None else value.get(attribute.type)
        if not content:
            raise _item_key_error(attribute, value)
        parts.append(_ENCODERS[attribute.type](content))
    return _encoded_key(parts)


def index_key(schema: KeySchema, item: Item, index: str) -> EncodedKey | None:
    """Return the item's key in an index; None when it lacks an attribute and stays out."""
    parts: list[bytes] = []
    for attribute in schema.attributes:
        value = item.get(attribute.name)
        if value is None:
            continue
        content = value.get(attribute.type)
        if not content:
            raise _index_key_error(attribute, value, index)
        parts.append(_ENCODERS[attribute.type](content))
    if len(parts) != len(schema.attributes):
        return None
    return _encoded_parts(schema, parts) if schema.has_multiple else _encoded_key(parts)


def _encoded_key(parts: list[bytes]) -> EncodedKey:
    """Make a key of its one or two parts."""
    if len(parts[0]) > MAX_HASH_BYTES:
        raise _hash_too_large()
    if len(parts) == 1:
        return EncodedKey(_hash_prefixed(parts[0]), b"")
    if len(parts[1]) > MAX_RANGE_BYTES:
        raise _range_too_large()
    return EncodedKey(_hash_prefixed(parts[0]), parts[1])


def _encoded_parts(schema: KeySchema, parts: list[bytes]) -> EncodedKey:
    """Make a key with several attributes in a part; the limits are for the sum of their sizes."""
    count = len(schema.partition)
    hashed, sorted_by = parts[:count], parts[count:]
    if sum(map(len, hashed)) > MAX_HASH_BYTES:
        raise _hash_too_large()
    if sum(map(len, sorted_by)) > MAX_RANGE_BYTES:
        raise _range_too_large()
    return EncodedKey(
        _hash_prefixed(_joined(hashed) if schema.more_hash else hashed[0]),
        _joined(sorted_by) if schema.more_range else b"".join(sorted_by),
    )


def _hash_too_large() -> KeyMismatch:
    return KeyMismatch(
        f"{_INVALID}Size of hashkey has exceeded the maximum size limit of{MAX_HASH_BYTES} bytes"
    )


def _range_too_large() -> KeyMismatch:
    return KeyMismatch(
        f"{_INVALID}Aggregated size of all range keys has exceeded the size limit of"
        f" {MAX_RANGE_BYTES} bytes"
    )


def check_not_empty(attribute: KeySchemaElement, value: AttributeValue) -> None:
    """Refuse an empty string or empty bytes as a key."""
    if not value[attribute.type]:
        raise _empty_key_error(attribute, value)


def _empty_key_error(attribute: KeySchemaElement, value: AttributeValue) -> ValidationException:
    return ValidationException(
        f"One or more parameter values are not valid. {_empty(value)} Key: {attribute.name}"
    )


def _item_key_error(
    attribute: KeySchemaElement, value: AttributeValue | None
) -> ValidationException:
    if value is None:
        return KeyMismatch(f"{_INVALID}Missing the key {attribute.name} in the item")
    if attribute.type not in value:
        return KeyMismatch(
            f"{_INVALID}Type mismatch for key {attribute.name} expected: {attribute.type}"
            f" actual: {type_of(value)}"
        )
    return _empty_key_error(attribute, value)


def _empty(value: AttributeValue) -> str:
    what = "string" if type_of(value) == "S" else "binary"
    return f"The AttributeValue for a key attribute cannot contain an empty {what} value."


def _index_key_error(
    attribute: KeySchemaElement, value: AttributeValue, index: str
) -> IndexKeyMismatch:
    if attribute.type not in value:
        message = (
            f"{_INVALID}Type mismatch for Index Key {attribute.name} Expected: {attribute.type}"
            f" Actual: {type_of(value)} IndexName: {index}"
        )
        return IndexKeyMismatch(message, message)
    invalid, empty = "One or more parameter values are not valid.", _empty(value)
    return IndexKeyMismatch(
        f"{invalid} A value specified for a secondary index key is not supported. {empty}"
        f" IndexName: {index}, IndexKey: {attribute.name}",
        f"{invalid} The update expression attempted to update a secondary index key to a value that"
        f" is not supported. {empty}",
    )
