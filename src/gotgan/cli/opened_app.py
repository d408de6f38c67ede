"""The app that the settings name, for as long as a command needs it."""

from __future__ import annotations

import sys
from collections.abc import Iterator
from contextlib import contextmanager
from typing import TYPE_CHECKING

from gotgan.cli.output import Output
from gotgan.errors import NotFound, TableMissing
from gotgan.events import write_to
from gotgan.settings import Settings

if TYPE_CHECKING:
    from gotgan.app import App

__all__ = ["opened_app"]


@contextmanager
def opened_app(
    output: Output,
    *,
    prepare: bool = False,
    settings: Settings | None = None,
    empty: str | None = None,
) -> Iterator[App]:
    """Open the app as the environment has it, and close it in the end; events go to standard error.

    Tables are made by commands that ``prepare`` them. One that only reads says that there are none,
    or what ``empty`` says.
    """
    from gotgan.app import App

    chosen = settings or Settings.from_env()
    write_to(sys.stderr, level=chosen.log, as_json=output.as_json)
    with App.open(chosen) as app:
        if prepare:
            app.prepare()
        try:
            yield app
        except TableMissing as missing:
            raise missing if empty is None else NotFound(empty) from missing
