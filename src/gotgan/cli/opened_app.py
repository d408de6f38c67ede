"""The app that the settings name, for as long as a command needs it."""

from __future__ import annotations

import os
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from typing import TYPE_CHECKING

from gotgan.cli.moments import remember_zone
from gotgan.cli.output import Output
from gotgan.errors import SettingsError
from gotgan.events import write_to
from gotgan.settings import Settings

if TYPE_CHECKING:
    from gotgan.app import App

__all__ = ["opened_app"]


@contextmanager
def opened_app(
    output: Output, *, writes: bool = False, settings: Settings | None = None
) -> Iterator[App]:
    """Open the app that the environment names, and close it; events go to standard error.

    A command that ``writes`` only after some time, or all the time, is refused at once where
    nothing can be written.
    """
    from gotgan.app import App

    chosen = settings or Settings.from_env()
    remember_zone(chosen)
    write_to(sys.stderr, level=chosen.log, as_json=output.as_json)
    if writes:
        _refuse_read_only(chosen)
    with App.open(chosen) as app:
        yield app


def _refuse_read_only(settings: Settings) -> None:
    is_local = settings.dynamodb == "embedded" or settings.database is None
    if is_local and settings.data.exists() and not os.access(settings.data, os.W_OK):
        raise SettingsError(
            f"The data folder {settings.data} is read-only. Give this user write access to it, or "
            "copy it to a place that you can write and set GOTGAN_DATA."
        )
