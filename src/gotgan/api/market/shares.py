"""``/v1/market/stocks``, ``indices`` and ``screens``: what was traded, and what stands out."""

from __future__ import annotations

from fastapi import APIRouter
from starlette.requests import Request
from starlette.responses import Response

from gotgan.api.envelope import ok
from gotgan.api.market.asking import (
    Code,
    Kind,
    ScreenListing,
    SpanListing,
    StockListing,
    Ticker,
)
from gotgan.api.paging import asked
from gotgan.api.routes import StrictJson, declared
from gotgan.api.who import app_of
from gotgan.encoding import encode

__all__ = ["find_stocks", "read_index", "read_screen", "read_stock", "router"]

router = APIRouter(tags=["market"], route_class=StrictJson)


@router.get(
    "/market/stocks",
    **declared("Find shares", gives="StockList", role="viewer", query=StockListing),
)
def find_stocks(request: Request) -> Response:
    """Shares by the beginning of their ticker or a part of their name."""
    listing = asked(request, StockListing)
    found = app_of(request).market.stocks(listing.q, limit=listing.limit, cursor=listing.cursor)
    return ok(encode(found))


@router.get(
    "/market/stocks/{ticker}",
    **declared("Read a share", gives="StockSheet", role="viewer", fails=(400, 404),
               query=SpanListing),
)  # fmt: skip
def read_stock(request: Request, ticker: Ticker) -> Response:
    """A share with its prices as they were traded, its factors and its indicators."""
    listing = asked(request, SpanListing)
    return ok(encode(app_of(request).market.show(ticker, listing.first, listing.last)))


@router.get(
    "/market/indices/{code}",
    **declared("Read an index", gives="IndexSheet", role="viewer", fails=(400, 404),
               query=SpanListing),
)  # fmt: skip
def read_index(request: Request, code: Code) -> Response:
    """An index, day by day."""
    listing = asked(request, SpanListing)
    return ok(encode(app_of(request).market.index(code, listing.first, listing.last)))


@router.get(
    "/market/screens/{kind}",
    **declared("Screen shares", gives="Screened", role="viewer", fails=(400,),
               query=ScreenListing),
)  # fmt: skip
def read_screen(request: Request, kind: Kind) -> Response:
    """Shares that stand out on a day, with their indicators.

    A cursor is of one day: give the `date` of the page before as `day`, too.
    """
    market, listing = app_of(request).market, asked(request, ScreenListing)
    day = listing.day or market.last_indicated()
    found = market.screen(kind, day, limit=listing.limit, cursor=listing.cursor)
    items = encode(found.items)
    return ok({"kind": kind, "date": str(day), "items": items, "cursor": found.cursor})
