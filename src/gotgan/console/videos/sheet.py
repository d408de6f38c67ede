"""The page of a video: how its analysis stands, what was counted and what was suggested."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any, Final

from fastapi import APIRouter, HTTPException
from starlette.requests import Request
from starlette.responses import Response

from gotgan.app import App
from gotgan.console.frame import fragment_of, page
from gotgan.console.gate import Form
from gotgan.console.given import Gotgan, Reader, app_of
from gotgan.console.listing import Elsewhere, as_csv
from gotgan.console.runs import ENDED
from gotgan.console.videos.charts import Timeline, timeline_of
from gotgan.console.videos.places import video_page
from gotgan.console.videos.showing import analysers, names
from gotgan.console.videos.states import state_of
from gotgan.console.viewer import Viewer
from gotgan.domains.videos.keys import video_id_of
from gotgan.domains.videos.models import REASONS
from gotgan.domains.videos.sources.csv_comments import EXPORTED
from gotgan.encoding import encode
from gotgan.errors import NotFound

if TYPE_CHECKING:
    from gotgan.domains.videos.models import Comment
    from gotgan.domains.videos.reports import VideoResult, VideoSheet

__all__ = ["ResultView", "again", "comments_file", "read_video", "router"]

router = APIRouter()
_STATE: Final = "video-state"
"""The part of the page that asks for itself again while a job is under way."""


@dataclass(frozen=True)
class ResultView:
    """A result on a page, with the comments that it names as far as they are kept."""

    result: VideoResult
    evidence: Mapping[str, Comment]
    is_fresh: bool
    is_latest: bool

    @classmethod
    def of(cls, sheet: VideoSheet | None) -> ResultView | None:
        """What a sheet shows; None where nothing was made yet."""
        if sheet is None or sheet.result is None:
            return None
        is_latest = sheet.history[0].id == sheet.result.id
        return cls(sheet.result, sheet.evidence, sheet.is_fresh, is_latest)

    @property
    def said(self) -> Mapping[str, Any]:
        """The result itself, in shape 2."""
        return self.result.document


@router.get("/videos/{video_id}")
def read_video(
    request: Request, _who: Reader, video_id: str, version: str = "", result: str = ""
) -> Response:
    """A video with its latest analysis, with the latest of a version, or with a certain one."""
    return _show(request, video_id_of(video_id), version=version or None, result_id=result)


@router.get("/videos/{video_id}/comments.csv")
def comments_file(_who: Reader, app: Gotgan, video_id: str) -> Response:
    """The stored comments with their labels: the table that gotgan videos export writes."""
    known = video_id_of(video_id)
    records = map(encode, app.videos.every_comment(known))
    rows = ({column: each[name] for column, name in EXPORTED.items()} for each in records)
    return as_csv(f"comments-{known}", list(EXPORTED), rows)


def again(request: Request, _form: Form, refusal: str) -> Response:
    """The page of a video, with why an analysis was refused."""
    return _show(request, video_id_of(request.path_params["video_id"]), refusal=refusal)


def _show(
    request: Request,
    video_id: str,
    *,
    version: str | None = None,
    result_id: str = "",
    refusal: str | None = None,
) -> Response:
    app, who = app_of(request), Viewer.of(request)
    sheet = _sheet(app, video_id, version, result_id)
    state, shown = state_of(sheet), ResultView.of(sheet)
    answer = page(
        request,
        "videos/video.html",
        status=200 if refusal is None else 422,
        video_id=video_id,
        sheet=sheet,
        job=None if sheet is None else sheet.last_job,
        state=state,
        shown=shown,
        refusal=refusal,
        recipe=_recipe(app, shown),
        timeline=_timeline(sheet),
        analysers=analysers(request),
        chosen=app.settings.analyser,
        reasons=[(reason, who.t(f"videos.reason.{reason}")) for reason in REASONS],
        elsewhere=_elsewhere(video_id, version),
        **names(app),
    )
    if fragment_of(request) == _STATE and state != "loading":
        answer.headers["HX-Trigger"] = ENDED
    return answer


def _sheet(app: App, video_id: str, version: str | None, result_id: str) -> VideoSheet | None:
    """What is known of a video; None where that is nothing."""
    try:
        sheet = app.videos.get(video_id, version=version)
    except NotFound:
        if version is None and not result_id:
            return None
        raise
    if not result_id:
        return sheet
    found = app.videos.result(result_id)
    if found.row.video_id != video_id:
        raise HTTPException(404)
    return replace(sheet, result=found.row, evidence=found.evidence, is_fresh=not found.is_stale)


def _timeline(sheet: VideoSheet | None) -> Timeline | None:
    """The moments of the result along the video, whose length is known while it is kept."""
    if sheet is None or sheet.result is None:
        return None
    length = None if sheet.snapshot is None else sheet.snapshot.video.duration_sec
    return timeline_of(sheet.result.document["moments"], length)


def _recipe(app: App, shown: ResultView | None) -> Any:
    """What the version of a result stands for."""
    name = None if shown is None else shown.result.analysis_version
    return next((each.recipe for each in app.videos.versions().items if each.name == name), None)


def _elsewhere(video_id: str, version: str | None) -> Elsewhere:
    command = f"gotgan videos get {video_id}"
    there = Elsewhere.of(f"/v1/videos/{video_id}", "", command, version=version)
    return Elsewhere(there.json, f"{video_page(video_id)}/comments.csv", there.cli)
