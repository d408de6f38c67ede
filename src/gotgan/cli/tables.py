"""``gotgan tables``: everything that follows from the declaration of tables."""

from __future__ import annotations

from typing import Final

import click

from gotgan.cli.frame import LazyGroup
from gotgan.domain import Command

__all__ = ["COMMANDS", "command"]

COMMANDS: Final = {
    "browse": Command(
        "gotgan.cli.tables_browse", "Look into a table: by key, by an index, or by a scan."
    ),
    "create": Command(
        "gotgan.cli.tables_create", "Create tables and indexes where they are missing."
    ),
    "dump": Command("gotgan.cli.tables_dump", "Write a table as lines of DynamoDB JSON."),
    "export": Command(
        "gotgan.cli.tables_export", "Write tables as a template, a policy, a page or JSON."
    ),
    "list": Command("gotgan.cli.tables_list", "Show which tables are declared, and how they are."),
    "load": Command("gotgan.cli.tables_load", "Write lines of DynamoDB JSON into a table."),
    "verify": Command("gotgan.cli.tables_verify", "Compare live tables with their declaration."),
}


@click.group("tables", cls=LazyGroup, commands_at=COMMANDS, no_args_is_help=False)
def command() -> None:
    """Make, check, show, read and copy tables.

    Their names where they live can be set with GOTGAN_TABLES, and where that is with
    GOTGAN_DYNAMODB.
    """
