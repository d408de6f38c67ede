"""One attempt at a job: its heartbeat, its progress, and how it ends."""

from __future__ import annotations

import random
import threading
from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager, contextmanager
from datetime import timedelta
from typing import Any, Final

from gotgan import errors
from gotgan.clock import Clock
from gotgan.domains.videos import messages, results, snapshots
from gotgan.domains.videos.jobs import MAX_ATTEMPTS, Jobs, known_code
from gotgan.domains.videos.models import Material, Step, Usage, VideoJob
from gotgan.domains.videos.reports import VideoResult
from gotgan.events import emit
from gotgan.messages import text
from gotgan.retry import Outage, Policy
from gotgan.sql import Database

TIME_LIMIT: Final = timedelta(minutes=10)
"""How long one attempt may take."""
_RETRY_POLICY: Final = Policy(attempts=MAX_ATTEMPTS, base=10.0, cap=600.0, factor=3.0)
"""Ten seconds before the second attempt, thirty before the third."""
_MAX_RETRY_WAIT: Final = timedelta(minutes=10)
"""A job whose upstream asks for a longer pause fails."""
_HEARTBEAT_S: Final = 20.0
"""Three of them fit into a lease."""


class Attempt:
    """An attempt; its writes raise LostRace once another worker has claimed the job."""

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
        self._ends = clock.monotonic() + TIME_LIMIT.total_seconds()

    def heartbeat(self) -> AbstractContextManager[None]:
        """Renew the lease while a block runs, for as long as an attempt may take."""
        return heartbeat(self._renew, seconds=TIME_LIMIT.total_seconds())

    def report(self, step: Step, percent: int, message: str = "") -> None:
        """Store the progress; AnalysisTimeout after the time limit."""
        if self._stopping.is_set():
            raise errors.Interrupted(messages.SHUTDOWN())
        if self._clock.monotonic() > self._ends:
            minutes = TIME_LIMIT // timedelta(minutes=1)
            raise errors.AnalysisTimeout(messages.TIME_LIMIT(minutes=minutes))
        self._write(self._jobs.progress, step=step, percent=percent, message=message)

    def spend(self, usage: Usage) -> None:
        """Store what was spent, also by an attempt that fails."""
        self.usage += usage
        if usage != Usage():
            self._write(self._jobs.spend, usage=usage)

    def keep(self, material: Material) -> str:
        """Store what was collected, for this attempt and the next ones; return its id."""
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
        """Leave the job to other workers; the attempt does not count."""
        self._write(self._jobs.give_back)
        self._emit("videos.job.given_back")

    def will_retry(self, error: errors.GotganError) -> bool:
        """Whether another attempt follows if this one ends with the error."""
        return self._wait(error) is not None

    def end(self, error: errors.GotganError) -> None:
        """Schedule a retry if the error is temporary; otherwise fail the job."""
        wait = self._wait(error)
        if wait is not None:
            why = messages.ATTEMPT_FAILED(
                count=self.job.attempts, total=MAX_ATTEMPTS, error=text(error.message)
            )
            self._write(self._jobs.retry_later, wait=wait, why=why)
            self._emit("videos.job.retried", reason=error.message)
            return
        pause = _retry_after(error)
        job_code = error.job_code if isinstance(error, errors.AnalysisError) else None
        code = known_code(job_code, "failed") or "COMMON_INTERNAL_ERROR"
        until = None if pause is None else self._clock.now() + timedelta(seconds=pause)
        self._write(self._jobs.fail, code=code, message=error.message, retry_after=until)
        self._emit("videos.job.failed", code=code, reason=error.message)

    def _wait(self, error: errors.GotganError) -> timedelta | None:
        """How long to wait before the next attempt; None if there is none."""
        if not error.retry or self.job.attempts >= MAX_ATTEMPTS:
            return None
        usual = _RETRY_POLICY.longest(self.job.attempts) * random.uniform(1, 1.2)  # noqa: S311
        wait = timedelta(seconds=max(usual, _retry_after(error) or 0))
        return wait if wait <= _MAX_RETRY_WAIT else None

    def _renew(self) -> None:
        if self._stopping.is_set():
            raise errors.LostRace(messages.SHUTDOWN())
        self._write(self._jobs.renew)

    def _write(self, change: Callable[..., None], **values: Any) -> None:
        with self._database.begin() as connection:
            change(connection, self.job, **values)

    def _emit(self, name: str, **fields: str) -> None:
        job = self.job
        known = {"job": job.job_id, "video": job.video_id, "attempt": job.attempts}
        emit(name, level="warning" if "reason" in fields else "info", **known, **fields)


def _retry_after(error: errors.GotganError) -> float | None:
    """The pause in seconds that the upstream asks for."""
    return error.retry_after if isinstance(error, errors.UpstreamBusy) else None


@contextmanager
def heartbeat(
    renew: Callable[[], None], *, seconds: float, every: float = _HEARTBEAT_S
) -> Iterator[None]:
    """Call ``renew`` regularly while a block runs, for so many seconds at most.

    After that the lease runs out, whatever the block does: so a worker that hangs is replaced.
    """
    done = threading.Event()
    outage = Outage("videos.job.renewal", level="warning")

    def beat() -> None:
        for _ in range(int(seconds / every)):
            if done.wait(every) or not _try_renew(renew, outage):
                return

    thread = threading.Thread(target=beat, name="gotgan-videos-beat", daemon=True)
    thread.start()
    try:
        yield
    finally:
        done.set()
        thread.join()


def _try_renew(renew: Callable[[], None], outage: Outage) -> bool:
    """Renew a lease; whether it makes sense to do so again."""
    try:
        renew()
    except errors.LostRace:
        return False  # the block notices at its next write
    except Exception as error:  # noqa: BLE001 - the next one may succeed
        outage.failed(error.message if isinstance(error, errors.GotganError) else repr(error))
    else:
        outage.succeeded()
    return True
