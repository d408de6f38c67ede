"""The relational side: SQLAlchemy Core on a SQLite file, or on PostgreSQL by its address."""

from __future__ import annotations

from gotgan.sql.adoption import AdoptedTable, dry_run
from gotgan.sql.database import Database
from gotgan.sql.leases import Lease, Leases, lock, revoke
from gotgan.sql.metadata import METADATA, TICKS, JsonText, MessageText, UtcMoment, ZonedMoment
from gotgan.sql.upserts import insert_into, upsert

__all__ = [
    "METADATA",
    "TICKS",
    "AdoptedTable",
    "Database",
    "JsonText",
    "Lease",
    "Leases",
    "MessageText",
    "UtcMoment",
    "ZonedMoment",
    "dry_run",
    "insert_into",
    "lock",
    "revoke",
    "upsert",
]
