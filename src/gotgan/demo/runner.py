"""The demo, stop by stop: the clock leaps there, and what is due is done before it leaps again.

Jobs of one stop run one after the other, so the same happens every time. Leases and deadlines need
real time: while anything runs the clock does not leap.
"""

from __future__ import annotations

import threading
from datetime import datetime, timedelta
from typing import Final

from sqlalchemy import Connection

from gotgan.app import App
from gotgan.clock import LeapingClock
from gotgan.demo.stops import Outages, Stop, next_stop
from gotgan.demo.tally import DemoTally
from gotgan.demo.visitors import visit_site
from gotgan.domain import Job
from gotgan.domains.videos import queries
from gotgan.domains.videos.models import Status
from gotgan.schedule import jobs

_OPEN: Final[tuple[Status, ...]] = ("queued", "processing")
_POLL_S: Final = 0.05
_MICROSECOND: Final = timedelta(microseconds=1)


class DemoRunner:
    """Runs the schedule of one demo, in one thread."""

    def __init__(self, app: App, clock: LeapingClock, outages: Outages, begins: datetime) -> None:
        """``begins`` is its first moment; the clock may be a little further."""
        self._app = app
        self._clock = clock
        self._outages = outages
        self._schedulers = {job.name: app.scheduler(job) for job in jobs()}
        self._after = begins - _MICROSECOND
        self.stopping = threading.Event()
        """Set to end the demo; then a stop is left as soon as possible."""
        self.tally = DemoTally(begins)

    def begin(self) -> None:
        """Run the jobs of every start."""
        for job in jobs():
            if job.at_start:
                self._attend(job, is_start=True)
        self._settle()

    def next_stop(self, *, is_hurried: bool = False) -> Stop:
        """The next stop."""
        return next_stop(self._after, self._app.settings.zone, is_hurried=is_hurried)

    def go_to(self, stop: Stop) -> None:
        """Leap to a stop, and do what is due."""
        self.leap_to(stop.at)
        # It is done then even if it fails; a long job may bring the clock past other stops.
        self._after = stop.at
        self._outages.follow(stop.at)
        for job in stop.jobs:
            self._attend(job)
        self._visit(stop.at)
        self._after = max(stop.at, self._clock.now())

    def leap_to(self, moment: datetime) -> None:
        """Leap to a moment as soon as nothing runs."""
        while not self.stopping.is_set():
            self._settle()
            if self._has_leapt(moment):
                return

    def _has_leapt(self, moment: datetime) -> bool:
        """Leap, unless something has started meanwhile.

        Submitting or claiming a video job writes to the database, so neither can happen between
        this check and the leap, which would end the lease of a job at once.
        """
        with self._app.database.begin() as connection:
            if _has_open_jobs(connection):
                return False
            return self._app.runs.if_idle(lambda: self._clock.leap_to(moment))

    def _attend(self, job: Job, *, is_start: bool = False) -> None:
        if self.stopping.is_set():
            return
        runs = self._app.runs
        before = runs.latest(job.verb)
        self._schedulers[job.name].tick(is_start=is_start)
        runs.join()
        run = runs.latest(job.verb)
        if run is not None and (before is None or run.id != before.id):
            self.tally.add(run)

    def _visit(self, moment: datetime) -> None:
        if self.stopping.is_set():
            return
        visit = visit_site(self._app, moment)
        self.tally.add_visit(visit)
        if visit.jobs:
            self._settle()
        for job_id in visit.jobs:
            job = self._app.videos.job(job_id)
            if not job.is_open:
                self.tally.add_analysis(job)

    def _settle(self) -> None:
        """Wait until neither a run nor a video job is left."""
        self._app.runs.join()
        while self._is_busy_with_videos() and not self.stopping.is_set():
            if not self._app.videos.work():
                self.stopping.wait(_POLL_S)  # another worker has it

    def _is_busy_with_videos(self) -> bool:
        with self._app.database.read() as connection:
            return _has_open_jobs(connection)


def _has_open_jobs(connection: Connection) -> bool:
    return any(queries.list_jobs(connection, 1, None, status=status).items for status in _OPEN)
