"""What all tables are declared on, and how they keep a moment."""

from __future__ import annotations

from datetime import UTC, datetime
from typing import Any, Final

from sqlalchemy import BigInteger, Column, DateTime, MetaData, String, Table, Text
from sqlalchemy.types import TypeDecorator

__all__ = ["LEASES", "METADATA", "Moment"]

METADATA: Final = MetaData(
    naming_convention={
        "ix": "ix_%(table_name)s_%(column_0_N_name)s",
        "uq": "uq_%(table_name)s_%(column_0_N_name)s",
        "pk": "pk_%(table_name)s",
    }
)
"""Every table of the house; constraints are named alike in both databases."""


class Moment(TypeDecorator[datetime]):
    """A moment: aware in Python, and in UTC without a zone in the database."""

    impl = DateTime
    cache_ok = True

    def process_bind_param(self, value: datetime | None, dialect: Any) -> datetime | None:
        """What is written."""
        del dialect
        if value is None:
            return None
        if value.tzinfo is None:
            raise ValueError(f"{value.isoformat()} has no zone; give it one, such as datetime.UTC")
        return value.astimezone(UTC).replace(tzinfo=None)

    def process_result_value(self, value: datetime | None, dialect: Any) -> datetime | None:
        """What is read."""
        del dialect
        return None if value is None else value.replace(tzinfo=UTC)


LEASES: Final = Table(
    "leases",
    METADATA,
    Column("key", String(200), primary_key=True),
    Column("owner", Text, nullable=False),
    Column("until", Moment, nullable=False),
    Column("fence", BigInteger, nullable=False),
)
"""Who has what in hand, and until when; the scheduler, the market and the breakers share it."""
