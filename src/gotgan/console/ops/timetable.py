"""The timetable: every job with its next time, thirty days of it, and what came of it, and why."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import timedelta
from types import MappingProxyType
from typing import Annotated, Final, get_args

from fastapi import APIRouter, Depends, HTTPException
from starlette.requests import Request
from starlette.responses import Response

from gotgan.app import App
from gotgan.console.frame import here, page
from gotgan.console.given import Gotgan, Reader
from gotgan.console.listing import A_CALL, Elsewhere, as_csv, every
from gotgan.console.ops.running import needed_for, place_of
from gotgan.console.ops.strips import TickStrip, strips_of
from gotgan.console.past import Past
from gotgan.domain import GO
from gotgan.encoding import encode, keys_of
from gotgan.operations.results import ScheduledJob
from gotgan.runs import Run
from gotgan.schedule import Tick, TickPage, TickStatus, jobs

__all__ = ["TickFilter", "asked_filter", "jobs_file", "router", "show_timetable", "ticks_file"]

router = APIRouter()
_KINDS: Final[Mapping[TickStatus, str]] = MappingProxyType(
    {
        "done": "good",
        "running": "running",
        "waiting": "running",
        "skipped": "none",
        "failed": "bad",
    }
)
_A_PAGE: Final = 50
_DAYS: Final = 30


@dataclass(frozen=True)
class TickFilter:
    """Which ticks are asked for."""

    job: str | None
    status: TickStatus | None

    def read(self, app: App, limit: int, cursor: str | None) -> TickPage:
        """A page of them."""
        return app.operations.ticks(job=self.job, status=self.status, limit=limit, cursor=cursor)


async def asked_filter(job: str = "", status: str = "") -> TickFilter:
    """What an address asks for."""
    wanted = next((known for known in get_args(TickStatus) if known == status), None)
    if status and wanted is None:
        raise HTTPException(422)
    if job and job not in {each.name for each in jobs()}:
        raise HTTPException(404)
    return TickFilter(job or None, wanted)


Wanted = Annotated[TickFilter, Depends(asked_filter)]


@router.get("/schedule")
def show_timetable(
    request: Request, who: Reader, app: Gotgan, wanted: Wanted, cursor: str | None = None
) -> Response:
    """All jobs, and the last ticks of all or of one."""
    found = wanted.read(app, _A_PAGE, cursor or None)
    return page(
        request,
        "ops/timetable.html",
        lines=app.operations.schedule().items,
        strips=_strips(app, request.app.state.past),
        wanted=wanted,
        jobs=[("", who.t("schedule.ticks.any")), *((each.name, each.name) for each in jobs())],
        statuses=[
            ("", who.t("schedule.ticks.any")),
            *((word, who.t(f"schedule.status.{word}")) for word in get_args(TickStatus)),
        ],
        found=found,
        kinds=_KINDS,
        go=GO,
        runnable={each.name for each in jobs() if who.may(needed_for(each))},
        run=_run(app, wanted.job),
        place=place_of(wanted.job or ""),
        next=f"{here(request, cursor=found.cursor)}#ticks" if found.cursor else None,
        first=f"{here(request, cursor=None)}#ticks" if cursor else None,
        elsewhere=Elsewhere.of(
            "/v1/schedule/ticks",
            "/schedule/ticks.csv",
            "gotgan ticks",
            job=wanted.job,
            status=wanted.status,
        ),
    )


@router.get("/schedule/jobs.csv")
def jobs_file(_who: Reader, app: Gotgan) -> Response:
    """All jobs as a file."""
    found = app.operations.schedule().items
    return as_csv("jobs", keys_of(ScheduledJob), map(encode, found))


@router.get("/schedule/ticks.csv")
def ticks_file(_who: Reader, app: Gotgan, wanted: Wanted) -> Response:
    """The same ticks as a file."""
    found = every(lambda cursor: wanted.read(app, A_CALL, cursor))
    return as_csv("ticks", keys_of(Tick), map(encode, found))


def _run(app: App, name: str | None) -> Run | None:
    """The last run of a job in this process, whoever began it."""
    job = next((each for each in jobs() if each.name == name), None)
    return None if job is None else app.runs.latest(job.verb)


def _strips(app: App, past: Past) -> Mapping[str, TickStrip]:
    """The last days of UTC; a run may end on the day after it began."""
    from gotgan.scheduler.history import TickHistory, by_job  # noqa: PLC0415 - it loads SQLAlchemy

    today = app.clock.now().date()
    days = [today - timedelta(days=number) for number in reversed(range(_DAYS))]
    counted = past.of("ticks", days, today, TickHistory(app.database).by_day, open_days=2)
    return strips_of(by_job(counted))
