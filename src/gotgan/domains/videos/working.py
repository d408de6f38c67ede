"""Doing jobs: collect, count, have it analysed, check, and save it all at once.

Wherever an attempt ends before that, nothing of it is left but what was collected, which the next
attempt begins with.
"""

from __future__ import annotations

import threading
import traceback
from contextlib import suppress

from gotgan.clock import Clock
from gotgan.domains.videos import snapshots
from gotgan.domains.videos.analysers.choosing import analyser_of
from gotgan.domains.videos.analysers.protocol import Analyser
from gotgan.domains.videos.assembling import Making, result_of
from gotgan.domains.videos.attempts import Attempt
from gotgan.domains.videos.collecting import Collected, VideoCollector
from gotgan.domains.videos.ids import new_id
from gotgan.domains.videos.jobs import ATTEMPTS, Jobs
from gotgan.domains.videos.measuring.measure import measure
from gotgan.domains.videos.measuring.sentiment import METHOD, SCORE_VERSION
from gotgan.domains.videos.models import Material, VideoJob
from gotgan.domains.videos.recipes import recipe_of
from gotgan.domains.videos.reports import VideoResult
from gotgan.domains.videos.results import freshness_of
from gotgan.domains.videos.shapes import Result2
from gotgan.domains.videos.validating import insights_of
from gotgan.domains.videos.versions import Versions
from gotgan.errors import (
    AnalysisTimeout,
    GotganError,
    Interrupted,
    KeyRefused,
    LostRace,
    SettingsError,
    UpstreamUnavailable,
)
from gotgan.events import emit
from gotgan.fetch import Web
from gotgan.settings import Settings
from gotgan.sql import Database

__all__ = ["Working"]


class Working:
    """Whoever does jobs, one after the other; share one among threads."""

    def __init__(
        self, database: Database, web: Web, settings: Settings, clock: Clock, versions: Versions
    ) -> None:
        self._database = database
        self._web = web.share()
        self._settings = settings
        self._clock = clock
        self._versions = versions
        self._jobs = Jobs(clock, database.leases)
        self._collecting = VideoCollector(database, self._web, settings, clock)
        self._stopping = threading.Event()

    @property
    def has_stopped(self) -> bool:
        """Whether no more attempts are made."""
        return self._stopping.is_set()

    def stop(self) -> None:
        """Let attempts that are under way give their jobs back as soon as they can."""
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
        except LostRace:  # wherever it was noticed: it is somebody else's now, or was deleted
            emit("videos.job.lost", level="warning", job=job.job_id)
        return True

    def _attempt(self, attempt: Attempt) -> None:
        try:
            with attempt.kept_alive():
                self._analyse(attempt)
        except LostRace:
            raise
        except Interrupted:
            attempt.give_back()
        except KeyboardInterrupt:
            with suppress(GotganError):  # the lease sees to it
                attempt.give_back()
            raise
        except GotganError as error:
            if self._stopping.is_set():  # what fails while doors are being closed says nothing
                attempt.give_back()
            else:
                attempt.end(error)
        except Exception as error:  # noqa: BLE001 - whoever waits for the job must be told
            emit("videos.job.broken", level="error", job=attempt.job.job_id, place=_place_of(error))
            attempt.end(GotganError("something went wrong here; the log says what"))

    def _analyse(self, attempt: Attempt) -> None:
        if attempt.is_one_too_many:
            raise AnalysisTimeout(f"{ATTEMPTS} attempts were made, and none came to an end")
        analyser = self._analyser(attempt.job)
        collected = self._collecting.collect(attempt)
        material = collected.material
        attempt.tell("extracting_keywords", 50, f"{len(material.comments)} comments")
        measured = measure(material)
        attempt.tell("generating_insights", 65, analyser.model)
        said = analyser.say(material, measured)
        attempt.spend(said.usage)
        attempt.tell("validating_output", 90)
        insights, repairs = insights_of(said, [each.comment_id for each in material.comments])
        making = self._making(attempt, analyser, material)
        document = result_of(material, measured, insights, making, repairs)
        attempt.finish(self._result(attempt.job, collected, document, making))

    def _making(self, attempt: Attempt, analyser: Analyser, material: Material) -> Making:
        job = attempt.job
        assert job.analyser is not None  # noqa: S101 - a job without one is never due
        return Making(
            analyser=job.analyser,
            model=analyser.model,
            analysis_version=job.analysis_version,
            prompt_version=analyser.prompt_version,
            score_version=SCORE_VERSION,
            method=METHOD,
            at=self._clock.now(),
            usage=attempt.usage,
            snapshot_hash=snapshots.hash_of(material),
        )

    def _analyser(self, job: VideoJob) -> Analyser:
        """Who was asked for; where they cannot be had here, another process may have them."""
        try:
            analyser = analyser_of(job.analyser or "", self._settings, self._web)
        except (KeyRefused, SettingsError) as error:
            raise UpstreamUnavailable(error.message) from error
        if self._versions.name_of(recipe_of(analyser)) != job.analysis_version:
            raise UpstreamUnavailable(
                f"{job.analyser} is not what it was when this was asked for "
                f"({job.analysis_version}); ask again"
            )
        return analyser

    def _result(
        self, job: VideoJob, collected: Collected, document: Result2, making: Making
    ) -> VideoResult:
        now, meta = making.at, document.meta
        span, reason = freshness_of(collected.material, self._settings.analysis_ttl)
        return VideoResult(
            id=new_id(now),
            job_id=job.job_id,
            video_id=job.video_id,
            analysis_version=meta.analysisVersion,
            schema_version=meta.schemaVersion,
            prompt_version=meta.promptVersion,
            score_version=meta.scoreVersion,
            comment_snapshot_hash=meta.commentSnapshotHash,
            snapshot_id=collected.snapshot_id,
            result_json=document.model_dump_json(),
            model_name=meta.model,
            comment_sample_count=meta.commentSampleCount,
            analysis_basis=tuple(meta.analysisBasis),
            cache_key=job.cache_key,
            usage=making.usage,
            ttl_reason=reason,
            created_at=now,
            expires_at=now + span,
        )


def _place_of(error: Exception) -> str:
    """What went wrong and where, without the words: they may repeat what somebody wrote."""
    last = traceback.extract_tb(error.__traceback__)[-1]
    return f"{type(error).__name__} in {last.name}, line {last.lineno} of {last.filename}"
