"""Requests for analyses: a fresh result is reused, an open job joined, or a new job queued."""

from __future__ import annotations

import math
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Final

from sqlalchemy import Connection

from gotgan.clock import Clock
from gotgan.domains.videos import messages, results
from gotgan.domains.videos.jobs import Jobs
from gotgan.domains.videos.keys import new_id
from gotgan.domains.videos.models import Analyser, Reason, VideoJob
from gotgan.domains.videos.reports import Submitted
from gotgan.errors import Conflict, RefreshTooSoon
from gotgan.sql import Database

MIN_REFRESH_INTERVAL: Final = timedelta(minutes=10)
"""The least time between two user_requests for the same video."""
_MAX_CACHED_RESULTS: Final = 256
"""How many reused results stay in memory."""


@dataclass(frozen=True)
class AnalysisRequest:
    """A request for an analysis."""

    video_id: str
    analyser: Analyser
    version: str
    cache_key: str
    reason: Reason | None = None
    """Why to replace a fresh result; None if a fresh result will do."""


class _AlreadyFresh(Exception):
    """Raised if a fresh result was saved meanwhile."""


class JobQueue:
    """Where jobs are created."""

    def __init__(self, database: Database, jobs: Jobs, clock: Clock) -> None:
        self._database = database
        self._jobs = jobs
        self._clock = clock
        self._latest = database.compiled_query(results.LATEST_QUERY)
        self._cached: dict[str, Submitted] = {}

    def submit(self, request: AnalysisRequest) -> Submitted:
        """Find a fresh result or an open job, or else queue a job."""
        while True:  # what another process has added meanwhile is found in the next round
            found = self.find(request) or self._add(request)
            if found is not None:
                return found

    def find(self, request: AnalysisRequest) -> Submitted | None:
        """A fresh result, unless it is to be replaced, or an open job."""
        cached = self._find_cached(request) if request.reason is None else None
        if cached is not None:
            return cached
        with self._database.read() as connection:
            if request.reason is None:
                hit = results.fresh_id(connection, request.cache_key, self._clock.now())
                if hit is not None:
                    return self._reuse(connection, hit)
            job = self._jobs.find_open(connection, request.cache_key)
            return None if job is None else Submitted(job)

    def _find_cached(self, request: AnalysisRequest) -> Submitted | None:
        """A fresh result in memory, if it is still the latest: this is the most frequent case."""
        cached = self._cached.get(self._latest.value(cache_key=request.cache_key))
        if cached is None or cached.result is None:
            return None
        return cached if cached.result.is_fresh(self._clock.now()) else None

    def _reuse(self, connection: Connection, result_id: str) -> Submitted:
        """A result and its job; neither ever changes, so they are cached."""
        cached = self._cached.get(result_id)
        if cached is None:
            result = results.get(connection, result_id)
            assert result is not None  # noqa: S101 - a transaction sees one moment
            cached = Submitted(self._jobs.get(connection, result.job_id), result)
            if len(self._cached) >= _MAX_CACHED_RESULTS:
                self._cached.clear()
            self._cached[result_id] = cached
        return cached

    def _add(self, request: AnalysisRequest) -> Submitted | None:
        """Queue a job; None if another process has made it unnecessary meanwhile."""
        now = self._clock.now()
        job = VideoJob(
            job_id=new_id(now),
            video_id=request.video_id,
            status="queued",
            cache_key=request.cache_key,
            analyser=request.analyser,
            analysis_version=request.version,
            force_refresh=request.reason is not None,
            refresh_reason=request.reason,
            created_at=now,
            updated_at=now,
            due_at=self._jobs.due_now(),
        )
        try:
            with self._database.begin() as connection:
                self._expect_allowed(connection, request)
                if not self._jobs.add(connection, job):
                    return None
                self._expect_needed(connection, request)
        except _AlreadyFresh:
            return None
        return Submitted(job, is_new=True)

    def _expect_needed(self, connection: Connection, request: AnalysisRequest) -> None:
        """See that no job has ended since the first look: its result would be made twice."""
        now = self._clock.now()
        if request.reason is None and results.fresh_id(connection, request.cache_key, now):
            raise _AlreadyFresh

    def _expect_allowed(self, connection: Connection, request: AnalysisRequest) -> None:
        if request.reason is None:
            return
        key, video_id = request.cache_key, request.video_id
        requested = self._jobs.find_last(connection, key, reason="user_request")
        last = self._jobs.find_last(connection, key)
        is_new_version = results.latest(connection, video_id, request.version) is None
        expect_refresh_allowed(
            request.reason,
            last_request=None if requested is None else requested.created_at,
            last_status=None if last is None else last.status,
            is_bump=is_new_version and results.latest(connection, video_id) is not None,
            now=self._clock.now(),
        )


def expect_refresh_allowed(
    reason: Reason,
    *,
    last_request: datetime | None,
    last_status: str | None,
    is_bump: bool,
    now: datetime,
) -> None:
    """Raise unless the reason holds; after a failed job every reason does.

    ``last_request`` is the time of the last user_request that did not fail, ``last_status`` the
    status of the last job of this version, ``is_bump`` whether all results are of other versions.
    """
    if last_status == "failed":
        return
    next_allowed = None if last_request is None else last_request + MIN_REFRESH_INTERVAL
    if reason == "user_request" and next_allowed is not None and now < next_allowed:
        wait = (next_allowed - now).total_seconds()
        raise RefreshTooSoon(messages.REFRESHED(minutes=math.ceil(wait / 60)), wait)
    if reason == "retry_failed":
        raise Conflict(messages.NOT_FAILED())
    if reason == "version_bump" and not is_bump:
        raise Conflict(messages.NO_EARLIER_VERSION())
