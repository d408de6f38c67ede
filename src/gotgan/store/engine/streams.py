"""A table's stream: enabling and disabling it, writing its records, and trimming them.

Triggers of SQLite on the table's rows write the records. So every way of writing an item writes its
record in the same transaction, and a table without a stream has no triggers. A stream has a row in
``streams`` and a SQLite table for its records; both stay for 24 hours after it was disabled.
"""

from __future__ import annotations

import sqlite3
from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from datetime import UTC, datetime, timedelta
from typing import Any, Final

import orjson

from gotgan.clock import Clock
from gotgan.store.engine.catalog import (
    Context,
    EngineTable,
    TableStream,
    next_number,
    save_definition,
)
from gotgan.store.engine.faults import ValidationException, invalid_value
from gotgan.store.engine.fileformat import StaleCatalog
from gotgan.store.engine.requests import ARN_PREFIX
from gotgan.store.engine.values import equal, load_item

RETENTION_S: Final = 24 * 3600
_TRIM_BATCH_ROWS: Final = 1000

_OLD: Final = "OLD.size, OLD.item"
_NEW: Final = "NEW.size, NEW.item"
_NONE: Final = "NULL, NULL"
# The same attributes in another order, or the same set, are no change.
_MODIFICATION: Final = (
    "AFTER UPDATE OF item ON {rows} WHEN OLD.item <> NEW.item AND"
    " (length(OLD.item) <> length(NEW.item) OR items_differ(OLD.item, NEW.item))"
)


@dataclass(frozen=True, slots=True)
class EngineStream:
    """A stream as the file has it: enabled, or disabled since some moment."""

    number: int
    table_name: str
    label: str
    view_type: str
    key_names: tuple[str, ...]
    created: float
    disabled: float | None

    @property
    def records(self) -> str:
        """The name of the SQLite table that holds the records."""
        return f"s{self.number}"

    @property
    def arn(self) -> str:
        """The name of the stream on AWS."""
        return stream_arn(self.table_name, self.label)


def stream_arn(table_name: str, label: str) -> str:
    """Return the ARN of a table's stream."""
    return f"{ARN_PREFIX}{table_name}/stream/{label}"


def sql_functions(clock: Clock) -> dict[str, Callable[..., Any]]:
    """Return the SQL functions that the triggers of streams call."""
    return {
        "current_seconds": lambda: clock.now().timestamp(),
        "items_differ": lambda old, new: not equal({"M": load_item(old)}, {"M": load_item(new)}),
    }


# Requests and descriptions of tables


def read_new_stream(request: Mapping[str, Any]) -> str | None:
    """Return the view type of a CreateTable request's stream; None: it has no stream."""
    view_type, enabled = _read_specification(request)
    if enabled and view_type is None:
        raise invalid_value(
            "Table is being created with a stream enabled, UpdateViewType is required"
        )
    if not enabled and view_type is not None:
        raise invalid_value(
            "Table is being created with a stream disabled, UpdateViewType should not be specified"
        )
    return view_type


def read_stream_change(table: EngineTable, request: Mapping[str, Any]) -> str | None:
    """Return the view type that UpdateTable gives a table's stream; None: it is disabled."""
    view_type, enabled = _read_specification(request)
    if enabled and view_type is None:
        raise invalid_value("If stream is being enabled then UpdateViewType is required")
    if not enabled and view_type is not None:
        raise invalid_value(
            "If stream is being disabled, then UpdateViewType must not be specified"
        )
    if request.get("ProvisionedThroughput") or request.get("BillingMode") == "PROVISIONED":
        raise invalid_value("You cannot modify stream status while updating table IOPS")
    has_stream = table.stream is not None and table.stream.enabled
    if enabled and has_stream:
        raise ValidationException(f"Table already has an enabled stream: TableName: {table.name}")
    if not enabled and not has_stream:
        raise ValidationException(f"Table has no stream to disable: TableName: {table.name}")
    return view_type


