"""How a field of an entity is stored: under which name, in which form, and how long it can get."""

from __future__ import annotations

import dataclasses
import inspect
import types
import typing
from abc import ABC, abstractmethod
from collections.abc import Callable, Iterator
from contextvars import ContextVar
from dataclasses import dataclass
from datetime import UTC, date, datetime
from decimal import Decimal
from enum import Enum
from functools import cached_property
from typing import Annotated, Any, Final, Generic, Literal, Never, TypeVar, Union, overload
from uuid import UUID

import pydantic
from annotated_types import MaxLen
from pydantic.fields import FieldInfo

from gotgan.clock import utc_iso, utc_stamp
from gotgan.errors import BadKeyPart, DeclarationError
from gotgan.messages import Message, dump, load
from gotgan.store import messages
from gotgan.store.attributes import plain_value
from gotgan.validation import problem

R = TypeVar("R")

IS_TRACING: Final = ContextVar("IS_TRACING", default=False)
"""Whether an access pattern is being called with placeholders."""
_BYTES_PER_CHARACTER: Final = 4
_STAMP_BYTES: Final = 20
_MAX_SHOWN: Final = 60
_KEY_TYPES: Final = (int, Decimal, date, UUID, Enum)
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
        return self.prefix + str(plain_value(value))

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


class _MessageForm(ValueFormat):
    """A message as its code and values; any other text as it is."""

    def dump(self, value: Any) -> Any:
        return dump(value)

    def load(self, stored: Any) -> Any:
        return load(stored) if isinstance(stored, str) else stored


def _kept_message(value: Any, validate: pydantic.ValidatorFunctionWrapHandler) -> Any:
    return value if isinstance(value, Message) else validate(value)


def _whole_seconds(moment: datetime) -> datetime:
    if moment.tzinfo is UTC and not moment.microsecond:
        return moment
    return moment.astimezone(UTC).replace(microsecond=0)


Timestamp = Annotated[pydantic.AwareDatetime, pydantic.AfterValidator(_whole_seconds), _Seconds()]
"""A moment in whole seconds, stored as ``2025-11-06T00:35:12Z``."""
Epoch = Annotated[pydantic.AwareDatetime, pydantic.AfterValidator(_whole_seconds), _Epoch()]
"""A moment in whole seconds, stored as a number of seconds: what a time to live needs."""
EpochMs = Annotated[pydantic.AwareDatetime, pydantic.AfterValidator(_whole_seconds), _Epoch(1000)]
"""A moment in whole seconds, stored as a number of milliseconds."""
MessageText = Annotated[str, pydantic.WrapValidator(_kept_message), _MessageForm()]
"""A message as its code and values, so that each reader gets it in their language."""
Id = Annotated[str, pydantic.StringConstraints(min_length=1, max_length=100)]
"""A text that can be part of a key: 1 to 100 characters, so that two of them fit a sort key."""


