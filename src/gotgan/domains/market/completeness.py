"""Completeness of days: the verification of one that was collected, and the gaps of a span."""

from __future__ import annotations

from bisect import bisect, insort
from collections import Counter, defaultdict
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from datetime import date, timedelta
from itertools import pairwise
from typing import Any, Final

from sqlalchemy import ColumnElement, Connection, Table, and_, exists, func, select

from gotgan.domains.market import logs, messages
from gotgan.domains.market.calendar import Calendar
from gotgan.domains.market.days import DaySpan
from gotgan.domains.market.keys import COLLECTION_LOG, MARKET_INDICES, STOCK_PRICES
from gotgan.domains.market.models import INDICES, SIDES, CollectionLog, Fetch, Targets
from gotgan.domains.market.reports import Gaps, Hole, MissingDay, ThinDay
from gotgan.domains.market.writer import INDEX_COLUMNS, PRICE_COLUMNS, column_values
from gotgan.errors import VerifyFailed
from gotgan.messages import text
from gotgan.sql import Database

MIN_COMPLETENESS: Final = 0.98
"""Of the shares of a session nearby; fewer are half a market."""
NEARBY: Final = timedelta(days=21)
"""At least ten sessions, even over the longest holidays; farther away there are other shares."""
_YEAR: Final = timedelta(days=365)
_MAX_DISTANCE: Final = timedelta(days=366)
"""A session that is farther away has too different a number of shares to compare with."""


def expect_complete(connection: Connection, fetch: Fetch, wanted: Targets) -> None:
    """Raise VerifyFailed where an answer is too little for a day; also before it is stored."""
    if fetch.side == "prices":
        counts = Counter(price.market for price in fetch.prices)
        for market in wanted["prices"]:
            _expect_market(connection, fetch.day, market, counts[market])
        return
    given = {each.code for each in fetch.indices}
    missing = [name for name in wanted["indices"] if INDICES[name] not in given]
    if missing:
        raise VerifyFailed(messages.NO_INDEX(names=missing, day=fetch.day))


def verify(connection: Connection, fetch: Fetch, wanted: Targets) -> int:
    """Read back what was stored, and count it; VerifyFailed where it is not what was fetched."""
    expect_complete(connection, fetch, wanted)
    found = _stored_values(connection, fetch)
    fetched = {each.ticker: column_values(each, PRICE_COLUMNS) for each in fetch.prices}
    fetched |= {each.code: column_values(each, INDEX_COLUMNS) for each in fetch.indices}
    if found != fetched:
        wrong = sorted(
            code for code in found.keys() | fetched.keys() if found.get(code) != fetched.get(code)
        )
        raise VerifyFailed(
            messages.STORED_WRONG(
                count=len(wrong),
                total=len(fetched),
                what=messages.words([fetch.side]),
                day=fetch.day,
                some=wrong[:3],
            )
        )
    return len(found)


def complete_days(
    connection: Connection, days: Sequence[date], markets: Sequence[str]
) -> dict[date, int]:
    """Which of some days are complete beside verified sessions, with their share counts.

    Each complete day verifies its neighbours in turn. Without a verified session nearby, half a
    market cannot be distinguished from a whole one.
    """
    if not days:
        return {}
    first, last = min(days) - NEARBY, max(days) + NEARBY
    day, market = STOCK_PRICES.c.date, STOCK_PRICES.c.market
    query = select(market, day, func.count()).where(day.between(first, last))
    counts = defaultdict[str, Counter[date]](Counter)
    for name, when, count in connection.execute(query.group_by(day, market)):
        counts[name][when] = count
    known = logs.get_logs(connection, first, last)
    verified = {day for day, log in known.items() if log.prices.status == "success"}
    beside = {each: [day for day in sorted(verified) if counts[each][day]] for each in markets}
    for each_day in (*reversed(days), *days):
        if each_day in verified or each_day not in known:
            continue
        if all(_is_complete(counts[each], beside[each], each_day) for each in markets):
            verified.add(each_day)
            for each in markets:
                insort(beside[each], each_day)
    return {
        each: sum(count[each] for count in counts.values()) for each in days if each in verified
    }


