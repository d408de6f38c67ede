'''Access patterns: functions that return a read; its keys are known without running it.

    @pattern
    def posts_in(category_id: str) -> Query[Post]:
        """The posts of a category, newest first."""
        return Post.key.query(category_id=category_id).newest_first()

The signature gives the types and the docstring the documentation. Declaring a pattern traces it, so
that one that cannot work fails at import, and its table knows all its patterns.

To trace is to call it twice, with different placeholders: values of the parameters' own types that
occur nowhere else. Where one turns up in a key, the parameter's name is put in its place. What then
still differs between the calls was computed from the arguments, and only its place is known.
'''

from __future__ import annotations

import inspect
import re
import types
import typing
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from datetime import UTC, date, datetime, timedelta
from decimal import Decimal
from enum import Enum
from functools import update_wrapper
from typing import Annotated, Any, Final, Generic, Literal, ParamSpec, TypeVar, Union
from uuid import UUID

from gotgan.clock import utc_stamp
from gotgan.errors import BadKeyPart, DeclarationError, UsageError
from gotgan.generics import bare_type
from gotgan.store.attributes import decode, plain_value
from gotgan.store.conditions import Expression
from gotgan.store.fields import IS_TRACING, hints_of
from gotgan.store.keys import Ref
from gotgan.store.queries import Leg, Query, SortCondition
from gotgan.store.schema import EntityScope
from gotgan.store.tables import Index, Table

P = ParamSpec("P")
R = TypeVar("R", bound=Query[Any] | Ref[Any])

_NUMBER_STARTS: Final = (90_000_000, 9_000, 10, 1)
"""Where the numbers begin: at eight digits, or at fewer where a key is padded to fewer."""
_FAR_DATE: Final = datetime(9000, 1, 1, tzinfo=UTC)
_PRIVATE_CHARACTER: Final = "\ue000"
"""Unicode leaves it to private use, so that no other text has it."""


@dataclass(frozen=True)
class PatternRead:
    """One read of a pattern, with ``{parameter}`` where a value will stand."""

    operation: Literal["GetItem", "Query"]
    table: Table
    index: Index | None
    pk: str
    """The partition key, such as ``CATEGORY#{category_id}``; of several attributes the first."""
    sort: str
    """The condition on the sort key, such as ``begins_with(SK, "POST#")``; empty without one."""
    filter: str
    newest_first: bool
    entities: tuple[str, ...]
    fixed: tuple[str, ...] = ()
    """Conditions on key attributes behind the first, such as ``region = "{region}"``."""

    @property
    def behind_pk(self) -> str:
        """All conditions behind the one on the partition key, or its first attribute."""
        return " AND ".join([*self.fixed, *([self.sort] if self.sort else [])])


class Pattern(Generic[P, R]):
    """An access pattern; calling it gives its read."""

    def __init__(self, function: Callable[P, R]) -> None:
        update_wrapper(self, function)
        self._function = function
        self.name = function.__name__
        self.module = function.__module__
        self.doc = inspect.getdoc(function) or ""
        # Annotations that are kept as text come in quotes.
        self.signature = f"{self.name}{inspect.signature(function)}".replace("'", "")
        self.reads = trace(function)
        if not self.doc:
            raise DeclarationError(
                f"the access pattern {self.name} needs a docstring that says what it finds"
            )

    @property
    def table(self) -> Table:
        """The table that it reads first."""
        return self.reads[0].table

    def __call__(self, *args: P.args, **kwargs: P.kwargs) -> R:
        """The read, for a store to carry out."""
        return self._function(*args, **kwargs)


AnyPattern = Pattern[..., Any]


def pattern(function: Callable[P, R]) -> Pattern[P, R]:
    """Declare an access pattern."""
    declared = Pattern(function)
    for table in {read.table for read in declared.reads}:
        table.patterns.append(declared)
    return declared


def patterns_of(table: Table) -> list[AnyPattern]:
    """The access patterns that read a table, as they were declared."""
    return list(table.patterns)


def trace(function: Callable[..., Any]) -> tuple[PatternRead, ...]:
    """The reads that an access pattern makes."""
    hints = hints_of(function, "access pattern")
    reads, again = (_call(function, hints, again=again) for again in (False, True))
    shapes = [_shape(reads)]
    for name in inspect.signature(function).parameters:
        for value in _other_values(hints[name]):
            arguments = _placeholders(function, hints, start=_NUMBER_STARTS[0], again=False)
            try:
                shapes.append(_shape(_call_with(function, {**arguments, name: value})))
            except (BadKeyPart, UsageError):
                continue  # the pattern does not take this value
    if len(reads) != len(again) or any(shape != shapes[0] for shape in shapes):
        raise DeclarationError(
            f"what the access pattern {function.__name__} reads depends on its arguments, so that "
            "pages and policies could not tell it; make one pattern of each"
        )
    return tuple(_combined_read(*pair) for pair in zip(reads, again, strict=True))


