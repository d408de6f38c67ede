"""Whether a side of a day is there: stored as it was fetched, and as much as a day should have."""

from __future__ import annotations

from bisect import bisect, insort
from collections import Counter, defaultdict
from collections.abc import Mapping, Sequence
from datetime import date, timedelta
from typing import Any, Final

from sqlalchemy import Connection, and_, exists, func, select

from gotgan.domains.market import logs
from gotgan.domains.market.models import INDICES, Fetch, Wanted
from gotgan.domains.market.tables import COLLECTION_LOG, MARKET_INDICES, STOCK_PRICES
from gotgan.errors import VerifyFailed

__all__ = [
    "LEAST_SHARE",
    "NEAR",
    "count_on",
    "counts_on",
    "expect_whole",
    "index_counts",
    "verify",
    "whole_days",
]

LEAST_SHARE: Final = 0.98
"""Of the shares of a session nearby; fewer are half a market, and no day."""
NEAR: Final = timedelta(days=21)
"""Ten sessions at least, with the longest holidays among them; what is farther has other shares."""


def expect_whole(connection: Connection, fetch: Fetch, wanted: Wanted) -> None:
    """Raise VerifyFailed where an answer is too little for a day; asked before it is stored too."""
    if fetch.side == "indices":
        _expect_indices(fetch, wanted["indices"])
        return
    counts = Counter(price.market for price in fetch.prices)
    for market in wanted["prices"]:
        _expect_market(connection, fetch.day, market, counts[market])


def verify(connection: Connection, fetch: Fetch, wanted: Wanted) -> int:
    """Read back what was stored; how many rows it is, where it is what was fetched."""
    expect_whole(connection, fetch, wanted)
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


def whole_days(
    connection: Connection, days: Sequence[date], markets: Sequence[str]
) -> dict[date, int]:
    """Which of some days are whole beside sessions that were verified, with their share counts.

    Each may prove the next one, later or earlier. Without a verified session nearby there is
    nothing to tell half a market from a whole one.
    """
    if not days:
        return {}
    first, last = min(days) - NEAR, max(days) + NEAR
    counts = _counts_by_market(connection, first, last)
    known = logs.of_span(connection, first, last)
    verified = {day for day, log in known.items() if log.prices.status == "success"}
    beside = {each: [day for day in sorted(verified) if counts[each][day]] for each in markets}
    for day in (*reversed(days), *days):
        if day in verified or day not in known:
            continue
        if all(_is_whole(counts[each], beside[each], day) for each in markets):
            verified.add(day)
            for each in markets:
                insort(beside[each], day)
    return {day: sum(each[day] for each in counts.values()) for day in days if day in verified}


def _is_whole(counts: Mapping[date, int], verified: Sequence[date], day: date) -> bool:
    """Whether a market has as many shares on a day as on the nearest verified ones around it."""
    place = bisect(verified, day)
    near = [each for each in verified[max(place - 1, 0) : place + 1] if abs(each - day) <= NEAR]
    least = max((counts[each] * LEAST_SHARE for each in near), default=None)
    return least is not None and 0 < counts[day] >= least


def _counts_by_market(connection: Connection, first: date, last: date) -> dict[str, Counter[date]]:
    day, market = STOCK_PRICES.c.date, STOCK_PRICES.c.market
    query = select(market, day, func.count()).where(day.between(first, last))
    counts = defaultdict[str, Counter[date]](Counter)
    for name, when, count in connection.execute(query.group_by(day, market)):
        counts[name][when] = count
    return counts


def _expect_market(connection: Connection, day: date, market: str, count: int) -> None:
    if count == 0:
        raise VerifyFailed(f"there is no price of {market} for {day}; it is asked for again")
    for beside in _sessions_beside(connection, day, market):
        usual = count_on(connection, beside, market)
        if count < usual * LEAST_SHARE:
            raise VerifyFailed(
                f"{market} has {count:,} prices on {day} where {beside} has {usual:,}; "
                f"less than {LEAST_SHARE:.0%} is no whole day, so it is asked for again"
            )


def _expect_indices(fetch: Fetch, names: Sequence[str]) -> None:
    given = {each.code for each in fetch.indices}
    missing = [name for name in names if INDICES[name] not in given]
    if missing:
        raise VerifyFailed(
            f"the index of {' and '.join(missing)} is missing for {fetch.day}; "
            "it is asked for again"
        )


def _sessions_beside(connection: Connection, day: date, market: str) -> list[date]:
    """The nearest sessions before and after a day whose prices were verified, if they are near.

    Days that were imported in part say nothing about how many shares there are.
    """
    log = COLLECTION_LOG.c
    has_market = exists().where(STOCK_PRICES.c.date == log.date, STOCK_PRICES.c.market == market)
    verified = and_(log.price_status == "success", has_market)
    before = select(func.max(log.date)).where(verified, log.date >= day - NEAR, log.date < day)
    after = select(func.min(log.date)).where(verified, log.date > day, log.date <= day + NEAR)
    found = (connection.execute(query).scalar() for query in (before, after))
    return [each for each in found if each is not None]


def counts_on(connection: Connection, days: Sequence[date]) -> dict[date, int]:
    """How many shares are stored on each of some days."""
    day = STOCK_PRICES.c.date
    query = select(day, func.count()).where(day.in_(days)).group_by(day).order_by(day)
    return {row[0]: row[1] for row in connection.execute(query)}


def index_counts(
    connection: Connection, days: Sequence[date], names: Sequence[str]
) -> dict[date, int]:
    """How many of some indices, by their names, are stored on each of some days."""
    table = MARKET_INDICES.c
    query = select(table.date, func.count()).where(table.date.in_(days))
    query = query.where(table.code.in_([INDICES[name] for name in names])).group_by(table.date)
    return {row[0]: row[1] for row in connection.execute(query)}


def count_on(connection: Connection, day: date, market: str | None = None) -> int:
    """How many shares of a market, or of all, are stored on a day."""
    table = STOCK_PRICES.c
    query = select(func.count()).where(table.date == day)
    if market is not None:
        query = query.where(table.market == market)
    return connection.execute(query).scalar_one()


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
