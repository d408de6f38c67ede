"""The status of days, what was traded on one day, and the summary of a session."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import date, datetime
from functools import cache
from typing import Any, ClassVar, Final, get_args

from sqlalchemy import Select, and_, bindparam, select, union

from gotgan.domains.market import indicator_logs, logs, queries, quotes
from gotgan.domains.market.decisions import DecisionWording
from gotgan.domains.market.gate import DecisionRules, decide_collection, decide_indicators
from gotgan.domains.market.keys import (
    COLLECTION_LOG,
    INDICATOR_LOG,
    INDICATORS_KEY,
    LEASE_PREFIX,
    MARKET_INDICES,
    PRICE_FACTORS,
    STOCKS,
    day_key,
)
from gotgan.domains.market.models import CollectionLog, IndicatorLog, Overall, Screen
from gotgan.domains.market.reports import DayStatus
from gotgan.domains.market.rows import (
    DaySheet,
    IndexMove,
    NamedFactor,
    ScreenRow,
    rows_as,
)
from gotgan.sql import Database

SCREEN_LIMIT: Final = 20
_MAX_MOVERS: Final = 10
_SCREENS: Final[tuple[Screen, ...]] = get_args(Screen)
_SHEET_FIELDS: Final = ("indices", "breadth", "gainers", "losers", "factors")


def day_statuses(
    database: Database,
    rules: DecisionRules,
    span: tuple[date, date],
    now: datetime,
    wording: DecisionWording,
) -> list[DayStatus]:
    """The status of all days of a span, closed ones too."""
    first, last = span
    leases = {lease.key: lease for lease in database.leases.find_all(LEASE_PREFIX)}
    known, calculated = _logs(database, first, last)
    days = (date.fromordinal(number) for number in range(first.toordinal(), last.toordinal() + 1))
    return [
        DayStatus(
            day=day,
            closed=rules.calendar.why(day),
            log=known.get(day),
            indicators=calculated.get(day),
            collection=decide_collection(now, day, known.get(day), leases.get(day_key(day)), rules),
            calculation=decide_indicators(
                now, day, known.get(day), calculated.get(day), leases.get(INDICATORS_KEY), rules
            ),
            wording=wording,
        )
        for day in days
    ]


@cache
def _logs_query() -> Select[Any]:
    """Both logs side by side; a day may be in only one of them."""
    both = COLLECTION_LOG, INDICATOR_LOG
    within = (log.c.date.between(bindparam("first"), bindparam("last")) for log in both)
    days = union(*(select(log.c.date).where(each) for log, each in zip(both, within, strict=True)))
    logged = days.subquery()
    source = logged.outerjoin(COLLECTION_LOG, COLLECTION_LOG.c.date == logged.c.date)
    source = source.outerjoin(INDICATOR_LOG, INDICATOR_LOG.c.date == logged.c.date)
    return select(*both).select_from(source)


def _logs(
    database: Database, first: date, last: date
) -> tuple[dict[date, CollectionLog], dict[date, IndicatorLog]]:
    with database.read() as connection:
        rows = connection.execute(_logs_query(), {"first": first, "last": last}).all()
    names, others = COLLECTION_LOG.c.keys(), INDICATOR_LOG.c.keys()
    collected = (dict(zip(names, row, strict=False)) for row in rows)
    calculated = (dict(zip(others, row[len(names) :], strict=True)) for row in rows)
    known = (logs.log_from_row(row) for row in collected if row["date"] is not None)
    indicated = (indicator_logs.log_from_row(row) for row in calculated if row["date"] is not None)
    return {log.day: log for log in known}, {log.day: log for log in indicated}


def read_day_sheet(database: Database, day: date, before: date) -> DaySheet:
    """What was traded on a day; ``before`` is the session before it."""
    asked = {"day": day, "before": before}
    with database.read() as connection:
        moved = quotes.read_movers(connection, day, _MAX_MOVERS)
        return DaySheet(
            day=day,
            indices=rows_as(IndexMove, connection.execute(_indices_query(), asked).mappings()),
            breadth=moved.breadth,
            gainers=moved.gainers,
            losers=moved.losers,
            factors=rows_as(NamedFactor, connection.execute(_factors_query(), asked).mappings()),
        )


# Queries are built once, because building them takes longer than running them; "day" and "before"
# are their parameters.


@cache
def _indices_query() -> Select[Any]:
    then = MARKET_INDICES.alias("then")
    same = and_(then.c.code == MARKET_INDICES.c.code, then.c.date == bindparam("before"))
    return (
        select(MARKET_INDICES, then.c.close.label("before"))
        .outerjoin(then, same)
        .where(MARKET_INDICES.c.date == bindparam("day"))
        .order_by(MARKET_INDICES.c.code)
    )


@cache
def _factors_query() -> Select[Any]:
    return (
        select(PRICE_FACTORS, STOCKS.c.name)
        .join(STOCKS, STOCKS.c.ticker == PRICE_FACTORS.c.ticker)
        .where(PRICE_FACTORS.c.date == bindparam("day"))
        .order_by(PRICE_FACTORS.c.ticker)
    )


@dataclass(frozen=True)
class Screened:
    """Shares that a screen found."""

    shown: ClassVar = {"count": "count", "items": "rows"}

    count: int
    rows: tuple[ScreenRow, ...]
    """The first 20."""


@dataclass(frozen=True)
class CalendarDay:
    """A day of the month."""

    day: date
    closed: str | None
    """Why there is no trading; null where there is."""
    overall_status: Overall | None
    """The status of both sides together; null where nothing was started."""


@dataclass(frozen=True)
class MarketDay:
    """A session: its date is that of the exchange, whatever the zone of the page."""

    shown: ClassVar = {
        "status": "status",
        **{name: f"sheet.{name}" for name in _SHEET_FIELDS},
        "screens": "screens",
        "month": "calendar",
    }

    status: DayStatus
    sheet: DaySheet
    """Indices with their previous close, breadth, the largest moves, splits."""
    screens: Mapping[Screen, Screened]
    month: tuple[DayStatus, ...]
    """The days of its month."""

    @property
    def calendar(self) -> tuple[CalendarDay, ...]:
        """The days of its month, in short."""
        return tuple(CalendarDay(each.day, each.closed, each.overall_status) for each in self.month)

    @property
    def next(self) -> str:
        """What will happen next with it, and why."""
        return self.status.next

    @property
    def is_done(self) -> bool:
        """Whether nothing is left to do: all is there, or there was no trading."""
        is_stored = self.status.next_decision.reason == "already_success"
        return self.status.closed is not None or is_stored


def read_market_day(
    database: Database, day: date, before: date, month: tuple[DayStatus, ...]
) -> MarketDay:
    """The session of a day in its month; ``before`` is the session before it."""
    status = month[day.day - 1]
    return MarketDay(
        status=status,
        sheet=read_day_sheet(database, day, before),
        screens=_read_screens(database, status, before),
        month=month,
    )


def _read_screens(database: Database, status: DayStatus, before: date) -> dict[Screen, Screened]:
    """All screens of a day; ``before`` is the session before it."""
    if status.indicators is None:  # nothing was calculated, so nothing can stand out
        return dict.fromkeys(_SCREENS, Screened(0, ()))
    found = queries.screens_with_counts(database, _SCREENS, status.day, before, limit=SCREEN_LIMIT)
    return {kind: Screened(*screened) for kind, screened in found.items()}
