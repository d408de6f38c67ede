"""What the versions of analyses stand for."""

from __future__ import annotations

from typing import Final

from fastapi import APIRouter
from starlette.requests import Request
from starlette.responses import Response

from gotgan.console.frame import page
from gotgan.console.given import Gotgan, Reader
from gotgan.console.listing import Elsewhere, as_csv
from gotgan.domains.videos.reports import VideoVersion
from gotgan.encoding import encode, keys_of

__all__ = ["router", "show_versions", "versions_file"]

router = APIRouter()
_PATH: Final = "/videos/versions"


@router.get("/videos/versions")
def show_versions(request: Request, _who: Reader, app: Gotgan) -> Response:
    """Every version, the latest first."""
    return page(
        request,
        "videos/versions.html",
        versions=app.videos.versions().items[::-1],
        elsewhere=Elsewhere(f"/v1{_PATH}", f"{_PATH}.csv", "gotgan videos versions"),
    )


@router.get("/videos/versions.csv")
def versions_file(_who: Reader, app: Gotgan) -> Response:
    """The same versions as a file."""
    newest_first = app.videos.versions().items[::-1]
    return as_csv("video-versions", keys_of(VideoVersion), map(encode, newest_first))
