"""``gotgan tables dump``: a table as lines of DynamoDB JSON."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import TYPE_CHECKING

import click

from gotgan.cli.database import opened
from gotgan.cli.output import Output
from gotgan.cli.ticker import ticker
from gotgan.cli.units import cost_fields, cost_text
from gotgan.errors import UsageError

if TYPE_CHECKING:
    from gotgan.store.data.dump import Dumped

__all__ = ["command"]


@click.command("dump")
@click.argument("table")
@click.argument("target", type=click.Path(path_type=Path, allow_dash=True))
@click.option(
    "--segments",
    type=click.IntRange(1, 1000),
    metavar="N",
    help="How many parts are read at once, each into its own file; 4 unless said otherwise.",
)
@click.option("--gzip", "compress", is_flag=True, help="Compress the parts, as AWS's exports are.")
@click.option("--consistent", is_flag=True, help="Read consistently, at twice the cost.")
@click.pass_obj
def command(
    output: Output,
    *,
    table: str,
    target: Path,
    segments: int | None,
    compress: bool,
    consistent: bool,
) -> None:
    """Write a table as lines of DynamoDB JSON.

    TARGET is a folder, a file (when it ends in .json, .jsonl or .gz), or - for standard output. A
    dump that was stopped goes on where it was when the same command is given again.
    """
    if str(target) == "-":
        if segments not in (None, 1) or compress:
            raise UsageError("standard output takes neither --segments nor --gzip")
        _to_standard_output(output, table, consistent=consistent)
        return
    from gotgan.store.data.dump import dump

    with opened(output) as database, ticker(output) as on_progress:
        done = dump(
            database.driver,
            database.name_of(table),
            target,
            segments=segments,
            compress=compress,
            consistent=consistent,
            on_progress=on_progress,
        )
    _report(output, done, target)


def _to_standard_output(output: Output, table: str, *, consistent: bool) -> None:
    """Lines to standard output and nothing else; what there is to say goes to standard error."""
    from gotgan.store.data.dump import dump_to

    with opened(output) as database, ticker(output) as on_progress:
        done = dump_to(
            database.driver,
            database.name_of(table),
            sys.stdout.buffer,
            consistent=consistent,
            on_progress=on_progress,
        )
    click.echo(_sentence(done), err=True)


def _report(output: Output, done: Dumped, target: Path) -> None:
    output.say(
        f"{_sentence(done)}\nIt is in {target}.",
        table=done.table,
        target=str(target),
        items=done.items,
        bytes=done.bytes,
        resumed=done.resumed,
        seconds=round(done.seconds, 3),
        cost=cost_fields(done.cost),
    )


def _sentence(done: Dumped) -> str:
    before = f", {done.resumed:,} of them by an earlier run" if done.resumed else ""
    return (
        f"{done.items:,} items of {done.table} in {done.bytes:,} bytes{before}, "
        f"in {done.seconds:,.1f} s: {cost_text(done.cost)}."
    )
