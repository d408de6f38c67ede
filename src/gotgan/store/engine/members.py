"""The types of request members, with AWS's constraints on their values.

``read`` takes what JSON gave, refuses another JSON type with ``SerializationException`` in AWS's
words, and decodes base64; the tree was parsed for this request alone, so it is changed in place.
``check`` looks at what a caller in this process gives and returns what is wrong with it, the place
first; it does not look into attribute values, which are checked when they are cleaned. ``test``
makes the function that says whether all constraints are kept, which every request runs; where it
does not, ``failures`` words every broken one.
"""

from __future__ import annotations

import re
from base64 import b64decode, b64encode
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass, replace
from datetime import datetime
from functools import lru_cache
from operator import methodcaller
from typing import Any, Final, Protocol, TypeAlias

from gotgan.store.engine.faults import SerializationException

_TRUE: Final = frozenset({"true", "1", "yes"})
_FALSE: Final = frozenset({"false", "0", "no"})
_INT64_RANGE: Final = 1 << 63
_BASE64_GROUP: Final = 4
_CACHED_VALUES: Final = 1024

Test: TypeAlias = Callable[[Any], bool]


@dataclass(frozen=True, slots=True)
class Constraint:
    """What AWS demands of a member beside its type, in AWS's words."""

    rule: str
    holds: Test


def one_of(*words: str) -> Constraint:
    """Demand one of a few words."""
    return Constraint(
        f"Member must satisfy enum value set: [{', '.join(words)}]", words.__contains__
    )


def at_least(low: int) -> Constraint:
    """Demand a number that is not too small."""
    rule = f"Member must have value greater than or equal to {low}"
    return Constraint(rule, low.__le__)


def at_most(high: int) -> Constraint:
    """Demand a number that is not too large."""
    return Constraint(f"Member must have value less than or equal to {high}", high.__ge__)


def longer(low: int) -> Constraint:
    """Demand a text, list or map that is not too short."""
    rule = f"Member must have length greater than or equal to {low}"
    return Constraint(rule, lambda value: len(value) >= low)


def shorter(high: int, size: Callable[[Any], int] = len) -> Constraint:
    """Demand a text, list or map that is not too long."""
    rule = f"Member must have length less than or equal to {high}"
    return Constraint(rule, lambda value: size(value) <= high)


def matching(pattern: str, also: str = "") -> Constraint:
    """Demand a text of a pattern; ``also`` is one that messages do not show."""
    compiled = re.compile(f"{pattern}|{also}" if also else pattern)
    rule = f"Member must satisfy regular expression pattern: {pattern}"
    return Constraint(rule, lambda value: compiled.fullmatch(value) is not None)


def utf8_length(text: str) -> int:
    """Measure a text as AWS measures names."""
    return len(text.encode("utf-8", "surrogatepass"))


def with_constraints(member: Any, *constraints: Constraint, required: bool = False) -> Any:
    """Return a member with constraints; one that is required may not be left out."""
    return replace(member, constraints=constraints, required=required)


class Member(Protocol):
    """One kind of member."""

    @property
    def required(self) -> bool:
        """Whether it may not be left out."""

    @property
    def test(self) -> Test | None:
        """What says whether a value keeps all constraints; None where any value does."""

    def read(self, value: Any) -> Any:
        """Convert a value from JSON to the type that the engine uses."""

    def check(self, value: Any) -> str | None:
        """Return what is wrong with a Python value; None where nothing is."""

    def failures(self, value: Any, path: str) -> Iterator[str]:
        """Word every broken constraint, in AWS's order; ``path`` is the member's place."""


def _all(*tests: Test | None) -> Test | None:
    """Join tests into one; None where there are none."""
    present = [test for test in tests if test is not None]
    if len(present) <= 1:
        return present[0] if present else None

    def joined(value: Any) -> bool:
        for test in present:  # noqa: SIM110 - a generator would cost as much again
            if not test(value):
                return False
        return True

    return joined


