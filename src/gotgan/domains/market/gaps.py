"""What is missing: whole days, days with too few shares, and holes of single shares."""

from __future__ import annotations

from bisect import bisect
from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from datetime import date, timedelta
from itertools import pairwise
from typing import Final

from sqlalchemy import Connection, func, select

from gotgan.domains.market import logs
from gotgan.domains.market.calendar import Calendar
from gotgan.domains.market.models import SIDES, CollectionLog
from gotgan.domains.market.reports import Gaps, Hole, MissingDay, ThinDay
from gotgan.domains.market.tables import STOCK_PRICES
from gotgan.domains.market.verifying import LEAST_SHARE, NEAR
from gotgan.sql import Database

__all__ = ["find_gaps", "thin_days"]


_YEAR: Final = timedelta(days=366)
"""A session that is farther away has too different a number of shares to compare with."""


def find_gaps(database: Database, calendar: Calendar, first: date, last: date) -> Gaps:
    """What is missing of a span, both ends included."""
    sessions = list(calendar.sessions(first, last))
    with database.read() as connection:
        known = logs.of_span(connection, first, last)
        counts = _counts(connection, first - NEAR, last + NEAR)
        holes = list(_holes(connection, [day for day in counts if first <= day <= last]))
        verified = logs.price_counts(connection, first - _YEAR, last + _YEAR)
    thin = [each for each in _thin(counts) if first <= each.day <= last]
    missing = [
        _with_shares(_missing(day, known.get(day)), counts.get(day, 0), verified)
        for day in sessions
        if not _is_stored(known, day)
    ]
    return Gaps(first, last, len(sessions), tuple(missing), tuple(thin), tuple(holes))


def thin_days(connection: Connection, first: date, last: date) -> list[ThinDay]:
    """The days of a span that have too few shares, beside those before and after the span too."""
    counts = _counts(connection, first - NEAR, last + NEAR)
    return [each for each in _thin(counts) if first <= each.day <= last]


def _is_stored(known: dict[date, CollectionLog], day: date) -> bool:
    log = known.get(day)
    return log is not None and log.overall_status == "success" and not log.is_elsewhere


def _missing(day: date, log: CollectionLog | None) -> MissingDay:
    if log is None:
        return MissingDay(day, "was never collected")
    if log.overall_status == "success":
        lacking = tuple(side for side in SIDES if log.side(side).is_elsewhere)
        return MissingDay(day, "collected by another program; recover stores it here", lacking)
    lacking = tuple(side for side in SIDES if log.side(side).status != "success")
    return MissingDay(day, f"{log.overall_status}: {' and '.join(lacking)} are missing", lacking)


def _with_shares(gap: MissingDay, count: int, verified: Sequence[tuple[date, int]]) -> MissingDay:
    """How many shares a day has, in words too where it has some and not all."""
    beside = _nearest(verified, gap.day)
    if count == 0 or "prices" not in gap.sides:
        return replace(gap, count=count, beside=beside)
    of_all = "" if beside is None else f" of about {beside:,}"
    words = f"{gap.words}; {count:,}{of_all} shares are stored"
    return replace(gap, words=words, count=count, beside=beside)


def _nearest(verified: Sequence[tuple[date, int]], day: date) -> int | None:
    """How many shares the nearest verified session has."""
    place = bisect(verified, (day, 0))
    near = [(abs(each - day), count) for each, count in verified[max(place - 1, 0) : place + 1]]
    distance, count = min(near, default=(_YEAR, 0))
    return count if count and distance <= _YEAR else None


def _counts(connection: Connection, first: date, last: date) -> dict[date, int]:
    """How many shares there are on each day that is stored, in order."""
    day = STOCK_PRICES.c.date
    query = select(day, func.count()).where(day.between(first, last)).group_by(day).order_by(day)
    return {row[0]: row[1] for row in connection.execute(query)}


def _thin(counts: Mapping[date, int]) -> Iterator[ThinDay]:
    """Days are compared with their neighbours on both sides, where these are near enough."""
    usual = defaultdict[date, int](int)
    for earlier, later in pairwise(counts):
        if later - earlier <= NEAR:
            usual[earlier] = max(usual[earlier], counts[later])
            usual[later] = max(usual[later], counts[earlier])
    for day, count in counts.items():
        if count < usual[day] * LEAST_SHARE:
            yield ThinDay(day, count, usual[day])


def _holes(connection: Connection, stored: Sequence[date]) -> Iterator[Hole]:
    """Shares that are not there on each day between their first and their last."""
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
