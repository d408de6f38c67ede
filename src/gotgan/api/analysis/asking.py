"""What may be sent to the contract, and how it is read."""
# ruff: noqa: N815 - these are the names of the JSON

from __future__ import annotations

from typing import Annotated, Final

import orjson
from fastapi import Path
from fastapi.exceptions import RequestValidationError
from pydantic import BaseModel, ConfigDict, Field, ValidationError
from starlette.requests import Request

from gotgan.api.failures import claims_json
from gotgan.domains.videos.models import Analyser, Reason

__all__ = ["LONGEST_ADDRESS", "JobBody", "JobId", "read_body"]

LONGEST_ADDRESS: Final = 2_000
JobId = Annotated[
    str,
    Path(description="The id of a job.", examples=["0199f3a0c4d27b1e8a5d4c3b2a190807"]),
]


class JobBody(BaseModel):
    """What is to be analysed."""

    model_config = ConfigDict(extra="forbid", frozen=True, strict=True)

    videoId: str = Field(
        min_length=1,
        max_length=LONGEST_ADDRESS,
        description="The id of a video, or its address.",
    )
    forceRefresh: bool = Field(
        default=False, description="Have it analysed anew, though there may be a fresh analysis."
    )
    reason: Reason | None = Field(
        default=None,
        description="Why it is analysed anew: `user_request` unless said otherwise. Without "
        "`forceRefresh` it means nothing.",
    )
    analyser: Analyser | None = Field(
        default=None, description="Who analyses it; without one, whoever the settings name."
    )


def read_body(request: Request, sent: bytes) -> JobBody:
    """What was sent, if it is that; RequestValidationError where it is not."""
    if not claims_json(request):
        raise RequestValidationError([], body=sent)
    try:
        return JobBody.model_validate(orjson.loads(sent))
    except orjson.JSONDecodeError:
        raise RequestValidationError([], body=sent) from None
    except ValidationError as error:
        told = [{**each, "loc": ("body", *each["loc"])} for each in error.errors()]
        raise RequestValidationError(told) from None
