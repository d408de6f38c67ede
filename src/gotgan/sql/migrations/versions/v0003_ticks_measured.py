"""Ticks say when their run began and what it took of DynamoDB, and are found by their time."""

from __future__ import annotations

from typing import Final

from sqlalchemy import Column, DateTime, Double, Index, Integer, String

from gotgan.sql.migrations.steps import add_to_table

revision: Final = "0003"
down_revision: Final = "0002"


def upgrade() -> None:
    """Add what is not known of the ticks that are there."""
    add_to_table(
        "ticks",
        Column("id", Integer),
        Column("job", String(100)),
        Column("at", DateTime),
        Column("status", String(20)),
        Column("started_at", DateTime),
        Column("reads", Double),
        Column("writes", Double),
        Index("ix_ticks_at", "at", "id", "job", "status"),
    )
