"""Opens the app or the tables that the settings name, while a command runs."""

from __future__ import annotations

import os
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from typing import TYPE_CHECKING

import click

from gotgan.cli import messages
from gotgan.cli.output import Output
from gotgan.cli.reader import remember
from gotgan.errors import SettingsError
from gotgan.events import write_to
from gotgan.settings import Settings

if TYPE_CHECKING:
    from gotgan.app import App
    from gotgan.store.drivers.retries import RetryingDriver
    from gotgan.store.tables import Names


def read_settings(output: Output) -> Settings:
    """The settings of the environment; from now on, events go to standard error."""
    settings = Settings.from_env()
    remember(settings)
    write_to(sys.stderr, level=settings.log, as_json=output.as_json)
    return settings


@contextmanager
def open_app(
    output: Output, *, writes: bool = False, settings: Settings | None = None
) -> Iterator[App]:
    """Open the app that the environment names, and close it; events go to standard error.

    When the command has printed its result, it prints what that cost, if the reader pays or asks.
    With ``writes``, a data folder that cannot be written is refused before the command starts.
    """
    from gotgan.app import App

    chosen = settings or Settings.from_env()
    remember(chosen)
    write_to(sys.stderr, level=chosen.log, as_json=output.as_json)
    is_local = chosen.dynamodb == "embedded" or chosen.database is None
    if writes and is_local and chosen.data.exists() and not os.access(chosen.data, os.W_OK):
        raise SettingsError(messages.READ_ONLY(folder=chosen.data))
    with App.open(chosen) as app:
        yield app
        cost = app.store.total()
    click.get_current_context().call_on_close(lambda: output.write_cost(cost))


@dataclass(frozen=True)
class TableAccess:
    """A way to the tables, and what they are called there."""

    driver: RetryingDriver
    names: Names

    def name_of(self, table: str) -> str:
        """The name that the database knows, for that or the declared one."""
        return self.names.tables.get(table, table)


@contextmanager
def open_tables(output: Output) -> Iterator[TableAccess]:
    """Open the database of the tables, and close it; events go to standard error."""
    from gotgan.store.drivers.embedded import open_driver
    from gotgan.store.drivers.retries import RetryingDriver
    from gotgan.store.tables import Names

    settings = read_settings(output)
    driver = RetryingDriver(open_driver(settings))
    try:
        yield TableAccess(driver, Names.parse(settings.names()))
    finally:
        driver.close()