def _read_specification(request: Mapping[str, Any]) -> tuple[str | None, bool]:
    given = request.get("StreamSpecification")
    if given is None:
        return None, False
    return given.get("StreamViewType"), given["StreamEnabled"]


def describe_stream_of(table: EngineTable) -> dict[str, Any]:
    """Return the members of a TableDescription about the stream; a disabled one keeps its ARN."""
    stream = table.stream
    if stream is None:
        return {}
    members: dict[str, Any] = {
        "LatestStreamLabel": stream.label,
        "LatestStreamArn": stream_arn(table.name, stream.label),
    }
    if stream.enabled:
        members["StreamSpecification"] = {
            "StreamEnabled": True,
            "StreamViewType": stream.view_type,
        }
    return members


# The file


def enable_stream(
    connection: sqlite3.Connection, table: EngineTable, view_type: str, now: datetime
) -> EngineTable:
    """Start a new stream of a table whose definition has just been entered; return the table."""
    label = _new_label(connection, table.name, now)
    stream = TableStream(next_number(connection), label, view_type)
    connection.execute(
        "INSERT INTO streams (number, table_name, label, view_type, key_schema, created)"
        " VALUES (?, ?, ?, ?, ?, ?)",
        (
            stream.number,
            table.name,
            label,
            view_type,
            orjson.dumps([attribute.name for attribute in table.key.attributes]).decode(),
            now.timestamp(),
        ),
    )
    # Sequence numbers are never reused, even after their records were trimmed.
    connection.execute(
        f"CREATE TABLE {stream.records} (sequence INTEGER PRIMARY KEY AUTOINCREMENT,"
        " created REAL NOT NULL, event TEXT NOT NULL, expired INTEGER NOT NULL DEFAULT 0,"
        " old_size INTEGER, new_size INTEGER, old BLOB, new BLOB)"
    )
    for kind, event, when, images in (
        ("insert", "INSERT", "AFTER INSERT ON {rows}", f"{_NONE}, {_NEW}"),
        ("modify", "MODIFY", _MODIFICATION, _modified_images(view_type)),
        ("remove", "REMOVE", "AFTER DELETE ON {rows}", f"{_OLD}, {_NONE}"),
    ):
        connection.execute(
            f"CREATE TRIGGER {stream.records}_{kind} {when.format(rows=table.rows)} BEGIN"
            f" INSERT INTO {stream.records} (created, event, old_size, old, new_size, new)"
            f" VALUES (current_seconds(), '{event}', {images}); END"
        )
    streamed = replace(table, stream=stream)
    save_definition(connection, streamed)
    return streamed


def _modified_images(view_type: str) -> str:
    """The images of an item that was modified: those that are shown, and one for the keys."""
    old = _OLD if view_type in {"OLD_IMAGE", "NEW_AND_OLD_IMAGES"} else _NONE
    new = _NONE if view_type == "OLD_IMAGE" else _NEW
    return f"{old}, {new}"


def _new_label(connection: sqlite3.Connection, table_name: str, now: datetime) -> str:
    """Return the moment as the stream's label, moved on where another stream has that label."""
    sql = "SELECT 1 FROM streams WHERE table_name=? AND label=?"
    moment = now.astimezone(UTC).replace(tzinfo=None)
    while True:
        label = moment.isoformat(timespec="milliseconds")
        if not connection.execute(sql, (table_name, label)).fetchone():
            return label
        moment += timedelta(milliseconds=1)


def disable_stream(
    connection: sqlite3.Connection, table: EngineTable, now: datetime
) -> EngineTable:
    """End the stream of a table whose definition has just been entered; return the table."""
    if table.stream is None:
        return table
    for kind in ("insert", "modify", "remove"):
        connection.execute(f"DROP TRIGGER {table.stream.records}_{kind}")
    end_stream(connection, table, now)
    ended = replace(table, stream=replace(table.stream, enabled=False))
    save_definition(connection, ended)
    return ended