@dataclass(frozen=True)
class Field:
    """One field of an entity, as far as storing it goes."""

    name: str
    attribute: str
    form: ValueFormat | None
    optional: bool
    key_only: bool
    """Whether the key holds it, without a separate attribute."""
    kinds: tuple[Any, ...]
    """The types that its values can have, but for None."""
    marks: tuple[Any, ...] = dataclasses.field(repr=False, compare=False)
    """Everything that ``Annotated`` says of it."""
    annotation: Any = dataclasses.field(repr=False, compare=False)

    @cached_property
    def choices(self) -> tuple[Any, ...]:
        """The values that it can have, where they are few; else none."""
        found = [_choices(kind) for kind in self.kinds]
        return () if None in found else tuple(value for each in found for value in each or ())

    @property
    def values(self) -> int | None:
        """How many values it can have; None where they are many."""
        return len(self.choices) or None

    @cached_property
    def key_type(self) -> str:
        """The type that it is stored as: S, N or B, or one that no key has."""
        if self.form is not None:
            return self.form.kind
        types = {each for kind in self.kinds for each in _stored_types(kind)}
        return types.pop() if len(types) == 1 else "mixed"

    @property
    def is_text(self) -> bool:
        """Whether every item has it as a text, and as it is."""
        return self.key_type == "S" and self.form is None and not self.optional

    @property
    def is_whole(self) -> bool:
        """Whether it is a whole number, which can be padded."""
        return self.key_type == "N" and not {float, Decimal}.intersection(self.kinds)

    @property
    def is_seconds(self) -> bool:
        """Whether it can be a time to live: a number that is not said to be of another unit."""
        return self.key_type == "N" and (self.form is None or self.form == _Epoch())

    @property
    def longest(self) -> int | None:
        """The bytes that it can take up in a key; None where nothing bounds it."""
        if self.form is not None and self.form.longest is not None:
            return self.form.longest
        widths = [_width(kind, self.marks) for kind in self.kinds]
        known = [width for width in widths if width is not None]
        if len(known) < len(widths) or not known:
            return None
        prefix = self.form.prefix if isinstance(self.form, Prefixed) else ""
        return max(known) + len(prefix.encode())

    @property
    def sorts(self) -> str | None:
        """Why its text would not sort as its values do; None where it does."""
        if self.form is None and any(kind in _MOMENTS for kind in self.kinds):
            return (
                "a datetime may have parts of a second, and 12:00:00.5Z sorts before 12:00:00Z; "
                "declare it as Timestamp"
            )
        if self.key_type != "N":
            return None
        if self.is_whole:
            return "numbers sort as text there, 10 before 9; give it a width, such as {name:012d}"
        return (
            "fractions do not sort as text; declare it int, in a smaller unit, and give it a width"
        )

    @property
    def holds(self) -> str:
        """What is in every one of its texts, and so cannot stand behind it in a key."""
        if self.form is not None:
            return self.form.prefix if isinstance(self.form, Prefixed) else self.form.holds
        dashed = [kind in (date, UUID, *_MOMENTS) for kind in self.kinds]
        return "-" if dashed and all(dashed) else ""

    def take(self, value: Any) -> Any:
        """A value for a key, checked as the field is; placeholders may break bounds, not types."""
        is_written = self.kinds == (str,) and isinstance(value, _KEY_TYPES)
        given = str(plain_value(value)) if is_written else value
        try:
            return self._adapter.validate_python(given)
        except pydantic.ValidationError as error:
            first = error.errors(include_url=False)[0]
            if IS_TRACING.get() and not first["type"].endswith("_type"):
                return given
            shown = repr(value)
            shown = shown if len(shown) <= _MAX_SHOWN else f"{shown[:_MAX_SHOWN]}…"
            raise BadKeyPart(
                messages.BAD_FIELD(field=self.name, value=shown, cause=problem(first))
            ) from None

    @cached_property
    def _adapter(self) -> pydantic.TypeAdapter[Any]:
        return pydantic.TypeAdapter(self.annotation)

    def dump(self, value: Any) -> Any:
        """The value in its stored form, still a Python value."""
        return value if self.form is None or value is None else self.form.dump(value)

    def load(self, stored: Any) -> Any:
        """The value that the field takes."""
        return stored if self.form is None or stored is None else self.form.load(stored)


def camel_case(name: str) -> str:
    """``created_at`` as ``createdAt``: for entities with ``names=camel_case``."""
    first, *rest = name.split("_")
    return first + "".join(word.capitalize() for word in rest)


def field_of(name: str, info: FieldInfo, attribute: str) -> Field:
    """The properties of a field, from its annotation."""
    marks = (*info.metadata, *_marks(info.annotation))
    kinds = _kinds(info.annotation)
    return Field(
        name=name,
        attribute=next((mark.name for mark in marks if isinstance(mark, Attribute)), attribute),
        form=next((mark for mark in marks if isinstance(mark, ValueFormat)), None),
        optional=type(None) in kinds,
        key_only=any(isinstance(mark, KeyOnly) for mark in marks),
        kinds=tuple(kind for kind in kinds if kind is not type(None)),
        marks=marks,
        annotation=Annotated[info.annotation, info] if info.metadata else info.annotation,
    )


def _marks(annotation: Any) -> Iterator[Any]:
    """Everything that ``Annotated`` says anywhere in an annotation."""
    if typing.get_origin(annotation) is Annotated:
        inner, *marks = typing.get_args(annotation)
        for mark in marks:
            yield from mark.metadata if isinstance(mark, FieldInfo) else (mark,)
        yield from _marks(inner)
    elif typing.get_origin(annotation) in (Union, types.UnionType):
        for option in typing.get_args(annotation):
            yield from _marks(option)


def _kinds(annotation: Any) -> list[Any]:
    """The types that a union offers, without their annotations."""
    if typing.get_origin(annotation) is Annotated:
        return _kinds(typing.get_args(annotation)[0])
    if typing.get_origin(annotation) in (Union, types.UnionType):
        return [kind for option in typing.get_args(annotation) for kind in _kinds(option)]
    return [annotation]


