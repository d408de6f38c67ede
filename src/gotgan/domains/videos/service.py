"""What videos can do; ``docs/videos.md`` tells how to use it."""

from __future__ import annotations

import itertools
import time
from collections.abc import Iterable, Iterator, Mapping, Sequence
from datetime import date, datetime, timedelta
from typing import Final

from sqlalchemy import delete
from sqlalchemy.exc import IntegrityError

from gotgan.clock import Clock, Zone, day_span
from gotgan.domains.videos import adoption, listing, results, snapshots
from gotgan.domains.videos.adoption import AdoptedVideos
from gotgan.domains.videos.analysers.choosing import analyser_of
from gotgan.domains.videos.comparing import Comparison, compare
from gotgan.domains.videos.costs import DayCost, read_costs
from gotgan.domains.videos.hits import Hits
from gotgan.domains.videos.jobs import Job, Jobs
from gotgan.domains.videos.keys import cache_key, video_id_of
from gotgan.domains.videos.listing import Line, Slice
from gotgan.domains.videos.measuring.measure import measure
from gotgan.domains.videos.measuring.measured import Label
from gotgan.domains.videos.models import ANALYSERS, REASONS, Comment, Reason, Status
from gotgan.domains.videos.recipes import recipe_of
from gotgan.domains.videos.registry import touch
from gotgan.domains.videos.reports import Deleted, Imported, Purged
from gotgan.domains.videos.results import Result
from gotgan.domains.videos.sheets import Sheet, has_sheet, quoted, read_sheet
from gotgan.domains.videos.sources.files import materials_of, merged
from gotgan.domains.videos.sources.quota import Quota, QuotaDay
from gotgan.domains.videos.submitting import Submitted, Submitting, Wanted
from gotgan.domains.videos.summaries import (
    VideosDay,
    analyses_by_day,
    failures_by_day,
    videos_day,
)
from gotgan.domains.videos.tables import ANALYSIS_JOBS, ANALYSIS_RESULTS, VIDEOS
from gotgan.domains.videos.versions import Version, Versions
from gotgan.domains.videos.workers import Workers
from gotgan.domains.videos.working import Working
from gotgan.errors import Interrupted, KeyRefused, NotFound, UsageError
from gotgan.events import emit
from gotgan.fetch import Web
from gotgan.settings import Settings
from gotgan.sql import Database

__all__ = ["Videos"]

_PURGED_AT_ONCE: Final = 10
_LOOK_EVERY: Final = 0.2


