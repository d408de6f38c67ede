"""Results of the videos' verbs, and the contract under ``/api/analysis``."""

from __future__ import annotations

import hashlib
from collections.abc import Mapping
from dataclasses import astuple, dataclass
from datetime import date, datetime
from functools import cached_property
from typing import TYPE_CHECKING, Any, ClassVar, Final, Literal, cast

import orjson

from gotgan.domains.videos import messages, models
from gotgan.domains.videos.documents import (
    foreign_shape_2,
    is_ours,
    shape_1,
    with_cache_hit,
    with_messages,
)
from gotgan.domains.videos.metrics.measurements import Label
from gotgan.domains.videos.schemas import Result2
from gotgan.domains.videos.sources.sampling import SAMPLING
from gotgan.errors import Conflict
from gotgan.messages import text

if TYPE_CHECKING:
    from gotgan.sql import AdoptedTable

INPUTS: Final = f"title,description,channel,comments({SAMPLING})"
"""What every analysis is given, as far as it is available."""


@dataclass(frozen=True)
class VideoResult:
    """A stored result: its row, without the comments that it refers to."""

    shown: ClassVar = {
        "id": "id",
        "jobId": "saved_job_id",
        "analysisVersion": "analysis_version",
        "schemaVersion": "schema_version",
        "model": "model_name",
        "commentSampleCount": "comment_sample_count",
        "analysisBasis": "analysis_basis",
        "units": "usage.units",
        "inputTokens": "usage.input_tokens",
        "outputTokens": "usage.output_tokens",
        "costUsd": "usage.cost_usd",
        "createdAt": "created_at",
        "expiresAt": "expires_at",
    }

    id: str
    job_id: str
    """Empty where another program saved it."""
    video_id: str
    analysis_version: str
    schema_version: int
    prompt_version: str | None
    score_version: str
    comment_snapshot_hash: str | None
    snapshot_id: str
    result_json: str
    model_name: str
    comment_sample_count: int
    analysis_basis: tuple[str, ...]
    cache_key: str
    usage: models.Usage
    ttl_reason: str | None
    created_at: datetime
    expires_at: datetime
    warnings: tuple[str, ...] = ()
    """The warnings of the document as messages; none where an earlier version saved it."""

    @property
    def saved_job_id(self) -> str | None:
        """Null if another program made it."""
        return self.job_id or None

    @cached_property
    def document(self) -> Mapping[str, Any]:
        """What it says, in shape 2; do not change it."""
        saved: dict[str, Any] = orjson.loads(self.result_json)
        if not is_ours(saved):
            return foreign_shape_2(saved, self)
        return with_messages(saved, self.warnings)

    def is_fresh(self, now: datetime) -> bool:
        """Whether it is reused instead of analysing the video again."""
        return now < self.expires_at


@dataclass(frozen=True)
class VideoAnalysis:
    """A result with the comments that it refers to."""

    shown: ClassVar = {
        "id": "row.id",
        "jobId": "row.saved_job_id",
        "videoId": "row.video_id",
        "createdAt": "row.created_at",
        "expiresAt": "row.expires_at",
        "isStale": "is_stale",
        "ttlReason": "row.ttl_reason",
        "result": "result",
        "evidence": "evidence",
    }

    row: VideoResult
    evidence: Mapping[str, models.Comment]
    """The comments that the result refers to by ID, while they are stored (30 days)."""
    is_stale: bool
    """Whether it is too old to be reused."""
    is_cached: bool = False

    @property
    def result(self) -> Result2:
        """The result in shape 2, as JSON; it was checked when it was saved."""
        return cast("Result2", with_cache_hit(self.row.document, hit=self.is_cached))


