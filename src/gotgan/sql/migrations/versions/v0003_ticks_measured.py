"""Ticks say when their run began and what it took of DynamoDB, and are found by their time."""

from __future__ import annotations

from typing import Final

from alembic import op
from sqlalchemy import Column, DateTime, Double

__all__ = ["down_revision", "revision", "upgrade"]

revision: Final = "0003"
down_revision: Final = "0002"


def upgrade() -> None:
    """Add what is not known of the ticks that are there."""
    op.add_column("ticks", Column("started_at", DateTime))
    op.add_column("ticks", Column("reads", Double))
    op.add_column("ticks", Column("writes", Double))
    op.create_index("ix_ticks_at", "ticks", ["at", "id", "job", "status"])
