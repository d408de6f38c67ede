"""CSV that no spreadsheet runs, and that can be read back exactly."""

from __future__ import annotations

import csv
import io
from decimal import Decimal
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from gotgan.csv_output import csv_lines, escape_cell, unescape_cell

SIGNS = "=+-@\t\r\n＝＋－＠'"  # noqa: RUF001 - full-width signs


def written(*records: dict[str, Any]) -> list[list[str]]:
    text = "".join(csv_lines(["a", "=b"], records))
    return list(csv.reader(io.StringIO(text, newline=""), strict=True))


@pytest.mark.parametrize(
    "text",
    [
        '=HYPERLINK("http://x.test","click")',
        "+1+1",
        "-2+3+cmd|' /C calc'!A0",
        "@SUM(1)",
        "\t=1",
        "\r=1",
        "\n=1",
        *("＝1", "＋1", "－1", "＠x"),  # noqa: RUF001 - full-width signs
        "-",
        "--1",
        "-1.",
        "+82 10 1234 5678",
        "-１",  # noqa: RUF001 - a full-width digit
    ],
)
def test_what_a_spreadsheet_would_run_is_escaped(text: str) -> None:
    assert escape_cell(text) == f"'{text}"
    assert written({"a": text})[1] == [f"'{text}", ""]


@pytest.mark.parametrize("text", ["-1.5", "+3", "-1e5", "0", "", "a=b", "it's", "'tis", " =1"])
def test_numbers_and_other_texts_stay_as_they_are(text: str) -> None:
    assert escape_cell(text) == text


def test_what_is_not_text_is_json_and_nothing_is_an_empty_cell() -> None:
    rows = written({"a": -1, "=b": ["=x", True]}, {"a": None}, {"a": Decimal("-2.5"), "=b": False})
    assert rows == [["a", "'=b"], ["-1", '["=x",true]'], ["", ""], ["-2.5", "false"]]


def test_an_apostrophe_that_was_there_before_survives() -> None:
    assert [escape_cell(each) for each in ("'=1", "''=1", "'-1.5")] == ["''=1", "'''=1", "''-1.5"]


@given(st.text() | st.text(SIGNS + "1.e "))
def test_reading_a_cell_back_gives_the_text_that_was_written(text: str) -> None:
    assert unescape_cell(escape_cell(text)) == text


@given(st.lists(st.text(SIGNS + 'a1,"; \u200b'), min_size=1))
def test_whole_files_survive_too(texts: list[str]) -> None:
    rows = written(*({"a": each} for each in texts))
    assert [unescape_cell(row[0]) for row in rows[1:]] == texts