@dataclass(frozen=True)
class Submitted:
    """The job that was created or joined, or that made the result which is reused."""

    shown: ClassVar = ("outcome", "job", "analysis")

    job: models.VideoJob
    result: VideoResult | None = None
    """The result that is reused."""
    is_new: bool = False
    analysis: VideoAnalysis | None = None
    """The analysis, if there is one."""

    @property
    def outcome(self) -> Literal["hit", "joined", "new"]:
        """Whether a fresh analysis is reused, a running job joined, or a job created."""
        if self.result is not None:
            return "hit"
        return "new" if self.is_new else "joined"


@dataclass(frozen=True)
class VideoSheet:
    """Everything stored about a video."""

    shown: ClassVar = {
        "videoId": "video_id",
        "video": "snapshot",
        "channel": "channel",
        "analysis": "analysis",
        "history": "history",
        "lastJob": "last_job",
    }

    video_id: str
    snapshot: models.VideoSnapshot | None
    """The latest collection; null when it was deleted after 30 days."""
    channel: models.Channel | None
    result: VideoResult | None
    is_fresh: bool
    """Whether the result is reused; otherwise it is stale."""
    evidence: Mapping[str, models.Comment]
    """The comments that the result refers to, while they are stored."""
    history: tuple[VideoResult, ...]
    """Results, newest first."""
    last_job: models.VideoJob | None

    @property
    def analysis(self) -> VideoAnalysis | None:
        """The latest analysis, or the latest of the requested version."""
        if self.result is None:
            return None
        return VideoAnalysis(self.result, self.evidence, not self.is_fresh, self.is_fresh)

    def expect_result(self) -> VideoResult:
        """The result; Conflict says why there is none."""
        if self.result is not None:
            return self.result
        video, job = self.video_id, self.last_job
        if job is not None and job.is_open:
            raise Conflict(messages.NOT_FINISHED(video=video, job=job.job_id))
        if job is not None and job.status == "failed":
            error = text(job.error_message or "–")
            raise Conflict(messages.LAST_FAILED(video=video, job=job.job_id, error=error))
        raise Conflict(messages.NOT_ANALYSED(video=video))


@dataclass(frozen=True)
class VideoLine:
    """A video in the list, with its latest analysis and job."""

    shown: ClassVar = {
        "videoId": "video_id",
        "title": "title",
        "analysisVersion": "analysis_version",
        "model": "model_name",
        "commentSampleCount": "comment_sample_count",
        "analysedAt": "analysed_at",
        "expiresAt": "expires_at",
        "isFresh": "is_fresh",
        "jobId": "job_id",
        "jobStatus": "status",
        "errorCode": "error_code",
        "touchedAt": "touched_at",
    }

    video_id: str
    touched_at: datetime
    title: str | None
    """Null when the collection was deleted after 30 days."""
    result_id: str | None
    analysis_version: str | None
    model_name: str | None
    comment_sample_count: int | None
    analysed_at: datetime | None
    expires_at: datetime | None
    is_fresh: bool
    """Whether the analysis is reused."""
    job_id: str | None
    status: models.Status | None
    """Status of the latest job."""
    error_code: models.Code | None


@dataclass(frozen=True)
class VideoList:
    """A page of videos."""

    items: tuple[VideoLine, ...]
    cursor: str | None
    """Cursor of the next page; null at the end."""


@dataclass(frozen=True)
class JobList:
    """A page of jobs."""

    items: tuple[models.VideoJob, ...]
    cursor: str | None
    """Cursor of the next page; null at the end."""


@dataclass(frozen=True)
class LabelledComment:
    """A stored comment and its sentiment."""

    video_id: str
    comment_id: str
    text: str
    likes: int
    published_at: datetime | None
    parent_id: str | None
    """The comment that it answers."""
    label: Label | None
    """Sentiment; null for spam."""


@dataclass(frozen=True)
class VideoComments:
    """Some of the stored comments of a video."""

    items: tuple[LabelledComment, ...]
    total: int
    """Number of stored comments of the video."""


