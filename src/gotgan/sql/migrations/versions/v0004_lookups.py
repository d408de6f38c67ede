"""Shares are found by their names, and analyses that failed by when they were asked for."""

from __future__ import annotations

from typing import Final

from sqlalchemy import Column, DateTime, Index, String, text

from gotgan.sql.migrations.steps import add_to_table

revision: Final = "0004"
down_revision: Final = "0003"
_FAILED: Final = text("status = 'failed'")


def upgrade() -> None:
    """Add the indexes."""
    add_to_table("stocks", Column("name", String(100)), Index("ix_stocks_name", "name"))
    add_to_table(
        "analysis_jobs",
        Column("status", String(20)),
        Column("created_at", DateTime),
        Index(
            "ix_analysis_jobs_failed",
            "status",
            "created_at",
            sqlite_where=_FAILED,
            postgresql_where=_FAILED,
        ),
    )
