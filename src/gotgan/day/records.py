"""The page of a day as JSON can hold it; what is a domain's has the names of that domain."""

from __future__ import annotations

from collections.abc import Callable
from datetime import date, datetime
from typing import Any, TypeVar

from gotgan.clock import utc_iso
from gotgan.day.page import Coming, DayPage, Failure, Fault, JobDay, Part, WorkTick
from gotgan.domains.market.summaries import MarketDay
from gotgan.domains.news.summaries import NewsDay
from gotgan.domains.shops.summaries import ShopsDay, ShopVisit, kind_of
from gotgan.domains.site.kept_posts import Kept
from gotgan.domains.site.summaries import SiteDay
from gotgan.domains.videos.summaries import VideosDay
from gotgan.encoding import encode

__all__ = ["page_record", "published_record"]

T = TypeVar("T")


def page_record(page: DayPage) -> dict[str, Any]:
    """All of the page."""
    return {
        "date": str(page.day),
        "zone": page.zone,
        "first": _at(page.span.first),
        "last": _at(page.span.last),
        "today": str(page.today),
        "isToday": page.is_today,
        "previous": _day(page.previous),
        "following": _day(page.following),
        "readAt": _at(page.now),
        "news": _part(page.news, _news),
        "shops": _part(page.shops, _shops),
        "market": _part(page.market, _market),
        "videos": _part(page.videos, _videos),
        "site": _part(page.site, _site),
        "work": _part(page.work, lambda jobs: [_job(job) for job in jobs]),
        "failures": [_failure(each) for each in page.failures],
        "coming": [_coming(each) for each in page.coming],
        "faults": {name: _fault(page.faults.get(name)) for name in ("failures", "coming")},
        "cost": page.cost.shown(),
    }


def published_record(kept: Kept) -> dict[str, Any]:
    """Where a day was published, and whether that took a write."""
    post = kept.post
    return {
        "outcome": kept.outcome,
        "id": post.id,
        "categoryId": post.category_id,
        "title": post.title,
        "version": post.version,
    }


def _part(part: Part[T], record: Callable[[T], Any]) -> dict[str, Any]:
    return {
        "value": None if part.value is None else record(part.value),
        "error": _fault(part.error),
        "unset": part.unset,
    }


def _fault(fault: Fault | None) -> dict[str, str] | None:
    return None if fault is None else {"code": fault.code, "message": fault.message}


def _news(news: NewsDay) -> dict[str, Any]:
    return {
        "new": news.new,
        "read": news.read,
        "headlines": [encode(item) for item in news.headlines],
        "tickers": [{"ticker": ticker, "count": count} for ticker, count in news.tickers],
        "hours": list(news.hours),
        "bodies": dict(news.bodies),
        "waiting": news.waiting,
        "dead": news.dead,
    }


def _shops(shops: ShopsDay) -> dict[str, Any]:
    return {
        "countries": list(shops.countries),
        "crawled": [_visit(visit) for visit in shops.crawled],
        "scraped": [_visit(visit) for visit in shops.scraped],
        "changes": [{**encode(change), "kind": kind_of(change)} for change in shops.changes],
        "counts": dict(shops.counts),
        "read": shops.read,
        "isCut": shops.is_cut,
        "stuck": [encode(stuck) for stuck in shops.stuck],
        "unreached": [encode(shop) for shop in shops.unreached],
    }


def _visit(visit: ShopVisit) -> dict[str, Any]:
    return {
        "domain": visit.domain,
        "outcome": visit.outcome,
        "reason": visit.reason,
        "began_at": _at(visit.began_at),
        "ended_at": _at(visit.ended_at),
        "seconds": visit.seconds,
        "pages": visit.pages,
    }


def _market(market: MarketDay) -> dict[str, Any]:
    sheet = market.sheet
    return {
        "status": encode(market.status),
        "indices": encode(sheet.indices),
        "breadth": encode(sheet.breadth),
        "risers": encode(sheet.risers),
        "fallers": encode(sheet.fallers),
        "factors": encode(sheet.factors),
        "screens": {
            kind: {"count": found.count, "items": encode(found.rows)}
            for kind, found in market.screens.items()
        },
        "month": [
            {
                "date": str(day.day),
                "closed": day.closed,
                "overall_status": None if day.log is None else day.log.overall_status,
            }
            for day in market.month
        ],
    }


def _videos(videos: VideosDay) -> dict[str, Any]:
    return {
        "completed": videos.completed,
        "failed": videos.failed,
        "open": videos.open,
        "jobs": [
            {**encode(each.job), "title": each.title, "seconds": each.seconds}
            for each in videos.jobs
        ],
        "units": videos.units,
        "inputTokens": videos.input_tokens,
        "outputTokens": videos.output_tokens,
        "costUsd": videos.cost_usd,
        "unpriced": videos.unpriced,
        "hits": videos.hits,
    }


def _site(site: SiteDay) -> dict[str, Any]:
    return {
        "posts": [
            {
                "id": post.id,
                "categoryId": post.category_id,
                "title": post.title,
                "CreatedAt": _at(post.created_at),
            }
            for post in site.posts
        ],
        "isCut": site.is_cut,
        "inquiries": site.inquiries,
        "mailsWaiting": site.mails_waiting,
    }


def _job(job: JobDay) -> dict[str, Any]:
    return {
        "job": job.job,
        "words": job.words,
        "counts": dict(job.counts),
        "why": job.why,
        "seconds": job.seconds,
        "reads": job.reads,
        "writes": job.writes,
        "ticks": [_tick(tick) for tick in job.ticks],
        "later": None if job.later is None else _tick(job.later),
        "nextAt": _at(job.next_at),
    }


def _tick(tick: WorkTick) -> dict[str, Any]:
    return {
        "at": _at(tick.at),
        "status": tick.status,
        "words": tick.words,
        "error": tick.error,
        "startedAt": _at(tick.started_at),
        "finishedAt": _at(tick.finished_at),
        "seconds": tick.seconds,
        "reads": tick.reads,
        "writes": tick.writes,
    }


def _failure(failure: Failure) -> dict[str, Any]:
    return {
        "domain": failure.domain,
        "what": failure.what,
        "at": _at(failure.at),
        "words": failure.words,
        "next": failure.next,
        "isOver": failure.is_over,
    }


def _coming(coming: Coming) -> dict[str, Any]:
    return {
        "domain": coming.domain,
        "what": coming.what,
        "at": _at(coming.at),
        "words": coming.words,
    }


def _at(moment: datetime | None) -> str | None:
    return None if moment is None else utc_iso(moment)


def _day(day: date | None) -> str | None:
    return None if day is None else str(day)
