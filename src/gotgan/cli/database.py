"""The database that the settings name, for as long as a command needs it."""

from __future__ import annotations

import sys
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from typing import TYPE_CHECKING

from gotgan.cli.output import Output
from gotgan.events import write_to
from gotgan.settings import Settings

if TYPE_CHECKING:
    from gotgan.store.drivers.retrying import Retrying
    from gotgan.store.tables import Names

__all__ = ["TableAccess", "opened"]


@dataclass(frozen=True)
class TableAccess:
    """A way to the tables, and what they are called there."""

    driver: Retrying
    names: Names

    def name_of(self, table: str) -> str:
        """The name that the database knows, for that or the declared one."""
        return self.names.tables.get(table, table)


@contextmanager
def opened(output: Output) -> Iterator[TableAccess]:
    """Open the database, and close it in the end; events go to standard error."""
    from gotgan.store.drivers.opening import open_driver
    from gotgan.store.drivers.retrying import Retrying
    from gotgan.store.tables import Names

    settings = Settings.from_env()
    write_to(sys.stderr, level=settings.log, as_json=output.as_json)
    driver = Retrying(open_driver(settings))
    try:
        yield TableAccess(driver, Names.parse(settings.names()))
    finally:
        driver.close()
