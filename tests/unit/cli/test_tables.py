"""``gotgan tables list``, ``create``, ``verify`` and ``export``."""

from __future__ import annotations

import json
import re
import subprocess
import sys
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

from gotgan.cli import main
from gotgan.cli.output import ExitCode
from gotgan.cli.tables import table_statuses
from gotgan.errors import StoreUnreachable
from gotgan.store.engine import Engine
from gotgan.store.engine.http import background_server
from tests.unit.store.outputs.templates import complaints

Capture = pytest.CaptureFixture[str]
Ask = Callable[..., list[dict[str, Any]]]

DOMAINS = ["news_bodies", "news_items", "news_sources", "aura-historia-data", "FMWebAppTable"]
OWN = """
from gotgan.store import Entity, Id, Key, Ref, Table, pattern

things = Table("things", pk="pk"{options})
{more}

class Thing(Entity, table=things):
    '''Something.'''
    key = Key("THING#{{id}}")
    id: Id

@pattern
def thing(id: str) -> Ref[Thing]:
    '''One thing.'''
    return Thing.key(id=id)
"""


@pytest.fixture(autouse=True)
def data(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A data folder of the test's own; the test runs beside it."""
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("GOTGAN_DATA", str(tmp_path / "data"))
    monkeypatch.setenv("GOTGAN_SYNCHRONOUS", "normal")
    return tmp_path / "data"


@pytest.fixture
def ask(capsys: Capture) -> Ask:
    """Give ``gotgan tables`` words, and get the objects that it said."""

    def ask(*words: str) -> list[dict[str, Any]]:
        assert main(["tables", *words, "--json"]) == ExitCode.OK
        return [json.loads(line) for line in capsys.readouterr().out.splitlines()]

    return ask


@pytest.fixture
def own(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Callable[..., str]]:
    """Write a module with a table of the user's own; its name is new every time."""
    monkeypatch.setattr(sys, "path", list(sys.path))
    written: list[str] = []

    def write(options: str = "", more: str = "") -> str:
        name = f"own_tables_{tmp_path.name.replace('-', '_')}_{len(written)}"
        (tmp_path / f"{name}.py").write_text(OWN.format(options=options, more=more))
        written.append(name)
        return name

    yield write
    for name in written:
        sys.modules.pop(name, None)


def test_the_tables_of_the_domains_are_listed_with_what_is_declared(ask: Ask) -> None:
    listed = ask("list")
    assert [row["table"] for row in listed] == DOMAINS
    assert {row["status"] for row in listed} == {"missing"}
    assert {row["at"] for row in listed} == {"embedded"}
    assert listed[-1]["indexes"] == ["Type_CreatedAt"]
    assert "Post" in listed[-1]["entities"]
    assert "posts_in" in listed[-1]["patterns"]


def test_the_list_is_a_table_for_people(capsys: Capture) -> None:
    assert main(["tables", "list"]) == ExitCode.OK
    head, *rows = capsys.readouterr().out.splitlines()
    assert head.split() == ["table", "called", "at", "status", "entities", "indexes", "patterns"]
    assert [row.split()[0] for row in rows] == DOMAINS


def test_all_tables_are_made_and_then_left_alone(ask: Ask) -> None:
    assert [row["new"] for row in ask("create")] == [True] * len(DOMAINS)
    assert [row["new"] for row in ask("create")] == [False] * len(DOMAINS)
    assert {row["status"] for row in ask("list")} == {"active"}


def test_a_table_is_made_by_its_name_alone(ask: Ask) -> None:
    [made] = ask("create", "news_items")
    assert (made["table"], made["called"]) == ("news_items", "news_items")
    assert {row["table"] for row in ask("list") if row["status"] == "active"} == {"news_items"}


def test_people_are_told_what_was_done(capsys: Capture) -> None:
    for said in ("FMWebAppTable: created\n", "FMWebAppTable: exists, and fits\n"):
        assert main(["tables", "create", "FMWebAppTable"]) == ExitCode.OK
        assert capsys.readouterr().out == said


def test_tables_are_called_as_the_setting_says(ask: Ask, monkeypatch: pytest.MonkeyPatch) -> None:
    names = "FMWebAppTable=site-prod,aura-historia-data:GSI2=CountryLastCrawledIndex,other=x.y"
    monkeypatch.setenv("GOTGAN_TABLES", names)
    assert [row["called"] for row in ask("create", "site-prod")] == ["site-prod"]
    listed = {row["table"]: row for row in ask("list")}
    assert listed["FMWebAppTable"]["status"] == "active"
    assert "CountryLastCrawledIndex" in listed["aura-historia-data"]["indexes"]


@pytest.mark.parametrize(
    ("names", "said"),
    [
        ("FMWebAppTabel=x.y", "did you mean FMWebAppTable?"),
        ("FMWebAppTabel:Type_CreatedAt=x.y", "did you mean FMWebAppTable?"),
        ("FMWebAppTable:GSI1=x.y", "FMWebAppTable:GSI1, but the table has no such index"),
    ],
)
def test_a_slip_in_the_setting_is_refused(
    names: str, said: str, monkeypatch: pytest.MonkeyPatch, capsys: Capture
) -> None:
    monkeypatch.setenv("GOTGAN_TABLES", names)
    assert main(["tables", "create"]) == ExitCode.FAILED
    shown = capsys.readouterr().err
    assert said in shown
    assert shown.endswith("[settings]\n")


def test_what_is_missing_fails_the_comparison(capsys: Capture) -> None:
    assert main(["tables", "create", "news_items"]) == ExitCode.OK
    assert main(["tables", "verify"]) == ExitCode.FAILED
    shown = capsys.readouterr().out
    assert "news_items: as declared\n" in shown
    assert "FMWebAppTable: does not fit\n  table breaks: " in shown
    assert "found no such table; create it" in shown


def test_what_is_as_declared_passes_the_comparison(ask: Ask) -> None:
    ask("create")
    compared = ask("verify")
    assert [row["table"] for row in compared] == DOMAINS
    assert all(row["fits"] and row["differences"] == [] for row in compared)


def test_what_only_differs_is_told_and_passes(own: Callable[..., str], capsys: Capture) -> None:
    extra, plain = own(more='things.index("extra", pk="kind")'), own()
    assert main(["tables", "create", "--module", extra]) == ExitCode.OK
    assert main(["tables", "verify", "--module", plain]) == ExitCode.OK
    assert "things: fits\n  index extra differs: " in capsys.readouterr().out


def test_an_index_that_a_table_lacks_is_added(own: Callable[..., str], capsys: Capture) -> None:
    more = 'things.index("extra", pk="kind")'
    plain, extra = own(), own(more=more)
    assert main(["tables", "create", "--module", plain]) == ExitCode.OK
    assert main(["tables", "verify", "--module", extra]) == ExitCode.FAILED
    assert "index extra breaks" in capsys.readouterr().out
    assert main(["tables", "create", "--module", extra]) == ExitCode.OK
    said = capsys.readouterr()
    assert said.err == "things: adding index extra, filled from about 0 items.\n"
    assert re.fullmatch(r"things: exists, index extra added in [0-9.]+ s\n", said.out)
    assert main(["tables", "verify", "--module", extra]) == ExitCode.OK


def test_expiry_that_was_off_is_told_when_it_is_turned_on(
    own: Callable[..., str], capsys: Capture
) -> None:
    plain, expiring = own(), own(options=', ttl="gone"')
    main(["tables", "create", "--module", plain])
    capsys.readouterr()
    assert main(["tables", "create", "--module", expiring]) == ExitCode.OK
    assert capsys.readouterr().out == "things: exists, time to live turned on\n"


def test_tables_of_the_user_s_own_are_found_by_module(own: Callable[..., str], ask: Ask) -> None:
    [listed] = ask("list", "--module", own())
    assert listed["table"] == "things"
    assert (listed["entities"], listed["patterns"]) == (["Thing"], ["thing"])


def test_a_table_is_found_through_what_a_module_borrows(
    own: Callable[..., str], ask: Ask, tmp_path: Path
) -> None:
    name = own()
    for number, word in enumerate(("Thing", "thing", "things")):
        (tmp_path / f"{name}_{number}.py").write_text(f"from {name} import {word}\n")
        assert [row["table"] for row in ask("list", "--module", f"{name}_{number}")] == ["things"]


def test_several_modules_are_taken_together(own: Callable[..., str], ask: Ask) -> None:
    listed = ask("list", "--module", own(), "--module", "gotgan.domains.news.models")
    assert [row["table"] for row in listed] == [
        "things",
        "news_bodies",
        "news_items",
        "news_sources",
    ]


def test_two_tables_of_one_name_are_refused(own: Callable[..., str], capsys: Capture) -> None:
    words = ["tables", "list", "--module", own(), "--module", own()]
    assert main(words) == ExitCode.USAGE
    assert "Two tables have the name things" in capsys.readouterr().err


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (["create", "nonsense"], "There is no table nonsense; there are news_bodies, "),
        (["verify", "nonsense"], "There is no table nonsense"),
        (["list", "--module", "no.such.module"], "Cannot import --module no.such.module"),
        (["list", "--module", "json"], "json declares no table"),
        (["export"], "--format"),
        (["export", "--format", "xml"], "xml"),
        ([], "Missing command; see gotgan tables --help"),
        (["nonsense"], "nonsense"),
    ],
)
def test_a_wrong_word_is_a_sentence(words: list[str], said: str, capsys: Capture) -> None:
    assert main(["tables", *words]) == ExitCode.USAGE
    shown = capsys.readouterr()
    assert said in shown.err
    assert shown.out == ""