@dataclass(frozen=True)
class VideoComparison:
    """What two videos have in common, and what only one of them has."""

    videos: tuple[VideoSheet, VideoSheet]
    net: tuple[float | None, float | None]
    """Share of positive less negative comments, of each; null without comments."""
    shared_keywords: tuple[str, ...]
    only_first: tuple[str, ...]
    """Keywords that only the first has."""
    only_second: tuple[str, ...]
    """Keywords that only the second has."""
    shared_topics: tuple[str, ...]


@dataclass(frozen=True)
class DayCost:
    """What analyses cost on a day, and what reusing them saved."""

    day: date
    analyses: int = 0
    failed: int = 0
    units: int = 0
    """Units of the YouTube quota."""
    input_tokens: int = 0
    output_tokens: int = 0
    cost_usd: float = 0.0
    unpriced: int = 0
    """Analyses by a model whose price is unknown."""
    hits: int = 0
    """How often an analysis was reused."""
    saved_units: int = 0
    saved_usd: float = 0.0


@dataclass(frozen=True)
class VideoCosts:
    """Costs by day, newest first."""

    items: tuple[DayCost, ...]


@dataclass(frozen=True)
class QuotaDay:
    """Used units of the YouTube quota."""

    day: date
    """Date in California."""
    units: int
    calls: int
    limit: int
    resets_at: datetime
    is_blocked: bool
    """Whether no more requests are sent on that day."""


@dataclass(frozen=True)
class Recipe:
    """All that decides what comes out of the same comments."""

    analyser: str
    model: str
    prompt_version: str | None
    score_version: str
    schema_version: int = 2
    inputs: str = INPUTS

    @property
    def fingerprint(self) -> str:
        """The same for the same recipe, and for no other."""
        return hashlib.sha256(repr(astuple(self)).encode()).hexdigest()


@dataclass(frozen=True)
class VideoVersion:
    """A recipe and its version."""

    shown: ClassVar = {
        "version": "name",
        "analyser": "recipe.analyser",
        "model": "recipe.model",
        "promptVersion": "recipe.prompt_version",
        "scoreVersion": "recipe.score_version",
        "schemaVersion": "recipe.schema_version",
        "inputs": "recipe.inputs",
        "createdAt": "created_at",
    }

    name: str
    recipe: Recipe
    created_at: datetime


@dataclass(frozen=True)
class VideoVersions:
    """Versions, oldest first."""

    items: tuple[VideoVersion, ...]


@dataclass(frozen=True)
class VideoImported:
    """A video that was imported from files."""

    video_id: str
    title: str
    comments: int


@dataclass(frozen=True)
class VideosPurged:
    """How many collections were deleted."""

    snapshots: int


@dataclass(frozen=True)
class VideoDeleted:
    """What was deleted of a video."""

    video_id: str
    snapshots: int
    results: int
    jobs: int


@dataclass(frozen=True)
class AdoptedVideos:
    """What was adopted of another program."""

    tables: tuple[AdoptedTable, ...]
    listed: int
    """Videos that were missing in the list of videos."""
    queued: int
    """Open jobs of another program that will be run."""
    left: int
    """Open jobs that were skipped: no source for the video, or another job is open for it."""


def contract_job(
    job: models.VideoJob, result: VideoResult | None, *, cache_hit: bool = False
) -> dict[str, Any]:
    """A job with its result in shape 1."""
    record: dict[str, Any] = {"jobId": job.job_id, "status": job.status}
    optional = {"progress": job.progress, "step": job.step, "message": job.message}
    record |= {name: value for name, value in optional.items() if value is not None}
    if result is not None:
        record["result"] = contract_result(result, cache_hit=cache_hit)
    if job.error_code is not None:
        record["error"] = {"code": job.error_code, "message": job.error_message}
    return record


def contract_result(result: VideoResult, *, cache_hit: bool) -> dict[str, Any]:
    """A result in shape 1."""
    return shape_1(with_cache_hit(result.document, hit=cache_hit))
