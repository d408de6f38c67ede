"""Going through days one after the other, and ending where there is no sense in going on."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, field
from datetime import date
from typing import Final

from gotgan.domains.market.decisions import Wait
from gotgan.domains.market.models import HOPELESS
from gotgan.domains.market.reports import CollectReport, IndicatorReport
from gotgan.errors import LostRace

__all__ = ["Walked", "calculate_each", "collect_each"]

_PATIENCE: Final = 3
"""After so many days in a row that failed, the provider is left alone."""


@dataclass
class Walked:
    """The days that were worked on."""

    days: list[CollectReport] = field(default_factory=list)
    stopped: str | None = None
    """Why the others were left alone."""


def collect_each(days: Iterable[date], collect: Callable[[date], CollectReport]) -> Walked:
    """Collect days, whatever becomes of each; one that somebody else took over is theirs."""
    walked = Walked()
    for day in days:
        try:
            walked.days.append(collect(day))
        except LostRace as lost:
            walked.days.append(CollectReport(day, _taken(lost), "waiting", lost.message))
        walked.stopped = _reason_to_stop(walked.days)
        if walked.stopped is not None:
            break
    return walked


def calculate_each(
    days: Iterable[date], calculate: Callable[[date], IndicatorReport]
) -> list[IndicatorReport]:
    """The same for indicators; they ask nobody, so there is nobody to be left alone."""
    reports = list[IndicatorReport]()
    for day in days:
        try:
            reports.append(calculate(day))
        except LostRace as lost:
            reports.append(IndicatorReport(day, _taken(lost), "waiting", lost.message))
    return reports


def _taken(lost: LostRace) -> Wait:
    return Wait("in_progress", lost.message)


def _reason_to_stop(days: Sequence[CollectReport]) -> str | None:
    last = days[-1]
    if last.decision.reason in {"provider_blocked", "no_provider"}:
        return last.words
    for side in last.sides:
        if side.code in HOPELESS:
            return side.error
    failed = [day for day in days[-_PATIENCE:] if any(side.error for side in day.sides)]
    if len(failed) == _PATIENCE:
        return f"{_PATIENCE} days in a row failed: {last.words}"
    return None
