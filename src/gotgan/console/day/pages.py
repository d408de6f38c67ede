"""The page of a day: what all domains tell of it, in one place."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import TYPE_CHECKING, Annotated, Final, get_args
from zoneinfo import ZoneInfo

from fastapi import APIRouter, Depends
from starlette.requests import Request
from starlette.responses import Response

from gotgan.app import App
from gotgan.clock import ZONES, Zone
from gotgan.console.binder import VerbForm, add_form
from gotgan.console.day.clocks import DayTimes
from gotgan.console.day.headlines import groups_of
from gotgan.console.day.marks import marks_of
from gotgan.console.day.month import CalendarMonth, days_of_month, month_of
from gotgan.console.day.places import address, asked_zone, zone_of
from gotgan.console.day.tools import tools
from gotgan.console.frame import page, redirect
from gotgan.console.given import Gotgan, Reader
from gotgan.console.listing import Elsewhere
from gotgan.day.calendar import read_day, today_in
from gotgan.day.figures import facts_of
from gotgan.day.service import Days, post_id_of
from gotgan.domains.shops.summaries import ChangeKind
from gotgan.verbs import verbs_of

if TYPE_CHECKING:
    from gotgan.console.viewer import Viewer
    from gotgan.day.page import DayPage
    from gotgan.domains.site.models import Post
    from gotgan.domains.site.summaries import SitePost

__all__ = ["DayFilter", "asked", "router", "show_day", "show_today"]

router = APIRouter()
_CHANGES: Final[tuple[ChangeKind, ...]] = get_args(ChangeKind)


@dataclass(frozen=True)
class DayFilter:
    """Of which zone the day is, and what of it is wanted."""

    zone: Zone
    ticker: str | None
    change: ChangeKind | None


async def asked(request: Request, zone: str = "", ticker: str = "", change: str = "") -> DayFilter:
    """What an address asks for; a kind of change that there is not means all."""
    chosen = next((known for known in _CHANGES if known == change), None)
    return DayFilter(asked_zone(request, zone), ticker.strip().upper() or None, chosen)


@router.get("/day")
def show_today(
    request: Request, _who: Reader, app: Gotgan, day: str = "", zone: str = ""
) -> Response:
    """The way to today, in the zone of whoever looks; or to a day that a form asks for."""
    place = asked_zone(request, zone) if zone else zone_of(request)
    wanted = read_day(day) if day else today_in(place, app.clock.now())
    return redirect(address(wanted, place))


@router.get("/day/{day}")
def show_day(
    request: Request,
    who: Reader,
    app: Gotgan,
    day: str,
    wanted: Annotated[DayFilter, Depends(asked)],
) -> Response:
    """All about one day."""
    shown = app.day.get(read_day(day), zone=wanted.zone)
    return page(
        request,
        "day/day.html",
        shown=shown,
        wanted=wanted,
        month=_month(request, app, shown),
        categories=_categories(app, who, shown),
        published=_published(app, shown),
        at=DayTimes(ZoneInfo(ZONES[wanted.zone]), shown.span),
        groups=groups_of(shown.news.value, wanted.ticker) if shown.news.value else [],
        others=[(part, name) for name, part in shown.others.items()],
        is_blank=_is_blank(shown),
        elsewhere=_elsewhere(shown),
        **tools(),
    )


add_form(
    router,
    verbs_of(Days)["publish"],
    VerbForm(
        "/day/{day}/publish",
        done=lambda post: (f"/site/posts/{post.id}", f"day.publish.{post.outcome}"),
    ),
)


def _month(request: Request, app: App, shown: DayPage) -> CalendarMonth:
    """The calendar; without the market it tells of the timetable alone."""
    market, past = shown.market.value, request.app.state.past
    statuses = () if market is None else market.month
    days = days_of_month(shown.day)
    is_known = shown.work.value is not None
    marks = marks_of(app, past, days, shown.zone, shown.today, statuses) if is_known else {}
    return month_of(shown.day, shown.today, marks)


def _categories(app: App, who: Viewer, shown: DayPage) -> list[tuple[str, str]]:
    """Where somebody may publish it; a site that cannot be read cannot be written either."""
    if shown.site.value is None or not who.may("editor"):
        return []
    return [(category.id, category.title) for category in app.site.categories.list()]


def _is_blank(shown: DayPage) -> bool:
    """Whether there is nothing to tell of a day: every part could be read, and has nothing."""
    parts = (shown.news, shown.shops, shown.market, shown.videos, shown.site, shown.work)
    failed = any(part.error is not None for part in shown.others.values())
    if failed or shown.faults or any(part.value is None for part in parts):
        return False
    return not (shown.failures or shown.coming or any(_holds(shown)))


def _holds(shown: DayPage) -> Iterator[object]:
    """What each part has of the day."""
    news, shops, market = shown.news.value, shown.shops.value, shown.market.value
    videos, site = shown.videos.value, shown.site.value
    yield news and news.new
    yield shops and (shops.read or shops.crawled or shops.scraped)
    yield market and (market.status.log or market.sheet.breadth.total)
    yield videos and (videos.jobs or videos.hits)
    yield site and (site.posts or site.inquiries)
    yield any(job.counts for job in shown.work.value or ())
    facts = [facts_of(part.value) for part in shown.others.values()]
    yield any(value != "0" for each in facts for _, value in each)


def _published(app: App, shown: DayPage) -> Post | SitePost | None:
    """The post that the day is published as, where it is.

    A day can be published once it has started, so the post of today is one of those of today.
    """
    site, post_id = shown.site.value, post_id_of(shown.day, shown.zone)
    if site is None:
        return None
    listed = next((post for post in site.posts if post.id == post_id), None)
    if listed is not None or (shown.is_today and not site.is_cut):
        return listed
    return app.site.posts.find(post_id)


def _elsewhere(shown: DayPage) -> Elsewhere:
    day, zone = shown.day, shown.zone
    return Elsewhere(f"/v1/day/{day}?zone={zone}", "", f"gotgan day {day} --zone {zone}")
