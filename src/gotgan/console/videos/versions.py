"""What the versions of analyses stand for."""

from __future__ import annotations

from fastapi import APIRouter
from starlette.requests import Request
from starlette.responses import Response

from gotgan.console.frame import page
from gotgan.console.given import Gotgan, Reader
from gotgan.console.listing import Elsewhere

__all__ = ["router", "show_versions"]

router = APIRouter()


@router.get("/videos/versions")
def show_versions(request: Request, _who: Reader, app: Gotgan) -> Response:
    """Every version, the latest first."""
    return page(
        request,
        "videos/versions.html",
        versions=app.videos.versions()[::-1],
        elsewhere=Elsewhere("/v1/videos/versions", "", "gotgan videos versions"),
    )
