"""Lists as files: bounded, in UTF-8 that Excel knows, and without a formula."""

from __future__ import annotations

import asyncio
import csv
import io
from datetime import UTC, datetime
from itertools import repeat
from typing import Any

import pytest
from starlette.responses import StreamingResponse

from gotgan.console.site.listing import MOST_ROWS, as_csv, elsewhere
from gotgan.domains.site.models import Category

NOW = datetime(2100, 1, 1, tzinfo=UTC)


def _text(response: StreamingResponse) -> str:
    async def read() -> str:
        return "".join([str(chunk) async for chunk in response.body_iterator])

    return asyncio.run(read())


def _category(**fields: Any) -> Category:
    return Category(**{"id": "c1", "created_at": NOW, "title": "x", **fields})


def test_a_file_ends_after_its_bound() -> None:
    text = _text(as_csv("x", Category, repeat(_category())))
    assert text.startswith("\ufeff")
    assert len(text.splitlines()) == MOST_ROWS + 1


@pytest.mark.parametrize("text", ["=1+1", "+1", "-1", "@x", "\t=1", "\r=1", "＝1"])  # noqa: RUF001
def test_no_text_becomes_a_formula(text: str) -> None:
    sheet = _text(as_csv("x", Category, [_category(title=text, desc='a, "b"\nc')]))
    (row,) = csv.DictReader(io.StringIO(sheet.removeprefix("\ufeff"), newline=""))
    assert row["title"] == f"'{text}"
    assert row["desc"] == 'a, "b"\nc'
    assert row["version"] == "1"
    assert row["slug"] == ""


def test_the_same_list_elsewhere_has_the_same_filters() -> None:
    there = elsewhere("posts", category="a b", q="it's; rm", cursor=None)
    assert there.json == "/v1/posts?category=a+b&q=it%27s%3B+rm"
    assert there.csv == "/site/posts.csv?category=a+b&q=it%27s%3B+rm"
    assert there.cli == """gotgan site list posts --category 'a b' --q 'it'"'"'s; rm'"""
