"""What failed on a day, and what becomes of it: made of the parts of its page, purely."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from datetime import datetime
from itertools import groupby
from typing import Final

from gotgan.day.page import DayFailure, JobDay, WorkTick
from gotgan.domains.market.models import SIDES, Side, SideLog
from gotgan.domains.market.summaries import MarketDay
from gotgan.domains.news.summaries import NewsDay
from gotgan.domains.shops.due import CRAWL_EVERY
from gotgan.domains.shops.summaries import ShopsDay, ShopVisit
from gotgan.domains.videos.summaries import TitledJob, VideosDay

__all__ = [
    "Clock",
    "of_market",
    "of_news",
    "of_shops",
    "of_videos",
    "of_work",
    "ordered",
]

Clock = Callable[[datetime], str]
"""How a moment is told on the page: by the clock of its zone."""
_BAD_VISITS: Final = frozenset({"blocked", "unreachable"})


def ordered(failures: Iterable[DayFailure]) -> tuple[DayFailure, ...]:
    """Those that are not over first, then the latest."""

    def place(failure: DayFailure) -> tuple[bool, float]:
        return failure.is_over, 0.0 if failure.at is None else -failure.at.timestamp()

    return tuple(sorted(failures, key=place))


def of_work(jobs: Iterable[JobDay], clock: Clock) -> Iterator[DayFailure]:
    """Jobs that failed: each row of failures in a row is one, with what came after it."""
    for job in jobs:
        ended = [tick for tick in job.ticks if tick.status in {"done", "failed"}]
        after = job.later
        for status, row in groupby(ended, key=lambda tick: tick.status):
            ticks = list(row)
            if status == "failed":
                yield _failed_job(job, ticks, after, clock)
            after = ticks[-1]


def _failed_job(
    job: JobDay, ticks: list[WorkTick], after: WorkTick | None, clock: Clock
) -> DayFailure:
    """``ticks`` are newest first; ``after`` is the run that went well thereupon."""
    latest = ticks[0]
    times = "" if len(ticks) == 1 else f"{len(ticks)} times in a row: "
    told = latest.error or latest.words or "it did not come to its end"
    if after is None:
        coming = f"comes round again at {clock(job.next_at)}"
    else:
        coming = f"went well at {clock(after.at)}"
    return DayFailure(job.domain, job.job, latest.at, times + told, coming, after is not None)


def of_market(market: MarketDay, clock: Clock, *, is_told: bool) -> Iterator[DayFailure]:
    """Sides of the session that failed; what was made up for only where ticks do not tell it."""
    log = market.status.log
    if log is None:
        return
    for side in SIDES:
        failure = _failed_side(side, log.side(side), market, clock)
        if failure is not None and not (failure.is_over and is_told):
            yield failure
    indicators = market.status.indicators
    if indicators is not None and indicators.status == "failed":
        told = indicators.error_message or "they could not be calculated"
        at = indicators.attempted_at
        yield DayFailure("market", "indicators", at, told, market.next, is_over=False)


def _failed_side(side: Side, log: SideLog, market: MarketDay, clock: Clock) -> DayFailure | None:
    if log.status == "failed":
        told = log.error_message or "they could not be collected"
        return DayFailure("market", side, log.attempted_at, told, market.next, is_over=False)
    if log.status != "success" or not log.retry_count or log.completed_at is None:
        return None
    told = f"failed {log.retry_count} time{'s' if log.retry_count > 1 else ''} before"
    went_well = f"went well at {clock(log.completed_at)}"
    return DayFailure("market", side, log.attempted_at, told, went_well, is_over=True)


def of_news(news: NewsDay) -> Iterator[DayFailure]:
    """Articles of the day that were given up."""
    dead = news.bodies.get("dead", 0)
    if dead:
        told = f"{dead} article{'s' if dead > 1 else ''} could not be fetched, and were given up"
        again = "gotgan news bodies --retry-dead tries them again"
        yield DayFailure("news", "bodies", None, told, again, is_over=False)


def of_shops(shops: ShopsDay, clock: Clock, *, is_today: bool) -> Iterator[DayFailure]:
    """Shops that refused us or did not answer; and today, those whose worker is no more."""
    for shop in shops.unreached:
        told = f"{shop.stage} unreachable: {shop.last_error}"
        coming = f"next attempt {clock(shop.not_before)}"
        yield DayFailure("shops", shop.domain, shop.tried_at, told, coming, is_over=False)
    for visit in (*shops.crawled, *shops.scraped):
        if visit.outcome in _BAD_VISITS:
            yield _failed_visit(visit, clock)
    for stuck in shops.stuck if is_today else ():
        told = f"the {stuck.stage} of {stuck.owner or 'somebody'} never ended"
        coming = f"the next {stuck.stage} takes it over, or gotgan shops release"
        yield DayFailure("shops", stuck.shop.domain, stuck.since, told, coming, is_over=False)


def _failed_visit(visit: ShopVisit, clock: Clock) -> DayFailure:
    told = f"{visit.stage} {visit.outcome}: {visit.reason or 'it does not say why'}"
    if visit.stage == "crawl":
        coming = f"due again from {clock(visit.ended_at + CRAWL_EVERY)} on"
    else:
        coming = "due again after its next crawl"
    return DayFailure("shops", visit.domain, visit.ended_at, told, coming, is_over=False)


def of_videos(videos: VideosDay, clock: Clock) -> Iterator[DayFailure]:
    """Analyses that failed; one is over where the same video was analysed after it, on any day."""
    done: set[str] = set()
    for titled in videos.jobs:  # the latest first
        if titled.job.status == "completed":
            done.add(titled.job.video_id)
        elif titled.job.status == "failed":
            is_over = titled.job.video_id in done or titled.job.job_id in videos.mended
            yield _failed_analysis(titled, clock, is_over=is_over)


def _failed_analysis(titled: TitledJob, clock: Clock, *, is_over: bool) -> DayFailure:
    job = titled.job
    told = job.error_message or job.error_code or "it does not say why"
    coming = "ask for it again"
    if is_over:
        coming = "was analysed since"
    elif job.retry_after is not None:
        coming = f"ask for it again from {clock(job.retry_after)} on"
    return DayFailure(
        "videos", titled.title or job.video_id, job.completed_at, told, coming, is_over
    )
