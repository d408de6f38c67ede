"""What is missing: whole days, days with too few shares, and holes of single shares."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import date
from itertools import pairwise

from sqlalchemy import Connection, func, select

from gotgan.domains.market import logs
from gotgan.domains.market.calendar import Calendar
from gotgan.domains.market.models import SIDES, CollectionLog, Side
from gotgan.domains.market.tables import STOCK_PRICES
from gotgan.domains.market.verifying import LEAST_SHARE, NEAR
from gotgan.sql import Database

__all__ = ["Gaps", "Hole", "MissingDay", "ThinDay", "find_gaps", "thin_days"]


@dataclass(frozen=True)
class MissingDay:
    """A session that is not there, or not whole."""

    day: date
    words: str
    sides: tuple[Side, ...] = SIDES
    """What of it is missing."""


@dataclass(frozen=True)
class ThinDay:
    """A session that has far fewer shares than the one before or after it."""

    day: date
    count: int
    beside: int
    """How many the fuller of these two has."""


@dataclass(frozen=True)
class Hole:
    """Sessions on which a share has no price, though it has one before and after."""

    ticker: str
    days: tuple[date, ...]


@dataclass(frozen=True)
class Gaps:
    """All that is missing of a span."""

    first: date
    last: date
    sessions: int
    missing: list[MissingDay] = field(default_factory=list)
    thin: list[ThinDay] = field(default_factory=list)
    holes: list[Hole] = field(default_factory=list)

    @property
    def is_whole(self) -> bool:
        """Whether nothing is missing."""
        return not (self.missing or self.thin or self.holes)


def find_gaps(database: Database, calendar: Calendar, first: date, last: date) -> Gaps:
    """What is missing of a span, both ends included."""
    sessions = list(calendar.sessions(first, last))
    with database.read() as connection:
        known = logs.of_span(connection, first, last)
        counts = _counts(connection, first - NEAR, last + NEAR)
        holes = list(_holes(connection, [day for day in counts if first <= day <= last]))
    thin = [each for each in _thin(counts) if first <= each.day <= last]
    missing = [_missing(day, known.get(day)) for day in sessions if not _is_stored(known, day)]
    return Gaps(first, last, len(sessions), missing, thin, holes)


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
