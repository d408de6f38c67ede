"""Jobs: queued, then processing, then completed or failed; one end, and for ever.

Whoever claims a job has it in hand for the time of a lease, and is known by its fence: what is
written by somebody who has lost it meanwhile is refused. All that is done here belongs to the
transaction that it is given.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import fields
from datetime import datetime, timedelta
from typing import Any, Final

from sqlalchemy import Connection, RowMapping, Select, exists, func, select, update

from gotgan.clock import Clock
from gotgan.domains.videos.models import CODES, STEPS, Code, Reason, Step, Usage, VideoJob
from gotgan.domains.videos.registry import touch
from gotgan.domains.videos.tables import ANALYSIS_JOBS, OPEN
from gotgan.errors import LostRace, NotFound
from gotgan.sql import Leases, insert_into

__all__ = ["ATTEMPTS", "LEASE", "Jobs", "job_of", "known_code"]

LEASE: Final = timedelta(seconds=60)
"""How long a job is in somebody's hands after they last gave a sign of life."""
ATTEMPTS: Final = 3

_TABLE: Final = ANALYSIS_JOBS.c
_OPEN: Final = ("queued", "processing")


_COLUMNS: Final = tuple(field.name for field in fields(VideoJob))


class Jobs:
    """The table of jobs; when one is due goes by the time of leases, the rest by the clock."""

    def __init__(self, clock: Clock, leases: Leases) -> None:
        self._clock = clock
        self._leases = leases

    def due_now(self) -> datetime:
        """When a job is due that anybody may take at once."""
        return self._leases.now()

    def add(self, connection: Connection, job: VideoJob) -> bool:
        """Add a job, unless one of its cache key is open; of many who ask at once, one adds it."""
        given = {name: getattr(job, name) for name in _COLUMNS}
        adding = insert_into(connection, ANALYSIS_JOBS).values(
            {name: value for name, value in given.items() if value is not None}
        )
        once = adding.on_conflict_do_nothing(
            index_elements=[_TABLE.cache_key],
            index_where=OPEN,
        )
        added = connection.execute(once.returning(_TABLE.job_id)).scalar_one_or_none()
        if added is not None:
            touch(connection, job.video_id, job.created_at, job_id=job.job_id)
        return added is not None

    def get(self, connection: Connection, job_id: str) -> VideoJob:
        """A job by its id."""
        job = _one(connection, select(ANALYSIS_JOBS).where(_TABLE.job_id == job_id))
        if job is None:
            raise NotFound(f"there is no job {job_id[:40]}; see gotgan videos jobs")
        return job

    def open_of(self, connection: Connection, cache_key: str) -> VideoJob | None:
        """The job of a cache key whose end is still to come."""
        query = select(ANALYSIS_JOBS).where(_TABLE.cache_key == cache_key)
        return _one(connection, query.where(_TABLE.status.in_(_OPEN)))

    def last_of(
        self, connection: Connection, cache_key: str, *, reason: Reason | None = None
    ) -> VideoJob | None:
        """The last job of a cache key; or the last one with a reason that did not fail."""
        query = select(ANALYSIS_JOBS).where(_TABLE.cache_key == cache_key)
        if reason is not None:
            query = query.where(_TABLE.refresh_reason == reason, _TABLE.status != "failed")
        newest = query.order_by(_TABLE.created_at.desc(), _TABLE.job_id.desc())
        return _one(connection, newest.limit(1))

    def claim(self, connection: Connection, job_id: str | None = None) -> VideoJob | None:
        """Take the job in hand that has been due for longest, or a certain one, if it is due."""
        now, real = self._clock.now(), self._leases.now()
        due = select(_TABLE.job_id).where(_TABLE.status.in_(_OPEN), _TABLE.due_at <= real)
        if job_id is not None:
            due = due.where(_TABLE.job_id == job_id)
        first = due.order_by(_TABLE.due_at).limit(1).with_for_update(skip_locked=True)
        taking = update(ANALYSIS_JOBS).where(_TABLE.job_id == first.scalar_subquery())
        taken = taking.values(
            status="processing",
            owner=self._leases.owner,
            attempts=_TABLE.attempts + 1,
            fence=_TABLE.fence + 1,
            due_at=real + LEASE,
            started_at=func.coalesce(_TABLE.started_at, now),
            updated_at=now,
        )
        row = connection.execute(taken.returning(ANALYSIS_JOBS)).mappings().one_or_none()
        return None if row is None else job_of(row)

    def queue(self, connection: Connection, job_id: str, recipe: Mapping[str, str]) -> bool:
        """Queue an open job of another program, unless one of the same cache key is open."""
        other = ANALYSIS_JOBS.alias("other")
        is_taken = exists().where(
            other.c.cache_key == recipe["cache_key"], other.c.status.in_(_OPEN)
        )
        queuing = update(ANALYSIS_JOBS).where(
            _TABLE.job_id == job_id,
            _TABLE.cache_key.is_(None),
            _TABLE.status.in_(_OPEN),
            ~is_taken,
        )
        values = {"status": "queued", "due_at": self.due_now(), "updated_at": self._clock.now()}
        return connection.execute(queuing.values(**recipe, **values)).rowcount == 1

    # All of these raise LostRace where a job is not in our hands any more

    def renew(self, connection: Connection, job: VideoJob) -> None:
        """Give a sign of life."""
        self._change(connection, job, due_at=self._leases.now() + LEASE)

    def progress(
        self, connection: Connection, job: VideoJob, step: Step, percent: int, message: str
    ) -> None:
        """Say how far a job has come, which is a sign of life too."""
        said = message or None
        due_at = self._leases.now() + LEASE
        self._change(connection, job, due_at=due_at, step=step, progress=percent, message=said)

    def spend(self, connection: Connection, job: VideoJob, usage: Usage) -> None:
        """Note what was spent, whatever comes of it; a price that is not known stays unknown."""
        self._change(
            connection,
            job,
            units=_TABLE.units + usage.units,
            input_tokens=_TABLE.input_tokens + usage.input_tokens,
            output_tokens=_TABLE.output_tokens + usage.output_tokens,
            cost_usd=_TABLE.cost_usd + usage.cost_usd,
        )

    def attach(self, connection: Connection, job: VideoJob, *, snapshot_id: str) -> None:
        """Note what was collected: another attempt begins with it, and asks nobody again."""
        self._change(connection, job, snapshot_id=snapshot_id)

    def complete(self, connection: Connection, job: VideoJob, *, result_id: str) -> None:
        """End a job well, with its result."""
        now = self._clock.now()
        touch(connection, job.video_id, now, result_id=result_id)
        self._change(
            connection,
            job,
            status="completed",
            progress=100,
            step=None,
            message=None,
            owner=None,
            analysis_result_id=result_id,
            completed_at=now,
        )

    def fail(
        self,
        connection: Connection,
        job: VideoJob,
        *,
        code: Code,
        message: str,
        retry_after: datetime | None = None,
    ) -> None:
        """End a job badly, and say why."""
        self._change(
            connection,
            job,
            status="failed",
            owner=None,
            error_code=code,
            error_message=message,
            retry_after=retry_after,
            completed_at=self._clock.now(),
        )

    def later(self, connection: Connection, job: VideoJob, *, wait: timedelta, why: str) -> None:
        """Let a job be tried once more after a while."""
        due_at = self._leases.now() + wait
        self._change(connection, job, status="queued", owner=None, due_at=due_at, message=why)

    def give_back(self, connection: Connection, job: VideoJob) -> None:
        """Let others have a job that was interrupted: that attempt does not count."""
        self._change(
            connection,
            job,
            status="queued",
            owner=None,
            due_at=self._leases.now(),
            attempts=_TABLE.attempts - 1,
        )

    def _change(self, connection: Connection, job: VideoJob, **changes: Any) -> None:
        ours = (
            _TABLE.job_id == job.job_id,
            _TABLE.fence == job.fence,
            _TABLE.status == "processing",
        )
        changing = update(ANALYSIS_JOBS).where(*ours)
        changed = connection.execute(changing.values(**changes, updated_at=self._clock.now()))
        if changed.rowcount != 1:
            raise LostRace(f"job {job.job_id} is not in our hands any more; leave it alone")


def _one(connection: Connection, query: Select[Any]) -> VideoJob | None:
    row = connection.execute(query).mappings().one_or_none()
    return None if row is None else job_of(row)


def job_of(row: RowMapping) -> VideoJob:
    """A job as its row has it."""
    values = {name: row[name] for name in _COLUMNS}
    return VideoJob(**values if values["cache_key"] is not None else _foreign(values))


def known_code(code: str | None, status: str | None) -> Code | None:
    """The code of a failure; other programs may have codes of their own, or none."""
    known = next((each for each in CODES if each == code), None)
    return known or ("COMMON_INTERNAL_ERROR" if status == "failed" else None)


def _foreign(values: dict[str, Any]) -> dict[str, Any]:
    """A job of another program: what it left out or named otherwise is read as the nearest."""
    step = values["step"]
    return values | {
        "cache_key": "",
        "analysis_version": values["analysis_version"] or "",
        "force_refresh": bool(values["force_refresh"]),
        "error_code": known_code(values["error_code"], values["status"]),
        "step": step if step in STEPS else None,
    }
