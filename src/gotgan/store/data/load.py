"""Loads lines of DynamoDB JSON into a table: in bounded memory, resumable by a progress file."""

from __future__ import annotations

import hashlib
import os
import re
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import ExitStack, contextmanager
from dataclasses import asdict, dataclass, field
from pathlib import Path
from typing import Any, BinaryIO, Final

import orjson

from gotgan.clock import Clock, SystemClock
from gotgan.errors import BadDump, UsageError
from gotgan.events import emit
from gotgan.store.costs import Cost, CostMeter
from gotgan.store.data import messages
from gotgan.store.data.atomic_files import lock_file, translated_os_errors, write_atomically
from gotgan.store.data.load_sources import BadLine, LoadPosition, LoadSource, Window, windows
from gotgan.store.data.load_writers import LoadOutcome, WindowWriter
from gotgan.store.data.progress import OnProgress, TransferProgress, no_progress
from gotgan.store.drivers.retries import RetryingDriver
from gotgan.store.outputs.live import LiveTable, live_table

_FORMAT: Final = "gotgan-load-1"


@dataclass(frozen=True, slots=True)
class LoadCounts:
    """The outcomes of the lines; ``read`` is the sum of all others."""

    read: int = 0
    new: int = 0
    written: int = 0
    duplicates: int = 0
    failed: int = 0


@dataclass(frozen=True)
class LoadCheckpoint:
    """Which load it is, and how far it has come."""

    identity: str
    """Of the table."""
    overwrite: bool
    position: LoadPosition = field(default_factory=LoadPosition)
    counts: LoadCounts = field(default_factory=LoadCounts)
    last_size: int = 0
    last_hash: str = ""
    bad_bytes: int = 0
    """How long the file of bad lines was."""

    def after(self, window: Window, done: LoadOutcome, bad_bytes: int) -> LoadCheckpoint:
        """The checkpoint behind a window."""
        counts = LoadCounts(
            self.counts.read + window.count,
            self.counts.new + done.new,
            self.counts.written + done.written,
            self.counts.duplicates + done.duplicates,
            self.counts.failed + len(done.refused) + len(window.bad),
        )
        size, digest = len(window.last), _hash(window.last)
        return LoadCheckpoint(
            self.identity, self.overwrite, window.end, counts, size, digest, bad_bytes
        )

    def resumed(self, path: Path, source: LoadSource) -> LoadCheckpoint:
        """The checkpoint in a file if it belongs to this load, else this one."""
        if not path.exists():
            return self
        found = _read(path)
        if (found.identity, found.overwrite) != (self.identity, self.overwrite):
            raise UsageError(messages.OTHER_LOAD(path=path))
        place, parts = found.position, source.parts
        is_same = place == LoadPosition()
        if not is_same and place.part < len(parts):
            last = parts[place.part].before(place.offset, found.last_size)
            is_same = _hash(last) == found.last_hash
        if not is_same:
            raise BadDump(messages.SOURCE_CHANGED(source=source.name, path=path))
        return found


def _hash(line: bytes) -> str:
    return hashlib.sha256(line).hexdigest()


def _read(path: Path) -> LoadCheckpoint:
    try:
        content: dict[str, Any] = orjson.loads(path.read_bytes())
        if content.pop("format") != _FORMAT:
            raise ValueError("another format")  # noqa: TRY301 - one sentence for all of it
        position = LoadPosition(**content.pop("position"))
        counts = LoadCounts(**content.pop("counts"))
        return LoadCheckpoint(**content, position=position, counts=counts)
    except (AttributeError, KeyError, TypeError, ValueError):
        raise BadDump(messages.NOT_PROGRESS(path=path)) from None


_BATCHES_PER_THREAD: Final = 4
"""How many batches each thread gets of a window: fewer would leave threads waiting."""
_BATCH_WRITE_SIZE: Final = 25
_WINDOW_BYTES: Final = 16 << 20


@dataclass(frozen=True)
class LoadReport:
    """What a load did: all of its lines, and the time and cost of this run."""

    table: str
    counts: LoadCounts
    resumed: int
    """How many lines an earlier run had read."""
    seconds: float
    cost: Cost


def progress_file(source: Path, table: str) -> Path:
    """Where the progress of a load is kept by default: beside its source."""
    return source.with_name(f"{source.name}.load-{re.sub(r'[^A-Za-z0-9_.-]', '-', table)}.json")


