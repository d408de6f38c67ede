"""The page of an item: why it has its key, what looks like it, and how its body stands."""

from __future__ import annotations

import hashlib
import re
from datetime import UTC, datetime, timedelta
from html import unescape

import pytest

from gotgan.app import App
from gotgan.clock import FixedClock
from gotgan.domains.news import claims
from gotgan.domains.news.models import NewsItem
from tests.unit.console.news.filling import (
    YAHOO,
    claimed,
    dead,
    done,
    path_of,
    stored,
    waiting,
)
from tests.unit.console.sheets import Browser

ADDRESS = f"{YAHOO}/apple-holds-steady-003512345.html"


def test_an_item_is_found_by_its_key_and_by_its_address(app: App, viewer: Browser) -> None:
    item = stored(app, "Apple holds steady", ADDRESS)
    for path in (path_of(item), f"/news/item?pk={ADDRESS}"):
        assert "<h1>Apple holds steady</h1>" in viewer.open(path)


@pytest.mark.parametrize("pk", ["id%230123456789abcdef", f"{ADDRESS}?x"])
def test_what_is_not_there_is_told(viewer: Browser, pk: str) -> None:
    viewer.open(f"/news/item?pk={pk}")
    assert viewer.answer.status_code == 404


def test_it_shows_three_clocks_with_their_dates(app: App, viewer: Browser) -> None:
    page = re.sub(r"<[^>]*>", "", viewer.open(path_of(stored(app, "Apple"))))
    for shown in ("2025-11-06 00:35:12 UTC", "2025-11-05 19:35:12 EST", "2025-11-06 09:35:12 KST"):
        assert shown in page


def test_the_key_is_explained_by_the_article_id_and_the_hash(app: App, viewer: Browser) -> None:
    item = stored(app, "Apple holds steady", ADDRESS)
    digest = hashlib.sha256(ADDRESS.encode()).hexdigest()
    page = viewer.open(path_of(item))
    assert item.pk == f"id#{digest[:16]}"
    assert "the digits 003512345 before .html" in page
    assert "apple-holds-steady-<mark>003512345</mark>.html" in page
    assert f"<mark>{digest[:16]}</mark>{digest[16:]}" in page


def test_a_key_without_an_article_id_is_explained_too(app: App, viewer: Browser) -> None:
    item = stored(app, "Report", "https://finance.yahoo.com/research/ARGUS_43216_1744369279000?x")
    page = viewer.open(path_of(item))
    assert item.pk.startswith("h#")
    assert "It begins with h#" in page
    assert "the digits" not in page


def test_addresses_that_look_alike_are_other_items_and_the_difference_is_marked(
    app: App, viewer: Browser
) -> None:
    item = stored(app, "Apple", f"{ADDRESS}?src=a&x=1")
    other = stored(app, "Apple again", f"{ADDRESS}?src=b&x=1")
    bare = stored(app, "Apple bare", ADDRESS)
    stored(app, "Pears", f"{YAHOO}/pears-003512345.html")
    page = unescape(viewer.open(path_of(item)))
    assert "2 items look like this one" in page
    assert "Every character of an address counts" in page
    assert f"{ADDRESS}?src=<mark>a</mark>&x=1" in page
    assert f"{ADDRESS}?src=<mark>b</mark>&x=1" in page
    assert f"{ADDRESS}<mark>?src=a&x=1</mark>" in page
    assert f'{ADDRESS}<mark class="gap">nothing</mark>' in page
    assert path_of(other) in page
    assert path_of(bare) in page
    assert "Pears" not in page


def test_an_item_that_is_like_no_other_does_not_speak_of_it(app: App, viewer: Browser) -> None:
    page = viewer.open(path_of(stored(app, "Apple")))
    assert "look like this one" not in page
    assert "Every character" not in page


def test_the_link_tells_the_other_site_nothing(app: App, viewer: Browser) -> None:
    page = viewer.open(path_of(stored(app, "Apple", ADDRESS)))
    assert f'href="{ADDRESS}" rel="noreferrer noopener"' in page


