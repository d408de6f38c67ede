"""The scheduler: a thread that finds due jobs, asks their gates and starts their verbs.

It keeps no state. What is due follows from the stored ticks and the time, so it does not matter how
long ago the last look was, in which process, or whether the clock was set since.
"""

from __future__ import annotations

import threading
import time
from collections.abc import Sequence
from datetime import date, datetime, timedelta
from functools import partial
from typing import Any, Final, Protocol, Self

from gotgan.clock import Clock
from gotgan.domain import GateDecision, Job, SimpleDecision, skip
from gotgan.errors import Conflict, GotganError
from gotgan.events import emit
from gotgan.messages import Template
from gotgan.retry import Outage
from gotgan.runs import Run, Runs
from gotgan.schedule import Tick
from gotgan.scheduler.cron import DueJob, due_jobs, next_at
from gotgan.scheduler.ticks import Ticks

_MAX_PAUSE_S: Final = 30.0
"""The longest pause between two looks at the clock, which may be set or have slept."""
_MAX_WAIT: Final = timedelta(hours=1)
"""How long a job waits for the one before it, whose process may have died."""
_LATE_S: Final = 3 * _MAX_PAUSE_S
"""After this time without a look the loop is stuck, or keeps failing."""

_STILL_RUNNING: Final = Template(
    "schedule.still_running", "the previous run of {verb} is still running"
)
FAULT: Final = Template("schedule.fault", "Internal error. See the log for details.")


class VerbRunner(Protocol):
    """Runs verbs and asks gates: the app."""

    @property
    def runs(self) -> Runs:
        """The running verbs."""

    def start(self, verb: str) -> Run:
        """Run a verb in the background."""

    def ask(self, gate: str) -> GateDecision:
        """The decision of a gate."""


class Scheduler:
    """Runs scheduled jobs in a thread; tests call ``tick`` instead."""

    def __init__(
        self, duties: VerbRunner, ticks: Ticks, *, clock: Clock, zone: str, jobs: Sequence[Job]
    ) -> None:
        self._duties = duties
        self._ticks = ticks
        self._clock = clock
        self._zone = zone
        self._jobs = jobs
        self._outage = Outage("schedule", longest=_MAX_PAUSE_S)
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
        """Start the thread."""
        self._looked_at = time.monotonic()
        self._thread.start()

    def check(self) -> str | None:
        """``late`` if it runs, but has not looked at the schedule for too long."""
        is_late = time.monotonic() - self._looked_at > _LATE_S
        return "late" if self._looked_at and not self._is_stopping and is_late else None

    def stop(self) -> None:
        """Start no more jobs; the app ends those that run."""
        self._is_stopping = True
        self._woken.set()
        if self._thread.is_alive():
            self._thread.join()

    def tick(self, *, is_start: bool = False) -> None:
        """Look at the schedule once: ask the gates of due jobs, and run them or record why not.

        ``is_start`` is for the first look: jobs that run at every start are due too.
        """
        now = self._clock.now()
        ticked = self._ticks.last([job.name for job in self._jobs], now)
        last = {name: tick.at for name, tick in ticked.items()}
        for each in due_jobs(self._jobs, last, now, self._zone, is_start=is_start):
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
        """Look at the schedule; if that fails, return the seconds until the next attempt."""
        try:
            self.tick(is_start=is_start)
        except Exception as error:  # noqa: BLE001 - the next look finds the same jobs due
            reason = error.message if isinstance(error, GotganError) else repr(error)
            return self._outage.failed(reason)
        self._outage.succeeded()
        self._looked_at = time.monotonic()
        return None

    def _pause(self) -> float:
        """Seconds until the next job is due, or the clock is looked at again."""
        if self._is_stopping:
            return 0.0
        now = self._clock.now()
        until = min(next_at(job, now, self._zone) for job in self._jobs)
        return min((until - now).total_seconds(), _MAX_PAUSE_S)

    def _attend(self, each: DueJob, now: datetime) -> None:
        if self._is_held(each, now):
            return  # it stays due; the end of the other job wakes the loop
        answer = self._answer(each.job)
        tick = self._ticks.claim(each, answer, now)
        if tick is None:
            return
        emit("schedule.tick", job=tick.job, status=answer.status, reason=answer.reason)
        if answer.status == "run":
            self._start(each.job, tick)

    def _is_held(self, each: DueJob, now: datetime) -> bool:
        before = each.job.after
        if before is None or now - each.at > _MAX_WAIT:
            return False
        return self._ticks.is_running(before, each.at)

    def _answer(self, job: Job) -> GateDecision:
        under_way = self._duties.runs.latest(job.verb)
        if under_way is not None and under_way.state == "running":
            return skip("in_progress", _STILL_RUNNING(verb=job.verb))
        try:
            return self._duties.ask(job.gate)
        except Exception as error:  # noqa: BLE001 - a broken gate stops its own job only
            return failed_decision(error)

    def _start(self, job: Job, tick: Tick) -> None:
        try:
            run = self._duties.start(job.verb)
        except Conflict as busy:
            self._end(tick, skip("in_progress", busy.message))
        except Exception as error:  # noqa: BLE001 - as above
            self._end(tick, failed_decision(error))
        else:
            self._duties.runs.then(run.id, partial(self._has_ended, tick))

    def _end(self, tick: Tick, answer: GateDecision) -> None:
        error = answer.words if answer.status == "failed" else None
        changes = {"status": answer.status, "reason": answer.reason, "words": answer.words}
        self._ticks.end(tick, **changes, finished_at=self._clock.now(), error=error)

    def _has_ended(self, tick: Tick, run: Run) -> None:
        """Called in the thread of the run; the app waits for it before it closes the database."""
        self._ticks.end(tick, **tick_result(run))
        self._woken.set()

    def _prune(self, now: datetime) -> None:
        if self._pruned_on != now.date():
            self._ticks.prune(now)
            self._pruned_on = now.date()


def tick_result(run: Run) -> dict[str, Any]:
    """The columns of a tick whose run has ended.

    A verb that failed and recorded that itself returns a report that says so, and no error.
    """
    columns: dict[str, Any] = {"status": "done", "finished_at": run.finished_at, "error": None}
    report: Any = run.report
    if run.error is not None:
        return columns | {"status": "failed", "error": run.error.message}
    if hasattr(report, "cost"):
        columns |= {"reads": report.cost.reads, "writes": report.cost.writes}
    if hasattr(report, "words"):
        columns["words"] = report.words
        if getattr(report, "outcome", None) in {"failed", "partial"}:
            columns |= {"status": "failed", "error": report.words}
    return columns


def failed_decision(error: Exception) -> SimpleDecision:
    """The decision of a gate that is broken, or whose verb cannot be started."""
    if isinstance(error, GotganError):
        return SimpleDecision("failed", error.code, error.message)
    emit("schedule.fault", level="error", reason=repr(error))
    return SimpleDecision("failed", GotganError.code, FAULT())
