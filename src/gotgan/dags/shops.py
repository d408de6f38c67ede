"""Crawls and scrapes as mapped tasks: one lists the shops, then each batch is a task of its own.

Who has a shop is decided by its claim, so batches of two runs never work on the same one.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from itertools import islice
from typing import Any, Final

from airflow.sdk import task
from airflow.sdk.exceptions import AirflowFailException

from gotgan.dags.drawing import opened
from gotgan.dags.ending import passing
from gotgan.domains.shops.crews import PoolReport
from gotgan.domains.shops.models import Stage
from gotgan.domains.shops.service import Shops
from gotgan.events import emit

__all__ = ["STAGES", "in_batches", "list_due", "work_on"]

STAGES: Final[Mapping[str, Stage]] = {"shops.crawl": "crawl", "shops.scrape": "scrape"}
"""The verbs that are mapped, and the stage that each works on."""
_BATCH: Final = 20
_MOST_BATCHES: Final = 500
"""Airflow refuses more than a thousand of one task; what is left comes round the next time."""


def in_batches(verb: str, *, after: Any) -> None:
    """The tasks of a crawl or a scrape, after its gate."""
    stage = STAGES[verb]
    after >> (batches := list_due(stage))
    work_on.override(task_id=stage).partial(stage=stage).expand(domains=batches)


@task
def list_due(stage: Stage) -> list[list[str]]:
    """The shops that are due, in batches."""
    with opened() as app, passing():
        shops = islice(app.shops.to_do(stage), _BATCH * _MOST_BATCHES)
        domains = [shop.domain for shop in shops]
    return [domains[at : at + _BATCH] for at in range(0, len(domains), _BATCH)]


@task
def work_on(domains: Sequence[str], stage: Stage) -> dict[str, int]:
    """Crawl or scrape the shops of one batch."""
    with opened() as app, passing():
        report = _crew(app.shops, stage)(domains)
    for each in report.failed:
        reason = each.error.message
        emit("airflow.shop_failed", level="warning", domain=each.domain, reason=reason)
    if report.outcome != "done":
        raise AirflowFailException(f"{len(domains)} shops: {report.words}")
    unreached = len(report.unreached)
    return {
        "done": len(report.shops) - unreached,
        "unreachable": unreached,
        "skipped": len(report.skipped),
    }


def _crew(shops: Shops, stage: Stage) -> Callable[[Sequence[str]], PoolReport[Any]]:
    return shops.crawl if stage == "crawl" else shops.scrape