def _join(constraints: Iterable[Constraint]) -> Test | None:
    return _all(*(constraint.holds for constraint in constraints))


def _place(path: str, name: str, *, as_it_is: bool) -> str:
    """Return the path of a member of a structure."""
    if not (as_it_is or path[:1].isupper()):
        name = f"{name[0].lower()}{name[1:]}"
    return f"{path}.{name}" if path else name


def _presence(name: str) -> Test:
    return lambda value: value.get(name) is not None


def _each(test: Test | None, parts: Callable[[Any], Iterable[Any]]) -> Test | None:
    """Make a test of each part of a value."""
    return None if test is None else lambda value: all(map(test, parts(value)))


@dataclass(frozen=True, slots=True, kw_only=True)
class _Constrained:
    """What all kinds have in common."""

    constraints: tuple[Constraint, ...] = ()
    required: bool = False

    @property
    def test(self) -> Test | None:
        """What says whether a value keeps its constraints."""
        return _join(self.constraints)

    def failures(self, value: Any, path: str) -> Iterator[str]:
        """Word every broken constraint of the value itself."""
        for constraint in self.constraints:
            if not constraint.holds(value):
                yield failure(_aws_text(value), path, constraint.rule)


def failure(shown: str, path: str, rule: str) -> str:
    """Word a broken constraint as AWS does."""
    # Where AWS shows a member under the name that it has in requests, it shows no value.
    value = "" if path[:1].isupper() else f" {shown}"
    return f"Value{value} at '{path}' failed to satisfy constraint: {rule}"


def _aws_text(value: Any) -> str:
    """Write a value as AWS does, but attribute values never."""
    if isinstance(value, str | int):
        return f"'{value}'"
    return f"'{_java_text(value)}'"


def _java_text(value: Any) -> str:
    if isinstance(value, Mapping):
        return f"{{{', '.join(f'{name}={_java_text(each)}' for name, each in value.items())}}}"
    if isinstance(value, list | tuple) and not all(isinstance(each, str) for each in value):
        return "[...]"
    return f"[{', '.join(value)}]" if isinstance(value, list | tuple) else str(value)


@dataclass(frozen=True, slots=True)
class Scalar(_Constrained):
    """A member that holds one value."""

    read: Callable[[Any], Any]
    python: type | tuple[type, ...]
    name: str

    @property
    def test(self) -> Test | None:
        """What says whether a value keeps its constraints; the same names come again and again."""
        test = _join(self.constraints)
        if test is None or len(self.constraints) == 1:
            return test
        return lru_cache(_CACHED_VALUES)(test)

    def check(self, value: Any) -> str | None:
        """Refuse another type; True is not a number here."""
        fits = isinstance(value, self.python) and isinstance(value, bool) == (self.python is bool)
        return None if fits else _type_error(self.name, value)


@dataclass(frozen=True, slots=True)
class ListOf(_Constrained):
    """A list of one kind of member."""

    element: Member

    @property
    def test(self) -> Test | None:
        """What says whether the list and its elements keep all constraints."""
        return _all(_join(self.constraints), _each(self.element.test, iter))

    def failures(self, value: Any, path: str) -> Iterator[str]:
        """Word what the list breaks, then what its elements do."""
        yield from _Constrained.failures(self, value, path)
        if self.element.test is not None:
            for number, member in enumerate(value, 1):
                yield from self.element.failures(member, f"{path}.{number}.member")

    def read(self, value: Any) -> list[Any]:
        """Read every element."""
        if type(value) is not list:
            raise _unexpected(value, "", "Unexpected field type")
        value[:] = [self.element.read(member) for member in value]
        return value

    def check(self, value: Any) -> str | None:
        """Refuse what is not a list, and what an element refuses."""
        if not isinstance(value, list | tuple):
            return _type_error("a list", value)
        for number, member in enumerate(value):
            if wrong := self.element.check(member):
                return f"[{number}]{wrong}"
        return None


