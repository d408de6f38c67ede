"""The feed: the items of the last days or of one, newest first, in the runs that found them."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from datetime import date
from itertools import groupby
from typing import Annotated

from fastapi import APIRouter, Depends, HTTPException
from starlette.requests import Request
from starlette.responses import Response

from gotgan.clock import day_zone
from gotgan.console.frame import here, page
from gotgan.console.given import Gotgan, Reader, app_of
from gotgan.console.listing import A_CALL, Elsewhere, as_csv, every
from gotgan.console.news.addresses import host_of
from gotgan.console.news.clocks import Face, faces, neighbours
from gotgan.console.news.states import KINDS, word_of
from gotgan.console.runs import RunCard
from gotgan.console.viewer import Viewer
from gotgan.domains.news.days import ZONES, Zone, today_in
from gotgan.domains.news.models import NewsItem
from gotgan.encoding import encode, keys_of

__all__ = ["FeedGroup", "FeedParams", "asked", "feed_file", "router", "show_feed"]

router = APIRouter()


@dataclass(frozen=True)
class FeedParams:
    """What is asked of the feed."""

    day: date | None
    zone: Zone
    ticker: str | None

    @property
    def filters(self) -> dict[str, str | None]:
        """The same as an address and a command have it."""
        day = self.day.isoformat() if self.day else None
        return {"day": day, "zone": self.zone if day else None, "ticker": self.ticker}


@dataclass(frozen=True)
class FeedGroup:
    """Items that one run found, and so have one moment."""

    clocks: list[Face]
    items: list[NewsItem]


async def asked(request: Request, day: str = "", zone: str = "", ticker: str = "") -> FeedParams:
    """What an address asks for; a day without a zone is one of the settings' zone."""
    named = zone or day_zone(app_of(request).settings.zone)
    chosen = next((known for known in ZONES if known == named), None)
    if chosen is None:
        raise HTTPException(422)
    return FeedParams(_day(day), chosen, ticker.strip().upper() or None)


TheAsked = Annotated[FeedParams, Depends(asked)]


@router.get("/news")
def show_feed(
    request: Request, who: Reader, app: Gotgan, wanted: TheAsked, cursor: str | None = None
) -> Response:
    """The items, newest first, with how the body of each stands."""
    found = app.news.list(
        day=wanted.day, zone=wanted.zone, ticker=wanted.ticker, cursor=cursor or None
    )
    bodies = app.news.bodies_of(found)
    zone = wanted.zone if wanted.day else day_zone(who.zone, app.settings.zone)
    today = today_in(zone, app.clock.now())
    return page(
        request,
        "news/feed.html",
        found=found,
        groups=_groups(found, who),
        words={item.pk: word_of(bodies.get(item.pk)) for item in found},
        hosts={item.pk: host_of(item.url) for item in found},
        kinds=KINDS,
        wanted=wanted,
        zone=zone,
        day_zones=[(word, who.t(f"news.zone.{word}")) for word in ZONES],
        today=today,
        neighbours=neighbours(wanted.day, today) if wanted.day else None,
        cursor=cursor,
        collect=RunCard.of(app, "news.collect", here(request)),
        bodies=RunCard.of(app, "news.bodies", here(request)),
        elsewhere=Elsewhere.of("/v1/news", "/news.csv", "gotgan news list", **wanted.filters),
    )


@router.get("/news.csv")
def feed_file(_who: Reader, app: Gotgan, wanted: TheAsked) -> Response:
    """The same items as a file; the tickers of each stand in one cell."""
    found = every(
        lambda cursor: app.news.list(
            day=wanted.day, zone=wanted.zone, ticker=wanted.ticker, limit=A_CALL, cursor=cursor
        )
    )
    rows = ({**encode(item), "tickers": " ".join(item.tickers)} for item in found)
    return as_csv("news", keys_of(NewsItem), rows)


def _groups(items: Iterable[NewsItem], who: Viewer) -> list[FeedGroup]:
    runs = groupby(items, key=lambda item: item.uploaded_at)
    return [FeedGroup(faces(moment, who.zone), list(found)) for moment, found in runs]


def _day(text: str) -> date | None:
    """A day as an address has it; none of an empty one."""
    try:
        return date.fromisoformat(text) if text else None
    except ValueError:
        raise HTTPException(422) from None
