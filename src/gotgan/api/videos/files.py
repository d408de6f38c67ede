"""``/v1/videos/import`` and ``/v1/videos/purge``: what comes from files, and what goes in time."""

from __future__ import annotations

from fastapi import APIRouter
from starlette.requests import Request
from starlette.responses import Response

from gotgan.api.envelope import ok
from gotgan.api.routes import StrictJson, declared
from gotgan.api.videos.asking import FilesBody
from gotgan.api.who import app_of
from gotgan.domains.videos.report_records import imported_record, purged_record

__all__ = ["import_videos", "purge_videos", "router"]

router = APIRouter(tags=["videos"], route_class=StrictJson)


@router.post(
    "/videos/import",
    **declared("Import videos", gives="ImportedVideos", role="editor", fails=(400,), body=True),
)
def import_videos(request: Request, body: FilesBody) -> Response:
    """Keep videos and comments from files, all of them right; this takes no key of YouTube's."""
    files = [(file.name, file.text.encode()) for file in body.files]
    kept = app_of(request).videos.import_files(files, video=body.video)
    return ok({"items": [imported_record(each) for each in kept]})


@router.post(
    "/videos/purge",
    **declared("Purge what was collected", gives="PurgedVideos", role="admin"),
)
def purge_videos(request: Request) -> Response:
    """Forget comments, videos and channels that were collected too long ago; results stay."""
    return ok(purged_record(app_of(request).videos.purge()))
