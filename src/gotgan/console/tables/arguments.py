"""The arguments of an access pattern: fields of a form, and the values that they stand for."""

from __future__ import annotations

import inspect
import types
from collections.abc import Mapping
from dataclasses import dataclass
from datetime import UTC, date, datetime
from typing import Annotated, Any, Final, Literal, Union, get_args, get_origin

from pydantic import TypeAdapter, ValidationError

from gotgan.store.hints import hints_of
from gotgan.store.patterns import AnyPattern

__all__ = ["PREFIX", "PatternParameter", "arguments_of", "parameters_of"]

PREFIX: Final = "arg."
"""What the names of arguments begin with in an address: a pattern may take a limit of its own."""
Kind = Literal["text", "date", "moment", "choice"]


@dataclass(frozen=True)
class PatternParameter:
    """Something that an access pattern is to be told."""

    name: str
    kind: Kind
    annotation: Any
    options: tuple[str, ...] = ()
    is_required: bool = True

    @property
    def field(self) -> str:
        """What it is called in an address."""
        return f"{PREFIX}{self.name}"

    @property
    def pairs(self) -> list[tuple[str, str]]:
        """Its options as a form offers them; one that may be left out has a blank too."""
        offered = self.options if self.is_required else ("", *self.options)
        return [(word, word) for word in offered]


def parameters_of(pattern: AnyPattern) -> list[PatternParameter]:
    """What a pattern takes, in the order of its signature."""
    function = inspect.unwrap(pattern)
    hints = hints_of(function, "access pattern")
    told = inspect.signature(function).parameters.values()
    return [_parameter(each, hints[each.name]) for each in told]


def arguments_of(
    pattern: AnyPattern, texts: Mapping[str, str]
) -> tuple[dict[str, Any], dict[str, str]]:
    """The values of a pattern's arguments, and under their fields what is wrong with others.

    One that is left empty is wrong only where the pattern cannot do without it.
    """
    values: dict[str, Any] = {}
    wrong: dict[str, str] = {}
    for parameter in parameters_of(pattern):
        text = texts.get(parameter.field, "")
        if not text:
            wrong |= {parameter.field: "tables.wrong.argument"} if parameter.is_required else {}
            continue
        try:
            values[parameter.name] = _value(parameter, text)
        except ValidationError as error:
            wrong[parameter.field] = error.errors(include_url=False)[0]["msg"]
    return values, wrong


def _parameter(told: inspect.Parameter, hint: Any) -> PatternParameter:
    kind = _plain(hint)
    options = tuple(str(each) for each in _choices(kind))
    word: Kind = "choice" if options else _KINDS.get(kind, "text")
    is_required = told.default is inspect.Parameter.empty
    return PatternParameter(told.name, word, hint, options, is_required)


def _value(parameter: PatternParameter, text: str) -> Any:
    value = TypeAdapter(parameter.annotation).validate_python(text)
    if not isinstance(value, datetime):
        return value
    return value.replace(tzinfo=UTC) if value.tzinfo is None else value.astimezone(UTC)


def _plain(hint: Any) -> Any:
    """The type behind annotations and ``| None``."""
    if get_origin(hint) is Annotated:
        return _plain(get_args(hint)[0])
    if get_origin(hint) in (Union, types.UnionType):
        return _plain(next(each for each in get_args(hint) if each is not type(None)))
    return hint


def _choices(kind: Any) -> tuple[Any, ...]:
    if kind is bool:
        return ("true", "false")
    return get_args(kind) if get_origin(kind) is Literal else ()


_KINDS: Final[Mapping[Any, Kind]] = {date: "date", datetime: "moment"}
