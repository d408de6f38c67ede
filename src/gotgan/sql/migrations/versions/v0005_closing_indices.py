"""An index of before 1994-12-28 has a close alone: its open, high and low may be missing."""

from __future__ import annotations

from typing import Final

from alembic import op
from sqlalchemy import Double

revision: Final = "0005"
down_revision: Final = "0004"


def upgrade() -> None:
    """Let the three columns be empty."""
    with op.batch_alter_table("market_indices") as table:
        for name in ("open", "high", "low"):
            table.alter_column(name, existing_type=Double(), existing_nullable=False, nullable=True)
