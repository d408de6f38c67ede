"""Two videos side by side."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final
from urllib.parse import urlencode

from fastapi import APIRouter
from starlette.requests import Request
from starlette.responses import Response

from gotgan.app import App
from gotgan.console.frame import page
from gotgan.console.given import Gotgan, Reader
from gotgan.console.listing import Elsewhere
from gotgan.console.videos.showing import names
from gotgan.console.videos.states import outcome_of
from gotgan.errors import Conflict, NotFound, UsageError

if TYPE_CHECKING:
    from gotgan.domains.videos.reports import VideoComparison

__all__ = ["compare", "router"]

router = APIRouter()
_OFFERED: Final = 50
"""How many videos the fields offer."""


@router.get("/videos/compare")
def compare(
    request: Request, _who: Reader, app: Gotgan, first: str = "", second: str = ""
) -> Response:
    """The latest results of two videos; without them, the form that asks for them."""
    compared, refusal = _compared(app, first.strip(), second.strip())
    lines = app.videos.list(limit=_OFFERED).items
    return page(
        request,
        "videos/compare.html",
        status=200 if refusal is None else 422,
        first=first,
        second=second,
        offered=[line for line in lines if line.result_id is not None],
        compared=compared,
        elsewhere=None if compared is None else _elsewhere(compared),
        refusal=refusal,
        outcome_of=outcome_of,
        **names(app),
    )


def _compared(app: App, first: str, second: str) -> tuple[VideoComparison | None, str | None]:
    """Both side by side, or why they cannot be."""
    if not (first and second):
        return None, None
    try:
        return app.videos.compare(first, second), None
    except (Conflict, NotFound, UsageError) as error:
        return None, error.message


def _elsewhere(compared: VideoComparison) -> Elsewhere:
    """The same for programs."""
    first, second = (sheet.video_id for sheet in compared.videos)
    query = urlencode({"first": first, "second": second})
    return Elsewhere(f"/v1/videos/compare?{query}", "", f"gotgan videos compare {first} {second}")
