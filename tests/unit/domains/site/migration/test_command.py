"""``gotgan site migrate``, on the embedded engine and over HTTP with boto3."""

from __future__ import annotations

import json
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import pytest

from gotgan.cli.commands import main
from gotgan.domains.site.migration import migrate
from gotgan.settings import Settings
from gotgan.store import Store
from gotgan.store.engine import Engine
from gotgan.store.engine.http import background_server
from tests.unit.domains.site.migration import old_tables
from tests.unit.domains.site.migration.site_state import posts_of, settled

TABLES = [word for kind, name in old_tables.NAMES.items() for word in (f"--{kind}", name)]
SITE = old_tables.make(2, count=60)


@pytest.fixture
def data(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A data folder with the embedded engine, and old tables in it."""
    monkeypatch.setenv("GOTGAN_DATA", str(tmp_path))
    monkeypatch.delenv("GOTGAN_DYNAMODB", raising=False)
    with Store.open(Settings.from_env()) as store:
        old_tables.tables(store, SITE)
    return tmp_path


def _say(capsys: pytest.CaptureFixture[str], *words: str) -> tuple[int, dict[str, Any]]:
    code = main(["site", "migrate", *words, "--json"])
    out, err = capsys.readouterr()
    said: dict[str, Any] = json.loads(out or err)
    return code, said


@contextmanager
def _opened() -> Iterator[Store]:
    with Store.open(Settings.from_env()) as store:
        yield store


@pytest.mark.usefixtures("data")
def test_a_person_is_told_what_was_done(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["site", "migrate", *TABLES]) == 0
    told, _ = capsys.readouterr()
    assert "posts: 60 read, 60 copied, 2 orphaned" in told
    assert "2 × orphaned: " in told
    assert "rows/s" in told
    assert "units" not in told
    assert "Post: 60 rows, 60 found: 60 equal; checksums" in told
    assert main(["site", "migrate", *TABLES, "--no-verify"]) == 0
    told, _ = capsys.readouterr()
    assert "Not verified by this run; one last passed at 2" in told
    assert main(["site", "migrate", *TABLES, "--verify"]) == 0
    told, _ = capsys.readouterr()
    assert "Post: 60 rows, 60 found: 60 equal; checksums" in told


@pytest.mark.usefixtures("data")
def test_dry_run_copy_delta_verify_and_retire(capsys: pytest.CaptureFixture[str]) -> None:
    code, dry = _say(capsys, *TABLES, "--dry-run")
    assert (code, dry["copied"], dry["dry_run"]) == (0, 60 + 4 + 1 + 15, True)
    code, wet = _say(capsys, *TABLES, "--corp-name", "패밀리")
    assert (code, wet["copied"], wet["kinds"]) == (0, dry["copied"], dry["kinds"])
    assert wet["cost"]["writes"] > 0
    assert (dry["verification"], dry["last_verified"]) == (None, None)
    assert wet["verification"]["passed"]
    assert wet["verification"]["types"]["Post"]["equal"] == 60
    assert wet["last_verified"]["rows"]["Post"] == 60
    code, again = _say(capsys, *TABLES, "--since", "2020-01-01")
    assert (again["copied"], again["skipped"]) == (0, again["read"])
    code, verified = _say(capsys, *TABLES, "--verify")
    assert (code, verified["passed"]) == (0, True)
    code, retired = _say(capsys, *TABLES, "--retire", "--yes")
    assert (code, sorted(retired["removed"])) == (0, sorted(old_tables.NAMES.values()))
    code, missing = _say(capsys, *TABLES)
    assert (code, missing["error"]["code"]) == (2, "usage")


@pytest.mark.usefixtures("data")
def test_what_failed_and_what_is_missing_shows_in_the_exit_code(
    capsys: pytest.CaptureFixture[str],
) -> None:
    with _opened() as store:
        old_tables.put(store, "posts", {**SITE.posts[0], "postId": "x" * 101})
    code, said = _say(capsys, *TABLES)
    assert (code, said["failed"]) == (1, 1)
    code, said = _say(capsys, *TABLES, "--verify")
    assert (code, said["passed"]) == (1, False)
    code, said = _say(capsys, *TABLES, "--retire", "--yes")
    assert (code, said["error"]["code"]) == (1, "migration")
    with _opened() as store:
        assert len(store.calls.driver.call("ListTables", {})["TableNames"]) == 5


@pytest.mark.usefixtures("data")
def test_old_tables_are_removed_only_by_somebody_who_says_yes(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    _say(capsys, *TABLES)
    monkeypatch.setattr("click.termui.visible_prompt_func", lambda _prompt: "n")
    code, said = _say(capsys, *TABLES, "--retire")
    assert (code, said["error"]["code"]) == (130, "interrupted")
    with _opened() as store:
        assert len(store.calls.driver.call("ListTables", {})["TableNames"]) == 5


@pytest.mark.usefixtures("data")
@pytest.mark.parametrize(
    ("words", "sentence"),
    [
        ([], "Name at least one"),
        (["--posts", "nowhere.jsonl"], "There is no nowhere.jsonl"),
        (["--posts", "nowhere"], "There is no table nowhere"),
        (["--posts", "fm_posts", "--since", "yesterday"], "'yesterday' is not a date or a time"),
        (["--posts", "fm_posts", "--dry-run", "--verify"], "leave out --dry-run"),
        (["--posts", "fm_posts", "--no-verify", "--retire"], "leave out --no-verify"),
    ],
)
def test_words_that_make_no_sense_are_refused(
    capsys: pytest.CaptureFixture[str], words: list[str], sentence: str
) -> None:
    code, said = _say(capsys, *words)
    assert code == 2
    assert sentence in said["error"]["message"]


def test_the_same_over_http_with_boto3(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setenv("GOTGAN_DATA", str(tmp_path))
    for name in ("AWS_ACCESS_KEY_ID", "AWS_SECRET_ACCESS_KEY", "AWS_DEFAULT_REGION"):
        monkeypatch.setenv(name, "us-east-1")
    with Engine(None) as engine, background_server(engine) as url:
        monkeypatch.setenv("GOTGAN_DYNAMODB", url)
        with _opened() as store:
            old_tables.tables(store, SITE)
        code, said = _say(capsys, *TABLES)
        assert (code, said["copied"]) == (0, 80)
        row = {**SITE.posts[0], "title": "newer", "updatedAt": "2026-11-24T05:00:00Z"}
        with _opened() as store, Store.in_memory() as beside:
            migrated = settled(store)
            migrate(beside, old_tables.tables(beside, SITE))
            assert migrated == settled(beside)
            old_tables.put(store, "posts", row)
        code, said = _say(capsys, *TABLES)
        assert (said["updated"], said["copied"]) == (1, 0)
        code, said = _say(capsys, *TABLES, "--verify")
        assert (code, said["passed"]) == (0, True)
        with _opened() as store:
            assert posts_of(store).get(row["postId"]).title == "newer"
        code, said = _say(capsys, *TABLES, "--retire", "--yes")
        assert code == 0
        assert engine.execute("ListTables", {})["TableNames"] == ["FMWebAppTable"]
