"""Workers, which run jobs: collect, count, have an analyser write, validate, and save all at once.

If an attempt ends before that, it leaves only the collected snapshot, which the next attempt uses.
"""

from __future__ import annotations

import threading
import time
import traceback
from contextlib import suppress
from dataclasses import replace
from typing import Final, Self, TypeAlias

from gotgan import errors
from gotgan.clock import Clock
from gotgan.domains.videos import messages, snapshots
from gotgan.domains.videos.analysers.protocol import Analyser
from gotgan.domains.videos.analysers.registry import create_analyser, current_recipe
from gotgan.domains.videos.attempts import Attempt
from gotgan.domains.videos.documents import Provenance, build_result, collect_warnings
from gotgan.domains.videos.jobs import MAX_ATTEMPTS, Jobs
from gotgan.domains.videos.keys import new_id
from gotgan.domains.videos.metrics.measure import measure
from gotgan.domains.videos.metrics.morphemes import score_version
from gotgan.domains.videos.metrics.sentiment import METHOD
from gotgan.domains.videos.models import FETCH_FAILURES, Material, Origin, Usage, VideoJob
from gotgan.domains.videos.reports import VideoResult
from gotgan.domains.videos.results import Versions, freshness
from gotgan.domains.videos.sources.youtube import YouTube
from gotgan.domains.videos.validation import validate_insights
from gotgan.events import emit
from gotgan.fetch import Web
from gotgan.messages import text
from gotgan.retry import Outage
from gotgan.settings import Settings
from gotgan.sql import Database

_Stored: TypeAlias = tuple[Material, str]
"""Collected material and the id of its snapshot."""


class Worker:
    """Runs jobs, one after the other; threads can share a worker."""

    def __init__(
        self, database: Database, web: Web, settings: Settings, clock: Clock, versions: Versions
    ) -> None:
        self._database = database
        self._web = web.share()
        self._settings = settings
        self._clock = clock
        self._versions = versions
        self._jobs = Jobs(clock, database.leases)
        self._youtube = YouTube(self._web, settings, database, clock)
        self._stopping = threading.Event()

    @property
    def has_stopped(self) -> bool:
        """Whether no more attempts are made."""
        return self._stopping.is_set()

    def stop(self) -> None:
        """Let running attempts give their jobs back as soon as they can."""
        self._stopping.set()
        self._web.close()

    def work(self, job_id: str | None = None) -> bool:
        """Make an attempt at a job that is due, or at a certain one if it is; say whether."""
        if self._stopping.is_set():
            return False
        with self._database.begin() as connection:
            job = self._jobs.claim(connection, job_id)
        if job is None:
            return False
        attempt = Attempt(job, self._jobs, self._database, self._clock, self._stopping)
        try:
            self._attempt(attempt)
        except errors.LostRace:  # another worker has it now, or it was deleted
            emit("videos.job.lost", level="warning", job=job.job_id)
        return True

    def _attempt(self, attempt: Attempt) -> None:
        try:
            with attempt.heartbeat():
                self._analyse(attempt)
        except errors.LostRace:
            raise
        except errors.Interrupted:
            attempt.give_back()
        except KeyboardInterrupt:
            with suppress(errors.GotganError):  # else the lease runs out
                attempt.give_back()
            raise
        except errors.GotganError as error:
            if self._stopping.is_set():  # an error while connections are closed says nothing
                attempt.give_back()
            else:
                attempt.end(error)
        except Exception as error:  # noqa: BLE001 - the job must end, since a caller waits for it
            emit("videos.job.broken", level="error", job=attempt.job.job_id, place=_place(error))
            attempt.end(errors.GotganError(messages.DEFECT()))

    def _analyse(self, attempt: Attempt) -> None:
        job = attempt.job
        if job.attempts > MAX_ATTEMPTS:  # the worker of the last one died
            raise errors.AnalysisTimeout(messages.ATTEMPTS_DIED(count=MAX_ATTEMPTS))
        analyser = self._analyser(job)
        material, snapshot_id = self._collect(attempt)
        attempt.report("extracting_keywords", 50, messages.COMMENTS(count=len(material.comments)))
        measured = measure(material)
        attempt.report("generating_insights", 65, analyser.model)
        response = analyser.say(material, measured)
        attempt.spend(response.usage)
        attempt.report("validating_output", 90)
        known_ids = [each.comment_id for each in material.comments]
        insights, repairs = validate_insights(response, known_ids)
        assert job.analyser is not None  # noqa: S101 - a job without one is never due
        provenance = Provenance(
            analyser=job.analyser,
            model=analyser.model,
            analysis_version=job.analysis_version,
            prompt_version=analyser.prompt_version,
            score_version=score_version(),
            method=METHOD,
            at=self._clock.now(),
            usage=attempt.usage,
            snapshot_hash=snapshots.material_hash(material),
        )
        warnings = collect_warnings(material, insights, repairs)
        document = build_result(material, measured, insights, provenance, warnings)
        ttl, ttl_reason = freshness(material, self._settings.analysis_ttl)
        meta = document.meta
        attempt.finish(
            VideoResult(
                id=new_id(provenance.at),
                job_id=job.job_id,
                video_id=job.video_id,
                analysis_version=meta.analysisVersion,
                schema_version=meta.schemaVersion,
                prompt_version=meta.promptVersion,
                score_version=meta.scoreVersion,
                comment_snapshot_hash=meta.commentSnapshotHash,
                snapshot_id=snapshot_id,
                result_json=document.model_dump_json(),
                model_name=meta.model,
                comment_sample_count=meta.commentSampleCount,
                analysis_basis=tuple(meta.analysisBasis),
                cache_key=job.cache_key,
                usage=provenance.usage,
                ttl_reason=ttl_reason,
                warnings=warnings,
                created_at=provenance.at,
                expires_at=provenance.at + ttl,
            )
        )

    def _analyser(self, job: VideoJob) -> Analyser:
        """The analyser of a job; if it is not available here, another process may have it."""
        try:
            analyser = create_analyser(job.analyser or "", self._settings, self._web)
        except (errors.KeyRefused, errors.SettingsError) as error:
            raise errors.UpstreamUnavailable(error.message) from error
        if self._versions.name_of(current_recipe(analyser)) != job.analysis_version:
            changed = messages.RECIPE_CHANGED(analyser=job.analyser, version=job.analysis_version)
            raise errors.UpstreamUnavailable(changed)
        return analyser

    def _collect(self, attempt: Attempt) -> _Stored:
        """The material of an attempt; a whole sample of an earlier attempt is used again.

        Comments that an error cut short end the attempt if another one follows. Otherwise the
        largest sample of the job is used.
        """
        job = attempt.job
        attempt.report("collecting_comments", 5)
        kept = None if job.snapshot_id is None else self._load(job.snapshot_id)
        if kept is not None and kept[0].problem not in FETCH_FAILURES:
            return kept
        if self._settings.youtube_key is None:
            found = self._load_latest(job.video_id)
            if found is None:
                raise errors.VideoMissing(messages.NOTHING_KEPT(video=job.video_id))
            return found
        try:
            return self._fetch(attempt, kept)
        except errors.VideoMissing as error:
            return self._load_import(job.video_id, error)
        except errors.AnalysisError as error:
            if kept is not None and not attempt.will_retry(error):
                return kept
            if isinstance(error, errors.QuotaExhausted):
                return self._load_import(job.video_id, error)
            raise

    def _load(self, snapshot_id: str) -> _Stored | None:
        with self._database.read() as connection:
            material = snapshots.load(connection, snapshot_id, self._clock.now())
        return None if material is None else (material, snapshot_id)

    def _load_latest(self, video_id: str, source: Origin | None = None) -> _Stored | None:
        with self._database.read() as connection:
            head = snapshots.latest(connection, video_id, self._clock.now(), source=source)
        return None if head is None else self._load(head.snapshot_id)

    def _load_import(self, video_id: str, error: errors.AnalysisError) -> _Stored:
        """What was imported, if YouTube gives nothing; raise the error if nothing was."""
        found = self._load_latest(video_id, source="import")
        if found is None:
            raise error
        material, snapshot_id = found
        why = messages.IMPORT_USED(error=text(error.message))
        return replace(material, warnings=(*material.warnings, why)), snapshot_id

    def _fetch(self, attempt: Attempt, kept: _Stored | None) -> _Stored:
        """A new sample, or that of an earlier attempt if it has as many comments."""

        def on_page(page: int, pages: int) -> None:
            percent = 5 + round(40 * page / max(pages, 1))
            attempt.report("collecting_comments", percent, messages.PAGE(page=page, pages=pages))

        job, calls = attempt.job, self._youtube.calls()
        try:
            material, failure = self._youtube.collect(
                job.video_id, calls, on_page, use_absences=not job.force_refresh
            )
        finally:
            attempt.spend(Usage(units=calls.units))
        found = kept if failure is not None else None
        if found is None or len(found[0].comments) < len(material.comments):
            found = material, attempt.keep(material)
        if failure is not None and attempt.will_retry(failure):
            raise failure
        return found


