"""What is missing of a span: whole days, thin days, and holes of single shares."""

from __future__ import annotations

from typing import Final

from fastapi import APIRouter
from starlette.requests import Request
from starlette.responses import Response

from gotgan.console.frame import page
from gotgan.console.given import Gotgan, Reader
from gotgan.console.listing import Elsewhere
from gotgan.console.market.spans import optional_day

__all__ = ["router", "show_gaps"]

router = APIRouter()
_MOST: Final = 100
"""How many of each kind a page lists."""


@router.get("/market/gaps")
def show_gaps(
    request: Request, _who: Reader, app: Gotgan, first: str = "", last: str = ""
) -> Response:
    """What is missing; without a span, of the year that ends with the last session."""
    begins, ends = optional_day(first), optional_day(last)
    gaps = app.market.gaps(begins, ends)
    span = {"from": str(gaps.first), "to": str(gaps.last)}
    return page(
        request,
        "market/gaps.html",
        gaps=gaps,
        most=_MOST,
        is_chosen=begins is not None or ends is not None,
        elsewhere=Elsewhere.of("/v1/market/gaps", "", "gotgan market gaps", **span),
    )
