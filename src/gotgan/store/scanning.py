"""Scans: a whole table, in several segments at once, for exports and repairs."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextvars import copy_context
from queue import Full, Queue
from threading import Event, Thread
from typing import Any, Final

from gotgan.store.attributes import Item
from gotgan.store.calls import Calls
from gotgan.store.schema import OnBad, schema_of, tolerant
from gotgan.store.tables import Table
from gotgan.store.visibility import is_expired

__all__ = ["scan", "scan_items", "scan_page"]

_PATIENCE: Final = 0.2


def scan(
    calls: Calls, entities: Sequence[type[Any]], segments: int, on_bad: OnBad | None
) -> Iterator[Any]:
    """Every instance of some entities of one table, in no order."""
    schemas = [schema_of(entity) for entity in entities]
    table = schemas[0].table
    for item in scan_items(calls, table, segments):
        schema = next((schema for schema in schemas if schema.matches(item)), None)
        if schema is not None and not is_expired(table, item, calls.clock.now()):
            loaded = tolerant(schema, on_bad, item, None)
            if loaded is not None:
                yield loaded


def scan_items(calls: Calls, table: Table, segments: int) -> Iterator[Item]:
    """Every item of a table as it is stored, read by as many threads as there are segments.

    Memory is bounded: the threads wait when nobody takes what they have read.
    """
    pages: Queue[list[Item] | BaseException | None] = Queue(maxsize=segments)
    stop = Event()
    readers = [
        Thread(
            target=copy_context().run,
            args=(_read_segment, calls, _request(calls, table, number, segments), pages, stop),
            name=f"scan-{table.name}-{number}",
            daemon=True,
        )
        for number in range(segments)
    ]
    for reader in readers:
        reader.start()
    try:
        yield from _drained(pages, segments)
    finally:
        stop.set()
        for reader in readers:
            reader.join()


def scan_page(
    calls: Calls, table: Table, limit: int, behind: Item | None
) -> tuple[list[Item], Item | None]:
    """Up to so many items of a table as they are stored, and the key to read on from."""
    request = {"TableName": calls.names.of(table), "Limit": limit}
    if behind is not None:
        request["ExclusiveStartKey"] = behind
    answer, _ = calls.send("scan", "Scan", request)
    return answer["Items"], answer.get("LastEvaluatedKey")


def _drained(pages: Queue[list[Item] | BaseException | None], segments: int) -> Iterator[Item]:
    running = segments
    while running:
        page = pages.get()
        if page is None:
            running -= 1
        elif isinstance(page, BaseException):
            raise page
        else:
            yield from page


def _request(calls: Calls, table: Table, number: int, segments: int) -> dict[str, Any]:
    request: dict[str, Any] = {"TableName": calls.names.of(table)}
    return request if segments == 1 else {**request, "Segment": number, "TotalSegments": segments}


def _read_segment(
    calls: Calls,
    request: dict[str, Any],
    pages: Queue[list[Item] | BaseException | None],
    stop: Event,
) -> None:
    start: dict[str, Any] = {}
    try:
        while not stop.is_set():
            answer, _ = calls.send("scan", "Scan", {**request, **start})
            _hand_over(pages, answer["Items"], stop)
            if "LastEvaluatedKey" not in answer:
                break
            start = {"ExclusiveStartKey": answer["LastEvaluatedKey"]}
        _hand_over(pages, None, stop)
    except BaseException as error:  # noqa: BLE001 - raised again where the items are taken
        _hand_over(pages, error, stop)


def _hand_over(
    pages: Queue[list[Item] | BaseException | None],
    page: list[Item] | BaseException | None,
    stop: Event,
) -> None:
    while not stop.is_set():
        try:
            pages.put(page, timeout=_PATIENCE)
        except Full:
            continue
        return
