"""Lists as files: bounded, in UTF-8 that Excel knows, and without a formula."""

from __future__ import annotations

import csv
import io
import json
from itertools import repeat
from typing import Any

import pytest
from fastapi import HTTPException
from starlette.applications import Starlette
from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import Route
from starlette.testclient import TestClient

from gotgan.console.lists import (
    MAX_ROWS,
    ExportLinks,
    JsonLinesPaths,
    Sort,
    csv_response,
    jsonl_url,
)

COLUMNS = ["id", "title", "tags", "note"]


def _text(response: Response, path: str = "/x.csv") -> str:
    def app(_: Request) -> Response:
        return response

    lists = JsonLinesPaths(Starlette(routes=[Route("/x.csv", app)]))
    return TestClient(lists).get(path).text


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


def test_json_lines_have_values_as_they_are() -> None:
    record = {"id": 1, "tags": ["a", "b"], "title": "=1+1", "note": None}
    file = csv_response("x", COLUMNS, [record, record], cell=str)
    lines = _text(file, "/x.jsonl").splitlines()
    assert [json.loads(line) for line in lines] == [record, record]


def test_values_are_written_for_csv_alone() -> None:
    def joined(value: Any) -> Any:
        return " ".join(value) if isinstance(value, list) else value

    record = {"id": "1", "tags": ["a", "b"]}
    assert "1,,a b," in _text(csv_response("x", COLUMNS, [record], joined))
    assert json.loads(_text(csv_response("x", COLUMNS, [record], joined), "/x.jsonl")) == record


def test_json_lines_have_the_address_of_the_csv_file() -> None:
    assert jsonl_url("/x.csv") == "/x.jsonl"
    assert jsonl_url("/x.csv?q=a.csv%3F") == "/x.jsonl?q=a.csv%3F"


def test_an_order_is_a_name_that_the_list_has() -> None:
    assert Sort.of("-price", ("name", "price"), "name") == Sort("price", is_descending=True)
    assert Sort.of("", ("name", "price"), "name") == Sort("name")
    with pytest.raises(HTTPException):
        Sort.of("secret", ("name", "price"), "name")


def test_a_heading_turns_the_order_around_and_starts_numbers_with_the_largest() -> None:
    order = Sort("name")
    assert order.toggled("name", is_number=False) == "-name"
    assert order.toggled("price", is_number=True) == "-price"
    assert Sort("price", is_descending=True).toggled("price", is_number=True) == "price"
