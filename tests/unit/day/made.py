"""Pages of days, and what they are made of, as tests need them."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from datetime import UTC, date, datetime
from functools import partial
from typing import Any
from zoneinfo import ZoneInfo

from gotgan.app import App
from gotgan.clock import SEOUL, day_span
from gotgan.day.page import DayPage, DayPart, JobDay, WorkTick
from gotgan.domain import GO, domains
from gotgan.domains.market.decisions import Decision, DecisionWording, Skip
from gotgan.domains.market.models import CollectionLog, IndicatorLog, SideLog
from gotgan.domains.market.reports import DayStatus
from gotgan.domains.market.rows import DaySheet
from gotgan.domains.market.summary import MarketDay
from gotgan.domains.news.models import NewsItem
from gotgan.domains.news.summary import NewsDay
from gotgan.domains.shops.models import Change, Offer, Shop
from gotgan.domains.shops.summary import ShopsDay
from gotgan.domains.site.summary import SiteDay
from gotgan.domains.videos.models import VideoJob
from gotgan.domains.videos.summary import TitledJob, VideosDay
from gotgan.schedule import jobs
from gotgan.scheduler import DueJob, Ticks

__all__ = [
    "DAY",
    "NOW",
    "a_change",
    "a_job",
    "a_page",
    "a_tick",
    "a_video",
    "changed",
    "market",
    "news",
    "shops",
    "site",
    "store_story",
    "ticked",
    "videos",
]

DAY = date(2025, 11, 6)
NOW = datetime(2025, 11, 6, 9, 30, tzinfo=UTC)
THERE = Skip("already_success", "it is there")
OLD = Offer(status="AVAILABLE", price=10_000, currency="EUR")


def market(
    collection: Decision = THERE,
    prices: SideLog | None = None,
    indicators: IndicatorLog | None = None,
    **changes: Any,
) -> MarketDay:
    """A session whose indices succeeded; by default all of it is there."""
    side = SideLog("success", completed_at=NOW, provider="krx")
    log = CollectionLog(DAY, DAY, prices or side, side, NOW, NOW)
    wording = DecisionWording(ZoneInfo(SEOUL), DAY)
    status = DayStatus(DAY, None, log, indicators, collection, THERE, wording)
    return replace(MarketDay(status, DaySheet(DAY), {}, (status,)), **changes)


def news(**changes: Any) -> NewsDay:
    """A day without news, but for what is said."""
    empty = NewsDay(0, (), (), (0,) * 24, {}, 0, 0, 0)
    return replace(empty, **changes)


def shops(**changes: Any) -> ShopsDay:
    """A day without shops, but for what is said."""
    empty = ShopsDay((), (), (), (), {}, 0, is_cut=False, stuck=())
    return replace(empty, **changes)


def site(**changes: Any) -> SiteDay:
    """A day on which nothing was published, but for what is said."""
    return replace(SiteDay((), is_cut=False, inquiries=0, mails_waiting=0), **changes)


def videos(*jobs: TitledJob) -> VideosDay:
    """A day with these jobs, the latest first."""
    done = sum(each.job.status == "completed" for each in jobs)
    return VideosDay(done, len(jobs) - done, 0, jobs, 0, 0, 0, 0.0, 0, 0)


def a_page(day: date = DAY, today: date = DAY, **changes: Any) -> DayPage:
    """The page of a day of Seoul; a part is given by its value."""
    nothing: DayPart[Any] = DayPart()
    page = DayPage(
        day=day,
        zone="kst",
        span=day_span(day, "kst"),
        now=NOW,
        today=today,
        previous=None,
        following=None,
        news=nothing,
        shops=nothing,
        market=nothing,
        videos=nothing,
        site=nothing,
        work=nothing,
    )
    parts: dict[str, Any] = {
        name: DayPart(changes.pop(name)) for name in page.parts if name in changes
    }
    return replace(page, **parts, **changes)


def a_tick(hour: int, status: str = "done", **changes: Any) -> WorkTick:
    """A run at an hour of the day in UTC, that took two seconds."""
    at = NOW.replace(hour=hour, minute=0)
    tick = WorkTick(at, status, None, None, at, at.replace(second=2), 10.0, 1.0)
    return replace(tick, **changes)


def a_job(*ticks: WorkTick, name: str = "news.collect", **changes: Any) -> JobDay:
    """A job with these ticks, the latest first."""
    counts: dict[str, int] = {}
    for tick in ticks:
        counts[tick.status] = counts.get(tick.status, 0) + 1
    next_at = NOW.replace(hour=10, minute=0)
    job = JobDay(name, "Collects.", counts, None, 2.0, 10.0, 1.0, ticks, None, next_at)
    return replace(job, **changes)


def a_change(**changes: Any) -> Change:
    """A price that fell."""
    return Change(
        **{
            "domain": "antik.test",
            "seen_at": NOW,
            "url": "https://antik.test/clock",
            "title": "A clock",
            "before": OLD,
            "after": OLD.model_copy(update={"price": 9_000}),
            **changes,
        }
    )


def a_video(video_id: str, status: str, title: str | None = None, **changes: Any) -> TitledJob:
    """An analysis that came to an end."""
    job = VideoJob(
        job_id=f"{video_id}-{status}",
        video_id=video_id,
        status=status,  # type: ignore[arg-type]
        cache_key="k",
        analyser="builtin",
        analysis_version="v1",
        force_refresh=False,
        created_at=NOW,
        updated_at=NOW,
        due_at=NOW,
        completed_at=NOW,
    )
    return TitledJob(replace(job, **changes), title)


# In a house


def store_story(app: App, number: int = 1, at: datetime = NOW, **fields: Any) -> NewsItem:
    """A story that was stored at a moment."""
    url = f"https://finance.yahoo.com/news/story-{number:09}.html"
    words = {"source": "yf_latest", "title": f"Story {number}", "tickers": ("AAPL",), **fields}
    return app.store.put_new(NewsItem(url=url, uploaded_at=at, **words)).item


def changed(app: App, domain: str = "antik.test", **fields: Any) -> Change:
    """A change in a shop that is crawled now."""
    app.shops.add(domain, country="DE")
    shop = app.shops.get(domain)
    Shop.crawl.finish(app.store, Shop.crawl.claim(app.store, shop), crawl_outcome="ok")
    return app.store.put_new(a_change(domain=domain, **fields)).item


def ticked(app: App, name: str = "news.collect", at: datetime = NOW, **ended: Any) -> None:
    """A job that was run, and how that ended."""
    ticks, job = Ticks(app.database), next(each for each in jobs() if each.name == name)
    tick = ticks.claim(DueJob(job, at), GO, at)
    assert tick is not None
    ticks.end(tick, **{"status": "done", "finished_at": at, **ended})


def services(app: App, **replaced: Callable[[], Any]) -> dict[str, Callable[[], Any]]:
    """The domains of an app, as days open them."""
    return {each.name: partial(app.domain, each.name) for each in domains()} | replaced
