"""``gotgan market stocks``: shares by ticker or name."""

from __future__ import annotations

import click

from gotgan.cli.grid import grid
from gotgan.cli.opened_market import opened_market
from gotgan.cli.output import Output

__all__ = ["command"]

_COLUMNS = ("ticker", "name", "market", "first_seen", "last_seen")


@click.command("stocks")
@click.argument("text", default="")
@click.pass_obj
def command(output: Output, *, text: str) -> None:
    """Find shares by ticker or name.

    TEXT is how the ticker begins, or a part of the name. At most fifty.
    """
    from gotgan.domains.market.records import row_records

    with opened_market(output) as market:
        found = row_records(market.stocks(text))
    output.say(grid(found, _COLUMNS) if found else "There is no such share.", items=found)
