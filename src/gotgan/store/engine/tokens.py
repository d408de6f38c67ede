"""The tokens of transactions: what was carried out under one is not carried out again."""

from __future__ import annotations

import hashlib
import sqlite3
from collections.abc import Sequence

import orjson

from gotgan.store.engine.faults import IdempotentParameterMismatchException
from gotgan.store.engine.values import Item
from gotgan.store.engine.writes import EngineWrite, Modify, Put

__all__ = ["KEPT_SECONDS", "remember", "seen"]

KEPT_SECONDS = 600


def seen(
    connection: sqlite3.Connection, token: str, writes: Sequence[EngineWrite], now: float
) -> bool:
    """Say whether these writes were carried out under this token not long ago."""
    sql = "SELECT fingerprint FROM tokens WHERE token=? AND expires > ?"
    row = connection.execute(sql, (token, now)).fetchone()
    if row is None:
        return False
    if row[0] != _fingerprint(writes):
        raise IdempotentParameterMismatchException(
            "The request uses the same client token as a previous, but non-identical request.",
        )
    return True


def remember(
    connection: sqlite3.Connection,
    token: str,
    writes: Sequence[EngineWrite],
    now: float,
) -> None:
    """Keep a token for ten minutes, and let go of older ones."""
    connection.execute("DELETE FROM tokens WHERE expires <= ?", (now,))
    connection.execute(
        "INSERT INTO tokens (token, fingerprint, expires) VALUES (?, ?, ?)",
        (token, _fingerprint(writes), now + KEPT_SECONDS),
    )


def _fingerprint(writes: Sequence[EngineWrite]) -> bytes:
    """Return a digest of what is to be done; how the answer should look does not count."""
    digest = hashlib.sha256()
    for write in writes:
        digest.update(repr((write.table.name, write.key, _essence(write))).encode())
    return digest.digest()


def _essence(write: EngineWrite) -> object:
    guard = write.guard and (write.guard.condition.tree, _sorted(write.guard.values))
    match write.change:
        case Put(row):
            return _sorted(row.item), guard
        case Modify(update, values):
            return update and update.actions, _sorted(values), guard
        case other:
            return other, guard


def _sorted(item: Item) -> bytes:
    return orjson.dumps(item, default=bytes.hex, option=orjson.OPT_SORT_KEYS)
