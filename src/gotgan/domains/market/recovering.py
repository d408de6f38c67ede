"""Going back over a span of days: what is missing is collected, whatever was tried before."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from datetime import date

from gotgan.domains.market import indicator_logs, logs
from gotgan.domains.market.collecting import MarketCollector
from gotgan.domains.market.days import LAST
from gotgan.domains.market.gaps import find_gaps, thin_days
from gotgan.domains.market.indicating import Indicating
from gotgan.domains.market.models import SIDES, CollectionLog, Side
from gotgan.domains.market.reports import (
    CollectReport,
    IndicatorReport,
    OnStep,
    RecoverReport,
    VerbProgress,
    silently,
)
from gotgan.domains.market.walking import Walked, calculate_each, collect_each
from gotgan.sql import Database

__all__ = ["calculate", "recover"]


def recover(
    database: Database,
    collecting: MarketCollector,
    indicating: Indicating,
    span: tuple[date, date],
    *,
    only: Side | None = None,
    again: bool = False,
    on_step: OnStep = silently,
) -> RecoverReport:
    """Collect what is missing of a span, then calculate; whoever is stopped goes on from there.

    Days that another program collected, days that turn out to be too thin beside others, or all
    days ``again``, are fetched even though they are there.
    """
    days = list(collecting.rules().calendar.sessions(*span))
    missing = _missing(database, days, only)
    done = _collect(collecting, missing, only, on_step)
    asked = set[date]()
    if again:
        there = [day for day in days if day not in missing]
    else:
        there = [*_elsewhere(database, days), *_thin(database, span, asked)]
    while there and done.stopped is None:
        more = _collect_again(collecting, there, on_step)
        done = Walked([*done.days, *more.days], more.stopped)
        asked |= set(there)
        there = _thin(database, span, asked)
    tried = calculate(database, indicating, span, on_step)
    return RecoverReport(
        *span,
        gaps=find_gaps(database, collecting.rules().calendar, *span),
        days=done.days,
        duplicates=len({*days} - {*missing} - {day.day for day in done.days}),
        indicators=[each for each in tried if each.outcome != "skipped"],
        stopped=done.stopped,
    )


def _collect(
    collecting: MarketCollector, days: Sequence[date], only: Side | None, on_step: OnStep
) -> Walked:
    places = {day: number for number, day in enumerate(days)}

    def collect(day: date) -> CollectReport:
        on_step(VerbProgress(places[day], len(days), f"{day}"))
        return collecting.collect(day, now=True, only=only)

    return _walked(days, collect, on_step)


def _collect_again(collecting: MarketCollector, days: Sequence[date], on_step: OnStep) -> Walked:
    places = {day: number for number, day in enumerate(days)}

    def collect(day: date) -> CollectReport:
        on_step(VerbProgress(places[day], len(days), f"{day} once more"))
        return collecting.collect_again(day, on_step=silently)

    return _walked(days, collect, on_step)


def _walked(
    days: Sequence[date], collect: Callable[[date], CollectReport], on_step: OnStep
) -> Walked:
    """Collect days, and tell when all of them are done."""
    walked = collect_each(days, collect)
    if days and walked.stopped is None:
        on_step(VerbProgress(len(days), len(days), f"{days[-1]}"))
    return walked


def _thin(database: Database, span: tuple[date, date], asked: set[date]) -> list[date]:
    """The days that are too thin, and were not asked for once more yet.

    One that is whole now may show that its neighbour is not, so this is looked at after each round.
    """
    with database.read() as connection:
        found = [each.day for each in thin_days(connection, *span)]
    return [day for day in found if day not in asked]


def _elsewhere(database: Database, days: Sequence[date]) -> list[date]:
    """The days that another program collected, so that their prices are not stored here."""
    if not days:
        return []
    with database.read() as connection:
        known = logs.of_span(connection, days[0], days[-1])
    return [
        day for day in days if day in known and _has(known[day], SIDES) and known[day].is_elsewhere
    ]


def calculate(
    database: Database, indicating: Indicating, span: tuple[date, date], on_step: OnStep
) -> list[IndicatorReport]:
    """Calculate the span and all after it, which rests on it; the latter by the usual hours."""
    first, last = span
    days = _without_indicators(database, first)
    places = {day: number for number, day in enumerate(days)}

    def calculate(day: date) -> IndicatorReport:
        on_step(VerbProgress(places[day], len(days), f"{day} indicators"))
        return indicating.run(day, now=day <= last)

    tried = calculate_each(days, calculate)
    if days:
        on_step(VerbProgress(len(days), len(days), f"{days[-1]} indicators"))
    return tried


def _without_indicators(database: Database, first: date) -> list[date]:
    """The days from one on that can have indicators, and have none or such as are outdated.

    One that lacks history is none of them: storing an earlier day makes it one again.
    """
    with database.read() as connection:
        collected = logs.of_span(connection, first, LAST)
        calculated = indicator_logs.of_span(connection, first, LAST)
    done = {day for day, log in calculated.items() if log.status == "success" or log.lacks_history}
    return [day for day, log in collected.items() if _has(log, SIDES) and day not in done]


def _missing(database: Database, days: Sequence[date], only: Side | None) -> list[date]:
    if not days:
        return []
    with database.read() as connection:
        known = logs.of_span(connection, days[0], days[-1])
    sides = SIDES if only is None else (only,)
    return [day for day in days if not _has(known.get(day), sides)]


def _has(log: CollectionLog | None, sides: Sequence[Side]) -> bool:
    return log is not None and all(log.side(side).status == "success" for side in sides)