def load(  # noqa: PLR0913 - what a person can choose about a load
    driver: RetryingDriver,
    table: str,
    source: LoadSource,
    *,
    overwrite: bool = False,
    progress: Path | None = None,
    bad_lines: Path | None = None,
    on_progress: OnProgress = no_progress,
    clock: Clock | None = None,
) -> LoadReport:
    """Write the items of a source into a table; ``bad_lines`` takes lines that cannot be loaded."""
    live = live_table(driver, table)
    if source.keys is not None and source.keys != live.table.keys:
        theirs, ours = (
            [f"{key.name} ({key.type})" for key in keys] for keys in (source.keys, live.table.keys)
        )
        raise BadDump(
            messages.OTHER_KEY(source=source.name, theirs=theirs, table=live.name, ours=ours)
        )
    run = _Run(driver, live, source, overwrite, progress, on_progress, clock or SystemClock())
    with ExitStack() as stack:
        stack.enter_context(translated_os_errors(progress or Path(source.name)))
        if progress is not None:
            stack.enter_context(
                lock_file(progress, messages.A_LOAD(source=source.name, table=live.name))
            )
            run.start = run.checkpoint = run.start.resumed(progress, source)
        run.write_all(stack.enter_context(_open_bad_lines(bad_lines, run.checkpoint.bad_bytes)))
        if progress is not None:
            progress.unlink(missing_ok=True)
    return run.report()


@contextmanager
def _open_bad_lines(path: Path | None, size: int) -> Iterator[BinaryIO | None]:
    """The file for bad lines: new, or as long as it was when the load was stopped."""
    if path is None:
        yield None
        return
    if size == 0 and path.exists() and path.stat().st_size:
        raise UsageError(messages.BAD_LINES_EXIST(path=path))
    with os.fdopen(os.open(path, os.O_RDWR | os.O_CREAT, 0o644), "r+b") as file:
        file.truncate(size)
        file.seek(size)
        yield file


@dataclass
class _Run:
    driver: RetryingDriver
    live: LiveTable
    source: LoadSource
    overwrite: bool
    progress: Path | None
    on_progress: OnProgress
    clock: Clock
    meter: CostMeter = field(default_factory=CostMeter)

    def __post_init__(self) -> None:
        self.checkpoint = self.start = LoadCheckpoint(self.live.identity, self.overwrite)
        self._begun = self.clock.monotonic()
        self._bytes = 0

    def write_all(self, bad_file: BinaryIO | None) -> None:
        emit("tables.load.started", table=self.live.name, source=self.source.name)
        threads = max(1, self.driver.parallel)
        size = (threads * _BATCHES_PER_THREAD * _BATCH_WRITE_SIZE, _WINDOW_BYTES)
        with ThreadPoolExecutor(threads) as pool:
            writer = WindowWriter(self.driver, self.live.table, pool, self.meter)
            write = writer.overwrite if self.overwrite else writer.insert
            start, tolerant = self.checkpoint.position, bad_file is not None
            for window in windows(self.source, self.live.table, start, size, tolerant=tolerant):
                self._finish(window, write(window.entries), bad_file)

    def report(self) -> LoadReport:
        counts = self.checkpoint.counts
        emit("tables.load.finished", table=self.live.name, read=counts.read, failed=counts.failed)
        seconds = self.clock.monotonic() - self._begun
        resumed = self.start.counts.read
        return LoadReport(self.live.name, counts, resumed, seconds, self.meter.total())

    def _finish(self, window: Window, done: LoadOutcome, bad_file: BinaryIO | None) -> None:
        """Store the result of a window: first the bad lines, then the checkpoint."""
        if done.refused and bad_file is None:
            raise min(done.refused, key=lambda bad: bad.line.number).error()
        size = 0 if bad_file is None else _append(bad_file, [*window.bad, *done.refused])
        self.checkpoint = self.checkpoint.after(window, done, size)
        if self.progress is not None:
            content = orjson.dumps({"format": _FORMAT, **asdict(self.checkpoint)})
            write_atomically(self.progress, content)
        self._bytes += window.bytes
        read = self.checkpoint.counts.read - self.start.counts.read
        seconds = self.clock.monotonic() - self._begun
        self.on_progress(TransferProgress(read, self._bytes, seconds, self.meter.total()))


def _append(file: BinaryIO, bad_lines: list[BadLine]) -> int:
    """Keep bad lines as they are, in the order of the source; the file's size then."""
    for bad in sorted(bad_lines, key=lambda bad: (bad.line.file, bad.line.number)):
        emit("tables.load.bad_line", level="warning", place=bad.line.place, reason=bad.reason)
        file.write(bad.line.raw.rstrip(b"\n") + b"\n")
    file.flush()
    os.fsync(file.fileno())
    return file.tell()
