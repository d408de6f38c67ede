"""The history of the timetable: which job was looked at when, and what came of it."""

from __future__ import annotations

from typing import Final

from sqlalchemy import Column, Double, Index, Integer, String, Table, Text, UniqueConstraint

from gotgan.sql.metadata import METADATA, UtcMoment

__all__ = ["TICKS"]

TICKS: Final = Table(
    "ticks",
    METADATA,
    Column("id", Integer, primary_key=True),
    Column("job", String(100), nullable=False),
    Column("at", UtcMoment, nullable=False),
    Column("status", String(20), nullable=False),
    Column("reason", String(50)),
    Column("words", Text),
    Column("finished_at", UtcMoment),
    Column("error", Text),
    Column("started_at", UtcMoment),
    Column("reads", Double),
    Column("writes", Double),
    UniqueConstraint("job", "at"),  # of many schedulers one writes a tick, and runs it
    Index("ix_ticks_at", "at", "id", "job", "status"),  # the newest, and how many of each
)
"""A row for each time that a job came round; its words are those of the gate that was asked."""
