"""Where old rows come from: a table, read by scan, or lines of DynamoDB JSON or plain JSON."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import asdict, dataclass, fields
from functools import cached_property
from pathlib import Path
from typing import Any, Final, Protocol

import orjson

from gotgan.domains.site.keys import SITE
from gotgan.domains.site.migration import messages
from gotgan.domains.site.migration.rows import KINDS, RowKind
from gotgan.errors import BadDump, GotganError, UsageError
from gotgan.messages import text
from gotgan.store import Store
from gotgan.store.attributes import Item, encode
from gotgan.store.batches import chunks
from gotgan.store.data import load_sources
from gotgan.store.data.item_json import parse_item
from gotgan.store.outputs.live import LiveTable, item_key, live_table

BATCH_ROWS = 1_000
"""Rows that are read, written and noted together: enough to fill the transactions of a dozen
categories."""
_MAX_LINE_BYTES: Final = 8 << 20
_SUFFIXES: Final = (".json", ".jsonl", ".ndjson", ".gz")
_FORMS: Final = frozenset({"S", "N", "B", "BOOL", "NULL", "M", "L", "SS", "NS", "BS"})


@dataclass(frozen=True, slots=True)
class SourceRow:
    """A row as the source has it."""

    item: Item
    place: str
    """Where a person finds it."""
    trouble: str = ""
    """Why the row could not be read."""


@dataclass(frozen=True, slots=True)
class Batch:
    """Some rows, and the place behind them."""

    rows: list[SourceRow]
    behind: Any
    """What JSON can hold."""
    share: float | None
    """How much of the source was read, where that is known."""


class OldRows(Protocol):
    """One of the old tables, wherever its rows are."""

    @property
    def name(self) -> str:
        """Its name in reports."""

    @property
    def identity(self) -> str:
        """What tells it from any other source."""

    @property
    def fingerprint(self) -> str:
        """What it is only as long as a place in it means the same."""

    def batches(self, start: Any = None) -> Iterator[Batch]:
        """The rows behind a place; None is the beginning."""


@dataclass(frozen=True)
class OldTable:
    """A table of the database, read by a consistent scan."""

    store: Store
    name: str

    @cached_property
    def live(self) -> LiveTable:
        """What the database says of it."""
        return live_table(self.store.calls.driver, self.name)

    @property
    def identity(self) -> str:
        """Another one, when the table was removed and made again."""
        return f"table {self.name} {self.live.identity}"

    @property
    def fingerprint(self) -> str:
        """The keys of a table stay where they are."""
        return self.identity

    def batches(self, start: Any = None) -> Iterator[Batch]:
        """Scan on behind the key of a row."""
        request: dict[str, Any] = {"TableName": self.name, "ConsistentRead": True}
        done, items = start or {"key": None, "rows": 0}, max(1, self.live.items)
        key, count = done["key"], done["rows"]
        while True:
            behind = {} if key is None else {"ExclusiveStartKey": key}
            answer, _ = self.store.calls.send("migrate", "Scan", request | behind)
            for rows in chunks(answer["Items"], BATCH_ROWS):
                count += len(rows)
                place = {"key": item_key(self.live.table, rows[-1]), "rows": count}
                yield Batch(
                    [SourceRow(each, self.name) for each in rows], place, min(1.0, count / items)
                )
            key = answer.get("LastEvaluatedKey")
            if not key:
                return


@dataclass(frozen=True)
class OldFile:
    """A file of lines, a dump, an export of AWS, or a folder with files of lines."""

    path: Path

    @property
    def name(self) -> str:
        """Its name in reports."""
        return self.path.name

    @cached_property
    def source(self) -> load_sources.LoadSource:
        """The lines."""
        manifests = ("manifest.json", "manifest-files.json")
        if not self.path.is_dir() or any((self.path / name).exists() for name in manifests):
            return load_sources.source_at(self.path)
        files = sorted(each for each in self.path.iterdir() if each.name.endswith(_SUFFIXES))
        if not files:
            raise UsageError(messages.EMPTY_FOLDER(path=self.path))
        return load_sources.LoadSource(
            self.path.name, tuple(load_sources.SourcePart(each.name, each) for each in files)
        )

    @property
    def identity(self) -> str:
        """The same for a newer export in the same place."""
        return f"file {self.path.resolve()}"

    @property
    def fingerprint(self) -> str:
        """Another one, when a file was changed."""
        stats = [(part.name, part.path.stat()) for part in self.source.parts if part.path]
        parts = [f"{name} {stat.st_size} {stat.st_mtime_ns}" for name, stat in stats]
        return "\n".join([self.identity, *parts])

    def batches(self, start: Any = None) -> Iterator[Batch]:
        """Read on behind a line."""
        place = load_sources.LoadPosition(**start) if start else load_sources.LoadPosition()
        rows: list[SourceRow] = []
        size = 0
        try:
            for part, line in load_sources.lines_after(self.source, place):
                items = place.items if place.part == part else 0
                place = load_sources.LoadPosition(
                    part, line.end, line.number, items + bool(line.raw.strip())
                )
                if line.raw.strip():
                    rows.append(_row(line))
                    size += len(line.raw)
                if len(rows) == BATCH_ROWS or size >= _MAX_LINE_BYTES:
                    yield self._batch(rows, place)
                    rows, size = [], 0
        except BadDump:
            if rows:
                yield self._batch(rows, place)
            raise
        if rows:
            yield self._batch(rows, place)

    def _batch(self, rows: list[SourceRow], place: load_sources.LoadPosition) -> Batch:
        paths = [part.path for part in self.source.parts if part.path]
        if any(path.name.endswith(".gz") for path in paths):
            share = (place.part + 0.5) / len(paths) if len(paths) > 1 else None
        else:
            sizes = [path.stat().st_size for path in paths]
            share = (sum(sizes[: place.part]) + place.offset) / max(1, sum(sizes))
        return Batch(rows, asdict(place), share)


def _row(line: load_sources.SourceLine) -> SourceRow:
    try:
        return SourceRow(_item(line.raw), line.place)
    except BadDump as error:
        return SourceRow({}, line.place, error.message)


def _item(raw: bytes) -> Item:
    """The item of a line, whichever way it is written."""
    try:
        parsed = orjson.loads(raw)
    except orjson.JSONDecodeError as error:
        raise BadDump(messages.ROW_NOT_JSON(cause=text(str(error)))) from None
    if not isinstance(parsed, dict):
        raise BadDump(messages.ROW_NOT_OBJECT(type=type(parsed).__name__))
    if parsed.keys() == {"Item"} and _is_typed(parsed["Item"]):
        return parse_item(parsed["Item"])
    if _is_typed(parsed):
        return parse_item(parsed)
    try:
        return parse_item({name: encode(value) for name, value in parsed.items()})
    except GotganError as error:
        raise BadDump(error.message) from None


def _is_typed(item: Any) -> bool:
    """Whether every value says its type, as DynamoDB's do; plain rows have a plain id."""
    return (
        isinstance(item, dict)
        and bool(item)
        and all(isinstance(each, dict) and each.keys() <= _FORMS and each for each in item.values())
    )