@pytest.mark.parametrize("form", ["cloudformation", "sam"])
def test_a_template_passes_cfn_lint(form: str, capsys: Capture) -> None:
    assert main(["tables", "export", "--format", form]) == ExitCode.OK
    text = capsys.readouterr().out
    assert text.startswith("# Written by gotgan tables export")
    assert complaints(text) == []


def test_a_template_for_a_json_file_is_json(ask: Ask, tmp_path: Path) -> None:
    target = tmp_path / "template.json"
    [said] = ask("export", "--format", "cloudformation", "--output", str(target), "news_items")
    assert said == {"file": str(target), "format": "cloudformation", "tables": ["news_items"]}
    assert list(json.loads(target.read_text())["Resources"]) == ["NewsItemsTable"]


def test_a_policy_is_written_for_an_account(ask: Ask) -> None:
    place = ["--region", "eu-central-1", "--account", "123456789012"]
    [policy] = ask("export", "--format", "iam", *place, "news_items")
    resources = {statement["Resource"] for statement in policy["Statement"]}
    assert "arn:aws:dynamodb:eu-central-1:123456789012:table/news_items" in resources


def test_a_page_is_written_to_a_file(tmp_path: Path, capsys: Capture) -> None:
    target = tmp_path / "page.md"
    words = ["export", "--format", "markdown", "--output", str(target), "FMWebAppTable"]
    assert main(["tables", *words]) == ExitCode.OK
    assert capsys.readouterr().out == f"wrote {target}\n"
    assert target.read_text(encoding="utf-8").startswith("# FMWebAppTable\n")


