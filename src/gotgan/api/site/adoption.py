"""``/v1/site/adopt``: records that other tools wrote, as a run."""

from __future__ import annotations

from typing import Annotated, Final

from fastapi import APIRouter
from pydantic import BaseModel, ConfigDict, Field
from starlette.requests import Request
from starlette.responses import Response

from gotgan.api.routes import StrictJson, declared
from gotgan.api.runs import SOON, Wait, followed
from gotgan.api.who import app_of
from gotgan.domains.site.adoption import ADOPT_RECORDS
from gotgan.domains.site.running import start_adopt

__all__ = ["AdoptBody", "adopt_site", "router"]

router = APIRouter(tags=["posts"], route_class=StrictJson)

_MOST_RECORDS: Final = 1_000_000


class AdoptBody(BaseModel):
    """How much to read."""

    model_config = ConfigDict(extra="forbid", frozen=True, strict=True)

    max_records: Annotated[
        int,
        Field(
            ge=1,
            le=_MOST_RECORDS,
            description="How many records to read; the next run continues from there.",
        ),
    ] = ADOPT_RECORDS


_USUAL: Final = AdoptBody()


@router.post(
    "/site/adopt",
    **declared(
        "Adopt records of other tools", gives="Run", role="editor", fails=(400, 409), body=True
    ),
)
async def adopt_site(request: Request, body: AdoptBody = _USUAL, wait: Wait = SOON) -> Response:
    """Make posts and drafts that other tools wrote findable by their ids; joins a run."""
    app = app_of(request)
    run = start_adopt(app.runs, app.site, max_records=body.max_records)
    return await followed(request, run, wait)
