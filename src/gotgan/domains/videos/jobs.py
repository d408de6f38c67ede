"""Jobs: queued, then processing, then completed or failed for good.

A worker claims a job for the time of a lease, and writes to it with a fence: the writes of a worker
that has lost its job are refused. Everything belongs to the transaction of the given connection.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import fields
from datetime import datetime, timedelta
from typing import Any, Final

from sqlalchemy import Connection, RowMapping, Select, exists, func, select, update

from gotgan.clock import Clock
from gotgan.domains.videos import messages, models
from gotgan.domains.videos.tables import ANALYSIS_JOBS, OPEN, touch_video
from gotgan.errors import LostRace, NotFound
from gotgan.sql import Leases, insert_into

LEASE: Final = timedelta(seconds=60)
"""How long a job belongs to a worker after its last heartbeat."""
MAX_ATTEMPTS: Final = 3

_TABLE: Final = ANALYSIS_JOBS.c
_COLUMNS: Final = tuple(field.name for field in fields(models.VideoJob))


class Jobs:
    """The table of jobs; due times follow the clock of leases, the rest the given clock."""

    def __init__(self, clock: Clock, leases: Leases) -> None:
        self._clock = clock
        self._leases = leases

    def due_now(self) -> datetime:
        """The due time of a job that may run at once."""
        return self._leases.now()

    def add(self, connection: Connection, job: models.VideoJob) -> bool:
        """Add a job, unless one of its cache key is open: also of many at once, one is added."""
        row = {name: value for name, value in vars(job).items() if value is not None}
        insert = insert_into(connection, ANALYSIS_JOBS).values(row)
        once = insert.on_conflict_do_nothing(index_elements=[_TABLE.cache_key], index_where=OPEN)
        added = connection.execute(once.returning(_TABLE.job_id)).scalar_one_or_none()
        if added is not None:
            touch_video(connection, job.video_id, job.created_at, job_id=job.job_id)
        return added is not None

    def get(self, connection: Connection, job_id: str) -> models.VideoJob:
        """A job by its id."""
        job = _find_one(connection, select(ANALYSIS_JOBS).where(_TABLE.job_id == job_id))
        if job is None:
            raise NotFound(messages.NO_JOB(job=job_id[:40]))
        return job

    def find_open(self, connection: Connection, cache_key: str) -> models.VideoJob | None:
        """The open job of a cache key."""
        query = select(ANALYSIS_JOBS).where(_TABLE.cache_key == cache_key)
        return _find_one(connection, query.where(_TABLE.status.in_(models.OPEN_STATUSES)))

    def find_last(
        self, connection: Connection, cache_key: str, *, reason: models.Reason | None = None
    ) -> models.VideoJob | None:
        """The last job of a cache key; or the last one with a reason that did not fail."""
        query = select(ANALYSIS_JOBS).where(_TABLE.cache_key == cache_key)
        if reason is not None:
            query = query.where(_TABLE.refresh_reason == reason, _TABLE.status != "failed")
        newest = query.order_by(_TABLE.created_at.desc(), _TABLE.job_id.desc())
        return _find_one(connection, newest.limit(1))

    def claim(self, connection: Connection, job_id: str | None = None) -> models.VideoJob | None:
        """Claim the job that has been due for longest, or a certain one if it is due."""
        now, real = self._clock.now(), self._leases.now()
        due = select(_TABLE.job_id).where(
            _TABLE.status.in_(models.OPEN_STATUSES), _TABLE.due_at <= real
        )
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
        return None if row is None else job_from_row(row)

    def queue(self, connection: Connection, job_id: str, recipe: Mapping[str, str]) -> bool:
        """Queue an open job of another program, unless one of the same cache key is open."""
        other = ANALYSIS_JOBS.alias("other")
        is_taken = exists().where(
            other.c.cache_key == recipe["cache_key"], other.c.status.in_(models.OPEN_STATUSES)
        )
        is_foreign = _TABLE.cache_key.is_(None), _TABLE.status.in_(models.OPEN_STATUSES)
        change = update(ANALYSIS_JOBS).where(_TABLE.job_id == job_id, *is_foreign, ~is_taken)
        values = {"status": "queued", "due_at": self.due_now(), "updated_at": self._clock.now()}
        return connection.execute(change.values(**recipe, **values)).rowcount == 1

    # The rest raises LostRace if another worker has claimed the job meanwhile

    def renew(self, connection: Connection, job: models.VideoJob) -> None:
        """Renew the lease."""
        self._change(connection, job, due_at=self._leases.now() + LEASE)

    def progress(
        self,
        connection: Connection,
        job: models.VideoJob,
        step: models.Step,
        percent: int,
        message: str,
    ) -> None:
        """Note how far a job has come, and renew the lease."""
        changes = {"step": step, "progress": percent, "message": message or None}
        self._change(connection, job, due_at=self._leases.now() + LEASE, **changes)

    def spend(self, connection: Connection, job: models.VideoJob, usage: models.Usage) -> None:
        """Add to the cost; an unknown price makes the sum unknown."""
        self._change(
            connection,
            job,
            units=_TABLE.units + usage.units,
            input_tokens=_TABLE.input_tokens + usage.input_tokens,
            output_tokens=_TABLE.output_tokens + usage.output_tokens,
            cost_usd=_TABLE.cost_usd + usage.cost_usd,
        )

    def attach(self, connection: Connection, job: models.VideoJob, *, snapshot_id: str) -> None:
        """Note the snapshot, which the next attempt begins with."""
        self._change(connection, job, snapshot_id=snapshot_id)

    def complete(self, connection: Connection, job: models.VideoJob, *, result_id: str) -> None:
        """End a job with its result."""
        now = self._clock.now()
        touch_video(connection, job.video_id, now, result_id=result_id)
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
        job: models.VideoJob,
        *,
        code: models.Code,
        message: str,
        retry_after: datetime | None = None,
    ) -> None:
        """End a job with an error."""
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

    def retry_later(
        self, connection: Connection, job: models.VideoJob, *, wait: timedelta, why: str
    ) -> None:
        """Queue a job for another attempt after a while."""
        due_at = self._leases.now() + wait
        self._change(connection, job, status="queued", owner=None, due_at=due_at, message=why)

    def give_back(self, connection: Connection, job: models.VideoJob) -> None:
        """Queue a job that was interrupted; the attempt does not count."""
        changes = {"due_at": self._leases.now(), "attempts": _TABLE.attempts - 1}
        self._change(connection, job, status="queued", owner=None, **changes)

    def _change(self, connection: Connection, job: models.VideoJob, **changes: Any) -> None:
        ours = (
            _TABLE.job_id == job.job_id,
            _TABLE.fence == job.fence,
            _TABLE.status == "processing",
        )
        change = update(ANALYSIS_JOBS).where(*ours).values(**changes, updated_at=self._clock.now())
        if connection.execute(change).rowcount != 1:
            raise LostRace(messages.JOB_LOST(job=job.job_id))


def _find_one(connection: Connection, query: Select[Any]) -> models.VideoJob | None:
    row = connection.execute(query).mappings().one_or_none()
    return None if row is None else job_from_row(row)


def job_from_row(row: RowMapping) -> models.VideoJob:
    """A job as its row has it."""
    values = {name: row[name] for name in _COLUMNS}
    return models.VideoJob(**values if values["cache_key"] is not None else _foreign_values(values))


def known_code(code: str | None, status: str | None) -> models.Code | None:
    """The code of a failure; an unknown code of another program is an internal error."""
    known = next((each for each in models.CODES if each == code), None)
    return known or ("COMMON_INTERNAL_ERROR" if status == "failed" else None)


def _foreign_values(values: dict[str, Any]) -> dict[str, Any]:
    """The values of another program's job, with gaps filled and unknown words left out."""
    step = values["step"]
    return values | {
        "cache_key": "",
        "analysis_version": values["analysis_version"] or "",
        "force_refresh": bool(values["force_refresh"]),
        "error_code": known_code(values["error_code"], values["status"]),
        "step": step if step in models.STEPS else None,
    }
