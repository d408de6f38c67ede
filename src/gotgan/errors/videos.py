"""What goes wrong with videos, their comments, and whoever analyses them."""

from __future__ import annotations

from typing import ClassVar

from gotgan.errors.root import GotganError

__all__ = [
    "AnalysisError",
    "AnalysisTimeout",
    "KeyRefused",
    "OutputInvalid",
    "QuotaExhausted",
    "RefreshTooSoon",
    "UpstreamBusy",
    "UpstreamUnavailable",
    "VideoMissing",
]


class AnalysisError(GotganError):
    """An analysis could not be made; nothing of it was saved."""

    code = "videos"
    job_code: ClassVar[str] = "ANALYSIS_UPSTREAM_UNAVAILABLE"
    """What the document of the videos calls it."""


class UpstreamUnavailable(AnalysisError):
    """YouTube or a model could not be asked, or gave no answer; try again later."""

    code = "videos.upstream"
    retry = True


class KeyRefused(AnalysisError):
    """A key is missing, wrong, or may not do what was asked."""

    code = "videos.key"


class UpstreamBusy(AnalysisError):
    """YouTube or a model wants to be asked less often."""

    code = "videos.busy"
    retry = True
    job_code = "ANALYSIS_RATE_LIMITED"

    def __init__(self, message: str, retry_after: float | None = None) -> None:
        super().__init__(message)
        self.retry_after = retry_after
        """How many seconds to wait, where that is known."""


class QuotaExhausted(UpstreamBusy):
    """The units of the day are used up; they come back at midnight in California."""

    code = "videos.quota"
    retry = False


class RefreshTooSoon(UpstreamBusy):
    """A video was analysed again less than ten minutes ago; try again later."""

    code = "videos.refresh_too_soon"


class VideoMissing(AnalysisError):
    """There is no such video, or it is not public."""

    code = "videos.missing"
    job_code = "ANALYSIS_VIDEO_NOT_FOUND"


class AnalysisTimeout(AnalysisError):
    """It took longer than an analysis may take."""

    code = "videos.timeout"
    retry = True
    job_code = "ANALYSIS_TIMEOUT"


class OutputInvalid(AnalysisError):
    """What the analyser said is not the shape of a result, and may not be mended."""

    code = "videos.output"
    job_code = "ANALYSIS_OUTPUT_INVALID"
