"""What ``gotgan up --sample`` shows: a small site, and news of a simulated web."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Final

from gotgan.settings import Settings

if TYPE_CHECKING:
    from gotgan.app import App

__all__ = ["fill_sample", "sample_settings"]

_FOLDER: Final = Path("gotgan-sample")
"""A folder of its own: what is made up must not lie among what was really collected."""
_PATIENCE: Final = 30.0
"""How many seconds the first list may take before the server starts without it."""


@contextmanager
def sample_settings() -> Iterator[Settings]:
    """The settings of the environment, with a simulated web in place of the real one.

    Whoever names a folder, or where hosts are served, is taken at their word.
    """
    from gotgan.world import World, serving_world

    given = Settings.from_env()
    if given.data == Settings().data:
        given = replace(given, data=_FOLDER)
    if given.resolve or given.replay:
        yield given
        return
    with serving_world(World()) as served:
        yield replace(given, resolve=served.resolve, delay=0.0)


def fill_sample(app: App) -> None:
    """Fill a site that is empty, and begin to collect."""
    from gotgan.cli.sample_site import fill
    from gotgan.domains.news.running import start_bodies, start_collect

    fill(app.site)
    collected = app.runs.wait(start_collect(app.runs, app.news).id, _PATIENCE)
    if collected.state == "done":
        start_bodies(app.runs, app.news)
