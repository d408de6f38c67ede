"""Going back over a span of days: what is missing is collected, whatever was tried before."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from datetime import date
from typing import Final

from gotgan.domains.market import logs
from gotgan.domains.market.collecting import Collecting
from gotgan.domains.market.indicating import Indicating
from gotgan.domains.market.models import SIDES, CollectionLog, Side
from gotgan.domains.market.reports import (
    CollectReport,
    IndicatorReport,
    OnStep,
    RecoverReport,
    Step,
    silently,
)
from gotgan.sql import Database

__all__ = ["recover"]

_HOPELESS: Final = frozenset({"market.blocked", "market.login", "market.password"})
"""After these there is no sense in asking for another day."""
_PATIENCE: Final = 3
"""After so many days in a row that failed, the provider is left alone."""


def recover(
    database: Database,
    collecting: Collecting,
    indicating: Indicating,
    span: tuple[date, date],
    *,
    only: Side | None = None,
    on_step: OnStep = silently,
) -> RecoverReport:
    """Collect what is missing of a span, then calculate; whoever is stopped goes on from there."""
    report = RecoverReport(*span)
    days = list(collecting.rules().calendar.sessions(*span))
    missing = _missing(database, days, only)
    report.duplicates = len(days) - len(missing)
    for number, day in enumerate(missing):
        on_step(Step(number, len(missing), f"{day}"))
        report.days.append(collecting.collect(day, now=True, only=only))
        report.stopped = _reason_to_stop(report.days)
        if report.stopped is not None:
            break
    tried = _calculate(indicating, _whole(database, days), on_step)
    report.indicators = [each for each in tried if each.outcome in {"success", "failed"}]
    return report


def _calculate(
    indicating: Indicating, days: Sequence[date], on_step: OnStep
) -> Iterator[IndicatorReport]:
    for number, day in enumerate(days):
        on_step(Step(number, len(days), f"{day} indicators"))
        yield indicating.run(day, now=True)


def _whole(database: Database, days: Sequence[date]) -> list[date]:
    """Those days that can have indicators."""
    missing = set(_missing(database, days, None))
    return [day for day in days if day not in missing]


def _missing(database: Database, days: Sequence[date], only: Side | None) -> list[date]:
    if not days:
        return []
    with database.read() as connection:
        known = logs.of_span(connection, days[0], days[-1])
    sides = SIDES if only is None else (only,)
    return [day for day in days if not _has(known.get(day), sides)]


def _has(log: CollectionLog | None, sides: Sequence[Side]) -> bool:
    return log is not None and all(log.side(side).status == "success" for side in sides)


def _reason_to_stop(days: Sequence[CollectReport]) -> str | None:
    last = days[-1]
    for side in last.sides:
        if side.code in _HOPELESS:
            return side.error
    failed = [day for day in days[-_PATIENCE:] if any(side.error for side in day.sides)]
    if len(failed) == _PATIENCE:
        return f"{_PATIENCE} days in a row failed: {last.words}"
    return None
