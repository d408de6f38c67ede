"""The page of a day, with the parts of all domains and the calendar of its month."""

from __future__ import annotations

from calendar import Calendar
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from datetime import date, datetime, timedelta
from typing import TYPE_CHECKING, Annotated, Any, Final, get_args
from zoneinfo import ZoneInfo

from fastapi import APIRouter, Depends
from markupsafe import Markup
from starlette.requests import Request
from starlette.responses import Response

from gotgan.app import App
from gotgan.clock import ZONES, Span, Zone
from gotgan.console.binder import VerbForm, add_form
from gotgan.console.day.addresses import day_path, failure_path, requested_zone, viewer_zone
from gotgan.console.day.recent import TICK_KINDS, DayMark, hour_chart, marks_of
from gotgan.console.frame import page, redirect
from gotgan.console.lists import ExportLinks
from gotgan.console.market.days import KINDS as MARKET_KINDS
from gotgan.console.news import BODY_KINDS
from gotgan.console.render import time_element
from gotgan.console.session import CurrentApp, Reader
from gotgan.console.texts import catalogue, humanized
from gotgan.console.videos.display import JOB_KINDS
from gotgan.day.calendar import FIRST_DAY, parse_day, today_in
from gotgan.day.service import Days, day_post_id
from gotgan.day.texts import summary_facts
from gotgan.domains.news.models import NewsItem
from gotgan.domains.news.summary import NewsDay
from gotgan.domains.shops.currency import price_text
from gotgan.domains.shops.models import ChangeKind
from gotgan.store import Cost
from gotgan.store.costs import CostLine
from gotgan.verbs import verbs_of

if TYPE_CHECKING:
    from gotgan.day.page import DayPage, JobDay
    from gotgan.domains.site.models import Post
    from gotgan.domains.site.summary import SitePost


router = APIRouter()
_CHANGE_KINDS: Final[tuple[ChangeKind, ...]] = get_args(ChangeKind)
_FIRST_HEADLINES: Final = 3
_ONE_DAY: Final = timedelta(days=1)


@dataclass(frozen=True)
class DayClock:
    """Times on the page of a day: without the date on the day itself."""

    place: ZoneInfo
    span: Span

    def __call__(self, moment: datetime | None) -> Markup:
        """A moment with its zone, or a dash."""
        is_today = moment is not None and moment in self.span
        return time_element(moment, self.place, "%H:%M" if is_today else "%Y-%m-%d %H:%M")


# Headlines


@dataclass(frozen=True)
class HeadlineGroup:
    """The headlines of a ticker, or of none."""

    ticker: str | None
    items: tuple[NewsItem, ...]
    total: int | None = None
    """The number of stories of the day, if it is known."""

    @property
    def is_cut(self) -> bool:
        """Whether there are more: later in the list, or under another ticker."""
        return self.total is not None and self.total > len(self.items)

    @property
    def first(self) -> tuple[NewsItem, ...]:
        """Those that are always shown."""
        return self.items[:_FIRST_HEADLINES]

    @property
    def rest(self) -> tuple[NewsItem, ...]:
        """Those that are folded."""
        return self.items[_FIRST_HEADLINES:]


def _headline_groups(news: NewsDay, ticker: str | None = None) -> list[HeadlineGroup]:
    """Headlines by ticker, the one with most stories first; or those of one ticker.

    A headline about several tickers is in the group of the first.
    """
    counts: dict[str | None, int] = {each.ticker: each.count for each in news.tickers}
    groups: dict[str | None, list[NewsItem]] = {each: [] for each in counts}
    if ticker is not None:
        groups = {ticker: list(news.about(ticker))}
    for item in news.headlines if ticker is None else ():
        about = next((each for each in groups if each in item.tickers), None)
        groups.setdefault(about, []).append(item)
    return [
        HeadlineGroup(each, tuple(items), counts.get(each))
        for each, items in groups.items()
        if items
    ]


# The calendar


@dataclass(frozen=True)
class CalendarCell:
    """A day on the calendar; a future one has no mark."""

    day: date
    mark: DayMark | None
    is_chosen: bool
    is_today: bool


@dataclass(frozen=True)
class CalendarMonth:
    """A month by its weeks, from Monday on; None is a day of another month."""

    year: int
    number: int
    weeks: tuple[tuple[CalendarCell | None, ...], ...]
    before: date | None
    """The last day of the month before, if the calendar has it."""
    after: date | None
    """The first day of the month after, unless it is in the future."""


def _days_of_month(day: date) -> list[date]:
    return [
        each for each in Calendar().itermonthdates(day.year, day.month) if each.month == day.month
    ]


def _calendar_month(chosen: date, today: date, marks: Mapping[date, DayMark]) -> CalendarMonth:
    days = _days_of_month(chosen)
    cells = {
        each: CalendarCell(each, marks.get(each), each == chosen, each == today) for each in days
    }
    after = days[-1] + _ONE_DAY
    return CalendarMonth(
        chosen.year,
        chosen.month,
        tuple(
            tuple(cells.get(each) for each in week)
            for week in Calendar().monthdatescalendar(chosen.year, chosen.month)
        ),
        before=days[0] - _ONE_DAY if days[0] > FIRST_DAY else None,
        after=after if after <= today else None,
    )