def _choices(kind: Any) -> list[Any] | None:
    """The values of a type that has only a few."""
    if typing.get_origin(kind) is Literal:
        return list(typing.get_args(kind))
    if isinstance(kind, type) and issubclass(kind, Enum):
        return [member.value for member in kind]
    return [False, True] if kind is bool else None


def _width(kind: Any, marks: tuple[Any, ...]) -> int | None:
    """The bytes that the text of a kind can take; None where nothing bounds it."""
    choices = _choices(kind)
    if choices is not None:
        return max(len(str(choice).encode()) for choice in choices)
    if kind in _WIDTHS:
        return _WIDTHS[kind]
    bounds = [
        mark.max_length for mark in marks if isinstance(mark, MaxLen | pydantic.StringConstraints)
    ]
    bounded = [bound for bound in bounds if bound is not None]
    size = {str: _BYTES_PER_CHARACTER, bytes: 1}.get(kind)
    return min(bounded) * size if bounded and size else None


def _stored_types(kind: Any) -> set[str]:
    """The types that DynamoDB has for the values of a kind."""
    choices = _choices(kind)
    if choices is not None:
        return {_TYPES.get(type(choice), "S") for choice in choices}
    plain_kind = typing.get_origin(kind) or kind
    if isinstance(plain_kind, type) and issubclass(plain_kind, pydantic.BaseModel):
        return {"M"}
    return {_TYPES.get(plain_kind, "S")}


_MOMENTS: Final = (
    datetime,
    pydantic.AwareDatetime,
    pydantic.FutureDatetime,
    pydantic.NaiveDatetime,
    pydantic.PastDatetime,
)
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


def hints_of(function: Callable[..., Any], role: str) -> dict[str, Any]:
    """The types that a function's annotations name; ``role`` is what the function declares."""
    try:
        return typing.get_type_hints(function, include_extras=True)
    except NameError as error:
        raise DeclarationError(
            f"an annotation of the {role} {function.__name__} names what its module does not "
            f"have: {error}; import it there, outside of TYPE_CHECKING"
        ) from None


class _Inputs:
    """An instance as a derived attribute may see it: what it read in secret would go stale."""

    __slots__ = ("_derived", "_instance")

    def __init__(self, derived: Derived[Any], instance: object) -> None:
        self._derived = derived
        self._instance = instance

    def __getattr__(self, name: str) -> Any:
        if name not in self._derived.inputs:
            raise DeclarationError(
                f"the derived attribute {self._derived.compute.__name__} reads {name}, which it "
                f"does not name; add it: @derived({name!r}, ...)"
            )
        return getattr(self._instance, name)


class Derived(Generic[R]):
    """A property that is stored."""

    field: Field

    def __init__(
        self, compute: Callable[[Any], R], inputs: tuple[str, ...], attribute: str | None
    ) -> None:
        self.compute = compute
        self.inputs = inputs
        self.attribute = attribute
        self.__doc__ = inspect.getdoc(compute)

    def settle(self, name: str, attribute: str) -> None:
        """Learn how the attribute is stored, once the class is there."""
        hints = hints_of(self.compute, "derived attribute")
        if "return" not in hints:
            raise DeclarationError(
                f"the derived attribute {name} needs a return annotation, such as -> str"
            )
        info = FieldInfo.from_annotation(hints["return"])
        self.field = field_of(name, info, self.attribute or attribute)

    @overload
    def __get__(self, instance: None, owner: type[Any]) -> Derived[R]: ...
    @overload
    def __get__(self, instance: object, owner: type[Any]) -> R: ...
    def __get__(self, instance: object | None, owner: type[Any]) -> Derived[R] | R:
        """Of an instance: its value, made of the fields that it names and no others."""
        return self if instance is None else self.compute(_Inputs(self, instance))

    def __set__(self, instance: object, value: Never) -> None:
        """Change the fields that it follows from instead."""
        raise AttributeError(
            f"{self.compute.__name__} follows from {', '.join(self.inputs)} and cannot be set"
        )


def derived(
    *inputs: str, attribute: str | None = None
) -> Callable[[Callable[[Any], R]], Derived[R]]:
    """Store what a method gives, made of these fields."""
    return lambda compute: Derived(compute, inputs, attribute)
