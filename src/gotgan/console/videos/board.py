"""The front of the videos: every video with its latest analysis, and what all of it cost."""

from __future__ import annotations

from typing import Final

from fastapi import APIRouter
from starlette.requests import Request
from starlette.responses import Response

from gotgan.console.frame import page
from gotgan.console.gate import Form
from gotgan.console.given import Gotgan, Reader, app_of
from gotgan.console.listing import A_CALL, Elsewhere, as_csv, every
from gotgan.console.videos.places import LIST
from gotgan.console.videos.showing import analysers, names
from gotgan.console.videos.spending import spending_of
from gotgan.domains.videos.reports import VideoLine
from gotgan.encoding import encode, keys_of

__all__ = ["again", "list_file", "router", "show", "show_list"]

router = APIRouter()
_A_PAGE: Final = 25


@router.get("/videos")
def show_list(request: Request, _who: Reader, cursor: str | None = None) -> Response:
    """Videos that there is anything of, the latest first."""
    return show(request, cursor=cursor or None)


@router.get("/videos.csv")
def list_file(_who: Reader, app: Gotgan) -> Response:
    """All of them as a file."""
    lines = every(lambda cursor: app.videos.list(limit=A_CALL, cursor=cursor))
    return as_csv("videos", keys_of(VideoLine), map(encode, lines))


def again(request: Request, form: Form, refusal: str) -> Response:
    """The list with the form of an analysis as it was typed, and why it was refused."""
    video, analyser = form.text("video").strip(), form.text("analyser")
    return show(request, video=video, analyser=analyser, refusal=refusal)


def show(
    request: Request,
    *,
    cursor: str | None = None,
    video: str = "",
    analyser: str = "",
    refusal: str | None = None,
    refused_files: str | None = None,
) -> Response:
    """The list, with what somebody typed above it, and why that was refused."""
    app = app_of(request)
    found = app.videos.list(limit=_A_PAGE, cursor=cursor)
    return page(
        request,
        "videos/list.html",
        status=422 if refusal or refused_files else 200,
        found=found,
        cursor=cursor,
        is_moving=any(line.status in {"queued", "processing"} for line in found.items),
        video=video,
        refusal=refusal,
        refused_files=refused_files,
        spending=spending_of(app, request.app.state.past),
        analysers=analysers(request),
        chosen=analyser or app.settings.analyser,
        elsewhere=Elsewhere("/v1/videos", f"{LIST}.csv", "gotgan videos list"),
        **names(app),
    )
