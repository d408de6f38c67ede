"""What videos are made of, as values: what was collected, and what is known of it."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime
from typing import Final, Literal

__all__ = [
    "ANALYSERS",
    "BASES",
    "CODES",
    "FETCH_FAILURES",
    "REASONS",
    "STATUSES",
    "STEPS",
    "Analyser",
    "Basis",
    "Channel",
    "Code",
    "Comment",
    "Material",
    "Origin",
    "Problem",
    "Reason",
    "Status",
    "Step",
    "Usage",
    "Video",
]

Analyser = Literal["builtin", "gemini", "openai"]
ANALYSERS: Final[tuple[Analyser, ...]] = ("builtin", "gemini", "openai")
Status = Literal["queued", "processing", "completed", "failed"]
STATUSES: Final[tuple[Status, ...]] = ("queued", "processing", "completed", "failed")
Step = Literal[
    "collecting_comments", "extracting_keywords", "generating_insights", "validating_output"
]
STEPS: Final[tuple[Step, ...]] = (
    "collecting_comments",
    "extracting_keywords",
    "generating_insights",
    "validating_output",
)
Reason = Literal["user_request", "version_bump", "retry_failed"]
"""Why an analysis is made anew though there is one."""
REASONS: Final[tuple[Reason, ...]] = ("user_request", "version_bump", "retry_failed")
Basis = Literal["title", "description", "comments", "transcript", "thumbnail_ocr", "channel_meta"]
BASES: Final[tuple[Basis, ...]] = (
    "title",
    "description",
    "comments",
    "transcript",
    "thumbnail_ocr",
    "channel_meta",
)
Code = Literal[
    "ANALYSIS_OUTPUT_INVALID",
    "ANALYSIS_RATE_LIMITED",
    "ANALYSIS_TIMEOUT",
    "ANALYSIS_UPSTREAM_UNAVAILABLE",
    "ANALYSIS_VIDEO_NOT_FOUND",
    "COMMON_INTERNAL_ERROR",
]
"""Why a job failed, as its document has it; the last two are ours."""
CODES: Final[tuple[Code, ...]] = (
    "ANALYSIS_OUTPUT_INVALID",
    "ANALYSIS_RATE_LIMITED",
    "ANALYSIS_TIMEOUT",
    "ANALYSIS_UPSTREAM_UNAVAILABLE",
    "ANALYSIS_VIDEO_NOT_FOUND",
    "COMMON_INTERNAL_ERROR",
)
Origin = Literal["youtube", "import"]
Problem = Literal["disabled", "failed", "quota", "timeout"]
"""Why there are no comments, or fewer than there should be."""
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

    channel_id: str
    title: str
    subscriber_count: int | None = None
    video_count: int | None = None
    view_count: int | None = None


@dataclass(frozen=True, slots=True)
class Comment:
    """What somebody said; who they are is a keyed hash, and only there to count people."""

    comment_id: str
    text: str
    likes: int = 0
    published_at: datetime | None = None
    updated_at: datetime | None = None
    author: str | None = None
    parent_id: str | None = None
    """Which comment it answers; None where it stands alone."""


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
    """What something cost: units of YouTube's quota, tokens of a model, and money."""

    units: int = 0
    input_tokens: int = 0
    output_tokens: int = 0
    cost_usd: float | None = 0.0
    """None where nobody knows the price of the model."""

    def __add__(self, other: Usage) -> Usage:
        known = self.cost_usd is not None and other.cost_usd is not None
        return Usage(
            self.units + other.units,
            self.input_tokens + other.input_tokens,
            self.output_tokens + other.output_tokens,
            (self.cost_usd or 0.0) + (other.cost_usd or 0.0) if known else None,
        )