def _place(error: Exception) -> str:
    """The kind and the place of an error, without its message, which may quote a stranger."""
    last = traceback.extract_tb(error.__traceback__)[-1]
    return f"{type(error).__name__} in {last.name}, line {last.lineno} of {last.filename}"


_POLL_INTERVAL_S: Final = 1.0
"""How often jobs are looked for: other processes queue some too."""
_STOP_TIMEOUT_S: Final = 5.0
"""How long threads may take to give their jobs back; after that the leases run out."""


class WorkerPool:
    """Threads that share a worker and run jobs as they come; ``wake`` them for a new job."""

    def __init__(self, worker: Worker, *, at_once: int = 2) -> None:
        self._worker = worker
        self._outage = Outage("videos.work")
        self._woken = threading.Condition()
        self._is_stopping = False
        self._threads = [
            threading.Thread(target=self._loop, name=f"gotgan-videos-{number}", daemon=True)
            for number in range(at_once)
        ]

    def __enter__(self) -> Self:
        self.start()
        return self

    def __exit__(self, *_: object) -> None:
        self.stop()

    def start(self) -> None:
        """Start the threads."""
        for thread in self._threads:
            thread.start()

    def stop(self) -> None:
        """Stop the threads; their jobs are given back, or left to their leases."""
        self._worker.stop()
        with self._woken:
            self._is_stopping = True
            self._woken.notify_all()
        ends = time.monotonic() + _STOP_TIMEOUT_S
        for thread in self._threads:
            if thread.is_alive():
                thread.join(max(0.0, ends - time.monotonic()))

    def wake(self) -> None:
        """Look for jobs now."""
        with self._woken:
            self._woken.notify()

    def _loop(self) -> None:
        while not self._is_stopping:
            pause = self._work()
            with self._woken:
                if pause and not self._is_stopping:
                    self._woken.wait(pause)

    def _work(self) -> float:
        """Run a job; returns how many seconds to wait for the next one."""
        try:
            has_worked = self._worker.work()
        except Exception as error:  # noqa: BLE001 - the database may come back
            return self._outage.failed(
                error.message if isinstance(error, errors.GotganError) else repr(error)
            )
        self._outage.succeeded()
        return 0.0 if has_worked else _POLL_INTERVAL_S
