"""The verbs that take a while, run in the background: whoever starts one, all see the same run.

A day that has not come yet is refused before anything runs, so that whoever does not wait is told.
"""

from __future__ import annotations

from datetime import date
from typing import TYPE_CHECKING, Final

from gotgan.domains.market.models import Side
from gotgan.domains.market.reports import (
    CollectReport,
    DayOpened,
    IndicatorReport,
    OnStep,
    RecoverReport,
)
from gotgan.runs import Run, Runs, Tell

if TYPE_CHECKING:
    from gotgan.domains.market.caught_up import CaughtUp
    from gotgan.domains.market.service import Market

__all__ = [
    "CATCH_UP_VERB",
    "COLLECT_VERB",
    "INDICATORS_VERB",
    "OPEN_DAY_VERB",
    "RECOVER_VERB",
    "start_catch_up",
    "start_collect",
    "start_indicators",
    "start_open_day",
    "start_recover",
]

CATCH_UP_VERB: Final = "market.catch_up"
COLLECT_VERB: Final = "market.collect"
INDICATORS_VERB: Final = "market.indicators"
OPEN_DAY_VERB: Final = "market.open_day"
RECOVER_VERB: Final = "market.recover"


def start_open_day(runs: Runs, market: Market) -> Run:
    """Write the pending row of today; the report is a ``DayOpened``."""

    def work(_: Tell) -> DayOpened:
        return market.open_day()

    return runs.start(OPEN_DAY_VERB, work)


def start_catch_up(runs: Runs, market: Market) -> Run:
    """Do all that is missing of the last sessions; the report is a ``CaughtUp``."""

    def work(tell: Tell) -> CaughtUp:
        return market.catch_up(on_step=_told(tell))

    return runs.start(CATCH_UP_VERB, work)


def start_collect(runs: Runs, market: Market, day: date | None = None, *, now: bool = False) -> Run:
    """Collect a day, or today; the report is a ``CollectReport``."""
    wanted = market.expect_past(day)

    def work(tell: Tell) -> CollectReport:
        return market.collect(wanted, now=now, on_step=_told(tell))

    return runs.start(COLLECT_VERB, work, about=(wanted.isoformat(),), asked=now)


def start_indicators(
    runs: Runs, market: Market, day: date | None = None, *, now: bool = False
) -> Run:
    """Calculate the indicators of a day, or of today; the report is an ``IndicatorReport``."""
    wanted = market.expect_past(day)

    def work(_: Tell) -> IndicatorReport:
        return market.indicators(wanted, now=now)

    return runs.start(INDICATORS_VERB, work, about=(wanted.isoformat(),), asked=now)


def start_recover(
    runs: Runs,
    market: Market,
    first: date,
    last: date,
    *,
    only: Side | None = None,
    again: bool = False,
) -> Run:
    """Collect what is missing of a span, or all again; the report is a ``RecoverReport``."""
    span = market.expect_span(first, last)

    def work(tell: Tell) -> RecoverReport:
        return market.recover(*span, only=only, again=again, on_step=_told(tell))

    about = "/".join(day.isoformat() for day in span)
    return runs.start(RECOVER_VERB, work, about=(about,), asked=(only, again))


def _told(tell: Tell) -> OnStep:
    return lambda step: tell(step.done, step.total, step.what)
