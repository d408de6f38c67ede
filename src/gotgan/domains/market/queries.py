"""Queries of shares and indices: one share, one index, the screens, a whole day.

The cursor of a screen names the screen, its day, and the figure and ticker before the next page.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from contextlib import suppress
from datetime import date, timedelta
from functools import cache
from typing import Any, Final, TypeVar

from sqlalchemy import (
    BindParameter,
    ColumnElement,
    Connection,
    RowMapping,
    Select,
    and_,
    bindparam,
    exists,
    func,
    literal,
    or_,
    select,
    union_all,
)

from gotgan.domains.market import messages
from gotgan.domains.market.keys import (
    MARKET_INDICES,
    PRICE_FACTORS,
    STOCK_PRICES,
    STOCKS,
    TECHNICAL_INDICATORS,
)
from gotgan.domains.market.models import DEFAULT_LIMIT, INDICATORS, Screen
from gotgan.domains.market.rows import (
    DailyPrice,
    FactorRow,
    IndexDay,
    IndexSheet,
    IndicatorRow,
    ScreenPage,
    ScreenRow,
    StockRow,
    TickerSheet,
    rows_as,
)
from gotgan.errors import BadCursor, NotFound
from gotgan.sql import Database

_OVERSOLD_RSI: Final = 30
_OVERBOUGHT_RSI: Final = 70
_NOW: Final = TECHNICAL_INDICATORS.alias("now")
_THEN: Final = TECHNICAL_INDICATORS.alias("then")
_RSI_SCREENS: Final[frozenset[Screen]] = frozenset({"oversold", "overbought"})
_CURSOR_PATTERN: Final = re.compile(
    r"([a-z_]+)-([0-9]{4}-[0-9]{2}-[0-9]{2})-(-?[0-9]+(?:\.[0-9]+)?(?:e-?[0-9]+)?)"
    r"-([^\0\ud800-\udfff]{1,12})"
)
"""The screen, its day, the figure and the ticker; PostgreSQL refuses texts with other letters."""
_MAX_BITS: Final = 64
"""What a number of the table has; both databases refuse larger ones."""
_YEAR: Final = timedelta(days=365)
INVALID_TEXT: Final = re.compile("[\0\ud800-\udfff]")
"""PostgreSQL refuses NUL, and both databases refuse half a surrogate pair."""
_MAX_NAMESAKES: Final = 5
_PRICE_COLUMNS: Final = (
    *("market", "open", "high", "low", "close", "change"),
    *("volume", "value", "market_cap", "shares", "is_halted"),
)
R = TypeVar("R")


def get_stock(
    database: Database, ticker: str, first: date | None, last: date | None
) -> TickerSheet:
    """A share with its prices, factors and indicators, the oldest first.

    Without a last day the range ends with its latest price, and without a first one it is a year.
    """
    query = select(STOCKS).where(STOCKS.c.ticker == ticker)
    with database.read() as connection:
        stock = None if INVALID_TEXT.search(ticker) else connection.execute(query).one_or_none()
        if stock is None:
            raise NotFound(messages.NO_SHARE(ticker=ticker))
        last = last or stock.last_seen
        first = first or last - _YEAR
        prices = _span_rows(connection, DailyPrice, STOCK_PRICES.c.ticker == ticker, first, last)
        is_of_share = PRICE_FACTORS.c.ticker == ticker
        factors = _span_rows(connection, FactorRow, is_of_share, first, date.max)
        is_of_share = TECHNICAL_INDICATORS.c.ticker == ticker
        indicators = _span_rows(connection, IndicatorRow, is_of_share, first, last)
    return TickerSheet(*(*stock, prices, factors, indicators))


def get_index(
    database: Database, code: str, first: date | None, last: date | None, today: date
) -> IndexSheet:
    """An index, the oldest value first; the range is chosen as for a share."""
    rows: tuple[IndexDay, ...] = ()
    ends = last or today
    if not INVALID_TEXT.search(code):
        is_of_index = MARKET_INDICES.c.code == code
        latest = select(func.max(MARKET_INDICES.c.date)).where(is_of_index)
        with database.read() as connection:
            ends = last or connection.execute(latest).scalar() or today
            rows = _span_rows(connection, IndexDay, is_of_index, first or ends - _YEAR, ends)
    if not rows:
        raise NotFound(messages.NO_INDEX_VALUES(code=code, first=first or ends - _YEAR, last=ends))
    return IndexSheet(code, rows[-1].name, rows)


def find_stocks(database: Database, text: str) -> tuple[StockRow, ...]:
    """Shares of exactly this ticker or name, in capitals too; each is looked up in an index."""
    if INVALID_TEXT.search(text):
        return ()
    query = (
        select(STOCKS)
        .where(or_(STOCKS.c.ticker == text.upper(), STOCKS.c.name.in_({text, text.upper()})))
        .order_by(STOCKS.c.ticker)
        .limit(_MAX_NAMESAKES)
    )
    with database.read() as connection:
        return rows_as(StockRow, connection.execute(query).mappings())


def day_columns(
    database: Database, day: date, market: str | None = None
) -> dict[str, tuple[Any, ...]]:
    """All shares of a day, column by column, in the order of their tickers."""
    price, made = STOCK_PRICES.c, TECHNICAL_INDICATORS.c
    columns = [*(price[name] for name in _PRICE_COLUMNS), *(made[name] for name in INDICATORS)]
    query = (
        select(price.ticker, STOCKS.c.name, *columns)
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


def last_indicator_day(database: Database) -> date | None:
    """The last day that has indicators."""
    with database.read() as connection:
        return connection.execute(select(func.max(TECHNICAL_INDICATORS.c.date))).scalar()


def _span_rows(
    connection: Connection, kind: type[R], condition: Any, first: date, last: date
) -> tuple[R, ...]:
    table = condition.left.table
    query = select(table).where(condition, table.c.date.between(first, last)).order_by(table.c.date)
    return rows_as(kind, connection.execute(query).mappings())


def screen(
    database: Database,
    kind: Screen,
    day: date,
    before: date,
    *,
    limit: int = DEFAULT_LIMIT,
    cursor: str | None = None,
) -> ScreenPage:
    """Shares that stand out on a day; ``before`` is the session before it."""
    asked = {"day": day, "before": before, "most": limit + 1}
    query = _screen_query(kind)
    if cursor is not None:
        query, asked = _next_screen_query(kind), asked | _parse_cursor(cursor, kind, day)
    is_calculated = select(exists().where(TECHNICAL_INDICATORS.c.date == day))
    with database.read() as connection:
        rows = rows_as(ScreenRow, connection.execute(query, asked).mappings())
        has_indicators = bool(rows) or bool(connection.execute(is_calculated).scalar())
    shown, behind = rows[:limit], None
    if rows[limit:]:
        figure = shown[-1].rsi_14 if kind in _RSI_SCREENS else shown[-1].value
        behind = f"{kind}-{shown[-1].date}-{figure!r}-{shown[-1].ticker}"
    last = None if rows else last_indicator_day(database)
    return ScreenPage(kind, day, shown, behind, has_indicators, last)


def screens_with_counts(
    database: Database, kinds: Sequence[Screen], day: date, before: date, *, limit: int
) -> dict[Screen, tuple[int, tuple[ScreenRow, ...]]]:
    """Of each screen how many shares stand out, and the first of them."""
    asked = {"day": day, "before": before, "most": limit}
    rows: dict[Screen, list[RowMapping]] = {kind: [] for kind in kinds}
    with database.read() as connection:
        for row in connection.execute(_counted_screens_query(tuple(kinds)), asked).mappings():
            rows[row["kind"]].append(row)
    return {
        kind: (each[0]["found"] if each else 0, rows_as(ScreenRow, each))
        for kind, each in rows.items()
    }


# Queries are built once, because building them takes longer than running them. Their parameters are
# "day", "before" (the session before it), "most", and on further pages "figure" and "ticker".


@cache
def _screen_query(kind: Screen) -> Select[Any]:
    """The shares of a screen, in a total order."""
    price = STOCK_PRICES
    query = (
        select(_NOW, STOCKS.c.name, STOCKS.c.market, price.c.close, price.c.change, price.c.value)
        .join(STOCKS, STOCKS.c.ticker == _NOW.c.ticker)
        .join(price, and_(price.c.ticker == _NOW.c.ticker, price.c.date == _NOW.c.date))
        .where(_NOW.c.date == bindparam("day"))
        .order_by(*_order(kind))
        .limit(bindparam("most"))
    )
    if kind == "oversold":
        return query.where(_NOW.c.rsi_14 < _OVERSOLD_RSI)
    if kind == "overbought":
        return query.where(_NOW.c.rsi_14 > _OVERBOUGHT_RSI)
    crossed_from = and_(_THEN.c.ticker == _NOW.c.ticker, _THEN.c.date == bindparam("before"))
    query = query.join(_THEN, crossed_from)
    if kind == "macd_up":
        return query.where(_NOW.c.macd_histogram > 0, _THEN.c.macd_histogram <= 0)
    return query.where(_NOW.c.macd_histogram < 0, _THEN.c.macd_histogram >= 0)


@cache
def _next_screen_query(kind: Screen) -> Select[Any]:
    """Those of them after a cursor."""
    figure = _figure(kind)
    there: BindParameter[Any] = bindparam("figure")
    is_further = figure > there if kind == "oversold" else figure < there
    is_beside = and_(figure == there, _NOW.c.ticker > bindparam("ticker"))
    return _screen_query(kind).where(or_(is_further, is_beside))


@cache
def _counted_screens_query(kinds: tuple[Screen, ...]) -> Select[Any]:
    """The first of several screens, each with its ``kind`` and how many are ``found`` in all."""
    of_kinds = [
        _screen_query(kind).add_columns(
            func.count().over().label("found"),
            func.row_number().over(order_by=_order(kind)).label("place"),
            literal(kind).label("kind"),
        )
        for kind in kinds
    ]
    found = union_all(*(select(each.subquery()) for each in of_kinds)).subquery()
    return select(found).order_by(found.c.place)


def _parse_cursor(cursor: str, kind: Screen, day: date) -> dict[str, Any]:
    """The parameters of the next page; a cursor of another screen or day is refused."""
    found, figure = _CURSOR_PATTERN.fullmatch(cursor), None
    if found is not None and found.group(1, 2) == (kind, str(day)):
        with suppress(ValueError):
            figure = float(found[3]) if kind in _RSI_SCREENS else int(found[3])
    is_too_large = isinstance(figure, int) and figure.bit_length() >= _MAX_BITS
    if found is None or repr(figure) != found[3] or is_too_large:
        raise BadCursor(messages.BAD_CURSOR())
    return {"figure": figure, "ticker": found[4]}


def _figure(kind: Screen) -> ColumnElement[Any]:
    """The first column of the order; the second is the ticker."""
    return _NOW.c.rsi_14 if kind in _RSI_SCREENS else STOCK_PRICES.c.value


def _order(kind: Screen) -> tuple[ColumnElement[Any], ...]:
    figure = _figure(kind)
    return (figure if kind == "oversold" else figure.desc()), _NOW.c.ticker
