"""Placeholders: arguments to try an access pattern with, and the way back to their names.

A placeholder is a value of the parameter's own type that nobody uses, so that a pattern runs as it
always does; where it turns up in a key, the parameter's name is put in its place.
"""

from __future__ import annotations

import inspect
import re
import types
from collections.abc import Callable, Mapping
from contextvars import ContextVar
from datetime import UTC, date, datetime, timedelta
from decimal import Decimal
from enum import Enum
from typing import Annotated, Any, Final, Literal, Union, get_args, get_origin
from uuid import UUID

from gotgan.clock import utc_stamp
from gotgan.errors import DeclarationError
from gotgan.store.attributes import plain
from gotgan.store.hints import hints_of

__all__ = ["NUMBERS", "TRYING", "Back", "alternatives", "placeholders"]

NUMBERS: Final = (90_000_000, 9_000, 10, 1)
"""Where the numbers begin: at eight digits, or at fewer where a key is padded to fewer."""
TRYING: Final = ContextVar("TRYING", default=False)
"""Whether a pattern is being called with placeholders."""
_FAR: Final = datetime(9000, 1, 1, tzinfo=UTC)
_OURS: Final = "\ue000"
"""What nobody writes: Unicode leaves it to private use."""


def placeholders(function: Callable[..., Any], *, start: int, again: bool) -> dict[str, Any]:
    """An argument for each parameter; other ones when it is done again."""
    hints = hints_of(function, "access pattern")
    parameters = inspect.signature(function).parameters.values()
    made = {}
    for number, parameter in enumerate(parameters, len(parameters) if again else 0):
        if parameter.kind not in (parameter.POSITIONAL_OR_KEYWORD, parameter.KEYWORD_ONLY):
            raise _wrong(function, parameter, "cannot be given by name; declare it without * or /")
        if parameter.name not in hints:
            raise _wrong(function, parameter, "needs a type annotation")
        kind = _plain_type(hints[parameter.name])
        value = _placeholder(parameter.name, kind, number, start)
        if value is None:
            raise _wrong(
                function,
                parameter,
                f"is a {kind}; use str, int, Decimal, bool, date, datetime, UUID, bytes, an Enum "
                "or a Literal",
            )
        made[parameter.name] = value
    return made


def alternatives(function: Callable[..., Any]) -> list[dict[str, Any]]:
    """Other arguments that a pattern could branch on: None, False, and the rest of a choice."""
    hints = hints_of(function, "access pattern")
    return [
        {name: value}
        for name in inspect.signature(function).parameters
        for value in _others(hints[name])
    ]


def _others(hint: Any) -> list[Any]:
    kind = _plain_type(hint)
    options: list[Any] = [None] if _can_be_none(hint) else []
    if get_origin(kind) is Literal:
        return options + list(get_args(kind)[1:])
    if isinstance(kind, type) and issubclass(kind, Enum):
        return options + list(kind)[1:]
    return [*options, False] if kind is bool else options


def _can_be_none(hint: Any) -> bool:
    if get_origin(hint) is Annotated:
        return _can_be_none(get_args(hint)[0])
    is_union = get_origin(hint) in (Union, types.UnionType)
    return is_union and any(option is type(None) for option in get_args(hint))


class Back:
    """From placeholders back to the names of parameters."""

    def __init__(self, made: Mapping[str, Any]) -> None:
        written = [(text, name) for name, value in made.items() for text in _writings(value)]
        # In one go and the longest first, so that nothing is found inside another, or in a name.
        written.sort(key=lambda pair: -len(pair[0]))
        self._names = [name for _, name in written]
        self._find = re.compile("|".join(f"({text})" for text, _ in written) or "(?!)")

    def text(self, value: object) -> str:
        """A value with names in it."""
        text = value.decode() if isinstance(value, bytes) else str(value)
        return self._find.sub(self._name, text)

    def quoted(self, value: object) -> str:
        """A value with names in it, as a condition shows it."""
        return f'"{self.text(value)}"' if isinstance(value, str) else self.text(value)

    def _name(self, found: re.Match[str]) -> str:
        return f"{{{self._names[(found.lastindex or 1) - 1]}}}"


def _wrong(
    function: Callable[..., Any], parameter: inspect.Parameter, sentence: str
) -> DeclarationError:
    return DeclarationError(
        f"{parameter.name} of the access pattern {function.__name__} {sentence}"
    )


def _placeholder(name: str, kind: Any, number: int, start: int) -> Any:
    if get_origin(kind) is Literal:
        return get_args(kind)[0]
    if isinstance(kind, type) and issubclass(kind, Enum):
        return next(iter(kind))
    text = f"{_OURS}{name}{number}{_OURS}"
    makers: Mapping[Any, Any] = {
        str: text,
        bytes: text.encode(),
        datetime: _FAR + timedelta(days=number),
        date: (_FAR + timedelta(days=number)).date(),
        int: start + number,
        Decimal: Decimal(start + number),
        UUID: UUID(int=NUMBERS[0] + number),
        bool: True,
    }
    return makers.get(kind)


def _plain_type(hint: Any) -> Any:
    """The type behind annotations and ``| None``."""
    if get_origin(hint) is Annotated:
        return _plain_type(get_args(hint)[0])
    if get_origin(hint) in (Union, types.UnionType):
        options = [option for option in get_args(hint) if option is not type(None)]
        return _plain_type(options[0])
    return hint


def _writings(value: Any) -> list[str]:
    """Regular expressions of the texts that a placeholder can turn into."""
    if isinstance(value, datetime):
        stamp = utc_stamp(value)
        numbers = [_number(stamp.epoch_ms), _number(stamp.epoch_ms // 1000)]
        return [stamp.iso, *numbers, stamp.day]
    if isinstance(value, bool | Enum):
        return [_whole_word(str(plain(value)))]
    if isinstance(value, int | Decimal):
        return [_number(value)]
    text = value.decode() if isinstance(value, bytes) else str(value)
    return [re.escape(text) if _OURS in text else _whole_word(text)]


def _number(value: int | Decimal) -> str:
    """A number, with the zeros that it is padded with."""
    return rf"(?<!\d)0*{value}(?!\d)"


def _whole_word(text: str) -> str:
    """A word that others may write too, but not as a part of another word."""
    return rf"(?<!\w){re.escape(text)}(?!\w)"
