"""Videos, comments and jobs as values."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime
from typing import ClassVar, Final, Literal, get_args

Analyser = Literal["builtin", "gemini", "openai"]
ANALYSERS: Final[tuple[Analyser, ...]] = get_args(Analyser)
Status = Literal["queued", "processing", "completed", "failed"]
STATUSES: Final[tuple[Status, ...]] = get_args(Status)
Step = Literal[
    "collecting_comments", "extracting_keywords", "generating_insights", "validating_output"
]
STEPS: Final[tuple[Step, ...]] = get_args(Step)
Reason = Literal["user_request", "version_bump", "retry_failed"]
"""Why a fresh analysis is replaced."""
REASONS: Final[tuple[Reason, ...]] = get_args(Reason)
Basis = Literal["title", "description", "comments", "transcript", "thumbnail_ocr", "channel_meta"]
Code = Literal[
    "ANALYSIS_OUTPUT_INVALID",
    "ANALYSIS_RATE_LIMITED",
    "ANALYSIS_TIMEOUT",
    "ANALYSIS_UPSTREAM_UNAVAILABLE",
    "ANALYSIS_VIDEO_NOT_FOUND",
    "COMMON_INTERNAL_ERROR",
]
"""Why a job failed, as its document has it; the last two are ours."""
CODES: Final[tuple[Code, ...]] = get_args(Code)
Origin = Literal["youtube", "import"]
Problem = Literal["disabled", "failed", "quota", "timeout"]
"""Why there are no comments, or fewer than there should be."""
OPEN_STATUSES: Final[tuple[Status, ...]] = ("queued", "processing")
FETCH_FAILURES: Final[frozenset[Problem]] = frozenset({"failed", "quota", "timeout"})
"""The problems that may pass; comments that are turned off are missing for good."""


@dataclass(frozen=True, slots=True)
class Video:
    """A video as its owner describes it; what is hidden is None."""

    video_id: str
    title: str
    description: str = ""
    published_at: datetime | None = None
    duration_sec: int | None = None
    channel_id: str | None = None
    view_count: int | None = None
    like_count: int | None = None
    comment_count: int | None = None
    language: str | None = None


@dataclass(frozen=True, slots=True)
class Channel:
    """Whose video it is."""

    shown: ClassVar = ("channel_id", "title", "subscriber_count", "video_count")

    channel_id: str
    title: str
    subscriber_count: int | None = None
    video_count: int | None = None
    view_count: int | None = None


@dataclass(frozen=True, slots=True)
class Comment:
    """A comment; its author is a keyed hash, which is enough to count people."""

    shown: ClassVar = ("comment_id", "text", "likes", "published_at")

    comment_id: str
    text: str
    likes: int = 0
    published_at: datetime | None = None
    updated_at: datetime | None = None
    author: str | None = None
    parent_id: str | None = None
    """The comment that it answers."""


@dataclass(frozen=True)
class Material:
    """All that an analysis is made of: raw data, collected at one moment."""

    video: Video
    channel: Channel | None = None
    comments: tuple[Comment, ...] = ()
    problem: Problem | None = None
    """Why there are no comments, or fewer than there should be."""
    source: Origin = "youtube"
    sampling: str = ""
    """How the comments were chosen, such as ``relevance:5,time:5``."""
    warnings: tuple[str, ...] = ()


@dataclass(frozen=True)
class Usage:
    """Cost in units of YouTube's quota, tokens of a model, and money."""

    units: int = 0
    input_tokens: int = 0
    output_tokens: int = 0
    cost_usd: float | None = 0.0
    """None where the price of the model is unknown."""

    def __add__(self, other: Usage) -> Usage:
        known = self.cost_usd is not None and other.cost_usd is not None
        return Usage(
            self.units + other.units,
            self.input_tokens + other.input_tokens,
            self.output_tokens + other.output_tokens,
            (self.cost_usd or 0.0) + (other.cost_usd or 0.0) if known else None,
        )


@dataclass(frozen=True)
class VideoSnapshot:
    """A collection of a video without its comments."""

    shown: ClassVar = {
        "title": "video.title",
        "description": "video.description",
        "publishedAt": "video.published_at",
        "durationSec": "video.duration_sec",
        "viewCount": "video.view_count",
        "likeCount": "video.like_count",
        "commentCount": "video.comment_count",
        "source": "source",
        "commentSampleCount": "comment_sample_count",
        "problem": "problem",
        "snapshotAt": "snapshot_at",
        "keptUntil": "expires_at",
    }

    snapshot_id: str
    video: Video
    source: Origin
    sampling: str
    problem: Problem | None
    """Why comments are missing."""
    warnings: tuple[str, ...]
    comment_sample_count: int
    comment_snapshot_hash: str | None
    snapshot_at: datetime
    expires_at: datetime


@dataclass(frozen=True)
class VideoJob:
    """A request for an analysis, and its state."""

    shown: ClassVar = {
        "jobId": "job_id",
        "videoId": "video_id",
        "status": "status",
        "progress": "progress",
        "step": "step",
        "message": "message",
        "errorCode": "error_code",
        "errorMessage": "error_message",
        "retryAfter": "retry_after",
        "nextAttemptAt": "next_attempt_at",
        "analyser": "analyser",
        "analysisVersion": "version",
        "forceRefresh": "force_refresh",
        "refreshReason": "refresh_reason",
        "analysisResultId": "analysis_result_id",
        "units": "units",
        "inputTokens": "input_tokens",
        "outputTokens": "output_tokens",
        "costUsd": "cost_usd",
        "attempts": "attempts",
        "createdAt": "created_at",
        "updatedAt": "updated_at",
        "startedAt": "started_at",
        "completedAt": "completed_at",
    }

    job_id: str
    video_id: str
    status: Status
    cache_key: str
    """Empty where another program saved the job and it was not queued here."""
    analyser: Analyser | None
    """Null if another program made it."""
    analysis_version: str
    due_at: datetime | None
    force_refresh: bool
    created_at: datetime
    updated_at: datetime
    progress: int | None = None
    """Percent."""
    step: Step | None = None
    message: str | None = None
    error_code: Code | None = None
    error_message: str | None = None
    retry_after: datetime | None = None
    """When another attempt may succeed."""
    refresh_reason: Reason | None = None
    snapshot_id: str | None = None
    analysis_result_id: str | None = None
    units: int = 0
    """Units of the YouTube quota."""
    input_tokens: int = 0
    output_tokens: int = 0
    cost_usd: float | None = 0.0
    """Null if the price of the model is unknown."""
    attempts: int = 0
    fence: int = 0
    owner: str | None = None
    started_at: datetime | None = None
    completed_at: datetime | None = None

    @property
    def version(self) -> str | None:
        """Version of the analysis; null if another program made the job."""
        return self.analysis_version or None

    @property
    def next_attempt_at(self) -> datetime | None:
        """When a queued job can run."""
        return self.due_at if self.status == "queued" else None

    @property
    def usage(self) -> Usage:
        """What all attempts have cost so far."""
        return Usage(self.units, self.input_tokens, self.output_tokens, self.cost_usd)

    @property
    def is_open(self) -> bool:
        """Whether it has not ended."""
        return self.status in OPEN_STATUSES
