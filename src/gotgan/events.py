"""Events with names that can be searched for, such as ``engine.opened``.

An event is a record of the standard library's logging, under the logger ``gotgan``: the command
line writes it to standard error, and a server keeps the latest for its pages. Secrets are masked:
values of type ``Secret``, and fields whose name says so.
"""

from __future__ import annotations

import json
import logging
import re
from collections import deque
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from contextvars import ContextVar
from dataclasses import dataclass
from datetime import UTC, datetime
from typing import TYPE_CHECKING, Any, ClassVar, Final, TextIO

from gotgan.clock import Clock, utc_iso
from gotgan.errors import BadCursor
from gotgan.messages import Template

if TYPE_CHECKING:
    from gotgan.settings import LogLevel


_LOGGER: Final = "gotgan"
_MASK: Final = "***"
_BAD_CURSOR: Final = Template(
    "events.bad_cursor", "The cursor was changed or belongs to another list. Start without one."
)
_CURSOR: Final = re.compile(r"[0-9]{1,18}")
_NAME: Final = re.compile(r"[a-z][a-z0-9_]*(\.[a-z][a-z0-9_]*)+")
_PLAIN: Final = re.compile(r"[^\s\"'=\\]+")
_RESERVED: Final = frozenset({"at", "event", "level", "traceback"})
_SECRET_NAME: Final = re.compile(r"(?i)secret|passw|token|authori[sz]ation|credential|api_?key")

_LISTENER: ContextVar[Callable[[Event, LogLevel], None] | None] = ContextVar(
    "gotgan_events", default=None
)


@dataclass(frozen=True)
class Event:
    """A name and its details; ``str`` returns ``name key=value key=value``."""

    name: str
    fields: Mapping[str, Any]

    def __post_init__(self) -> None:
        if not _NAME.fullmatch(self.name):
            raise ValueError(f"{self.name!r} is no event name; use words like engine.opened")
        if clash := _RESERVED & set(self.fields):
            raise ValueError(f"{', '.join(sorted(clash))} cannot be fields of an event")

    def __str__(self) -> str:
        shown = (f" {key}={_quoted_text(value)}" for key, value in self.masked().items())
        return self.name + "".join(shown)

    def masked(self) -> dict[str, Any]:
        """The fields, with secrets masked."""
        return {key: _masked(key, value) for key, value in self.fields.items()}


def emit(name: str, /, *, level: LogLevel = "info", **fields: Any) -> None:
    """Log an event."""
    weight = _weight(level)
    if (listener := _LISTENER.get()) is not None and weight >= logging.INFO:
        listener(Event(name, fields), level)
    logger = logging.getLogger(_LOGGER)
    if logger.isEnabledFor(weight):
        logger.log(weight, Event(name, fields))


@contextmanager
def listening_here(listener: Callable[[Event, LogLevel], None]) -> Iterator[None]:
    """Pass on the events of a block, and of threads that have a copy of its context."""
    token = _LISTENER.set(listener)
    try:
        yield
    finally:
        _LISTENER.reset(token)


class TextFormatter(logging.Formatter):
    """Events for people: ``2025-11-06T00:35:12Z info engine.opened path=gotgan-data``."""

    def format(self, record: logging.LogRecord) -> str:
        """One line of text; a traceback, where there is one, follows it."""
        line = f"{_time(record)} {record.levelname.lower()} {record.getMessage()}"
        return f"{line}\n{self.formatException(record.exc_info)}" if record.exc_info else line


class JsonFormatter(logging.Formatter):
    """Events for programs: one JSON object per line with ``at``, ``level`` and ``event``."""

    def format(self, record: logging.LogRecord) -> str:
        """One line of JSON, with the traceback in it where there is one."""
        line = {"at": _time(record), "level": record.levelname.lower(), **_body(record)}
        if record.exc_info:
            line["traceback"] = self.formatException(record.exc_info)
        return json.dumps(line, ensure_ascii=False, default=str)


def write_to(stream: TextIO, *, level: LogLevel, as_json: bool) -> None:
    """Write events of this level and above to a stream, instead of to the one before."""
    logger = logging.getLogger(_LOGGER)
    for old in [handler for handler in logger.handlers if isinstance(handler, _Writer)]:
        logger.removeHandler(old)
    writer = _Writer(stream)
    writer.setFormatter(JsonFormatter() if as_json else TextFormatter())
    writer.setLevel(level.upper())  # others may listen to more than this
    logger.addHandler(writer)
    logger.setLevel(level.upper())


