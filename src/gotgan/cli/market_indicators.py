"""``gotgan market indicators``: the indicators of a day."""

from __future__ import annotations

from datetime import date

import click

from gotgan.cli.market_options import day_argument, now_option
from gotgan.cli.market_report import say_calculated
from gotgan.cli.opened_market import opened_market
from gotgan.cli.output import ExitCode, Output

__all__ = ["command"]


@click.command("indicators")
@day_argument
@now_option
@click.pass_obj
def command(output: Output, *, day: date | None, now: bool) -> ExitCode:
    """Calculate the indicators of a day.

    Without a date, of today. The gate decides first: not before 18:00, and only of a day whose
    prices and indices are there.
    """
    with opened_market(output) as market:
        report, wording = market.indicators(day, now=now), market.wording()
    return say_calculated(output, report, wording)
