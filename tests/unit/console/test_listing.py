"""Lists as files: bounded, in UTF-8 that Excel knows, and without a formula."""

from __future__ import annotations

import asyncio
import csv
import io
from itertools import repeat
from typing import Any

import pytest
from starlette.responses import StreamingResponse

from gotgan.console.lists import MAX_ROWS, ExportLinks, csv_response

COLUMNS = ["id", "title", "tags", "note"]


def _text(response: StreamingResponse) -> str:
    async def read() -> str:
        return "".join([str(chunk) async for chunk in response.body_iterator])

    return asyncio.run(read())


def _row(record: dict[str, Any]) -> dict[str, str]:
    sheet = _text(csv_response("x", COLUMNS, [record]))
    (row,) = csv.DictReader(io.StringIO(sheet.removeprefix("\ufeff"), newline=""))
    return dict(row)


def test_a_file_ends_after_its_bound() -> None:
    text = _text(csv_response("x", COLUMNS, repeat({"id": "1"})))
    assert text.startswith("\ufeff")
    assert len(text.splitlines()) == MAX_ROWS + 1


@pytest.mark.parametrize("text", ["=1+1", "@x", "\t=1"])
def test_no_text_becomes_a_formula(text: str) -> None:
    row = _row({"id": "1", "title": text, "note": 'a, "b"\nc'})
    assert row["title"] == f"'{text}"
    assert row["note"] == 'a, "b"\nc'


def test_what_is_no_text_is_json_and_what_is_missing_is_empty() -> None:
    row = _row({"id": 1, "tags": ["a", True]})
    assert row == {"id": "1", "title": "", "tags": '["a",true]', "note": ""}


def test_the_same_list_elsewhere_has_the_same_filters() -> None:
    there = ExportLinks.of("/v1/x", "/x.csv", "gotgan x list", q="it's; rm", day="", cursor=None)
    assert there.json == "/v1/x?q=it%27s%3B+rm"
    assert there.csv == "/x.csv?q=it%27s%3B+rm"
    assert there.cli == """gotgan x list --q 'it'"'"'s; rm'"""


def test_a_list_without_filters_is_called_without_any() -> None:
    there = ExportLinks.of("/v1/x", "/x.csv", "gotgan x list", q=None)
    assert (there.json, there.csv, there.cli) == ("/v1/x", "/x.csv", "gotgan x list")