def test_every_format_speaks_json(ask: Ask) -> None:
    [page] = ask("export", "--format", "markdown", "news_items")
    assert page["markdown"].startswith("# news_items")
    [declared] = ask("export", "--format", "json")
    assert [table["name"] for table in declared["tables"]] == DOMAINS
    [template] = ask("export", "--format", "sam")
    assert template["Transform"] == "AWS::Serverless-2016-10-31"


def test_an_export_asks_nothing_of_a_database(data: Path, ask: Ask) -> None:
    ask("export", "--format", "json")
    assert not data.exists()


def test_a_file_that_cannot_be_written_is_a_sentence(tmp_path: Path, capsys: Capture) -> None:
    target = tmp_path / "no" / "such" / "folder.md"
    words = ["tables", "export", "--format", "markdown", "--output", str(target)]
    assert main(words) == ExitCode.USAGE
    assert "Cannot write" in capsys.readouterr().err


def test_tables_at_an_endpoint_are_made_and_compared(
    ask: Ask, monkeypatch: pytest.MonkeyPatch
) -> None:
    with Engine(None) as engine, background_server(engine) as endpoint:
        monkeypatch.setenv("GOTGAN_DYNAMODB", endpoint)
        assert {row["at"] for row in ask("list")} == {endpoint}
        assert all(row["new"] for row in ask("create"))
        assert all(row["fits"] for row in ask("verify"))


class _Silent:
    """A database that never answers."""

    name = "silent"
    parallel = 1
    asked = 0

    def call(self, operation: str, _request: dict[str, Any]) -> dict[str, Any]:
        self.asked += 1
        raise StoreUnreachable(f"{operation} was not answered")

    def close(self) -> None:
        """Nothing is open."""


def test_a_database_that_does_not_answer_is_asked_once_and_no_reason_to_list_nothing() -> None:
    driver = _Silent()
    assert table_statuses(driver, ["one", "two"]) == ["unreachable", "unreachable"]
    assert driver.asked == 1


@pytest.mark.parametrize("source", ["1 / 0", "import sys; sys.exit(3)", "def"])
def test_a_module_that_cannot_be_imported_is_said(
    capsys: Capture, tmp_path: Path, source: str
) -> None:
    (tmp_path / "broken_tables.py").write_text(source)
    assert main(["tables", "list", "--module", "broken_tables", "--json"]) == ExitCode.USAGE
    assert "Cannot import --module broken_tables" in capsys.readouterr().err


def test_a_database_that_cannot_be_reached_is_listed_and_no_success(
    capsys: Capture, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(
        "gotgan.cli.tables.table_statuses", lambda _, names: ["unreachable"] * len(names)
    )
    assert main(["tables", "list"]) == ExitCode.RETRY
    assert "unreachable" in capsys.readouterr().out


def test_the_help_of_the_group_imports_nothing_heavy() -> None:
    program = (
        "import sys; from gotgan.cli import main; main(['tables', '--help']);"
        "print('\\n'.join(sys.modules), file=sys.stderr)"
    )
    command = [sys.executable, "-c", program]
    result = subprocess.run(command, capture_output=True, text=True, check=True)
    assert "verify" in result.stdout
    loaded = set(result.stderr.split())
    assert not [name for name in loaded if name.startswith(("gotgan.store", "gotgan.domains"))]
    assert not {"sqlite3", "orjson", "pydantic", "boto3"} & loaded
