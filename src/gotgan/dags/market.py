"""The DAGs of the market: open a day, collect it, calculate its indicators, recover a span of days.

Each task opens the app, does one step under the lease, and closes it. Tasks hand on the work that
the gate claimed; the data stays in the database.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from typing import Any, Final

from airflow.providers.standard.operators.trigger_dagrun import TriggerDagRunOperator
from airflow.sdk import DAG, Asset, Param, get_current_context, task, task_group
from airflow.sdk.exceptions import AirflowFailException, AirflowSkipException

from gotgan.dags.base import (
    begin_work,
    daily_timetable,
    find_job,
    is_gate_open,
    make_dag,
    open_app,
    record_failure,
    run_day,
)
from gotgan.dags.payloads import TARGET, collection_work, indicator_work, parse_date
from gotgan.domains.market import messages
from gotgan.domains.market.collector import CollectionWork, MarketCollector
from gotgan.domains.market.days import DaySpan
from gotgan.domains.market.indicator_run import IndicatorRun, IndicatorWork, not_enough_history
from gotgan.domains.market.models import Side
from gotgan.errors import GotganError, LostRace
from gotgan.events import emit
from gotgan.settings import Settings

PRICES: Final = Asset(name="gotgan_stock_prices", uri="gotgan://market/stock_prices")
INDICES: Final = Asset(name="gotgan_market_indices", uri="gotgan://market/market_indices")


_ASSETS: Final[Mapping[Side, Asset]] = {"prices": PRICES, "indices": INDICES}
_Payload = Mapping[str, Any]


@task
def open_day() -> str:
    """Write the pending row of the day, if shares are traded on it."""
    with open_app() as app:
        ready = app.market.is_ready()
        if not is_gate_open(ready):
            raise AirflowSkipException(ready.words)
        report = app.market.open_day(run_day(app))
    emit("market.opened", day=str(report.day), outcome=report.outcome, words=report.words)
    return report.outcome


@task.short_circuit
def should_run_today_collection() -> dict[str, Any] | None:
    """Claim the day and count the attempt, or log why not."""
    with open_app() as app:
        return begin_work(app, app.market.collector.begin)


@task
def fetch_side(plain: _Payload, side: Side) -> int:
    """Fetch one side, if it is to be run, and store what was received."""
    if side not in collection_work(plain).sides:
        raise AirflowSkipException(f"already stored: {side}")
    with _collection_step(plain, side) as (collecting, work):
        return collecting.fetch(work, side).count


@task
def save_side(plain: _Payload, side: Side) -> None:
    """Write what was fetched, in one transaction."""
    with _collection_step(plain, side) as (collecting, work):
        collecting.save(work, side)


@task
def verify_side(plain: _Payload, side: Side) -> int:
    """Read back what was written, and update the asset of that side."""
    with _collection_step(plain, side) as (collecting, work):
        count = collecting.verify(work, side)
    # A manual run has no partition key, so the day is always given here.
    get_current_context()["outlet_events"][_ASSETS[side]].add_partitions(work.day.isoformat())
    return count


@task.short_circuit(trigger_rule="none_failed")
def both_sides_succeeded() -> str | None:
    """The day, if both sides are a success; a side that was there already is skipped.

    It does not take the work of the gate: a task directly after a set-up cannot survive a skip.
    """
    with open_app() as app:
        day = run_day(app)
        [status] = app.market.status_between(day, day)
    is_whole = status.log is not None and status.log.overall_status == "success"
    return day.isoformat() if is_whole else None


@task
def let_go_of_day(plain: _Payload | None) -> None:
    """Release the lease, however the steps ended; there is none if the gate was closed."""
    if plain is not None:
        with open_app() as app:
            app.market.collector.end(collection_work(plain))


@contextmanager
def _collection_step(
    plain: _Payload, side: Side
) -> Iterator[tuple[MarketCollector, CollectionWork]]:
    """One step of one side; an error is recorded before the task fails."""
    work = collection_work(plain)
    with open_app() as app:
        collecting = app.market.collector
        with record_failure(
            lambda error: _record_collection_failure(collecting, work, side, error)
        ):
            yield collecting, work


def _record_collection_failure(
    collecting: MarketCollector, work: CollectionWork, side: Side, error: GotganError
) -> None:
    """A day without trade is closed; a lost lease is left to its new owner."""
    if collecting.closes(work, error):
        collecting.close(work, error.message)
        raise AirflowSkipException(messages.CLOSED(day=work.day, why=error.message)) from error
    if not isinstance(error, LostRace):
        collecting.fail(work, side, error)


def generate_daily_collection_dag(settings: Settings) -> DAG:
    """Opens the day: a partition and a pending row."""
    job = find_job("market.open_day")
    with make_dag(job.dag_id, job.words, daily_timetable(job, settings)) as dag:
        open_day()
    return dag


def daily_collection_dag(settings: Settings) -> DAG:
    """Gate, then fetch, save and verify for each side; then the indicators are started.

    The last task starts ``technical_indicator_dag`` when both sides are a success, whichever of
    them ran now. The gate is the set-up of the run, releasing the lease its tear-down: clearing a
    task asks the gate again, and a failed side fails the run.
    """
    job = find_job("market.collect")
    # The exchange allows one session: two tasks at once would log each other out.
    with make_dag(job.dag_id, job.words, daily_timetable(job, settings), max_active_tasks=1) as dag:
        work = should_run_today_collection()
        groups = [_price_task_group(work), _indices_task_group(work)]
        day = both_sides_succeeded()
        start_indicators = TriggerDagRunOperator(
            task_id="start_indicators",
            trigger_dag_id=find_job("market.indicators").dag_id,
            conf={TARGET: day},
        )
        let_go = let_go_of_day(work).as_teardown(setups=work)
        groups >> day >> start_indicators >> let_go
    return dag


@task_group(group_id="price_task_group", prefix_group_id=False)
def _price_task_group(work: Any) -> None:
    fetched = fetch_side.override(task_id="fetch_stock_prices")(work, "prices")
    saved = save_side.override(task_id="save_stock_prices")(work, "prices")
    verify = verify_side.override(task_id="verify_stock_prices", outlets=[PRICES])
    fetched >> saved >> verify(work, "prices")


@task_group(group_id="indices_task_group", prefix_group_id=False)
def _indices_task_group(work: Any) -> None:
    fetched = fetch_side.override(task_id="fetch_market_indices")(work, "indices")
    saved = save_side.override(task_id="save_market_indices")(work, "indices")
    verify = verify_side.override(task_id="verify_market_indices", outlets=[INDICES])
    fetched >> saved >> verify(work, "indices")


def technical_indicator_dag(settings: Settings) -> DAG:
    """Gate, then calculate, save and verify; the lease is released in any case.

    It runs every hour from 18:00 on, and ``daily_collection_dag`` starts it as well. The gate
    refuses before 18:00, before both sides are a success, and once the day is calculated.
    """
    job = find_job("market.indicators")
    with make_dag(job.dag_id, job.words, daily_timetable(job, settings)) as dag:
        work = should_run_indicator_calculation()
        steps = calculate_indicators(work) >> save_indicators(work) >> verify_indicators(work)
        steps >> let_go_of_indicators(work).as_teardown(setups=work)
    return dag


@task.short_circuit
def should_run_indicator_calculation() -> dict[str, Any] | None:
    """Claim the day and count the attempt, or log why not."""
    with open_app() as app:
        return begin_work(app, app.market.indicator_run.begin)


@task
def calculate_indicators(plain: _Payload) -> int:
    """Check that the day can be calculated; nothing is written yet."""
    with _indicator_step(plain) as (indicating, work):
        return len(indicating.calculate(work).of_day)


@task
def save_indicators(plain: _Payload) -> None:
    """Calculate in this process, and write it, whole shares at a time."""
    with _indicator_step(plain) as (indicating, work):
        indicating.save(work, indicating.calculate(work))


@task
def verify_indicators(plain: _Payload) -> int:
    """Read back what was written; only this makes the day a success."""
    with _indicator_step(plain) as (indicating, work):
        count = indicating.verify_day(work)
    if not count:
        raise AirflowSkipException(not_enough_history(work.day))
    return count


@task
def let_go_of_indicators(plain: _Payload | None) -> None:
    """Release the lease, however the steps ended; there is none if the gate was closed."""
    if plain is not None:
        with open_app() as app:
            app.market.indicator_run.end(indicator_work(plain))


@contextmanager
def _indicator_step(plain: _Payload) -> Iterator[tuple[IndicatorRun, IndicatorWork]]:
    """One step; an error is recorded before the task fails."""
    work = indicator_work(plain)
    with open_app() as app:
        indicating = app.market.indicator_run
        with record_failure(lambda error: _record_indicator_failure(indicating, work, error)):
            yield indicating, work


def _record_indicator_failure(
    indicating: IndicatorRun, work: IndicatorWork, error: GotganError
) -> None:
    if not isinstance(error, LostRace):
        indicating.fail(work, error)


_RECOVERY_DESCRIPTION: Final = (
    "Collects what is missing of a span of days, and calculates what follows from it."
)
_DATE_PARAM: Final = {"type": "string", "format": "date"}


def manual_collection_dag() -> DAG:
    """Started by hand, with the first and the last day, and optionally one side."""
    params = {
        "first": Param(**_DATE_PARAM, description="The first day, such as 2025-10-20."),
        "last": Param(**_DATE_PARAM, description="The last day; it is included."),
        "only": Param(
            None, enum=[None, "prices", "indices"], description="A side, where the other can wait."
        ),
    }
    with make_dag("manual_collection_dag", _RECOVERY_DESCRIPTION, None, params=params) as dag:
        recover_days()
    return dag


@task(retries=0)  # another run of the same span resumes it
def recover_days() -> dict[str, int]:
    """Recover the span; each day, and what is still missing, is in the log."""
    params = get_current_context()["params"]
    first, last = parse_date(params["first"]), parse_date(params["last"])
    with open_app() as app:
        report = app.market.recover(
            DaySpan(first, last), only=params["only"], progress=_emit_progress
        )
    for day in report.days:
        emit("market.recovered", day=str(day.day), outcome=day.outcome, words=day.words)
    emit("market.recovered", days=len(report.days), duplicates=report.duplicates)
    missing = [*map(str, report.gaps.missing)]
    emit("market.gaps", first=str(first), last=str(last), missing=missing)
    if report.stopped is not None:
        raise AirflowFailException(messages.STOPPED(why=report.stopped))
    if failed := [day for day in report.days if day.outcome in {"failed", "partial"}]:
        raise AirflowFailException(f"{len(failed)} of {len(report.days)} days failed")
    return Counter(day.outcome for day in report.days)


def _emit_progress(done: int, total: int, last: str, /, **_figures: float) -> None:
    emit("market.recovering", done=done, total=total, what=last)