@dataclass(frozen=True, slots=True)
class MapOf(_Constrained):
    """A map from any name to one kind of member; ``names`` and ``values`` hold for each of them."""

    element: Member
    names: tuple[Constraint, ...] = ()
    values: tuple[Constraint, ...] = ()

    @property
    def test(self) -> Test | None:
        """What says whether the map, its names and its values keep all constraints."""
        own, names, values = map(_join, (self.constraints, self.names, self.values))
        contents = _all(values, self.element.test)
        return _all(own, _each(names, iter), _each(contents, methodcaller("values")))

    def failures(self, value: Any, path: str) -> Iterator[str]:
        """Word what the map breaks, then what its members do."""
        yield from _Constrained.failures(self, value, path)
        for what, constraints, parts in (
            ("keys", self.names, value),
            ("value", self.values, value.values()),
        ):
            rules = ", ".join(each.rule for each in constraints)
            for part in parts:
                if not all(each.holds(part) for each in constraints):
                    rule = f"Map {what} must satisfy constraint: [{rules}]"
                    yield failure(_aws_text(value), path, rule)
        if self.element.test is not None:
            for name, member in value.items():
                yield from self.element.failures(member, f"{path}.{name}.member")

    def read(self, value: Any) -> dict[str, Any]:
        """Read every member."""
        if type(value) is not dict:
            raise _unexpected(value, "Unrecognized collection type", "Unexpected field type")
        for name, member in value.items():
            value[name] = self.element.read(member)
        return value

    def check(self, value: Any) -> str | None:
        """Refuse what is not a map, and what a member refuses."""
        if type(value) is not dict and not isinstance(value, Mapping):
            return _type_error("a map", value)
        if self.element is attribute_value:
            return None
        for name, member in value.items():
            if wrong := self.element.check(member):
                return f".{name}{wrong}"
        return None


@dataclass(frozen=True, slots=True)
class Structure(_Constrained):
    """A map with known names, in the order in which AWS looks at them.

    Over JSON, unknown names and null count as absent.
    """

    members: Mapping[str, Member]
    verbatim: frozenset[str] = frozenset()
    """The members that AWS reports under their own names; of all others, it changes a letter."""

    @property
    def test(self) -> Test | None:
        """What says whether all members are there that must be, and keep all constraints."""
        demanded = [name for name, member in self.members.items() if member.required]
        tests = {name: member.test for name, member in self.members.items()}
        checked = {name: test for name, test in tests.items() if test is not None}
        if not checked:
            return _all(*map(_presence, demanded))

        def keeps(value: Any) -> bool:
            for name in demanded:
                if value.get(name) is None:
                    return False
            for name, content in value.items():
                test = checked.get(name)
                if test is not None and not test(content):
                    return False
            return True

        return keeps

    def failures(self, value: Any, path: str) -> Iterator[str]:
        """Word what every member breaks."""
        for name, member in self.members.items():
            place = _place(path, name, as_it_is=name in self.verbatim)
            content = value.get(name)
            if content is not None:
                yield from member.failures(content, place)
            elif member.required:
                place = _place(f"{path[:1].lower()}{path[1:]}", name, as_it_is=False)
                yield failure("null", place, "Member must not be null")

    def read(self, value: Any) -> dict[str, Any]:
        """Read the members that AWS knows."""
        if type(value) is not dict:
            raise _not_a_structure(value)
        known = self.members
        return {
            name: member.read(content)
            for name, content in value.items()
            if content is not None and (member := known.get(name)) is not None
        }

    def check(self, value: Any) -> str | None:
        """Refuse what is not a map, an unknown name, and what a member refuses."""
        if type(value) is not dict and not isinstance(value, Mapping):
            return _type_error("a map", value)
        for name, content in value.items():
            member = self.members.get(name)
            if member is None:
                return f" has no parameter {name}. It has: {', '.join(sorted(self.members))}."
            if wrong := member.check(content):
                return f".{name}{wrong}"
        return None


