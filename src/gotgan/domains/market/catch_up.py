"""Work over several days: the daily catch-up of the last sessions, and the recovery of a span.

Both derive what is missing from the logs on each run, so it does not matter how many runs were
missed or interrupted.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from datetime import date
from typing import Final

from gotgan.domains.market import indicator_logs, logs, messages
from gotgan.domains.market.calendar import Calendar
from gotgan.domains.market.collector import MarketCollector
from gotgan.domains.market.completeness import find_gaps, thin_days
from gotgan.domains.market.days import LAST_DAY
from gotgan.domains.market.decisions import RunNow, Wait
from gotgan.domains.market.indicator_run import IndicatorRun
from gotgan.domains.market.models import PERMANENT_ERRORS, SIDES, CollectionLog, Side
from gotgan.domains.market.reports import (
    CaughtUp,
    CollectReport,
    IndicatorReport,
    RecoverReport,
)
from gotgan.errors import LostRace
from gotgan.messages import Message, text
from gotgan.sql import Database
from gotgan.verbs import Progress, silent

CATCH_UP_SESSIONS: Final = 10
"""How many sessions are looked back at; ``recover`` is for older ones."""
_MAX_FAILURES: Final = 3
"""After this many failed days in a row, the provider is not asked again."""


def last_sessions(calendar: Calendar, today: date) -> list[date]:
    """The last sessions up to today, the oldest first."""
    days = [calendar.last_session(today)]
    while len(days) < CATCH_UP_SESSIONS:
        days.append(calendar.previous_session(days[-1]))
    return days[::-1]


def catch_up(
    collector: MarketCollector,
    indicators: IndicatorRun,
    today: date,
    *,
    progress: Progress = silent,
) -> CaughtUp:
    """Collect what is due of the last sessions, fetch final figures, and calculate indicators."""

    def sessions() -> list[date]:
        """Read by each step: the one before it may have found that a day was closed."""
        return last_sessions(collector.rules().calendar, today)

    # The latest day is the most wanted; indicators rest on those of the day before.
    due = [day for day in reversed(sessions()) if collector.is_due(day)]
    collected = _collect_each(due, lambda day: collector.collect(day, progress=progress))
    final = _CollectedDays()
    if collected.stopped is None:
        final = _collect_each(collector.days_to_finalise(sessions()), collector.finalise)
    due = [day for day in sessions() if isinstance(indicators.decide(day), RunNow)]
    calculated = _calculate_each(due, indicators.run)
    return CaughtUp(collected.days, final.days, calculated, collected.stopped or final.stopped)


def recover(
    database: Database,
    collector: MarketCollector,
    indicators: IndicatorRun,
    span: tuple[date, date],
    *,
    only: Side | None = None,
    again: bool = False,
    progress: Progress = silent,
) -> RecoverReport:
    """Collect what is missing of a span, then calculate; an interrupted recovery resumes.

    Days that another program collected, days with too few shares, or all days ``again``, are
    fetched even though they are stored.
    """
    days = list(collector.rules().calendar.sessions(*span))
    known = _logs(database, *span)
    sides = SIDES if only is None else (only,)
    missing = [day for day in days if not _has_sides(known.get(day), sides)]
    done = _collect_each(missing, lambda day: collector.collect(day, now=True, only=only), progress)
    asked = set[date]()
    if again:
        stored = [day for day in days if day not in missing]
    else:
        known = _logs(database, *span)
        elsewhere = [day for day, log in known.items() if _is_elsewhere(log) and day in days]
        stored = [*elsewhere, *_thin_days(database, span, asked)]
    while stored and done.stopped is None:
        more = _collect_each(stored, collector.collect_again, progress, is_again=True)
        done = _CollectedDays([*done.days, *more.days], more.stopped)
        asked |= set(stored)
        stored = _thin_days(database, span, asked)
    return RecoverReport(
        *span,
        indicators=calculate_indicators(database, indicators, span, progress),
        gaps=find_gaps(database, collector.rules().calendar, *span),
        days=done.days,
        duplicates=len({*days} - {*missing} - {day.day for day in done.days}),
        stopped=done.stopped,
    )


def calculate_indicators(
    database: Database, indicators: IndicatorRun, span: tuple[date, date], progress: Progress
) -> list[IndicatorReport]:
    """Calculate a span and all days after it, which rest on it; the latter by the usual hours.

    A day that lacks history is left out: storing an earlier day resets it.
    """
    first, last = span
    with database.read() as connection:
        calculated = indicator_logs.get_logs(connection, first, LAST_DAY)
    done = {day for day, log in calculated.items() if log.status == "success" or log.lacks_history}
    collected = _logs(database, first, LAST_DAY)
    days = [day for day, log in collected.items() if _has_sides(log, SIDES) and day not in done]
    tried = _calculate_each(days, lambda day: indicators.run(day, now=day <= last), progress)
    return [each for each in tried if each.outcome != "skipped"]


def _thin_days(database: Database, span: tuple[date, date], asked: set[date]) -> list[date]:
    """The days with too few shares that were not fetched again yet.

    Fetching one may show that its neighbour has too few, so this is repeated after each round.
    """
    with database.read() as connection:
        return [each.day for each in thin_days(connection, *span) if each.day not in asked]


def _logs(database: Database, first: date, last: date) -> dict[date, CollectionLog]:
    with database.read() as connection:
        return logs.get_logs(connection, first, last)


def _has_sides(log: CollectionLog | None, sides: Sequence[Side]) -> bool:
    return log is not None and all(log.side(side).status == "success" for side in sides)


def _is_elsewhere(log: CollectionLog) -> bool:
    return _has_sides(log, SIDES) and log.is_elsewhere


@dataclass
class _CollectedDays:
    days: list[CollectReport] = field(default_factory=list)
    stopped: str | None = None
    """Why the remaining days were not collected."""


def _collect_each(
    days: Sequence[date],
    collect: Callable[[date], CollectReport],
    progress: Progress = silent,
    *,
    is_again: bool = False,
) -> _CollectedDays:
    """Collect days until it makes no sense to continue."""
    collected = _CollectedDays()
    for number, day in enumerate(days):
        progress(number, len(days), messages.DAY_AGAIN(day=day) if is_again else f"{day}")
        try:
            report = collect(day)
        except LostRace as lost:  # another process took the day over
            report = CollectReport(day, _in_progress(lost), "waiting", lost.message)
        collected.days.append(report)
        collected.stopped = _stop_reason(collected.days)
        if collected.stopped is not None:
            return collected
    if days:
        progress(len(days), len(days), f"{days[-1]}")
    return collected


def _calculate_each(
    days: Sequence[date],
    calculate: Callable[[date], IndicatorReport],
    progress: Progress = silent,
) -> list[IndicatorReport]:
    """Calculate days; no provider is asked, so no failure ends it early."""
    reports = list[IndicatorReport]()
    for number, day in enumerate(days):
        progress(number, len(days), _indicators_of(day))
        try:
            reports.append(calculate(day))
        except LostRace as lost:
            reports.append(IndicatorReport(day, _in_progress(lost), "waiting", lost.message))
    if days:
        progress(len(days), len(days), _indicators_of(days[-1]))
    return reports


def _indicators_of(day: date) -> Message:
    return messages.DAY_PART(day=day, what=messages.words(["indicators"]))


def _in_progress(lost: LostRace) -> Wait:
    return Wait("in_progress", lost.message)


def _stop_reason(days: Sequence[CollectReport]) -> str | None:
    last = days[-1]
    if last.decision.reason in {"provider_blocked", "no_provider"}:
        return last.words
    for side in last.sides:
        if side.code in PERMANENT_ERRORS:
            return side.error
    failed = [day for day in days[-_MAX_FAILURES:] if any(side.error for side in day.sides)]
    if len(failed) == _MAX_FAILURES:
        return messages.FAILED_IN_A_ROW(count=_MAX_FAILURES, last=text(last.words))
    return None
