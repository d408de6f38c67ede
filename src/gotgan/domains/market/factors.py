"""Corporate actions: by how much a split, a merger or an issue of shares moves all earlier prices.

The exchange says it in the same answer: the close less its change is the base that the day is
compared with, and where that is not the close before, prices have to be adjusted.
"""

from __future__ import annotations

from datetime import date
from typing import Final

from sqlalchemy import Connection, Select, and_, bindparam, delete, select

from gotgan.domains.market.models import Factor
from gotgan.domains.market.tables import PRICE_FACTORS, STOCK_PRICES
from gotgan.sql import upsert

__all__ = ["factors_between", "renew_factors"]


def _comparing() -> Select[tuple[str, int, int]]:
    now, then = STOCK_PRICES.alias("now"), STOCK_PRICES.alias("then")
    base = now.c.close - now.c.change
    return (
        select(now.c.ticker, then.c.close, base.label("base"))
        .join(then, and_(then.c.ticker == now.c.ticker, then.c.date == bindparam("earlier")))
        .where(now.c.date == bindparam("later"), base != then.c.close, base > 0, then.c.close > 0)
    )


_COMPARED: Final = _comparing()
_KNOWN: Final = select(PRICE_FACTORS.c.ticker, PRICE_FACTORS.c.factor).where(
    PRICE_FACTORS.c.date == bindparam("later")
)
"""Both are made once, for to make them takes longer than to answer them."""


def factors_between(connection: Connection, earlier: date, later: date) -> dict[str, Factor]:
    """The factors of a day, by ticker; ``earlier`` is the session before it, and must be stored."""
    found = connection.execute(_COMPARED, {"earlier": earlier, "later": later})
    return {
        row.ticker: Factor(later, row.ticker, row.base / row.close, row.close, row.base)
        for row in found
    }


def renew_factors(connection: Connection, earlier: date, later: date) -> set[str]:
    """Bring the factors of a day up to date; the tickers whose factor is another one now."""
    found = factors_between(connection, earlier, later)
    known = {row.ticker: row.factor for row in connection.execute(_KNOWN, {"later": later})}
    changed = {ticker for ticker, each in found.items() if known.get(ticker) != each.factor}
    gone = known.keys() - found.keys()
    table = PRICE_FACTORS
    if gone:
        connection.execute(delete(table).where(table.c.date == later, table.c.ticker.in_(gone)))
    upsert(connection, table, [_row(found[ticker]) for ticker in sorted(changed)])
    return changed | gone


def _row(factor: Factor) -> dict[str, object]:
    return {
        "date": factor.day,
        "ticker": factor.ticker,
        "factor": factor.factor,
        "previous_close": factor.previous_close,
        "base": factor.base,
    }
