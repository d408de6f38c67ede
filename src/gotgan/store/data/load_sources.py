"""What can be loaded, in windows of lines: a file, a dump, an export of AWS, or a stream."""

from __future__ import annotations

import gzip
import io
import zlib
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Final, TypeAlias, cast

import orjson

from gotgan.errors import BadDump, UsageError
from gotgan.messages import Message, text
from gotgan.store.attributes import Item
from gotgan.store.data import messages
from gotgan.store.data.dump_manifest import MANIFEST, DumpManifest, Layout
from gotgan.store.data.item_json import MAX_LINE_BYTES, parse_line
from gotgan.store.outputs.live import key_defect
from gotgan.store.tables import KeyAttribute, Table

_SUMMARY: Final = "manifest-summary.json"
_FILES: Final = "manifest-files.json"
_GZIP: Final = b"\x1f\x8b"
_Readable: TypeAlias = io.BufferedReader | gzip.GzipFile


@dataclass(frozen=True, slots=True)
class SourceLine:
    """A line, its place, and where the next one begins."""

    raw: bytes
    file: str
    number: int
    """Counted from 1."""
    end: int
    """In bytes of the text, as it is without compression."""

    @property
    def place(self) -> Message:
        """Where a person finds the line."""
        return messages.PLACE(number=self.number, file=self.file)


@dataclass(frozen=True)
class SourcePart:
    """One file, or a stream that can be read only once."""

    name: str
    path: Path | None
    items: int | None = None
    """The number of items in the manifest, if there is one."""
    stream: io.BufferedReader[Any] | None = None

    def lines(self, offset: int = 0, number: int = 0) -> Iterator[SourceLine]:
        """The lines after an offset; ``number`` lines are before it."""
        try:
            with self._open() as file:
                if offset:
                    file.seek(offset)
                while raw := file.readline(MAX_LINE_BYTES + 1):
                    number, offset = number + 1, offset + len(raw)
                    line = SourceLine(raw, self.name, number, offset)
                    if len(raw) > MAX_LINE_BYTES:
                        raise BadDump(
                            messages.LINE_TOO_LONG(place=line.place, limit=MAX_LINE_BYTES)
                        )
                    yield line
        except (gzip.BadGzipFile, zlib.error, EOFError) as error:
            raise BadDump(messages.DAMAGED_GZIP(name=self.name, cause=text(str(error)))) from None

    def before(self, offset: int, size: int) -> bytes:
        """The ``size`` bytes before an offset; fewer if the file is too short."""
        with self._open() as file:
            file.seek(offset - size)
            return file.read(size)

    @contextmanager
    def _open(self) -> Iterator[_Readable]:
        if self.path is None:
            yield _decompressed_file(cast("io.BufferedReader[Any]", self.stream))
            return
        with self.path.open("rb") as file:
            yield _decompressed_file(file)


def _decompressed_file(file: io.BufferedReader[Any]) -> _Readable:
    """The text of a file, whether it is compressed or not: JSON never begins as gzip does."""
    return gzip.GzipFile(fileobj=file) if file.peek(2).startswith(_GZIP) else file


@dataclass(frozen=True)
class LoadSource:
    """What is to be loaded, in its order."""

    name: str
    parts: tuple[SourcePart, ...]
    keys: tuple[KeyAttribute, ...] | None = None
    """The keys of the table that it was dumped from, where that is known."""


def stream_source(stream: io.BufferedReader[Any], name: str = "standard input") -> LoadSource:
    """A stream, such as standard input: read once, in one go."""
    return LoadSource(name, (SourcePart(name, None, stream=stream),))


def source_at(path: Path) -> LoadSource:
    """A file of lines, the folder of a dump, or the folder of an export of AWS."""
    if not path.exists():
        raise UsageError(messages.NO_SOURCE(path=path))
    if Layout.at(path).manifest.exists():
        manifest = DumpManifest.read(Layout.at(path).manifest)
        if not manifest.done:
            raise BadDump(messages.DUMP_INCOMPLETE(path=path, table=manifest.table))
        folder = Layout.at(path).manifest.parent
        parts = [_part(folder, part.file, part.items) for part in manifest.parts]
        return LoadSource(path.name, tuple(parts), manifest.keys)
    if path.is_file():
        return LoadSource(path.name, (SourcePart(path.name, path),))
    if (path / _FILES).exists():
        _check_summary(path / _SUMMARY)
        lines = (path / _FILES).read_bytes().splitlines()
        entries = [_json(path / _FILES, line) for line in lines if line.strip()]
        names = [Path(str(entry.get("dataFileS3Key"))).name for entry in entries]
        counts = [entry.get("itemCount") for entry in entries]
        parts = [_part(path, f"data/{n}", c) for n, c in zip(names, counts, strict=True)]
        return LoadSource(path.name, tuple(parts))
    raise UsageError(messages.NOT_A_SOURCE(path=path, manifest=MANIFEST, files=_FILES))


