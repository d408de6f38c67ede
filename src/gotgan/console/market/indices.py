"""Indices: each with its chart and its last days."""

from __future__ import annotations

from itertools import pairwise
from typing import Final

from fastapi import APIRouter, HTTPException
from starlette.requests import Request
from starlette.responses import Response

from gotgan.app import App
from gotgan.console.frame import page
from gotgan.console.lists import csv_response
from gotgan.console.market.charts import (
    INTERVALS,
    ChartWords,
    Interval,
    RequestedInterval,
    chart_data,
    index_bars,
)
from gotgan.console.market.days import RANGES, Range, RequestedRange, range_start
from gotgan.console.market.stocks import LATEST_DAYS, json_response, range_links
from gotgan.console.session import CurrentApp, Reader
from gotgan.domains.market.days import FIRST_DAY
from gotgan.domains.market.models import INDICES
from gotgan.domains.market.rows import IndexSheet
from gotgan.encoding import encode
from gotgan.errors import NotFound

router = APIRouter()
_COLUMNS: Final = ("date", "open", "high", "low", "close", "volume", "value", "provider")


@router.get("/market/indices")
def show_indices(
    request: Request,
    _who: Reader,
    app: CurrentApp,
    chosen: RequestedRange,
    interval: RequestedInterval,
) -> Response:
    """The first index."""
    return _show_index(request, app, next(iter(INDICES.values())), chosen, interval)


@router.get("/market/indices/{code}.csv")
def index_file(_who: Reader, app: CurrentApp, code: str, chosen: RequestedRange) -> Response:
    """The days of an index as a file."""
    known = _index_code(code)
    sheet = _index_sheet(app, known, chosen)
    return csv_response(f"index-{known}", _COLUMNS, encode(sheet.values) if sheet else [])


@router.get("/market/indices/{code}.json")
def index_chart(
    who: Reader, app: CurrentApp, code: str, chosen: RequestedRange, interval: RequestedInterval
) -> Response:
    """The chart of an index."""
    sheet = app.market.index(_index_code(code), first=FIRST_DAY)
    bars = index_bars(sheet).by(interval).since(range_start(chosen, sheet.values[-1].date))
    words = ChartWords.of(who.t).with_value(who.t)
    return json_response(chart_data(bars, words, decimals=2))


@router.get("/market/indices/{code}")
def read_index(
    request: Request,
    _who: Reader,
    app: CurrentApp,
    code: str,
    chosen: RequestedRange,
    interval: RequestedInterval,
) -> Response:
    """An index by its code, or by its market."""
    return _show_index(request, app, _index_code(code), chosen, interval)


def _show_index(
    request: Request, app: App, code: str, chosen: Range, interval: Interval
) -> Response:
    sheet, first = _index_sheet(app, code, "1y"), range_start(chosen, app.market.today())
    values = () if sheet is None else sheet.values
    changes = [None, *(now.close - before.close for before, now in pairwise(values))]
    return page(
        request,
        "market/index.html",
        charts=True,
        code=code,
        names=dict(zip(INDICES.values(), INDICES, strict=True)),
        sheet=sheet,
        chosen=chosen,
        ranges=RANGES,
        interval=interval,
        intervals=INTERVALS,
        drawn=f"/market/indices/{code}.json?range={chosen}&every={interval}",
        year_range=(
            min((row.low or row.close for row in values), default=None),
            max((row.high or row.close for row in values), default=None),
        ),
        latest=list(zip(values, changes, strict=False))[: -LATEST_DAYS - 1 : -1],
        elsewhere=range_links(f"indices/{code}", f"index {code}", chosen, first),
    )


def _index_code(code: str) -> str:
    known = INDICES.get(code.upper(), code)
    if known not in INDICES.values():
        raise HTTPException(404)
    return known


def _index_sheet(app: App, code: str, chosen: Range) -> IndexSheet | None:
    try:
        return app.market.index(code, first=range_start(chosen, app.market.today()))
    except NotFound:
        return None