@dataclass(frozen=True)
class KeptEvent:
    """An event that a process remembers, as text and with secrets masked."""

    shown: ClassVar = {
        "number": "number",
        "at": "at",
        "level": "level",
        "event": "name",
        "fields": "fields",
    }

    number: int
    """Its number since the process started; the first is 1."""
    at: datetime
    level: str
    name: str
    """Its name, such as `news.uploaded`."""
    fields: Mapping[str, str]
    """Its details; secrets are masked."""


@dataclass(frozen=True)
class EventPage:
    """Events, newest first."""

    items: tuple[KeptEvent, ...]
    cursor: str | None
    """Of the next page; null at the end."""


class RecentEvents:
    """The latest events of this process, from the time on that it listens."""

    def __init__(self, most: int = 1_000, *, clock: Clock | None = None) -> None:
        """``clock`` tells the time of events, if it is not the machine's."""
        self._clock = clock
        self._kept: deque[KeptEvent] = deque(maxlen=most)
        self._count = 0

    @contextmanager
    def listening(self, level: LogLevel = "info") -> Iterator[None]:
        """Keep events of this level and above, for as long as a block runs."""
        logger, handler = logging.getLogger(_LOGGER), _Keeper(self, level.upper())
        before = logger.level
        logger.addHandler(handler)
        logger.setLevel(min(logger.getEffectiveLevel(), handler.level))
        try:
            yield
        finally:
            logger.removeHandler(handler)
            logger.setLevel(before)

    def keep(self, record: logging.LogRecord) -> None:
        """Keep an event, and drop the oldest if the buffer is full."""
        self._count += 1
        body = _body(record)
        name = body.pop("event")
        if record.exc_info:
            body["traceback"] = logging.Formatter().formatException(record.exc_info)
        fields = {key: _text(value) for key, value in body.items()}
        created = datetime.fromtimestamp(record.created, UTC)
        at, level = self._clock.now() if self._clock else created, record.levelname.lower()
        self._kept.append(KeptEvent(self._count, at, level, name, fields))

    def page(
        self,
        name: str = "",
        *,
        level: LogLevel = "debug",
        limit: int = 100,
        cursor: str | None = None,
    ) -> EventPage:
        """Events whose names start with ``name``, of this level and above, the latest first."""
        before, least = _number(cursor), _weight(level)
        found = [
            kept
            for kept in reversed(self._kept.copy())
            if (before is None or kept.number < before)
            and kept.name.startswith(name)
            and _weight(kept.level) >= least
        ]
        more = len(found) > limit
        return EventPage(tuple(found[:limit]), str(found[limit - 1].number) if more else None)


class _Keeper(logging.Handler):
    """A handler that keeps events; the lock of logging is held around it."""

    def __init__(self, recent: RecentEvents, level: str) -> None:
        super().__init__(level)
        self._recent = recent

    def emit(self, record: logging.LogRecord) -> None:
        self._recent.keep(record)


class _Writer(logging.StreamHandler[TextIO]):
    """A handler of ours, as opposed to those of an application around us."""


def _body(record: logging.LogRecord) -> dict[str, Any]:
    """An event, or a plain message to our logger."""
    if isinstance(record.msg, Event):
        return {"event": record.msg.name, **record.msg.masked()}
    return {"event": "log.message", "message": record.getMessage()}


def _weight(level: str) -> int:
    return logging.getLevelNamesMapping()[level.upper()]


def _number(cursor: str | None) -> int | None:
    if cursor is None:
        return None
    if not _CURSOR.fullmatch(cursor):
        raise BadCursor(_BAD_CURSOR())
    return int(cursor)


def _time(record: logging.LogRecord) -> str:
    return utc_iso(datetime.fromtimestamp(record.created, UTC))


def _masked(key: str, value: Any) -> Any:
    from gotgan.settings import Secret  # noqa: PLC0415 - help needs no settings

    if isinstance(value, Secret) or _SECRET_NAME.search(key):
        return _MASK
    if isinstance(value, Mapping):
        return {str(name): _masked(str(name), inner) for name, inner in value.items()}
    if isinstance(value, list | tuple | set | frozenset):
        return [_masked(key, inner) for inner in value]
    return value


def _text(value: Any) -> str:
    return value if isinstance(value, str) else json.dumps(value, ensure_ascii=False, default=str)


def _quoted_text(value: Any) -> str:
    text = _text(value)
    return text if _PLAIN.fullmatch(text) else json.dumps(text, ensure_ascii=False)
