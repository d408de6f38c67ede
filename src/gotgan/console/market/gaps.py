"""What is missing of a span: whole days, thin days, and holes of single shares."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING, Any, Final

from fastapi import APIRouter
from starlette.requests import Request
from starlette.responses import Response

from gotgan.app import App
from gotgan.console.frame import page
from gotgan.console.given import Gotgan, Reader
from gotgan.console.listing import Elsewhere, as_csv
from gotgan.console.market.spans import optional_day
from gotgan.domains.market.days import DaySpan

if TYPE_CHECKING:
    from gotgan.domains.market.reports import Gaps

__all__ = ["gaps_file", "router", "show_gaps"]

router = APIRouter()
_MOST: Final = 100
"""How many of each kind a page lists."""
_COLUMNS: Final = ("kind", "date", "ticker", "words")


@router.get("/market/gaps")
def show_gaps(
    request: Request, _who: Reader, app: Gotgan, first: str = "", last: str = "", span: str = ""
) -> Response:
    """What is missing; without a span, of the year that ends with the last session."""
    gaps = _gaps(app, first, last, span)
    shown = {"first": str(gaps.first), "last": str(gaps.last)}
    here = f"?first={gaps.first}&last={gaps.last}"
    api = Elsewhere.of("/v1/market/gaps", "", "gotgan market gaps", **shown)
    return page(
        request,
        "market/gaps.html",
        gaps=gaps,
        most=_MOST,
        is_chosen=any(map(str.strip, (first, last, span))),
        elsewhere=Elsewhere(api.json, f"/market/gaps.csv{here}", api.cli),
    )


@router.get("/market/gaps.csv")
def gaps_file(
    _who: Reader, app: Gotgan, first: str = "", last: str = "", span: str = ""
) -> Response:
    """All of it as a file: a line for each day that is missing or thin, and for each hole."""
    return as_csv("gaps", _COLUMNS, _rows(_gaps(app, first, last, span)))


def _gaps(app: App, first: str, last: str, span: str) -> Gaps:
    wanted = DaySpan.of(span.strip()) if span.strip() else None
    return app.market.gaps(wanted, first=optional_day(first), last=optional_day(last))


def _rows(gaps: Gaps) -> Iterator[dict[str, Any]]:
    for day in gaps.missing:
        yield {"kind": "missing", "date": str(day.day), "words": day.words}
    for thin in gaps.thin:
        words = f"{thin.count} shares beside {thin.beside}"
        yield {"kind": "thin", "date": str(thin.day), "words": words}
    for hole in gaps.holes:
        for each in hole.days:
            yield {"kind": "hole", "date": str(each), "ticker": hole.ticker}
