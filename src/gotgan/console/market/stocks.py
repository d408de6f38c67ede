"""Shares: the list with prices of the last day, and each with its chart and its last days."""

from __future__ import annotations

import shlex
from collections.abc import Mapping
from datetime import date
from functools import partial
from typing import Any, Final, cast, get_args
from urllib.parse import quote, urlencode

from fastapi import APIRouter
from starlette.requests import Request
from starlette.responses import Response

from gotgan.app import App
from gotgan.console.frame import page
from gotgan.console.lists import (
    ExportLinks,
    Sort,
    all_items,
    csv_response,
    encoded_csv,
    one_of,
)
from gotgan.console.market.charts import (
    INTERVALS,
    ChartWords,
    RequestedInterval,
    chart_data,
    share_bars,
)
from gotgan.console.market.days import RANGES, Range, RequestedRange, range_start
from gotgan.console.session import CurrentApp, Reader
from gotgan.domains.market.days import FIRST_DAY
from gotgan.domains.market.models import INDICATORS, ShareSort
from gotgan.domains.market.rows import DailyPrice, StockQuote, TickerSheet
from gotgan.encoding import encode, field_keys
from gotgan.plain_json import to_json

router = APIRouter()
LATEST_DAYS: Final = 30
"""The days in the table under a chart."""
_MARKETS: Final = ("KOSPI", "KOSDAQ", "KONEX")
_SORTS: Final = tuple(dict.fromkeys(word.removeprefix("-") for word in get_args(ShareSort)))
_MOST_TRADED_FIRST: Final = "-value"
_NOT_IN_FILE: Final = ("ticker", "market", "updated_at")
_PRICE_COLUMNS: Final = tuple(each for each in field_keys(DailyPrice) if each not in _NOT_IN_FILE)


def json_response(value: Mapping[str, Any]) -> Response:
    """A value as JSON."""
    return Response(to_json(value), media_type="application/json")


# The list


@router.get("/market/stocks")
def find_stocks(
    request: Request,
    who: Reader,
    app: CurrentApp,
    q: str = "",
    market: str = "",
    sort: str = "",
    cursor: str | None = None,
) -> Response:
    """Shares by the start of their ticker, or by a part of their name."""
    asked = _asked(q, market, sort)
    found = app.market.stocks(**asked, cursor=cursor or None)
    filters = {"market": market, "sort": asked["sort"]}
    api, file = ({name: asked["text"], **filters} for name in ("text", "q"))
    words = [shlex.quote(asked["text"])] if asked["text"] else []
    words += [f"--market {market}"] if market else []
    return page(
        request,
        "market/stocks.html",
        words=asked["text"],
        chosen_market=market,
        markets=[("", who.t("market.stocks.all_markets")), *((each, each) for each in _MARKETS)],
        sort=Sort.of(sort, _SORTS, _MOST_TRADED_FIRST),
        found=found,
        closes=app.market.recent_closes([row.ticker for row in found.items]),
        cursor=cursor,
        elsewhere=ExportLinks(
            f"/v1/market/stocks?{_query(api)}",
            f"/market/stocks.csv?{_query(file)}",
            " ".join(["gotgan market stocks", *words, f"--sort={asked['sort']}"]),
        ),
    )


@router.get("/market/stocks.csv")
def stocks_file(
    _who: Reader, app: CurrentApp, q: str = "", market: str = "", sort: str = ""
) -> Response:
    """The same shares as a file."""
    found = all_items(partial(app.market.stocks, **_asked(q, market, sort)))
    return encoded_csv("stocks", StockQuote, found)


def _asked(text: str, market: str, sort: str) -> dict[str, Any]:
    """What a list is asked for."""
    return {
        "text": text.strip(),
        "market": one_of(_MARKETS, market) if market else None,
        "sort": cast("ShareSort", Sort.of(sort, _SORTS, _MOST_TRADED_FIRST).word),
    }


def _query(filters: Mapping[str, str]) -> str:
    return urlencode({name: value for name, value in filters.items() if value})


# A share


@router.get("/market/stocks/{ticker}.csv")
def stock_file(_who: Reader, app: CurrentApp, ticker: str, chosen: RequestedRange) -> Response:
    """The days of a share as a file, with their indicators."""
    sheet = _stock_sheet(app, ticker, chosen)
    indicators = {row.date: encode(row) for row in sheet.indicators}
    rows = ({**indicators.get(row.date, {}), **encode(row)} for row in sheet.prices)
    return csv_response(sheet.ticker, (*_PRICE_COLUMNS, *INDICATORS), rows)


@router.get("/market/stocks/{ticker}.json")
def stock_chart(
    who: Reader, app: CurrentApp, ticker: str, chosen: RequestedRange, interval: RequestedInterval
) -> Response:
    """The chart of a share; indicators of weeks and months are calculated from its first day."""
    sheet = _stock_sheet(app, ticker, chosen if interval == "day" else "all")
    bars = share_bars(sheet).by(interval).since(range_start(chosen, sheet.last_seen))
    return json_response(chart_data(bars, ChartWords.of(who.t), decimals=0))


@router.get("/market/stocks/{ticker}")
def read_stock(
    request: Request,
    _who: Reader,
    app: CurrentApp,
    ticker: str,
    chosen: RequestedRange,
    interval: RequestedInterval,
) -> Response:
    """A share: key figures of the last year, its chart, its last days, and adjustments."""
    sheet = app.market.get(ticker)
    path = f"stocks/{quote(sheet.ticker)}"
    candles = [candle for candle in share_bars(sheet).candles if candle is not None]
    return page(
        request,
        "market/stock.html",
        charts=True,
        sheet=sheet,
        chosen=chosen,
        ranges=RANGES,
        interval=interval,
        intervals=INTERVALS,
        drawn=f"/market/{path}.json?range={chosen}&every={interval}",
        year_range=(
            min((low for _, _, low, _ in candles), default=None),
            max((high for _, high, _, _ in candles), default=None),
        ),
        latest=list(reversed(sheet.prices[-LATEST_DAYS:])),
        indicators={row.date: row for row in sheet.indicators},
        elsewhere=range_links(
            path, f"get {sheet.ticker}", chosen, range_start(chosen, sheet.last_seen)
        ),
    )


def _stock_sheet(app: App, ticker: str, chosen: Range) -> TickerSheet:
    """A share in a range that ends with its last day."""
    if chosen == "all":
        return app.market.get(ticker, first=FIRST_DAY)
    today = app.market.today()
    last_seen = app.market.get(ticker, first=today, last=today).last_seen
    return app.market.get(ticker, first=range_start(chosen, last_seen), last=last_seen)


def range_links(path: str, command: str, chosen: Range, first: date) -> ExportLinks:
    """Programs name the first day of a range."""
    return ExportLinks(
        f"/v1/market/{path}?first={first}",
        f"/market/{path}.csv?range={chosen}",
        f"gotgan market {command} --first {first}",
    )
