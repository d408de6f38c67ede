"""Asking for an analysis: given again where there is a fresh one, joined where one is under way."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

from sqlalchemy import Connection

from gotgan.clock import Clock
from gotgan.domains.videos import results
from gotgan.domains.videos.ids import new_id
from gotgan.domains.videos.jobs import Jobs
from gotgan.domains.videos.models import Analyser, Reason, VideoJob
from gotgan.domains.videos.refreshing import expect_allowed
from gotgan.domains.videos.reports import Submitted
from gotgan.sql import Database

__all__ = ["Submitting", "Wanted"]

_KEPT: Final = 256
"""How many results that were given again stay in memory."""


@dataclass(frozen=True)
class Wanted:
    """An analysis as somebody wants it."""

    video_id: str
    analyser: Analyser
    version: str
    cache_key: str
    reason: Reason | None = None
    """Why it is made anew though there may be a fresh one; None where it need not be."""


class _Unneeded(Exception):
    """Raised where a result has come meanwhile."""


class Submitting:
    """Where jobs come from."""

    def __init__(self, database: Database, jobs: Jobs, clock: Clock) -> None:
        self._database = database
        self._jobs = jobs
        self._clock = clock
        self._latest = database.glance(results.LATEST)
        self._known: dict[str, Submitted] = {}

    def submit(self, wanted: Wanted) -> Submitted:
        """Have an analysis made, unless there is a fresh one or one under way."""
        while True:
            found = self.found(wanted)
            if found is not None:
                return found
            added = self._added(wanted)
            if added is not None:
                return added
            # Somebody was quicker: what they did is found at the next look.

    def found(self, wanted: Wanted) -> Submitted | None:
        """What there is already: a fresh result, unless it is wanted anew, or a job under way."""
        known = self._given_before(wanted) if wanted.reason is None else None
        if known is not None:
            return known
        with self._database.read() as connection:
            if wanted.reason is None:
                hit = results.fresh_id(connection, wanted.cache_key, self._clock.now())
                if hit is not None:
                    return self._given(connection, hit)
            running = self._jobs.open_of(connection, wanted.cache_key)
            return None if running is None else Submitted(running)

    def _given_before(self, wanted: Wanted) -> Submitted | None:
        """A fresh result that is in memory, if it is still the latest: this comes most often."""
        known = self._known.get(self._latest.value(cache_key=wanted.cache_key))
        if known is None or known.result is None:
            return None
        return known if known.result.is_fresh(self._clock.now()) else None

    def _given(self, connection: Connection, result_id: str) -> Submitted:
        """A result that is there, and its job: neither changes, so what was read once is kept."""
        known = self._known.get(result_id)
        if known is None:
            result = results.get(connection, result_id)
            assert result is not None  # noqa: S101 - a transaction sees one moment
            known = Submitted(self._jobs.get(connection, result.job_id), result)
            if len(self._known) >= _KEPT:
                self._known.clear()
            self._known[result_id] = known
        return known

    def _added(self, wanted: Wanted) -> Submitted | None:
        job = self._job(wanted)
        try:
            with self._database.begin() as connection:
                self._expect_allowed(connection, wanted)
                if not self._jobs.add(connection, job):
                    return None
                self._expect_needed(connection, wanted)
        except _Unneeded:
            return None
        return Submitted(job, is_new=True)

    def _expect_needed(self, connection: Connection, wanted: Wanted) -> None:
        """See that no job has ended since we looked: its result would be made twice."""
        now = self._clock.now()
        if wanted.reason is None and results.fresh_id(connection, wanted.cache_key, now):
            raise _Unneeded

    def _expect_allowed(self, connection: Connection, wanted: Wanted) -> None:
        if wanted.reason is None:
            return
        key = wanted.cache_key
        asked = self._jobs.last_of(connection, key, reason="user_request")
        last = self._jobs.last_of(connection, key)
        newest = results.latest(connection, wanted.video_id)
        this = results.latest(connection, wanted.video_id, wanted.version)
        expect_allowed(
            wanted.reason,
            last_wanted=None if asked is None else asked.created_at,
            last_status=None if last is None else last.status,
            is_bump=newest is not None and this is None,
            now=self._clock.now(),
        )

    def _job(self, wanted: Wanted) -> VideoJob:
        now = self._clock.now()
        return VideoJob(
            job_id=new_id(now),
            video_id=wanted.video_id,
            status="queued",
            cache_key=wanted.cache_key,
            analyser=wanted.analyser,
            analysis_version=wanted.version,
            force_refresh=wanted.reason is not None,
            refresh_reason=wanted.reason,
            created_at=now,
            updated_at=now,
            due_at=self._jobs.due_now(),
        )