@dataclass(frozen=True)
class Sources:
    """The old tables, as far as they are to be copied."""

    posts: OldRows | None = None
    categories: OldRows | None = None
    corp: OldRows | None = None
    contact: OldRows | None = None

    @classmethod
    def named(cls, store: Store, **words: str | None) -> Sources:
        """Each a table of the database, or a path."""
        given = {kind: _open_source(store, word) for kind, word in words.items() if word}
        return cls(**given)

    def __post_init__(self) -> None:
        identities = [rows.identity for _, rows in self.given()]
        if not identities:
            raise UsageError(messages.NO_SOURCES())
        if len(set(identities)) < len(identities):
            raise UsageError(messages.SAME_SOURCE())

    def given(self) -> list[tuple[RowKind, OldRows]]:
        """Those that were named, in the order in which they are copied."""
        named = {each.name: getattr(self, each.name) for each in fields(self)}
        return [(kind, named[kind.name]) for kind in KINDS if named[kind.name] is not None]

    @property
    def identity(self) -> str:
        """What tells them from any other sources."""
        return "\n".join(f"{kind.name}: {rows.identity}" for kind, rows in self.given())

    @property
    def fingerprint(self) -> str:
        """What they are only as long as places in them mean the same."""
        return "\n".join(f"{kind.name}: {rows.fingerprint}" for kind, rows in self.given())


def _open_source(store: Store, word: str) -> OldRows:
    """A path, if it is there or looks like one; else a table."""
    path = Path(word)
    if path.exists() or "/" in word or "\\" in word or word.endswith(_SUFFIXES):
        if not path.exists():
            raise UsageError(messages.NO_SOURCE(path=path))
        return OldFile(path)
    calls = store.calls
    name = calls.names.tables.get(word, word)
    if name == calls.names.of(SITE):
        raise UsageError(messages.SOURCE_IS_TARGET(table=name))
    return OldTable(store, name)
