"""``gotgan schedule`` and ``gotgan ticks`` show the jobs that ``gotgan up`` runs."""

from __future__ import annotations

import json
from collections.abc import Callable
from datetime import UTC, datetime, timedelta
from functools import partial
from pathlib import Path

import pytest

from gotgan.cli import main
from gotgan.cli.output import ExitCode
from gotgan.domain import GO, SimpleDecision
from gotgan.schedule import Tick, jobs
from gotgan.scheduler import DueJob, Ticks
from gotgan.settings import Settings
from gotgan.sql import Database
from tests.unit.cli.test_up import running, signed_in

Capture = pytest.CaptureFixture[str]
Run = Callable[..., tuple[int, str]]

AT = datetime(2025, 10, 20, 8, tzinfo=UTC)  # 17:00 in Seoul
DONE = SimpleDecision("skipped", "already_success", "prices and indices of 2025-10-20 are there")


@pytest.fixture
def run(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: Capture) -> Run:
    monkeypatch.setenv("GOTGAN_DATA", str(tmp_path))

    def run(*words: str, command: str = "schedule") -> tuple[int, str]:
        return main([command, *words]), capsys.readouterr().out

    return run


def ticks_of(folder: Path) -> list[Tick]:
    """What is written down in a data folder."""
    database = Database.open(Settings(data=folder))
    try:
        return Ticks(database).history()
    finally:
        database.close()


def test_every_job_is_shown_with_its_next_time_though_nothing_is_there_yet(run: Run) -> None:
    code, said = run("--json")
    items = json.loads(said)["items"]
    assert code == ExitCode.OK
    assert [job["name"] for job in items] == [job.name for job in jobs()]
    assert {job["last"] for job in items} == {None}
    for job in items:
        assert datetime.fromisoformat(job["next"]) == datetime.fromisoformat(job["nextLocal"])
        assert job["nextLocal"].endswith("+09:00")


def test_the_last_tick_says_why_it_was_skipped(run: Run, tmp_path: Path) -> None:
    run()
    database = Database.open(Settings(data=tmp_path))
    collect = next(job for job in jobs() if job.name == "market.collect")
    Ticks(database).claim(DueJob(collect, AT), DONE, AT)
    database.close()
    shown = run()[1]
    assert (
        "  last  Mon 2025-10-20 17:00 KST (2025-10-20T08:00Z), skipped: already_success: "
        "prices and indices of 2025-10-20 are there\n"
    ) in shown
    items = json.loads(run("--json")[1])["items"]
    told = next(item["last"] for item in items if item["name"] == "market.collect")
    assert (told["at"], told["reason"]) == ("2025-10-20T08:00:00Z", "already_success")


def test_a_tick_that_ended_later_says_when(run: Run, tmp_path: Path) -> None:
    run()
    database = Database.open(Settings(data=tmp_path))
    collect = next(job for job in jobs() if job.name == "market.collect")
    tick = Ticks(database).claim(DueJob(collect, AT), GO, AT)
    assert tick is not None
    assert "(2025-10-20T08:00Z), running\n" in run()[1]
    *_, row = run(command="ticks")[1].splitlines()
    assert row == "2025-10-20 17:00 KST  market.collect  running"
    later = AT + timedelta(minutes=5)
    Ticks(database).end(tick, status="failed", finished_at=later, error="KRX is silent")
    database.close()
    told = "(2025-10-20T08:00Z), ended Mon 2025-10-20 17:05, failed: KRX is silent\n"
    assert told in run()[1]


