"""The parameters of the videos' verbs: what each accepts, and its help."""

from __future__ import annotations

import re
from typing import Annotated, Any, Final, Literal

from pydantic import BeforeValidator, Field
from pydantic_core import PydanticCustomError

from gotgan.domains.videos.models import Analyser, Reason, Status

__all__ = [
    "AnalyserName",
    "Anew",
    "CommentLimit",
    "CommentOffset",
    "Days",
    "JobId",
    "JobStatus",
    "OnlyVideo",
    "RefreshReason",
    "ResultId",
    "Shape",
    "VersionName",
    "VideoName",
]

_ID: Final = "^[0-9A-Za-z_-]{1,64}$"
_VERSION: Final = "^v[0-9]{1,9}$"


def _id(value: Any) -> Any:
    if isinstance(value, str) and not re.fullmatch(_ID, value):
        raise PydanticCustomError("id", "use an ID of letters, digits, - and _")
    return value


def _version(value: Any) -> Any:
    if isinstance(value, str) and not re.fullmatch(_VERSION, value):
        raise PydanticCustomError("version", "use a version such as v1")
    return value


VideoName = Annotated[
    str,
    Field(
        min_length=1,
        max_length=2_000,
        description="Video by ID or URL.",
        examples=["dQw4w9WgXcQ"],
    ),
]
OnlyVideo = Annotated[
    str,
    Field(
        min_length=1,
        max_length=2_000,
        description="Only jobs of this video, by ID or URL.",
        examples=["dQw4w9WgXcQ"],
    ),
]
JobId = Annotated[
    str,
    Field(pattern=_ID, description="ID of a job.", examples=["0199f3a0c4d27b1e8a5d4c3b2a190807"]),
    BeforeValidator(_id),
]
ResultId = Annotated[
    str,
    Field(
        pattern=_ID, description="ID of a result.", examples=["0199f3a0c4d27b1e8a5d4c3b2a190807"]
    ),
    BeforeValidator(_id),
]
VersionName = Annotated[
    str,
    Field(
        pattern=_VERSION,
        description="Latest result of this version. Default: of all versions.",
        examples=["v1"],
    ),
    BeforeValidator(_version),  # behind the pattern, or the schema would not have that
]
JobStatus = Annotated[Status, Field(description="Only jobs with this status.")]
Anew = Annotated[bool, Field(description="Analyse again, even if there is a fresh analysis.")]
RefreshReason = Annotated[
    Reason, Field(description="Why to analyse again, with force. Default: user_request.")
]
AnalyserName = Annotated[
    Analyser, Field(description="Who writes the suggestions. Default: GOTGAN_ANALYSER.")
]
Days = Annotated[int, Field(ge=1, le=366, description="Number of days up to today, in UTC.")]
CommentLimit = Annotated[int, Field(ge=1, le=1_000, description="Number of comments to return.")]
CommentOffset = Annotated[int, Field(ge=0, le=1_000_000, description="Number of comments to skip.")]
Shape = Annotated[
    Literal["1", "2"],
    Field(description="The schemaVersion: 1 is the contract's, 2 has everything."),
]
