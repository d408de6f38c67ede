"""What happened, as events with names that can be searched for, such as ``engine.opened``.

An event is one record of the standard library's logging, under the logger ``gotgan``: programs
that embed Gotgan treat it like any other, the command line writes it to standard error.
Nothing secret gets through: values of type ``Secret``, and fields with a telling name, are masked.
"""

from __future__ import annotations

import json
import logging
import re
from collections.abc import Mapping
from dataclasses import dataclass
from datetime import UTC, datetime
from typing import Any, Final, TextIO

from gotgan.clock import utc_stamp
from gotgan.settings import LogLevel, Secret

__all__ = ["Event", "JsonLines", "TextLines", "emit", "write_to"]

_LOGGER: Final = "gotgan"
_MASK: Final = "***"
_NAME: Final = re.compile(r"[a-z][a-z0-9_]*(\.[a-z][a-z0-9_]*)+")
_PLAIN: Final = re.compile(r"[^\s\"'=\\]+")
_RESERVED: Final = frozenset({"at", "event", "level", "traceback"})
_TELLING: Final = re.compile(r"(?i)secret|passw|token|authori[sz]ation|credential|api_?key")


@dataclass(frozen=True)
class Event:
    """A name and what there is to say about it; ``str`` gives ``name key=value key=value``."""

    name: str
    fields: Mapping[str, Any]

    def __post_init__(self) -> None:
        if not _NAME.fullmatch(self.name):
            raise ValueError(f"{self.name!r} is no event name; use words like engine.opened")
        if clash := _RESERVED & set(self.fields):
            raise ValueError(f"{', '.join(sorted(clash))} cannot be fields of an event")

    def __str__(self) -> str:
        shown = (f" {key}={_as_text(value)}" for key, value in self.masked().items())
        return self.name + "".join(shown)

    def masked(self) -> dict[str, Any]:
        """The fields, with whatever is secret masked."""
        return {key: _masked(key, value) for key, value in self.fields.items()}


def emit(name: str, /, *, level: LogLevel = "info", **fields: Any) -> None:
    """Say that something happened."""
    number = logging.getLevelNamesMapping()[level.upper()]
    logger = logging.getLogger(_LOGGER)
    if logger.isEnabledFor(number):
        logger.log(number, Event(name, fields))


class TextLines(logging.Formatter):
    """Events for people: ``2025-11-06T00:35:12Z info engine.opened path=gotgan-data``."""

    def format(self, record: logging.LogRecord) -> str:
        """One line of text; a traceback, where there is one, follows it."""
        line = f"{_at(record)} {record.levelname.lower()} {record.getMessage()}"
        return f"{line}\n{self.formatException(record.exc_info)}" if record.exc_info else line


class JsonLines(logging.Formatter):
    """Events for programs: one JSON object per line with ``at``, ``level`` and ``event``."""

    def format(self, record: logging.LogRecord) -> str:
        """One line of JSON, with the traceback in it where there is one."""
        line = {"at": _at(record), "level": record.levelname.lower(), **_body(record)}
        if record.exc_info:
            line["traceback"] = self.formatException(record.exc_info)
        return json.dumps(line, ensure_ascii=False, default=str)


def write_to(stream: TextIO, *, level: LogLevel, as_json: bool) -> None:
    """Write events of this level and above to a stream, instead of to the one before."""
    logger = logging.getLogger(_LOGGER)
    for old in [handler for handler in logger.handlers if isinstance(handler, _Writer)]:
        logger.removeHandler(old)
    writer = _Writer(stream)
    writer.setFormatter(JsonLines() if as_json else TextLines())
    logger.addHandler(writer)
    logger.setLevel(level.upper())


class _Writer(logging.StreamHandler[TextIO]):
    """A handler that can be told from those of the program around us."""


def _body(record: logging.LogRecord) -> dict[str, Any]:
    """An event, or a plain message that somebody logged below our name."""
    if isinstance(record.msg, Event):
        return {"event": record.msg.name, **record.msg.masked()}
    return {"event": "log.message", "message": record.getMessage()}


def _at(record: logging.LogRecord) -> str:
    return utc_stamp(datetime.fromtimestamp(record.created, UTC)).iso


def _masked(key: str, value: Any) -> Any:
    if isinstance(value, Secret) or _TELLING.search(key):
        return _MASK
    if isinstance(value, Mapping):
        return {str(name): _masked(str(name), inner) for name, inner in value.items()}
    if isinstance(value, list | tuple | set | frozenset):
        return [_masked(key, inner) for inner in value]
    return value


def _as_text(value: Any) -> str:
    text = value if isinstance(value, str) else json.dumps(value, ensure_ascii=False, default=str)
    return text if _PLAIN.fullmatch(text) else json.dumps(text, ensure_ascii=False)
