"""Queries of quotes: the last value of each index and share, recent closes, and what moved most."""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Sequence
from dataclasses import fields
from datetime import date, timedelta
from decimal import Decimal
from functools import cache
from typing import Any, Final

from sqlalchemy import (
    ColumnElement,
    Connection,
    Select,
    and_,
    bindparam,
    func,
    literal,
    or_,
    select,
    true,
    union_all,
)

from gotgan.domains.market.keys import MARKET_INDICES, PRICE_FACTORS, STOCK_PRICES, STOCKS
from gotgan.domains.market.models import DEFAULT_LIMIT, ShareSort
from gotgan.domains.market.queries import INVALID_TEXT
from gotgan.domains.market.rows import (
    Breadth,
    IndexDay,
    IndexQuote,
    Mover,
    Movers,
    SharePage,
    StockQuote,
    rows_as,
)
from gotgan.sql import Database

SESSIONS: Final = 30
"""How many closes a quote has at most."""
_SPAN: Final = timedelta(days=60)
"""It has more sessions than that, whatever holidays there are."""
_WEEK: Final = timedelta(days=7)
_ESCAPE: Final = "/"


def last_price_day(database: Database) -> date | None:
    """The last day that has prices."""
    with database.read() as connection:
        return connection.execute(select(func.max(STOCK_PRICES.c.date))).scalar()


# Indices


def read_indices(database: Database) -> tuple[IndexQuote, ...]:
    """The last value of each index that has one in the last two months that any has."""
    with database.read() as connection:
        last = connection.execute(select(func.max(MARKET_INDICES.c.date))).scalar()
        if last is None:
            return ()
        found = connection.execute(_recent_indices_query(), {"first": last - _SPAN})
        rows = rows_as(IndexDay, found.mappings())
    by_code: defaultdict[str, list[IndexDay]] = defaultdict(list)
    for row in rows:
        by_code[row.code].append(row)
    return tuple(map(_index_quote, by_code.values()))


@cache
def _recent_indices_query() -> Select[Any]:
    date = MARKET_INDICES.c.date
    query = select(MARKET_INDICES).where(date >= bindparam("first"))
    return query.order_by(MARKET_INDICES.c.code, date)


def _index_quote(days: Sequence[IndexDay]) -> IndexQuote:
    """The last of an index's days beside the earlier ones."""
    last = days[-1]
    before = days[-2].close if days[1:] else None
    week_ago = next((day.close for day in days[::-1] if day.date <= last.date - _WEEK), None)
    (change, percent), (week_change, week_percent) = (
        _moved(last.close, base) for base in (before, week_ago)
    )
    return IndexQuote(
        code=last.code,
        name=last.name,
        date=last.date,
        close=last.close,
        change=change,
        percent=percent,
        week_change=week_change,
        week_percent=week_percent,
        closes=tuple(day.close for day in days[-SESSIONS:]),
    )


def _moved(close: Decimal, base: Decimal | None) -> tuple[Decimal | None, float | None]:
    """A change, as it is and in percent."""
    if base is None:
        return None, None
    return close - base, float((close / base - 1) * 100) if base else None


# Movers


def last_movers(database: Database, day: date | None, today: date, limit: int) -> Movers:
    """The movers of a day, by default of the last one with prices."""
    wanted = day or last_price_day(database) or today
    with database.read() as connection:
        return read_movers(connection, wanted, limit)


def read_movers(connection: Connection, day: date, limit: int) -> Movers:
    """The shares that moved most on a day, those most traded, and the breadth."""
    asked = {"day": day, "most": limit}
    rows = connection.execute(_movers_query(), asked).mappings().all()
    moved = {kind: rows_as(Mover, (row for row in rows if row["kind"] == kind)) for kind in _MOVED}
    return Movers(
        day=day,
        breadth=Breadth(**{each.name: rows[0][each.name] for each in fields(Breadth)}),
        **moved,
    )


@cache
def _movers_query() -> Select[Any]:
    """The breadth, beside each of the shares that moved most, or alone where there is none."""
    price = STOCK_PRICES.c
    is_of_day, is_traded = price.date == bindparam("day"), price.is_halted.is_(False)
    kinds = {
        "rising": and_(is_traded, price.change > 0),
        "falling": and_(is_traded, price.change < 0),
        "unchanged": and_(is_traded, price.change == 0),
        "halted": price.is_halted.is_(True),
    }
    counts: list[Any] = [func.count().filter(each).label(name) for name, each in kinds.items()]
    breadth = select(*counts).where(is_of_day).subquery()
    parts = [
        _ranked(kind, *condition).where(is_of_day, is_traded).limit(bindparam("most")).subquery()
        for kind, condition in _MOVED.items()
    ]
    moved = union_all(*map(select, parts)).subquery()
    together = select(breadth, moved).select_from(breadth.outerjoin(moved, true()))
    return together.order_by(moved.c.kind, moved.c.place)


def _percent() -> ColumnElement[Any]:
    """The change against the base of the day."""
    price = STOCK_PRICES.c
    return price.change * 100.0 / func.nullif(price.close - price.change, 0)


