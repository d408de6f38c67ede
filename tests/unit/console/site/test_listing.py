"""The site's lists elsewhere, and as files with a column for each attribute."""

from __future__ import annotations

from tests.unit.console.sheets import Browser


def test_a_file_has_the_attributes_of_its_records(viewer: Browser) -> None:
    file = viewer.client.get("/site/categories.csv").text.removeprefix("\ufeff")
    columns, first, _ = file.splitlines()
    told = dict(zip(columns.split(","), first.split(","), strict=True))
    assert told["Type"] == "Category"
    assert told["title"] == "News"
    assert told["version"] == "1"
    assert told["desc"] == ""


def test_a_list_is_called_as_the_api_and_the_command_line_call_it(viewer: Browser) -> None:
    page = viewer.open("/site/inquiries?status=new")
    assert "/v1/contact?status=new" in page
    assert "/site/inquiries.csv?status=new" in page
    assert "gotgan site inquiries list --status new" in page
