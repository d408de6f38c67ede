"""The feed of all stories and of a ticker, whose chart is shown where there are prices."""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import dataclass
from datetime import date, timedelta
from itertools import groupby
from typing import Annotated, Any, Final
from urllib.parse import quote
from zoneinfo import ZoneInfo

from fastapi import APIRouter, Depends, HTTPException
from starlette.requests import Request
from starlette.responses import Response

from gotgan.clock import ZONES, Zone, day_zone
from gotgan.console.frame import current_url, page
from gotgan.console.lists import ExportLinks, all_items, csv_response, one_of
from gotgan.console.news.items import BODY_KINDS, body_word, host_of
from gotgan.console.parts import read_or_none
from gotgan.console.runs import RunCard
from gotgan.console.session import CurrentApp, Reader, app_of
from gotgan.domains.market.rows import StockQuote
from gotgan.domains.news.keys import current_date
from gotgan.domains.news.models import NewsItem
from gotgan.encoding import encode, field_keys

router = APIRouter()


@dataclass(frozen=True)
class FeedParams:
    """The filters of the feed."""

    day: date | None
    zone: Zone
    ticker: str | None


async def _feed_params(
    request: Request, day: str = "", zone: str = "", ticker: str = ""
) -> FeedParams:
    """The filters of an address; without a zone, a day is one in the zone of the settings."""
    chosen = one_of(ZONES, zone or day_zone(app_of(request).settings.zone))
    try:
        wanted = date.fromisoformat(day) if day else None
    except ValueError:
        raise HTTPException(422) from None
    return FeedParams(wanted, chosen, ticker.strip().upper() or None)


RequestedFeed = Annotated[FeedParams, Depends(_feed_params)]


@router.get("/news")
def show_feed(
    request: Request, who: Reader, app: CurrentApp, wanted: RequestedFeed, cursor: str | None = None
) -> Response:
    """The items, newest first, with the state of each text."""
    found = app.news.list(**vars(wanted), cursor=cursor or None)
    bodies = app.news.bodies_of(found)
    zone = wanted.zone if wanted.day else day_zone(who.zone, app.settings.zone)
    place = ZoneInfo(ZONES[wanted.zone]) if wanted.day else who.place
    today, day = current_date(zone, app.clock.now()), wanted.day
    after = day + timedelta(days=1) if day and day < today else None
    filters = {"day": str(day), "zone": zone} if day else {}
    share = _share_of(request, wanted.ticker)
    return page(
        request,
        "news/feed.html",
        charts=share is not None,
        share=share,
        found=found,
        days=_by_day(found, place),
        day_zone_name=who.zone_name(place.key),
        place=place,
        words={item.pk: body_word(bodies.get(item.pk)) for item in found},
        also_at=found.also_at,
        hosts={item.pk: host_of(item.url) for item in found},
        kinds=BODY_KINDS,
        wanted=wanted,
        zone=zone,
        day_zones=who.options("news.zone", ZONES),
        today=today,
        neighbours=(day - timedelta(days=1), after) if day else None,
        cursor=cursor,
        collect=RunCard.of(app, "news.collect", current_url(request)),
        bodies=RunCard.of(app, "news.bodies", current_url(request)),
        elsewhere=ExportLinks.of(
            "/v1/news", "/news.csv", "gotgan news list", **filters, ticker=wanted.ticker
        ),
    )


@dataclass(frozen=True)
class TickerShare:
    """The share that a ticker of the news is, with its last price."""

    quote: StockQuote
    chart: str
    """The path of the data of its chart."""

    @property
    def path(self) -> str:
        """Its page."""
        return f"/market/stocks/{quote(self.quote.ticker)}"


_KRX_TICKER: Final = re.compile(r"(\d{6})\.K[SQ]")
"""As Yahoo writes shares of the exchange: 005930.KS."""


def _share_of(request: Request, ticker: str | None) -> TickerShare | None:
    """The share of a ticker, or of exactly that name; None if there are no prices of it."""
    if ticker is None or "market" not in request.app.state.domains:
        return None
    match = _KRX_TICKER.fullmatch(ticker)
    words = match[1] if match else ticker
    listed = read_or_none("market", lambda: app_of(request).market.stocks(words, limit=20).items)
    names = (words, ticker)
    found = [
        row
        for row in listed or ()
        if row.close is not None and (row.ticker in names or row.name.upper() in names)
    ]
    if not found:
        return None
    chart = f"/market/stocks/{quote(found[0].ticker)}.json?range=6m&show=prices"
    return TickerShare(found[0], chart)


def _by_day(items: Iterable[NewsItem], place: ZoneInfo) -> list[tuple[date, list[NewsItem]]]:
    """Items in their order, by the day in a zone."""
    days = groupby(items, key=lambda item: item.uploaded_at.astimezone(place).date())
    return [(day, list(group)) for day, group in days]


@router.get("/news.csv")
def feed_file(_who: Reader, app: CurrentApp, wanted: RequestedFeed) -> Response:
    """The same items as a file; the tickers of each are in one cell."""
    found = all_items(app.news.list, **vars(wanted))
    columns = field_keys(NewsItem)
    return csv_response("news", columns, map(encode, found), cell=_joined)


def _joined(value: Any) -> Any:
    """The tickers of an item in one cell."""
    return " ".join(value) if isinstance(value, list | tuple) else value