_MOVED: Final = {
    "gainers": (_percent() > 0, _percent().desc()),
    "losers": (_percent() < 0, _percent()),
    "most_traded": (STOCK_PRICES.c.value > 0, STOCK_PRICES.c.value.desc()),
}
"""Which shares are meant by each word, and their order."""


def _ranked(kind: str, condition: ColumnElement[bool], order: ColumnElement[Any]) -> Select[Any]:
    price = STOCK_PRICES.c
    columns = price.ticker, price.market, price.close, price.change, price.volume, price.value
    place = func.row_number().over(order_by=(order, price.ticker)).label("place")
    return (
        select(
            *columns, STOCKS.c.name, _percent().label("percent"), place, literal(kind).label("kind")
        )
        .join(STOCKS, STOCKS.c.ticker == price.ticker)
        .where(condition)
        .order_by(order, price.ticker)
    )


# Shares


def list_shares(
    database: Database,
    text: str,
    *,
    sort: ShareSort = "ticker",
    market: str | None = None,
    limit: int = DEFAULT_LIMIT,
    cursor: str | None = None,
) -> SharePage:
    """Shares whose ticker begins with a text, or whose name has it, with their last quotes.

    Shares without a figure to sort by come last. A cursor is a ticker.
    """
    if INVALID_TEXT.search(text + (cursor or "")):
        return SharePage((), None)
    asked = {
        "start": f"{_escaped(text.upper())}%",
        "part": f"%{_escaped(text.lower())}%",
        "market": market,
        "after": cursor,
        "most": limit + 1,
    }
    query = _shares_query(sort, in_market=market is not None, is_next=cursor is not None)
    with database.read() as connection:
        rows = rows_as(StockQuote, connection.execute(query, asked).mappings())
    shown = rows[:limit]
    return SharePage(shown, shown[-1].ticker if rows[limit:] else None)


def _escaped(text: str) -> str:
    """A text that a pattern takes as it is."""
    return re.sub(f"[%_{_ESCAPE}]", rf"{_ESCAPE}\g<0>", text)


@cache
def _shares_query(sort: ShareSort, *, in_market: bool, is_next: bool) -> Select[Any]:
    """A page of shares; the place of each in the whole list is where the next page begins."""
    price, is_descending = STOCK_PRICES.c, sort.startswith("-")
    figures: dict[str, ColumnElement[Any]] = {
        "ticker": STOCKS.c.ticker,
        "name": STOCKS.c.name,
        "price": price.close,
        "change": _percent(),
        "volume": price.volume,
        "value": price.value,
    }
    figure = figures[sort.removeprefix("-")]
    order = (figure.is_(None), figure.desc() if is_descending else figure, STOCKS.c.ticker)
    last_day = select(func.max(price.date)).scalar_subquery()
    quoted = and_(price.date == last_day, price.ticker == STOCKS.c.ticker)
    has_text = or_(
        STOCKS.c.ticker.like(bindparam("start"), escape=_ESCAPE),
        func.lower(STOCKS.c.name).like(bindparam("part"), escape=_ESCAPE),
    )
    columns = price.date, price.close, price.change, price.volume, price.value, price.is_halted
    found = (
        select(
            STOCKS,
            *columns,
            _percent().label("percent"),
            func.row_number().over(order_by=order).label("place"),
        )
        .outerjoin(STOCK_PRICES, quoted)
        .where(has_text, *([STOCKS.c.market == bindparam("market")] if in_market else []))
    )
    listed = found.cte("listed")
    query = select(listed).order_by(listed.c.place).limit(bindparam("most"))
    if is_next:
        shown = select(listed.c.place).where(listed.c.ticker == bindparam("after"))
        query = query.where(listed.c.place > shown.scalar_subquery())
    return query


def recent_closes(
    database: Database, tickers: Sequence[str]
) -> dict[str, tuple[float | None, ...]]:
    """The last closes of some shares, split-adjusted; null where a share was halted."""
    price, factor = STOCK_PRICES.c, PRICE_FACTORS.c
    first = (last_price_day(database) or date.min + _SPAN) - _SPAN
    prices = (
        select(price.ticker, price.date, price.close, price.is_halted)
        .where(price.ticker.in_(tickers), price.date > first)
        .order_by(price.ticker, price.date)
    )
    factors = select(factor.ticker, factor.date, factor.factor).where(
        factor.ticker.in_(tickers), factor.date > first
    )
    by_ticker: defaultdict[str, list[tuple[date, float]]] = defaultdict(list)
    closes: defaultdict[str, list[float | None]] = defaultdict(list)
    with database.read() as connection:
        for ticker, day, value in connection.execute(factors):
            by_ticker[ticker].append((day, value))
        for ticker, day, close, is_halted in connection.execute(prices):
            made = float(close)
            for changed, value in by_ticker.get(ticker, ()):
                made *= value if day < changed else 1.0
            closes[ticker].append(None if is_halted else made)
    return {ticker: tuple(values[-SESSIONS:]) for ticker, values in closes.items()}
