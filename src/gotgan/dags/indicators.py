"""The DAG of a day's indicators: the gate, and the steps behind it.

It runs every hour from 18:00 on, and ``daily_collection_dag`` starts it as well as soon as both
sides of a day are there. Either way the gate decides: it refuses before 18:00, before both sides
are a success, and once the day is calculated.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from typing import Any

from airflow.sdk import DAG, task
from airflow.sdk.exceptions import AirflowSkipException

from gotgan.dags.drawing import by_day, drawn, job_named, opened
from gotgan.dags.ending import noted
from gotgan.dags.gates import taken
from gotgan.dags.handing import indication_of
from gotgan.domains.market.indicating import Indicating, IndicatorWork
from gotgan.errors import GotganError, LostRace
from gotgan.settings import Settings

__all__ = [
    "calculate_indicators",
    "let_go_of_indicators",
    "save_indicators",
    "should_run_indicator_calculation",
    "technical_indicator",
    "verify_indicators",
]

_Plain = Mapping[str, Any]


def technical_indicator(settings: Settings) -> DAG:
    """Gate, then calculate, save and verify; the lease goes back in any case."""
    job = job_named("market.indicators")
    with drawn(job.dag_id, job.words, by_day(job, settings)) as dag:
        work = should_run_indicator_calculation()
        steps = calculate_indicators(work) >> save_indicators(work) >> verify_indicators(work)
        steps >> let_go_of_indicators(work).as_teardown(setups=work)
    return dag


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
        count = indicating.verify_day(work)
    if not count:
        raise AirflowSkipException(f"not enough history for indicators of {work.day}")
    return count


@task
def let_go_of_indicators(plain: _Plain | None) -> None:
    """Give the lease back, however the steps ended; there is none where the gate stayed shut."""
    if plain is not None:
        with opened() as app:
            app.market.indicating.end(indication_of(plain))


@contextmanager
def _step(plain: _Plain) -> Iterator[tuple[Indicating, IndicatorWork]]:
    """One step: what goes wrong in it is written down before the task fails."""
    work = indication_of(plain)
    with opened() as app:
        indicating = app.market.indicating
        with noted(lambda error: _note(indicating, work, error)):
            yield indicating, work


def _note(indicating: Indicating, work: IndicatorWork, error: GotganError) -> None:
    if not isinstance(error, LostRace):
        indicating.fail(work, error)
