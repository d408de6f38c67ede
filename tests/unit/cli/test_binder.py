"""Commands that are derived from verbs."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import click
import pytest

from gotgan.cli import app, binder
from gotgan.cli.binder import VerbGroup, run_verb, verb_command
from gotgan.cli.commands import LazyGroup
from gotgan.cli.output import ExitCode, Output
from gotgan.cli.table import result_table
from gotgan.domain import Command
from gotgan.errors import UsageError
from gotgan.verbs import Verb, verbs_of
from tests.unit.toys import Made, Shed, Toys

Run = Callable[..., Any]
VERBS = verbs_of(Toys) | verbs_of(Shed)


@pytest.fixture
def run(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> Run:
    """Call a command; its exit code, and what it prints."""

    @contextmanager
    def opened(*_: Any, **__: Any) -> Iterator[Any]:
        yield SimpleNamespace(toys=Toys("a", "b", "c"), shed=Shed())

    monkeypatch.setattr(app, "open_app", opened)

    def run(called: str | click.Command, *words: str, as_json: bool = True) -> tuple[ExitCode, Any]:
        command = verb_command(VERBS[called]) if isinstance(called, str) else called
        code = command.main([*words], obj=Output(as_json), standalone_mode=False)
        out = capsys.readouterr().out
        return code, json.loads(out) if as_json else out

    return run


def test_positional_parameters_are_arguments_and_the_others_options(run: Run) -> None:
    assert run("make", "a", "b", "--max-parts", "9") == (
        ExitCode.OK,
        {"toyNames": ["a", "b"], "howMany": 9, "failed": []},
    )
    assert run("get", "a", "--day", "2026-01-15")[1]["toyNames"] == ["a", "2026-01-15"]


def test_json_is_what_the_route_returns(run: Run) -> None:
    assert run("list", "--limit", "2")[1] == {"items": ["a", "b"], "cursor": "2"}


@pytest.mark.parametrize("words", [["--max-parts", "10"], ["--max-parts", "0"]])
def test_bounds_are_those_of_the_signature(run: Run, words: list[str]) -> None:
    with pytest.raises(click.BadParameter, match="not in the range 1<=x<=9"):
        run("make", *words)


def test_what_only_http_has_is_no_option(run: Run) -> None:
    with pytest.raises(click.NoSuchOption, match="--parts"):
        run("make", "--parts", "x")


@pytest.mark.parametrize(
    ("words", "said"),
    [(["make", "toolong"], "NAMES: "), (["get", "a", "--day", "5"], "--day: use a date such as")],
)
def test_what_pydantic_refuses_is_a_usage_error(run: Run, words: list[str], said: str) -> None:
    with pytest.raises(UsageError, match=said):
        run(*words)


def test_the_help_has_arguments_bounds_and_defaults() -> None:
    text = verb_command(VERBS["make"]).get_help(click.Context(click.Command("make")))
    assert "[NAME]...  Toys by name." in text
    assert "1<=x<=9" in text
    assert "--folder" in text
    text = verb_command(VERBS["list"]).get_help(click.Context(click.Command("list")))
    assert "default: 2" in text


def test_a_text_says_how_the_command_ends(run: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    def make(report: Made, names: Any) -> tuple[str, ExitCode]:
        return f"{report.how_many} of {names}", ExitCode.RETRY

    monkeypatch.setattr(binder, "_terminal_module", lambda _: SimpleNamespace(make=make))
    assert run("make", "a", as_json=False) == (ExitCode.RETRY, "0 of ('a',)\n")


def test_a_command_can_have_an_option_that_its_verb_does_not_have(run: Run) -> None:
    def twice(verb: Verb, given: Mapping[str, Any], output: Output) -> ExitCode:
        values = dict(given)
        is_twice = values.pop("twice")
        run_verb(verb, values, output)
        return run_verb(verb, values, output) if is_twice else ExitCode.RETRY

    option = click.Option(["--twice"], is_flag=True, help="Do it twice.")
    command = verb_command(VERBS["list"], run=twice, options=[option])
    code, once = run(command, "--limit", "1", as_json=False)
    assert (code, bool(once)) == (ExitCode.RETRY, True)
    assert run(command, "--limit", "1", "--twice", as_json=False) == (ExitCode.OK, 2 * once)
    assert "Do it twice." in command.get_help(click.Context(command))


def test_a_group_has_commands_by_hand_also_for_a_verb() -> None:
    by_hand = {"list": Command("gotgan.cli.operations", "List by hand.", "schedule")}
    group = VerbGroup("toys", "tests.unit.toys:Toys", by_hand=by_hand, help="Toys.")
    names = group.list_commands(click.Context(group))
    assert (names.count("list"), "get" in names) == (1, True)
    lines = {words: (line, command.name) for words, line, command in group.every_command()}
    assert lines["list"] == ("List by hand.", "schedule")


def test_a_command_of_two_groups_has_the_options_of_each() -> None:
    at = {"schedule": Command("gotgan.cli.operations", "Show jobs.", "schedule")}
    with_costs = LazyGroup("a", commands_at=at, has_costs=True)
    without = LazyGroup("b", commands_at=at)

    def options(group: LazyGroup) -> set[str | None]:
        command = group.get_command(click.Context(group), "schedule")
        assert command is not None
        return {option.name for option in command.params}

    assert options(with_costs) == {"airflow", "json", "cost"}
    assert options(without) == {"airflow", "json"}


def test_a_group_may_have_a_default_command(run: Run) -> None:
    group = VerbGroup("toys", "tests.unit.toys:Toys", default="list", help="Toys.")
    assert run(group, "--limit", "1") == run(group, "list", "--limit", "1")
    assert run(group, "get", "a")[1]["toyNames"][0] == "a"
    plain = VerbGroup("toys", "tests.unit.toys:Toys", help="Toys.")
    with pytest.raises(click.UsageError):
        run(plain, "--limit", "1")


def test_a_verb_that_only_a_running_process_answers_has_no_command() -> None:
    group = VerbGroup("toys", "tests.unit.toys:Toys", help="Toys.")
    assert "watch" not in group.list_commands(click.Context(group))
    assert "watch" in VERBS


def test_a_domain_without_texts_is_shown_as_a_table_with_its_cursor(run: Run) -> None:
    assert '"howMany": 0' in run("make", "a", as_json=False)[1]
    rows = {"items": [{"name": "a"}, {"name": "b"}], "cursor": "next"}
    assert result_table(rows) == "name\na\nb\n\nThere are more: --cursor next"
    assert result_table({"items": []}) == "No results."


def test_a_missing_module_inside_the_texts_of_a_domain_is_not_hidden(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "broken.py").write_text("import gotgan.no_such_module\n")
    monkeypatch.setattr("gotgan.cli.terminal.__path__", [str(tmp_path)])
    with pytest.raises(ModuleNotFoundError, match="no_such_module"):
        binder._terminal_module("broken")  # noqa: SLF001 - the import alone
    assert binder._terminal_module("nothing") is None  # noqa: SLF001 - as above


# Resources


def test_a_resource_is_a_group_of_commands() -> None:
    group = VerbGroup("shed", "tests.unit.toys:Shed", help="A shed.")
    commands = {words: line for words, line, _ in group.every_command()}
    assert commands["boxes create"] == "Create a box."
    assert group.list_commands(click.Context(group)) == ["boxes"]
    assert "Boxes for toys." in group.get_help(click.Context(group))


def test_fields_are_options_and_an_empty_value_clears_one(run: Run, tmp_path: Path) -> None:
    plan = tmp_path / "plan.md"
    plan.write_text("planks", encoding="utf-8")
    made = run("boxes.create", "--id", "a", "--label", "b", "--plan", str(plan))[1]
    assert made["fields"] == {"id": "a", "label": "b", "plan": "planks"}
    assert made["by"] is None
    changed = run("boxes.update", "a", "--weight", "3", "--version", "2")[1]
    assert (changed["fields"], changed["version"]) == ({"weight": 3}, 2)
    assert run("boxes.update", "a", "--weight", "")[1]["fields"] == {"weight": None}
    assert run("boxes.update", "a", "--plan", str(plan))[1]["version"] is None
    with pytest.raises(UsageError, match="--label"):
        run("boxes.update", "a", "--label", "")
    with pytest.raises(click.UsageError, match="label"):
        run("boxes.replace", "a", "--weight", "3")


def test_further_attributes_are_names_with_values(run: Run) -> None:
    told = run("boxes.update", "a", "--more", "since=1999", "--more", "blog=")[1]
    assert told["more"] == {"since": "1999", "blog": None}
    assert run("boxes.update", "a")[1]["more"] in ({}, None)
    with pytest.raises(UsageError, match="--more: use NAME=VALUE"):
        run("boxes.update", "a", "--more", "since")


def test_nobody_says_who_calls(run: Run) -> None:
    with pytest.raises(click.NoSuchOption, match="--by"):
        run("boxes.create", "--label", "b", "--by", "admin")


@pytest.mark.parametrize("content", ["Überschrift".encode("latin-1"), None])
def test_a_text_is_read_from_a_file_in_utf_8(
    run: Run, tmp_path: Path, content: bytes | None
) -> None:
    path = tmp_path / "plan.md"
    if content is not None:
        path.write_bytes(content)
    with pytest.raises(click.BadParameter, match="not UTF-8 text" if content else "No such file"):
        run("boxes.create", "--label", "b", "--plan", str(path))
