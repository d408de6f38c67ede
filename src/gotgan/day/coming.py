"""What will happen next by itself, as a page tells it."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from datetime import UTC, datetime

from gotgan.day.page import Coming, JobDay
from gotgan.domains.market.summaries import MarketDay
from gotgan.domains.market.wording import next_decision

__all__ = ["of_market", "of_work", "ordered"]


def ordered(coming: Iterable[Coming]) -> tuple[Coming, ...]:
    """What is next first; what has no time of its own before all else."""
    return tuple(sorted(coming, key=lambda each: each.at or datetime.min.replace(tzinfo=UTC)))


def of_market(market: MarketDay) -> Iterator[Coming]:
    """What is still to be done about the session, also where its day is over."""
    if not market.is_done:
        decision = next_decision(market.status)
        until = getattr(decision, "until", None)
        yield Coming("market", str(market.status.day), until, market.next)


def of_work(jobs: Iterable[JobDay]) -> Iterator[Coming]:
    """When each job comes round again."""
    return (Coming(job.domain, job.job, job.next_at, job.words) for job in jobs)
