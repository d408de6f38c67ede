"""``gotgan market adopt`` and ``gotgan videos adopt`` on tables of another program."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from gotgan.cli import main
from gotgan.cli.output import ExitCode
from gotgan.settings import Settings
from tests.sql.foreign import ANALYSIS, LOGS, create, run

Capture = pytest.CaptureFixture[str]


@pytest.fixture
def settings(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Settings:
    monkeypatch.setenv("GOTGAN_DATA", str(tmp_path))
    return Settings(data=tmp_path)


def test_the_first_call_says_what_was_added_and_the_second_that_nothing_was(
    settings: Settings, capsys: Capture
) -> None:
    create(settings, LOGS)
    run(
        settings,
        "INSERT INTO collection_log (date, collection_date) VALUES ('2025-10-20', '2025-10-20')",
    )
    assert main(["market", "adopt"]) == ExitCode.OK
    first, second = capsys.readouterr().out.splitlines()
    assert first.startswith("collection_log: 1 rows; added price_attempts, ")
    assert second == "indicator_log: 0 rows; added attempts, attempted_at"
    assert main(["market", "adopt"]) == ExitCode.OK
    assert capsys.readouterr().out == "collection_log: 1 rows; nothing was missing\n"


def test_programs_get_all_tables(settings: Settings, capsys: Capture) -> None:
    create(settings, ANALYSIS)
    run(
        settings,
        "INSERT INTO analysis_jobs (job_id, video_id, status) "
        "VALUES ('a', 'abcdefghijk', 'queued')",
    )
    assert main(["--json", "videos", "adopt"]) == ExitCode.OK
    told = json.loads(capsys.readouterr().out)
    assert (told["queued"], told["left"]) == (0, 1)
    jobs = told["tables"][0]
    assert (jobs["name"], jobs["rows"]) == ("analysis_jobs", 1)
    assert "cache_key" in jobs["columns"]
    assert main(["videos", "adopt"]) == ExitCode.OK
    assert "left 1 open job alone" in capsys.readouterr().out


@pytest.mark.parametrize("command", [["market", "status"], ["market", "adopt"], ["videos", "list"]])
def test_what_cannot_be_used_is_one_sentence(
    settings: Settings, capsys: Capture, command: list[str]
) -> None:
    create(settings, LOGS.replace("price_count INTEGER", "price_count TEXT"))
    assert main(command) == ExitCode.FAILED
    out, err = capsys.readouterr()
    assert out == ""
    assert err.startswith(
        "gotgan: Column price_count of table collection_log has the type TEXT, but"
    )
    assert err.count("\n") == 1


def test_empty_tables_are_said_to_be_empty(settings: Settings, capsys: Capture) -> None:
    assert settings.data.exists()
    for domain in ("market", "videos"):
        assert main([domain, "adopt"]) == ExitCode.OK
        assert capsys.readouterr().out == "All tables are empty.\n"
