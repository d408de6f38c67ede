"""Dumps a table as lines of DynamoDB JSON by parallel scan; resumable, but not a snapshot."""

from __future__ import annotations

import gzip
import os
from collections.abc import Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor, as_completed
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass, field, replace
from pathlib import Path
from threading import Event, Lock
from typing import Any, BinaryIO

from gotgan.clock import Clock, SystemClock, utc_iso
from gotgan.errors import BadDump, UsageError
from gotgan.events import emit
from gotgan.store.attributes import Item
from gotgan.store.costs import Cost, CostMeter
from gotgan.store.data import messages
from gotgan.store.data.atomic_files import is_leftover, lock_file, sync_folder, translated_os_errors
from gotgan.store.data.dump_manifest import DumpManifest, DumpPart, Layout
from gotgan.store.data.item_json import to_lines
from gotgan.store.data.progress import OnProgress, TransferProgress, no_progress
from gotgan.store.drivers import Driver
from gotgan.store.outputs.live import LiveTable, live_table


@dataclass
class DumpRun:
    """One run of a dump, with a thread for each segment."""

    driver: Driver
    layout: Layout
    manifest: DumpManifest
    on_progress: OnProgress
    clock: Clock
    meter: CostMeter = field(default_factory=CostMeter)
    stopping: Event = field(default_factory=Event)
    _lock: Lock = field(default_factory=Lock)

    def __post_init__(self) -> None:
        self._started = self.clock.monotonic()
        self._before = self.manifest

    def read_all(self) -> None:
        """Read every segment that is not done; when one fails, the others stop after a page."""
        open_parts = [number for number, part in enumerate(self.manifest.parts) if not part.done]
        with ThreadPoolExecutor(max(1, min(len(open_parts), self.driver.parallel))) as pool:
            segments = [pool.submit(self._read_or_stop, number) for number in open_parts]
            try:
                for segment in as_completed(segments):
                    segment.result()
            except BaseException:
                self.stopping.set()  # such as Ctrl-C
                pool.shutdown(wait=True, cancel_futures=True)
                raise

    def progress(self) -> TransferProgress:
        """What this run has done so far."""
        return TransferProgress(
            self.manifest.items - self._before.items,
            self.manifest.bytes - self._before.bytes,
            self.clock.monotonic() - self._started,
            self.meter.total(),
        )

    def _read_or_stop(self, number: int) -> None:
        try:
            self._read_segment(number)
        except BaseException:
            self.stopping.set()
            raise

    def _read_segment(self, number: int) -> None:
        part = self.manifest.parts[number]
        request = scan_request(self.manifest.table, consistent=self.manifest.consistent)
        request |= {"Segment": number, "TotalSegments": len(self.manifest.parts)}
        with _open_part(self.layout.path(part), part.bytes) as file:
            for items, last, cost in scan_pages(self.driver, request, part.next):
                content = to_lines(items)
                if part.file.endswith(".gz"):  # each page is a whole member, to be cut between
                    is_alone = last is None and not part.bytes
                    content = gzip.compress(content, mtime=0) if items or is_alone else b""
                file.write(content)
                file.flush()
                os.fsync(file.fileno())
                part = part.grown(len(content), len(items), last)
                self.meter.record(cost)
                with self._lock:
                    parts = (part if n == number else p for n, p in enumerate(self.manifest.parts))
                    self.manifest = replace(self.manifest, parts=tuple(parts))
                    self.manifest.write(self.layout.manifest)
                    self.on_progress(self.progress())
                if self.stopping.is_set():
                    return


def scan_request(table: str, *, consistent: bool) -> dict[str, Any]:
    """A scan of a whole table."""
    return {"TableName": table, "ConsistentRead": consistent, "ReturnConsumedCapacity": "INDEXES"}


def scan_pages(
    driver: Driver, request: dict[str, Any], start: Item | None
) -> Iterator[tuple[Sequence[Item], Item | None, Cost]]:
    """Page by page: the items, the key to go on behind, and the cost."""
    while True:
        behind = {} if start is None else {"ExclusiveStartKey": start}
        answer = driver.call("Scan", request | behind)
        start = answer.get("LastEvaluatedKey") or None
        yield answer["Items"], start, Cost.of("dump", "Scan", answer)
        if start is None:
            return


@contextmanager
def _open_part(path: Path, size: int) -> Iterator[BinaryIO]:
    """The file of a part, cut to what the manifest knows of it, and ready to grow."""
    with os.fdopen(os.open(path, os.O_RDWR | os.O_CREAT, 0o644), "r+b") as file:
        if os.fstat(file.fileno()).st_size < size:
            raise BadDump(messages.DUMP_TOO_SHORT(path=path))
        file.truncate(size)
        file.seek(size)
        sync_folder(path.parent)
        yield file