@dataclass(frozen=True, slots=True)
class _AttributeValue(_Constrained):
    """``{"S": "x"}`` and its nine siblings; the engine checks that there is exactly one."""

    def read(self, value: Any) -> dict[str, Any]:
        if type(value) is not dict:
            raise _not_a_structure(value)
        for kind, content in value.items():
            # Most values by far are strings and numbers, and both are text.
            if kind in {"S", "N"} and type(content) is str:
                continue
            member = _VALUE_MEMBERS.get(kind)
            if member is not None and content is not None:
                value[kind] = member.read(content)
        return value

    def check(self, value: Any) -> None:
        """Leave it to the engine, which looks at every attribute value once."""


def _read_text(value: Any) -> str:
    if type(value) is not str:
        raise _wrong_scalar(value, "String")
    return value


def _read_integer(value: Any) -> int:
    """Read a whole number; a fraction is cut off, as AWS does."""
    if type(value) is not int and type(value) is not float:
        raise _wrong_scalar(value, "Integer")
    if not -_INT64_RANGE <= value < _INT64_RANGE:
        raise SerializationException("Numeric value out of range of integer")
    return int(value)


def _read_moment(value: Any) -> float:
    """Read seconds since 1970."""
    if type(value) is not int and type(value) is not float:
        wrong = f"{_json_kind(value)} can not be converted to milliseconds since epoch"
        raise _unexpected(value, "Unrecognized collection type class java.util.Date", wrong)
    return value


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
    """Read bytes from canonical base64."""
    if type(value) is not str:
        raise _unexpected(
            value,
            "Unrecognized collection type class java.nio.ByteBuffer",
            "only base-64-encoded strings are convertible to bytes",
        )
    if len(value) % _BASE64_GROUP:
        raise SerializationException(
            f"Base64 encoded length is expected a multiple of 4 bytes but found: {len(value)}"
        )
    try:
        data = b64decode(value, validate=True)
    except ValueError as error:
        raise SerializationException("Invalid Base64 character detected") from error
    if b64encode(data).decode("ascii") != value:
        raise SerializationException("Invalid last non-pad Base64 character dectected")
    return data


def _type_error(wanted: str, value: Any) -> str:
    return f" must be {wanted}, not {type(value).__name__}."


def _not_a_structure(value: Any) -> SerializationException:
    collection = "Unrecognized collection type"
    return _unexpected(value, collection, "Unexpected value type in payload")


def _wrong_scalar(value: Any, wanted: str) -> SerializationException:
    collection = f"Unrecognized collection type class java.lang.{wanted}"
    return _unexpected(value, collection, f"{_json_kind(value)} cannot be converted to {wanted}")


def _json_kind(value: Any) -> str:
    if isinstance(value, bool):
        return "TRUE_VALUE" if value else "FALSE_VALUE"
    if isinstance(value, str):
        return "STRING_VALUE"
    if value is None:
        return "NULL_VALUE"
    return "DECIMAL_VALUE" if isinstance(value, float) and value % 1 else "NUMBER_VALUE"


def _unexpected(value: Any, for_list: str, for_scalar: str) -> SerializationException:
    """Word a wrong JSON type as AWS's parser does."""
    if isinstance(value, dict):
        return SerializationException("Start of structure or map found where not expected")
    return SerializationException(for_list if isinstance(value, list) else for_scalar)


attribute_value: Final = _AttributeValue()
blob: Final = Scalar(_read_blob, bytes, "bytes")
boolean: Final = Scalar(_read_boolean, bool, "True or False")
integer: Final = Scalar(_read_integer, int, "a whole number")
moment: Final = Scalar(_read_moment, (datetime, float, int), "a datetime or seconds since 1970")
text: Final = Scalar(_read_text, str, "a string")

_VALUE_MEMBERS: Final[dict[str, Member]] = {
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