def end_stream(connection: sqlite3.Connection, table: EngineTable, now: datetime) -> None:
    """Note when a table's stream ended; the triggers of a removed table went with it."""
    if table.stream is not None and table.stream.enabled:
        sql = "UPDATE streams SET disabled=? WHERE number=?"
        connection.execute(sql, (now.timestamp(), table.stream.number))


def last_sequence(connection: sqlite3.Connection, records: str) -> int:
    """Return the number of a stream's newest record, also if it is gone; 0: there was none."""
    sql = "SELECT seq FROM sqlite_sequence WHERE name=?"
    row = connection.execute(sql, (records,)).fetchone()
    return int(row[0]) if row else 0


def mark_expired(connection: sqlite3.Connection, records: str, after: int) -> None:
    """Note in the records after a number that time to live removed the items, not a request."""
    connection.execute(f"UPDATE {records} SET expired=1 WHERE sequence > ?", (after,))


def retained_streams(connection: sqlite3.Connection, now: float) -> list[EngineStream]:
    """Return the streams that are enabled or were until 24 hours ago, by table and age."""
    rows = connection.execute(
        "SELECT number, table_name, label, view_type, key_schema, created, disabled FROM streams"
        " WHERE disabled IS NULL OR disabled > ? ORDER BY table_name, label",
        (now - RETENTION_S,),
    )
    return [
        EngineStream(number, name, label, view_type, tuple(orjson.loads(keys)), created, disabled)
        for number, name, label, view_type, keys, created, disabled in rows.fetchall()
    ]


def first_sequence(connection: sqlite3.Connection, stream: EngineStream, now: float) -> int:
    """Return the number of the oldest record that is not older than 24 hours, or the next one."""
    return _first_created(connection, stream, ">", now - RETENTION_S)


def sequence_at(connection: sqlite3.Connection, stream: EngineStream, moment: float) -> int:
    """Return the number of the first record made at or after a moment, or the next one."""
    return _first_created(connection, stream, ">=", moment)


def _first_created(
    connection: sqlite3.Connection, stream: EngineStream, comparison: str, moment: float
) -> int:
    sql = (
        f"SELECT sequence FROM {stream.records} WHERE created {comparison} ?"
        " ORDER BY sequence LIMIT 1"
    )
    row = connection.execute(sql, (moment,)).fetchone()
    return int(row[0]) if row else last_sequence(connection, stream.records) + 1


# Removing what is too old


def has_streams(connection: sqlite3.Connection) -> bool:
    """Whether there is any stream, enabled or not."""
    return connection.execute("SELECT 1 FROM streams LIMIT 1").fetchone() is not None


def trim(context: Context) -> None:
    """Remove the records that are older than 24 hours, and streams that ended before that."""
    now = context.clock.now().timestamp()
    if context.database.read(lambda connection: _ended_streams(connection, now)):
        context.database.write(lambda connection: _drop_ended(connection, now))
    for stream in context.database.read(lambda connection: retained_streams(connection, now)):
        try:
            _trim_stream(context, stream, now)
        except StaleCatalog:  # another process has just removed it
            continue


def _ended_streams(connection: sqlite3.Connection, now: float) -> list[tuple[int]]:
    sql = "SELECT number FROM streams WHERE disabled <= ?"
    return connection.execute(sql, (now - RETENTION_S,)).fetchall()


def _drop_ended(connection: sqlite3.Connection, now: float) -> None:
    for (number,) in _ended_streams(connection, now):
        connection.execute(f"DROP TABLE s{number}")
        connection.execute("DELETE FROM streams WHERE number=?", (number,))


def _trim_stream(context: Context, stream: EngineStream, now: float) -> None:
    first = context.database.read(lambda connection: first_sequence(connection, stream, now))
    sql = (
        f"DELETE FROM {stream.records} WHERE sequence < ? AND sequence IN"
        f" (SELECT sequence FROM {stream.records} ORDER BY sequence LIMIT {_TRIM_BATCH_ROWS})"
    )
    # In small batches, so that no writer waits long behind them.
    while context.database.write(lambda c: c.execute(sql, (first,)).rowcount) == _TRIM_BATCH_ROWS:
        pass
