"""Lines of DynamoDB JSON into a table: in bounded memory, resumable, over nothing by default."""

from __future__ import annotations

import os
import re
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import BinaryIO, Final

from gotgan.clock import Clock, SystemClock
from gotgan.errors import BadDump, UsageError
from gotgan.events import emit
from gotgan.store.costs import Cost, CostMeter
from gotgan.store.data.crashproof import hold, usable
from gotgan.store.data.described import LiveTable, live_table
from gotgan.store.data.load_progress import LoadCheckpoint, LoadCounts
from gotgan.store.data.load_sources import LoadSource
from gotgan.store.data.load_windows import Bad, Window, WindowSize, windows
from gotgan.store.data.load_writers import Desk, LoadOutcome, Writer, new_only, overwriting
from gotgan.store.data.progress import OnProgress, TransferProgress, silently
from gotgan.store.drivers.retrying import Retrying

__all__ = ["Loaded", "load", "progress_file"]

_ROUNDS: Final = 4
"""How many batches each thread gets of a window: fewer would leave threads waiting."""
_BATCH: Final = 25
_WINDOW_BYTES: Final = 16 << 20


@dataclass(frozen=True)
class Loaded:
    """What a load did: all of its lines, and the time and cost of this run."""

    table: str
    counts: LoadCounts
    resumed: int
    """How many lines an earlier run had read."""
    seconds: float
    cost: Cost


def progress_file(source: Path, table: str) -> Path:
    """Where the progress of a load is kept unless somebody says otherwise: beside its source."""
    return source.with_name(f"{source.name}.load-{re.sub(r'[^A-Za-z0-9_.-]', '-', table)}.json")


def load(  # noqa: PLR0913 - what a person can choose about a load
    driver: Retrying,
    table: str,
    source: LoadSource,
    *,
    overwrite: bool = False,
    progress: Path | None = None,
    bad_lines: Path | None = None,
    on_progress: OnProgress = silently,
    clock: Clock | None = None,
) -> Loaded:
    """Write the items of a source into a table, and say what became of them.

    Without ``overwrite`` an item that is there stays as it is. ``progress`` is the file that a load
    goes on from; ``bad_lines`` takes the lines that cannot be loaded, instead of an error.
    """
    live = live_table(driver, table)
    _refuse_other_keys(source, live)
    run = _Run(driver, live, source, overwrite, progress, on_progress, clock or SystemClock())
    with ExitStack() as stack:
        stack.enter_context(usable(progress or Path(source.name)))
        if progress is not None:
            stack.enter_context(hold(progress, f"a load of {source.name} into {live.name}"))
            run.resume()
        run.go(stack.enter_context(_opened(bad_lines, run.checkpoint.bad_bytes)))
        if progress is not None:
            progress.unlink(missing_ok=True)
    return run.report()


def _refuse_other_keys(source: LoadSource, live: LiveTable) -> None:
    if source.keys is not None and source.keys != live.table.keys:
        theirs, ours = (
            " and ".join(f"{key.name} ({key.type})" for key in keys)
            for keys in (source.keys, live.table.keys)
        )
        raise BadDump(
            f"{source.name} was dumped from a table with the key {theirs}, but {live.name} has the "
            f"key {ours}; nothing was written"
        )


@contextmanager
def _opened(path: Path | None, size: int) -> Iterator[BinaryIO | None]:
    """The file for bad lines: new, or as long as it was when the load was stopped."""
    if path is None:
        yield None
        return
    if size == 0 and path.exists() and path.stat().st_size:
        raise UsageError(f"{path} is there already; name a new file for the bad lines")
    with os.fdopen(os.open(path, os.O_RDWR | os.O_CREAT, 0o644), "r+b") as file:
        file.truncate(size)
        file.seek(size)
        yield file


@dataclass
class _Run:
    """One run of a load."""

    driver: Retrying
    live: LiveTable
    source: LoadSource
    overwrite: bool
    progress: Path | None
    on_progress: OnProgress
    clock: Clock
    meter: CostMeter = field(default_factory=CostMeter)

    def __post_init__(self) -> None:
        self.checkpoint = self._start = LoadCheckpoint(self.live.identity, self.overwrite)
        self._begun = self.clock.monotonic()
        self._bytes = 0

    def resume(self) -> None:
        """Go on where the progress file says."""
        if self.progress is not None:
            self.checkpoint = self._start = self._start.resumed(self.progress, self.source)

    def go(self, bad_file: BinaryIO | None) -> None:
        """Write window after window."""
        emit("tables.load.started", table=self.live.name, source=self.source.name)
        threads = max(1, self.driver.parallel)
        size = WindowSize(threads * _ROUNDS * _BATCH, _WINDOW_BYTES)
        with ThreadPoolExecutor(threads) as pool:
            write = self._writer(Desk(self.driver, self.live.table, pool, self.meter))
            start, tolerant = self.checkpoint.position, bad_file is not None
            for window in windows(self.source, self.live.table, start, size, tolerant=tolerant):
                self._finish(window, write(window.entries), bad_file)

    def report(self) -> Loaded:
        """What was done."""
        counts = self.checkpoint.counts
        emit("tables.load.finished", table=self.live.name, read=counts.read, failed=counts.failed)
        seconds = self.clock.monotonic() - self._begun
        resumed = self._start.counts.read
        return Loaded(self.live.name, counts, resumed, seconds, self.meter.total())

    def _writer(self, desk: Desk) -> Writer:
        return overwriting(desk) if self.overwrite else new_only(desk)

    def _finish(self, window: Window, done: LoadOutcome, bad_file: BinaryIO | None) -> None:
        """Note what became of a window: first the bad lines, then that it is done."""
        if done.refused and bad_file is None:
            raise min(done.refused, key=lambda bad: bad.line.number).error()
        size = 0 if bad_file is None else _append(bad_file, [*window.bad, *done.refused])
        self.checkpoint = self.checkpoint.after(window, done, size)
        if self.progress is not None:
            self.checkpoint.write(self.progress)
        self._bytes += window.bytes
        self.on_progress(self._progress())

    def _progress(self) -> TransferProgress:
        return TransferProgress(
            self.checkpoint.counts.read - self._start.counts.read,
            self._bytes,
            self.clock.monotonic() - self._begun,
            self.meter.total(),
        )


def _append(file: BinaryIO, bad_lines: list[Bad]) -> int:
    """Keep bad lines as they are, in the order of the source; the file's size then."""
    for bad in sorted(bad_lines, key=lambda bad: (bad.line.file, bad.line.number)):
        emit("tables.load.bad_line", level="warning", place=bad.line.place, reason=bad.reason)
        file.write(bad.line.raw.rstrip(b"\n") + b"\n")
    file.flush()
    os.fsync(file.fileno())
    return file.tell()
