"""``gotgan tables create``: tables and indexes as they are declared, where they are missing."""

from __future__ import annotations

import time
from collections.abc import Callable, Mapping, Sequence
from dataclasses import asdict
from typing import TYPE_CHECKING, Any

import click

from gotgan.cli.database import opened
from gotgan.cli.declared import chosen, declared, module_option, tables_argument
from gotgan.cli.output import Output
from gotgan.cli.ticker import written_over
from gotgan.cli.units import cost_fields, cost_text

if TYPE_CHECKING:
    from gotgan.store.costs import Cost
    from gotgan.store.outputs.creation import Backfill, Created

__all__ = ["command"]


@click.command("create")
@tables_argument
@module_option
@click.option(
    "--wait",
    type=click.FloatRange(0),
    default=600,
    show_default=True,
    metavar="SECONDS",
    help="How long to wait for a table or an index; a large one may need hours.",
)
@click.pass_obj
def command(output: Output, *, tables: Sequence[str], modules: Sequence[str], wait: float) -> None:
    """Create tables and indexes where they are missing.

    Indexes are added to existing tables one at a time, and filled from their items. The command
    first says what that costs at most, and waits until each index is ACTIVE. A table that does not
    fit its declaration otherwise is an error, and is not changed. Without names: all tables.
    """
    from gotgan.store.outputs.creation import create
    from gotgan.store.outputs.live import TableWait

    known = declared(modules)
    with opened(output) as database, written_over(output) as show:
        driver, names = database.driver, database.names
        patience = TableWait(seconds=wait, watch=_watcher(show))
        for table in chosen(known, tables, names):
            work = _Work(output)
            made = create(
                driver, table, names, add_indexes=True, patience=patience, on_index=work.announce
            )
            output.say(work.sentences(made), table=table.name, **work.fields(made))


class _Work:
    """What is said of one table: what its indexes cost before, and how long they took after."""

    def __init__(self, output: Output) -> None:
        self._output = output
        self._started = time.monotonic()
        self._backfills: list[Backfill] = []

    def announce(self, backfill: Backfill) -> None:
        """Say what an index costs before it is added."""
        self._backfills.append(backfill)
        if not self._output.as_json:
            text = (
                f"{backfill.table}: adding index {backfill.index}, filled from about "
                f"{backfill.items:,} items. At most {cost_text(_cost(backfill))}. On AWS this "
                "takes minutes, and hours for millions of items."
            )
            click.echo(text, err=True)

    def sentences(self, made: Created) -> str:
        """What was done to a table, and in what it still differs."""
        deeds = [f"index {name} added" for name in made.indexes]
        if made.indexes:
            deeds[-1] += f" in {time.monotonic() - self._started:,.1f} s"
        if made.expires and not made.new:
            deeds.append("time to live turned on")
        first = "created" if made.new else "exists"
        done = [first, *deeds] if made.new or deeds else ["exists, and fits"]
        notes = [f"  {difference}" for difference in made.differences]
        return "\n".join([f"{made.name}: {', '.join(done)}", *notes])

    def fields(self, made: Created) -> dict[str, Any]:
        """The same for programs."""
        fields = asdict(made)
        backfills = [
            {"index": each.index, "items": each.items, "cost": cost_fields(_cost(each))}
            for each in self._backfills
        ]
        seconds = round(time.monotonic() - self._started, 3)
        return {"called": fields.pop("name"), **fields, "backfills": backfills, "seconds": seconds}


def _watcher(show: Callable[[str], None]) -> Callable[[Mapping[str, Any]], None]:
    """Shows what is waited for, and for how long."""
    started = time.monotonic()

    def watch(description: Mapping[str, Any]) -> None:
        indexes = description.get("GlobalSecondaryIndexes") or ()
        coming = [each for each in indexes if each["IndexStatus"] != "ACTIVE"]
        parts = [
            f"index {each['IndexName']} {each['IndexStatus']}, {each.get('ItemCount', 0):,} items"
            for each in coming
        ]
        state = "; ".join(parts) or description["TableStatus"]
        show(f"{description['TableName']}: {state}, {time.monotonic() - started:,.0f} s")

    return watch


def _cost(backfill: Backfill) -> Cost:
    from gotgan.store.costs import Cost, CostLine

    if not backfill.writes:
        return Cost()
    return Cost((CostLine("create", backfill.table, backfill.index, 0.0, float(backfill.writes)),))
