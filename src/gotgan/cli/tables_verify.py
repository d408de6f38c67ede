"""``gotgan tables verify``: where live tables are not as they are declared."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import asdict
from typing import TYPE_CHECKING

import click

from gotgan.cli.database import TableAccess, opened
from gotgan.cli.declared import chosen, declared, module_option, tables_argument
from gotgan.cli.output import ExitCode, Output

if TYPE_CHECKING:
    from gotgan.store.outputs.differences import Difference
    from gotgan.store.tables import Table

__all__ = ["command"]


@click.command("verify")
@tables_argument
@module_option
@click.pass_obj
def command(output: Output, *, tables: Sequence[str], modules: Sequence[str]) -> int:
    """Compare live tables with their declaration.

    What breaks a program ends the command with exit code 1; what only differs is shown. Without
    names, all tables are compared.
    """
    known = declared(modules)
    with opened(output) as database:
        meant = chosen(known, tables, database.names)
        fits = [_verified(output, database, table) for table in meant]
    return ExitCode.OK if all(fits) else ExitCode.FAILED


def _verified(output: Output, database: TableAccess, table: Table) -> bool:
    """Say what was found; whether the table fits."""
    from gotgan.store.outputs.differences import BREAKS

    called, found = database.names.of(table), _differences(database, table)
    fits = all(difference.severity != BREAKS for difference in found)
    verdict = "as declared" if not found else "fits" if fits else "does not fit"
    output.say(
        "\n".join([f"{called}: {verdict}", *(f"  {difference}" for difference in found)]),
        table=table.name,
        called=called,
        fits=fits,
        differences=[asdict(difference) for difference in found],
    )
    return fits


def _differences(database: TableAccess, table: Table) -> tuple[Difference, ...]:
    from gotgan.store.outputs.drift import drift
    from gotgan.store.outputs.live import describe, describe_ttl

    driver, name = database.driver, database.names.of(table)
    description = describe(driver, name)
    ttl = None if description is None else describe_ttl(driver, name)
    return drift(table, description, ttl, database.names)