@dataclass(frozen=True)
class _Traced:
    """One read of one call, in texts with names in them."""

    operation: Literal["GetItem", "Query"]
    leg: Leg
    pk: str
    fixed: tuple[str, ...]
    bounds: tuple[str, ...]
    """Of the condition on the sort key."""
    filter: str
    """With the placeholders of its values."""
    values: dict[str, str]


def _shape(reads: list[_Traced]) -> list[tuple[Any, ...]]:
    return [(read.operation, read.leg.table.name, read.leg.index) for read in reads]


def _call(function: Callable[..., Any], hints: Mapping[str, Any], *, again: bool) -> list[_Traced]:
    """Call with large numbers, or with smaller ones where a key has no room for them."""
    for start in _NUMBER_STARTS[:-1]:
        try:
            return _call_with(function, _placeholders(function, hints, start=start, again=again))
        except BadKeyPart:
            continue
    arguments = _placeholders(function, hints, start=_NUMBER_STARTS[-1], again=again)
    return _call_with(function, arguments)


def _call_with(function: Callable[..., Any], arguments: dict[str, Any]) -> list[_Traced]:
    token = IS_TRACING.set(True)
    try:
        found = function(**arguments)
    finally:
        IS_TRACING.reset(token)
    names = PlaceholderNames(arguments)
    if isinstance(found, Ref):
        sort = None if found.sk is None else SortCondition("=", found.sk)
        leg = Leg(found.table, None, (found.entity,), found.pk, sort=sort)
        return [_traced_read("GetItem", leg, names)]
    if isinstance(found, Query):
        return [_traced_read("Query", leg, names) for leg in found.legs]
    raise DeclarationError(
        f"the access pattern {function.__name__} gives {type(found).__name__}; "
        "it must return a Query or a Ref"
    )


def _traced_read(
    operation: Literal["GetItem", "Query"], leg: Leg, names: PlaceholderNames
) -> _Traced:
    expression = Expression(EntityScope.of(leg.entities))
    text = "" if leg.filter is None else leg.filter.write(expression)
    for name, mark in sorted(expression.names.items(), key=lambda pair: -len(pair[1])):
        text = text.replace(mark, name)
    bounds = () if leg.sort is None else (leg.sort.low, leg.sort.high)
    return _Traced(
        operation=operation,
        leg=leg,
        pk=names.text(leg.pk),
        fixed=tuple(names.quoted(value) for value in leg.fixed),
        bounds=tuple(names.quoted(bound) for bound in bounds if bound is not None),
        filter=text,
        values={mark: names.quoted(decode(v)) for mark, v in expression.values.items()},
    )


def _combined_read(one: _Traced, other: _Traced) -> PatternRead:
    leg = one.leg
    condition = one.filter
    for mark in sorted(one.values, key=len, reverse=True):
        text = _common_text("value", one.values[mark], other.values.get(mark, ""))
        condition = condition.replace(mark, text)
    return PatternRead(
        operation=one.operation,
        table=leg.table,
        index=leg.index,
        pk=_common_text(leg.place.pk.name, one.pk, other.pk),
        fixed=tuple(
            f"{key.name} = {_common_text(key.name, *pair)}"
            for key, pair in zip(
                leg.place.keys[1:], zip(one.fixed, other.fixed, strict=True), strict=False
            )
        ),
        sort=_sort(one, other),
        filter=condition,
        newest_first=leg.newest_first,
        entities=tuple(entity.__name__ for entity in leg.entities),
    )


def _sort(one: _Traced, other: _Traced) -> str:
    sort, key = one.leg.sort, one.leg.sort_key
    if sort is None or key is None:
        return ""
    name, word = key.name, sort.word
    low, *high = (_common_text(name, *pair) for pair in zip(one.bounds, other.bounds, strict=True))
    if word == "begins_with":
        return f"begins_with({name}, {low})"
    return " AND ".join([f"{name} {word} {low}", *high])


def _common_text(name: str, one: str, other: str) -> str:
    """What both calls gave, or else the name of its place; in quotes where it is in quotes."""
    if one == other:
        return one
    return f'"{{{name}}}"' if one.startswith('"') else f"{{{name}}}"


