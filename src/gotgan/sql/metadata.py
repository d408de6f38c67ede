"""What all tables are declared on, and how they keep a moment."""

from __future__ import annotations

from collections.abc import Callable
from datetime import UTC, datetime, tzinfo
from typing import Any, Final
from zoneinfo import ZoneInfo

import orjson
from sqlalchemy import BigInteger, Column, DateTime, Engine, MetaData, String, Table, Text
from sqlalchemy.types import TypeDecorator, UserDefinedType

__all__ = ["LEASES", "METADATA", "JsonText", "UtcMoment", "ZonedMoment", "keep_moments_in"]

METADATA: Final = MetaData(
    naming_convention={
        "ix": "ix_%(table_name)s_%(column_0_N_name)s",
        "uq": "uq_%(table_name)s_%(column_0_N_name)s",
        "pk": "pk_%(table_name)s",
    }
)
"""Every table of the house; constraints are named alike in both databases."""
_ZONE: Final = "gotgan_timestamp_zone"


class UtcMoment(TypeDecorator[datetime]):
    """A moment: aware in Python, and in UTC without a zone in the database."""

    impl = DateTime
    cache_ok = True

    def process_bind_param(self, value: datetime | None, dialect: Any) -> datetime | None:
        """What is written."""
        if value is None:
            return None
        if value.tzinfo is None:
            raise ValueError(f"{value.isoformat()} has no zone; give it one, such as datetime.UTC")
        return value.astimezone(self._zone(dialect)).replace(tzinfo=None)

    def process_result_value(self, value: datetime | None, dialect: Any) -> datetime | None:
        """What is read; only in a table of others it may have a zone."""
        if value is None:
            return None
        aware = value if value.tzinfo else value.replace(tzinfo=self._zone(dialect))
        return aware.astimezone(UTC)

    def _zone(self, dialect: Any) -> tzinfo:
        del dialect
        return UTC


class ZonedMoment(UtcMoment):
    """A moment in a table that another program may have made: in ``GOTGAN_TIMESTAMP_ZONE``."""

    cache_ok = True

    def _zone(self, dialect: Any) -> tzinfo:
        zone: tzinfo = getattr(dialect, _ZONE, UTC)
        return zone


def keep_moments_in(engine: Engine, zone: str) -> None:
    """Have ZonedMoment columns hold times of a zone; each engine has a dialect of its own."""
    setattr(engine.dialect, _ZONE, UTC if zone == "UTC" else ZoneInfo(zone))


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
    Column("until", UtcMoment, nullable=False),
    Column("fence", BigInteger, nullable=False),
)
"""Who has what in hand, and until when; the scheduler, the market and the breakers share it."""
