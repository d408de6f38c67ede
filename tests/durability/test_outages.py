"""A database that goes away under a running program: few lines in the log, and work resumes."""

from __future__ import annotations

import logging
import threading
from collections.abc import Iterator
from itertools import pairwise

import pytest
from sqlalchemy import event

from gotgan.app import App
from gotgan.events import Event
from tests.sql.fixtures import postgres
from tests.sql.servers import Postgres

__all__ = ["postgres"]

SOON = 60.0
LEAST_BETWEEN_LINES = 59.0
LOOPS = ("schedule", "videos.work")


class Lines(logging.Handler):
    """When each event was logged, by its name."""

    def __init__(self) -> None:
        super().__init__()
        self._times: dict[str, list[float]] = {}
        self._came = threading.Condition()

    def emit(self, record: logging.LogRecord) -> None:
        assert isinstance(record.msg, Event)
        with self._came:
            self._times.setdefault(record.msg.name, []).append(record.created)
            self._came.notify_all()

    def of(self, name: str) -> list[float]:
        """The times of an event; waits for the first."""
        with self._came:
            assert self._came.wait_for(lambda: name in self._times, SOON), name
            return list(self._times[name])


@pytest.fixture
def lines() -> Iterator[Lines]:
    lines = Lines()
    logging.getLogger("gotgan").addHandler(lines)
    yield lines
    logging.getLogger("gotgan").removeHandler(lines)


def test_loops_log_little_while_the_database_is_away_and_say_when_it_is_back(
    postgres: Postgres, lines: Lines
) -> None:
    tried = threading.Semaphore(0)
    with postgres.fresh(prepared=True) as settings, App.open(settings) as app:
        workers = app.videos.workers()
        with workers, app.scheduler():
            with postgres.away(settings):
                event.listen(app.database.engine, "do_connect", lambda *_: tried.release())
                for _ in range(12):
                    workers.wake()
                    assert tried.acquire(timeout=SOON)
                for loop in LOOPS:
                    assert lines.of(f"{loop}.failed")
            for loop in LOOPS:
                assert len(lines.of(f"{loop}.recovered")) == 1
    for loop in LOOPS:
        spans = [later - earlier for earlier, later in pairwise(lines.of(f"{loop}.failed"))]
        assert all(span >= LEAST_BETWEEN_LINES for span in spans)
