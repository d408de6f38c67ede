"""One stop after the other: the clock leaps there, and what is due is done before it leaps on.

Jobs of one stop run one after the other, so that the same happens every time. Leases and deadlines
stay on real time: while anything is under way the clock goes at its own pace.
"""

from __future__ import annotations

import threading
from datetime import datetime, timedelta
from typing import Final

from sqlalchemy import Connection

from gotgan.app import App
from gotgan.clock import LeapingClock
from gotgan.demo.outages import Outages
from gotgan.demo.people import come_by
from gotgan.demo.stops import Stop, next_stop
from gotgan.demo.tally import DemoTally
from gotgan.domains.videos import listing
from gotgan.domains.videos.models import Status
from gotgan.schedule import Job, jobs

__all__ = ["DemoRunner"]

_OPEN: Final[tuple[Status, ...]] = ("queued", "processing")
_LOOK_EVERY: Final = 0.05
_A_MOMENT: Final = timedelta(microseconds=1)


class DemoRunner:
    """The way of one demo through its timetable; one thread walks it."""

    def __init__(self, app: App, clock: LeapingClock, outages: Outages, begins: datetime) -> None:
        """``begins`` is its first moment; the clock may be a little further, for it goes on."""
        self._app = app
        self._clock = clock
        self._outages = outages
        self._schedulers = {job.name: app.scheduler(job) for job in jobs()}
        self._after = begins - _A_MOMENT
        self.stopping = threading.Event()
        """Set where nobody wants it to go on; then a stop is left as soon as may be."""
        self.tally = DemoTally(begins)

    def begin(self) -> None:
        """Do what comes round at every start."""
        for job in jobs():
            if job.at_start:
                self._attend(job, is_start=True)
        self._settle()

    def next_stop(self, *, is_hurried: bool = False) -> Stop:
        """Where it goes next."""
        return next_stop(self._after, self._app.settings.zone, is_hurried=is_hurried)

    def go_to(self, stop: Stop) -> None:
        """Let it be that moment, and do what is due."""
        self.leap_to(stop.at)
        # Whatever becomes of it, it is over then; what takes long may bring the clock past others.
        self._after = stop.at
        self._outages.follow(stop.at)
        for job in stop.jobs:
            self._attend(job)
        self._receive(stop.at)
        self._after = max(stop.at, self._clock.now())

    def leap_to(self, moment: datetime) -> None:
        """Let it be a moment as soon as nothing is under way."""
        while not self.stopping.is_set():
            self._settle()
            if self._has_leapt(moment):
                return

    def _has_leapt(self, moment: datetime) -> bool:
        """Leap, unless something has begun meanwhile.

        Whoever submits or takes a job of videos writes to the database, so neither can happen
        between this look and the leap: a leap would end the lease of a job at once.
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

    def _receive(self, moment: datetime) -> None:
        if self.stopping.is_set():
            return
        visit = come_by(self._app, moment)
        self.tally.visited(visit)
        if visit.jobs:
            self._settle()
        for job_id in visit.jobs:
            job = self._app.videos.job(job_id)
            if not job.is_open:
                self.tally.analysed(job)

    def _settle(self) -> None:
        """Wait until nothing is under way: neither a run nor a job of videos."""
        self._app.runs.join()
        while self._is_busy_with_videos() and not self.stopping.is_set():
            if not self._app.videos.work():
                self.stopping.wait(_LOOK_EVERY)  # somebody else has it in hand

    def _is_busy_with_videos(self) -> bool:
        with self._app.database.read() as connection:
            return _has_open_jobs(connection)


def _has_open_jobs(connection: Connection) -> bool:
    return any(listing.jobs(connection, 1, None, status=status).items for status in _OPEN)
