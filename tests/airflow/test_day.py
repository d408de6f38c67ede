"""A day under Airflow, in the words of its document."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from datetime import date, datetime
from typing import Any
from zoneinfo import ZoneInfo

import pytest

from gotgan.app import App
from gotgan.domains.market.keys import COLLECTION_LOG, INDICATOR_LOG
from gotgan.world.faults import FaultKind
from gotgan.world.market.site import DATA, KRX
from gotgan.world.server import ServedWorld
from tests.airflow.days import Days, an_hour_passes, collected_days, row_of
from tests.airflow.servers import Airflow

COLLECTION, INDICATORS = "daily_collection_dag", "technical_indicator_dag"
OPENING, BY_HAND = "generate_daily_collection_dag", "manual_collection_dag"
PRICES = ("fetch_stock_prices", "save_stock_prices", "verify_stock_prices")
INDICES = ("fetch_market_indices", "save_market_indices", "verify_market_indices")


@pytest.fixture(scope="module")
def days(app: App) -> Days:
    return collected_days(app)


@pytest.fixture(scope="module", autouse=True)
def _running(airflow: Airflow, app: App, days: Days) -> None:
    """Switch the DAGs on when the day of the last tick is there, so that they leave it alone."""
    assert row_of(app, INDICATOR_LOG, days.elsewhere) is None
    for dag_id in (OPENING, COLLECTION, INDICATORS, BY_HAND):
        airflow.unpause(dag_id)


@contextmanager
def _misbehaving(world: ServedWorld, fault: FaultKind) -> Iterator[None]:
    world.world.fail(KRX, DATA, fault)
    yield
    world.world.heal()


def _collected(airflow: Airflow, **day: Any) -> tuple[str, Mapping[str, str]]:
    """How a run of a day ended, and its tasks."""
    run = airflow.trigger(COLLECTION, **day)
    return airflow.ended(COLLECTION, run), airflow.states(COLLECTION, run)


def _indicator_runs(airflow: Airflow, day: date) -> list[dict[str, Any]]:
    return [run for run in airflow.runs(INDICATORS) if str(day) in _keys(run)]


def _keys(run: dict[str, Any]) -> tuple[str | None, ...]:
    return run["partition_key"], run["conf"].get("target_date")


def _calculated(airflow: Airflow, day: date) -> dict[str, Any]:
    """The run that calculated a day, when it has ended well."""
    run: dict[str, Any]
    [run] = airflow.wait_for(lambda: _indicator_runs(airflow, day), f"a run for {day}")
    assert airflow.ended(INDICATORS, run["dag_run_id"]) == "success"
    states = airflow.states(INDICATORS, run["dag_run_id"])
    steps = ("calculate_indicators", "save_indicators", "verify_indicators")
    assert [states[step] for step in steps] == ["success"] * 3
    return run


def test_a_day_is_opened_by_its_pending_row(airflow: Airflow, app: App, days: Days) -> None:
    run = airflow.trigger(OPENING, partition_key=str(days.unopened))
    assert airflow.ended(OPENING, run) == "success"
    log = row_of(app, COLLECTION_LOG, days.unopened)
    assert log is not None
    assert {log[f"{part}_status"] for part in ("price", "indices", "overall")} == {"pending"}


def test_a_side_that_failed_runs_again_alone_and_both_together_start_the_indicators(
    airflow: Airflow, app: App, days: Days, world: ServedWorld
) -> None:
    with _misbehaving(world, FaultKind.HALF):
        state, tasks = _collected(airflow, partition_key=str(days.failing))
    assert state == "failed"
    assert [tasks[name] for name in PRICES] == ["failed", "upstream_failed", "upstream_failed"]
    assert [tasks[name] for name in INDICES] == ["success"] * 3
    log = row_of(app, COLLECTION_LOG, days.failing)
    assert log is not None
    assert (log["price_status"], log["price_retry_count"]) == ("failed", 1)
    assert (log["indices_status"], log["overall_status"]) == ("success", "partial")
    assert app.database.leases.held(f"market:{days.failing}") is None
    assert tasks["start_indicators"] == "upstream_failed"
    assert _indicator_runs(airflow, days.failing) == []

    an_hour_passes(app, days.failing)
    state, tasks = _collected(airflow, conf={"target_date": str(days.failing)})
    assert state == "success"
    assert [tasks[name] for name in PRICES] == ["success"] * 3
    assert [tasks[name] for name in INDICES] == ["skipped"] * 3
    log = row_of(app, COLLECTION_LOG, days.failing)
    assert log is not None
    assert (log["price_status"], log["price_retry_count"]) == ("success", 1)
    assert (log["overall_status"], log["price_count"]) == ("success", 60)

    run = _calculated(airflow, days.failing)
    assert (run["run_type"], run["conf"]) == (
        "operator_triggered",
        {"target_date": str(days.failing)},
    )
    log = row_of(app, INDICATOR_LOG, days.failing)
    assert log is not None
    assert log["status"] == "success"
    assert log["indicators_count"] > 0


def test_the_run_of_a_tick_has_the_day_as_its_key_and_skips_what_is_there(
    airflow: Airflow, app: App
) -> None:
    run = airflow.scheduled(COLLECTION)
    due = datetime.fromisoformat(run["run_after"]).astimezone(ZoneInfo(app.settings.zone))
    assert run["partition_key"] == str(due.date())
    tasks = airflow.states(COLLECTION, run["dag_run_id"])
    assert run["state"] == "success"
    assert {tasks[name] for name in (*PRICES, *INDICES)} == {"skipped"}
    log = airflow.log(COLLECTION, run["dag_run_id"], "should_run_today_collection")
    assert "airflow.gate status=skipped" in log


def test_the_hourly_run_calculates_a_day_that_was_collected_elsewhere(
    airflow: Airflow, app: App, days: Days
) -> None:
    airflow.trigger(INDICATORS, partition_key=str(days.elsewhere))
    _calculated(airflow, days.elsewhere)
    log = row_of(app, INDICATOR_LOG, days.elsewhere)
    assert log is not None
    assert log["status"] == "success"


def test_a_day_without_trade_is_taken_back_and_fails_nothing(
    airflow: Airflow, app: App, days: Days, world: ServedWorld
) -> None:
    with _misbehaving(world, FaultKind.HOLIDAY):
        state, tasks = _collected(airflow, conf={"target_date": str(days.empty)})
    assert state == "success"
    assert {tasks[name] for name in (*PRICES, *INDICES, "start_indicators")} == {"skipped"}
    assert row_of(app, COLLECTION_LOG, days.empty) is None
    assert not app.market.calendar().is_session(days.empty)


def test_days_are_made_up_for_by_hand(airflow: Airflow, app: App, days: Days) -> None:
    span = {"first": str(days.forgotten), "last": str(days.forgotten)}
    run = airflow.trigger(BY_HAND, conf=span)
    assert airflow.ended(BY_HAND, run) == "success"
    log = row_of(app, COLLECTION_LOG, days.forgotten)
    assert log is not None
    assert log["overall_status"] == "success"
    assert row_of(app, INDICATOR_LOG, days.forgotten) is not None