class Videos:
    """Videos, their comments, and what was made of them."""

    def __init__(self, database: Database, web: Web, settings: Settings, clock: Clock) -> None:
        self._database = database
        self._web = web
        self._settings = settings
        self._clock = clock
        self._jobs = Jobs(clock, database.leases)
        self._hits = Hits(database)
        self._versions = Versions(database, clock)
        self._submitting = Submitting(database, self._jobs, clock)
        self._working = Working(database, web, settings, clock, self._versions)
        self._workers: list[Workers] = []

    # Having videos analysed

    def analyse(
        self,
        video: str,
        *,
        force: bool = False,
        reason: Reason = "user_request",
        analyser: str | None = None,
    ) -> Submitted:
        """Have a video analysed: a fresh analysis is given again, one under way is joined.

        ``force`` has it made anew, for a reason.
        """
        wanted = self._wanted(video_id_of(video), analyser, reason if force else None)
        submitted = self._submitting.found(wanted) or self._submit(wanted)
        if submitted.result is not None:
            self._hits.count(submitted.result.id, self._clock.now(), self._clock.monotonic())
        elif submitted.is_new:
            emit("videos.job.queued", job=submitted.job.job_id, video=wanted.video_id)
            self._wake()
        return submitted

    def job(self, job_id: str) -> Job:
        """A job by its id."""
        with self._database.read() as connection:
            return results.linked(connection, self._jobs.get(connection, job_id))

    def job_with_result(self, job_id: str) -> tuple[Job, Result | None]:
        """A job, and its result where it has one."""
        with self._database.read() as connection:
            job = results.linked(connection, self._jobs.get(connection, job_id))
            made = job.analysis_result_id
            return job, None if made is None else results.get(connection, made)

    def wait(self, job_id: str, *, seconds: float | None = None) -> Job:
        """A job when it has ended: done here, unless somebody else has it in hand."""
        looks = itertools.count() if seconds is None else range(int(seconds / _LOOK_EVERY) + 1)
        for _ in looks:
            if not self.job(job_id).is_open:
                break
            if self._working.has_stopped:
                raise Interrupted("the program is ending; the job is left to whoever is next")
            if not self._working.work(job_id):
                time.sleep(_LOOK_EVERY)
        return self.job(job_id)

    def work(self) -> int:
        """Do the jobs that are due, one after the other; give how many attempts that took."""
        made = 0
        while self._working.work():
            made += 1
        return made

    def workers(self, at_once: int = 2) -> Workers:
        """Threads that do jobs as they come, for as long as a block runs."""
        working = Working(self._database, self._web, self._settings, self._clock, self._versions)
        self._workers.append(Workers(working, at_once=at_once))
        return self._workers[-1]

    # What another program saved, what comes from files, and what goes

    def adopt(self) -> AdoptedVideos:
        """Take over jobs and results of another program: complete tables, queue open jobs."""
        with self._database.begin() as connection:
            tables = self._database.adopt(connection, adoption.TABLES)
            adoption.try_out(connection, self._jobs, self._clock.now())
            listed = adoption.list_videos(connection)
            waiting = adoption.open_jobs(connection)
        queued = sum(self._queue(job_id, video_id) for job_id, video_id in waiting)
        if queued:
            self._wake()
        return AdoptedVideos(tuple(tables), listed, queued, len(waiting) - queued)

    def _queue(self, job_id: str, video_id: str) -> bool:
        try:
            wanted = self._wanted(video_id_of(video_id), None, None)
            self._expect_source(wanted.video_id)
        except (KeyRefused, UsageError):
            return False
        recipe = {
            "analyser": wanted.analyser,
            "analysis_version": wanted.version,
            "cache_key": wanted.cache_key,
        }
        try:
            with self._database.begin() as connection:
                return self._jobs.queue(connection, job_id, recipe)
        except IntegrityError:  # a job of the same cache key was queued at the same moment
            return False

    def import_files(
        self, files: Iterable[tuple[str, bytes]], *, video: str | None = None
    ) -> list[Imported]:
        """Keep videos and comments from files, by their names and contents; all or none.

        ``video`` is the one that files are about which do not say so themselves.
        """
        secret, found = self._settings.secret(), []
        video_id = None if video is None else video_id_of(video)
        for name, content in files:
            found += materials_of(name, content, secret, video_id)
        now = self._clock.now()
        # In one order, for whoever imports the same videos at the same time.
        kept = sorted(merged(found), key=lambda material: material.video.video_id)
        with self._database.begin() as connection:
            for material in kept:
                snapshots.save(connection, material, now)
        emit("videos.imported", videos=len(kept))
        return [
            Imported(each.video.video_id, each.video.title, len(each.comments)) for each in kept
        ]

    def purge(self) -> Purged:
        """Forget what was collected more than thirty days ago; results stay."""
        count, some = 0, _PURGED_AT_ONCE
        while some == _PURGED_AT_ONCE:
            with self._database.begin() as connection:
                some = snapshots.purge(connection, self._clock.now(), _PURGED_AT_ONCE)
            count += some
        emit("videos.purged", snapshots=count)
        return Purged(count)

    def has_expired(self) -> bool:
        """Whether there is anything to purge."""
        with self._database.read() as connection:
            return snapshots.has_expired(connection, self._clock.now())

    def delete(self, video: str) -> Deleted:
        """Forget all that there is of a video, its results too."""
        video_id = video_id_of(video)
        with self._database.begin() as connection:
            touch(connection, video_id, self._clock.now())
            shots = snapshots.drop_of(connection, video_id)
            counts = [
                connection.execute(delete(table).where(table.c.video_id == video_id)).rowcount
                for table in (ANALYSIS_RESULTS, ANALYSIS_JOBS, VIDEOS)
            ]
            if not any((shots, *counts[:2])):
                raise NotFound(f"nothing is known of {video_id}; there is nothing to delete")
        emit("videos.deleted", video=video_id)
        return Deleted(video_id, shots, counts[0], counts[1])

    # Looking

    def show(self, video: str, version: str | None = None) -> Sheet:
        """All that there is of a video; its latest result, or the latest of a version."""
        with self._database.read() as connection:
            return read_sheet(
                connection, self._jobs, video_id_of(video), self._clock.now(), version
            )

    def is_known(self, video_id: str) -> bool:
        """Whether there is anything of a video."""
        with self._database.read() as connection:
            return has_sheet(connection, video_id)

    def result(self, result_id: str) -> tuple[Result, Mapping[str, Comment]]:
        """A result by its id, and the comments that it names, as far as they are kept."""
        with self._database.read() as connection:
            found = results.get(connection, result_id)
            if found is None:
                raise NotFound(f"there is no result {result_id[:40]}")
            return found, quoted(connection, found, self._clock.now())

    def compare(self, first: str, second: str) -> tuple[tuple[Sheet, Sheet], Comparison]:
        """The latest results of two videos side by side."""
        sheets = self.show(first), self.show(second)
        one, other = (sheet.expect_result().document for sheet in sheets)
        return sheets, compare(one, other)

    def page(self, *, limit: int = 20, cursor: str | None = None) -> Slice[Line]:
        """Videos that there is anything of, the latest first."""
        with self._database.read() as connection:
            return listing.videos(connection, limit, cursor)

    def jobs(
        self,
        *,
        status: Status | None = None,
        video: str | None = None,
        limit: int = 20,
        cursor: str | None = None,
    ) -> Slice[Job]:
        """Jobs, the latest first."""
        video_id = None if video is None else video_id_of(video)
        with self._database.read() as connection:
            return listing.jobs(connection, limit, cursor, status=status, video_id=video_id)

    def comments(self, video: str) -> Iterator[tuple[Comment, Label | None]]:
        """The comments that are kept of a video, each with how it sounds; None for spam."""
        video_id = video_id_of(video)
        with self._database.read() as connection:
            now = self._clock.now()
            head = snapshots.latest(connection, video_id, now)
            material = None if head is None else snapshots.load(connection, head.snapshot_id, now)
        if material is None:
            raise NotFound(f"no comments are kept of {video_id}; have it analysed, or import them")
        labels = measure(material).labels
        return ((comment, labels.get(comment.comment_id)) for comment in material.comments)

    def versions(self) -> list[Version]:
        """What v1, v2 and so on stand for."""
        return self._versions.all()

    def quota(self) -> QuotaDay:
        """How much of today's units of YouTube's is used."""
        return Quota(self._database, self._settings, self._clock).today()

    def costs(self, days: int = 30) -> list[DayCost]:
        """What analyses cost and what was saved, day by day in UTC, the latest first."""
        today = self._clock.now().date()
        found = self.costs_of([today - timedelta(days=number) for number in reversed(range(days))])
        return list(reversed(found.values()))

    def costs_of(self, days: Sequence[date]) -> dict[date, DayCost]:
        """The same of some days in a row."""
        self._hits.write()
        with self._database.read() as connection:
            return read_costs(connection, days)

    def summary(self, day: date, zone: Zone) -> VideosDay:
        """What was analysed on a day, and what that cost, in short."""
        self._hits.write()
        with self._database.read() as connection:
            return videos_day(connection, day_span(day, zone), day, self._clock.now())

    def counts(self, days: Sequence[date], zone: Zone) -> dict[date, int]:
        """How many analyses each of some days in a row brought."""
        with self._database.read() as connection:
            return analyses_by_day(connection, days, zone)

    def failed_counts(self, days: Sequence[date], zone: Zone) -> dict[date, int]:
        """How many analyses of each of some days in a row failed and were not made up for."""
        with self._database.read() as connection:
            return failures_by_day(connection, days, zone)

    def now(self) -> datetime:
        """The moment that freshness is judged by."""
        return self._clock.now()

    def close(self) -> None:
        """Stop what is under way, and write down what was counted."""
        for workers in self._workers:
            workers.stop()
        self._working.stop()
        self._hits.write()

    def _wanted(self, video_id: str, analyser: str | None, reason: Reason | None) -> Wanted:
        name = analyser or self._settings.analyser
        if name not in ANALYSERS:
            raise UsageError(f"there is no analyser {name!r}; use one of {', '.join(ANALYSERS)}")
        if reason is not None and reason not in REASONS:
            raise UsageError(f"{reason!r} is no reason; use one of {', '.join(REASONS)}")
        recipe = recipe_of(analyser_of(name, self._settings, self._web))
        version = self._versions.name_of(recipe)
        return Wanted(video_id, name, version, cache_key(video_id, version), reason)

    def _submit(self, wanted: Wanted) -> Submitted:
        self._expect_source(wanted.video_id)
        return self._submitting.submit(wanted)

    def _expect_source(self, video_id: str) -> None:
        """See that comments can come from anywhere, before anybody waits for them."""
        if self._settings.youtube_key is not None:
            return
        with self._database.read() as connection:
            kept = snapshots.latest(connection, video_id, self._clock.now())
        if kept is None:
            raise KeyRefused(
                f"nothing is known of {video_id}, and YouTube cannot be asked without a key; set "
                "YOUTUBE_API_KEY, or import the video from files with gotgan videos import"
            )

    def _wake(self) -> None:
        for workers in self._workers:
            workers.wake()
