"""What is stored about shares and indices, for those who look."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from datetime import date
from functools import cache
from typing import Any, Final

from sqlalchemy import Connection, RowMapping, Select, and_, bindparam, func, or_, select

from gotgan.domains.market.models import MOST_SHARES, Screen
from gotgan.domains.market.tables import (
    MARKET_INDICES,
    PRICE_FACTORS,
    STOCK_PRICES,
    STOCKS,
    TECHNICAL_INDICATORS,
)
from gotgan.errors import NotFound
from gotgan.sql import Database

__all__ = [
    "IndexSheet",
    "StockPage",
    "TickerSheet",
    "found_stocks",
    "has_indicators",
    "index",
    "last_indicated",
    "screen",
    "screens_with_counts",
    "show",
]

_OVERSOLD: Final = 30
_OVERBOUGHT: Final = 70


@dataclass(frozen=True)
class TickerSheet:
    """All that is known of a share in a span."""

    ticker: str
    name: str
    market: str
    first_seen: date
    last_seen: date
    prices: Sequence[RowMapping] = field(default_factory=list)
    factors: Sequence[RowMapping] = field(default_factory=list)
    """Later ones too: they make prices of the span comparable with those of today."""
    indicators: Sequence[RowMapping] = field(default_factory=list)


@dataclass(frozen=True)
class StockPage:
    """Shares by their tickers, and where the next page begins; None at the end."""

    items: Sequence[RowMapping]
    cursor: str | None


@dataclass(frozen=True)
class IndexSheet:
    """An index in a span."""

    code: str
    name: str
    values: Sequence[RowMapping]


def show(database: Database, ticker: str, first: date, last: date) -> TickerSheet:
    """A share with its prices, factors and indicators, the oldest first."""
    with database.read() as connection:
        stock = connection.execute(select(STOCKS).where(STOCKS.c.ticker == ticker)).one_or_none()
        if stock is None:
            raise NotFound(
                f"there is no share {ticker}; a ticker has six characters, such as 005930, and is "
                "known from the first day on that was collected"
            )
        spans = ((STOCK_PRICES, last), (PRICE_FACTORS, date.max), (TECHNICAL_INDICATORS, last))
        prices, factors, indicators = (
            _of_span(connection, table, table.c.ticker == ticker, first, ends)
            for table, ends in spans
        )
    return TickerSheet(
        ticker,
        stock.name,
        stock.market,
        stock.first_seen,
        stock.last_seen,
        prices,
        factors,
        indicators,
    )


def index(database: Database, code: str, first: date, last: date) -> IndexSheet:
    """An index, the oldest value first."""
    with database.read() as connection:
        rows = _of_span(connection, MARKET_INDICES, MARKET_INDICES.c.code == code, first, last)
    if not rows:
        raise NotFound(f"there is no value of the index {code} from {first} to {last}")
    return IndexSheet(code, rows[-1]["name"], rows)


def found_stocks(
    database: Database, text: str, *, limit: int = MOST_SHARES, cursor: str | None = None
) -> StockPage:
    """Shares whose ticker begins with a text, or whose name has it; a cursor is a ticker."""
    name, ticker = func.lower(STOCKS.c.name), STOCKS.c.ticker
    query = (
        select(STOCKS)
        .where(
            ticker > (cursor or ""),
            or_(
                ticker.startswith(text.upper(), autoescape=True),
                name.contains(text.lower(), autoescape=True),
            ),
        )
        .order_by(ticker)
        .limit(limit + 1)
    )
    with database.read() as connection:
        rows = connection.execute(query).mappings().all()
    shown = rows[:limit]
    return StockPage(shown, shown[-1]["ticker"] if rows[limit:] else None)


def screen(
    database: Database, kind: Screen, day: date, before: date, *, limit: int = MOST_SHARES
) -> Sequence[RowMapping]:
    """Shares that stand out on a day; ``before`` is the session before it."""
    asked = {"day": day, "before": before, "most": limit}
    with database.read() as connection:
        return connection.execute(_screened(kind), asked).mappings().all()


def screens_with_counts(
    database: Database, kinds: Sequence[Screen], day: date, before: date, *, limit: int
) -> dict[Screen, tuple[int, Sequence[RowMapping]]]:
    """Of each screen how many shares stand out, and the first of them."""
    asked = {"day": day, "before": before, "most": limit}
    with database.read() as connection:
        found = {kind: connection.execute(_counted(kind), asked).mappings() for kind in kinds}
        rows = {kind: each.all() for kind, each in found.items()}
    return {kind: (each[0]["found"] if each else 0, each) for kind, each in rows.items()}


def last_indicated(database: Database) -> date | None:
    """The last day that has indicators."""
    with database.read() as connection:
        return connection.execute(select(func.max(TECHNICAL_INDICATORS.c.date))).scalar()


def has_indicators(database: Database, day: date) -> bool:
    """Whether there are indicators of a day."""
    query = select(TECHNICAL_INDICATORS.c.ticker).where(TECHNICAL_INDICATORS.c.date == day)
    with database.read() as connection:
        return connection.execute(query.limit(1)).first() is not None


@cache  # to make these queries takes longer than to answer them
def _screened(kind: Screen) -> Select[Any]:
    """The shares of a ``day`` that stand out, ``most`` at most; ``before`` is a session."""
    now, then = TECHNICAL_INDICATORS.alias("now"), TECHNICAL_INDICATORS.alias("then")
    price = STOCK_PRICES
    query = (
        select(now, STOCKS.c.name, STOCKS.c.market, price.c.close, price.c.change)
        .join(STOCKS, STOCKS.c.ticker == now.c.ticker)
        .join(price, and_(price.c.ticker == now.c.ticker, price.c.date == now.c.date))
        .where(now.c.date == bindparam("day"))
        .limit(bindparam("most"))
    )
    if kind == "oversold":
        return query.where(now.c.rsi_14 < _OVERSOLD).order_by(now.c.rsi_14)
    if kind == "overbought":
        return query.where(now.c.rsi_14 > _OVERBOUGHT).order_by(now.c.rsi_14.desc())
    crossed_from = and_(then.c.ticker == now.c.ticker, then.c.date == bindparam("before"))
    query = query.join(then, crossed_from).order_by(price.c.value.desc())
    if kind == "macd_up":
        return query.where(now.c.macd_histogram > 0, then.c.macd_histogram <= 0)
    return query.where(now.c.macd_histogram < 0, then.c.macd_histogram >= 0)


@cache
def _counted(kind: Screen) -> Select[Any]:
    return _screened(kind).add_columns(func.count().over().label("found"))


def _of_span(
    connection: Connection, table: Any, condition: Any, first: date, last: date
) -> Sequence[RowMapping]:
    query = select(table).where(condition, table.c.date.between(first, last)).order_by(table.c.date)
    return connection.execute(query).mappings().all()