def _is_complete(counts: Mapping[date, int], verified: Sequence[date], day: date) -> bool:
    """Whether a market has as many shares on a day as on the nearest verified ones around it."""
    place = bisect(verified, day)
    near = [each for each in verified[max(place - 1, 0) : place + 1] if abs(each - day) <= NEARBY]
    least = max((counts[each] * MIN_COMPLETENESS for each in near), default=None)
    return least is not None and 0 < counts[day] >= least


def _expect_market(connection: Connection, day: date, market: str, count: int) -> None:
    if count == 0:
        raise VerifyFailed(messages.NO_PRICE(market=market, day=day))
    table = STOCK_PRICES.c
    for beside in _verified_neighbours(connection, day, market):
        query = select(func.count()).where(table.date == beside, table.market == market)
        usual = connection.execute(query).scalar_one()
        if count < usual * MIN_COMPLETENESS:
            raise VerifyFailed(
                messages.TOO_FEW_PRICES(
                    market=market,
                    count=count,
                    day=day,
                    other=beside,
                    usual=usual,
                    share=f"{MIN_COMPLETENESS:.0%}",
                )
            )


def _verified_neighbours(connection: Connection, day: date, market: str) -> list[date]:
    """The nearest sessions before and after a day whose prices were verified, if they are near.

    Days that were imported in part say nothing about how many shares there are.
    """
    log = COLLECTION_LOG.c
    has_market = exists().where(STOCK_PRICES.c.date == log.date, STOCK_PRICES.c.market == market)
    verified = and_(log.price_status == "success", has_market)
    before = select(func.max(log.date)).where(verified, log.date >= day - NEARBY, log.date < day)
    after = select(func.min(log.date)).where(verified, log.date > day, log.date <= day + NEARBY)
    found = (connection.execute(query).scalar() for query in (before, after))
    return [each for each in found if each is not None]


def row_counts(connection: Connection, table: Table, *conditions: Any) -> dict[date, int]:
    """How many rows are stored on each day, in order."""
    day = table.c.date
    query = select(day, func.count()).where(*conditions).group_by(day).order_by(day)
    return {row[0]: row[1] for row in connection.execute(query)}


def _stored_values(connection: Connection, fetch: Fetch) -> dict[str, tuple[Any, ...]]:
    names: tuple[str, ...]
    if fetch.side == "indices":
        table, key, names = MARKET_INDICES, MARKET_INDICES.c.code, INDEX_COLUMNS
        among = key.in_([each.code for each in fetch.indices])
    else:
        table, key, names = STOCK_PRICES, STOCK_PRICES.c.ticker, PRICE_COLUMNS
        among = table.c.market.in_({price.market for price in fetch.prices})
    query = select(key, *(table.c[name] for name in names)).where(table.c.date == fetch.day, among)
    return {row[0]: tuple(row[1:]) for row in connection.execute(query)}


def last_year(
    database: Database, calendar: Calendar, today: date, first: date | None, last: date | None
) -> DaySpan:
    """A span of which an end is given, or none: the year up to the last session, where logged."""
    ends = min(last or calendar.previous_session(today), today)
    with database.read() as connection:
        logged, _ = logs.first_and_last_day(connection)
    return DaySpan(first or min(max(logged or ends, ends - _YEAR), ends), ends)


def find_gaps(database: Database, calendar: Calendar, first: date, last: date) -> Gaps:
    """What is missing of a span, both ends included."""
    sessions = list(calendar.sessions(first, last))
    with database.read() as connection:
        known = logs.get_logs(connection, first, last)
        counts = row_counts(connection, STOCK_PRICES, _is_near(first, last))
        holes = list(_find_holes(connection, [day for day in counts if first <= day <= last]))
        verified = logs.price_counts(connection, first - _MAX_DISTANCE, last + _MAX_DISTANCE)
    missing = [
        _with_counts(_missing_day(day, known.get(day)), counts.get(day, 0), verified)
        for day in sessions
        if not _is_stored(known.get(day))
    ]
    thin = _find_thin_days(counts, first, last)
    return Gaps(first, last, len(sessions), tuple(missing), tuple(thin), tuple(holes))


