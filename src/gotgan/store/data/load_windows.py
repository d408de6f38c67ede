"""The lines of a source in windows: as many items as are in memory, and under way, at once.

A window is written whole before the next one is begun. So lines with the same key keep their order,
and a load that was stopped goes on at the end of the last window that was done.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field

from gotgan.errors import BadDump
from gotgan.store.attributes import Item
from gotgan.store.data.described import key_trouble
from gotgan.store.data.load_sources import LoadSource, SourceLine, SourcePart
from gotgan.store.data.wire_json import item_of
from gotgan.store.tables import Table

__all__ = ["Bad", "LoadEntry", "LoadPosition", "Window", "WindowSize", "lines_behind", "windows"]


@dataclass(frozen=True, slots=True)
class LoadPosition:
    """How far a source was read: the part, and the bytes, lines and items of it."""

    part: int = 0
    offset: int = 0
    line: int = 0
    items: int = 0


@dataclass(frozen=True, slots=True)
class LoadEntry:
    """An item, and the line that it stands in."""

    item: Item
    line: SourceLine


@dataclass(frozen=True, slots=True)
class Bad:
    """A line that cannot be loaded, and why."""

    line: SourceLine
    reason: str

    def error(self) -> BadDump:
        """The error that says so."""
        return BadDump(f"{self.line.place} cannot be loaded: {self.reason}")


@dataclass(frozen=True, slots=True)
class WindowSize:
    """What fills a window, whichever is reached first."""

    items: int
    bytes: int


@dataclass
class Window:
    """What is written at once; ``end`` is where the next window begins."""

    end: LoadPosition
    entries: list[LoadEntry] = field(default_factory=list)
    bad: list[Bad] = field(default_factory=list)
    last: bytes = b""
    """The last line, to recognise the source by."""
    bytes: int = 0

    def take(self, part: int, line: SourceLine, parsed: LoadEntry | Bad) -> None:
        """Add a line and move the end behind it."""
        if isinstance(parsed, Bad):
            self.bad.append(parsed)
        else:
            self.entries.append(parsed)
        before = self.end.items if self.end.part == part else 0
        self.end = LoadPosition(part, line.end, line.number, before + 1)
        self.last = line.raw
        self.bytes += len(line.raw)

    def is_full(self, size: WindowSize) -> bool:
        """Whether the next line must wait."""
        return self.count >= size.items or self.bytes >= size.bytes

    @property
    def count(self) -> int:
        """How many lines it has, good and bad."""
        return len(self.entries) + len(self.bad)


def windows(
    source: LoadSource, table: Table, start: LoadPosition, size: WindowSize, *, tolerant: bool
) -> Iterator[Window]:
    """All windows behind a position; what is wrong with the source is raised behind the last.

    The tolerant hand over bad lines too; others stop in front of the first.
    """
    window = Window(start)
    try:
        for part, line in lines_behind(source, start):
            if not line.raw.strip():
                continue
            window.take(part, line, _parse(table, line, tolerant=tolerant))
            if window.is_full(size):
                yield window
                window = Window(window.end)
    except BadDump:
        if window.count:
            yield window
        raise
    if window.count:
        yield window


def lines_behind(source: LoadSource, start: LoadPosition) -> Iterator[tuple[int, SourceLine]]:
    """The lines behind a position, each with its part; a part must have what its manifest says."""
    for number in range(start.part, len(source.parts)):
        resumed = number == start.part
        part, items = source.parts[number], start.items if resumed else 0
        where = (start.offset, start.line) if resumed else (0, 0)
        for line in part.lines(*where):
            items += bool(line.raw.strip())
            yield number, line
        _check_count(part, items)


def _check_count(part: SourcePart, items: int) -> None:
    if part.items not in (None, items):
        raise BadDump(
            f"{part.name} has {items:,} items, but its manifest says {part.items:,}; it was loaded "
            "as it is, and is not what was dumped"
        )


def _parse(table: Table, line: SourceLine, *, tolerant: bool) -> LoadEntry | Bad:
    try:
        item = item_of(line.raw)
        reason = key_trouble(table, item)
        if not reason:
            return LoadEntry(item, line)
    except BadDump as error:
        reason = error.message
    bad = Bad(line, reason)
    if tolerant:
        return bad
    raise bad.error()
