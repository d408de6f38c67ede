"""The front of the videos: every video with its latest analysis, and what all of it cost."""

from __future__ import annotations

from typing import Final

from fastapi import APIRouter
from starlette.requests import Request
from starlette.responses import Response

from gotgan.console.frame import page, redirect
from gotgan.console.given import Admin, Editor, Gotgan, Reader, Sent, app_of
from gotgan.console.listing import A_CALL, Elsewhere, as_csv, every
from gotgan.console.videos.asking import AnalysisForm, ask
from gotgan.console.videos.places import LIST, video_page
from gotgan.console.videos.showing import REFUSALS, analysers, names
from gotgan.console.videos.spending import spending_of
from gotgan.domains.videos.reports import VideoLine
from gotgan.encoding import encode, keys_of

__all__ = ["analyse_any", "list_file", "purge", "router", "show", "show_list"]

router = APIRouter()
_A_PAGE: Final = 25
_NOTHING: Final = AnalysisForm()


@router.get("/videos")
def show_list(request: Request, _who: Reader, cursor: str | None = None) -> Response:
    """Videos that there is anything of, the latest first."""
    return show(request, cursor=cursor or None)


@router.get("/videos.csv")
def list_file(_who: Reader, app: Gotgan) -> Response:
    """All of them as a file."""
    lines = every(lambda cursor: app.videos.list(limit=A_CALL, cursor=cursor))
    return as_csv("videos", keys_of(VideoLine), map(encode, lines))


@router.post("/videos")
def analyse_any(request: Request, _who: Editor, form: Sent, app: Gotgan) -> Response:
    """Have a video analysed by its address or its id, and go and see how that stands."""
    asked = AnalysisForm.of(form, form.text("video").strip())
    try:
        submitted, said = ask(app, asked)
    except REFUSALS as error:
        return show(request, typed=asked, refusal=error.message)
    return redirect(video_page(submitted.job.video_id), said=said)


@router.post("/videos/purge")
def purge(_who: Admin, _form: Sent, app: Gotgan) -> Response:
    """Forget what was collected thirty days ago; the timetable does it every day."""
    app.videos.purge()
    return redirect(LIST, said="videos.said.purged")


def show(
    request: Request,
    *,
    cursor: str | None = None,
    typed: AnalysisForm = _NOTHING,
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
        typed=typed,
        refusal=refusal,
        refused_files=refused_files,
        spending=spending_of(app, request.app.state.past),
        analysers=analysers(request),
        chosen=typed.analyser or app.settings.analyser,
        elsewhere=Elsewhere("/v1/videos", f"{LIST}.csv", "gotgan videos list"),
        **names(app),
    )
