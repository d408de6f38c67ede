"""What videos can do; ``docs/videos.md`` tells how to use it."""
# ruff: noqa: PLC0415 - the help of a command reads the signatures below, and must not load SQLAlchemy

from __future__ import annotations

import itertools
import time
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from datetime import date, datetime, timedelta
from typing import TYPE_CHECKING, Any, ClassVar, Final, Self

from gotgan.clock import Clock, Zone, day_span
from gotgan.domains.videos.keys import cache_key, video_id_of
from gotgan.domains.videos.models import ANALYSERS, REASONS, Reason, VideoJob
from gotgan.domains.videos.params import (
    AnalyserName,
    Anew,
    CommentLimit,
    CommentOffset,
    Days,
    JobId,
    JobStatus,
    OnlyVideo,
    RefreshReason,
    ResultId,
    Shape,
    VersionName,
    VideoName,
)
from gotgan.domains.videos.reports import (
    AdoptedVideos,
    DayCost,
    JobList,
    LabelledComment,
    QuotaDay,
    Submitted,
    VideoAnalysis,
    VideoComments,
    VideoComparison,
    VideoCosts,
    VideoDeleted,
    VideoImported,
    VideoList,
    VideoResult,
    VideoSheet,
    VideosPurged,
    VideoVersions,
)
from gotgan.domains.videos.setup import VideosSetup
from gotgan.errors import Interrupted, KeyRefused, NotFound, UsageError
from gotgan.events import emit
from gotgan.params import Cursor, Limit
from gotgan.verbs import verb

if TYPE_CHECKING:
    from gotgan.domain import Core
    from gotgan.domains.videos.submitting import Wanted
    from gotgan.domains.videos.summaries import VideosDay
    from gotgan.domains.videos.workers import Workers
    from gotgan.fetch import Web
    from gotgan.settings import Settings
    from gotgan.sql import Database

__all__ = ["Videos"]

_PURGED_AT_ONCE: Final = 10
_LOOK_EVERY: Final = 0.2


