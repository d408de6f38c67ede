"""The service of videos; ``docs/videos.md`` is its guide."""
# ruff: noqa: PLC0415 - the help of a command reads the signatures below, and must not load SQLAlchemy

from __future__ import annotations

import itertools
import time
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from datetime import date, datetime, timedelta
from typing import TYPE_CHECKING, Any, ClassVar, Concatenate, Final, ParamSpec, Self, TypeVar

from gotgan.clock import Clock, Zone, day_span
from gotgan.domain import GO, GateDecision, Service, SetupStep, SimpleDecision, skip
from gotgan.domains.videos import messages, params, reports
from gotgan.domains.videos.keys import cache_key, parse_video_id
from gotgan.domains.videos.models import ANALYSERS, REASONS, Reason, VideoJob
from gotgan.domains.videos.schemas import schema_of
from gotgan.domains.videos.setup import missing_key, setup_steps
from gotgan.errors import Interrupted, KeyRefused, NotFound, UsageError
from gotgan.events import emit
from gotgan.params import Cursor, Limit
from gotgan.verbs import verb

if TYPE_CHECKING:
    from sqlalchemy import Connection

    from gotgan.domain import Core
    from gotgan.domains.videos.queue import AnalysisRequest
    from gotgan.domains.videos.summary import VideosDay
    from gotgan.domains.videos.worker import WorkerPool
    from gotgan.fetch import Web
    from gotgan.settings import Settings
    from gotgan.sql import Database

_PURGE_BATCH_SIZE: Final = 10
_POLL_INTERVAL_S: Final = 0.2
_T = TypeVar("_T")
_P = ParamSpec("_P")


