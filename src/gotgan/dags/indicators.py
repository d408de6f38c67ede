"""The DAGs of a day's indicators: one that calculates, and one that looks for days without any.

The first begins when both sides of a day are there. That may be before 18:00, or the day may have
been collected outside Airflow; so the second asks the same gate every hour, and starts the first.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from typing import Any, Final

from airflow.providers.standard.operators.trigger_dagrun import TriggerDagRunOperator
from airflow.sdk import DAG, PartitionedAssetTimetable, task

from gotgan.dags.assets import INDICES, PRICES
from gotgan.dags.days import TARGET
from gotgan.dags.drawing import by_day, drawn, job_named, opened
from gotgan.dags.ending import noted
from gotgan.dags.gates import decided, run_day, taken
from gotgan.dags.handing import indication_of
from gotgan.domains.market.indicating import Indicating, Work
from gotgan.errors import GotganError, LostRace
from gotgan.settings import Settings

__all__ = [
    "SWEEP",
    "calculate_indicators",
    "indicators_are_due",
    "let_go_of_indicators",
    "save_indicators",
    "should_run_indicator_calculation",
    "technical_indicator",
    "technical_indicator_sweep",
    "verify_indicators",
]

SWEEP: Final = "technical_indicator_sweep_dag"
_JOB: Final = "market.indicators"
_Plain = Mapping[str, Any]


def technical_indicator() -> DAG:
    """Gate, then calculate, save and verify, when both sides of a day are there."""
    job, both = job_named(_JOB), PartitionedAssetTimetable(assets=PRICES & INDICES)
    with drawn(job.dag_id, job.words, both) as dag:
        work = should_run_indicator_calculation()
        steps = calculate_indicators(work) >> save_indicators(work) >> verify_indicators(work)
        steps >> let_go_of_indicators(work).as_teardown(setups=work)
    return dag


def technical_indicator_sweep(settings: Settings) -> DAG:
    """Every hour from 18:00 on: a day that is due and that nobody has begun."""
    job = job_named(_JOB)
    words = f"Starts {job.dag_id} for a day that is due, wherever it was collected."
    with drawn(SWEEP, words, by_day(job, settings)) as dag:
        due = indicators_are_due()
        due >> TriggerDagRunOperator(
            task_id="start_indicators",
            trigger_dag_id=job.dag_id,
            conf={TARGET: due},
        )
    return dag


@task.short_circuit
def indicators_are_due() -> str | None:
    """The day, where the gate would let it through now."""
    with opened() as app:
        day = run_day(app)
        return day.isoformat() if decided(app.market.decide_indicators(day)) else None


@task.short_circuit
def should_run_indicator_calculation() -> dict[str, Any] | None:
    """Take the day in hand and count the attempt, or say why not."""
    with opened() as app:
        return taken(app, app.market.indicating.begin)


@task
def calculate_indicators(plain: _Plain) -> int:
    """See that the day can be calculated; nothing is written yet."""
    with _step(plain) as (indicating, work):
        return len(indicating.calculate(work).of_day)


@task
def save_indicators(plain: _Plain) -> None:
    """Calculate in this process, and write it, whole shares at a time."""
    with _step(plain) as (indicating, work):
        indicating.save(work, indicating.calculate(work))


@task
def verify_indicators(plain: _Plain) -> int:
    """Read back what was written; only this makes the day a success."""
    with _step(plain) as (indicating, work):
        return indicating.verify_day(work)


@task
def let_go_of_indicators(plain: _Plain | None) -> None:
    """Give the lease back, however the steps ended; there is none where the gate stayed shut."""
    if plain is not None:
        with opened() as app:
            app.market.indicating.end(indication_of(plain))


@contextmanager
def _step(plain: _Plain) -> Iterator[tuple[Indicating, Work]]:
    """One step: what goes wrong in it is written down before the task fails."""
    work = indication_of(plain)
    with opened() as app:
        indicating = app.market.indicating
        with noted(lambda error: _note(indicating, work, error)):
            yield indicating, work


def _note(indicating: Indicating, work: Work, error: GotganError) -> None:
    if not isinstance(error, LostRace):
        indicating.fail(work, error)
