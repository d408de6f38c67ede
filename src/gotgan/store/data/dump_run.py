"""One run of a dump: a thread for each segment of the scan, and a part for each thread."""

from __future__ import annotations

import gzip
import os
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor, as_completed
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from threading import Event, Lock
from typing import Any, BinaryIO

from gotgan.clock import Clock
from gotgan.errors import BadDump
from gotgan.store.attributes import Item
from gotgan.store.costs import Cost, CostMeter
from gotgan.store.data.crashproof import sync_folder
from gotgan.store.data.dump_manifest import DumpManifest, DumpPart, Layout
from gotgan.store.data.progress import OnProgress, TransferProgress
from gotgan.store.data.wire_json import lines_of
from gotgan.store.drivers import Driver

__all__ = ["DumpRun", "pages", "scan_request"]


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
        self._begun = self.clock.monotonic()
        self._before = self.manifest

    def to_the_end(self) -> None:
        """Read every segment that is not done; when one fails, the others stop after a page."""
        open_parts = [number for number, part in enumerate(self.manifest.parts) if not part.done]
        with ThreadPoolExecutor(max(1, min(len(open_parts), self.driver.parallel))) as pool:
            segments = [pool.submit(self._read_or_stop, number) for number in open_parts]
            try:
                for segment in as_completed(segments):
                    segment.result()
            except BaseException:
                self.stopping.set()  # somebody pressed Ctrl-C
                pool.shutdown(wait=True, cancel_futures=True)
                raise

    def progress(self) -> TransferProgress:
        """What this run has done so far."""
        return TransferProgress(
            self.manifest.items - self._before.items,
            self.manifest.bytes - self._before.bytes,
            self.clock.monotonic() - self._begun,
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
        encode = _encoder(part)
        request = scan_request(self.manifest.table, consistent=self.manifest.consistent)
        request |= {"Segment": number, "TotalSegments": len(self.manifest.parts)}
        with _opened(self.layout.path(part), part.bytes) as file:
            for items, last, cost in pages(self.driver, request, part.next):
                added = _append(file, encode(items, last is None and not part.bytes))
                part = part.grown(added, len(items), last)
                self._record(number, part, cost)
                if self.stopping.is_set():
                    return

    def _record(self, number: int, part: DumpPart, cost: Cost) -> None:
        self.meter.record(cost)
        with self._lock:
            self.manifest = self.manifest.with_part(number, part)
            self.manifest.write(self.layout.manifest)
            self.on_progress(self.progress())


def scan_request(table: str, *, consistent: bool) -> dict[str, Any]:
    """A scan of a whole table."""
    return {"TableName": table, "ConsistentRead": consistent, "ReturnConsumedCapacity": "INDEXES"}


def pages(
    driver: Driver, request: dict[str, Any], start: Item | None
) -> Iterator[tuple[list[Item], Item | None, Cost]]:
    """Page by page: the items, the key to go on behind, and the cost."""
    while True:
        behind = {} if start is None else {"ExclusiveStartKey": start}
        answer = driver.call("Scan", request | behind)
        start = answer.get("LastEvaluatedKey") or None
        yield answer["Items"], start, Cost.of("dump", "Scan", answer)
        if start is None:
            return


def _encoder(part: DumpPart) -> Callable[[list[Item], bool], bytes]:
    """How a page is written; each page of a ``.gz`` is a whole member, so it can be cut between."""
    if not part.file.endswith(".gz"):
        return lambda items, _alone: lines_of(items)
    return lambda items, alone: gzip.compress(lines_of(items), mtime=0) if items or alone else b""


@contextmanager
def _opened(path: Path, size: int) -> Iterator[BinaryIO]:
    """The file of a part, cut to what the manifest knows of it, and ready to grow."""
    with os.fdopen(os.open(path, os.O_RDWR | os.O_CREAT, 0o644), "r+b") as file:
        if os.fstat(file.fileno()).st_size < size:
            raise BadDump(
                f"{path} is shorter than its manifest says, so the dump is damaged; "
                "remove it and begin again"
            )
        file.truncate(size)
        file.seek(size)
        sync_folder(path.parent)
        yield file


def _append(file: BinaryIO, content: bytes) -> int:
    file.write(content)
    file.flush()
    os.fsync(file.fileno())
    return len(content)
