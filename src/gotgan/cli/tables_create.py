"""``gotgan tables create``: tables as they are declared, where they are missing."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import asdict
from typing import TYPE_CHECKING, Any

import click

from gotgan.cli.database import opened
from gotgan.cli.declared import chosen, declared, module_option, tables_argument
from gotgan.cli.output import Output

if TYPE_CHECKING:
    from gotgan.store.outputs.creation import Created

__all__ = ["command"]


@click.command("create")
@tables_argument
@module_option
@click.option(
    "--add-indexes", is_flag=True, help="Add global indexes that a table lacks, one by one."
)
@click.option(
    "--wait",
    type=click.FloatRange(0),
    default=600,
    show_default=True,
    metavar="SECONDS",
    help="How long to wait for a table or an index; a large one may need hours.",
)
@click.pass_obj
def command(
    output: Output,
    *,
    tables: Sequence[str],
    modules: Sequence[str],
    add_indexes: bool,
    wait: float,
) -> None:
    """Make tables where they are missing, as they are declared.

    A table that is there and fits is left alone. One that does not fit is an error, and is not
    touched. Without names, all tables are made.
    """
    from gotgan.store.outputs.creation import create
    from gotgan.store.outputs.live import Patience

    known, patience = declared(modules), Patience(seconds=wait)
    with opened(output) as database:
        driver, names = database.driver, database.names
        for table in chosen(known, tables, names):
            made = create(driver, table, names, add_indexes=add_indexes, patience=patience)
            output.say(_sentences(made), table=table.name, **_fields(made))


def _fields(made: Created) -> dict[str, Any]:
    fields = asdict(made)
    return {"called": fields.pop("name"), **fields}


def _sentences(made: Created) -> str:
    deeds = [f"{name} added" for name in made.indexes]
    if made.expires and not made.new:
        deeds.append("time to live turned on")
    done = ["made" if made.new else "there", *deeds] if made.new or deeds else ["there, and fits"]
    notes = [f"  {difference}" for difference in made.differences]
    return "\n".join([f"{made.name}: {', '.join(done)}", *notes])
