"""The search page: results, their kinds, an empty page, and its buttons."""

from __future__ import annotations

from datetime import timedelta

import pytest

from gotgan.app import App
from gotgan.clock import FixedClock
from gotgan.domains.news.models import Story
from tests.unit.console.conftest import Enter
from tests.unit.console.sheets import Browser

EVIL = '<img src=x onerror="alert(1)"> chips'


@pytest.fixture
def filled(app: App) -> App:
    """Thirty stories and a post, indexed."""
    titles = [f"Chips story {number}" for number in range(29)]
    stories = [Story(each, f"https://example.com/{each[-2:].strip()}x.html") for each in titles]
    app.news.upload([*stories, Story(EVIL, "https://example.com/evil.html")])
    category = app.site.categories.create(title="Notices")
    user = app.site.users.owner().id
    app.site.posts.create(
        category_id=category.id, author_id=user, title="Opening", contents="Hours & chips"
    )
    app.search.refresh()
    return app


@pytest.mark.usefixtures("filled")
def test_results_come_with_their_kinds_and_marks(viewer: Browser) -> None:
    page = viewer.open("/search?q=chips")
    assert "<mark>Chips</mark> story " in page
    assert 'href="/search?q=chips&amp;kind=post"' in page
    assert "Index updated 0 seconds ago." in page
    assert "gotgan search find chips" in page
    assert "/v1/search?words=chips" in page
    posts = viewer.open("/search?q=chips&kind=post")
    assert "Hours &amp; <mark>chips</mark>" in posts
    assert "Chips story" not in posts
    assert "gotgan search find --kinds post chips" in posts


@pytest.mark.usefixtures("filled")
def test_a_stored_text_is_never_html(viewer: Browser) -> None:
    page = viewer.open("/search?q=onerror")
    assert "&lt;img src=x <mark>onerror</mark>=&#34;alert(1)&#34;&gt; chips" in page
    assert "<img src=x" not in page


@pytest.mark.usefixtures("filled")
def test_there_is_a_next_page(viewer: Browser) -> None:
    first = viewer.open("/search?q=chips")
    assert "20 items" in first
    assert 'rel="next"' in first


def test_the_page_says_what_can_be_searched_for(viewer: Browser) -> None:
    assert "What are you looking for?" in viewer.open("/search")
    missed = viewer.open("/search?q=nowhere")
    assert "Nothing matches “nowhere”." in missed
    assert "The index has not been built yet." in missed


def test_an_old_index_says_so(filled: App, viewer: Browser, clock: FixedClock) -> None:
    del filled
    clock.advance(timedelta(minutes=5))
    assert "Index updated 5 minutes ago." in viewer.open("/search?q=chips")


@pytest.mark.usefixtures("filled")
def test_a_file_has_all_results(viewer: Browser) -> None:
    lines = viewer.client.get("/search.csv?q=chips").text.strip().splitlines()
    assert len(lines) == 1 + 31
    assert lines[0].lstrip("\ufeff").startswith("domain,kind,id,title")


def test_an_editor_can_update_and_an_admin_rebuild(filled: App, enter: Enter) -> None:
    assert "/search/refresh" not in enter("v").open("/search")
    editor = enter("e")
    assert "/search/rebuild" not in editor.open("/search")
    editor.send("/search/refresh")
    filled.runs.join()
    admin = enter("a")
    admin.open("/search")
    admin.send("/search/rebuild")
    filled.runs.join()
    runs = [filled.runs.latest(f"search.{verb}") for verb in ("refresh", "rebuild")]
    assert [run and run.state for run in runs] == ["done", "done"]
