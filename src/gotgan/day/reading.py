"""Read the page of a day: each part by itself, so that one that fails does not hide the others."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import fields, replace
from datetime import date, datetime
from typing import TYPE_CHECKING, Any, Final, TypeVar
from zoneinfo import ZoneInfo

from gotgan.clock import ZONES, Zone, day_span
from gotgan.day import coming, failures
from gotgan.day.calendar import day_after, day_before, today_in
from gotgan.day.page import Coming, DayFailure, DayPage, DayPart
from gotgan.errors import GotganError
from gotgan.events import emit

if TYPE_CHECKING:
    from gotgan.day.service import ReadWork, Services
    from gotgan.domain import Service

__all__ = ["read_page"]

_DEFECT: Final = "something went wrong here; the log says what"
T = TypeVar("T")


def read_page(
    day: date,
    zone: Zone,
    now: datetime,
    domains: Services,
    work: ReadWork,
) -> DayPage:
    """The page of a day."""
    span, today = day_span(day, zone), today_in(zone, now)
    parts = {name: _of_domain(name, domains[name], day, zone) for name in domains}
    own = {each.name for each in fields(DayPage)}
    page = DayPage(
        day=day,
        zone=zone,
        span=span,
        now=now,
        today=today,
        previous=day_before(day),
        following=day_after(day, today),
        news=parts["news"],
        shops=parts["shops"],
        market=parts["market"],
        videos=parts["videos"],
        site=parts["site"],
        others={name: part for name, part in parts.items() if name not in own},
        work=_part("work", lambda: work(span, now)),
    )
    failed = _part("failures", lambda: failures.ordered(_failures(page)))
    next_up = _part("coming", lambda: coming.ordered(_coming(page)))
    errors = {"failures": failed.error, "coming": next_up.error}
    return replace(
        page,
        failures=failed.value or (),
        coming=next_up.value or (),
        faults={name: error for name, error in errors.items() if error is not None},
    )


def _of_domain(name: str, opened: Callable[[], Service], day: date, zone: Zone) -> DayPart[Any]:
    part = _part(name, lambda: opened().summary(day, zone))
    missing = _part(name, lambda: opened().unset()).value
    return replace(part, unset=None if missing is None else missing.words)


def _part(name: str, read: Callable[[], T]) -> DayPart[T]:
    try:
        return DayPart(read())
    except GotganError as error:
        return DayPart(error=error.with_traceback(None))
    except Exception as error:  # noqa: BLE001 - a defect of one domain does not hide the others
        emit("day.part.failed", level="error", domain=name, reason=repr(error))
        return DayPart(error=GotganError(_DEFECT))


def _failures(page: DayPage) -> Iterator[DayFailure]:
    place = ZoneInfo(ZONES[page.zone])

    def clock(moment: datetime) -> str:
        local = moment.astimezone(place)
        return f"{local:%H:%M}" if moment in page.span else f"{local:%Y-%m-%d %H:%M}"

    of_work = list(failures.of_work(page.work.value or (), clock))
    yield from of_work
    if page.market.value is not None:
        is_told = any(failure.domain == "market" for failure in of_work)
        yield from failures.of_market(page.market.value, clock, is_told=is_told)
    if page.news.value is not None:
        yield from failures.of_news(page.news.value)
    if page.shops.value is not None:
        yield from failures.of_shops(page.shops.value, clock, is_today=page.is_today)
    if page.videos.value is not None:
        yield from failures.of_videos(page.videos.value, clock)


def _coming(page: DayPage) -> Iterator[Coming]:
    if page.market.value is not None:
        yield from coming.of_market(page.market.value)
    if page.is_today:
        yield from coming.of_work(page.work.value or ())
