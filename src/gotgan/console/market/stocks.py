"""Shares: found by ticker or name, and each drawn with its indicators."""

from __future__ import annotations

import shlex
from datetime import date
from typing import TYPE_CHECKING, Final
from urllib.parse import quote

from fastapi import APIRouter
from markupsafe import Markup
from starlette.requests import Request
from starlette.responses import Response

from gotgan.app import App
from gotgan.console.frame import page
from gotgan.console.given import Gotgan, Reader
from gotgan.console.listing import A_CALL, Elsewhere, as_csv, every
from gotgan.console.market.spans import RANGES, AskedRange, Range, begin_of
from gotgan.domains.market.models import INDICATORS
from gotgan.encoding import encode

if TYPE_CHECKING:
    from gotgan.domains.market.rows import IndicatorRow, TickerSheet

__all__ = ["find_stocks", "read_stock", "router", "stock_file", "stocks_file"]

router = APIRouter()
_STOCK_COLUMNS: Final = ("ticker", "name", "market", "first_seen", "last_seen")
_PRICE_COLUMNS: Final = (
    "date",
    "open",
    "high",
    "low",
    "close",
    "change",
    "volume",
    "value",
    "market_cap",
    "shares",
    "is_halted",
    "provider",
    "is_final",
)
_LATEST: Final = 30
"""How many days stand in the table under the chart."""


@router.get("/market/stocks")
def find_stocks(
    request: Request, _who: Reader, app: Gotgan, q: str = "", cursor: str | None = None
) -> Response:
    """Shares by the beginning of their ticker, or by a part of their name."""
    words = q.strip()
    json = Elsewhere.of("/v1/market/stocks", "", "", text=words).json
    csv = Elsewhere.of("", "/market/stocks.csv", "", q=words).csv
    command = f"gotgan market stocks {shlex.quote(words)}" if words else "gotgan market stocks"
    return page(
        request,
        "market/stocks.html",
        words=words,
        found=app.market.stocks(words, cursor=cursor or None),
        cursor=cursor,
        elsewhere=Elsewhere(json, csv, command),
    )


@router.get("/market/stocks.csv")
def stocks_file(_who: Reader, app: Gotgan, q: str = "") -> Response:
    """The same shares as a file."""
    words = q.strip()
    found = every(lambda cursor: app.market.stocks(words, limit=A_CALL, cursor=cursor))
    return as_csv("stocks", _STOCK_COLUMNS, map(encode, found))


@router.get("/market/stocks/{ticker}.csv")
def stock_file(_who: Reader, app: Gotgan, ticker: str, chosen: AskedRange) -> Response:
    """The days of a share as a file, with their indicators."""
    sheet = _sheet(app, ticker, chosen)
    by_day = _by_day(sheet)
    made = {day: encode(row) for day, row in by_day.items()}
    rows = ({**made.get(row.date, {}), **encode(row)} for row in sheet.prices)
    return as_csv(sheet.ticker, (*_PRICE_COLUMNS, *INDICATORS), rows)


@router.get("/market/stocks/{ticker}")
def read_stock(
    request: Request, _who: Reader, app: Gotgan, ticker: str, chosen: AskedRange
) -> Response:
    """A share: its chart, its last days, and what makes its prices comparable."""
    from gotgan.domains.market.plotting import chart  # noqa: PLC0415 - it loads numpy

    sheet = _sheet(app, ticker, chosen)
    return page(
        request,
        "market/stock.html",
        sheet=sheet,
        chosen=chosen,
        ranges=RANGES,
        drawn=Markup(chart(sheet)) if sheet.prices else None,  # noqa: S704 - it escapes its texts
        latest=list(reversed(sheet.prices[-_LATEST:])),
        indicators=_by_day(sheet),
        elsewhere=_elsewhere(sheet, chosen),
    )


def _sheet(app: App, ticker: str, chosen: Range) -> TickerSheet:
    """A share in a range that ends with the last day it was seen on."""
    today = app.market.today()
    last_seen = app.market.get(ticker, first=today, last=today).last_seen
    return app.market.get(ticker, first=begin_of(chosen, last_seen), last=last_seen)


def _by_day(sheet: TickerSheet) -> dict[date, IndicatorRow]:
    return {row.date: row for row in sheet.indicators}


def _elsewhere(sheet: TickerSheet, chosen: Range) -> Elsewhere:
    first = str(begin_of(chosen, sheet.last_seen))
    path = f"/market/stocks/{quote(sheet.ticker)}"
    return Elsewhere(
        f"/v1{path}?first={first}",
        f"{path}.csv?range={chosen}",
        f"gotgan market get {sheet.ticker} --first {first}",
    )
