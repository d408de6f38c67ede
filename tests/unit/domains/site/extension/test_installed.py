"""The package of docs/site.md, installed: its type is offered everywhere, and leaves no traces."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from gotgan.app import App
from gotgan.settings import Settings
from gotgan.store.engine import connect
from tests.unit.domains.site.extension import installed
from tests.unit.domains.site.extension.packages import documented, gotgan, install, run

CHECKS = sorted(Path(installed.__path__[0]).glob("check_*.py"))
EVENT = ("--title", "Open house", "--author-id", "u001", "--starts-at", "2026-12-01T18:00+09:00")
USE = """
from typing import assert_type

from gotgan.app import App
from my_site import Event, Events

def use(app: App) -> None:
    events = app.site.resource(Events)
    assert_type(events, Events)
    assert_type(events.update("e1", {"seats": 4}), Event)
    assert_type([each.seats for each in events.list()], list[int | None])
    events.update("e1", {"colour": "red"})  # type: ignore[typeddict-unknown-key]
    events.create(title=1)  # type: ignore[arg-type]
"""


@pytest.mark.parametrize("check", CHECKS, ids=lambda path: path.stem)
def test_where_the_package_is_installed(packages: Path, check: Path) -> None:
    done = run(packages, "-m", "pytest", "-q", "-p", "no:cacheprovider", str(check))
    assert done.returncode == 0, done.stdout + done.stderr


def test_the_package_passes_mypy(tmp_path: Path) -> None:
    folder = install(tmp_path, documented(), "events = my_site:Events")
    (folder / "use.py").write_text(USE)
    done = run(folder, "-m", "mypy", "--strict", str(folder / "my_site.py"), str(folder / "use.py"))
    assert done.stdout == "Success: no issues found in 2 source files\n"


# The command line


def _said(packages: Path, data: Path, *words: str) -> Any:
    done = gotgan(packages, data, *words, "--json")
    assert done.returncode == 0, done.stdout + done.stderr
    return json.loads(done.stdout.splitlines()[-1])


def test_the_command_line_has_its_verbs(packages: Path, tmp_path: Path) -> None:
    made = _said(packages, tmp_path, "site", "events", "create", "--id", "e1", *EVENT)
    assert (made["startsAt"], made["isOnline"]) == ("2026-12-01T09:00:00Z", False)
    assert "speakers" not in made
    words = ("--speakers", "Ann", "--speakers", "Bob", "--is-online", "true", "--version", "1")
    _said(packages, tmp_path, "site", "events", "update", "e1", *words)
    kept = _said(packages, tmp_path, "site", "events", "update", "e1", "--seats", "40")
    assert (kept["speakers"], kept["isOnline"], kept["seats"]) == (["Ann", "Bob"], True, 40)
    cleared = ("--speakers", "", "--seats", "", "--is-online", "false")
    left = _said(packages, tmp_path, "site", "events", "update", "e1", *cleared)
    assert ("speakers" in left, "seats" in left, left["isOnline"]) == (False, False, False)
    found = _said(packages, tmp_path, "site", "events", "by-author", "u001")
    assert [each["id"] for each in found["items"]] == ["e1"]
    listed = gotgan(packages, tmp_path, "site", "events", "list").stdout.splitlines()
    assert listed[0].split() == ["id", "title", "authorId", "startsAt", "summary", "CreatedAt"]
    assert listed[1].split()[:3] == ["e1", "Open", "house"]
    help_text = gotgan(packages, tmp_path, "site", "events", "--help").stdout
    assert "Events that the company invites to." in help_text
    assert "Delete an event." in help_text


# The table


def test_an_index_is_added_to_a_table_that_exists(packages: Path, tmp_path: Path) -> None:
    assert gotgan(None, tmp_path, "tables", "create").returncode == 0
    _said(packages, tmp_path, "site", "events", "create", "--id", "e1", *EVENT)
    lacking = gotgan(packages, tmp_path, "site", "events", "by-author", "u001")
    assert lacking.returncode != 0
    assert "Create it" in lacking.stderr
    done = gotgan(packages, tmp_path, "tables", "create", "FMWebAppTable")
    assert "index AuthorId_CreatedAt added" in done.stdout
    found = _said(packages, tmp_path, "site", "events", "by-author", "u001")
    assert [each["id"] for each in found["items"]] == ["e1"]
    assert gotgan(packages, tmp_path, "tables", "verify", "FMWebAppTable").returncode == 0


@pytest.mark.parametrize("form", ["cloudformation", "sam", "iam", "markdown"])
def test_the_outputs_of_tables_have_its_index(packages: Path, tmp_path: Path, form: str) -> None:
    words = ("tables", "export", "FMWebAppTable", "--format", form)
    assert "AuthorId_CreatedAt" in gotgan(packages, tmp_path, *words).stdout


def test_the_template_of_the_site_has_the_type_and_its_index(
    packages: Path, tmp_path: Path
) -> None:
    made = tmp_path / "template.yaml"
    assert gotgan(packages, tmp_path, "site", "template", "-o", str(made)).returncode == 0
    text = made.read_text()
    assert "IndexName: AuthorId_CreatedAt" in text
    assert '"EVENT#*"' in text


def test_the_policy_of_tables_has_the_type(packages: Path, tmp_path: Path) -> None:
    words = ("tables", "export", "FMWebAppTable", "--format", "iam")
    allowed = json.loads(gotgan(packages, tmp_path, *words).stdout)["Statement"]
    keys: dict[str, list[str]] = {
        each["Resource"].rpartition("/")[2]: each["Condition"]["ForAllValues:StringLike"][
            "dynamodb:LeadingKeys"
        ]
        for each in allowed
        if "Condition" in each
    }
    assert "Event" in keys["Type_CreatedAt"]
    assert "EVENT#*" in keys["FMWebAppTable"]


def test_records_stay_when_the_package_is_gone(packages: Path, tmp_path: Path) -> None:
    _said(packages, tmp_path, "site", "events", "create", "--id", "e1", *EVENT)
    assert gotgan(None, tmp_path, "site", "events", "list").returncode == 2
    for words in (("site", "adopt"), ("site", "posts", "list"), ("tables", "create")):
        assert gotgan(None, tmp_path, *words).returncode == 0
    with App.open(Settings(data=tmp_path)) as app:
        app.prepare()
        assert "Event" not in app.site.types.all()
    key = {"PK": {"S": "EVENT#e1"}, "SK": {"S": "METADATA"}}
    with connect(tmp_path / "dynamodb.sqlite3") as client:
        assert client.get_item(TableName="FMWebAppTable", Key=key)["Item"]["title"]["S"]
    assert _said(packages, tmp_path, "site", "events", "get", "e1")["title"] == "Open house"