def test_a_timetable_in_utc_says_each_time_once(run: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("GOTGAN_ZONE", "UTC")
    shown = run()[1]
    assert "market.open_day: At 16:00, Monday to Friday (UTC)\n" in shown
    assert "16:00 UTC\n" in shown
    assert "Z)" not in shown


def test_airflow_has_a_dag_for_every_job_and_one_by_hand(run: Run) -> None:
    _, *lines = run("--airflow")[1].splitlines()
    assert len(lines) == len(jobs()) + 1
    shown = [line.split("  ") for line in lines]
    dags = {dag: [part.strip() for part in rest if part] for dag, *rest in shown}
    assert dags["daily_collection_dag"] == ["0 16-23 * * 1-5", "Asia/Seoul", "market.collect"]
    assert dags["gotgan_news_collect"] == ["*/30 * * * *", "Asia/Seoul", "news.collect"]
    assert dags["manual_collection_dag"] == ["manual", "market.recover"]
    told = json.loads(run("--airflow", "--json")[1])
    assert told == json.loads(run("--json")[1])
    assert {job["dag"] for job in told["items"]} | told["manualDags"].keys() == dags.keys()


def test_a_server_goes_by_the_timetable_and_says_what_is_not_set(tmp_path: Path) -> None:
    reasons: dict[str, tuple[str, str | None]] = {}
    with running(tmp_path):
        while len(reasons) < len(jobs()):
            reasons = {tick.job: (tick.status, tick.reason) for tick in ticks_of(tmp_path)}
    assert reasons["market.collect"] == ("skipped", "no_provider")
    assert reasons["news.collect"] == ("skipped", "no_contact")
    assert reasons["shops.crawl"] == ("skipped", "no_contact")
    assert reasons["shops.deliver"] == ("skipped", "no_webhook")
    assert reasons["site.send_mails"] == ("skipped", "no_mail_server")
    assert reasons["videos.purge"] == ("skipped", "none_expired")
    assert reasons["backup"] == ("skipped", "no_backup")


def test_a_server_makes_the_daily_backup(tmp_path: Path) -> None:
    made = Settings(data=tmp_path / "data", backup=tmp_path / "backups")
    made.folder()
    with running(made.data, GOTGAN_BACKUP=str(made.backup)):
        done: list[Tick] = []
        while not done:
            ticks = ticks_of(made.data)
            done = [each for each in ticks if each.job == "backup" and each.status != "running"]
    [backup] = (tmp_path / "backups").glob("*.zip")
    assert (done[0].status, done[0].error) == ("done", None)
    assert done[0].words == f"backup {backup.name}: {backup.stat().st_size:,} bytes"


def test_a_server_can_be_told_to_leave_the_timetable_alone(tmp_path: Path) -> None:
    with running(tmp_path, "--no-schedule") as (_process, said), signed_in(said) as browser:
        assert browser.get("/schedule").status_code == 200
    assert ticks_of(tmp_path) == []


def test_ticks_are_shown_and_chosen_by_job_and_status(run: Run, tmp_path: Path) -> None:
    ticks = partial(run, command="ticks")
    run()
    assert ticks()[1] == "No job has run yet. gotgan up runs them.\n"
    assert ticks("--status", "failed")[1] == "No matching results.\n"
    database = Database.open(Settings(data=tmp_path))
    for job in jobs()[:6]:
        Ticks(database).claim(DueJob(job, AT), DONE, AT)
    broken = SimpleDecision("failed", "database_unavailable", "it does not answer")
    Ticks(database).claim(DueJob(jobs()[0], AT + timedelta(hours=1)), broken, AT)
    database.close()
    every = json.loads(ticks("--json")[1])["items"]
    assert [tick["at"] for tick in every[:2]] == ["2025-10-20T09:00:00Z", "2025-10-20T08:00:00Z"]
    assert len(every) == 7
    assert len(json.loads(ticks("--limit", "3", "--json")[1])["items"]) == 3
    [chosen] = json.loads(ticks("--job", "news.bodies", "--json")[1])["items"]
    assert (chosen["job"], chosen["reason"]) == ("news.bodies", "already_success")
    shown = ticks("--status", "failed")[1]
    assert "it does not answer" in shown
    assert "already_success" not in shown


def test_a_job_that_there_is_not_is_a_mistake_of_the_caller(run: Run) -> None:
    assert run("--job", "nobody", command="ticks")[0] == ExitCode.USAGE
