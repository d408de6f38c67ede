"""Shares are found by their names, and analyses that failed by when they were asked for."""

from __future__ import annotations

from typing import Final

from alembic import op
from sqlalchemy import text

__all__ = ["down_revision", "revision", "upgrade"]

revision: Final = "0004"
down_revision: Final = "0003"
_FAILED: Final = text("status = 'failed'")


def upgrade() -> None:
    """Add the indexes."""
    op.create_index("ix_stocks_name", "stocks", ["name"])
    op.create_index(
        "ix_analysis_jobs_failed",
        "analysis_jobs",
        ["status", "created_at"],
        sqlite_where=_FAILED,
        postgresql_where=_FAILED,
    )
