"""Whether a side of a day is there: stored as it was fetched, and as much as a day should have."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from datetime import date
from typing import Any, Final

from sqlalchemy import Connection, func, select

from gotgan.domains.market.models import INDICES, Fetch
from gotgan.domains.market.tables import MARKET_INDICES, STOCK_PRICES
from gotgan.errors import VerifyFailed

__all__ = ["LEAST_SHARE", "expect_whole", "verify"]

LEAST_SHARE: Final = 0.98
"""Of the shares of the last session; fewer are half a market, and no day."""


def expect_whole(connection: Connection, fetch: Fetch, markets: Sequence[str]) -> None:
    """Raise VerifyFailed where an answer is too little for a day; asked before it is stored too."""
    if fetch.side == "indices":
        _expect_indices(fetch, markets)
        return
    counts = Counter(price.market for price in fetch.prices)
    before = _last_counts(connection, fetch.day)
    for market in markets:
        _expect_market(fetch.day, market, counts[market], before.get(market, 0))


def verify(connection: Connection, fetch: Fetch, markets: Sequence[str]) -> int:
    """Read back what was stored; how many rows it is, where it is what was fetched."""
    expect_whole(connection, fetch, markets)
    found, fetched = _stored(connection, fetch), _fetched(fetch)
    if found != fetched:
        wrong = sorted(
            code for code in found.keys() | fetched.keys() if found.get(code) != fetched.get(code)
        )
        raise VerifyFailed(
            f"{len(wrong):,} of {len(fetched):,} {fetch.side} of {fetch.day} are not stored as "
            f"they were fetched, {', '.join(wrong[:3])} among them; they are fetched anew"
        )
    return len(found)


def _expect_market(day: date, market: str, count: int, before: int) -> None:
    if count == 0:
        raise VerifyFailed(f"there is no price of {market} for {day}; it is asked for again")
    if count < before * LEAST_SHARE:
        raise VerifyFailed(
            f"{market} has {count:,} prices on {day} and had {before:,} on the session before; "
            f"less than {LEAST_SHARE:.0%} is no whole day, so it is asked for again"
        )


def _expect_indices(fetch: Fetch, markets: Sequence[str]) -> None:
    given = {each.code for each in fetch.indices}
    missing = [market for market in markets if market in INDICES and INDICES[market] not in given]
    if missing:
        raise VerifyFailed(
            f"the index of {' and '.join(missing)} is missing for {fetch.day}; "
            "it is asked for again"
        )


def _last_counts(connection: Connection, day: date) -> Mapping[str, int]:
    """How many shares each market had on the last day before that is stored."""
    table = STOCK_PRICES
    last = select(func.max(table.c.date)).where(table.c.date < day).scalar_subquery()
    query = (
        select(table.c.market, func.count()).where(table.c.date == last).group_by(table.c.market)
    )
    return {row[0]: row[1] for row in connection.execute(query)}


_PRICE = ("market", "open", "high", "low", "close", "change", "volume", "value", "market_cap")
_INDEX = ("open", "high", "low", "close", "volume", "value")


def _fetched(fetch: Fetch) -> dict[str, tuple[Any, ...]]:
    if fetch.side == "indices":
        return {each.code: _values(each, _INDEX) for each in fetch.indices}
    return {each.ticker: _values(each, _PRICE) for each in fetch.prices}


def _values(row: Any, names: Sequence[str]) -> tuple[Any, ...]:
    return tuple(getattr(row, name) for name in names)


def _stored(connection: Connection, fetch: Fetch) -> dict[str, tuple[Any, ...]]:
    names: tuple[str, ...]
    if fetch.side == "indices":
        table, key, names = MARKET_INDICES, MARKET_INDICES.c.code, _INDEX
        among = key.in_([each.code for each in fetch.indices])
    else:
        table, key, names = STOCK_PRICES, STOCK_PRICES.c.ticker, _PRICE
        among = table.c.market.in_({price.market for price in fetch.prices})
    query = select(key, *(table.c[name] for name in names)).where(table.c.date == fetch.day, among)
    return {row[0]: tuple(row[1:]) for row in connection.execute(query)}
