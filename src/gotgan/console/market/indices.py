"""The indices of the markets, each with its chart and its days."""

from __future__ import annotations

from collections.abc import Sequence
from decimal import Decimal
from itertools import pairwise
from typing import TYPE_CHECKING, Final

from fastapi import APIRouter, HTTPException
from starlette.requests import Request
from starlette.responses import Response

from gotgan.app import App
from gotgan.console.frame import page
from gotgan.console.given import Gotgan, Reader
from gotgan.console.listing import Elsewhere, as_csv
from gotgan.console.market.charts import index_chart
from gotgan.console.market.spans import RANGES, AskedRange, Range, begin_of
from gotgan.domains.market.models import INDICES
from gotgan.encoding import encode
from gotgan.errors import NotFound

if TYPE_CHECKING:
    from gotgan.domains.market.rows import IndexDay, IndexSheet

__all__ = ["index_file", "read_index", "router", "show_indices"]

router = APIRouter()
_COLUMNS: Final = ("date", "open", "high", "low", "close", "volume", "value", "provider")
_LATEST: Final = 30
_FIRST: Final = next(iter(INDICES.values()))


@router.get("/market/indices")
def show_indices(request: Request, _who: Reader, app: Gotgan, chosen: AskedRange) -> Response:
    """The first of them."""
    return _show(request, app, _FIRST, chosen)


@router.get("/market/indices/{code}.csv")
def index_file(_who: Reader, app: Gotgan, code: str, chosen: AskedRange) -> Response:
    """The days of an index as a file."""
    sheet = _sheet(app, _known(code), chosen)
    rows = [] if sheet is None else encode(sheet.values)
    return as_csv(f"index-{_known(code)}", _COLUMNS, rows)


@router.get("/market/indices/{code}")
def read_index(
    request: Request, _who: Reader, app: Gotgan, code: str, chosen: AskedRange
) -> Response:
    """An index by its code, or by its market."""
    return _show(request, app, _known(code), chosen)


def _show(request: Request, app: App, code: str, chosen: Range) -> Response:
    sheet = _sheet(app, code, chosen)
    values = () if sheet is None else sheet.values
    return page(
        request,
        "market/index.html",
        code=code,
        names=dict(zip(INDICES.values(), INDICES, strict=True)),
        sheet=sheet,
        chosen=chosen,
        ranges=RANGES,
        drawn=None if sheet is None else index_chart(sheet),
        latest=_with_changes(values)[: -_LATEST - 1 : -1],
        elsewhere=_elsewhere(app, code, chosen),
    )


def _known(code: str) -> str:
    known = INDICES.get(code.upper(), code)
    if known not in INDICES.values():
        raise HTTPException(404)
    return known


def _sheet(app: App, code: str, chosen: Range) -> IndexSheet | None:
    try:
        return app.market.index(code, first=begin_of(chosen, app.market.today()))
    except NotFound:
        return None


def _with_changes(values: Sequence[IndexDay]) -> list[tuple[IndexDay, Decimal | None]]:
    """Each day with by how much it closed above the one before it."""
    changes = [now.close - before.close for before, now in pairwise(values)]
    return list(zip(values, [None, *changes], strict=False))


def _elsewhere(app: App, code: str, chosen: Range) -> Elsewhere:
    first = str(begin_of(chosen, app.market.today()))
    path = f"/market/indices/{code}"
    return Elsewhere(
        f"/v1{path}?first={first}",
        f"{path}.csv?range={chosen}",
        f"gotgan market index {code} --first {first}",
    )