def _placeholders(
    function: Callable[..., Any], hints: Mapping[str, Any], *, start: int, again: bool
) -> dict[str, Any]:
    """An argument for each parameter; other ones for the second call."""
    parameters = inspect.signature(function).parameters.values()
    made = {}
    for number, parameter in enumerate(parameters, len(parameters) if again else 0):
        about = f"{parameter.name} of the access pattern {function.__name__}"
        if parameter.kind not in (parameter.POSITIONAL_OR_KEYWORD, parameter.KEYWORD_ONLY):
            raise DeclarationError(f"{about} cannot be given by name; declare it without * or /")
        if parameter.name not in hints:
            raise DeclarationError(f"{about} needs a type annotation")
        kind = bare_type(hints[parameter.name])
        value = _placeholder(parameter.name, kind, number, start)
        if value is None:
            raise DeclarationError(
                f"{about} is a {kind}; use str, int, Decimal, bool, date, datetime, UUID, bytes, "
                "an Enum or a Literal"
            )
        made[parameter.name] = value
    return made


def _placeholder(name: str, kind: Any, number: int, start: int) -> Any:
    if typing.get_origin(kind) is Literal:
        return typing.get_args(kind)[0]
    if isinstance(kind, type) and issubclass(kind, Enum):
        return next(iter(kind))
    text = f"{_PRIVATE_CHARACTER}{name}{number}{_PRIVATE_CHARACTER}"
    makers: Mapping[Any, Any] = {
        str: text,
        bytes: text.encode(),
        datetime: _FAR_DATE + timedelta(days=number),
        date: (_FAR_DATE + timedelta(days=number)).date(),
        int: start + number,
        Decimal: Decimal(start + number),
        UUID: UUID(int=_NUMBER_STARTS[0] + number),
        bool: True,
    }
    return makers.get(kind)


def _other_values(hint: Any) -> list[Any]:
    """Other arguments that a pattern could branch on: None, False, and the rest of a choice."""
    kind = bare_type(hint)
    options: list[Any] = [None] if _can_be_none(hint) else []
    if typing.get_origin(kind) is Literal:
        return options + list(typing.get_args(kind)[1:])
    if isinstance(kind, type) and issubclass(kind, Enum):
        return options + list(kind)[1:]
    return [*options, False] if kind is bool else options


def _can_be_none(hint: Any) -> bool:
    if typing.get_origin(hint) is Annotated:
        return _can_be_none(typing.get_args(hint)[0])
    is_union = typing.get_origin(hint) in (Union, types.UnionType)
    return is_union and type(None) in typing.get_args(hint)


class PlaceholderNames:
    """From placeholders back to the names of parameters."""

    def __init__(self, made: Mapping[str, Any]) -> None:
        written = [(text, name) for name, value in made.items() for text in _text_patterns(value)]
        # In one go and the longest first, so that nothing is found inside another, or in a name.
        written.sort(key=lambda pair: -len(pair[0]))
        self._names = [name for _, name in written]
        self._find = re.compile("|".join(f"({text})" for text, _ in written) or "(?!)")

    def text(self, value: object) -> str:
        """A value with names in it."""
        text = value.decode() if isinstance(value, bytes) else str(value)
        return self._find.sub(lambda m: f"{{{self._names[(m.lastindex or 1) - 1]}}}", text)

    def quoted(self, value: object) -> str:
        """A value with names in it, as a condition shows it."""
        return f'"{self.text(value)}"' if isinstance(value, str) else self.text(value)


def _text_patterns(value: Any) -> list[str]:
    """Regular expressions of the texts that a placeholder can turn into."""
    if isinstance(value, datetime):
        stamp = utc_stamp(value)
        numbers = [_number(stamp.epoch_ms), _number(stamp.epoch_ms // 1000)]
        return [stamp.iso, *numbers, stamp.day]
    if isinstance(value, int | Decimal) and not isinstance(value, bool | Enum):
        return [_number(value)]
    text = value.decode() if isinstance(value, bytes) else str(plain_value(value))
    if _PRIVATE_CHARACTER in text and not isinstance(value, Enum):
        return [re.escape(text)]
    return [rf"(?<!\w){re.escape(text)}(?!\w)"]  # as a whole word: others may write it too


def _number(value: int | Decimal) -> str:
    """A number, with the zeros that it is padded with."""
    return rf"(?<!\d)0*{value}(?!\d)"