def test_an_address_that_is_a_script_is_no_link(app: App, viewer: Browser) -> None:
    item = NewsItem(
        source="elsewhere", title="Apple", url="javascript:alert(1)", uploaded_at=app.clock.now()
    )
    app.store.put_new(item)  # as whoever writes to the table past us may do
    page = viewer.open(path_of(item))
    assert "javascript:alert(1)" in page
    assert 'href="javascript' not in page


def test_a_body_is_shown_in_paragraphs_with_what_is_known_of_it(app: App, viewer: Browser) -> None:
    item = stored(app, "Apple")
    done(
        app,
        item,
        title="Apple, in full",
        text="First & <b>foremost</b>.\n\nSecond,\nin two lines.",
        author="Ann Author",
        provider="Reuters",
        published_at=datetime(2025, 11, 5, 12, tzinfo=UTC),
        word_count=1234,
        language="en",
        extractor="yahoo",
        is_cut=True,
    )
    page = viewer.open(path_of(item))
    assert '<p class="words">First &amp; &lt;b&gt;foremost&lt;/b&gt;.</p>' in page
    assert '<p class="words">Second,\nin two lines.</p>' in page
    assert '<div class="prose" lang="en">' in page
    for told in ("Apple, in full", "Ann Author", "Reuters", "2025-11-05 21:00", "1,234", "yahoo"):
        assert told in page
    assert "longer than an item can hold" in page
    assert "/retry" not in page


def test_an_article_that_failed_tells_why_and_when_it_is_tried_again(
    app: App, viewer: Browser
) -> None:
    item = stored(app, "Apple")
    waiting(app, item)
    page = viewer.open(path_of(item))
    assert "answered &lt;503&gt;" in page
    assert "fetch.server" in page
    assert "1 of 5" in page
    assert "2025-11-06 09:45" in page


def test_an_article_that_nobody_tried_says_who_will(app: App, editor: Browser) -> None:
    page = editor.open(path_of(stored(app, "Apple")))
    assert "Not fetched yet. The next run fetches it." in page
    assert "/retry" not in page


@pytest.mark.parametrize("fail", [waiting, dead])
def test_another_attempt_is_asked_for(app: App, editor: Browser, fail: object) -> None:
    item = stored(app, "Apple")
    assert callable(fail)
    fail(app, item)
    editor.open(path_of(item))
    page = editor.send("/item/retry")
    assert "It is due now." in page
    assert f"?{editor.answer.url.query.decode()}" in path_of(item)
    assert "/retry" not in page
    assert "at the next run" in page
    body = app.news.body(item.pk)
    assert body is not None
    assert (body.state, body.attempts, body.due_at) == ("WAITING", 0, app.clock.now())


def test_what_is_not_ours_to_fetch_can_be_tried_again(app: App, editor: Browser) -> None:
    item = stored(app, "Apple")
    done(app, item, "blocked", error="fetch.robots", reason="robots.txt asks not to")
    assert "robots.txt asks not to" in editor.open(path_of(item))
    assert "It is due now." in editor.send("/item/retry")


def test_an_attempt_that_came_too_late_changes_nothing(
    app: App, clock: FixedClock, editor: Browser
) -> None:
    item = stored(app, "Apple")
    waiting(app, item)
    editor.open(path_of(item))
    clock.advance(timedelta(hours=1))
    assert claims.claim_due(app.store, item.pk) is not None
    page = editor.send("/item/retry")
    assert editor.answer.status_code == 409
    assert "Its state has changed in the meantime" in page
    assert "Being fetched" in page


def test_while_somebody_works_on_it_nobody_else_is_asked_to(app: App, editor: Browser) -> None:
    item = stored(app, "Apple")
    claimed(app, item)
    page = editor.open(path_of(item))
    assert "Claimed until" in page
    assert "/retry" not in page


def test_the_item_stands_there_as_it_is_stored(app: App, viewer: Browser) -> None:
    item = stored(app, "Apple", tickers=("AAPL",))
    page = unescape(viewer.open(path_of(item)))
    assert f'"pk": "{item.pk}"' in page
    assert '"uploaded_at_utc_ms": 1762389312000' in page
    assert f"/v1/news/item?item={item.pk.replace('#', '%23')}" in page
    assert f"gotgan news get '{item.pk}'" in page
