"""What all tables are declared on, and how they keep a moment."""

from __future__ import annotations

from collections.abc import Callable
from datetime import UTC, datetime
from typing import Any, Final

import orjson
from sqlalchemy import BigInteger, Column, DateTime, MetaData, String, Table, Text
from sqlalchemy.types import TypeDecorator, UserDefinedType

__all__ = ["LEASES", "METADATA", "JsonText", "Moment"]

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
        """What is read; only in a table of others it may have a zone."""
        del dialect
        if value is None or value.tzinfo is None:
            return None if value is None else value.replace(tzinfo=UTC)
        return value.astimezone(UTC)


class JsonText(UserDefinedType[str]):
    """JSON as text in Python, in a column of type TEXT, or JSON or JSONB where others made it.

    PostgreSQL is not told a type for the value, and so takes it as that of the column.
    """

    cache_ok = True

    def get_col_spec(self, **_: Any) -> str:
        """The type in the database."""
        return "TEXT"

    def result_processor(self, dialect: Any, coltype: object) -> Callable[[Any], str | None]:
        """What is read: the driver parses JSON and JSONB itself."""
        del dialect, coltype
        return _json_text


def _json_text(value: Any) -> str | None:
    return value if value is None or isinstance(value, str) else orjson.dumps(value).decode()


LEASES: Final = Table(
    "leases",
    METADATA,
    Column("key", String(200), primary_key=True),
    Column("owner", Text, nullable=False),
    Column("until", Moment, nullable=False),
    Column("fence", BigInteger, nullable=False),
)
"""Who has what in hand, and until when; the scheduler, the market and the breakers share it."""
