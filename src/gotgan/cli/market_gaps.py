"""``gotgan market gaps``: what is missing."""

from __future__ import annotations

from datetime import date

import click

from gotgan.cli.grid import safe
from gotgan.cli.market_options import span_options
from gotgan.cli.market_report import gap_lines
from gotgan.cli.opened_market import opened_market
from gotgan.cli.output import Output

__all__ = ["command"]


@click.command("gaps")
@span_options("The first day; else a year back, but not before the first that was collected.")
@click.pass_obj
def command(output: Output, *, first: date | None, last: date | None) -> None:
    """List missing days, thin days, and holes of shares.

    A day is thin that has less than 98 % of the shares of the session before or after; a hole is a
    session without a price of a share that has one before and after.
    """
    from gotgan.domains.market.records import gaps_record

    with opened_market(output) as market:
        gaps = market.gaps(first, last)
    output.say("\n".join(map(safe, gap_lines(gaps))), **gaps_record(gaps))
