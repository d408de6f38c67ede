"""The page of other sources: added, polled, with their health, and removed."""

from __future__ import annotations

from gotgan.app import App
from gotgan.domains.news.models import Story
from gotgan.domains.news.polls import claim_poll, fail_poll
from tests.unit.console.news.filling import TROUBLE, path_of, source, stored
from tests.unit.console.sheets import Browser

PATH = "/news/sources"


def test_without_sources_the_page_says_what_they_are_for(viewer: Browser) -> None:
    page = viewer.open(PATH)
    assert "No other sources" in page
    assert "Add source" not in page


def test_a_source_is_shown_with_its_health(app: App, viewer: Browser) -> None:
    claim = claim_poll(app.store, source(app))
    assert claim is not None
    assert fail_poll(app.store, claim, TROUBLE)
    source(app, "other")
    page = viewer.open(PATH)
    assert "The &lt;Wire&gt;" in page
    assert "Failing" in page
    assert "1 failure" in page
    assert "every 30 minutes" in page
    assert "answered &lt;503&gt;" in page
    assert "Not polled yet" in page
    assert "Poll now" not in page
    assert "gotgan news sources list" in page
    assert 'href="/news/sources.csv"' in page


def test_what_cannot_be_added_says_why_and_keeps_what_was_typed(editor: Browser) -> None:
    editor.open(PATH)
    typed = {"url": "http://127.0.0.1/feed.xml", "name": "mine", "everyMinutes": "45"}
    page = editor.send(f"{PATH}/add", **typed)
    assert editor.answer.status_code == 422
    assert "Nothing was added" in page
    assert "private addresses are not followed" in page
    for each in typed.values():
        assert f'value="{each}"' in page


def test_a_source_is_removed_by_its_name(app: App, editor: Browser) -> None:
    source(app)
    editor.open(PATH)
    assert "Removed. Its items stay." in editor.send(f"{PATH}/remove")
    assert not app.news.sources.are_there()


def test_the_same_story_at_another_source_is_shown_beside_an_item(
    app: App, viewer: Browser
) -> None:
    item = stored(app, "A chip maker lifts its forecast again")
    [twin] = app.news.upload(
        [Story("A Chip Maker Lifts its Forecast Again | The Wire", "https://wire.example/1")],
        source="wire",
    ).new
    page = viewer.open("/news")
    assert f'<a href="{path_of(twin)}">wire</a>' in page
    assert f'<a href="{path_of(item)}">yf_latest</a>' in page
    assert "Also at" in viewer.open(path_of(item))
