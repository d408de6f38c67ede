"""``/v1/videos``: all that there is of a video, its comments, and two videos side by side."""

from __future__ import annotations

from fastapi import APIRouter
from starlette.requests import Request
from starlette.responses import Response

from gotgan.api.envelope import ok
from gotgan.api.paging import Paged, asked
from gotgan.api.routes import StrictJson, declared
from gotgan.api.videos.asking import CommentListing, Pair, ResultId, SheetListing, VideoId
from gotgan.api.videos.showing import analysis_of
from gotgan.api.who import app_of
from gotgan.domains.videos.records import (
    comment_record,
    comparison_record,
    line_record,
    sheet_record,
)
from gotgan.domains.videos.report_records import deleted_record

__all__ = [
    "compare_videos",
    "delete_video",
    "list_comments",
    "list_videos",
    "read_result",
    "read_video",
    "router",
]

router = APIRouter(tags=["videos"], route_class=StrictJson)


@router.get(
    "/videos",
    **declared("List videos", gives="VideoPage", role="viewer", fails=(400,), query=Paged),
)
def list_videos(request: Request) -> Response:
    """Videos that there is anything of, the latest first, with how fresh their analyses are."""
    videos = app_of(request).videos
    page, now = videos.page(**dict(asked(request, Paged))), videos.now()
    items = [line_record(line, now) for line in page.items]
    return ok({"items": items, "cursor": page.cursor})


@router.get(
    "/videos/compare",
    **declared("Compare two videos", gives="VideoComparison", role="viewer",
               fails=(400, 404, 409), query=Pair),
)  # fmt: skip
def compare_videos(request: Request) -> Response:
    """The latest analyses of two videos side by side: how they sound, and what they share."""
    pair = asked(request, Pair)
    return ok(comparison_record(*app_of(request).videos.compare(pair.first, pair.second)))


@router.get(
    "/videos/results/{result_id}",
    **declared("Read a result", gives="VideoAnalysis", role="viewer", fails=(404,)),
)
def read_result(request: Request, result_id: ResultId) -> Response:
    """A result by its id, whatever came after it."""
    return ok(analysis_of(app_of(request).videos, result_id))


@router.get(
    "/videos/{video_id}",
    **declared("Read a video", gives="VideoSheet", role="viewer", fails=(404,),
               query=SheetListing),
)  # fmt: skip
def read_video(request: Request, video_id: VideoId) -> Response:
    """What was collected of a video, its latest analysis, earlier ones, and its latest job."""
    version = asked(request, SheetListing).version
    return ok(sheet_record(app_of(request).videos.show(video_id, version)))


@router.get(
    "/videos/{video_id}/comments",
    **declared("List comments", gives="VideoComments", role="viewer", fails=(404,),
               query=CommentListing),
)  # fmt: skip
def list_comments(request: Request, video_id: VideoId) -> Response:
    """The comments that are kept of a video, each with how it sounds; null for spam."""
    listing = asked(request, CommentListing)
    found = list(app_of(request).videos.comments(video_id))
    some = found[listing.offset : listing.offset + listing.limit]
    items = [{**comment_record(comment), "label": label} for comment, label in some]
    return ok({"items": items, "total": len(found)})


@router.delete(
    "/videos/{video_id}",
    **declared("Delete a video", gives="DeletedVideo", role="admin", fails=(404,)),
)
def delete_video(request: Request, video_id: VideoId) -> Response:
    """Forget all that there is of a video, its results too."""
    return ok(deleted_record(app_of(request).videos.delete(video_id)))
