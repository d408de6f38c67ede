"""What an analysis is made of: kept from an earlier attempt, imported, or asked of YouTube."""

from __future__ import annotations

from dataclasses import dataclass, replace

from gotgan.clock import Clock
from gotgan.domains.videos import snapshots
from gotgan.domains.videos.attempts import Attempt
from gotgan.domains.videos.models import FETCH_FAILURES, Material, Origin, Usage
from gotgan.domains.videos.sources.youtube import YouTube
from gotgan.errors import AnalysisError, QuotaExhausted, VideoMissing
from gotgan.fetch import Web
from gotgan.settings import Settings
from gotgan.sql import Database

__all__ = ["Collected", "VideoCollector"]


@dataclass(frozen=True)
class Collected:
    """What there is, and under which id it is kept."""

    material: Material
    snapshot_id: str


class VideoCollector:
    """The first step of an attempt."""

    def __init__(self, database: Database, web: Web, settings: Settings, clock: Clock) -> None:
        self._database = database
        self._settings = settings
        self._clock = clock
        self._youtube = YouTube(web, settings, database, clock)

    def collect(self, attempt: Attempt) -> Collected:
        """What the attempt needs; a whole sample of an earlier attempt is used again.

        Comments that an error cut short end the attempt if another one follows. Otherwise the
        largest sample of the job is used.
        """
        job = attempt.job
        attempt.tell("collecting_comments", 5)
        kept = None if job.snapshot_id is None else self._kept(job.snapshot_id)
        if kept is not None and kept.material.problem not in FETCH_FAILURES:
            return kept
        if self._settings.youtube_key is None:
            return self._imported(job.video_id)
        try:
            return self._asked(attempt, kept)
        except VideoMissing as error:
            return self._imported_instead(job.video_id, error)
        except AnalysisError as error:
            if kept is not None and not attempt.will_retry(error):
                return kept
            if isinstance(error, QuotaExhausted):
                return self._imported_instead(job.video_id, error)
            raise

    def _kept(self, snapshot_id: str) -> Collected | None:
        with self._database.read() as connection:
            material = snapshots.load(connection, snapshot_id, self._clock.now())
        return None if material is None else Collected(material, snapshot_id)

    def _imported(self, video_id: str) -> Collected:
        found = self._latest(video_id)
        if found is None:
            raise VideoMissing(
                f"nothing is kept of {video_id}; import it once more, or set YOUTUBE_API_KEY"
            )
        return found

    def _imported_instead(self, video_id: str, error: AnalysisError) -> Collected:
        """What came from files, where YouTube gives nothing; else the error is the answer."""
        found = self._latest(video_id, source="import")
        if found is None:
            raise error
        why = f"taken from imported files, because YouTube gives nothing now: {error.message}"
        warnings = (*found.material.warnings, why)
        return replace(found, material=replace(found.material, warnings=warnings))

    def _latest(self, video_id: str, source: Origin | None = None) -> Collected | None:
        now = self._clock.now()
        with self._database.read() as connection:
            head = snapshots.latest(connection, video_id, now, source=source)
            if head is None:
                return None
            material = snapshots.load(connection, head.snapshot_id, now)
        return None if material is None else Collected(material, head.snapshot_id)

    def _asked(self, attempt: Attempt, kept: Collected | None) -> Collected:
        """A new sample, or the one that an earlier attempt kept if it has as many comments."""

        def told(page: int, pages: int) -> None:
            percent = 5 + round(40 * page / max(pages, 1))
            attempt.tell("collecting_comments", percent, f"page {page} of {pages}")

        job, calls = attempt.job, self._youtube.calls()
        try:
            material, failure = self._youtube.collect(
                job.video_id, calls, told, believes=not job.force_refresh
            )
        finally:
            attempt.spend(Usage(units=calls.units))
        found = kept if failure is not None else None
        if found is None or len(found.material.comments) < len(material.comments):
            found = Collected(material, attempt.keep(material))
        if failure is not None and attempt.will_retry(failure):
            raise failure
        return found
