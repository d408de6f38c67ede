"""What is missing of a span: whole days, thin days, and holes of single shares."""

from __future__ import annotations

from collections.abc import Iterator
from datetime import date
from typing import TYPE_CHECKING, Any, Final

from fastapi import APIRouter
from starlette.requests import Request
from starlette.responses import Response

from gotgan.console.frame import page
from gotgan.console.given import Gotgan, Reader
from gotgan.console.listing import Elsewhere, as_csv
from gotgan.console.market.spans import optional_day
from gotgan.domains.market.days import one_span, read_span

if TYPE_CHECKING:
    from gotgan.domains.market.gaps import Gaps

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
    begins, ends = _chosen(first, last, span)
    gaps = app.market.gaps(begins, ends)
    shown = {"from": str(gaps.first), "to": str(gaps.last)}
    here = f"?first={gaps.first}&last={gaps.last}"
    api = Elsewhere.of("/v1/market/gaps", "", "gotgan market gaps", **shown)
    return page(
        request,
        "market/gaps.html",
        gaps=gaps,
        most=_MOST,
        is_chosen=begins is not None or ends is not None,
        elsewhere=Elsewhere(api.json, f"/market/gaps.csv{here}", api.cli),
    )


@router.get("/market/gaps.csv")
def gaps_file(
    _who: Reader, app: Gotgan, first: str = "", last: str = "", span: str = ""
) -> Response:
    """All of it as a file: a line for each day that is missing or thin, and for each hole."""
    gaps = app.market.gaps(*_chosen(first, last, span))
    return as_csv("gaps", _COLUMNS, _rows(gaps))


def _chosen(first: str, last: str, span: str) -> tuple[date | None, date | None]:
    wanted = read_span(span.strip()) if span.strip() else None
    return one_span(wanted, optional_day(first), optional_day(last))


def _rows(gaps: Gaps) -> Iterator[dict[str, Any]]:
    for day in gaps.missing:
        yield {"kind": "missing", "date": str(day.day), "words": day.words}
    for thin in gaps.thin:
        words = f"{thin.count} shares beside {thin.beside}"
        yield {"kind": "thin", "date": str(thin.day), "words": words}
    for hole in gaps.holes:
        for each in hole.days:
            yield {"kind": "hole", "date": str(each), "ticker": hole.ticker}
