"""The loop over the timetable: it asks what is due, asks the gates, and lets verbs run.

It keeps nothing in mind. What is due follows from the ticks that are written down and from the time
of day, at every look anew; so it does not matter how long ago the last look was, in which process,
or whether the clock was set since.
"""

from __future__ import annotations

import threading
import time
from collections.abc import Sequence
from datetime import date, datetime, timedelta
from functools import partial
from typing import Final, Protocol, Self

from gotgan.clock import Clock
from gotgan.domain import GateDecision, Job, skipped
from gotgan.errors import Conflict, GotganError
from gotgan.events import emit
from gotgan.retry import Outage
from gotgan.runs import Run, Runs
from gotgan.schedule import Tick
from gotgan.scheduler.answers import failed
from gotgan.scheduler.due import Due, due, next_at
from gotgan.scheduler.endings import ending
from gotgan.scheduler.ticks import Ticks

__all__ = ["Duties", "Scheduler"]

_LONGEST_PAUSE: Final = 30.0
"""So many seconds at most lie between two looks at the clock, for it may be set or have slept."""
_HELD: Final = timedelta(hours=1)
"""How long a job waits for the one before it; whoever ran that may have died."""
_LATE_S: Final = 3 * _LONGEST_PAUSE
"""A loop that has not looked at the schedule for so long is stuck, or fails again and again."""


class Duties(Protocol):
    """Who knows what verbs and gates stand for: the app."""

    @property
    def runs(self) -> Runs:
        """The verbs that are under way."""

    def start(self, verb: str) -> Run:
        """Let a verb run in the background."""

    def ask(self, gate: str) -> GateDecision:
        """What a gate decides now."""


class Scheduler:
    """The timetable at work, in a thread of its own; tests look at it by hand, with ``tick``."""

    def __init__(
        self, duties: Duties, ticks: Ticks, *, clock: Clock, zone: str, jobs: Sequence[Job]
    ) -> None:
        self._duties = duties
        self._ticks = ticks
        self._clock = clock
        self._zone = zone
        self._jobs = jobs
        self._outage = Outage("schedule", longest=_LONGEST_PAUSE)
        self._pruned_on: date | None = None
        self._is_stopping = False
        self._looked_at = 0.0
        self._woken = threading.Event()
        self._thread = threading.Thread(target=self._loop, name="gotgan-scheduler", daemon=True)

    def __enter__(self) -> Self:
        self.start()
        return self

    def __exit__(self, *_: object) -> None:
        self.stop()

    def start(self) -> None:
        """Go by the timetable from now on."""
        self._looked_at = time.monotonic()
        self._thread.start()

    def check(self) -> str | None:
        """Whether it runs, but has not looked at the schedule for too long."""
        is_late = time.monotonic() - self._looked_at > _LATE_S
        return "late" if self._looked_at and not self._is_stopping and is_late else None

    def stop(self) -> None:
        """Start nothing more; what is under way goes on, and is the app's to end."""
        self._is_stopping = True
        self._woken.set()
        if self._thread.is_alive():
            self._thread.join()

    def tick(self, *, is_start: bool = False) -> None:
        """Look at the timetable once: ask the gates of what is due, and run or write down why not.

        ``is_start`` is for the first look: jobs that come round at the start are due too.
        """
        now = self._clock.now()
        ticked = self._ticks.last([job.name for job in self._jobs], now)
        last = {name: tick.at for name, tick in ticked.items()}
        for each in due(self._jobs, last, now, self._zone, is_start=is_start):
            if not self._is_stopping:
                self._attend(each, now)
        self._prune(now)

    def _loop(self) -> None:
        is_start = True
        while not self._is_stopping:
            self._woken.clear()
            pause = self._look(is_start=is_start)
            is_start = is_start and pause is not None
            self._woken.wait(self._pause() if pause is None else pause)

    def _look(self, *, is_start: bool) -> float | None:
        """Look at the timetable; where that fails, how many seconds to wait before the next."""
        try:
            self.tick(is_start=is_start)
        except Exception as error:  # noqa: BLE001 - the next look must come, and finds the same due
            reason = error.message if isinstance(error, GotganError) else repr(error)
            return self._outage.failed(reason)
        self._outage.succeeded()
        self._looked_at = time.monotonic()
        return None

    def _pause(self) -> float:
        """Until the next job comes round, or until the clock is looked at again."""
        if self._is_stopping:
            return 0.0
        now = self._clock.now()
        until = min(next_at(job, now, self._zone) for job in self._jobs)
        return min((until - now).total_seconds(), _LONGEST_PAUSE)

    def _attend(self, each: Due, now: datetime) -> None:
        if self._is_held(each, now):
            return  # it stays due: the end of what it waits for wakes the loop
        answer = self._answer(each.job)
        tick = self._ticks.claim(each, answer, now)
        if tick is None:
            return
        emit("schedule.tick", job=tick.job, status=answer.status, reason=answer.reason)
        if answer.status == "run":
            self._start(each.job, tick)

    def _is_held(self, each: Due, now: datetime) -> bool:
        before = each.job.after
        if before is None or now - each.at > _HELD:
            return False
        return self._ticks.is_running(before, each.at)

    def _answer(self, job: Job) -> GateDecision:
        under_way = self._duties.runs.latest(job.verb)
        if under_way is not None and under_way.state == "running":
            return skipped("in_progress", f"{job.verb} is still under way since its last tick")
        try:
            return self._duties.ask(job.gate)
        except Exception as error:  # noqa: BLE001 - a gate that is broken stops its own job alone
            return failed(error)

    def _start(self, job: Job, tick: Tick) -> None:
        try:
            run = self._duties.start(job.verb)
        except Conflict as busy:
            self._end(tick, skipped("in_progress", busy.message))
        except Exception as error:  # noqa: BLE001 - as above
            self._end(tick, failed(error))
        else:
            self._duties.runs.then(run.id, partial(self._has_ended, tick))

    def _end(self, tick: Tick, answer: GateDecision) -> None:
        error = answer.words if answer.status == "failed" else None
        changes = {"status": answer.status, "reason": answer.reason, "words": answer.words}
        self._ticks.end(tick, **changes, finished_at=self._clock.now(), error=error)

    def _has_ended(self, tick: Tick, run: Run) -> None:
        """Called in the thread of a run, which the app waits for before it closes the database."""
        self._ticks.end(tick, **ending(run))
        self._woken.set()

    def _prune(self, now: datetime) -> None:
        if self._pruned_on != now.date():
            self._ticks.prune(now)
            self._pruned_on = now.date()
