"""The readers of the JSON protocol: each takes what JSON gave and returns what the engine takes.

A reader refuses a value of another JSON type with ``SerializationException``, in AWS's words, and
turns base64 into bytes. The tree was parsed for this request alone, so it is changed in place.
"""

from __future__ import annotations

from base64 import b64decode, b64encode
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any, Final, TypeAlias

from gotgan.store.engine.faults import SerializationException

__all__ = [
    "Reader",
    "Structure",
    "anything",
    "attribute_value",
    "blob",
    "boolean",
    "integer",
    "list_of",
    "map_of",
    "text",
]

Reader: TypeAlias = Callable[[Any], Any]

_TRUE: Final = frozenset({"true", "1", "yes"})
_FALSE: Final = frozenset({"false", "0", "no"})
_QUANTUM: Final = 4  # base64 comes in groups of four characters


def anything(value: Any) -> Any:
    """Read what the engine looks at for itself."""
    return value


def text(value: Any) -> str:
    """Read a string."""
    if type(value) is not str:
        raise _wrong_scalar(value, "String")
    return value


def integer(value: Any) -> int:
    """Read a whole number; a fraction is cut off, as AWS does."""
    if type(value) is not int and type(value) is not float:
        raise _wrong_scalar(value, "Integer")
    return int(value)


def boolean(value: Any) -> bool:
    """Read true or false; AWS also takes a few words for them."""
    if type(value) is bool:
        return value
    if type(value) is not str:
        raise _wrong_scalar(value, "Boolean")
    word = value.lower()
    if word not in _TRUE and word not in _FALSE:
        raise SerializationException("Unexpected token received from parser")
    return word in _TRUE


def blob(value: Any) -> bytes:
    """Read bytes from the one base64 text that stands for them."""
    if type(value) is not str:
        raise _wrong_blob(value)
    if len(value) % _QUANTUM:
        raise SerializationException(
            f"Base64 encoded length is expected a multiple of 4 bytes but found: {len(value)}",
        )
    try:
        data = b64decode(value, validate=True)
    except ValueError as error:
        raise SerializationException("Invalid Base64 character detected") from error
    if b64encode(data).decode("ascii") != value:
        raise SerializationException("Invalid last non-pad Base64 character dectected")
    return data


def list_of(element: Reader) -> Reader:
    """Make the reader of a list."""

    def read(value: Any) -> list[Any]:
        if type(value) is not list:
            raise _wrong_list(value)
        value[:] = [element(member) for member in value]
        return value

    return read


def map_of(element: Reader) -> Reader:
    """Make the reader of a map from any name to one kind of value."""

    def read(value: Any) -> dict[str, Any]:
        if type(value) is not dict:
            raise _wrong_map(value, "Unexpected field type")
        for name, member in value.items():
            value[name] = element(member)
        return value

    return read


@dataclass(frozen=True, slots=True)
class Structure:
    """The reader of a structure; what AWS does not know, and null, count as not there."""

    members: Mapping[str, Reader]

    def __call__(self, value: Any) -> dict[str, Any]:
        """Read the members that AWS knows."""
        if type(value) is not dict:
            raise _wrong_map(value, "Unexpected value type in payload")
        known = self.members
        return {
            name: reader(member)
            for name, member in value.items()
            if member is not None and (reader := known.get(name)) is not None
        }


def attribute_value(value: Any) -> dict[str, Any]:
    """Read ``{"S": "x"}`` and its nine siblings; how many there are of them, the engine judges."""
    if type(value) is not dict:
        raise _wrong_map(value, "Unexpected value type in payload")
    for kind, content in value.items():
        # Most values by far are strings and numbers, and both are text.
        if kind in {"S", "N"} and type(content) is str:
            continue
        reader = _KINDS.get(kind)
        if reader is not None and content is not None:
            value[kind] = reader(content)
    return value


_KINDS: Final[dict[str, Reader]] = {
    "S": text,
    "N": text,
    "B": blob,
    "SS": list_of(text),
    "NS": list_of(text),
    "BS": list_of(blob),
    "M": map_of(attribute_value),
    "L": list_of(attribute_value),
    "BOOL": boolean,
    "NULL": boolean,
}


def _wrong_scalar(value: Any, wanted: str) -> SerializationException:
    if isinstance(value, list):
        return SerializationException(f"Unrecognized collection type class java.lang.{wanted}")
    if isinstance(value, dict):
        return SerializationException("Start of structure or map found where not expected")
    return SerializationException(f"{_token(value)} cannot be converted to {wanted}")


def _wrong_blob(value: Any) -> SerializationException:
    if isinstance(value, list):
        return SerializationException("Unrecognized collection type class java.nio.ByteBuffer")
    if isinstance(value, dict):
        return SerializationException("Start of structure or map found where not expected")
    return SerializationException("only base-64-encoded strings are convertible to bytes")


def _wrong_list(value: Any) -> SerializationException:
    if isinstance(value, dict):
        return SerializationException("Start of structure or map found where not expected")
    return SerializationException("Unexpected field type")


def _wrong_map(value: Any, otherwise: str) -> SerializationException:
    if isinstance(value, list):
        return SerializationException("Unrecognized collection type")
    return SerializationException(otherwise)


def _token(value: Any) -> str:
    """Name a JSON scalar as AWS's parser does."""
    if isinstance(value, bool):
        return "TRUE_VALUE" if value else "FALSE_VALUE"
    if isinstance(value, str):
        return "STRING_VALUE"
    if value is None:
        return "NULL_VALUE"
    return "DECIMAL_VALUE" if value % 1 else "NUMBER_VALUE"
