"""All DAGs: those of the market, and one for each other job of the schedule.

Crawls and scrapes are mapped tasks: one lists the shops, then each batch is a task. The claim of a
shop decides which run works on it.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from itertools import islice
from typing import Any, Final

from airflow.sdk import DAG, task
from airflow.sdk.exceptions import AirflowFailException

from gotgan.dags.base import cron_timetable, is_gate_open, make_dag, open_app, retry_transient
from gotgan.dags.market import (
    daily_collection_dag,
    generate_daily_collection_dag,
    manual_collection_dag,
    technical_indicator_dag,
)
from gotgan.domain import Job
from gotgan.domains.shops.models import Stage
from gotgan.events import emit
from gotgan.schedule import jobs
from gotgan.settings import Settings

STAGES: Final[Mapping[str, Stage]] = {"shops.crawl": "crawl", "shops.scrape": "scrape"}
"""The verbs that are mapped, and their stages."""
_BATCH_SIZE: Final = 20
_MAX_BATCHES: Final = 500
"""Airflow refuses more than a thousand of one task; the rest is left to the next run."""


def add_batch_tasks(verb: str, *, after: Any) -> None:
    """The tasks of a crawl or a scrape, after its gate."""
    stage = STAGES[verb]
    after >> (batches := list_due(stage))
    work_on.override(task_id=stage).partial(stage=stage).expand(domains=batches)


@task
def list_due(stage: Stage) -> list[list[str]]:
    """The shops that are due, in batches."""
    with open_app() as app, retry_transient():
        shops = islice(app.shops.to_do(stage), _BATCH_SIZE * _MAX_BATCHES)
        domains = [shop.domain for shop in shops]
    return [domains[at : at + _BATCH_SIZE] for at in range(0, len(domains), _BATCH_SIZE)]


@task
def work_on(domains: Sequence[str], stage: Stage) -> dict[str, int]:
    """Crawl or scrape the shops of one batch."""
    with open_app() as app, retry_transient():
        report = (app.shops.crawl if stage == "crawl" else app.shops.scrape)(domains)
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


def job_dags(settings: Settings) -> list[DAG]:
    """The DAGs of all jobs without a DAG of their own."""
    return [_job_dag(job, settings) for job in jobs() if job.dag is None]


def _job_dag(job: Job, settings: Settings) -> DAG:
    with make_dag(job.dag_id, job.words, cron_timetable(job, settings)) as dag:
        due = is_due(job.gate)
        if job.verb in STAGES:
            add_batch_tasks(job.verb, after=due)
        else:
            due >> run(job.verb)
    return dag


@task.short_circuit
def is_due(gate: str) -> bool:
    """Whether the gate of a job lets it run now."""
    with open_app() as app, retry_transient():
        return is_gate_open(app.ask(gate))


@task
def run(verb: str) -> None:
    """Run a verb; its events are in the log."""
    with open_app() as app, retry_transient():
        app.verb(verb)()


def all_dags(settings: Settings) -> list[DAG]:
    """The four of the market, and one for each other job."""
    return [
        generate_daily_collection_dag(settings),
        daily_collection_dag(settings),
        technical_indicator_dag(settings),
        manual_collection_dag(),
        *job_dags(settings),
    ]
