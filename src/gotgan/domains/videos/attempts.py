"""One attempt at a job: how far it has come, how it ends, and that it is still ours."""

from __future__ import annotations

import random
import threading
from collections.abc import Callable
from contextlib import AbstractContextManager
from datetime import timedelta
from typing import Final

from sqlalchemy import Connection

from gotgan.clock import Clock
from gotgan.domains.videos import results, snapshots
from gotgan.domains.videos.beating import beating
from gotgan.domains.videos.jobs import ATTEMPTS, Jobs
from gotgan.domains.videos.models import CODES, Code, Material, Step, Usage, VideoJob
from gotgan.domains.videos.reports import VideoResult
from gotgan.errors import (
    AnalysisError,
    AnalysisTimeout,
    GotganError,
    Interrupted,
    LostRace,
    UpstreamBusy,
)
from gotgan.events import emit
from gotgan.retry import Policy
from gotgan.settings import LogLevel
from gotgan.sql import Database

__all__ = ["LONGEST", "Attempt"]

LONGEST: Final = timedelta(minutes=10)
"""How long one attempt may take."""
_PAUSES: Final = Policy(attempts=ATTEMPTS, base=10.0, cap=600.0, factor=3.0)
"""Ten seconds before the second attempt, thirty before the third."""
_LONGEST_WAIT: Final = timedelta(minutes=10)
"""Whoever wants to be left alone for longer is not waited for."""


class Attempt:
    """An attempt; whatever it writes is refused once the job is in other hands."""

    def __init__(
        self,
        job: VideoJob,
        jobs: Jobs,
        database: Database,
        clock: Clock,
        stopping: threading.Event,
    ) -> None:
        """``stopping`` is set when the program is about to end."""
        self.job = job
        self.usage = job.usage
        """What this attempt and those before it have cost."""
        self._stopping = stopping
        self._jobs = jobs
        self._database = database
        self._clock = clock
        self._ends = clock.monotonic() + LONGEST.total_seconds()

    @property
    def is_one_too_many(self) -> bool:
        """Whether all that may be made were made, and whoever made the last one died."""
        return self.job.attempts > ATTEMPTS

    def kept_alive(self) -> AbstractContextManager[None]:
        """Signs of life while a block runs, for as long as an attempt may take."""
        return beating(self._renew, seconds=LONGEST.total_seconds())

    def tell(self, step: Step, percent: int, message: str = "") -> None:
        """Say how far it has come; AnalysisTimeout where it has taken too long."""
        if self._stopping.is_set():
            raise Interrupted("the program is ending; the job is left to whoever is next")
        if self._clock.monotonic() > self._ends:
            raise AnalysisTimeout(
                f"it took longer than {LONGEST.total_seconds() / 60:.0f} minutes; try again"
            )
        with self._database.begin() as connection:
            self._jobs.progress(connection, self.job, step, percent, message)

    def spend(self, usage: Usage) -> None:
        """Note what was spent, whatever comes of it."""
        self.usage += usage
        if usage != Usage():
            self._write(lambda connection: self._jobs.spend(connection, self.job, usage))

    def keep(self, material: Material) -> str:
        """Keep what was collected, for this attempt and the next ones; give its id."""
        with self._database.begin() as connection:
            snapshot_id = snapshots.save(connection, material, self._clock.now())
            self._jobs.attach(connection, self.job, snapshot_id=snapshot_id)
        return snapshot_id

    def finish(self, result: VideoResult) -> None:
        """Save the result and end the job, both or neither."""
        with self._database.begin() as connection:
            self._jobs.complete(connection, self.job, result_id=result.id)
            results.add(connection, result)
        self._emit("videos.job.completed", result=result.id)

    def give_back(self) -> None:
        """Leave the job to others; the attempt does not count."""
        self._write(lambda connection: self._jobs.give_back(connection, self.job))
        self._emit("videos.job.given_back")

    def will_retry(self, error: GotganError) -> bool:
        """Whether another attempt follows if this one ends with the error."""
        return self._wait(error) is not None

    def end(self, error: GotganError) -> None:
        """Try again later where that may help; else fail for good."""
        wait = self._wait(error)
        if wait is None:
            self._fail(error)
            return
        why = f"attempt {self.job.attempts} of {ATTEMPTS} failed: {error.message}"
        self._write(lambda connection: self._jobs.later(connection, self.job, wait=wait, why=why))
        self._emit("videos.job.retried", reason=error.message)

    def _wait(self, error: GotganError) -> timedelta | None:
        """How long to wait before the next attempt; None where there shall be none."""
        if not error.retry or self.job.attempts >= ATTEMPTS:
            return None
        usual = _PAUSES.longest(self.job.attempts) * random.uniform(1, 1.2)  # noqa: S311
        wait = timedelta(seconds=max(usual, _asked(error) or 0))
        return wait if wait <= _LONGEST_WAIT else None

    def _fail(self, error: GotganError) -> None:
        asked = _asked(error)
        until = None if asked is None else self._clock.now() + timedelta(seconds=asked)
        code, message = _code_of(error), error.message

        def fail(connection: Connection) -> None:
            self._jobs.fail(connection, self.job, code=code, message=message, retry_after=until)

        self._write(fail)
        self._emit("videos.job.failed", code=code, reason=message)

    def _renew(self) -> None:
        if self._stopping.is_set():
            raise LostRace("the program is ending; whoever is next may have the job")
        self._write(lambda connection: self._jobs.renew(connection, self.job))

    def _write(self, write: Callable[[Connection], None]) -> None:
        with self._database.begin() as connection:
            write(connection)

    def _emit(self, name: str, *, code: str = "", reason: str = "", result: str = "") -> None:
        job, said = self.job, {"code": code, "reason": reason, "result": result}
        level: LogLevel = "warning" if reason else "info"
        told = {key: value for key, value in said.items() if value}
        emit(name, level=level, job=job.job_id, video=job.video_id, attempt=job.attempts, **told)


def _asked(error: GotganError) -> float | None:
    """How many seconds somebody asks us to wait."""
    return error.retry_after if isinstance(error, UpstreamBusy) else None


def _code_of(error: GotganError) -> Code:
    if isinstance(error, AnalysisError):
        return next(code for code in CODES if code == error.job_code)
    return "COMMON_INTERNAL_ERROR"
