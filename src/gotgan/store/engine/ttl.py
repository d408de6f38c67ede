"""UpdateTimeToLive, DescribeTimeToLive, and the sweep that removes what has expired."""

from __future__ import annotations

import sqlite3
from dataclasses import replace
from typing import Any

from gotgan.store.engine import catalog
from gotgan.store.engine.administration import existing
from gotgan.store.engine.backfill import fill_expiry
from gotgan.store.engine.context import Context
from gotgan.store.engine.faults import ValidationException
from gotgan.store.engine.fileformat import Stale
from gotgan.store.engine.requests import check_length, constraint, required
from gotgan.store.engine.schema import MOST_NAME_BYTES
from gotgan.store.engine.tables import EngineTable

__all__ = ["describe_time_to_live", "sweep", "update_time_to_live"]

# An item that expired longer ago than this is taken for a slip and kept, as on AWS.
OLDEST_SECONDS = 5 * 365 * 24 * 3600
ROWS_AT_ONCE = 500


def describe_time_to_live(context: Context, request: dict[str, Any]) -> dict[str, Any]:
    """Say whether items expire, and by which attribute."""
    table = existing(context, request)
    if table.ttl is None:
        return {"TimeToLiveDescription": {"TimeToLiveStatus": "DISABLED"}}
    return {
        "TimeToLiveDescription": {"TimeToLiveStatus": "ENABLED", "AttributeName": table.ttl},
    }


def update_time_to_live(context: Context, request: dict[str, Any]) -> dict[str, Any]:
    """Turn expiry on or off."""
    attribute, enabled = _specification(request)
    table = existing(context, request)
    _check_change(table, attribute, enabled=enabled)
    changed = replace(table, ttl=attribute if enabled else None)

    def work(connection: sqlite3.Connection) -> None:
        revised = catalog.revise(connection, table, changed)
        fill_expiry(connection, revised)
        index = f"t{table.number}_expires"
        if enabled:
            connection.execute(
                f"CREATE INDEX {index} ON {revised.rows} (expires) WHERE expires IS NOT NULL",
            )
        else:
            connection.execute(f"DROP INDEX {index}")

    context.database.write(work)
    context.catalog.refresh()
    return {"TimeToLiveSpecification": {"AttributeName": attribute, "Enabled": enabled}}


def _specification(request: dict[str, Any]) -> tuple[str, bool]:
    given = required(request, "TimeToLiveSpecification")
    where = "timeToLiveSpecification"
    attribute, enabled = given.get("AttributeName"), given.get("Enabled")
    check_length(f"{where}.attributeName", attribute, 1, MOST_NAME_BYTES)
    if enabled is None:
        raise constraint(f"{where}.enabled", None, "Member must not be null")
    return str(attribute), bool(enabled)


def _check_change(table: EngineTable, attribute: str, *, enabled: bool) -> None:
    if enabled and table.ttl == attribute:
        raise ValidationException("TimeToLive is already enabled")
    if enabled and table.ttl is not None:
        raise ValidationException(
            f"TimeToLive is active on a different AttributeName: current AttributeName is"
            f" {table.ttl}",
        )
    if not enabled and table.ttl is None:
        raise ValidationException("TimeToLive is already disabled")
    if not enabled and table.ttl != attribute:
        raise ValidationException(
            "TimeToLive is active on a different AttributeName: current AttributeName is"
            f" {table.ttl}",
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
        f" WHERE expires < ? AND expires > ? LIMIT {ROWS_AT_ONCE})"
    )
    bounds = (now, now - OLDEST_SECONDS)
    removed = 0
    while True:  # in small bites, so that nobody waits long behind the sweep
        count = _write_unless_stale(context, sql, bounds)
        removed += count
        if count < ROWS_AT_ONCE:
            return removed


def _write_unless_stale(context: Context, sql: str, bounds: tuple[int, int]) -> int:
    try:
        return context.database.write(lambda connection: connection.execute(sql, bounds).rowcount)
    except Stale:  # the table has just been changed; the next sweep knows it as it is then
        return 0
