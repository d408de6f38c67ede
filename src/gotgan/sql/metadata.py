"""The metadata of all tables, the types of their columns, and the tables that all parts share."""

from __future__ import annotations

from collections.abc import Callable
from datetime import UTC, datetime, tzinfo
from typing import Any, Final
from zoneinfo import ZoneInfo

import orjson
from sqlalchemy import (
    BigInteger,
    Column,
    DateTime,
    Double,
    Engine,
    Index,
    Integer,
    MetaData,
    String,
    Table,
    Text,
    UniqueConstraint,
)
from sqlalchemy.types import TypeDecorator, UserDefinedType

from gotgan.messages import dump, load

METADATA: Final = MetaData(
    naming_convention={
        "ix": "ix_%(table_name)s_%(column_0_N_name)s",
        "uq": "uq_%(table_name)s_%(column_0_N_name)s",
        "pk": "pk_%(table_name)s",
    }
)
"""Every table of Gotgan; constraints have the same names in both databases."""
_ZONE_ATTRIBUTE: Final = "gotgan_timestamp_zone"


class UtcMoment(TypeDecorator[datetime]):
    """A moment: aware in Python, and in UTC without a zone in the database."""

    impl = DateTime
    cache_ok = True

    def process_bind_param(self, value: datetime | None, dialect: Any) -> datetime | None:
        """Convert to the zone of the column."""
        if value is None:
            return None
        if value.tzinfo is None:
            raise ValueError(f"{value.isoformat()} has no zone; give it one, such as datetime.UTC")
        return value.astimezone(self._zone(dialect)).replace(tzinfo=None)

    def process_result_value(self, value: datetime | None, dialect: Any) -> datetime | None:
        """Convert to UTC; only in a table of another program may it have a zone."""
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
        zone: tzinfo = getattr(dialect, _ZONE_ATTRIBUTE, UTC)
        return zone


def set_timestamp_zone(engine: Engine, zone: str) -> None:
    """Set the zone of an engine's ZonedMoment columns; each engine has its own dialect."""
    setattr(engine.dialect, _ZONE_ATTRIBUTE, UTC if zone == "UTC" else ZoneInfo(zone))


class JsonText(UserDefinedType[str]):
    """JSON as text in Python, in a column of type TEXT, or JSON or JSONB of another program.

    PostgreSQL gets no type for the value, and so takes it as that of the column.
    """

    cache_ok = True

    def get_col_spec(self, **_: Any) -> str:
        """The type in the database."""
        return "TEXT"

    def result_processor(self, dialect: Any, coltype: object) -> Callable[[Any], str | None]:
        """Write JSON again, because the driver parses JSON and JSONB."""
        del dialect, coltype
        return _json_text


class MessageText(TypeDecorator[str]):
    """A message as its code and values; a text of an earlier version or of others as it is."""

    impl = Text
    cache_ok = True

    def process_bind_param(self, value: str | None, dialect: Any) -> str | None:
        """The message in its stored form."""
        del dialect
        return None if value is None else dump(value)

    def process_result_value(self, value: str | None, dialect: Any) -> str | None:
        """The message, or the text."""
        del dialect
        return None if value is None else load(value)


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
"""Who holds what, and until when; the scheduler, the market and the breakers share it."""

TICKS: Final = Table(
    "ticks",
    METADATA,
    Column("id", Integer, primary_key=True),
    Column("job", String(100), nullable=False),
    Column("at", UtcMoment, nullable=False),
    Column("status", String(20), nullable=False),
    Column("reason", String(50)),
    Column("words", MessageText),
    Column("finished_at", UtcMoment),
    Column("error", MessageText),
    Column("started_at", UtcMoment),
    Column("reads", Double),
    Column("writes", Double),
    UniqueConstraint("job", "at"),  # of many schedulers one writes a tick, and runs it
    Index("ix_ticks_at", "at", "id", "job", "status"),  # the newest, and how many of each
)
"""A row for each time that a job was due; its words are the reason of the gate."""
