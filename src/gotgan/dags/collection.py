"""The DAGs of a day's collection: it is opened, and then asked for, hour by hour."""

from __future__ import annotations

from typing import Any

from airflow.providers.standard.operators.trigger_dagrun import TriggerDagRunOperator
from airflow.sdk import DAG, task_group

from gotgan.dags import steps
from gotgan.dags.assets import INDICES, PRICES
from gotgan.dags.days import TARGET
from gotgan.dags.drawing import by_day, drawn, job_named
from gotgan.settings import Settings

__all__ = ["daily_collection", "generate_daily_collection"]


def generate_daily_collection(settings: Settings) -> DAG:
    """Opens the day: a partition, and a pending row."""
    job = job_named("market.open_day")
    with drawn(job.dag_id, job.words, by_day(job, settings)) as dag:
        steps.open_day()
    return dag


def daily_collection(settings: Settings) -> DAG:
    """Gate, then fetch, save and verify for each side; then the indicators are started.

    The last task starts ``technical_indicator_dag`` when both sides are a success, whichever of
    them ran now. The lease goes back in any case.

    The gate is the set-up of the run and the giving back its tear-down: whoever clears a task has
    the gate asked again, and a side that failed fails the run.
    """
    job = job_named("market.collect")
    # The exchange lets one session in: two tasks that ask it at once would log each other out.
    with drawn(job.dag_id, job.words, by_day(job, settings), max_active_tasks=1) as dag:
        work = steps.should_run_today_collection()
        groups = [_price_task_group(work), _indices_task_group(work)]
        day = steps.both_sides_succeeded()
        start_indicators = TriggerDagRunOperator(
            task_id="start_indicators",
            trigger_dag_id=job_named("market.indicators").dag_id,
            conf={TARGET: day},
        )
        let_go = steps.let_go_of_day(work).as_teardown(setups=work)
        groups >> day >> start_indicators >> let_go
    return dag


@task_group(group_id="price_task_group", prefix_group_id=False)
def _price_task_group(work: Any) -> None:
    fetched = steps.fetch.override(task_id="fetch_stock_prices")(work, "prices")
    saved = steps.save.override(task_id="save_stock_prices")(work, "prices")
    verify = steps.verify.override(task_id="verify_stock_prices", outlets=[PRICES])
    fetched >> saved >> verify(work, "prices")


@task_group(group_id="indices_task_group", prefix_group_id=False)
def _indices_task_group(work: Any) -> None:
    fetched = steps.fetch.override(task_id="fetch_market_indices")(work, "indices")
    saved = steps.save.override(task_id="save_market_indices")(work, "indices")
    verify = steps.verify.override(task_id="verify_market_indices", outlets=[INDICES])
    fetched >> saved >> verify(work, "indices")
