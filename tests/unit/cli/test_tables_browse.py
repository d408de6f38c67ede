"""``gotgan tables browse`` with expressions and some attributes alone."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from gotgan.cli import main
from gotgan.cli.dynamodb import SAMPLE_ITEMS, SAMPLE_TABLE, create_sample
from gotgan.cli.output import ExitCode
from gotgan.store.engine import Engine

Ask = Callable[..., list[dict[str, Any]]]


@pytest.fixture
def ask(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> Ask:
    """Give ``gotgan tables browse`` words, and get what it said to programs."""
    monkeypatch.setenv("GOTGAN_DATA", str(tmp_path))
    with Engine(tmp_path / "dynamodb.sqlite3", synchronous="normal") as engine:
        create_sample(engine)

    def ask(*words: str) -> list[dict[str, Any]]:
        assert main(["tables", "browse", SAMPLE_TABLE, *words, "--json"]) == ExitCode.OK
        return [json.loads(line) for line in capsys.readouterr().out.splitlines()]

    return ask


def test_an_expression_and_its_values_choose_items(ask: Ask) -> None:
    goods = SAMPLE_ITEMS[0]["goods"]["S"]
    *found, account = ask(
        "--expression", "#g = :g", "--value", "#g=goods", "--value", f":g={goods}"
    )
    assert [each["item"]["goods"] for each in found] == [goods]
    assert (account["operation"], account["read"]) == ("scan", len(SAMPLE_ITEMS))
    assert account["cost"]["reads"] > 0
    assert "--filter-expression" in account["aws_cli"]


def test_some_attributes_come_with_the_keys(ask: Ask) -> None:
    *found, _account = ask("--only", "no_such_thing", "--limit", "2")
    assert [each["item"].keys() for each in found] == [{"shelf", "goods"}] * 2


@pytest.mark.parametrize(
    ("words", "told"),
    [
        (("--value", ":a=1"), "Values are for an expression. Add one."),
        (("--expression", "a = :a", "--filter", "b=1"), "Use filters or an expression, not both."),
        (("--expression", "a = ", "--pk", "x"), "FilterExpression"),
    ],
)
@pytest.mark.usefixtures("ask")
def test_a_mistake_says_what_to_do(
    capsys: pytest.CaptureFixture[str], words: tuple[str, ...], told: str
) -> None:
    assert main(["tables", "browse", SAMPLE_TABLE, *words]) != ExitCode.OK
    assert told in capsys.readouterr().err
