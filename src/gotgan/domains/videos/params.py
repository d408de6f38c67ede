"""The parameters of the videos' verbs: what each accepts, and its help."""

from __future__ import annotations

import re
from typing import Annotated, Any, Final, Literal

from pydantic import BeforeValidator, Field

from gotgan.domains.videos import messages
from gotgan.domains.videos.models import Analyser, Reason, Status
from gotgan.validation import invalid

_ID_PATTERN: Final = "^[0-9A-Za-z_-]{1,64}$"
_VERSION_PATTERN: Final = "^v[0-9]{1,9}$"


def _check_id(value: Any) -> Any:
    if isinstance(value, str) and not re.fullmatch(_ID_PATTERN, value):
        raise invalid(messages.USE_AN_ID())
    return value


def _check_version(value: Any) -> Any:
    if isinstance(value, str) and not re.fullmatch(_VERSION_PATTERN, value):
        raise invalid(messages.USE_A_VERSION())
    return value


def _video(description: str) -> Any:
    return Field(min_length=1, max_length=2_000, description=description, examples=["dQw4w9WgXcQ"])


def _id(description: str) -> Any:
    example = "0199f3a0c4d27b1e8a5d4c3b2a190807"
    return Field(pattern=_ID_PATTERN, description=description, examples=[example])


VideoName = Annotated[str, _video("Video by ID or URL.")]
VideoFilter = Annotated[str, _video("Only jobs of this video, by ID or URL.")]
JobId = Annotated[str, _id("ID of a job."), BeforeValidator(_check_id)]
ResultId = Annotated[str, _id("ID of a result."), BeforeValidator(_check_id)]
VersionName = Annotated[
    str,
    Field(
        pattern=_VERSION_PATTERN,
        description="Latest result of this version. Default: of any version.",
        examples=["v1"],
    ),
    BeforeValidator(_check_version),  # behind the pattern, or the schema would not have that
]
JobStatus = Annotated[Status, Field(description="Only jobs with this status.")]
ForceFlag = Annotated[bool, Field(description="Analyse again, even if there is a fresh analysis.")]
RefreshReason = Annotated[
    Reason, Field(description="Reason for analysing again with force. Default: user_request.")
]
AnalyserName = Annotated[
    Analyser, Field(description="Who writes the suggestions. Default: GOTGAN_ANALYSER.")
]
Days = Annotated[int, Field(ge=1, le=366, description="Number of days up to today, in UTC.")]
CommentLimit = Annotated[int, Field(ge=1, le=1_000, description="Number of comments to return.")]
CommentOffset = Annotated[int, Field(ge=0, le=1_000_000, description="Number of comments to skip.")]
Shape = Annotated[
    Literal["1", "2"],
    Field(description="The schemaVersion: 1 for the /api/analysis contract, 2 for all fields."),
]
