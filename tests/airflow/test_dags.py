"""What Airflow knows when it has read the bundle."""

from __future__ import annotations

import json
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import pytest

import gotgan.dags
from gotgan.schedule import MANUAL_DAGS, jobs
from tests.airflow.servers import Airflow

COLLECTION = "daily_collection_dag"
TRIGGER = "airflow.providers.standard.operators.trigger_dagrun"
WATCH_IMPORTS = Path(__file__).parents[1] / "house" / "watch_imports.py"
DRAWN = """
import json
from airflow.sdk import TaskGroup
from gotgan.dags.every import all_dags
from gotgan.settings import Settings

def groups(dag):
    children = dag.task_group.children.values()
    return {each.group_id: [*each.children] for each in children if isinstance(each, TaskGroup)}

dags = all_dags(Settings.from_env())
def schedule(dag):
    if dag.schedule is None:
        return ["by hand", None]
    return [dag.schedule.expression, str(dag.schedule.timezone)]

schedules = {dag.dag_id: schedule(dag) for dag in dags}
print(json.dumps({"schedules": schedules, "groups": {dag.dag_id: groups(dag) for dag in dags}}))
"""
"""What the files of the DAGs make, as the program sees it that reads them."""


def _dags(airflow: Airflow) -> dict[str, dict[str, Any]]:
    return {dag["dag_id"]: dag for dag in airflow.ask("dags")["dags"]}


def _tasks(airflow: Airflow, dag_id: str) -> dict[str, dict[str, Any]]:
    return {task["task_id"]: task for task in airflow.ask(f"dags/{dag_id}/tasks")["tasks"]}


def test_no_dag_file_fails_and_every_job_has_its_dag(airflow: Airflow) -> None:
    assert airflow.ask("importErrors")["import_errors"] == []
    assert set(_dags(airflow)) == {job.dag_id for job in jobs()} | set(MANUAL_DAGS)


@pytest.mark.parametrize("job", jobs(), ids=lambda job: job.name)
def test_a_job_comes_round_when_the_timetable_says(airflow: Airflow, job: Any) -> None:
    assert _dags(airflow)[job.dag_id]["timetable_summary"] == job.cron


def test_the_schedule_prints_what_the_dag_files_contain(airflow: Airflow) -> None:
    drawn = json.loads(airflow.command("-c", DRAWN))["schedules"]
    printed = json.loads(airflow.command("-m", "gotgan", "schedule", "--airflow", "--json"))
    listed = {each["dag"]: [each["cron"], each["zone"]] for each in printed["items"]}
    by_hand = {dag: ["by hand", None] for dag in printed["manualDags"]}
    assert listed | by_hand == drawn
    assert len(listed) == len(printed["items"])
    assert drawn["technical_indicator_dag"] == ["0 18-23 * * 1-5", "Asia/Seoul"]


def test_the_last_task_of_the_collection_starts_the_indicators(airflow: Airflow) -> None:
    tasks = _tasks(airflow, COLLECTION)
    for verify in ("verify_stock_prices", "verify_market_indices"):
        assert tasks[verify]["downstream_task_ids"] == ["both_sides_succeeded"]
    assert tasks["both_sides_succeeded"]["downstream_task_ids"] == ["start_indicators"]
    assert tasks["start_indicators"]["downstream_task_ids"] == ["let_go_of_day"]


def test_the_tasks_have_the_names_of_the_document(airflow: Airflow) -> None:
    tasks = _tasks(airflow, COLLECTION)
    for steps in (
        ["fetch_stock_prices", "save_stock_prices", "verify_stock_prices"],
        ["fetch_market_indices", "save_market_indices", "verify_market_indices"],
    ):
        followed = [tasks[step]["downstream_task_ids"] for step in steps]
        assert followed == [[steps[1]], [steps[2]], ["both_sides_succeeded"]]
    assert {"calculate_indicators", "save_indicators", "verify_indicators"} < set(
        _tasks(airflow, "technical_indicator_dag")
    )


def test_the_zone_of_the_settings_reaches_the_dags_and_sides_are_groups(airflow: Airflow) -> None:
    drawn = json.loads(airflow.command("-c", DRAWN, GOTGAN_ZONE="UTC"))
    zones = {dag_id: zone for dag_id, (_, zone) in drawn["schedules"].items()}
    assert zones.pop("manual_collection_dag") is None
    assert set(zones.values()) == {"UTC"}
    assert drawn["groups"]["daily_collection_dag"] == {
        "price_task_group": ["fetch_stock_prices", "save_stock_prices", "verify_stock_prices"],
        "indices_task_group": [
            "fetch_market_indices",
            "save_market_indices",
            "verify_market_indices",
        ],
    }


def test_the_day_is_opened_at_four_in_seoul(airflow: Airflow) -> None:
    due = _dags(airflow)["generate_daily_collection_dag"]["next_dagrun_run_after"]
    assert datetime.fromisoformat(due).astimezone(UTC).hour == 7


def test_nothing_happens_when_the_modules_of_the_dags_are_imported(airflow: Airflow) -> None:
    ours = [f"gotgan.dags.{path.stem}" for path in Path(gotgan.dags.__path__[0]).glob("[a-z]*.py")]
    # What Airflow does when it is loaded is not ours to answer for.
    theirs = ["airflow.sdk", "airflow.dag_processing.bundles.base", TRIGGER]
    seen = json.loads(airflow.command(str(WATCH_IMPORTS), *theirs, *ours).splitlines()[-1])
    assert "gotgan.dags.every" in ours
    assert [deed for deed in seen if deed[0] in ours] == []
