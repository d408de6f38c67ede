"""UpdateTimeToLive, DescribeTimeToLive, and the thread that removes expired items."""

from __future__ import annotations

import sqlite3
import threading
import weakref
from collections.abc import Callable
from dataclasses import replace
from typing import Any

from gotgan.errors import StoreClosed, StoreError
from gotgan.events import emit
from gotgan.store.engine import catalog
from gotgan.store.engine.catalog import Context, EngineTable
from gotgan.store.engine.faults import ValidationException
from gotgan.store.engine.fileformat import StaleCatalog
from gotgan.store.engine.streams import last_sequence, mark_expired
from gotgan.store.engine.table_admin import existing_table
from gotgan.store.engine.table_updates import fill_expiry

# An item that expired longer ago than this is taken for a mistake and kept, as on AWS.
MAX_EXPIRED_AGE_S = 5 * 365 * 24 * 3600
SWEEP_BATCH_ROWS = 500
FIRST_SWEEP_DELAY_S = 1.0
SWEEP_INTERVAL_S = 60.0


def describe_time_to_live(context: Context, request: dict[str, Any]) -> dict[str, Any]:
    """Return whether items expire, and by which attribute."""
    table = existing_table(context, request)
    if table.ttl is None:
        return {"TimeToLiveDescription": {"TimeToLiveStatus": "DISABLED"}}
    return {"TimeToLiveDescription": {"TimeToLiveStatus": "ENABLED", "AttributeName": table.ttl}}


def update_time_to_live(context: Context, request: dict[str, Any]) -> dict[str, Any]:
    """Turn expiry on or off."""
    given = request["TimeToLiveSpecification"]
    attribute, enabled = given["AttributeName"], given["Enabled"]
    table = existing_table(context, request)
    _check_change(table, attribute, enabled=enabled)
    changed = replace(table, ttl=attribute if enabled else None)

    def work(connection: sqlite3.Connection) -> None:
        revised = catalog.replace_definition(connection, table, changed)
        fill_expiry(connection, revised)
        index = f"t{table.number}_expires"
        if enabled:
            connection.execute(
                f"CREATE INDEX {index} ON {revised.rows} (expires) WHERE expires IS NOT NULL"
            )
        else:
            connection.execute(f"DROP INDEX {index}")

    context.database.write(work)
    context.catalog.refresh()
    return {"TimeToLiveSpecification": {"AttributeName": attribute, "Enabled": enabled}}


def _check_change(table: EngineTable, attribute: str, *, enabled: bool) -> None:
    if enabled and table.ttl == attribute:
        raise ValidationException("TimeToLive is already enabled")
    if not enabled and table.ttl is None:
        raise ValidationException("TimeToLive is already disabled")
    if table.ttl is not None and table.ttl != attribute:
        raise ValidationException(
            "TimeToLive is active on a different AttributeName: current AttributeName is"
            f" {table.ttl}"
        )


def sweep(context: Context) -> int:
    """Remove the items whose time is over; return how many there were."""
    context.catalog.refresh()
    tables = [table for table in context.catalog.tables.values() if table.ttl is not None]
    return sum(_sweep_table(context, table) for table in tables)


def _sweep_table(context: Context, table: EngineTable) -> int:
    now = int(context.clock.now().timestamp())
    sql = (
        f"DELETE FROM {table.rows} WHERE id IN (SELECT id FROM {table.rows}"
        f" WHERE expires < ? AND expires > ? LIMIT {SWEEP_BATCH_ROWS})"
    )
    bounds = (now, now - MAX_EXPIRED_AGE_S)

    def work(connection: sqlite3.Connection) -> int:
        stream = table.stream
        if stream is None or not stream.enabled:
            return connection.execute(sql, bounds).rowcount
        before = last_sequence(connection, stream.records)
        count = connection.execute(sql, bounds).rowcount
        mark_expired(connection, stream.records, before)
        return count

    removed = 0
    while True:  # in small batches, so that no writer waits long behind the sweep
        try:
            count = context.database.write(work)
        except StaleCatalog:  # the table has just been changed; the next sweep has its new name
            return removed
        removed += count
        if count < SWEEP_BATCH_ROWS:
            return removed


class Sweeper:
    """Sweeps a second after it is started, then every minute; holds its owner only weakly."""

    def __init__(self, sweep: Callable[[], int], seconds: float = SWEEP_INTERVAL_S) -> None:
        self._sweep = weakref.WeakMethod(sweep)
        self._seconds = seconds
        self._stopped = threading.Event()
        self._lock = threading.Lock()
        self._thread: threading.Thread | None = None

    def start(self) -> None:
        """Start, unless it runs already."""
        with self._lock:
            if self._thread is None or not self._thread.is_alive():  # a fork leaves it behind
                self._thread = threading.Thread(target=self._run, name="gotgan-ttl", daemon=True)
                self._thread.start()

    def stop(self) -> None:
        """Stop, and wait for a running sweep."""
        self._stopped.set()
        if self._thread is not None and self._thread is not threading.current_thread():
            self._thread.join()

    def _run(self) -> None:
        # The first sweep comes soon, so that processes that live for seconds sweep, too.
        pause = min(self._seconds, FIRST_SWEEP_DELAY_S)
        while not self._stopped.wait(pause) and self._sweep_once():
            pause = self._seconds

    def _sweep_once(self) -> bool:
        """Sweep; return whether the engine is still open."""
        sweep = self._sweep()
        if sweep is None:  # the engine was dropped without being closed
            return False
        try:
            removed = sweep()
        except StoreClosed:
            return False
        except StoreError as error:
            emit("engine.sweep_failed", level="warning", error=str(error))
        else:
            if removed:
                emit("engine.swept", removed=removed)
        return True
