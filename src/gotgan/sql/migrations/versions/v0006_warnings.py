"""The warnings of an analysis as codes with values, beside their texts in its document."""

from __future__ import annotations

from typing import Final

from sqlalchemy import JSON, Column

from gotgan.sql.migrations.steps import add_to_table

revision: Final = "0006"
down_revision: Final = "0005"


def upgrade() -> None:
    """Add the column."""
    add_to_table("analysis_results", Column("warnings", JSON))
