"""The tables of the market, and the keys of its leases.

The logs have the columns of their document, and a few more.
"""

from __future__ import annotations

from datetime import date
from typing import Final

from sqlalchemy import (
    BigInteger,
    Boolean,
    Column,
    Date,
    Double,
    Index,
    Integer,
    LargeBinary,
    String,
    Table,
    UniqueConstraint,
    func,
)

from gotgan.domains.market.models import INDICATORS
from gotgan.sql import METADATA, MessageText, ZonedMoment

LEASE_PREFIX: Final = "market:"
INDICATORS_KEY: Final = f"{LEASE_PREFIX}indicators"
"""Of all calculations: a day rests on the one before, so days are not calculated in parallel."""


def day_key(day: date) -> str:
    """The lease of a day's collection."""
    return f"{LEASE_PREFIX}{day}"


def _side(prefix: str) -> list[Column[object]]:
    """One side; attempts decide, retries are for people."""
    return [
        Column(f"{prefix}_status", String(20)),
        Column(f"{prefix}_count", Integer),
        Column(f"{prefix}_error_message", MessageText),
        Column(f"{prefix}_completed_at", ZonedMoment),
        Column(f"{prefix}_retry_count", Integer, server_default="0"),
        Column(f"{prefix}_attempts", Integer, nullable=False, server_default="0"),
        Column(f"{prefix}_attempted_at", ZonedMoment),
        Column(f"{prefix}_provider", String(20)),
    ]


def _origin() -> list[Column[object]]:
    return [
        Column("provider", String(20), nullable=False),
        Column("is_final", Boolean, nullable=False),
        Column("updated_at", ZonedMoment, nullable=False),
    ]


_SUMS: Final = ("close", "change", "volume", "value", "market_cap", "shares")
COLLECTION_LOG: Final = Table(
    "collection_log",
    METADATA,
    Column("id", Integer, primary_key=True),
    Column("date", Date, nullable=False),
    Column("collection_date", Date, nullable=False),
    *_side("price"),
    *_side("indices"),
    Column("overall_status", String(20)),
    Column("started_at", ZonedMoment, server_default=func.now()),
    Column("finalised_at", ZonedMoment),
    UniqueConstraint("date"),
)
INDICATOR_LOG: Final = Table(
    "indicator_log",
    METADATA,
    Column("id", Integer, primary_key=True),
    Column("date", Date, nullable=False),
    Column("indicator_date", Date, nullable=False),
    Column("status", String(20)),
    Column("indicators_count", Integer),
    Column("error_message", MessageText),
    Column("retry_count", Integer, server_default="0"),
    Column("attempts", Integer, nullable=False, server_default="0"),
    Column("attempted_at", ZonedMoment),
    Column("completed_at", ZonedMoment),
    Column("created_at", ZonedMoment, server_default=func.now()),
    UniqueConstraint("date"),
)
CALENDAR_OVERRIDES: Final = Table(
    "calendar_overrides",
    METADATA,
    Column("date", Date, primary_key=True),
    Column("is_open", Boolean, nullable=False),
    Column("reason", MessageText, nullable=False),
    Column("noted_at", ZonedMoment, nullable=False),
)
MARKET_FETCHES: Final = Table(
    "market_fetches",
    METADATA,
    Column("date", Date, primary_key=True),
    Column("side", String(10), primary_key=True),
    Column("fence", BigInteger, nullable=False),
    Column("provider", String(20), nullable=False),
    Column("fetched_at", ZonedMoment, nullable=False),
    Column("is_final", Boolean, nullable=False),
    Column("rows", LargeBinary, nullable=False),
)
"""What was fetched and is not verified yet: fetch, save and verify may be three processes."""
STOCKS: Final = Table(
    "stocks",
    METADATA,
    Column("ticker", String(12), primary_key=True),
    Column("name", String(100), nullable=False),
    Column("market", String(10), nullable=False),
    Column("first_seen", Date, nullable=False),
    Column("last_seen", Date, nullable=False),
    Index(None, "name"),
)
STOCK_PRICES: Final = Table(
    "stock_prices",
    METADATA,
    Column("date", Date, primary_key=True),
    Column("ticker", String(12), primary_key=True),
    Column("market", String(10), nullable=False),
    *(Column(name, BigInteger) for name in ("open", "high", "low")),
    *(Column(name, BigInteger, nullable=False) for name in _SUMS),
    Column("is_halted", Boolean, nullable=False),
    *_origin(),
    Index(None, "ticker", "date"),
)
MARKET_INDICES: Final = Table(
    "market_indices",
    METADATA,
    Column("date", Date, primary_key=True),
    Column("code", String(12), primary_key=True),
    Column("name", String(100), nullable=False),
    *(Column(name, Double) for name in ("open", "high", "low")),
    Column("close", Double, nullable=False),
    Column("volume", BigInteger, nullable=False),
    Column("value", BigInteger, nullable=False),
    *_origin(),
)
PRICE_FACTORS: Final = Table(
    "price_factors",
    METADATA,
    Column("date", Date, primary_key=True),
    Column("ticker", String(12), primary_key=True),
    Column("factor", Double, nullable=False),
    Column("previous_close", BigInteger, nullable=False),
    Column("base", BigInteger, nullable=False),
    Index(None, "ticker", "date"),
)
TECHNICAL_INDICATORS: Final = Table(
    "technical_indicators",
    METADATA,
    Column("date", Date, primary_key=True),
    Column("ticker", String(12), primary_key=True),
    *(Column(name, Double) for name in INDICATORS),
    Index(None, "ticker", "date"),
)
INDICATOR_STATES: Final = Table(
    "indicator_states",
    METADATA,
    Column("ticker", String(12), primary_key=True),
    Column("through", Date, nullable=False),
    Column("state", LargeBinary, nullable=False),
)
"""What the next day's indicators are made of; a share without a row starts from its first day."""
ALL_TABLES: Final = (
    COLLECTION_LOG,
    INDICATOR_LOG,
    STOCK_PRICES,
    MARKET_INDICES,
    TECHNICAL_INDICATORS,
    STOCKS,
    PRICE_FACTORS,
    INDICATOR_STATES,
    CALENDAR_OVERRIDES,
    MARKET_FETCHES,
)
"""All tables of the market, those of the document first."""
