"""The site's lists elsewhere, and as files with a column for each attribute."""

from __future__ import annotations

import asyncio
from datetime import UTC, datetime

from gotgan.console.site.listing import elsewhere, file_of
from gotgan.domains.site.models import Category

NOW = datetime(2100, 1, 1, tzinfo=UTC)


def test_a_file_has_the_attributes_of_its_records() -> None:
    async def read() -> str:
        made = file_of("x", Category, [Category(id="c1", created_at=NOW, title="News")])
        return "".join([str(chunk) async for chunk in made.body_iterator])

    columns, row = asyncio.run(read()).removeprefix("\ufeff").splitlines()
    told = dict(zip(columns.split(","), row.split(","), strict=True))
    assert told["Type"] == "Category"
    assert told["title"] == "News"
    assert told["version"] == "1"
    assert told["slug"] == ""


def test_a_list_is_called_as_the_api_and_the_command_line_call_it() -> None:
    there = elsewhere("inquiries", api="contact", status="new", cursor=None)
    assert there.json == "/v1/contact?status=new"
    assert there.csv == "/site/inquiries.csv?status=new"
    assert there.cli == "gotgan site inquiries list --status new"
