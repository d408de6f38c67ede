"""The operations pages: schedule, costs, events, settings and the setup checklist."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from decimal import Decimal
from itertools import groupby
from typing import TYPE_CHECKING, Annotated, Any, Final, Literal, get_args

from fastapi import APIRouter, Depends, HTTPException
from markupsafe import Markup
from starlette.requests import Request
from starlette.responses import Response

from gotgan.app import App
from gotgan.clock import has_days
from gotgan.console.frame import NavPage, Section, current_url, page, redirect
from gotgan.console.lists import ExportLinks, all_items, encoded_csv, one_of
from gotgan.console.past_days import PastDays, last_days
from gotgan.console.runs import find_verb, page_role
from gotgan.console.session import Admin, CurrentApp, Editor, Reader, SentForm
from gotgan.console.texts import catalogue, humanized, text
from gotgan.console.videos.display import day_bars, recent_costs
from gotgan.domain import GO, Job, SetupStep, domains
from gotgan.domains.site.models import Role
from gotgan.errors import Conflict
from gotgan.events import KeptEvent
from gotgan.operations.params import CostGroup
from gotgan.operations.reports import CostReport, CostShare, ScheduledJob
from gotgan.schedule import Tick, TickStatus, jobs
from gotgan.settings import LogLevel, Origin, Setting
from gotgan.store.prices import money
from gotgan.texts import Language

if TYPE_CHECKING:
    from gotgan.scheduler.history import TickDay

router = APIRouter()

# Jobs


def job_page(job: str) -> str | None:
    """The page that shows the result of a job; None if there is none."""
    domain = job.partition(".")[0]
    if domain not in {each.name for each in domains()}:
        return None
    return "/site/mails" if domain == "site" else f"/{domain}"


def job_role(job: Job) -> Role:
    """The role that running a job by hand needs: that of its verb; a backup is not a verb."""
    return "admin" if job.verb == "backup" else page_role(find_verb(job.verb))


def _find_job(name: str | None) -> Job | None:
    return next((each for each in jobs() if each.name == name), None)


@router.post("/schedule/run")
def run_job(who: Editor, form: SentForm, app: CurrentApp) -> Response:
    """Start a job, unless it is running."""
    job = _find_job(form.text("job"))
    if job is None:
        raise HTTPException(404)
    if not who.may(job_role(job)):
        raise HTTPException(403, "frame.error.role")
    said = "started"
    try:
        app.start(job.verb)
    except Conflict:
        said = "busy"
    return redirect(f"/schedule?job={job.name}#ticks", notice=f"schedule.run.{said}")


# The schedule

_DAY, _HEIGHT = 8, 24
_TICK_HEIGHTS: Final[Mapping[TickStatus | None, int]] = {
    "failed": 24,
    "running": 18,
    "done": 14,
    "waiting": 8,
    "skipped": 5,
    None: 1,
}
"""The height tells states apart without colour: what needs a look is highest."""


@dataclass(frozen=True)
class TickStrip:
    """The last days of one job, the oldest at the left."""

    days: Sequence[TickDay]

    @property
    def counts(self) -> Mapping[str, int]:
        """The number of runs by status."""
        return sum((Counter(day.counts) for day in self.days), Counter())

    def svg(self, language: Language) -> Markup:
        """A mark for each day."""
        marks = "".join(_tick_mark(number, day, language) for number, day in enumerate(self.days))
        box = f'viewBox="0 0 {len(self.days) * _DAY} {_HEIGHT}" preserveAspectRatio="none"'
        return Markup(  # noqa: S704 - figures, dates, and words of ours
            '<svg xmlns="http://www.w3.org/2000/svg" class="tick-strip" aria-hidden="true" '
            f"{box}>{marks}</svg>"
        )


def _tick_mark(number: int, day: TickDay, language: Language) -> str:
    height = _TICK_HEIGHTS[day.status]
    counted = ((text(language, f"schedule.status.{word}"), n) for word, n in day.counts.items())
    words = ", ".join(f"{status} {n}" for status, n in counted)
    return (
        f'<rect class="{day.status or "never"}" x="{number * _DAY + 1}" y="{_HEIGHT - height}" '
        f'width="{_DAY - 2}" height="{height}"><title>{day.day}: {words or "–"}</title></rect>'
    )


_TICK_KINDS: Final[Mapping[TickStatus, str]] = {
    "done": "good",
    "running": "running",
    "waiting": "running",
    "skipped": "none",
    "failed": "bad",
}
_TICKS_PER_PAGE: Final = 50


@dataclass(frozen=True)
class TickFilter:
    """The filters of the runs."""

    job: str | None
    status: TickStatus | None


async def _tick_filter(job: str = "", status: str = "") -> TickFilter:
    wanted: TickStatus | None = one_of(get_args(TickStatus), status) if status else None
    if job and _find_job(job) is None:
        raise HTTPException(404)
    return TickFilter(job or None, wanted)


RequestedTicks = Annotated[TickFilter, Depends(_tick_filter)]


@router.get("/schedule")
def show_timetable(
    request: Request,
    who: Reader,
    app: CurrentApp,
    wanted: RequestedTicks,
    cursor: str | None = None,
) -> Response:
    """All jobs, and the last runs of all or of one."""
    found = app.operations.ticks(**vars(wanted), limit=_TICKS_PER_PAGE, cursor=cursor or None)
    job = _find_job(wanted.job)
    run = app.runs.latest(job.verb) if job else None
    return page(
        request,
        "ops/timetable.html",
        lines=app.operations.schedule().items,
        strips=_job_strips(app, request.app.state.past),
        wanted=wanted,
        jobs=[("", who.t("schedule.ticks.any")), *((each.name, each.name) for each in jobs())],
        statuses=who.options("schedule.status", get_args(TickStatus), "schedule.ticks.any"),
        found=found,
        kinds=_TICK_KINDS,
        go=GO,
        runnable={each.name for each in jobs() if who.may(job_role(each))},
        run=run,
        log_lines=app.runs.log(run.id).items if run else (),
        place=job_page(wanted.job or ""),
        next=f"{current_url(request, cursor=found.cursor)}#ticks" if found.cursor else None,
        first=f"{current_url(request, cursor=None)}#ticks" if cursor else None,
        links=ExportLinks.of(
            "/v1/schedule/ticks", "/schedule/ticks.csv", "gotgan ticks", **vars(wanted)
        ),
    )


@router.get("/schedule/jobs.csv")
def jobs_file(_who: Reader, app: CurrentApp) -> Response:
    """All jobs as a file."""
    return encoded_csv("jobs", ScheduledJob, app.operations.schedule().items)


@router.get("/schedule/ticks.csv")
def ticks_file(_who: Reader, app: CurrentApp, wanted: RequestedTicks) -> Response:
    """The same runs as a file."""
    return encoded_csv("ticks", Tick, all_items(app.operations.ticks, **vars(wanted)))


def _job_strips(app: App, past: PastDays) -> Mapping[str, TickStrip]:
    """The last days in UTC by job; a run may end on the day after it started."""
    from gotgan.scheduler.history import TickHistory, by_job  # noqa: PLC0415 - it loads SQLAlchemy

    today = app.clock.now().date()
    days = last_days(today)
    counted = past.of("ticks", days, today, TickHistory(app.database).by_day, open_days=2)
    return {job: TickStrip(found) for job, found in by_job(counted).items()}


# Costs

_COST_GROUPS: Final[tuple[CostGroup, ...]] = get_args(CostGroup)


def share_bar(part: Decimal, total: Decimal) -> Markup:
    """The share of a cost in the total."""
    share = part / (total or 1) * 100
    return Markup(  # noqa: S704 - all of it are figures
        '<svg xmlns="http://www.w3.org/2000/svg" class="cost-bar" aria-hidden="true" '
        'viewBox="0 0 100 8" preserveAspectRatio="none">'
        f'<rect class="ground" width="100" height="8"/>'
        f'<rect class="some" width="{share:.2f}" height="8"/></svg>'
    )


def month_bars(costs: CostReport, unit: Literal["reads", "writes"]) -> Markup:
    """The units of the last thirty days, the latest at the right."""
    spent = {each.day: getattr(each, unit) for each in costs.days}
    last = max(spent, default=costs.since.date())
    return day_bars([spent.get(day, 0.0) for day in last_days(last)])


async def _requested_group(by: str = "line") -> CostGroup:
    return one_of(_COST_GROUPS, by)


RequestedGroup = Annotated[CostGroup, Depends(_requested_group)]


@router.get("/ops/costs")
def show_costs(request: Request, _who: Admin, app: CurrentApp, by: RequestedGroup) -> Response:
    """The costs by group."""
    return page(
        request,
        "ops/costs.html",
        costs=app.operations.costs(by=by),
        by=by,
        money=money,
        share_bar=share_bar,
        month_bars=month_bars,
        ways=_COST_GROUPS,
        spending=recent_costs(app, request.app.state.past),
        links=ExportLinks.of("/v1/costs", "/ops/costs.csv", "", by=None if by == "line" else by),
    )


@router.get("/ops/costs.csv")
def costs_file(_who: Admin, app: CurrentApp, by: RequestedGroup) -> Response:
    """The same parts as a file."""
    return encoded_csv("costs", CostShare, app.operations.costs(by=by).items)


# Events

_EVENTS_PER_PAGE: Final = 100
_LEVELS: Final[tuple[LogLevel, ...]] = get_args(LogLevel)
_LEVEL_KINDS: Final[Mapping[str, str]] = {
    "debug": "none",
    "info": "none",
    "warning": "warning",
    "error": "bad",
    "critical": "bad",
}


@dataclass(frozen=True)
class EventFilter:
    """The filters of the events."""

    name: str
    level: LogLevel | None

    @property
    def arguments(self) -> dict[str, Any]:
        """The same for the verb, which shows all levels if it is given the lowest."""
        return {"name": self.name, "level": self.level or "debug"}


async def _event_filter(name: str = "", level: str = "") -> EventFilter:
    return EventFilter(name.strip(), one_of(_LEVELS, level) if level else None)


RequestedEvents = Annotated[EventFilter, Depends(_event_filter)]


@router.get("/ops/events")
def show_events(
    request: Request,
    who: Admin,
    app: CurrentApp,
    wanted: RequestedEvents,
    cursor: str | None = None,
    live: str = "",
) -> Response:
    """Events, the latest first."""
    found = app.operations.events(**wanted.arguments, limit=_EVENTS_PER_PAGE, cursor=cursor or None)
    links = ExportLinks.of(
        "/v1/events", "/ops/events.csv", "", name=wanted.name, level=wanted.level
    )
    return page(
        request,
        "ops/events.html",
        found=found,
        wanted=wanted,
        levels=who.options("ops.level", _LEVELS, "ops.events.any"),
        kinds=_LEVEL_KINDS,
        is_live=live != "no" and not cursor,
        next=current_url(request, cursor=found.cursor) if found.cursor else None,
        first=current_url(request, cursor=None) if cursor else None,
        # only this process has its events; a log has them from the next start on
        elsewhere=replace(links, cli=f"GOTGAN_LOG={wanted.level or 'info'} gotgan up"),
    )


@router.get("/ops/events.csv")
def events_file(_who: Admin, app: CurrentApp, wanted: RequestedEvents) -> Response:
    """The same events as a file."""
    found = all_items(app.operations.events, **wanted.arguments)
    return encoded_csv("events", KeptEvent, found)


# Settings

_ORIGINS: Final[tuple[Origin, ...]] = get_args(Origin)


async def _requested_origin(origin: str = "") -> Origin | None:
    return one_of(_ORIGINS, origin) if origin else None


RequestedOrigin = Annotated[Origin | None, Depends(_requested_origin)]


@router.get("/ops/settings")
def show_settings(
    request: Request, _who: Admin, app: CurrentApp, origin: RequestedOrigin
) -> Response:
    """All settings, or those from one source."""
    every = app.operations.settings().items
    return page(
        request,
        "ops/settings.html",
        settings=[each for each in every if origin in {None, each.origin}],
        counts={word: sum(each.origin == word for each in every) for word in _ORIGINS},
        count=len(every),
        origin=origin,
        texts=catalogue(),
        has_days=has_days(app.settings.zone),
        elsewhere=ExportLinks.of(
            "/v1/settings", "/ops/settings.csv", "gotgan settings", origin=origin
        ),
    )


@router.get("/ops/settings.csv")
def settings_file(_who: Admin, app: CurrentApp, origin: RequestedOrigin) -> Response:
    """The same settings as a file."""
    return encoded_csv("settings", Setting, app.operations.settings(origin=origin).items)


# The setup checklist

_SETUP_PAGES: Final[Mapping[str, str]] = {
    "market_history": "/market/recover",
    "shops_shop": "/shops",
    "videos_key": "/videos",
    "videos_video": "/videos",
    "site_company": "/site/company",
    "site_category": "/site/categories/new",
}
"""The pages where a step can be done."""


@router.get("/setup")
def show_setup(request: Request, _who: Reader, app: CurrentApp) -> Response:
    """The setup steps by domain."""
    grouped = groupby(app.operations.setup().items, key=lambda step: step.domain)
    return page(
        request,
        "ops/setup.html",
        rooms=[(domain, list(steps)) for domain, steps in grouped],
        pages=_SETUP_PAGES,
        texts=catalogue(),
        words_of=humanized,
    )


@router.get("/setup.csv")
def setup_file(_who: Reader, app: CurrentApp) -> Response:
    """The same as a file."""
    return encoded_csv("setup", SetupStep, app.operations.setup().items)


def count_missing(app: App) -> int:
    """The number of missing steps; one that several domains need counts once."""
    return len({step.name for step in app.operations.setup().missing})


SECTION: Final = Section(
    "ops",
    (
        NavPage("timetable", "/schedule"),
        NavPage("costs", "/ops/costs", needed="admin"),
        NavPage("events", "/ops/events", needed="admin"),
        NavPage("settings", "/ops/settings", needed="admin"),
        NavPage("setup", "/setup"),
    ),
    domain="market",
)
ROUTERS: Final[tuple[APIRouter, ...]] = (router,)
