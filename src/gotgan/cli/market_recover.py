"""``gotgan market recover``: what is missing of a span of days."""

from __future__ import annotations

import time
from collections.abc import Callable
from datetime import date
from typing import TYPE_CHECKING

import click

from gotgan.cli.grid import safe
from gotgan.cli.market_options import span_argument
from gotgan.cli.market_report import gap_lines, is_hopeless, recover_lines
from gotgan.cli.opened_market import opened_market
from gotgan.cli.output import ExitCode, Output
from gotgan.cli.ticker import written_over

if TYPE_CHECKING:
    from gotgan.domains.market.gaps import Gaps
    from gotgan.domains.market.models import Side
    from gotgan.domains.market.reports import RecoverReport, Step

__all__ = ["Pace", "command"]


@click.command("recover")
@span_argument()
@click.option("--only", type=click.Choice(["prices", "indices"]), help="One side alone.")
@click.option("--again", is_flag=True, help="Ask for days that are there, too.")
@click.pass_obj
def command(output: Output, *, span: tuple[date, date], only: Side | None, again: bool) -> ExitCode:
    """Collect what is missing of a span of days.

    As in 2025-10-01..2025-10-31, one day, or a month such as 2025-10. Whatever was tried before is
    tried again, and what is there is left alone, so an interrupted recovery resumes. Days that have
    too few shares beside others are fetched again. Indicators follow.
    At the end it says what is still missing, by its exit code too.
    """
    with opened_market(output) as market, written_over(output) as show:
        report = market.recover(*span, only=only, again=again, on_step=Pace(show).tell)
        gaps = market.gaps(report.first, report.last)
    return _say(output, report, gaps, only)


class Pace:
    """How far it has come, and how long the rest will take at this pace."""

    def __init__(self, show: Callable[[str], None]) -> None:
        self._show = show
        self._began = time.monotonic()

    def tell(self, step: Step) -> None:
        """Show a step; the days are collected first, and calculated after that."""
        if step.done == 0:
            self._began = time.monotonic()
        told = [f"{step.done}/{step.total}", step.what]
        if step.done:
            each = (time.monotonic() - self._began) / step.done
            told.append(f"{each * (step.total - step.done):,.0f} s left")
        self._show("  ".join(told))


def _say(output: Output, report: RecoverReport, gaps: Gaps, only: Side | None) -> ExitCode:
    from gotgan.domains.market.records import gaps_record
    from gotgan.domains.market.report_records import recover_record

    lines = [*recover_lines(report), *gap_lines(gaps)]
    output.say("\n".join(map(safe, lines)), **recover_record(report), gaps=gaps_record(gaps))
    if not _lacks(report, gaps, only):
        return ExitCode.OK
    hopeless = any(map(is_hopeless, report.days))
    return ExitCode.FAILED if hopeless else ExitCode.RETRY


def _lacks(report: RecoverReport, gaps: Gaps, only: Side | None) -> bool:
    """Whether something that was wanted is not there."""
    missing = [day for day in gaps.missing if only is None or only in day.sides]
    if gaps.thin and only != "indices":
        return True
    return bool(missing) or any(
        each.outcome != "success" and not each.lacks_history for each in report.indicators
    )
