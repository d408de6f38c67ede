"""Data sets: what a domain offers for analysis, as columns and as partitions of rows."""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from datetime import date
from typing import Any, Final, Literal, TypeAlias
from urllib.parse import quote

from gotgan.errors import UsageError
from gotgan.exports import messages

Kind = Literal["text", "texts", "integer", "number", "boolean", "day", "moment"]
"""The type of a column: ``texts`` is a list, ``moment`` a time in UTC."""
Row: TypeAlias = tuple[Any, ...]
FILE: Final = "part-0.parquet"


@dataclass(frozen=True)
class Column:
    """A column of a data set; every value can be null."""

    name: str
    kind: Kind = "text"


@dataclass(frozen=True)
class ExportSpan:
    """The days to export, both ends included; None is without a bound."""

    since: date | None = None
    until: date | None = None

    def __post_init__(self) -> None:
        if self.since is not None and self.until is not None and self.since > self.until:
            raise UsageError(messages.SPAN_BACKWARDS(since=self.since, until=self.until))

    def __contains__(self, day: date) -> bool:
        return (self.since or date.min) <= day <= (self.until or date.max)


@dataclass(frozen=True)
class Partition:
    """The rows of one file."""

    value: str
    """A day such as 2026-11-17, or what else the data set is partitioned by."""
    version: str
    """A text that changes whenever the rows do."""
    rows: Callable[[], Iterator[Row]]
    """Reads the rows, with a value for each column."""


@dataclass(frozen=True)
class DataSet:
    """A table for analysis."""

    name: str
    columns: tuple[Column, ...]
    partitions: Callable[[ExportSpan], Iterable[Partition]]
    """Lists the partitions of some days, and reads as little as possible of their rows."""
    by: str | None = "day"
    """What it is partitioned by; without one it is a single file, whose partition has no value."""
    forgets: bool = False
    """Whether stored rows can be deleted: then files without rows are deleted too."""

    def path(self, value: str) -> str:
        """The path of a partition's file, as Hive, DuckDB and pandas expect it."""
        if self.by is None:
            return f"{self.name}/{FILE}"
        return f"{self.name}/{self.by}={quote(value, safe='')}/{FILE}"

    def is_within(self, value: str, span: ExportSpan) -> bool:
        """Whether a partition belongs to the days of an export."""
        return self.by != "day" or date.fromisoformat(value) in span

    @property
    def shape(self) -> str:
        """A text that changes with the columns."""
        return digest((each.name, each.kind) for each in self.columns)


def digest(values: Iterable[Any]) -> str:
    """A short text that differs where one of the values does."""
    found = hashlib.sha256()
    for each in values:
        found.update(repr(each).encode() + b"\0")
    return found.hexdigest()[:32]