class Videos(VideosSetup):
    """Videos, their comments, and what was made of them."""

    domain: ClassVar = "videos"

    @classmethod
    def open(cls, core: Core) -> Self:
        """The service of an app."""
        return cls(core.database, core.web, core.settings, core.clock)

    def __init__(self, database: Database, web: Web, settings: Settings, clock: Clock) -> None:
        from gotgan.domains.videos.hits import Hits
        from gotgan.domains.videos.jobs import Jobs
        from gotgan.domains.videos.submitting import Submitting
        from gotgan.domains.videos.versions import Versions
        from gotgan.domains.videos.working import Working

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

    # Analyses

    @verb(role="editor", kind="write")
    def analyse(
        self,
        video: VideoName,
        *,
        force: Anew = False,
        reason: RefreshReason | None = None,
        analyser: AnalyserName | None = None,
    ) -> Submitted:
        """Analyse a video (queued for a worker).

        Analyses newer than 24 hours are reused for free, and a running job is joined.
        """
        if reason is not None and not force:
            raise UsageError("A reason says why to analyse again. Use it with force.")
        sent = self.submit(video, force=force, reason=reason or "user_request", analyser=analyser)
        found = sent.result
        analysis = None if found is None else self._analysis(found, is_cached=True)
        return replace(sent, analysis=analysis)

    def submit(
        self,
        video: str,
        *,
        force: bool = False,
        reason: Reason = "user_request",
        analyser: str | None = None,
    ) -> Submitted:
        """The same without reading the comments that a reused result refers to."""
        wanted = self._wanted(video_id_of(video), analyser, reason if force else None)
        submitted = self._submitting.found(wanted) or self._submit(wanted)
        if submitted.result is not None:
            self._hits.count(submitted.result.id, self._clock.now(), self._clock.monotonic())
        elif submitted.is_new:
            emit("videos.job.queued", job=submitted.job.job_id, video=wanted.video_id)
            self._wake()
        return submitted

    def ended(self, submitted: Submitted) -> Submitted:
        """The same with the job as it is now, and with its analysis if it has one."""
        job = self.job(submitted.job.job_id)
        made = job.analysis_result_id
        return replace(submitted, job=job, analysis=None if made is None else self.result(made))

    @verb(path="videos/jobs/{jobId}")
    def job(self, job_id: JobId) -> VideoJob:
        """Show a job."""
        from gotgan.domains.videos import results

        with self._database.read() as connection:
            return results.linked(connection, self._jobs.get(connection, job_id))

    def job_with_result(self, job_id: str) -> tuple[VideoJob, VideoResult | None]:
        """A job, and its result where it has one."""
        from gotgan.domains.videos import results

        with self._database.read() as connection:
            job = results.linked(connection, self._jobs.get(connection, job_id))
            made = job.analysis_result_id
            return job, None if made is None else results.get(connection, made)

    def wait(self, job_id: str, *, seconds: float | None = None) -> VideoJob:
        """A job when it has ended: run here, unless another worker has it."""
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
        """Run the jobs that are due, one after the other; return the number of attempts."""
        made = 0
        while self._working.work():
            made += 1
        return made

    def workers(self, at_once: int = 2) -> Workers:
        """Threads that run jobs as they come, for as long as a block runs."""
        from gotgan.domains.videos.workers import Workers
        from gotgan.domains.videos.working import Working

        working = Working(self._database, self._web, self._settings, self._clock, self._versions)
        self._workers.append(Workers(working, at_once=at_once))
        return self._workers[-1]

    # Imports and deletions

    @verb(role="admin", kind="write", is_local=True)
    def adopt(self) -> AdoptedVideos:
        """Adopt jobs and results that another program saved.

        Adds the columns, unique keys and indexes that its tables lack; every row stays readable.
        Jobs that are still open are queued here: stop the other program first.
        """
        from gotgan.domains.videos import adoption

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
        from sqlalchemy.exc import IntegrityError

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
    ) -> tuple[VideoImported, ...]:
        """Store videos and comments from files, by their names and contents; all or none.

        ``video`` is the video of files that do not name one.
        """
        from gotgan.domains.videos import snapshots
        from gotgan.domains.videos.sources.files import materials_of, merged

        secret, found = self._settings.secret(), []
        video_id = None if video is None else video_id_of(video)
        for name, content in files:
            found += materials_of(name, content, secret, video_id)
        now = self._clock.now()
        # In one order, for others that import the same videos at the same time.
        kept = sorted(merged(found), key=lambda material: material.video.video_id)
        with self._database.begin() as connection:
            for material in kept:
                snapshots.save(connection, material, now)
        emit("videos.imported", videos=len(kept))
        return tuple(
            VideoImported(each.video.video_id, each.video.title, len(each.comments))
            for each in kept
        )

    @verb(role="admin", kind="write")
    def purge(self) -> VideosPurged:
        """Delete what was collected more than 30 days ago.

        Videos, channels and comments are deleted; results stay, without quotes. The schedule runs
        it every day.
        """
        from gotgan.domains.videos import snapshots

        count, some = 0, _PURGED_AT_ONCE
        while some == _PURGED_AT_ONCE:
            with self._database.begin() as connection:
                some = snapshots.purge(connection, self._clock.now(), _PURGED_AT_ONCE)
            count += some
        emit("videos.purged", snapshots=count)
        return VideosPurged(count)

    def has_some(self) -> bool:
        """Whether a video was analysed or imported."""
        return bool(self.list(limit=1).items)

    @verb(role="admin", kind="write")
    def delete(self, video: VideoName) -> VideoDeleted:
        """Delete everything stored about a video, its results too."""
        from sqlalchemy import delete

        from gotgan.domains.videos import snapshots
        from gotgan.domains.videos.registry import touch
        from gotgan.domains.videos.tables import ANALYSIS_JOBS, ANALYSIS_RESULTS, VIDEOS

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
        return VideoDeleted(video_id, shots, counts[0], counts[1])

    # Reading

    @verb()
    def get(self, video: VideoName, *, version: VersionName | None = None) -> VideoSheet:
        """Show a video and its analysis.

        Facts are counted in the comments; suggestions are the opinion of an analyser. The comments
        that both refer to are quoted while they are stored, which is 30 days.
        """
        from gotgan.domains.videos.sheets import read_sheet

        with self._database.read() as connection:
            return read_sheet(
                connection, self._jobs, video_id_of(video), self._clock.now(), version
            )

    def is_known(self, video_id: str) -> bool:
        """Whether there is anything of a video."""
        from gotgan.domains.videos.sheets import has_sheet

        with self._database.read() as connection:
            return has_sheet(connection, video_id)

    @verb(path="videos/results/{resultId}")
    def result(self, result_id: ResultId) -> VideoAnalysis:
        """Show an analysis by its ID, also after newer ones."""
        from gotgan.domains.videos import results

        with self._database.read() as connection:
            found = results.get(connection, result_id)
        if found is None:
            raise NotFound(f"there is no result {result_id[:40]}")
        return self._analysis(found)

    @verb()
    def compare(self, first: VideoName, second: VideoName) -> VideoComparison:
        """Compare the latest analyses of two videos."""
        from gotgan.domains.videos.comparing import compare

        return compare((self.get(first), self.get(second)))

    @verb()
    def list(self, *, limit: Limit = 20, cursor: Cursor | None = None) -> VideoList:
        """List videos, newest first.

        A fresh analysis is reused; a stale one is too old for that.
        """
        from gotgan.domains.videos import listing

        with self._database.read() as connection:
            return listing.videos(connection, limit, cursor, self._clock.now())

    @verb()
    def jobs(
        self,
        *,
        status: JobStatus | None = None,
        video: OnlyVideo | None = None,
        limit: Limit = 20,
        cursor: Cursor | None = None,
    ) -> JobList:
        """List jobs, newest first."""
        from gotgan.domains.videos import listing

        video_id = None if video is None else video_id_of(video)
        with self._database.read() as connection:
            return listing.jobs(connection, limit, cursor, status=status, video_id=video_id)

    @verb(path="videos/{video}/comments")
    def comments(
        self, video: VideoName, *, limit: CommentLimit = 100, offset: CommentOffset = 0
    ) -> VideoComments:
        """List the stored comments of a video with their sentiment."""
        found = tuple(self.every_comment(video))
        return VideoComments(found[offset : offset + limit], len(found))

    def every_comment(self, video: str) -> Iterator[LabelledComment]:
        """All stored comments of a video."""
        from gotgan.domains.videos.sheets import read_comments

        with self._database.read() as connection:
            return read_comments(connection, video_id_of(video), self._clock.now())

    @verb()
    def versions(self) -> VideoVersions:
        """Show what v1, v2 and so on stand for.

        A version is one combination of analyser, model, prompt and rules, and never changes.
        """
        return VideoVersions(tuple(self._versions.all()))

    @verb(path="videos/schemas/{shape}")
    def schema(self, shape: Shape) -> Mapping[str, Any]:
        """Print the JSON Schema of results."""
        from gotgan.domains.videos.schemas import schema_of

        return schema_of(1 if shape == "1" else 2)

    @verb()
    def quota(self) -> QuotaDay:
        """Show how much of the YouTube quota is used.

        A day is one in California. An analysis costs about 12 units; a reused one costs none.
        """
        from gotgan.domains.videos.sources.quota import Quota

        return Quota(self._database, self._settings, self._clock).today()

    @verb()
    def costs(self, *, days: Days = 30) -> VideoCosts:
        """Show what analyses cost, and what reusing them saved.

        Units of the YouTube quota, tokens and money of a model, day by day in UTC.
        """
        today = self._clock.now().date()
        found = self.costs_of([today - timedelta(days=number) for number in reversed(range(days))])
        return VideoCosts(tuple(reversed(found.values())))

    def costs_of(self, days: Sequence[date]) -> dict[date, DayCost]:
        """The same of some days in a row."""
        from gotgan.domains.videos.costs import read_costs

        self._hits.write()
        with self._database.read() as connection:
            return read_costs(connection, days)

    def summary(self, day: date, zone: Zone) -> VideosDay:
        """What was analysed on a day, and what that cost, in short."""
        from gotgan.domains.videos.summaries import videos_day

        self._hits.write()
        with self._database.read() as connection:
            return videos_day(connection, day_span(day, zone), day, self._clock.now())

    def counts(self, days: Sequence[date], zone: Zone) -> dict[date, int]:
        """How many analyses each of some days in a row brought."""
        from gotgan.domains.videos.summaries import analyses_by_day

        with self._database.read() as connection:
            return analyses_by_day(connection, days, zone)

    def failed_counts(self, days: Sequence[date], zone: Zone) -> dict[date, int]:
        """How many analyses of each of some days in a row failed and were not made up for."""
        from gotgan.domains.videos.summaries import failures_by_day

        with self._database.read() as connection:
            return failures_by_day(connection, days, zone)

    def now(self) -> datetime:
        """The moment that freshness is judged by."""
        return self._clock.now()

    def close(self) -> None:
        """Stop what is running, and write what was counted."""
        for workers in self._workers:
            workers.stop()
        self._working.stop()
        self._hits.write()

    def _analysis(self, result: VideoResult, *, is_cached: bool = False) -> VideoAnalysis:
        from gotgan.domains.videos.sheets import quoted

        now = self._clock.now()
        with self._database.read() as connection:
            evidence = quoted(connection, result, now)
        return VideoAnalysis(result, evidence, not result.is_fresh(now), is_cached)

    def _wanted(self, video_id: str, analyser: str | None, reason: Reason | None) -> Wanted:
        from gotgan.domains.videos.analysers.choosing import analyser_of
        from gotgan.domains.videos.recipes import recipe_of
        from gotgan.domains.videos.submitting import Wanted

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
        """See that there is a source of comments, before a job is created."""
        from gotgan.domains.videos import snapshots

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
