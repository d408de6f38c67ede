"""``gotgan market stocks``: shares by ticker or name."""

from __future__ import annotations

import click

from gotgan.cli.grid import grid
from gotgan.cli.opened_market import opened_market
from gotgan.cli.options import limit_option
from gotgan.cli.output import Output

__all__ = ["command"]

_COLUMNS = ("ticker", "name", "market", "first_seen", "last_seen")


@click.command("stocks")
@click.argument("text", default="")
@limit_option("How many.", 50, 10_000)
@click.option("--cursor", help="Where the page before ended.")
@click.pass_obj
def command(output: Output, *, text: str, limit: int, cursor: str | None) -> None:
    """Find shares by ticker or name.

    TEXT is how the ticker begins, or a part of the name.
    """
    from gotgan.encoding import encode

    with opened_market(output) as market:
        page = market.stocks(text, limit=limit, cursor=cursor)
    found = encode(page.items)
    told = grid(found, _COLUMNS) if found else "There is no such share."
    if page.cursor is not None:
        told = f"{told}\n\nThere are more: --cursor {page.cursor}"
    output.say(told, items=found, cursor=page.cursor)
