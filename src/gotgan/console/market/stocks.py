"""Stocks, indices and screens: lists, charts and the last days of each."""

from __future__ import annotations

import shlex
from collections.abc import Iterable
from datetime import date
from functools import partial
from html import escape
from itertools import pairwise
from typing import Final, get_args
from urllib.parse import quote, urlencode

from fastapi import APIRouter, HTTPException
from markupsafe import Markup
from starlette.requests import Request
from starlette.responses import Response

from gotgan.app import App
from gotgan.console.frame import page
from gotgan.console.lists import ExportLinks, all_items, csv_response, encoded_csv
from gotgan.console.market.days import RANGES, Range, RequestedRange, optional_day, range_start
from gotgan.console.session import CurrentApp, Reader, Viewer
from gotgan.domains.market.chart_panels import Panel, bars, line, ribbon
from gotgan.domains.market.models import INDICATORS, INDICES, Screen
from gotgan.domains.market.rows import DailyPrice, IndexSheet, StockRow, TickerSheet
from gotgan.encoding import encode, field_keys
from gotgan.errors import NotFound

router = APIRouter()

# The chart of an index

_WIDTH: Final = 960
_LEFT_MARGIN: Final = 8
_RIGHT_MARGIN: Final = 72
_TOP_MARGIN: Final = 12
_PRICE_HEIGHT: Final = 300
_VOLUME_HEIGHT: Final = 80
_PANEL_GAP: Final = 18
_BOTTOM_MARGIN: Final = 26
_LINE: Final = "#2c9a68"
_BAND: Final = "#7d8590"


def index_chart(sheet: IndexSheet, value_name: str = "value") -> Markup:
    """The closes of an index within each day's range, and below them the traded value."""
    height = _TOP_MARGIN + _PRICE_HEIGHT + _PANEL_GAP + _VOLUME_HEIGHT + _BOTTOM_MARGIN
    title, parts = escape(f"{sheet.code} {sheet.name}"), "".join(_chart_parts(sheet, value_name))
    return Markup(  # noqa: S704 - the title is escaped, and the rest are figures
        '<svg xmlns="http://www.w3.org/2000/svg" class="market-chart" role="img" '
        f'viewBox="0 0 {_WIDTH} {height}" font-size="11" fill="currentColor">'
        f"<title>{title}</title>{parts}</svg>"
    )


def _chart_parts(sheet: IndexSheet, value_name: str) -> Iterable[str]:
    count, width = len(sheet.values), _WIDTH - _LEFT_MARGIN - _RIGHT_MARGIN
    upper = Panel(_LEFT_MARGIN, _TOP_MARGIN, width, _PRICE_HEIGHT, count)
    lower = Panel(
        _LEFT_MARGIN, _TOP_MARGIN + _PRICE_HEIGHT + _PANEL_GAP, width, _VOLUME_HEIGHT, count
    )
    highs = [None if row.high is None else float(row.high) for row in sheet.values]
    lows = [None if row.low is None else float(row.low) for row in sheet.values]
    closes = [float(row.close) for row in sheet.values]
    values = [float(row.value) for row in sheet.values]
    scale, volumes = upper.scale(highs, lows), lower.scale(values, floor=0.0)
    yield upper.axis(scale)
    yield ribbon(upper, scale, highs, lows, "band", _BAND)
    yield line(upper, scale, closes, "close", _LINE)
    yield bars(lower, volumes, values, "value", _BAND)
    yield lower.axis(volumes, str(escape(value_name)))
    yield lower.months([row.date for row in sheet.values])


# Stocks

_NOT_IN_FILE: Final = ("ticker", "market", "updated_at")
_PRICE_COLUMNS: Final = tuple(each for each in field_keys(DailyPrice) if each not in _NOT_IN_FILE)
_LATEST_DAYS: Final = 30
"""The days in the table under the chart."""


@router.get("/market/stocks")
def find_stocks(
    request: Request, _who: Reader, app: CurrentApp, q: str = "", cursor: str | None = None
) -> Response:
    """Stocks by the start of their ticker, or by a part of their name."""
    words = q.strip()
    text, query = (f"?{urlencode({name: words})}" if words else "" for name in ("text", "q"))
    command = f"gotgan market stocks {shlex.quote(words)}" if words else "gotgan market stocks"
    return page(
        request,
        "market/stocks.html",
        words=words,
        found=app.market.stocks(words, cursor=cursor or None),
        cursor=cursor,
        elsewhere=ExportLinks(f"/v1/market/stocks{text}", f"/market/stocks.csv{query}", command),
    )


@router.get("/market/stocks.csv")
def stocks_file(_who: Reader, app: CurrentApp, q: str = "") -> Response:
    """The same stocks as a file."""
    return encoded_csv("stocks", StockRow, all_items(partial(app.market.stocks, q.strip())))


@router.get("/market/stocks/{ticker}.csv")
def stock_file(_who: Reader, app: CurrentApp, ticker: str, chosen: RequestedRange) -> Response:
    """The days of a stock as a file, with their indicators."""
    sheet = _stock_sheet(app, ticker, chosen)
    indicators = {row.date: encode(row) for row in sheet.indicators}
    rows = ({**indicators.get(row.date, {}), **encode(row)} for row in sheet.prices)
    return csv_response(sheet.ticker, (*_PRICE_COLUMNS, *INDICATORS), rows)


