"""``gotgan market adopt``: tables that another program made."""

from __future__ import annotations

import click

from gotgan.cli.adopted import table_lines, table_records
from gotgan.cli.opened_market import opened_market
from gotgan.cli.output import Output

__all__ = ["command"]


@click.command("adopt")
@click.pass_obj
def command(output: Output) -> None:
    """Take over tables that another program made.

    Columns, unique keys and indexes that collection_log, indicator_log and the other tables lack
    are added; every row stays as it is. Days with the status success count as collected; recover
    fetches their prices. Starting Gotgan does the same, so this mostly reports.
    """
    with opened_market(output) as market:
        tables = market.adopt()
    lines = list(table_lines(tables)) or ["All tables are empty."]
    output.say("\n".join(lines), tables=table_records(tables))