def thin_days(connection: Connection, first: date, last: date) -> list[ThinDay]:
    """The days of a span that have too few shares, beside those before and after the span too."""
    counts = row_counts(connection, STOCK_PRICES, _is_near(first, last))
    return _find_thin_days(counts, first, last)


def _is_near(first: date, last: date) -> ColumnElement[bool]:
    return STOCK_PRICES.c.date.between(first - NEARBY, last + NEARBY)


def _is_stored(log: CollectionLog | None) -> bool:
    return log is not None and log.overall_status == "success" and not log.is_elsewhere


def _missing_day(day: date, log: CollectionLog | None) -> MissingDay:
    if log is None:
        return MissingDay(day, messages.GAP_NEVER())
    if log.overall_status == "success":
        lacking = tuple(side for side in SIDES if log.side(side).is_elsewhere)
        return MissingDay(day, messages.GAP_ELSEWHERE(), lacking)
    lacking = tuple(side for side in SIDES if log.side(side).status != "success")
    status = messages.words([log.overall_status])
    words = messages.GAP_SIDES(status=status, what=messages.words(lacking))
    return MissingDay(day, words, lacking)


def _with_counts(gap: MissingDay, count: int, verified: Sequence[tuple[date, int]]) -> MissingDay:
    """How many shares a day has, in words too where it has some and not all."""
    beside = _nearest_count(verified, gap.day)
    if count == 0 or "prices" not in gap.sides:
        return replace(gap, count=count, beside=beside)
    words = (
        messages.GAP_STORED(gap=text(gap.words), count=count)
        if beside is None
        else messages.GAP_STORED_OF(gap=text(gap.words), count=count, total=beside)
    )
    return replace(gap, words=words, count=count, beside=beside)


def _nearest_count(verified: Sequence[tuple[date, int]], day: date) -> int | None:
    """How many shares the nearest verified session has."""
    place = bisect(verified, (day, 0))
    near = [(abs(each - day), count) for each, count in verified[max(place - 1, 0) : place + 1]]
    distance, count = min(near, default=(_MAX_DISTANCE, 0))
    return count if count and distance <= _MAX_DISTANCE else None


def _find_thin_days(counts: Mapping[date, int], first: date, last: date) -> list[ThinDay]:
    """Days of a span with far fewer shares than a neighbour, where that is near enough."""
    usual = defaultdict[date, int](int)
    for earlier, later in pairwise(counts):
        if later - earlier <= NEARBY:
            usual[earlier] = max(usual[earlier], counts[later])
            usual[later] = max(usual[later], counts[earlier])
    return [
        ThinDay(day, count, usual[day])
        for day, count in counts.items()
        if first <= day <= last and count < usual[day] * MIN_COMPLETENESS
    ]


def _find_holes(connection: Connection, stored: Sequence[date]) -> Iterator[Hole]:
    """Shares without a price on a day between their first and their last."""
    if not stored:
        return
    places = {day: number for number, day in enumerate(stored)}
    day, ticker = STOCK_PRICES.c.date, STOCK_PRICES.c.ticker
    spans = (
        select(ticker, func.min(day), func.max(day), func.count())
        .where(day.between(stored[0], stored[-1]))
        .group_by(ticker)
        .order_by(ticker)
    )
    rows = connection.execute(spans).all()
    torn = {
        name: stored[places[begins] : places[ends]]
        for name, begins, ends, count in rows
        if places[ends] - places[begins] + 1 > count
    }
    own = select(ticker, day).where(ticker.in_(torn), day.between(stored[0], stored[-1]))
    has = {tuple(row) for row in connection.execute(own)}
    for name, between in torn.items():
        yield Hole(name, tuple(each for each in between if (name, each) not in has))
