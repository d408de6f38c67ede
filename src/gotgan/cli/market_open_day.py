"""``gotgan market open-day``: the pending row of a day."""

from __future__ import annotations

from datetime import date

import click

from gotgan.cli.market_options import day_argument
from gotgan.cli.opened_market import opened_market
from gotgan.cli.output import Output

__all__ = ["command"]


@click.command("open-day")
@day_argument
@click.pass_obj
def command(output: Output, *, day: date | None) -> None:
    """Write the pending row of a day.

    Without a date, of today. A weekend or a holiday gets none, and one that is there stays as it
    is.
    """
    from gotgan.domains.market.report_records import opened_record

    with opened_market(output) as market:
        opened = market.open_day(day)
    output.say(opened.words, **opened_record(opened))
