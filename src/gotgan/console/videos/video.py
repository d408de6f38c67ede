"""The pages of one video, with its analysis, and of two side by side."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any, Final
from urllib.parse import urlencode

from fastapi import APIRouter, HTTPException
from markupsafe import Markup
from starlette.requests import Request
from starlette.responses import Response

from gotgan.app import App
from gotgan.console.frame import fragment_id, page
from gotgan.console.hints import message_with_links
from gotgan.console.lists import ExportLinks, all_items, csv_response
from gotgan.console.runs import RUN_ENDED_EVENT
from gotgan.console.session import CurrentApp, Form, Reader, Viewer, app_of
from gotgan.console.sparkline import sparkline
from gotgan.console.videos.display import (
    Timeline,
    analyser_options,
    draw_timeline,
    result_state,
    template_names,
    video_page,
    video_state,
)
from gotgan.domains.videos.keys import parse_video_id
from gotgan.domains.videos.models import REASONS, Comment
from gotgan.domains.videos.reports import PastAnalysis, VideoResult, VideoSheet
from gotgan.domains.videos.sources.csv_comments import EXPORT_COLUMNS
from gotgan.encoding import encode, field_keys
from gotgan.errors import Conflict, NotFound, UsageError

router = APIRouter()
_LABELS: Final = ("positive", "neutral", "negative")
_MAX_OFFERED: Final = 50
"""The most videos that the fields offer."""


@router.get("/videos/compare")
def compare(
    request: Request, _who: Reader, app: CurrentApp, first: str = "", second: str = ""
) -> Response:
    """The latest results of two videos; without them, the form that asks for them."""
    one, other = first.strip(), second.strip()
    compared, links, refusal = None, None, None
    try:
        compared = app.videos.compare(one, other) if one and other else None
    except (Conflict, NotFound, UsageError) as error:
        refusal = message_with_links(Viewer.of(request), error.message)
    if compared is not None:
        one, other = (sheet.video_id for sheet in compared.videos)
        query = urlencode({"first": one, "second": other})
        command = f"gotgan videos compare {one} {other}"
        links = ExportLinks(f"/v1/videos/compare?{query}", "", command)
    lines = app.videos.list(limit=_MAX_OFFERED).items
    return page(
        request,
        "videos/compare.html",
        status=200 if refusal is None else 422,
        first=first,
        second=second,
        offered=[line for line in lines if line.result_id is not None],
        compared=compared,
        elsewhere=links,
        refusal=refusal,
        outcome_of=result_state,
        **template_names(app),
    )


@dataclass(frozen=True)
class ResultView:
    """A result, with those of its comments that are still stored."""

    result: VideoResult
    evidence: Mapping[str, Comment]
    is_fresh: bool
    is_latest: bool

    @classmethod
    def of(cls, sheet: VideoSheet | None) -> ResultView | None:
        """The result of a sheet; None if there is none yet."""
        if sheet is None or sheet.result is None:
            return None
        is_latest = sheet.history[0].id == sheet.result.id
        return cls(sheet.result, sheet.evidence, sheet.is_fresh, is_latest)

    @property
    def document(self) -> Mapping[str, Any]:
        """The result itself, in shape 2."""
        return self.result.document


@dataclass(frozen=True)
class Trend:
    """The analyses of a video, newest first, and their net sentiment as a line."""

    items: Sequence[PastAnalysis]
    line: Markup | None
    """None where there is no second analysis to compare with."""

    @classmethod
    def of(cls, sheet: VideoSheet | None) -> Trend | None:
        """The latest analyses; None if there is none."""
        if sheet is None or not sheet.history:
            return None
        items = [PastAnalysis.of(each) for each in sheet.history]
        nets = [each.net for each in reversed(items) if each.net is not None]
        return cls(items, sparkline(nets) if nets[1:] else None)


@router.get("/videos/{video_id}")
def read_video(
    request: Request, _who: Reader, video_id: str, version: str = "", result: str = ""
) -> Response:
    """A video with its latest analysis, the latest of a version, or a certain one."""
    return _show_video(request, parse_video_id(video_id), version=version or None, result_id=result)


@router.get("/videos/{video_id}/comments.csv")
def comments_file(_who: Reader, app: CurrentApp, video_id: str) -> Response:
    """The stored comments with their labels, which ``gotgan videos import`` reads back exactly."""
    known = parse_video_id(video_id)
    records = map(encode, app.videos.every_comment(known))
    rows = ({column: each[name] for column, name in EXPORT_COLUMNS.items()} for each in records)
    return csv_response(f"comments-{known}", list(EXPORT_COLUMNS), rows)


@router.get("/videos/{video_id}/history.csv")
def history_file(_who: Reader, app: CurrentApp, video_id: str) -> Response:
    """The analyses of a video as a file."""
    known = parse_video_id(video_id)
    records = all_items(app.videos.history, video=known)
    columns = [name for name in field_keys(PastAnalysis) if name != "sentiment"]
    rows = (_history_row(each) for each in records)
    return csv_response(f"analyses-{known}", [*columns, *_LABELS], rows)


def _history_row(analysis: PastAnalysis) -> dict[str, Any]:
    """An analysis with the numbers of comments in columns of their own."""
    record = encode(analysis)
    return {**dict.fromkeys(_LABELS), **(record.pop("sentiment") or {}), **record}


def show_refused_analysis(request: Request, _form: Form, refusal: str) -> Response:
    """The page of a video, with why its analysis was refused."""
    return _show_video(request, parse_video_id(request.path_params["video_id"]), refusal=refusal)


def _show_video(
    request: Request,
    video_id: str,
    *,
    version: str | None = None,
    result_id: str = "",
    refusal: str | None = None,
) -> Response:
    app = app_of(request)
    sheet = _video_sheet(app, video_id, version, result_id)
    state, shown = video_state(sheet), ResultView.of(sheet)
    name = shown.result.analysis_version if shown else None
    recipes = (each.recipe for each in app.videos.versions().items if each.name == name)
    command = f"gotgan videos get {video_id}"
    links = ExportLinks.of(f"/v1/videos/{video_id}", "", command, version=version)
    comments = f"{video_page(video_id)}/comments.csv"
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
        recipe=next(recipes, None),
        timeline=_timeline(sheet),
        trend=Trend.of(sheet),
        analysers=analyser_options(request),
        chosen=app.settings.analyser,
        reasons=Viewer.of(request).options("videos.reason", REASONS),
        elsewhere=replace(links, csv=comments) if sheet and sheet.snapshot else links,
        **template_names(app),
    )
    if fragment_id(request) == "video-state" and state != "loading":
        answer.headers["HX-Trigger"] = RUN_ENDED_EVENT
    return answer


def _video_sheet(app: App, video_id: str, version: str | None, result_id: str) -> VideoSheet | None:
    """A video with one of its results; None if it is unknown."""
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
    if sheet is None or sheet.result is None:
        return None
    length = None if sheet.snapshot is None else sheet.snapshot.video.duration_sec
    return draw_timeline(sheet.result.document["moments"], length)
