"""The kinds of members that requests have: each reads JSON, and checks what Python gives.

``read`` takes what JSON gave, refuses another JSON type with ``SerializationException`` in AWS's
words, and turns base64 into bytes; the tree was parsed for this request alone, so it is changed in
place. ``check`` looks at what a caller in this process gives and returns what is wrong with it, the
place first; it does not look into attribute values, which are checked when they are cleaned.
"""

from __future__ import annotations

from base64 import b64decode, b64encode
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any, Final, Protocol

from gotgan.store.engine.faults import SerializationException

__all__ = [
    "ListOf",
    "MapOf",
    "Member",
    "Scalar",
    "Structure",
    "anything",
    "attribute_value",
    "blob",
    "boolean",
    "integer",
    "text",
]

_TRUE: Final = frozenset({"true", "1", "yes"})
_FALSE: Final = frozenset({"false", "0", "no"})
_WIDEST: Final = 1 << 63
_QUANTUM: Final = 4  # base64 comes in groups of four characters


class Member(Protocol):
    """One kind of member."""

    def read(self, value: Any) -> Any:
        """Return what the engine takes for what JSON gave."""
        ...

    def check(self, value: Any) -> str | None:
        """Say what is wrong with a Python value; None where nothing is."""
        ...


@dataclass(frozen=True, slots=True)
class Scalar:
    """A member that holds one value."""

    read: Callable[[Any], Any]
    python: type
    name: str

    def check(self, value: Any) -> str | None:
        """Say whether it is of another type; True is no number here."""
        fits = isinstance(value, self.python) and isinstance(value, bool) == (self.python is bool)
        return None if fits else _not(self.name, value)


@dataclass(frozen=True, slots=True)
class ListOf:
    """A list of one kind of member."""

    element: Member

    def read(self, value: Any) -> list[Any]:
        """Read every element."""
        if type(value) is not list:
            raise _wrong_list(value)
        value[:] = [self.element.read(member) for member in value]
        return value

    def check(self, value: Any) -> str | None:
        """Say whether it is no list, or what is wrong with an element."""
        if not isinstance(value, list | tuple):
            return _not("a list", value)
        for number, member in enumerate(value):
            if wrong := self.element.check(member):
                return f"[{number}]{wrong}"
        return None


@dataclass(frozen=True, slots=True)
class MapOf:
    """A map from any name to one kind of member."""

    element: Member

    def read(self, value: Any) -> dict[str, Any]:
        """Read every member."""
        if type(value) is not dict:
            raise _wrong_map(value, "Unexpected field type")
        for name, member in value.items():
            value[name] = self.element.read(member)
        return value

    def check(self, value: Any) -> str | None:
        """Say whether it is no map, or what is wrong with a member."""
        if type(value) is not dict and not isinstance(value, Mapping):
            return _not("a map", value)
        if self.element is attribute_value:
            return None
        for name, member in value.items():
            if wrong := self.element.check(member):
                return f".{name}{wrong}"
        return None


@dataclass(frozen=True, slots=True)
class Structure:
    """A map with known names; over JSON, what AWS does not know, and null, count as not there."""

    members: Mapping[str, Member]

    def read(self, value: Any) -> dict[str, Any]:
        """Read the members that AWS knows."""
        if type(value) is not dict:
            raise _wrong_map(value, "Unexpected value type in payload")
        known = self.members
        return {
            name: member.read(content)
            for name, content in value.items()
            if content is not None and (member := known.get(name)) is not None
        }

    def check(self, value: Any) -> str | None:
        """Say whether it is no map, has an unknown name, or what is wrong with a member."""
        if type(value) is not dict and not isinstance(value, Mapping):
            return _not("a map", value)
        for name, content in value.items():
            member = self.members.get(name)
            if member is None:
                return f" has no parameter {name}. It has: {', '.join(sorted(self.members))}."
            if wrong := member.check(content):
                return f".{name}{wrong}"
        return None


class _AttributeValue:
    """``{"S": "x"}`` and its nine siblings; how many there are of them, the engine judges."""

    def read(self, value: Any) -> dict[str, Any]:
        """Read the content of every type that is named."""
        if type(value) is not dict:
            raise _wrong_map(value, "Unexpected value type in payload")
        for kind, content in value.items():
            # Most values by far are strings and numbers, and both are text.
            if kind in {"S", "N"} and type(content) is str:
                continue
            member = _KINDS.get(kind)
            if member is not None and content is not None:
                value[kind] = member.read(content)
        return value

    def check(self, value: Any) -> None:
        """Leave it to the engine, which looks at every attribute value once."""


class _Anything:
    """What the engine does not look at."""

    def read(self, value: Any) -> Any:
        """Take it as it is."""
        return value

    def check(self, value: Any) -> None:
        """Take it as it is."""


def _read_text(value: Any) -> str:
    if type(value) is not str:
        raise _wrong_scalar(value, "String")
    return value


def _read_integer(value: Any) -> int:
    """Read a whole number; a fraction is cut off, as AWS does."""
    if type(value) is not int and type(value) is not float:
        raise _wrong_scalar(value, "Integer")
    if not -_WIDEST <= value < _WIDEST:
        raise SerializationException("Numeric value out of range of integer")
    return int(value)


def _read_boolean(value: Any) -> bool:
    """Read true or false; AWS also takes a few words for them."""
    if type(value) is bool:
        return value
    if type(value) is not str:
        raise _wrong_scalar(value, "Boolean")
    word = value.lower()
    if word not in _TRUE and word not in _FALSE:
        raise SerializationException("Unexpected token received from parser")
    return word in _TRUE


def _read_blob(value: Any) -> bytes:
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


anything: Final = _Anything()
attribute_value: Final = _AttributeValue()
blob: Final = Scalar(_read_blob, bytes, "bytes")
boolean: Final = Scalar(_read_boolean, bool, "True or False")
integer: Final = Scalar(_read_integer, int, "a whole number")
text: Final = Scalar(_read_text, str, "a string")

_KINDS: Final[dict[str, Member]] = {
    "S": text,
    "N": text,
    "B": blob,
    "SS": ListOf(text),
    "NS": ListOf(text),
    "BS": ListOf(blob),
    "M": MapOf(attribute_value),
    "L": ListOf(attribute_value),
    "BOOL": boolean,
    "NULL": boolean,
}


def _not(wanted: str, value: Any) -> str:
    return f" must be {wanted}, not {type(value).__name__}."


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
