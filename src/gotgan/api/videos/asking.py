"""What may be asked of videos, and what may be sent: each with its bounds."""

from __future__ import annotations

from typing import Annotated, Final, Literal

from fastapi import Path
from pydantic import BaseModel, ConfigDict, Field, StrictBool

from gotgan.api.analysis.asking import LONGEST_ADDRESS
from gotgan.api.paging import Paged
from gotgan.domains.videos.models import Analyser, Reason, Status

__all__ = [
    "AnalyseBody",
    "CommentListing",
    "CostListing",
    "File",
    "FilesBody",
    "JobId",
    "JobListing",
    "Pair",
    "ResultId",
    "Shape",
    "SheetListing",
    "VideoId",
]

_AN_ID: Final = "^[0-9A-Za-z_-]{1,64}$"
_AN_ADDRESS: Final = "The id of a video, or its address."
_MOST_COMMENTS: Final = 1_000
_LAST_COMMENT: Final = 1_000_000
_LONGEST_SPAN: Final = 366
_MOST_FILES: Final = 50

VideoId = Annotated[
    str,
    Path(pattern="^[A-Za-z0-9_-]{11}$", description="The id of a video.", examples=["dQw4w9WgXcQ"]),
]
JobId = Annotated[
    str,
    Path(
        pattern=_AN_ID,
        description="The id of a job.",
        examples=["0199f3a0c4d27b1e8a5d4c3b2a190807"],
    ),
]
ResultId = Annotated[
    str,
    Path(
        pattern=_AN_ID,
        description="The id of a result.",
        examples=["0199f3a0c4d27b1e8a5d4c3b2a190807"],
    ),
]
Shape = Annotated[
    Literal["1", "2"],
    Path(description="The `schemaVersion`: 1 is the contract's, 2 is all of it."),
]


class _Asked(BaseModel):
    model_config = ConfigDict(frozen=True)


class JobListing(Paged):
    """Which jobs are asked for."""

    status: Status | None = Field(default=None, description="Only jobs that stand like this.")
    video: str | None = Field(
        default=None,
        min_length=1,
        max_length=LONGEST_ADDRESS,
        description=f"{_AN_ADDRESS} Without one: the jobs of all videos.",
    )


class SheetListing(_Asked):
    """Which result is asked for."""

    version: str | None = Field(
        default=None,
        pattern="^v[0-9]{1,9}$",
        description="The latest result of this version. Without one: the latest of all.",
        examples=["v1"],
    )


class CommentListing(_Asked):
    """Which comments are asked for."""

    limit: int = Field(
        default=100, ge=1, le=_MOST_COMMENTS, description="How many comments to give."
    )
    offset: int = Field(
        default=0, ge=0, le=_LAST_COMMENT, description="How many comments to pass over."
    )


class Pair(_Asked):
    """Which two videos are asked for."""

    first: str = Field(min_length=1, max_length=LONGEST_ADDRESS, description=_AN_ADDRESS)
    second: str = Field(min_length=1, max_length=LONGEST_ADDRESS, description=_AN_ADDRESS)


class CostListing(_Asked):
    """Which days are asked for."""

    days: int = Field(
        default=30, ge=1, le=_LONGEST_SPAN, description="How many days, up to today, in UTC."
    )


class _Sent(BaseModel):
    model_config = ConfigDict(extra="forbid", frozen=True)


class AnalyseBody(_Sent):
    """What is to be analysed."""

    video: str = Field(min_length=1, max_length=LONGEST_ADDRESS, description=_AN_ADDRESS)
    force: StrictBool = Field(
        default=False, description="Have it analysed anew, though there may be a fresh analysis."
    )
    reason: Reason = Field(
        default="user_request", description="Why it is analysed anew; only with `force`."
    )
    analyser: Analyser | None = Field(
        default=None, description="Who analyses it; without one, whoever the settings name."
    )


class File(_Sent):
    """A file as it is, and how it is called."""

    name: str = Field(
        min_length=1, max_length=255, description="How it is called, such as `abc.info.json`."
    )
    text: str = Field(description="What is in it, in UTF-8.")


class FilesBody(_Sent):
    """Files to import, all of them or none."""

    files: list[File] = Field(
        min_length=1,
        max_length=_MOST_FILES,
        description="Answers of YouTube's API, the `.info.json` of yt-dlp, or tables of comments. "
        "What is too large for a request is imported with `gotgan videos import`.",
    )
    video: str | None = Field(
        default=None,
        min_length=1,
        max_length=LONGEST_ADDRESS,
        description="The video of files that do not name it: its id, or its address.",
    )
