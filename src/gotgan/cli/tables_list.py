"""``gotgan tables list``: which tables are declared, and how they are."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

import click

from gotgan.cli.database import TableAccess, opened
from gotgan.cli.declared import chosen, declared, module_option
from gotgan.cli.grid import grid
from gotgan.cli.output import ExitCode, Output
from gotgan.errors import StoreUnreachable

if TYPE_CHECKING:
    from gotgan.store.drivers import Driver
    from gotgan.store.tables import Table

__all__ = ["command", "statuses"]


@click.command("list")
@module_option
@click.pass_obj
def command(output: Output, *, modules: Sequence[str]) -> ExitCode:
    """Show which tables are declared, and how they are.

    Each with its entities, indexes and access patterns, and whether it is there.
    """
    known = declared(modules)
    with opened(output) as database:
        rows = _rows(database, chosen(known, (), database.names))
    if output.as_json:
        for row in rows:
            output.say("", **row)
    else:
        output.say(grid([_counted(row) for row in rows], list(rows[0])))
    reached = all(row["status"] != "unreachable" for row in rows)
    return ExitCode.OK if reached else ExitCode.RETRY


def _rows(database: TableAccess, tables: Sequence[Table]) -> list[dict[str, Any]]:
    names = database.names
    found = statuses(database.driver, [names.of(table) for table in tables])
    return [
        {
            "table": table.name,
            "called": names.of(table),
            "at": database.driver.name,
            "status": status,
            "entities": [entity.__name__ for entity in table.entities],
            "indexes": [names.of(index) for index in table.indexes.values()],
            "patterns": [pattern.name for pattern in table.patterns],
        }
        for table, status in zip(tables, found, strict=True)
    ]


def _counted(row: dict[str, Any]) -> dict[str, Any]:
    """A row for people: entities by name, and how many there are of the rest."""
    return {
        **row,
        "entities": ", ".join(row["entities"]),
        "indexes": str(len(row["indexes"])),
        "patterns": str(len(row["patterns"])),
    }


def statuses(driver: Driver, names: Sequence[str]) -> list[str]:
    """How live tables are; a database that does not answer is asked once, and no reason to stop."""
    from gotgan.store.outputs.live import describe

    found: list[str] = []
    try:
        for name in names:
            description = describe(driver, name)
            status = "missing" if description is None else str(description["TableStatus"])
            found.append(status.lower())
    except StoreUnreachable:
        return ["unreachable"] * len(names)
    return found