# The page


def template_names() -> dict[str, Any]:
    """The names that the templates use."""
    return {
        "address": day_path,
        "hours": hour_chart,
        "job_kinds": JOB_KINDS,
        "kinds": MARKET_KINDS,
        "body_kinds": BODY_KINDS,
        "tick_kinds": TICK_KINDS,
        "mended_at": failure_path,
        "price": price_text,
        "texts": catalogue(),
        "facts_of": summary_facts,
        "total": _jobs_cost,
        "words_of": humanized,
    }


def _jobs_cost(jobs: Iterable[JobDay]) -> Cost:
    each = list(jobs)
    reads, writes = sum(job.reads for job in each), sum(job.writes for job in each)
    return Cost((CostLine("work", "", None, reads, writes),))


@dataclass(frozen=True)
class DayFilter:
    """The zone of the day, and the filters of its parts."""

    zone: Zone
    ticker: str | None
    change: ChangeKind | None


async def _requested_filter(
    request: Request, zone: str = "", ticker: str = "", change: str = ""
) -> DayFilter:
    """The filters of an address; an unknown kind of change means all."""
    chosen = next((known for known in _CHANGE_KINDS if known == change), None)
    return DayFilter(requested_zone(request, zone), ticker.strip().upper() or None, chosen)


@router.get("/day")
def show_today(
    request: Request, _who: Reader, app: CurrentApp, day: str = "", zone: str = ""
) -> Response:
    """Go to today in the viewer's zone, or to the day of a form."""
    place = requested_zone(request, zone) if zone else viewer_zone(request)
    wanted = parse_day(day) if day else today_in(place, app.clock.now())
    return redirect(day_path(wanted, place))


@router.get("/day/{day}")
def show_day(
    request: Request,
    who: Reader,
    app: CurrentApp,
    day: str,
    wanted: Annotated[DayFilter, Depends(_requested_filter)],
) -> Response:
    """One day."""
    day_page = app.day.get(parse_day(day), zone=wanted.zone)
    # a site that cannot be read cannot be written either
    may_publish = day_page.site.value is not None and who.may("editor")
    categories = app.site.categories.list() if may_publish else ()
    api, command = f"/v1/day/{day_page.day}", f"gotgan day {day_page.day}"
    return page(
        request,
        "day/day.html",
        shown=day_page,
        wanted=wanted,
        month=_calendar(request, app, day_page),
        categories=[(category.id, category.title) for category in categories],
        published=_published_post(app, day_page),
        at=DayClock(ZoneInfo(ZONES[wanted.zone]), day_page.span),
        groups=_headline_groups(day_page.news.value, wanted.ticker) if day_page.news.value else [],
        others=[(part, name) for name, part in day_page.others.items()],
        todays={zone: today_in(zone, app.clock.now()) for zone in ZONES},
        is_blank=_is_blank(day_page),
        elsewhere=ExportLinks.of(api, "", command, zone=day_page.zone),
        **template_names(),
    )


add_form(
    router,
    verbs_of(Days)["publish"],
    VerbForm(
        "/day/{day}/publish",
        done=lambda post: (f"/site/posts/{post.id}", f"day.publish.{post.outcome}"),
    ),
)


def _calendar(request: Request, app: App, day_page: DayPage) -> CalendarMonth:
    """The calendar; without the market it shows the schedule alone."""
    statuses = day_page.market.value.month if day_page.market.value else ()
    marks: Mapping[date, DayMark] = {}
    if day_page.work.value is not None:
        past, days = request.app.state.past, _days_of_month(day_page.day)
        marks = marks_of(app, past, days, day_page.zone, day_page.today, statuses)
    return _calendar_month(day_page.day, day_page.today, marks)


def _is_blank(day_page: DayPage) -> bool:
    """Whether every part of a day could be read and is empty."""
    parts = (
        day_page.news,
        day_page.shops,
        day_page.market,
        day_page.videos,
        day_page.site,
        day_page.work,
    )
    failed = any(part.error is not None for part in day_page.others.values())
    if failed or day_page.faults or any(part.value is None for part in parts):
        return False
    return not (day_page.failures or day_page.coming or any(_contents(day_page)))


def _contents(day_page: DayPage) -> Iterator[object]:
    """The contents of each part."""
    news, shops, market = day_page.news.value, day_page.shops.value, day_page.market.value
    videos, site = day_page.videos.value, day_page.site.value
    yield news and news.new
    yield shops and (shops.read or shops.crawled or shops.scraped)
    yield market and (market.status.log or market.sheet.breadth.total)
    yield videos and (videos.jobs or videos.hits)
    yield site and (site.posts or site.inquiries)
    yield any(job.counts for job in day_page.work.value or ())
    facts = [summary_facts(part.value) for part in day_page.others.values()]
    yield any(value != "0" for each in facts for _, value in each)


def _published_post(app: App, day_page: DayPage) -> Post | SitePost | None:
    """The post of the day; today's can only be among the posts of today."""
    site, post_id = day_page.site.value, day_post_id(day_page.day, day_page.zone)
    if site is None:
        return None
    listed = next((post for post in site.posts if post.id == post_id), None)
    if listed is not None or (day_page.is_today and not site.is_cut):
        return listed
    return app.site.posts.find(post_id)
