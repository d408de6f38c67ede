"""A table as lines of DynamoDB JSON: by parallel scan, in bounded memory, resumable.

A scan is no snapshot: what is written while it runs may be in the dump or not.

A dump that was stopped, even by ``kill -9``, goes on where it was when it is started again: each
page is on the disk before the manifest names it, and what a part holds beyond that is cut off.
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import BinaryIO

from gotgan.clock import Clock, SystemClock, utc_iso
from gotgan.errors import UsageError
from gotgan.events import emit
from gotgan.store.costs import Cost, CostMeter
from gotgan.store.data.crashproof import hold, is_trace, usable
from gotgan.store.data.described import LiveTable, live_table
from gotgan.store.data.dump_manifest import DumpManifest, DumpPart, Layout
from gotgan.store.data.dump_run import DumpRun, pages, scan_request
from gotgan.store.data.progress import OnProgress, TransferProgress, silently
from gotgan.store.data.wire_json import lines_of
from gotgan.store.drivers import Driver

__all__ = ["Dumped", "dump", "dump_to"]

_SEGMENTS = 4
_MOST_SEGMENTS = 1_000


@dataclass(frozen=True)
class Dumped:
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
    on_progress: OnProgress = silently,
    clock: Clock | None = None,
) -> Dumped:
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
    with usable(target), _held(layout):
        manifest = _resumed(layout, live, segments) if layout.manifest.exists() else None
        resumed = manifest.items if manifest else 0
        run = DumpRun(driver, layout, manifest or _begun(layout, fresh), on_progress, clock)
        emit("tables.dump.started", table=live.name, target=str(target), resumed=resumed)
        run.to_the_end()
    return _report(run, resumed)


def dump_to(
    driver: Driver,
    table: str,
    stream: BinaryIO,
    *,
    consistent: bool = False,
    on_progress: OnProgress = silently,
    clock: Clock | None = None,
) -> Dumped:
    """Write a table to a stream, in one go: what was stopped must begin again."""
    clock = clock or SystemClock()
    live, meter, begun = live_table(driver, table), CostMeter(), clock.monotonic()
    part = DumpPart("-")
    for items, last, cost in pages(driver, scan_request(live.name, consistent=consistent), None):
        lines = lines_of(items)
        stream.write(lines)
        meter.record(cost)
        part = part.grown(len(lines), len(items), last)
        seconds = clock.monotonic() - begun
        on_progress(TransferProgress(part.items, part.bytes, seconds, meter.total()))
    stream.flush()
    seconds = clock.monotonic() - begun
    return Dumped(live.name, part.items, part.bytes, 0, seconds, meter.total())


def _report(run: DumpRun, resumed: int) -> Dumped:
    done, this_run = run.manifest, run.progress()
    emit("tables.dump.finished", table=done.table, items=done.items, bytes=done.bytes)
    return Dumped(done.table, done.items, done.bytes, resumed, this_run.seconds, this_run.cost)


@contextmanager
def _held(layout: Layout) -> Iterator[None]:
    layout.manifest.parent.mkdir(parents=True, exist_ok=True)
    with hold(layout.manifest, f"a dump into {layout.target}"):
        yield


def _segments(layout: Layout, wanted: int | None) -> int:
    if layout.is_file and wanted not in (None, 1):
        raise UsageError("one file takes one segment; name a folder, or leave --segments out")
    if wanted is not None and not 1 <= wanted <= _MOST_SEGMENTS:
        raise UsageError(f"a dump has 1 to {_MOST_SEGMENTS:,} segments, not {wanted}")
    return wanted or _SEGMENTS


def _begun(layout: Layout, manifest: DumpManifest) -> DumpManifest:
    """Write the first manifest where nothing else is."""
    if _is_taken(layout):
        raise UsageError(
            f"{layout.target} is there already and is no dump that was begun; "
            "name a new file or an empty folder"
        )
    manifest.write(layout.manifest)
    layout.path(manifest.parts[0]).parent.mkdir(exist_ok=True)
    return manifest


def _is_taken(layout: Layout) -> bool:
    if layout.is_file:
        return layout.target.exists()
    names = [path.name for path in layout.target.iterdir()]
    return any(not is_trace(name, layout.manifest.name) for name in names)


def _resumed(layout: Layout, live: LiveTable, segments: int | None) -> DumpManifest:
    """The manifest of the dump that is there, if it is this one and is not done."""
    manifest = DumpManifest.read(layout.manifest)
    if (manifest.table, manifest.identity) != (live.name, live.identity):
        raise UsageError(
            f"{layout.target} holds a dump of another table, {manifest.table}, from "
            f"{manifest.started}; name another place"
        )
    if manifest.done:
        raise UsageError(
            f"{layout.target} holds a complete dump of {manifest.table} from {manifest.started}; "
            "name another place"
        )
    if segments not in (None, len(manifest.parts)):
        raise UsageError(
            f"the dump in {layout.target} was begun with {len(manifest.parts)} segments; "
            "go on without --segments"
        )
    layout.path(manifest.parts[0]).parent.mkdir(exist_ok=True)
    return manifest
