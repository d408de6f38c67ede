"""What the templates of a day write values with."""

from __future__ import annotations

from collections.abc import Iterable
from typing import TYPE_CHECKING, Any

from gotgan.clock import ZONES
from gotgan.console.day.drawn import hours
from gotgan.console.day.marks import TICK_KINDS
from gotgan.console.day.places import address, mended_at
from gotgan.console.market.states import KINDS as MARKET_KINDS
from gotgan.console.news.states import KINDS as BODY_KINDS
from gotgan.console.texts import catalogue, words_of
from gotgan.console.videos.states import JOB_KINDS
from gotgan.day.figures import duration_text, facts_of
from gotgan.domains.shops.amounts import price_text
from gotgan.domains.shops.summaries import kind_of
from gotgan.store import Cost
from gotgan.store.costs import CostLine

if TYPE_CHECKING:
    from gotgan.day.page import JobDay

__all__ = ["tools", "work_cost"]


def tools() -> dict[str, Any]:
    """Functions and words by the names that the templates have for them."""
    return {
        "address": address,
        "change_kind": kind_of,
        "hours": hours,
        "job_kinds": JOB_KINDS,
        "kinds": MARKET_KINDS,
        "body_kinds": BODY_KINDS,
        "tick_kinds": TICK_KINDS,
        "mended_at": mended_at,
        "price": price_text,
        "texts": catalogue(),
        "facts_of": facts_of,
        "took": duration_text,
        "total": work_cost,
        "words_of": words_of,
        "zones_of_day": tuple(ZONES),
    }


def work_cost(jobs: Iterable[JobDay]) -> Cost:
    """What jobs took of DynamoDB together."""
    each = list(jobs)
    reads, writes = sum(job.reads for job in each), sum(job.writes for job in each)
    return Cost((CostLine("work", "", None, reads, writes),))
