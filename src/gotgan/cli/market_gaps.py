"""``gotgan market gaps``: what is missing."""

from __future__ import annotations

from datetime import date

import click

from gotgan.cli.grid import safe
from gotgan.cli.market_options import span_argument, span_options
from gotgan.cli.market_report import gap_lines
from gotgan.cli.opened_market import opened_market
from gotgan.cli.output import Output

__all__ = ["command"]


@click.command("gaps")
@span_argument(required=False)
@span_options("The first day; else a year back, but not before the first that was collected.")
@click.pass_obj
def command(
    output: Output,
    *,
    span: tuple[date, date] | None,
    first: date | None,
    last: date | None,
) -> None:
    """List missing days, thin days, and holes of shares.

    As in 2025-10-20..2025-10-24, one day, or a month such as 2025-10; --from and --to name one end
    alone. Without any of them, of the last year.

    A day is thin that has less than 98 % of the shares of the session before or after; a hole is a
    session without a price of a share that has one before and after.
    """
    from gotgan.domains.market.days import one_span
    from gotgan.domains.market.records import gaps_record

    chosen = one_span(span, first, last)
    with opened_market(output) as market:
        gaps = market.gaps(*chosen)
    output.say("\n".join(map(safe, gap_lines(gaps))), **gaps_record(gaps))