class Videos(Service):
    """Videos, their comments and their analyses."""

    domain: ClassVar = "videos"

    @classmethod
    def open(cls, core: Core) -> Self:
        """The service of an app."""
        return cls(core.database, core.web, core.settings, core.clock)

    def __init__(self, database: Database, web: Web, settings: Settings, clock: Clock) -> None:
        from gotgan.domains.videos.costs import HitCounter
        from gotgan.domains.videos.jobs import Jobs
        from gotgan.domains.videos.queue import JobQueue
        from gotgan.domains.videos.results import Versions
        from gotgan.domains.videos.worker import Worker

        self._database = database
        self._web = web
        self._settings = settings
        self._clock = clock
        self._jobs = Jobs(clock, database.leases)
        self._hits = HitCounter(database)
        self._versions = Versions(database, clock)
        self._queue = JobQueue(database, self._jobs, clock)
        self._worker = Worker(database, web, settings, clock, self._versions)
        self._pools: list[WorkerPool] = []

    @verb(role="editor", kind="write")
    def analyse(
        self,
        video: params.VideoName,
        *,
        force: params.ForceFlag = False,
        reason: params.RefreshReason | None = None,
        analyser: params.AnalyserName | None = None,
    ) -> reports.Submitted:
        """Analyse a video (queued for a worker).

        Analyses newer than 24 hours are reused for free. If a job is already running, it is
        returned.
        """
        if reason is not None and not force:
            raise UsageError(messages.REASON_WITHOUT_FORCE())
        found = self.submit(video, force=force, reason=reason or "user_request", analyser=analyser)
        if found.result is None:
            return found
        return replace(found, analysis=self._analysis(found.result, is_cached=True))

    def submit(
        self,
        video: str,
        *,
        force: bool = False,
        reason: Reason = "user_request",
        analyser: str | None = None,
    ) -> reports.Submitted:
        """The same without reading the comments that a reused result refers to."""
        request = self._request(parse_video_id(video), analyser, reason if force else None)
        submitted = self._queue.find(request)
        if submitted is None:
            self._expect_source(request.video_id)
            submitted = self._queue.submit(request)
        if submitted.result is not None:
            self._hits.count(submitted.result.id, self._clock.now(), self._clock.monotonic())
        elif submitted.is_new:
            emit("videos.job.queued", job=submitted.job.job_id, video=request.video_id)
            self._wake()
        return submitted

    def reload(self, submitted: reports.Submitted) -> reports.Submitted:
        """A submission with the job as it is now, and with its analysis if it has one."""
        job = self.job(submitted.job.job_id)
        made = job.analysis_result_id
        return replace(submitted, job=job, analysis=self.result(made) if made else None)

    @verb(path="videos/jobs/{jobId}")
    def job(self, job_id: params.JobId) -> VideoJob:
        """Show a job."""
        from gotgan.domains.videos import results

        with self._database.read() as connection:
            return results.with_result_id(connection, self._jobs.get(connection, job_id))

    def job_with_result(self, job_id: str) -> tuple[VideoJob, reports.VideoResult | None]:
        """A job, and its result if it has one."""
        from gotgan.domains.videos import results

        with self._database.read() as connection:
            job = results.with_result_id(connection, self._jobs.get(connection, job_id))
            made = job.analysis_result_id
            return job, results.get(connection, made) if made else None

    def wait(self, job_id: str, *, seconds: float | None = None) -> VideoJob:
        """Wait until a job has ended; it runs here, unless another worker has it."""
        looks = itertools.count() if seconds is None else range(int(seconds / _POLL_INTERVAL_S) + 1)
        for _ in looks:
            if not self.job(job_id).is_open:
                break
            if self._worker.has_stopped:
                raise Interrupted(messages.SHUTDOWN())
            if not self._worker.work(job_id):
                time.sleep(_POLL_INTERVAL_S)
        return self.job(job_id)

    def work(self) -> int:
        """Run the jobs that are due, one after the other; return the number of attempts."""
        attempts = 0
        while self._worker.work():
            attempts += 1
        return attempts

    def workers(self, at_once: int = 2) -> WorkerPool:
        """Threads that run jobs as they come, for as long as a block runs."""
        from gotgan.domains.videos.worker import Worker, WorkerPool

        worker = Worker(self._database, self._web, self._settings, self._clock, self._versions)
        self._pools.append(WorkerPool(worker, at_once=at_once))
        return self._pools[-1]

    @verb(role="admin", kind="write", is_local=True)
    def adopt(self) -> reports.AdoptedVideos:
        """Adopt jobs and results that another program saved.

        Adds missing columns, unique keys and indexes; all rows stay readable. Unfinished jobs are
        queued here, so stop the other program first.
        """
        from gotgan.domains.videos import adoption

        with self._database.begin() as connection:
            tables = self._database.adopt(connection, adoption.TABLES)
            adoption.check_writes(connection, self._jobs, self._clock.now())
            listed = adoption.add_missing_videos(connection)
            waiting = adoption.open_jobs(connection)
        queued = sum(self._queue_foreign(job_id, video_id) for job_id, video_id in waiting)
        if queued:
            self._wake()
        return reports.AdoptedVideos(tuple(tables), listed, queued, len(waiting) - queued)

    def _queue_foreign(self, job_id: str, video_id: str) -> bool:
        from sqlalchemy.exc import IntegrityError

        try:
            request = self._request(parse_video_id(video_id), None, None)
            self._expect_source(request.video_id)
        except (KeyRefused, UsageError):
            return False
        recipe = {
            "analyser": request.analyser,
            "analysis_version": request.version,
            "cache_key": request.cache_key,
        }
        try:
            with self._database.begin() as connection:
                return self._jobs.queue(connection, job_id, recipe)
        except IntegrityError:  # a job of the same cache key was queued at the same moment
            return False

    def import_files(
        self, files: Iterable[tuple[str, bytes]], *, video: str | None = None
    ) -> tuple[reports.VideoImported, ...]:
        """Store videos and comments from files, by their names and contents; all or none.

        ``video`` is the video of files that do not name one.
        """
        from gotgan.domains.videos import snapshots
        from gotgan.domains.videos.sources.files import merge_materials, read_file

        secret, found = self._settings.secret(), []
        video_id = None if video is None else parse_video_id(video)
        for name, content in files:
            found += read_file(name, content, secret, video_id)
        # Sorted, so that imports of the same videos at the same time lock them in one order.
        materials = sorted(merge_materials(found), key=lambda material: material.video.video_id)
        now = self._clock.now()
        with self._database.begin() as connection:
            for material in materials:
                snapshots.save(connection, material, now)
        emit("videos.imported", videos=len(materials))
        return tuple(
            reports.VideoImported(each.video.video_id, each.video.title, len(each.comments))
            for each in materials
        )

    @verb(role="admin", kind="write")
    def purge(self) -> reports.VideosPurged:
        """Delete data collected more than 30 days ago.

        Deletes videos, channels and comments; results stay, without quotes. The schedule runs this
        every day.
        """
        from gotgan.domains.videos import snapshots

        count, some = 0, _PURGE_BATCH_SIZE
        while some == _PURGE_BATCH_SIZE:
            with self._database.begin() as connection:
                some = snapshots.purge(connection, self._clock.now(), _PURGE_BATCH_SIZE)
            count += some
        emit("videos.purged", snapshots=count)
        return reports.VideosPurged(count)

    def is_to_purge(self) -> GateDecision:
        """Whether collected data is due for deletion."""
        from gotgan.domains.videos import snapshots

        if self._read(snapshots.has_expired, self._clock.now()):
            return GO
        return skip("none_expired", messages.NONE_EXPIRED())

    def setup(self) -> Sequence[SetupStep]:
        """The setup steps."""
        return setup_steps(self._settings, has_videos=bool(self.list(limit=1).items))

    def try_setup(self, step: str) -> bool:
        """Ask YouTube with the key, for one unit, or the model for a word."""
        if step == "key" and self._settings.youtube_key is not None:
            from gotgan.domains.videos.sources.youtube import YouTube

            YouTube(self._web, self._settings, self._database, self._clock).try_key()
            return True
        if step == "model" and self._settings.analyser != "builtin":
            from gotgan.domains.videos.analysers.registry import create_analyser

            create_analyser(self._settings.analyser, self._settings, self._web).try_model()
            return True
        return False

    def unset(self) -> SimpleDecision | None:
        """Why YouTube is not asked; None if it is."""
        return missing_key(self._settings)

    @verb(role="admin", kind="write")
    def delete(self, video: params.VideoName) -> reports.VideoDeleted:
        """Delete everything stored about a video, including its results."""
        from sqlalchemy import delete

        from gotgan.domains.videos import snapshots, tables

        video_id = parse_video_id(video)
        with self._database.begin() as connection:
            tables.touch_video(connection, video_id, self._clock.now())
            shots = snapshots.delete_video(connection, video_id)
            counts = [
                connection.execute(delete(table).where(table.c.video_id == video_id)).rowcount
                for table in (tables.ANALYSIS_RESULTS, tables.ANALYSIS_JOBS, tables.VIDEOS)
            ]
            if not any((shots, *counts[:2])):
                raise NotFound(messages.NOTHING_TO_DELETE(video=video_id))
        emit("videos.deleted", video=video_id)
        return reports.VideoDeleted(video_id, shots, counts[0], counts[1])

    @verb()
    def get(
        self, video: params.VideoName, *, version: params.VersionName | None = None
    ) -> reports.VideoSheet:
        """Show a video and its analysis.

        Facts are counted from the comments; suggestions come from an analyser. The comments they
        cite are quoted while they are stored, for 30 days.
        """
        from gotgan.domains.videos.queries import read_sheet

        video_id = parse_video_id(video)
        return self._read(read_sheet, self._jobs, video_id, self._clock.now(), version)

    def is_known(self, video_id: str) -> bool:
        """Whether anything is stored about a video."""
        from gotgan.domains.videos.queries import has_video

        return self._read(has_video, video_id)

    @verb(path="videos/results/{resultId}")
    def result(self, result_id: params.ResultId) -> reports.VideoAnalysis:
        """Show an analysis by ID, even if there are newer ones."""
        from gotgan.domains.videos import results

        found = self._read(results.get, result_id)
        if found is None:
            raise NotFound(messages.NO_RESULT(result=result_id[:40]))
        return self._analysis(found)

    @verb()
    def compare(self, first: params.VideoName, second: params.VideoName) -> reports.VideoComparison:
        """Compare the latest analyses of two videos."""
        from gotgan.domains.videos.queries import compare

        return compare((self.get(first), self.get(second)))

    @verb()
    def list(self, *, limit: Limit = 20, cursor: Cursor | None = None) -> reports.VideoList:
        """List videos, newest first.

        Fresh analyses are reused; stale ones are too old.
        """
        from gotgan.domains.videos import queries

        return self._read(queries.list_videos, limit, cursor, self._clock.now())

    @verb()
    def jobs(
        self,
        *,
        status: params.JobStatus | None = None,
        video: params.VideoFilter | None = None,
        limit: Limit = 20,
        cursor: Cursor | None = None,
    ) -> reports.JobList:
        """List jobs, newest first."""
        from gotgan.domains.videos import queries

        video_id = None if video is None else parse_video_id(video)
        return self._read(queries.list_jobs, limit, cursor, status=status, video_id=video_id)

    @verb(path="videos/{video}/comments")
    def comments(
        self,
        video: params.VideoName,
        *,
        limit: params.CommentLimit = 100,
        offset: params.CommentOffset = 0,
    ) -> reports.VideoComments:
        """List the stored comments of a video with their sentiment."""
        found = tuple(self.every_comment(video))
        return reports.VideoComments(found[offset : offset + limit], len(found))

    def every_comment(self, video: str) -> Iterator[reports.LabelledComment]:
        """All stored comments of a video."""
        from gotgan.domains.videos.queries import read_comments

        return self._read(read_comments, parse_video_id(video), self._clock.now())

    @verb()
    def versions(self) -> reports.VideoVersions:
        """List the versions of analyses (v1, v2, …).

        A version is one combination of analyser, model, prompt and rules, and never changes.
        """
        return reports.VideoVersions(tuple(self._versions.all()))

    @verb(path="videos/schemas/{shape}")
    def schema(self, shape: params.Shape) -> Mapping[str, Any]:
        """Print the JSON Schema of results."""
        return schema_of(1 if shape == "1" else 2)

    @verb()
    def quota(self) -> reports.QuotaDay:
        """Show how much of the YouTube quota is used.

        Days are in California time. An analysis costs about 12 units; a reused one is free.
        """
        from gotgan.domains.videos.sources.quota import Quota

        return Quota(self._database, self._settings, self._clock).today()

    @verb()
    def costs(self, *, days: params.Days = 30) -> reports.VideoCosts:
        """Show what analyses cost, and what reusing them saved.

        YouTube quota units, AI model tokens and AI model costs per UTC day.
        """
        today = self._clock.now().date()
        found = self.costs_of([today - timedelta(days=number) for number in reversed(range(days))])
        return reports.VideoCosts(tuple(reversed(found.values())))

    def costs_of(self, days: Sequence[date]) -> dict[date, reports.DayCost]:
        """The same of some days in a row."""
        from gotgan.domains.videos.costs import read_costs

        self._hits.write()
        return self._read(read_costs, days)

    def summary(self, day: date, zone: Zone) -> VideosDay:
        """What was analysed on a day, and what that cost, in short."""
        from gotgan.domains.videos.summary import videos_day

        self._hits.write()
        return self._read(videos_day, day_span(day, zone), day, self._clock.now())

    def counts(self, days: Sequence[date], zone: Zone) -> dict[date, int]:
        """How many analyses each of some days in a row brought."""
        from gotgan.domains.videos.summary import analyses_by_day

        return self._read(analyses_by_day, days, zone)

    def failed_counts(self, days: Sequence[date], zone: Zone) -> dict[date, int]:
        """How many analyses of each of some days in a row failed and did not succeed later."""
        from gotgan.domains.videos.summary import failures_by_day

        return self._read(failures_by_day, days, zone)

    def now(self) -> datetime:
        """The moment that freshness is judged by."""
        return self._clock.now()

    def close(self) -> None:
        """Stop the workers, and write what was counted."""
        for pool in self._pools:
            pool.stop()
        self._worker.stop()
        self._hits.write()

    def _read(
        self,
        query: Callable[Concatenate[Connection, _P], _T],
        *args: _P.args,
        **options: _P.kwargs,
    ) -> _T:
        with self._database.read() as connection:
            return query(connection, *args, **options)

    def _analysis(
        self, result: reports.VideoResult, *, is_cached: bool = False
    ) -> reports.VideoAnalysis:
        from gotgan.domains.videos.queries import quoted_comments

        now = self._clock.now()
        evidence = self._read(quoted_comments, result, now)
        return reports.VideoAnalysis(result, evidence, not result.is_fresh(now), is_cached)

    def _request(
        self, video_id: str, analyser: str | None, reason: Reason | None
    ) -> AnalysisRequest:
        from gotgan.domains.videos.analysers.registry import create_analyser, current_recipe
        from gotgan.domains.videos.queue import AnalysisRequest

        name = analyser or self._settings.analyser
        if name not in ANALYSERS:
            raise UsageError(messages.NO_ANALYSER(analyser=repr(name), analysers=ANALYSERS))
        if reason is not None and reason not in REASONS:
            raise UsageError(messages.NO_REASON(reason=repr(reason), reasons=REASONS))
        recipe = current_recipe(create_analyser(name, self._settings, self._web))
        version = self._versions.name_of(recipe)
        return AnalysisRequest(video_id, name, version, cache_key(video_id, version), reason)

    def _expect_source(self, video_id: str) -> None:
        """See that there is a source of comments, before a job is created."""
        from gotgan.domains.videos import snapshots

        if self._settings.youtube_key is not None:
            return
        if self._read(snapshots.latest, video_id, self._clock.now()) is None:
            raise KeyRefused(messages.NO_SOURCE(video=video_id))

    def _wake(self) -> None:
        for pool in self._pools:
            pool.wake()
