"""What was traded on one day: indices, the shares that moved most, how many rose or fell."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import fields
from datetime import date
from functools import cache
from typing import Any, Final, TypeVar

from sqlalchemy import Connection, Select, and_, bindparam, func, select, true, union_all

from gotgan.domains.market.rows import (
    Breadth,
    DaySheet,
    IndexMove,
    Mover,
    NamedFactor,
    rows_as,
)
from gotgan.domains.market.tables import MARKET_INDICES, PRICE_FACTORS, STOCK_PRICES, STOCKS
from gotgan.sql import Database

__all__ = ["read_day_sheet"]

_MOST: Final = 10
R = TypeVar("R")


def read_day_sheet(database: Database, day: date, before: date) -> DaySheet:
    """What was traded on a day; ``before`` is the session before it."""
    asked = {"day": day, "before": before}
    with database.read() as connection:
        traded = connection.execute(_traded(), asked).mappings().all()
        moved = rows_as(Mover, (row for row in traded if row["ticker"] is not None))
        risers = [mover for mover in moved if mover.percent > 0]
        fallers = [mover for mover in moved if mover.percent < 0]
        return DaySheet(
            day=day,
            indices=_rows(connection, IndexMove, _indices(), asked),
            breadth=Breadth(**{each.name: traded[0][each.name] for each in fields(Breadth)}),
            risers=tuple(sorted(risers, key=lambda mover: -mover.percent)),
            fallers=tuple(sorted(fallers, key=lambda mover: mover.percent)),
            factors=_rows(connection, NamedFactor, _factors(), asked),
        )


# Queries are made once, for to make them takes longer than to answer them; "day" and "before" are
# what is asked of them.


@cache
def _indices() -> Select[Any]:
    then = MARKET_INDICES.alias("then")
    same = and_(then.c.code == MARKET_INDICES.c.code, then.c.date == bindparam("before"))
    return (
        select(MARKET_INDICES, then.c.close.label("before"))
        .outerjoin(then, same)
        .where(MARKET_INDICES.c.date == bindparam("day"))
        .order_by(MARKET_INDICES.c.code)
    )


def _breadth() -> Select[Any]:
    change, is_halted = STOCK_PRICES.c.change, STOCK_PRICES.c.is_halted
    traded = is_halted.is_(False)
    kinds = {
        "rising": and_(traded, change > 0),
        "falling": and_(traded, change < 0),
        "unchanged": and_(traded, change == 0),
        "halted": is_halted.is_(True),
    }
    counts: list[Any] = [func.count().filter(each).label(name) for name, each in kinds.items()]
    return select(*counts).where(STOCK_PRICES.c.date == bindparam("day"))


@cache
def _traded() -> Select[Any]:
    """The breadth, beside each of the shares that moved most; without one it stands alone."""
    percent = _percent()
    risers = _moved().where(percent > 0).order_by(percent.desc()).subquery()
    fallers = _moved().where(percent < 0).order_by(percent).subquery()
    moved, breadth = union_all(select(risers), select(fallers)).subquery(), _breadth().subquery()
    return select(breadth, moved).select_from(breadth.outerjoin(moved, true()))


def _percent() -> Any:
    base = STOCK_PRICES.c.close - STOCK_PRICES.c.change
    return STOCK_PRICES.c.change * 100.0 / func.nullif(base, 0)


def _moved() -> Select[Any]:
    price = STOCK_PRICES
    return (
        select(
            price.c.ticker,
            STOCKS.c.name,
            price.c.market,
            price.c.close,
            price.c.change,
            _percent().label("percent"),
            price.c.volume,
        )
        .join(STOCKS, STOCKS.c.ticker == price.c.ticker)
        .where(price.c.date == bindparam("day"), price.c.is_halted.is_(False))
        .limit(_MOST)
    )


@cache
def _factors() -> Select[Any]:
    return (
        select(PRICE_FACTORS, STOCKS.c.name)
        .join(STOCKS, STOCKS.c.ticker == PRICE_FACTORS.c.ticker)
        .where(PRICE_FACTORS.c.date == bindparam("day"))
        .order_by(PRICE_FACTORS.c.ticker)
    )


def _rows(
    connection: Connection, kind: type[R], query: Select[Any], asked: Mapping[str, date]
) -> tuple[R, ...]:
    return rows_as(kind, connection.execute(query, asked).mappings())
