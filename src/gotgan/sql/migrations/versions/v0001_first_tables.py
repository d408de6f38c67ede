"""The first tables: leases, the timetable's history, and the market.

Columns are written out here, and not taken from the tables as they are declared: those change, and
what this step makes must not.
"""

from __future__ import annotations

from typing import Final

from sqlalchemy import (
    BigInteger,
    Boolean,
    Column,
    Date,
    DateTime,
    Double,
    Index,
    Integer,
    LargeBinary,
    PrimaryKeyConstraint,
    String,
    Text,
    UniqueConstraint,
    func,
)

from gotgan.sql.migrations.steps import complete_table

revision: Final = "0001"
down_revision: Final = None


def upgrade() -> None:
    """Create them, or take over those that exist."""
    _house()
    _logs()
    _sources()
    _market()
    _indicators()


def _house() -> None:
    complete_table(
        "leases",
        Column("key", String(200), nullable=False),
        Column("owner", Text, nullable=False),
        Column("until", DateTime, nullable=False),
        Column("fence", BigInteger, nullable=False),
        PrimaryKeyConstraint("key", name="pk_leases"),
    )
    complete_table(
        "ticks",
        Column("id", Integer, nullable=False),
        Column("job", String(100), nullable=False),
        Column("at", DateTime, nullable=False),
        Column("status", String(20), nullable=False),
        Column("reason", String(50)),
        Column("words", Text),
        Column("finished_at", DateTime),
        Column("error", Text),
        PrimaryKeyConstraint("id", name="pk_ticks"),
        UniqueConstraint("job", "at", name="uq_ticks_job_at"),
    )


def _logs() -> None:
    complete_table(
        "collection_log",
        Column("id", Integer, nullable=False),
        Column("date", Date, nullable=False),
        Column("collection_date", Date, nullable=False),
        *_side("price"),
        *_side("indices"),
        Column("overall_status", String(20)),
        Column("started_at", DateTime, server_default=func.now()),
        Column("finalised_at", DateTime),
        PrimaryKeyConstraint("id", name="pk_collection_log"),
        UniqueConstraint("date", name="uq_collection_log_date"),
    )
    complete_table(
        "indicator_log",
        Column("id", Integer, nullable=False),
        Column("date", Date, nullable=False),
        Column("indicator_date", Date, nullable=False),
        Column("status", String(20)),
        Column("indicators_count", Integer),
        Column("error_message", Text),
        Column("retry_count", Integer, server_default="0"),
        Column("attempts", Integer, nullable=False, server_default="0"),
        Column("attempted_at", DateTime),
        Column("completed_at", DateTime),
        Column("created_at", DateTime, server_default=func.now()),
        PrimaryKeyConstraint("id", name="pk_indicator_log"),
        UniqueConstraint("date", name="uq_indicator_log_date"),
    )


def _side(prefix: str) -> list[Column[object]]:
    return [
        Column(f"{prefix}_status", String(20)),
        Column(f"{prefix}_count", Integer),
        Column(f"{prefix}_error_message", Text),
        Column(f"{prefix}_completed_at", DateTime),
        Column(f"{prefix}_retry_count", Integer, server_default="0"),
        Column(f"{prefix}_attempts", Integer, nullable=False, server_default="0"),
        Column(f"{prefix}_attempted_at", DateTime),
        Column(f"{prefix}_provider", String(20)),
    ]


def _sources() -> None:
    complete_table(
        "calendar_overrides",
        Column("date", Date, nullable=False),
        Column("is_open", Boolean, nullable=False),
        Column("reason", Text, nullable=False),
        Column("noted_at", DateTime, nullable=False),
        PrimaryKeyConstraint("date", name="pk_calendar_overrides"),
    )
    complete_table(
        "market_fetches",
        Column("date", Date, nullable=False),
        Column("side", String(10), nullable=False),
        Column("fence", BigInteger, nullable=False),
        Column("provider", String(20), nullable=False),
        Column("fetched_at", DateTime, nullable=False),
        Column("is_final", Boolean, nullable=False),
        Column("rows", LargeBinary, nullable=False),
        PrimaryKeyConstraint("date", "side", name="pk_market_fetches"),
    )


def _market() -> None:
    complete_table(
        "stocks",
        Column("ticker", String(12), nullable=False),
        Column("name", String(100), nullable=False),
        Column("market", String(10), nullable=False),
        Column("first_seen", Date, nullable=False),
        Column("last_seen", Date, nullable=False),
        PrimaryKeyConstraint("ticker", name="pk_stocks"),
    )
    complete_table(
        "stock_prices",
        Column("date", Date, nullable=False),
        Column("ticker", String(12), nullable=False),
        Column("market", String(10), nullable=False),
        Column("open", BigInteger),
        Column("high", BigInteger),
        Column("low", BigInteger),
        Column("close", BigInteger, nullable=False),
        Column("change", BigInteger, nullable=False),
        Column("volume", BigInteger, nullable=False),
        Column("value", BigInteger, nullable=False),
        Column("market_cap", BigInteger, nullable=False),
        Column("shares", BigInteger, nullable=False),
        Column("is_halted", Boolean, nullable=False),
        Column("provider", String(20), nullable=False),
        Column("is_final", Boolean, nullable=False),
        Column("updated_at", DateTime, nullable=False),
        PrimaryKeyConstraint("date", "ticker", name="pk_stock_prices"),
        Index("ix_stock_prices_ticker_date", "ticker", "date"),
    )
    complete_table(
        "market_indices",
        Column("date", Date, nullable=False),
        Column("code", String(12), nullable=False),
        Column("name", String(100), nullable=False),
        Column("open", Double, nullable=False),
        Column("high", Double, nullable=False),
        Column("low", Double, nullable=False),
        Column("close", Double, nullable=False),
        Column("volume", BigInteger, nullable=False),
        Column("value", BigInteger, nullable=False),
        Column("provider", String(20), nullable=False),
        Column("is_final", Boolean, nullable=False),
        Column("updated_at", DateTime, nullable=False),
        PrimaryKeyConstraint("date", "code", name="pk_market_indices"),
    )


def _indicators() -> None:
    complete_table(
        "price_factors",
        Column("date", Date, nullable=False),
        Column("ticker", String(12), nullable=False),
        Column("factor", Double, nullable=False),
        Column("previous_close", BigInteger, nullable=False),
        Column("base", BigInteger, nullable=False),
        PrimaryKeyConstraint("date", "ticker", name="pk_price_factors"),
        Index("ix_price_factors_ticker_date", "ticker", "date"),
    )
    complete_table(
        "technical_indicators",
        Column("date", Date, nullable=False),
        Column("ticker", String(12), nullable=False),
        *(Column(name, Double) for name in _VALUES),
        PrimaryKeyConstraint("date", "ticker", name="pk_technical_indicators"),
        Index("ix_technical_indicators_ticker_date", "ticker", "date"),
    )
    complete_table(
        "indicator_states",
        Column("ticker", String(12), nullable=False),
        Column("through", Date, nullable=False),
        Column("state", LargeBinary, nullable=False),
        PrimaryKeyConstraint("ticker", name="pk_indicator_states"),
    )


_VALUES: Final = (
    "rsi_14",
    "macd",
    "macd_signal",
    "macd_histogram",
    "sma_5",
    "sma_20",
    "sma_60",
    "sma_120",
    "bb_upper",
    "bb_middle",
    "bb_lower",
)
