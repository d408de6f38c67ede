"""``gotgan market catch-up``: whatever is missing of the last sessions."""

from __future__ import annotations

from typing import TYPE_CHECKING

import click

from gotgan.cli.grid import safe
from gotgan.cli.market_report import is_hopeless
from gotgan.cli.opened_market import opened_market
from gotgan.cli.output import ExitCode, Output
from gotgan.cli.ticker import written_over

if TYPE_CHECKING:
    from gotgan.domains.market.reports import Step

__all__ = ["command"]


@click.command("catch-up")
@click.pass_obj
def command(output: Output) -> ExitCode:
    """Do all that is missing of the last ten sessions.

    As the timetable does in the evening: collects days that are due, makes final what was early,
    and calculates indicators. The gate decides about each; gotgan market recover goes back further,
    and asks no gate.
    """
    from gotgan.domains.market.report_records import caught_up_record

    with opened_market(output) as market, written_over(output) as show:

        def on_step(step: Step) -> None:
            show(f"{step.done}/{step.total}  {step.what}")

        report = market.catch_up(on_step=on_step)
    output.say(safe(report.words), **caught_up_record(report))
    if report.outcome == "success" and report.stopped is None:
        return ExitCode.OK
    hopeless = any(map(is_hopeless, [*report.days, *report.final]))
    return ExitCode.FAILED if hopeless else ExitCode.RETRY
