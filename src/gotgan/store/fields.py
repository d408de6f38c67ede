"""How a field of an entity is stored: under which name, in which form, and how long it can get.

``Timestamp``, ``Epoch``, ``Id`` and their like are ordinary annotations; a bare ``str`` or ``int``
is stored as it is.
"""

from __future__ import annotations

import dataclasses
import types
from abc import ABC, abstractmethod
from collections.abc import Iterator
from dataclasses import dataclass
from datetime import UTC, date, datetime
from decimal import Decimal
from enum import Enum
from functools import cached_property
from typing import Annotated, Any, Final, Literal, Union, get_args, get_origin
from uuid import UUID

from annotated_types import MaxLen
from pydantic import (
    AfterValidator,
    AwareDatetime,
    BaseModel,
    FutureDatetime,
    NaiveDatetime,
    PastDatetime,
    StringConstraints,
    TypeAdapter,
    ValidationError,
)
from pydantic.fields import FieldInfo

from gotgan.clock import utc_iso, utc_stamp
from gotgan.errors import BadKeyPart
from gotgan.store.attributes import plain
from gotgan.store.placeholders import TRYING

__all__ = [
    "Attribute",
    "Epoch",
    "EpochMs",
    "Field",
    "Id",
    "KeyOnly",
    "Prefixed",
    "Timestamp",
    "ValueFormat",
    "camel_case",
    "field_of",
]

_BYTES_PER_CHARACTER: Final = 4
_STAMP_BYTES: Final = 20
_SHOWN: Final = 60
_WRITABLE: Final = (int, Decimal, date, UUID, Enum)
_EPOCH_BYTES: Final = 15


@dataclass(frozen=True)
class Attribute:
    """The name that a field is stored under, where it is not the field's own."""

    name: str


@dataclass(frozen=True)
class KeyOnly:
    """Marks a field that is stored in the key and nowhere else."""


class ValueFormat(ABC):
    """How a value is written, where it is not written as it is."""

    kind: Literal["S", "N"] = "S"
    longest: int | None = None
    """Bytes, of what can stand in a key."""
    holds = ""
    """What is in every written value."""

    @abstractmethod
    def dump(self, value: Any) -> Any:
        """The value as it is stored."""

    @abstractmethod
    def load(self, stored: Any) -> Any:
        """The value as the field has it."""


@dataclass(frozen=True)
class Prefixed(ValueFormat):
    """Text that is stored behind a prefix: ``DE`` as ``COUNTRY#DE``."""

    prefix: str

    def dump(self, value: Any) -> Any:
        """The value behind its prefix."""
        return self.prefix + str(plain(value))

    def load(self, stored: Any) -> Any:
        """The value without its prefix."""
        return stored.removeprefix(self.prefix) if isinstance(stored, str) else stored


class _Seconds(ValueFormat):
    """A moment as text in UTC and whole seconds, so that the order of texts is that of moments."""

    longest = _STAMP_BYTES
    holds = "-T:Z"

    def dump(self, value: Any) -> Any:
        if value.tzinfo is UTC and not value.microsecond:  # as every Timestamp that was checked
            return f"{value.isoformat()[:19]}Z"
        return utc_iso(value)

    def load(self, stored: Any) -> Any:
        if not isinstance(stored, str):
            return stored
        try:
            moment = datetime.fromisoformat(stored)  # which takes Z for UTC
        except ValueError:
            return stored  # written by another tool: pydantic knows more ways to write a moment
        return moment if moment.tzinfo is not None else moment.replace(tzinfo=UTC)


