"""``gotgan tables browse``: a look into a table, with its cost and the same for the AWS CLI."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import click

from gotgan.cli.database import opened
from gotgan.cli.grid import grid, indented
from gotgan.cli.output import Output
from gotgan.cli.units import cost_fields, cost_text

if TYPE_CHECKING:
    from gotgan.store.data.browse import Browsed

__all__ = ["command"]


@click.command("browse")
@click.argument("table")
@click.option("--index", metavar="NAME", help="Read an index instead of the table.")
@click.option("--pk", metavar="VALUE", help="The partition; without it all are scanned.")
@click.option(
    "--sk",
    multiple=True,
    metavar="TERM",
    help="The sort key: x, =x, ^x (begins with x), a..b, <x, <=x, >x, >=x.",
)
@click.option(
    "--filter",
    "filters",
    multiple=True,
    metavar="TERM",
    help="What else must hold: name=x, !=, <, <=, >, >=, ^ (begins with), ~ (contains), "
    "'name exists', 'name missing'. May be given again; all must hold.",
)
@click.option(
    "--expression",
    metavar="TEXT",
    help="What else must hold, as DynamoDB writes it: 'size(title) > :n OR #s = :s'.",
)
@click.option(
    "--value",
    "values",
    multiple=True,
    metavar="TERM",
    help="What stands in the expression: :n=80 (by its looks, or as :n:S=80), #s=status.",
)
@click.option(
    "--only",
    multiple=True,
    metavar="NAME",
    help="Send back this attribute, beside the keys; may be given again.",
)
@click.option(
    "--limit",
    type=click.IntRange(1),
    default=20,
    show_default=True,
    help="How many items to show.",
)
@click.option(
    "--most-read",
    type=click.IntRange(1),
    default=10_000,
    show_default=True,
    help="How many items to read at most to find them.",
)
@click.option("--newest-first", is_flag=True, help="From the last sort key to the first.")
@click.option("--consistent", is_flag=True, help="Read consistently, at twice the cost.")
@click.option("--cursor", metavar="TEXT", help="Where to go on, as the last page said.")
@click.option("--full", is_flag=True, help="Show whole items instead of a table.")
@click.pass_obj
def command(output: Output, /, *, table: str, full: bool, **terms: Any) -> None:
    """Look into a table: by key, by an index, or by a scan.

    Afterwards it says what the look cost, and how to take the same look with the AWS CLI.
    """
    from gotgan.store.data.browse import Look, browse

    look = Look(**terms)
    with opened(output) as database:
        found = browse(database.driver, table, look, database.names)
    _show_items(output, found, full=full)
    _show_account(output, found, look.limit)


def _show_items(output: Output, found: Browsed, *, full: bool) -> None:
    from gotgan.store.data.readable import readable

    items = [readable(item) for item in found.items]
    if full or output.as_json:
        for item in items:
            output.say(indented(item), item=item)
    elif items:
        place = found.index or found.table
        first = [key.name for key in (*place.keys, *found.table.keys)]
        output.say(grid(items, first))


def _show_account(output: Output, found: Browsed, limit: int) -> None:
    from gotgan.store.data.aws_cli import command_line

    shown, same = len(found.items), command_line(found.command)
    lines = [_sentence(found), f"Cost: {cost_text(found.cost)}.", f"The same: {same}"]
    if found.cursor is not None:
        why = "" if shown == limit else " Not all that was asked for was read."
        lines.insert(1, f"There may be more:{why} --cursor {found.cursor}")
    output.say(
        "\n".join(["", *lines] if shown else lines),
        operation=found.operation.lower(),
        shown=shown,
        read=found.read,
        cursor=found.cursor,
        cost=cost_fields(found.cost),
        aws_cli=same,
    )


def _sentence(found: Browsed) -> str:
    shown, place = len(found.items), found.index.name if found.index else found.table.name
    left_out = f", {found.read - shown:,} of them not shown" if found.read > shown else ""
    what = "A query of" if found.operation == "Query" else "A scan, which reads all items of"
    counted = "" if found.operation == "Query" else f" (about {found.counted:,})"
    return f"{what} {place}{counted}: {shown:,} shown, {found.read:,} read{left_out}."
