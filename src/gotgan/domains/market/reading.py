"""What is stored about shares and indices, for those who look."""

from __future__ import annotations

import re
from collections.abc import Sequence
from datetime import date
from typing import Any, Final, TypeVar

from sqlalchemy import Connection, RowMapping, and_, func, or_, select

from gotgan.domains.market.models import INDICATORS, MOST_SHARES, Screen
from gotgan.domains.market.rows import (
    DailyPrice,
    FactorRow,
    IndexDay,
    IndexSheet,
    IndicatorRow,
    ScreenPage,
    ScreenRow,
    SharePage,
    StockRow,
    TickerSheet,
    rows_as,
)
from gotgan.domains.market.screening import (
    counted,
    cursor_behind,
    place_of,
    screened,
    screened_behind,
)
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
    "called_stocks",
    "columns",
    "found_stocks",
    "has_indicators",
    "index",
    "last_indicated",
    "screen",
    "screens_with_counts",
    "show",
]

_UNASKABLE: Final = re.compile("[\0\ud800-\udfff]")
"""What no name has: PostgreSQL takes no NUL, and nobody takes half a letter."""
_MOST_CALLED: Final = 5
"""How many shares of one name are told."""
_TRADED: Final = (
    "market",
    "open",
    "high",
    "low",
    "close",
    "change",
    "volume",
    "value",
    "market_cap",
    "shares",
    "is_halted",
)
"""The columns of a day, beside ticker, name and indicators."""
R = TypeVar("R")


def show(database: Database, ticker: str, first: date, last: date) -> TickerSheet:
    """A share with its prices, factors and indicators, the oldest first."""
    query = select(STOCKS).where(STOCKS.c.ticker == ticker)
    with database.read() as connection:
        stock = connection.execute(query).one_or_none() if _is_askable(ticker) else None
        if stock is None:
            raise NotFound(
                f"there is no share {ticker}; a ticker has six characters, such as 005930, and is "
                "known from the first day on that was collected"
            )
        condition = STOCK_PRICES.c.ticker == ticker
        prices = _of_span(connection, DailyPrice, STOCK_PRICES, condition, first, last)
        condition = PRICE_FACTORS.c.ticker == ticker
        factors = _of_span(connection, FactorRow, PRICE_FACTORS, condition, first, date.max)
        condition = TECHNICAL_INDICATORS.c.ticker == ticker
        indicators = _of_span(
            connection, IndicatorRow, TECHNICAL_INDICATORS, condition, first, last
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
    rows: tuple[IndexDay, ...] = ()
    if _is_askable(code):
        condition = MARKET_INDICES.c.code == code
        with database.read() as connection:
            rows = _of_span(connection, IndexDay, MARKET_INDICES, condition, first, last)
    if not rows:
        raise NotFound(f"there is no value of the index {code} from {first} to {last}")
    return IndexSheet(code, rows[-1].name, rows)


def called_stocks(database: Database, text: str) -> tuple[StockRow, ...]:
    """Shares of exactly this ticker or name, in capitals too; each is looked up in an index."""
    if not _is_askable(text):
        return ()
    query = (
        select(STOCKS)
        .where(or_(STOCKS.c.ticker == text.upper(), STOCKS.c.name.in_({text, text.upper()})))
        .order_by(STOCKS.c.ticker)
        .limit(_MOST_CALLED)
    )
    with database.read() as connection:
        return rows_as(StockRow, connection.execute(query).mappings())


def found_stocks(
    database: Database, text: str, *, limit: int = MOST_SHARES, cursor: str | None = None
) -> SharePage:
    """Shares whose ticker begins with a text, or whose name has it; a cursor is a ticker."""
    if not _is_askable(text + (cursor or "")):
        return SharePage((), None)
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
        rows = rows_as(StockRow, connection.execute(query).mappings())
    shown = rows[:limit]
    return SharePage(shown, shown[-1].ticker if rows[limit:] else None)


def screen(
    database: Database,
    kind: Screen,
    day: date,
    before: date,
    *,
    limit: int = MOST_SHARES,
    cursor: str | None = None,
) -> ScreenPage:
    """Shares that stand out on a day; ``before`` is the session before it."""
    asked = {"day": day, "before": before, "most": limit + 1}
    query = screened(kind)
    if cursor is not None:
        query, asked = screened_behind(kind), asked | place_of(cursor, kind, day)
    with database.read() as connection:
        rows = rows_as(ScreenRow, connection.execute(query, asked).mappings())
    shown = rows[:limit]
    behind = cursor_behind(kind, shown[-1]) if rows[limit:] else None
    last = None if rows else last_indicated(database)
    is_calculated = bool(rows) or has_indicators(database, day)
    return ScreenPage(kind, day, shown, behind, is_calculated, last)


def screens_with_counts(
    database: Database, kinds: Sequence[Screen], day: date, before: date, *, limit: int
) -> dict[Screen, tuple[int, tuple[ScreenRow, ...]]]:
    """Of each screen how many shares stand out, and the first of them."""
    asked = {"day": day, "before": before, "most": limit}
    rows: dict[Screen, list[RowMapping]] = {kind: [] for kind in kinds}
    with database.read() as connection:
        for row in connection.execute(counted(tuple(kinds)), asked).mappings():
            rows[row["kind"]].append(row)
    return {
        kind: (each[0]["found"] if each else 0, rows_as(ScreenRow, each))
        for kind, each in rows.items()
    }


def columns(database: Database, day: date, market: str | None = None) -> dict[str, tuple[Any, ...]]:
    """All shares of a day, column by column, in the order of their tickers."""
    price, made = STOCK_PRICES.c, TECHNICAL_INDICATORS.c
    query = (
        select(
            price.ticker,
            STOCKS.c.name,
            *(price[name] for name in _TRADED),
            *(made[name] for name in INDICATORS),
        )
        .join(STOCKS, STOCKS.c.ticker == price.ticker)
        .outerjoin(TECHNICAL_INDICATORS, and_(made.date == price.date, made.ticker == price.ticker))
        .where(price.date == day)
        .order_by(price.ticker)
    )
    if market is not None:
        query = query.where(price.market == market)
    with database.read() as connection:
        found = connection.execute(query)
        names, rows = list(found.keys()), found.all()
    values = zip(*rows, strict=True) if rows else [()] * len(names)
    return dict(zip(names, values, strict=True))


def last_indicated(database: Database) -> date | None:
    """The last day that has indicators."""
    with database.read() as connection:
        return connection.execute(select(func.max(TECHNICAL_INDICATORS.c.date))).scalar()


def has_indicators(database: Database, day: date) -> bool:
    """Whether there are indicators of a day."""
    query = select(TECHNICAL_INDICATORS.c.ticker).where(TECHNICAL_INDICATORS.c.date == day)
    with database.read() as connection:
        return connection.execute(query.limit(1)).first() is not None


def _is_askable(words: str) -> bool:
    return _UNASKABLE.search(words) is None


def _of_span(
    connection: Connection, kind: type[R], table: Any, condition: Any, first: date, last: date
) -> tuple[R, ...]:
    query = select(table).where(condition, table.c.date.between(first, last)).order_by(table.c.date)
    return rows_as(kind, connection.execute(query).mappings())
