"""``gotgan market collect``: prices and indices of a day."""

from __future__ import annotations

from datetime import date
from typing import TYPE_CHECKING

import click

from gotgan.cli.market_options import day_argument, now_option
from gotgan.cli.market_report import say_collected
from gotgan.cli.opened_market import opened_market
from gotgan.cli.output import ExitCode, Output
from gotgan.cli.ticker import written_over

if TYPE_CHECKING:
    from gotgan.domains.market.reports import Step

__all__ = ["command"]


@click.command("collect")
@day_argument
@now_option
@click.pass_obj
def command(output: Output, *, day: date | None, now: bool) -> ExitCode:
    """Collect the prices and indices of a day.

    Without a date, of today. The gate decides first: not before 17:00, not what is there already,
    a failed side again after the next full hour, three times. Then each side is fetched, saved and
    verified.
    """
    with opened_market(output) as market, written_over(output) as show:

        def on_step(step: Step) -> None:
            show(f"{step.done}/{step.total}  {step.what}")

        report, wording = market.collect(day, now=now, on_step=on_step), market.wording()
    return say_collected(output, report, wording)