@dataclass(frozen=True)
class _Epoch(ValueFormat):
    """A moment as a number since 1970, in units of a part of a second."""

    per_second: int = 1
    kind = "N"
    longest = _EPOCH_BYTES

    def dump(self, value: Any) -> Any:
        return utc_stamp(value).epoch_ms // 1000 * self.per_second

    def load(self, stored: Any) -> Any:
        if not isinstance(stored, int | Decimal):
            return stored
        try:
            return datetime.fromtimestamp(int(stored) // self.per_second, UTC)
        except (ValueError, OverflowError, OSError):  # beyond the calendar
            return f"{stored} since 1970"  # which no field accepts


def _whole_seconds(moment: datetime) -> datetime:
    if moment.tzinfo is UTC and not moment.microsecond:
        return moment
    return moment.astimezone(UTC).replace(microsecond=0)


Timestamp = Annotated[AwareDatetime, AfterValidator(_whole_seconds), _Seconds()]
"""A moment in whole seconds, stored as ``2025-11-06T00:35:12Z``."""
Epoch = Annotated[AwareDatetime, AfterValidator(_whole_seconds), _Epoch()]
"""A moment in whole seconds, stored as a number of seconds: what a time to live needs."""
EpochMs = Annotated[AwareDatetime, AfterValidator(_whole_seconds), _Epoch(1000)]
"""A moment in whole seconds, stored as a number of milliseconds."""
Id = Annotated[str, StringConstraints(min_length=1, max_length=100)]
"""A text that can be part of a key: 1 to 100 characters, so that two of them fit a sort key."""


@dataclass(frozen=True)
class Field:
    """One field of an entity, as far as storing it goes."""

    name: str
    attribute: str
    form: ValueFormat | None
    optional: bool
    longest: int | None
    """The bytes that it can take up in a key; None where nothing bounds it."""
    sorts: str | None
    """Why its text would not sort as its values do; None where it does."""
    values: int | None
    """How many values it can have; None where they are many."""
    key_type: str
    """The type that it is stored as: S, N or B, or one that no key has."""
    is_whole: bool
    """Whether it is a whole number, which can be padded."""
    holds: str
    """What is in every one of its texts, and so cannot stand behind it in a key."""
    key_only: bool = False
    """Whether the key holds it and no attribute of its own."""
    annotation: Any = dataclasses.field(default=Any, repr=False, compare=False)

    @property
    def is_seconds(self) -> bool:
        """Whether it can be a time to live: a number that is not said to be of another unit."""
        return self.key_type == "N" and (self.form is None or self.form == _Epoch())

    def take(self, value: Any) -> Any:
        """A value for a key, checked as the field itself is: one that no item can have finds none.

        Text may be given as what it is made of, such as a date. A placeholder may break bounds, of
        which it cannot know, but has the right type.
        """
        given = str(plain(value)) if self._is_text and isinstance(value, _WRITABLE) else value
        try:
            return self._adapter.validate_python(given)
        except ValidationError as error:
            first = error.errors(include_url=False)[0]
            if TRYING.get() and not first["type"].endswith("_type"):
                return given
            raise BadKeyPart(f"{self.name} cannot be {_short(value)}: {first['msg']}") from None

    @property
    def choices(self) -> tuple[Any, ...]:
        """The values that it can have, where they are few; else none."""
        kinds = [kind for kind in _kinds(self.annotation) if kind is not type(None)]
        found = [_choices(kind) for kind in kinds]
        return () if None in found else tuple(value for each in found for value in each or ())

    @cached_property
    def _is_text(self) -> bool:
        kinds = [kind for kind in _kinds(self.annotation) if kind is not type(None)]
        return kinds == [str]

    @cached_property
    def _adapter(self) -> TypeAdapter[Any]:
        return TypeAdapter(self.annotation)

    def dump(self, value: Any) -> Any:
        """The value in its stored form, still a Python value."""
        return value if self.form is None or value is None else self.form.dump(value)

    def load(self, stored: Any) -> Any:
        """The value that the field takes."""
        return stored if self.form is None or stored is None else self.form.load(stored)


def _short(value: object) -> str:
    shown = repr(value)
    return shown if len(shown) <= _SHOWN else f"{shown[:_SHOWN]}…"


def camel_case(name: str) -> str:
    """``created_at`` as ``createdAt``: for entities with ``names=camel_case``."""
    first, *rest = name.split("_")
    return first + "".join(word.capitalize() for word in rest)


def field_of(name: str, info: FieldInfo, attribute: str) -> Field:
    """What there is to know about a field, from its annotation."""
    marks = [*info.metadata, *_marks(info.annotation)]
    form = next((mark for mark in marks if isinstance(mark, ValueFormat)), None)
    named = next((mark.name for mark in marks if isinstance(mark, Attribute)), attribute)
    kinds = [kind for kind in _kinds(info.annotation) if kind is not type(None)]
    return Field(
        name=name,
        attribute=named,
        form=form,
        optional=type(None) in _kinds(info.annotation),
        longest=_longest(form, kinds, marks),
        sorts=_unsorted(form, kinds),
        values=_count(kinds),
        key_type=_key_type(form, kinds),
        is_whole=_is_whole(form, kinds),
        holds=_held(form, kinds),
        key_only=any(isinstance(mark, KeyOnly) for mark in marks),
        annotation=Annotated[info.annotation, info] if info.metadata else info.annotation,
    )


def _marks(annotation: Any) -> Iterator[Any]:
    """Everything that ``Annotated`` says anywhere in an annotation."""
    if get_origin(annotation) is Annotated:
        inner, *marks = get_args(annotation)
        for mark in marks:
            yield from mark.metadata if isinstance(mark, FieldInfo) else (mark,)
        yield from _marks(inner)
    elif get_origin(annotation) in (Union, types.UnionType):
        for option in get_args(annotation):
            yield from _marks(option)


def _kinds(annotation: Any) -> list[Any]:
    """The types that a union offers, without their annotations."""
    if get_origin(annotation) is Annotated:
        return _kinds(get_args(annotation)[0])
    if get_origin(annotation) in (Union, types.UnionType):
        return [kind for option in get_args(annotation) for kind in _kinds(option)]
    return [annotation]


def _choices(kind: Any) -> list[Any] | None:
    """The values of a type that has only a few."""
    if get_origin(kind) is Literal:
        return list(get_args(kind))
    if isinstance(kind, type) and issubclass(kind, Enum):
        return [member.value for member in kind]
    return [False, True] if kind is bool else None


def _count(kinds: list[Any]) -> int | None:
    choices = [_choices(kind) for kind in kinds]
    return None if None in choices else sum(len(each or ()) for each in choices)


def _longest(form: ValueFormat | None, kinds: list[Any], marks: list[Any]) -> int | None:
    if form is not None and form.longest is not None:
        return form.longest
    longest = max((_widest(kind, marks) for kind in kinds), default=None, key=_unbounded_last)
    if isinstance(form, Prefixed) and longest is not None:
        return longest + len(form.prefix.encode())
    return longest


def _unbounded_last(longest: int | None) -> float:
    return float("inf") if longest is None else longest


def _widest(kind: Any, marks: list[Any]) -> int | None:
    choices = _choices(kind)
    if choices is not None:
        return max(len(str(choice).encode()) for choice in choices)
    if kind in _WIDTHS:
        return _WIDTHS[kind]
    bounds = [mark.max_length for mark in marks if isinstance(mark, MaxLen | StringConstraints)]
    bounded = [bound for bound in bounds if bound is not None]
    size = {str: _BYTES_PER_CHARACTER, bytes: 1}.get(kind)
    return min(bounded) * size if bounded and size else None


def _unsorted(form: ValueFormat | None, kinds: list[Any]) -> str | None:
    if form is None and any(_is_moment(kind) for kind in kinds):
        return (
            "a datetime may have parts of a second, and 12:00:00.5Z sorts before 12:00:00Z; "
            "declare it as Timestamp"
        )
    if _key_type(form, kinds) != "N":
        return None
    if _is_whole(form, kinds):
        return "numbers sort as text there, 10 before 9; give it a width, such as {name:012d}"
    return "fractions do not sort as text; declare it int, in a smaller unit, and give it a width"


def _is_whole(form: ValueFormat | None, kinds: list[Any]) -> bool:
    has_fractions = any(kind in (float, Decimal) for kind in kinds)
    return _key_type(form, kinds) == "N" and not has_fractions


def _is_moment(kind: Any) -> bool:
    return kind is datetime or kind in _MOMENTS


def _key_type(form: ValueFormat | None, kinds: list[Any]) -> str:
    if form is not None:
        return form.kind
    types = {each for kind in kinds for each in _stored_types(kind)}
    return types.pop() if len(types) == 1 else "mixed"


def _stored_types(kind: Any) -> set[str]:
    """The types that DynamoDB has for the values of a kind."""
    choices = _choices(kind)
    if choices is not None:
        return {_TYPES.get(type(choice), "S") for choice in choices}
    plain_kind = get_origin(kind) or kind
    if isinstance(plain_kind, type) and issubclass(plain_kind, BaseModel):
        return {"M"}
    return {_TYPES.get(plain_kind, "S")}


def _held(form: ValueFormat | None, kinds: list[Any]) -> str:
    if form is not None:
        return form.prefix if isinstance(form, Prefixed) else form.holds
    return "-" if kinds and all(kind in (date, UUID) or _is_moment(kind) for kind in kinds) else ""


_MOMENTS: Final = (AwareDatetime, FutureDatetime, NaiveDatetime, PastDatetime)
_TYPES: Final[dict[Any, str]] = {
    bool: "BOOL",
    int: "N",
    float: "N",
    Decimal: "N",
    bytes: "B",
    list: "L",
    tuple: "L",
    dict: "M",
    set: "set",
    frozenset: "set",
}
_WIDTHS: Final = {date: 10, UUID: 36, int: 38, Decimal: 48}