def _check_summary(path: Path) -> None:
    """Refuse what has another meaning or another format than whole items as JSON."""
    if not path.exists():
        raise BadDump(messages.EXPORT_INCOMPLETE(name=path.name))
    summary = _json(path, path.read_bytes())
    if summary.get("outputFormat") != "DYNAMODB_JSON":
        raise BadDump(messages.EXPORT_FORMAT(format=summary.get("outputFormat")))
    if summary.get("exportType", "FULL_EXPORT") != "FULL_EXPORT":
        raise BadDump(messages.EXPORT_OF_CHANGES())


def _json(path: Path, content: bytes) -> dict[str, Any]:
    try:
        parsed = orjson.loads(content)
    except orjson.JSONDecodeError as error:
        raise BadDump(messages.EXPORT_NOT_JSON(path=path, cause=text(str(error)))) from None
    if not isinstance(parsed, dict):
        raise BadDump(messages.NOT_EXPORT_MANIFEST(path=path))
    return parsed


def _part(folder: Path, name: str, items: int | None) -> SourcePart:
    path = folder / name
    if not path.resolve().is_relative_to(folder.resolve()):
        raise BadDump(messages.FILE_OUTSIDE(folder=folder, name=name))
    if not path.is_file():
        raise BadDump(messages.FILE_MISSING(path=path))
    return SourcePart(name, path, items)


@dataclass(frozen=True, slots=True)
class LoadPosition:
    """How far a source was read: the part, and the bytes, lines and items of it."""

    part: int = 0
    offset: int = 0
    line: int = 0
    items: int = 0


@dataclass(frozen=True, slots=True)
class LoadEntry:
    """An item, and its line."""

    item: Item
    line: SourceLine


@dataclass(frozen=True, slots=True)
class BadLine:
    """A line that cannot be loaded, and why."""

    line: SourceLine
    reason: Message

    def error(self) -> BadDump:
        """The error that says so."""
        return BadDump(messages.BAD_LINE(place=self.line.place, reason=self.reason))


@dataclass
class Window:
    """What is written before the next window begins, so that lines of one key keep their order."""

    end: LoadPosition
    entries: list[LoadEntry] = field(default_factory=list)
    bad: list[BadLine] = field(default_factory=list)
    last: bytes = b""
    """The last line, to recognise the source by."""
    bytes: int = 0

    def take(self, part: int, line: SourceLine, parsed: LoadEntry | BadLine) -> None:
        """Add a line and move the end behind it."""
        if isinstance(parsed, BadLine):
            self.bad.append(parsed)
        else:
            self.entries.append(parsed)
        before = self.end.items if self.end.part == part else 0
        self.end = LoadPosition(part, line.end, line.number, before + 1)
        self.last = line.raw
        self.bytes += len(line.raw)

    @property
    def count(self) -> int:
        """How many lines it has, good and bad."""
        return len(self.entries) + len(self.bad)


def windows(
    source: LoadSource,
    table: Table,
    start: LoadPosition,
    size: tuple[int, int],
    *,
    tolerant: bool,
) -> Iterator[Window]:
    """All windows behind a position, of at most ``size`` items or bytes, then what is wrong."""
    window = Window(start)
    try:
        for part, line in lines_after(source, start):
            if not line.raw.strip():
                continue
            window.take(part, line, _parse(table, line, tolerant=tolerant))
            if window.count >= size[0] or window.bytes >= size[1]:
                yield window
                window = Window(window.end)
    except BadDump:
        if window.count:
            yield window
        raise
    if window.count:
        yield window


def lines_after(source: LoadSource, start: LoadPosition) -> Iterator[tuple[int, SourceLine]]:
    """The lines behind a position, each with its part; a part must have what its manifest says."""
    for number in range(start.part, len(source.parts)):
        resumed = number == start.part
        part, items = source.parts[number], start.items if resumed else 0
        where = (start.offset, start.line) if resumed else (0, 0)
        for line in part.lines(*where):
            items += bool(line.raw.strip())
            yield number, line
        if part.items not in (None, items):
            raise BadDump(messages.OTHER_COUNT(name=part.name, count=items, expected=part.items))


def _parse(table: Table, line: SourceLine, *, tolerant: bool) -> LoadEntry | BadLine:
    try:
        item = parse_line(line.raw)
        reason = key_defect(table, item)
        if reason is None:
            return LoadEntry(item, line)
    except BadDump as error:
        reason = text(error.message)
    bad = BadLine(line, reason)
    if tolerant:
        return bad
    raise bad.error()
