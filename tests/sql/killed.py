"""Work on a database in a process that kills itself (kill -9) after one of its statements.

``python -m tests.sql.killed prepare|videos STATEMENT NUMBER``
"""

from __future__ import annotations

import os
import signal
import subprocess
import sys
from datetime import UTC, datetime
from typing import Any

from sqlalchemy import event

from gotgan.app import App
from gotgan.clock import FixedClock
from gotgan.settings import Settings
from gotgan.sql import Database
from gotgan.store import Store
from tests.house.repository import ROOT

__all__ = ["NOW", "environment", "is_killed"]

NOW = datetime(2025, 10, 20, 8, tzinfo=UTC)
"""When the work is done."""


def is_killed(settings: Settings, work: str, statement: str, number: int) -> bool:
    """Do a work until so many of its statements contain some words; whether it came to that."""
    command = [sys.executable, "-m", "tests.sql.killed", work, statement, str(number)]
    ended = subprocess.run(command, cwd=ROOT, env=environment(settings), timeout=120, check=False)
    assert ended.returncode in {0, -signal.SIGKILL}
    return ended.returncode != 0


def environment(settings: Settings) -> dict[str, str]:
    """The variables of a process that works on the same database."""
    given = {"GOTGAN_DATA": str(settings.data.absolute())}
    if settings.database is not None:
        given["GOTGAN_DATABASE"] = settings.database.reveal()
    return os.environ | given


def main(work: str, statement: str, number: str) -> None:
    """Do a work."""
    left = int(number)

    def die(_connection: Any, _cursor: Any, said: str, *_: Any) -> None:
        nonlocal left
        left -= statement in said
        if left == 0:
            os.kill(os.getpid(), signal.SIGKILL)

    settings = Settings.from_env()
    if work == "prepare":
        with Database.open(settings) as database:
            event.listen(database.engine, "after_cursor_execute", die)
            database.prepare()
        return
    with App(settings, Store.in_memory(clock=FixedClock(NOW))) as app:
        app.prepare()
        event.listen(app.database.engine, "after_cursor_execute", die)
        app.videos.adopt()


if __name__ == "__main__":
    main(*sys.argv[1:])
