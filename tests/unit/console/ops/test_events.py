"""The latest events of the process: found by name and level, page by page, with secrets masked."""

from __future__ import annotations

import re
from collections.abc import Iterator
from html import unescape

import pytest

from gotgan.app import App
from gotgan.events import emit
from gotgan.settings import Secret
from tests.unit.console.ops.conftest import HIDDEN
from tests.unit.console.sheets import Browser


@pytest.fixture
def app(app: App) -> Iterator[App]:
    """An app that remembers what happens."""
    with app.recent.listening():
        yield app


def _rows(page: str) -> str:
    return page.partition("<tbody>")[2].partition("</tbody>")[0]


def test_where_nothing_happened_the_page_says_so(admin: Browser, app: App) -> None:
    app.recent = type(app.recent)()
    assert "No events yet" in admin.open("/ops/events")


def test_events_are_told_the_latest_first_with_their_fields(admin: Browser) -> None:
    emit("news.collected", new=12, host="<finance>.yahoo.com")
    emit("shops.crawl.stuck", level="warning", domain="antik-1.shop.test")
    rows = _rows(admin.open("/ops/events"))
    assert rows.index("shops.crawl.stuck") < rows.index("news.collected")
    assert "&lt;finance&gt;.yahoo.com" in rows
    assert "Warning" in rows
    assert re.search(r"<time datetime=[^>]+>[0-9: -]+ <span class=\"zone\">KST", rows)


def test_events_are_chosen_by_the_address(admin: Browser) -> None:
    emit("news.collected")
    emit("news.failed", level="error")
    emit("shops.failed", level="warning")
    assert "shops.failed" not in _rows(admin.open("/ops/events?name=news."))
    rows = _rows(admin.open("/ops/events?level=warning"))
    assert "news.collected" not in rows
    assert "news.failed" in rows
    assert "shops.failed" in rows
    page = admin.open("/ops/events?name=nobody.")
    assert "No matching events" in page
    assert admin.client.get("/ops/events?level=loud").status_code == 422


def test_a_page_of_events_leads_to_the_next_one(admin: Browser) -> None:
    for number in range(150):
        emit("engine.opened", table=f"t{number}.")
    first = admin.open("/ops/events?name=engine.")
    [following] = re.findall(r'href="([^"]+)" rel="next"', first)
    second = admin.open(unescape(following))
    assert _rows(first).count("engine.opened</a>") == 100
    assert _rows(second).count("engine.opened</a>") == 50
    assert "t0." in _rows(second)
    assert "hx-trigger" not in second
    assert admin.client.get("/ops/events?cursor=x").status_code == 400


def test_the_list_renews_itself_until_it_is_paused(admin: Browser) -> None:
    emit("engine.opened")
    page = admin.open("/ops/events?name=engine.")
    assert 'hx-get="/ops/events?name=engine." hx-trigger="every 5s"' in page
    asking = {"hx-request": "true", "hx-target": "events-list"}
    part = admin.client.get("/ops/events?name=engine.", headers=asking).text
    assert part.lstrip().startswith('<div id="events-list"')
    paused = admin.open("/ops/events?name=engine.&live=no")
    assert "hx-trigger" not in paused
    assert "The list is paused." in paused


def test_a_secret_is_in_no_event_whoever_said_it(admin: Browser) -> None:
    emit("mail.failed", level="error", password=HIDDEN, key=Secret(HIDDEN), who="kim")
    for path in ("/ops/events", "/ops/events.csv", "/v1/events"):
        told = admin.client.get(path).text
        assert "kim" in told
        assert HIDDEN not in told


def test_the_same_events_are_there_for_programs(admin: Browser) -> None:
    emit("news.failed", level="error", reason="=1+1")
    emit("news.collected")
    page = admin.open("/ops/events?name=news.&level=error")
    assert 'href="/v1/events?name=news.&amp;level=error"' in page
    assert 'href="/ops/events.csv?name=news.&amp;level=error"' in page
    assert "GOTGAN_LOG=error gotgan up" in page
    lines = admin.client.get("/ops/events.csv?name=news.&level=error").text.splitlines()
    assert lines[0].endswith("number,at,level,event,fields")
    assert len(lines) == 2


def test_events_are_told_in_korean_too(admin: Browser) -> None:
    emit("news.failed", level="error")
    admin.client.headers["accept-language"] = "ko"
    page = admin.open("/ops/events")
    assert "이벤트 거르기" in page
    assert "오류" in _rows(page)