_DEFAULT_SEGMENTS = 4
_MAX_SEGMENTS = 1_000


@dataclass(frozen=True)
class DumpReport:
    """What a dump did: all of its lines, and the time and cost of this run."""

    table: str
    items: int
    bytes: int
    resumed: int
    """How many lines an earlier run had written."""
    seconds: float
    cost: Cost


def dump(  # noqa: PLR0913 - what a person can choose about a dump
    driver: Driver,
    table: str,
    target: Path,
    *,
    segments: int | None = None,
    compress: bool = False,
    consistent: bool = False,
    on_progress: OnProgress = no_progress,
    clock: Clock | None = None,
) -> DumpReport:
    """Write a table into a folder, or into one file; go on with a dump that was stopped there."""
    clock = clock or SystemClock()
    layout = Layout.at(target)
    live = live_table(driver, table)
    fresh = DumpManifest(
        table=live.name,
        identity=live.identity,
        keys=live.table.keys,
        started=utc_iso(clock.now()),
        consistent=consistent,
        parts=layout.new_parts(_segments(layout, segments), compress=compress),
    )
    with translated_os_errors(target), ExitStack() as stack:
        layout.manifest.parent.mkdir(parents=True, exist_ok=True)
        stack.enter_context(lock_file(layout.manifest, messages.A_DUMP(path=layout.target)))
        manifest = (
            _unfinished_manifest(layout, live, segments) if layout.manifest.exists() else None
        )
        resumed = manifest.items if manifest else 0
        run = DumpRun(
            driver, layout, manifest or _write_first_manifest(layout, fresh), on_progress, clock
        )
        emit("tables.dump.started", table=live.name, target=str(target), resumed=resumed)
        run.read_all()
    done, this_run = run.manifest, run.progress()
    emit("tables.dump.finished", table=done.table, items=done.items, bytes=done.bytes)
    return DumpReport(done.table, done.items, done.bytes, resumed, this_run.seconds, this_run.cost)


def dump_to_stream(
    driver: Driver,
    table: str,
    stream: BinaryIO,
    *,
    consistent: bool = False,
    on_progress: OnProgress = no_progress,
    clock: Clock | None = None,
) -> DumpReport:
    """Write a table to a stream, in one go: what was stopped must begin again."""
    clock = clock or SystemClock()
    live, meter, started = live_table(driver, table), CostMeter(), clock.monotonic()
    part = DumpPart("-")
    request = scan_request(live.name, consistent=consistent)
    for items, last, cost in scan_pages(driver, request, None):
        lines = to_lines(items)
        stream.write(lines)
        meter.record(cost)
        part = part.grown(len(lines), len(items), last)
        seconds = clock.monotonic() - started
        on_progress(TransferProgress(part.items, part.bytes, seconds, meter.total()))
    stream.flush()
    seconds = clock.monotonic() - started
    return DumpReport(live.name, part.items, part.bytes, 0, seconds, meter.total())


def _segments(layout: Layout, wanted: int | None) -> int:
    if layout.is_file and wanted not in (None, 1):
        raise UsageError(messages.ONE_SEGMENT())
    if wanted is not None and not 1 <= wanted <= _MAX_SEGMENTS:
        raise UsageError(messages.TOO_MANY_SEGMENTS(maximum=_MAX_SEGMENTS, count=wanted))
    return wanted or _DEFAULT_SEGMENTS


def _write_first_manifest(layout: Layout, manifest: DumpManifest) -> DumpManifest:
    """Write the first manifest where nothing else is."""
    if layout.is_file:
        is_taken = layout.target.exists()
    else:
        names = [path.name for path in layout.target.iterdir()]
        is_taken = any(not is_leftover(name, layout.manifest.name) for name in names)
    if is_taken:
        raise UsageError(messages.TARGET_EXISTS(path=layout.target))
    manifest.write(layout.manifest)
    layout.path(manifest.parts[0]).parent.mkdir(exist_ok=True)
    return manifest


def _unfinished_manifest(layout: Layout, live: LiveTable, segments: int | None) -> DumpManifest:
    """The manifest of the dump that is there, if it is this one and is not done."""
    manifest = DumpManifest.read(layout.manifest)
    if (manifest.table, manifest.identity) != (live.name, live.identity):
        raise UsageError(
            messages.OTHER_DUMP(path=layout.target, table=manifest.table, started=manifest.started)
        )
    if manifest.done:
        raise UsageError(
            messages.COMPLETE_DUMP(
                path=layout.target, table=manifest.table, started=manifest.started
            )
        )
    if segments not in (None, len(manifest.parts)):
        raise UsageError(messages.OTHER_SEGMENTS(path=layout.target, count=len(manifest.parts)))
    layout.path(manifest.parts[0]).parent.mkdir(exist_ok=True)
    return manifest
