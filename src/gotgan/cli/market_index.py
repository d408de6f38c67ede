"""``gotgan market index``: an index, day by day."""

from __future__ import annotations

from datetime import date
from decimal import Decimal

import click

from gotgan.cli.grid import grid, safe
from gotgan.cli.market_options import span_options
from gotgan.cli.opened_market import opened_market
from gotgan.cli.output import Output

__all__ = ["command"]

_COLUMNS = ("open", "high", "low", "close")


@click.command("index")
@click.argument("code", default="KOSPI")
@span_options("The first day; else a year back.")
@click.pass_obj
def command(output: Output, *, code: str, first: date | None, last: date | None) -> None:
    """Show an index, day by day.

    CODE is 1001 or KOSPI, which is meant without one, or 2001 or KOSDAQ.
    """
    from gotgan.encoding import encode

    with opened_market(output) as market:
        sheet = market.index(code, first, last)
    rows = [
        {"date": str(row.date), **{name: _level(getattr(row, name)) for name in _COLUMNS}}
        for row in sheet.values
    ]
    head = safe(f"{sheet.code}  {sheet.name}")
    output.say(f"{head}\n{grid(rows, ('date', *_COLUMNS))}", **encode(sheet))


def _level(value: Decimal | None) -> str:
    return "-" if value is None else f"{value:,.2f}"
