"""Stories from a file: stored once, refused as a whole, and told in numbers."""

from __future__ import annotations

import json

import httpx
import pytest

from gotgan.app import App
from tests.unit.console.news.filling import YAHOO
from tests.unit.console.sheets import Browser
from tests.unit.console.trial import csrf

STORY = {"title": "Apple <holds>", "url": f"{YAHOO}/apple-003512345.html", "tickers": ["AAPL"]}
SECONDS = 20


def _sent(browser: Browser, *files: bytes, source: str = "") -> httpx.Response:
    given = [("file", ("stories.json", file)) for file in files] or [("file", ("", b""))]
    fields = {"csrf": csrf(browser.client), "source": source}
    return browser.client.post("/news/upload", data=fields, files=given, follow_redirects=True)


def _ended(app: App) -> None:
    run = app.runs.latest("news.upload")
    assert run is not None
    assert app.runs.wait(run.id, SECONDS).error is None


def test_stories_of_a_file_are_stored_once_and_counted(app: App, editor: Browser) -> None:
    answer = _sent(editor, json.dumps([STORY, STORY]).encode(), source="my list")
    assert answer.url.path == "/news/upload"
    assert "Started." in answer.text
    _ended(app)
    page = editor.open("/news/upload")
    assert "1 new item" in page
    assert "Apple &lt;holds&gt;" in page
    [item] = app.news.list().items
    assert (item.url, item.source) == (STORY["url"], "my list")


def test_lines_are_taken_as_well_as_a_list(app: App, editor: Browser) -> None:
    _sent(editor, json.dumps(STORY).encode())
    _ended(app)
    [item] = app.news.list().items
    assert item.source == "yf_latest"


@pytest.mark.parametrize(
    ("files", "why"),
    [
        ((), "Choose a file."),
        ((b"[]", b"[]"), "Choose a file."),
        ((b"{",), "Line 1 is not JSON"),
        ((json.dumps([STORY, {"title": "x"}]).encode(),), "story 2: url is missing"),
    ],
)
def test_a_file_that_is_wrong_is_refused_as_a_whole(
    app: App, editor: Browser, files: tuple[bytes, ...], why: str
) -> None:
    answer = _sent(editor, *files, source="kept")
    assert answer.status_code == 422
    assert "Nothing was stored" in answer.text
    assert why in answer.text
    assert 'value="kept"' in answer.text
    assert app.news.list().items == ()


def test_a_viewer_is_told_who_may(viewer: Browser) -> None:
    page = viewer.open("/news/upload")
    assert "Only editors can upload stories." in page
    assert '<form class="card' not in page
