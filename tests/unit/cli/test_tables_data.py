"""``gotgan tables dump``, ``load`` and ``browse`` on the database that the settings name."""

from __future__ import annotations

import io
import json
import re
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from gotgan.cli import main
from gotgan.cli.dynamodb import SAMPLE_ITEMS, SAMPLE_TABLE, create_sample
from gotgan.cli.output import ExitCode, Output
from gotgan.cli.progress import StepLine
from gotgan.cli.reader import reader, remember
from gotgan.cli.table import grid, json_text, safe_text
from gotgan.cli.tables_data import transfer_text
from gotgan.settings import Settings
from gotgan.store.costs import Cost, CostLine
from gotgan.store.data.item_json import parse_line, to_lines
from gotgan.store.data.progress import TransferProgress
from gotgan.store.drivers.embedded import Embedded
from gotgan.store.engine import Engine
from tests.unit.store.data.tables import everything, make, numbered, write_lines
from tests.unit.store.data.tables import fill as put

Run = Callable[..., str]
Ask = Callable[..., list[dict[str, Any]]]
ORDER = "shelf:S goods:S"


@pytest.fixture
def database(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """The file of a database with the sample table and an empty copy of it."""
    monkeypatch.setenv("GOTGAN_DATA", str(tmp_path / "data"))
    (tmp_path / "data").mkdir()
    path = tmp_path / "data" / "dynamodb.sqlite3"
    with Engine(path, synchronous="normal") as engine:
        create_sample(engine)
        make(Embedded(engine), "copy", ORDER)
    return path


@pytest.fixture
def run(database: Path, capsys: pytest.CaptureFixture[str]) -> Run:  # noqa: ARG001 - to be there
    """Give ``gotgan tables`` words, and get what it said to people."""

    def run(*words: object) -> str:
        assert main(["tables", *map(str, words)]) == ExitCode.OK
        return capsys.readouterr().out

    return run


@pytest.fixture
def ask(run: Run) -> Ask:
    """Give ``gotgan tables`` words, and get what it said to programs."""

    def ask(*words: object) -> list[dict[str, Any]]:
        return [json.loads(line) for line in run(*words, "--json").splitlines()]

    return ask


def items_of(database: Path, table: str) -> list[Any]:
    with Engine(database) as engine:
        return sorted(everything(_Keyed(engine), table), key=str)


class _Keyed(Embedded):
    """Items with the key names that the ordering of the tests knows."""

    def call(self, operation: str, request: dict[str, Any]) -> dict[str, Any]:
        answer = super().call(operation, request)
        renamed = {"shelf": "pk", "goods": "sk"}
        items = [
            {renamed.get(name, name): value for name, value in item.items()}
            for item in answer.get("Items", [])
        ]
        return {**answer, "Items": items}


def test_a_table_goes_through_a_folder_into_another(
    ask: Ask, database: Path, tmp_path: Path
) -> None:
    [dumped] = ask("dump", SAMPLE_TABLE, tmp_path / "out", "--gzip", "--segments", 2)
    assert (dumped["items"], dumped["resumed"]) == (len(SAMPLE_ITEMS), 0)
    assert dumped["cost"]["reads"] > 0
    assert float(dumped["cost"]["usd"]) > 0
    [loaded] = ask("load", "copy", tmp_path / "out")
    assert (loaded["read"], loaded["new"]) == (len(SAMPLE_ITEMS), len(SAMPLE_ITEMS))
    assert items_of(database, "copy") == items_of(database, SAMPLE_TABLE)
    [again] = ask("load", "copy", tmp_path / "out")
    assert (again["new"], again["duplicates"]) == (0, len(SAMPLE_ITEMS))
    [over] = ask("load", "copy", tmp_path / "out", "--overwrite")
    assert over["written"] == len(SAMPLE_ITEMS)


def test_people_read_what_was_done(run: Run, tmp_path: Path) -> None:
    said = run("dump", SAMPLE_TABLE, tmp_path / "out")
    assert f"{len(SAMPLE_ITEMS)} items of {SAMPLE_TABLE}" in said
    assert str(tmp_path / "out") in said
    said = run("load", "copy", tmp_path / "out")
    assert f"{len(SAMPLE_ITEMS)} lines read for copy: {len(SAMPLE_ITEMS)} new" in said


@pytest.mark.usefixtures("database")
@pytest.mark.parametrize(
    "words", [("browse", SAMPLE_TABLE, "--pk", "jars"), ("dump", SAMPLE_TABLE, "-")]
)
def test_a_cost_is_shown_where_it_is_asked_for(
    words: tuple[str, ...], capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["tables", *words]) == ExitCode.OK
    assert "Cost:" not in "".join(capsys.readouterr())
    assert main(["tables", *words, "--cost"]) == ExitCode.OK
    text = r"^Cost: [0-9.]+ read units, \$0\.\d+ on demand in"
    assert re.search(text, capsys.readouterr().err, re.MULTILINE)


def test_a_cost_is_shown_on_aws(capsys: pytest.CaptureFixture[str]) -> None:
    cost = Cost((CostLine("get", "table", None, 1.0, 0.0),))
    with reader("en"):
        remember(Settings(dynamodb="http://127.0.0.1:8000"))
        Output(as_json=False).write_cost(cost)
        assert capsys.readouterr().err == ""
        remember(Settings(dynamodb="aws"))
        Output(as_json=True).write_cost(cost)
        Output(as_json=False).write_cost(Cost())
        assert capsys.readouterr().err == ""
        Output(as_json=False).write_cost(cost)
        assert capsys.readouterr().err.startswith("Cost: 1 read units, $0.")


@pytest.mark.usefixtures("database")
def test_standard_output_gets_lines_and_nothing_else(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["tables", "dump", SAMPLE_TABLE, "-"]) == ExitCode.OK
    shown = capsys.readouterr()
    lines = [parse_line(line.encode()) for line in shown.out.splitlines()]
    assert sorted(lines, key=str) == sorted(SAMPLE_ITEMS, key=str)
    assert f"{len(SAMPLE_ITEMS)} items" in shown.err


def test_standard_input_is_loaded(
    ask: Ask, database: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    raw = io.BufferedReader(io.BytesIO(to_lines(SAMPLE_ITEMS)))
    monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(raw))
    [loaded] = ask("load", "copy", "-")
    assert loaded["new"] == len(SAMPLE_ITEMS)
    assert items_of(database, "copy") == items_of(database, SAMPLE_TABLE)


@pytest.mark.usefixtures("database")
@pytest.mark.parametrize("option", [["--segments", "2"], ["--gzip"]])
def test_standard_output_has_no_parts(
    option: list[str], capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["tables", "dump", SAMPLE_TABLE, "-", *option]) == ExitCode.USAGE
    assert "neither" in capsys.readouterr().err


def test_a_reader_who_goes_away_ends_a_dump_in_silence_and_as_a_failure(
    database: Path,
) -> None:
    large = {"large": {"S": "x" * 100_000}}  # more than a pipe holds
    with Engine(database) as engine:
        driver = Embedded(engine)
        put(driver, make(driver, "many"), [large | item for item in numbered(50)])
    words = ["-m", "gotgan", "tables", "dump", "many", "-"]
    with subprocess.Popen(
        [sys.executable, *words], stdout=subprocess.PIPE, stderr=subprocess.PIPE
    ) as process:
        assert process.stdout is not None
        assert process.stderr is not None
        assert process.stdout.readline().startswith(b'{"Item"')
        process.stdout.close()
        assert process.stderr.read() == b""
        assert process.wait() == 1


def test_bad_lines_are_put_aside_when_asked(ask: Ask, tmp_path: Path) -> None:
    path = write_lines(tmp_path / "in.json", SAMPLE_ITEMS)
    path.write_bytes(b"oops\n" + path.read_bytes())
    [loaded] = ask("load", "copy", path, "--skip-bad", tmp_path / "bad")
    assert (loaded["new"], loaded["failed"]) == (len(SAMPLE_ITEMS), 1)
    assert (tmp_path / "bad").read_text() == "oops\n"


def test_the_declared_name_of_a_table_is_enough(
    ask: Ask, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("GOTGAN_TABLES", f"goods={SAMPLE_TABLE},goods:kinds=by_kind")
    [dumped] = ask("dump", "goods", tmp_path / "out")
    assert dumped["table"] == SAMPLE_TABLE
    [loaded] = ask("load", "goods", tmp_path / "out")
    assert loaded["duplicates"] == len(SAMPLE_ITEMS)
    *items, _account = ask("browse", "goods", "--index", "kinds", "--pk", "grain")
    assert len(items) == 3


def test_programs_get_a_line_for_each_item_and_one_for_the_account(ask: Ask) -> None:
    *items, account = ask(
        "browse", SAMPLE_TABLE, "--pk", "floor", "--filter", "kilos>20", "--limit", 1
    )
    assert items == [
        {
            "item": {
                "shelf": "floor",
                "goods": "barley",
                "kind": "grain",
                "kilos": 40,
                "best_before": "2027-06-30",
            }
        }
    ]
    assert (account["operation"], account["shown"], account["read"]) == ("query", 1, 3)
    assert account["cost"]["reads"] == 0.5
    assert account["aws_cli"].startswith("aws dynamodb query --table-name Storehouse ")
    *more, account = ask(
        "browse",
        *(SAMPLE_TABLE, "--pk", "floor", "--filter", "kilos>20", "--cursor", account["cursor"]),
    )
    assert [each["item"]["goods"] for each in more] == ["rice"]
    assert account["cursor"] is None


def test_people_get_a_table_and_the_account(run: Run) -> None:
    said = run("browse", SAMPLE_TABLE, "--pk", "jars", "--limit", 2)
    head, first, second, *rest = said.splitlines()
    assert head.split() == ["shelf", "goods", "best_before", "kilos", "kind"]
    assert first.split() == ["jars", "kimchi", "2026-04-15", "30", "fermented"]
    assert second.startswith("jars   soy sauce")
    account = "\n".join(rest)
    assert "A query of Storehouse: 2 shown, 2 read." in account
    assert "--cursor " in account
    assert "The same: aws dynamodb query" in account


def test_a_scan_says_that_it_is_one(run: Run) -> None:
    said = run("browse", SAMPLE_TABLE, "--filter", "kind=tool")
    assert f"A scan, which reads all items of {SAMPLE_TABLE} (about 12): 3 shown, 12 read" in said
    assert "9 of them not shown" in said


def test_whole_items_are_shown_when_asked(run: Run) -> None:
    said = run("browse", SAMPLE_TABLE, "--pk", "wall", "--sk", "sickle", "--full")
    item = json.loads(said.partition("\n\n")[0])
    assert item == {
        "shelf": "wall",
        "goods": "sickle",
        "kind": "tool",
        "count": 3,
        "uses": ["harvest", "grass"],
    }


def test_nothing_in_an_item_can_move_the_cursor_of_a_terminal() -> None:
    hostile = "\x1b[2J\x07\x9b31m\x7f\u202e\n"
    shown = grid([{"a": hostile, hostile: [hostile]}], ["a"])
    assert len(shown.split("\n")) == 2
    assert shown.replace("\n", "").isprintable()
    assert json_text({hostile: hostile}).replace("\n", "").isprintable()
    assert json.loads(json_text({"a": hostile})) == {"a": hostile}


def test_what_has_no_width_is_printed_as_it_is_and_takes_no_column() -> None:
    reply, family = "\u200b@you\ufeff", "\U0001f468\u200d\U0001f469"
    assert safe_text(f"{reply} {family}\u202e") == f"{reply} {family}\\u202e"
    head, row = grid([{"a": reply, "b": "x"}], ["a"]).split("\n")
    assert (head, row) == ("a     b", f"{reply}  x")


def test_columns_stand_under_each_other_in_any_script() -> None:
    rows = grid([{"a": "곳간", "b": 1}, {"a": "barn", "b": 2}, {"b": 3}], ["a"]).splitlines()
    assert rows == ["a     b", "곳간  1", "barn  2", "      3"]


def test_what_is_too_long_for_a_column_is_cut() -> None:
    [_, row] = grid([{"a": "곳" * 100, "b": "x" * 100}], ["a"]).splitlines()
    assert row == "곳" * 19 + "…" + "  " + "x" * 39 + "…"


def test_progress_is_shown_a_few_times_a_second(capsys: pytest.CaptureFixture[str]) -> None:
    show = StepLine(transfer_text)
    for step in range(100):
        show(TransferProgress(step, step, step / 100, Cost()))
    assert 2 <= capsys.readouterr().err.count("items/s") <= 10