@router.get("/market/stocks/{ticker}")
def read_stock(
    request: Request, who: Reader, app: CurrentApp, ticker: str, chosen: RequestedRange
) -> Response:
    """A stock: its chart, its last days, and how its prices are adjusted."""
    from gotgan.domains.market.chart import svg_chart  # noqa: PLC0415 - it loads numpy

    sheet = _stock_sheet(app, ticker, chosen)
    first = range_start(chosen, sheet.last_seen)
    texts = {name: who.t(f"market.chart.{name}") for name in ("span", "volume", "bands")}
    return page(
        request,
        "market/stock.html",
        sheet=sheet,
        chosen=chosen,
        ranges=RANGES,
        drawn=Markup(svg_chart(sheet, texts)) if sheet.prices else None,  # noqa: S704 - it escapes
        latest=list(reversed(sheet.prices[-_LATEST_DAYS:])),
        indicators={row.date: row for row in sheet.indicators},
        elsewhere=_range_links(
            f"stocks/{quote(sheet.ticker)}", f"get {sheet.ticker}", chosen, first
        ),
    )


def _stock_sheet(app: App, ticker: str, chosen: Range) -> TickerSheet:
    """A stock in a range that ends with its last day."""
    today = app.market.today()
    last_seen = app.market.get(ticker, first=today, last=today).last_seen
    return app.market.get(ticker, first=range_start(chosen, last_seen), last=last_seen)


def _range_links(path: str, command: str, chosen: Range, first: date) -> ExportLinks:
    """Programs name the first day of a range."""
    return ExportLinks(
        f"/v1/market/{path}?first={first}",
        f"/market/{path}.csv?range={chosen}",
        f"gotgan market {command} --first {first}",
    )


# Indices

_INDEX_COLUMNS: Final = ("date", "open", "high", "low", "close", "volume", "value", "provider")


@router.get("/market/indices")
def show_indices(
    request: Request, _who: Reader, app: CurrentApp, chosen: RequestedRange
) -> Response:
    """The first index."""
    return _show_index(request, app, next(iter(INDICES.values())), chosen)


@router.get("/market/indices/{code}.csv")
def index_file(_who: Reader, app: CurrentApp, code: str, chosen: RequestedRange) -> Response:
    """The days of an index as a file."""
    known = _index_code(code)
    sheet = _index_sheet(app, known, chosen)
    return csv_response(f"index-{known}", _INDEX_COLUMNS, encode(sheet.values) if sheet else [])


@router.get("/market/indices/{code}")
def read_index(
    request: Request, _who: Reader, app: CurrentApp, code: str, chosen: RequestedRange
) -> Response:
    """An index by its code, or by its market."""
    return _show_index(request, app, _index_code(code), chosen)


def _show_index(request: Request, app: App, code: str, chosen: Range) -> Response:
    sheet, first = _index_sheet(app, code, chosen), range_start(chosen, app.market.today())
    values = () if sheet is None else sheet.values
    value_name = Viewer.of(request).t("market.field.value")
    changes = [None, *(now.close - before.close for before, now in pairwise(values))]
    return page(
        request,
        "market/index.html",
        code=code,
        names=dict(zip(INDICES.values(), INDICES, strict=True)),
        sheet=sheet,
        chosen=chosen,
        ranges=RANGES,
        drawn=None if sheet is None else index_chart(sheet, value_name),
        latest=list(zip(values, changes, strict=False))[: -_LATEST_DAYS - 1 : -1],
        elsewhere=_range_links(f"indices/{code}", f"index {code}", chosen, first),
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


# Screens

_SCREENS: Final[tuple[Screen, ...]] = get_args(Screen)
_SCREEN_COLUMNS: Final = (
    "date",
    "ticker",
    "name",
    "market",
    "close",
    "change",
    "value",
    *INDICATORS,
)


@router.get("/market/screens")
def show_first_screen(
    request: Request, _who: Reader, app: CurrentApp, day: str = "", cursor: str | None = None
) -> Response:
    """The first screen."""
    return _show_screen(request, app, _SCREENS[0], optional_day(day), cursor)


@router.get("/market/screens/{kind}.csv")
def screen_file(_who: Reader, app: CurrentApp, kind: str, day: str = "") -> Response:
    """The same stocks as a file."""
    wanted = optional_day(day) or app.market.last_indicator_day()
    found = all_items(partial(app.market.screen, _screen(kind), wanted))
    return csv_response(f"screen-{kind}", _SCREEN_COLUMNS, map(encode, found))


@router.get("/market/screens/{kind}")
def show_screen(
    request: Request,
    _who: Reader,
    app: CurrentApp,
    kind: str,
    day: str = "",
    cursor: str | None = None,
) -> Response:
    """The stocks of a screen on a day; by default the last day with indicators."""
    return _show_screen(request, app, _screen(kind), optional_day(day), cursor)


def _show_screen(
    request: Request, app: App, kind: Screen, day: date | None, cursor: str | None
) -> Response:
    found = app.market.screen(kind, day, cursor=cursor or None)
    path, query = f"/market/screens/{kind}", f"?day={day}" if day else ""
    command = f"gotgan market screen {kind} {day or ''}".strip()
    return page(
        request,
        "market/screen.html",
        kind=kind,
        screens=_SCREENS,
        day=found.day,
        is_chosen=day is not None,
        found=found,
        cursor=cursor,
        elsewhere=ExportLinks(f"/v1{path}{query}", f"{path}.csv{query}", command),
    )


def _screen(kind: str) -> Screen:
    if kind not in _SCREENS:
        raise HTTPException(404)
    return kind
