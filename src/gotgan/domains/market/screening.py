"""Which shares stand out on a day, in an order of their own, and where a page of them begins.

A cursor says of which list it is, and behind which figure and ticker a page begins.
"""

from __future__ import annotations

import re
from datetime import date
from functools import cache
from typing import Any, Final

from sqlalchemy import (
    BindParameter,
    ColumnElement,
    Select,
    and_,
    bindparam,
    func,
    literal,
    or_,
    select,
    union_all,
)

from gotgan.domains.market.models import Screen
from gotgan.domains.market.rows import ScreenRow
from gotgan.domains.market.tables import STOCK_PRICES, STOCKS, TECHNICAL_INDICATORS
from gotgan.errors import BadCursor

__all__ = ["counted", "cursor_behind", "place_of", "screened", "screened_behind"]

_OVERSOLD: Final = 30
_OVERBOUGHT: Final = 70
_NOW: Final = TECHNICAL_INDICATORS.alias("now")
_THEN: Final = TECHNICAL_INDICATORS.alias("then")
_BY_RSI: Final[frozenset[Screen]] = frozenset({"oversold", "overbought"})
_CURSOR: Final = re.compile(
    r"([a-z_]+)-([0-9]{4}-[0-9]{2}-[0-9]{2})-(-?[0-9]+(?:\.[0-9]+)?(?:e-?[0-9]+)?)"
    r"-([^\0\ud800-\udfff]{1,12})"
)
"""The screen, its day, the figure and the ticker; PostgreSQL refuses texts with other letters."""
_BITS: Final = 64
"""What a number of the table has; both databases refuse larger ones."""


# Queries are made once, for to make them takes longer than to answer them; "day", "before" (the
# session before it) and "most" are asked of each, "figure" and "ticker" of those that go on.


@cache
def screened(kind: Screen) -> Select[Any]:
    """The shares that stand out, each at a place of its own."""
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
        return query.where(_NOW.c.rsi_14 < _OVERSOLD)
    if kind == "overbought":
        return query.where(_NOW.c.rsi_14 > _OVERBOUGHT)
    crossed_from = and_(_THEN.c.ticker == _NOW.c.ticker, _THEN.c.date == bindparam("before"))
    query = query.join(_THEN, crossed_from)
    if kind == "macd_up":
        return query.where(_NOW.c.macd_histogram > 0, _THEN.c.macd_histogram <= 0)
    return query.where(_NOW.c.macd_histogram < 0, _THEN.c.macd_histogram >= 0)


@cache
def screened_behind(kind: Screen) -> Select[Any]:
    """Those of them that come after a place."""
    figure = _figure(kind)
    there: BindParameter[Any] = bindparam("figure")
    is_further = figure > there if kind == "oversold" else figure < there
    is_beside = and_(figure == there, _NOW.c.ticker > bindparam("ticker"))
    return screened(kind).where(or_(is_further, is_beside))


@cache
def counted(kinds: tuple[Screen, ...]) -> Select[Any]:
    """The first of several screens, each with its ``kind`` and how many are ``found`` in all."""
    of_kinds = [
        screened(kind).add_columns(
            func.count().over().label("found"),
            func.row_number().over(order_by=_order(kind)).label("place"),
            literal(kind).label("kind"),
        )
        for kind in kinds
    ]
    found = union_all(*(select(each.subquery()) for each in of_kinds)).subquery()
    return select(found).order_by(found.c.place)


def cursor_behind(kind: Screen, row: ScreenRow) -> str:
    """Where the page behind a share begins."""
    figure = row.rsi_14 if kind in _BY_RSI else row.value
    return f"{kind}-{row.date}-{figure!r}-{row.ticker}"


def place_of(cursor: str, kind: Screen, day: date) -> dict[str, Any]:
    """What a query is asked to go on behind; a cursor of another screen or day is refused."""
    found = _CURSOR.fullmatch(cursor)
    if found is None or found.group(1, 2) != (kind, str(day)):
        raise _refused()
    return {"figure": _read(found[3], kind), "ticker": found[4]}


def _read(text: str, kind: Screen) -> float:
    """A figure, exactly as it is stored."""
    try:
        figure = float(text) if kind in _BY_RSI else int(text)
    except ValueError:
        raise _refused() from None
    if repr(figure) != text or (isinstance(figure, int) and figure.bit_length() >= _BITS):
        raise _refused()
    return figure


def _figure(kind: Screen) -> ColumnElement[Any]:
    """By what a screen is ordered; the ticker comes second."""
    return _NOW.c.rsi_14 if kind in _BY_RSI else STOCK_PRICES.c.value


def _order(kind: Screen) -> tuple[ColumnElement[Any], ...]:
    figure = _figure(kind)
    return (figure if kind == "oversold" else figure.desc()), _NOW.c.ticker


def _refused() -> BadCursor:
    return BadCursor("this cursor was changed, or belongs to another list; begin without one")
