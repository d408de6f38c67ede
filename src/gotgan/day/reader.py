"""Read the page of a day: its parts, what failed, and what comes next.

Each part is read on its own, so that one that fails does not hide the others.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from dataclasses import fields, replace
from datetime import UTC, date, datetime
from itertools import groupby
from typing import TYPE_CHECKING, Any, Final, TypeVar
from zoneinfo import ZoneInfo

from gotgan.clock import ZONES, Zone, day_span
from gotgan.day import messages
from gotgan.day.calendar import day_after, day_before, today_in
from gotgan.day.page import DayFailure, DayPage, DayPart, JobDay, UpcomingEvent, WorkTick
from gotgan.domains.market.models import SIDES, Side, SideLog
from gotgan.domains.market.summary import MarketDay
from gotgan.domains.news import messages as news_messages
from gotgan.domains.news.summary import NewsDay
from gotgan.domains.shops import messages as shop_messages
from gotgan.domains.shops.stages import CRAWL_INTERVAL
from gotgan.domains.shops.summary import ShopsDay
from gotgan.domains.videos import messages as video_messages
from gotgan.domains.videos.summary import VideosDay
from gotgan.errors import GotganError
from gotgan.events import emit
from gotgan.messages import Message, text

if TYPE_CHECKING:
    from gotgan.day.service import ReadWork, Services
    from gotgan.domain import Service


_BAD_VISITS: Final = frozenset({"blocked", "unreachable"})
T = TypeVar("T")
TimeText = Callable[[datetime], str]
"""A time as the page shows it, in its zone."""


def read_page(day: date, zone: Zone, now: datetime, domains: Services, work: ReadWork) -> DayPage:
    """The page of a day."""
    span, today = day_span(day, zone), today_in(zone, now)
    parts = {name: _domain_part(name, domains[name], day, zone) for name in domains}
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
    failed = _part("failures", lambda: sort_failures(_failures(page)))
    next_up = _part("coming", lambda: sort_coming(_coming(page)))
    errors = {"failures": failed.error, "coming": next_up.error}
    return replace(
        page,
        failures=failed.value or (),
        coming=next_up.value or (),
        faults={name: error for name, error in errors.items() if error is not None},
    )


def _domain_part(name: str, service: Callable[[], Service], day: date, zone: Zone) -> DayPart[Any]:
    part = _part(name, lambda: service().summary(day, zone))
    missing = _part(name, lambda: service().unset()).value
    return replace(part, unset=None if missing is None else missing.words)


def _part(name: str, read: Callable[[], T]) -> DayPart[T]:
    try:
        return DayPart(read())
    except GotganError as error:
        return DayPart(error=error.with_traceback(None))
    except Exception as error:  # noqa: BLE001 - a defect of one domain does not hide the others
        emit("day.part.failed", level="error", domain=name, reason=repr(error))
        return DayPart(error=GotganError(messages.DEFECT()))


def _failures(page: DayPage) -> Iterator[DayFailure]:
    place = ZoneInfo(ZONES[page.zone])

    def clock(moment: datetime) -> str:
        local = moment.astimezone(place)
        return f"{local:%H:%M}" if moment in page.span else f"{local:%Y-%m-%d %H:%M}"

    of_work = list(job_failures(page.work.value or (), clock))
    yield from of_work
    if page.market.value is not None:
        has_ticks = any(failure.domain == "market" for failure in of_work)
        yield from market_failures(page.market.value, clock, has_ticks=has_ticks)
    if page.news.value is not None:
        yield from news_failures(page.news.value)
    if page.shops.value is not None:
        yield from shop_failures(page.shops.value, clock, is_today=page.is_today)
    if page.videos.value is not None:
        yield from video_failures(page.videos.value, clock)


def _coming(page: DayPage) -> Iterator[UpcomingEvent]:
    if page.market.value is not None:
        yield from market_coming(page.market.value)
    if page.is_today:
        yield from job_coming(page.work.value or ())


# Failures


def sort_failures(failures: Iterable[DayFailure]) -> tuple[DayFailure, ...]:
    """Those that are not over first, then the latest."""
    return tuple(
        sorted(failures, key=lambda each: (each.is_over, -each.at.timestamp() if each.at else 0.0))
    )


def job_failures(jobs: Iterable[JobDay], clock: TimeText) -> Iterator[DayFailure]:
    """Jobs that failed: failures in a row are one, with the run that succeeded after them."""
    for job in jobs:
        ended = [tick for tick in job.ticks if tick.status in {"done", "failed"}]  # newest first
        after = job.later
        for status, row in groupby(ended, key=lambda tick: tick.status):
            ticks = list(row)
            if status == "failed":
                yield _failed_job(job, ticks, after, clock)
            after = ticks[-1]


def _failed_job(
    job: JobDay, ticks: list[WorkTick], after: WorkTick | None, clock: TimeText
) -> DayFailure:
    latest = ticks[0]
    reason = text(latest.error or latest.words or messages.NOT_ENDED())
    if len(ticks) > 1:
        reason = messages.IN_A_ROW(count=len(ticks), why=reason)
    if after is None:
        coming = messages.RUNS_AGAIN(at=clock(job.next_at))
    else:
        coming = messages.RECOVERED(at=clock(after.at))
    return DayFailure(job.domain, job.job, latest.at, reason, coming, after is not None)


def market_failures(market: MarketDay, clock: TimeText, *, has_ticks: bool) -> Iterator[DayFailure]:
    """Sides of the session that failed; those that recovered unless ticks show them."""
    log = market.status.log
    if log is None:
        return
    for side in SIDES:
        failure = _failed_side(side, log.side(side), market, clock)
        if failure is not None and not (failure.is_over and has_ticks):
            yield failure
    indicators = market.status.indicators
    if indicators is not None and indicators.status == "failed":
        reason = indicators.error_message or messages.NOT_CALCULATED()
        at = indicators.attempted_at
        yield DayFailure("market", "indicators", at, reason, market.next, is_over=False)


def _failed_side(side: Side, log: SideLog, market: MarketDay, clock: TimeText) -> DayFailure | None:
    if log.status == "failed":
        reason = log.error_message or messages.NOT_COLLECTED()
        return DayFailure("market", side, log.attempted_at, reason, market.next, is_over=False)
    if log.status != "success" or not log.retry_count or log.completed_at is None:
        return None
    reason = messages.FAILED_BEFORE(count=log.retry_count)
    since = messages.RECOVERED(at=clock(log.completed_at))
    return DayFailure("market", side, log.attempted_at, reason, since, is_over=True)


def news_failures(news: NewsDay) -> Iterator[DayFailure]:
    """Articles of the day that were given up."""
    dead = news.bodies.get("dead", 0)
    if dead:
        reason = news_messages.GIVEN_UP(count=dead)
        again = news_messages.RETRY_DEAD()
        yield DayFailure("news", "bodies", None, reason, again, is_over=False)


def shop_failures(shops: ShopsDay, clock: TimeText, *, is_today: bool) -> Iterator[DayFailure]:
    """Shops that blocked us or did not answer; and today, those whose worker died."""
    for shop in shops.unreached:
        reason = _visit_failed(shop.stage, "unreachable", shop.last_error)
        coming = shop_messages.NEXT_ATTEMPT(at=clock(shop.not_before))
        yield DayFailure("shops", shop.domain, shop.tried_at, reason, coming, is_over=False)
    for visit in (*shops.crawled, *shops.scraped):
        if visit.outcome in _BAD_VISITS:
            reason = _visit_failed(visit.stage, visit.outcome, visit.reason)
            coming = shop_messages.DUE_AFTER_CRAWL()
            if visit.stage == "crawl":
                coming = shop_messages.DUE_FROM(at=clock(visit.ended_at + CRAWL_INTERVAL))
            yield DayFailure("shops", visit.domain, visit.ended_at, reason, coming, is_over=False)
    for stuck in shops.stuck if is_today else ():
        stage = shop_messages.WORDS[stuck.stage]()
        reason = shop_messages.WORKER_DIED(stage=stage, owner=stuck.owner or "?")
        coming = shop_messages.TAKEN_OVER(stage=stage)
        yield DayFailure("shops", stuck.shop.domain, stuck.since, reason, coming, is_over=False)


def _visit_failed(stage: str, outcome: str, why: str | None) -> Message:
    words = shop_messages.WORDS
    reason = text(why) if why else messages.NO_REASON()
    return shop_messages.VISIT_FAILED(stage=words[stage](), outcome=words[outcome](), why=reason)


def video_failures(videos: VideosDay, clock: TimeText) -> Iterator[DayFailure]:
    """Analyses that failed; one is over if the same video was analysed after it, on any day."""
    done: set[str] = set()
    for titled in videos.jobs:  # the latest first
        job = titled.job
        if job.status == "completed":
            done.add(job.video_id)
        elif job.status == "failed":
            is_over = job.video_id in done or job.job_id in videos.mended
            reason = job.error_message or job.error_code or messages.NO_REASON()
            coming = video_messages.ANALYSE_AGAIN()
            if is_over:
                coming = video_messages.ANALYSED_SINCE()
            elif job.retry_after is not None:
                coming = video_messages.ANALYSE_AGAIN_FROM(at=clock(job.retry_after))
            what = titled.title or job.video_id
            yield DayFailure("videos", what, job.completed_at, reason, coming, is_over)


# What comes next


def sort_coming(coming: Iterable[UpcomingEvent]) -> tuple[UpcomingEvent, ...]:
    """In the order of their times; what has none comes first."""
    return tuple(sorted(coming, key=lambda each: each.at or datetime.min.replace(tzinfo=UTC)))


def market_coming(market: MarketDay) -> Iterator[UpcomingEvent]:
    """What is still to be done about the session, also of a past day."""
    if not market.is_done:
        until = getattr(market.status.next_decision, "until", None)
        yield UpcomingEvent("market", str(market.status.day), until, market.next)


def job_coming(jobs: Iterable[JobDay]) -> Iterator[UpcomingEvent]:
    """The next run of each job."""
    return (UpcomingEvent(job.domain, job.job, job.next_at, job.words) for job in jobs)
