"""The page of bodies: what waits, what was given up, and another attempt for each or for all."""

from __future__ import annotations

import csv
import io
import re

from gotgan.app import App
from tests.unit.console.news.filling import claimed, dead, done, path_of, stored, waiting
from tests.unit.console.sheets import Browser


def _tabs(page: str) -> list[str]:
    shown = page.partition('class="tabs"')[2].partition("</nav>")[0]
    return [re.sub(r"<[^>]*>", "", each) for each in re.findall(r"<a .*?</a>", shown)]


def test_what_waits_and_what_was_given_up_are_counted(app: App, viewer: Browser) -> None:
    waiting(app, stored(app, "Waits"))
    claimed(app, stored(app, "Running"))
    dead(app, stored(app, "Dead"))
    done(app, stored(app, "Kept"))
    assert _tabs(viewer.open("/news/bodies")) == ["Waiting or running 2", "Given up 1"]


def test_what_waits_tells_when_it_is_due_and_why(app: App, viewer: Browser) -> None:
    item = stored(app, "Waits")
    waiting(app, item)
    dead(app, stored(app, "Dead"))
    page = viewer.open("/news/bodies")
    assert f'<a href="{path_of(item)}">finance.yahoo.com/news/waits-003512345.html</a>' in page
    assert "2025-11-06 09:45" in page
    assert "1 of 5" in page
    assert "answered &lt;503&gt;" in page
    assert "/dead-" not in page


def test_what_was_given_up_stands_apart(app: App, viewer: Browser) -> None:
    waiting(app, stored(app, "Waits"))
    dead(app, stored(app, "Dead"))
    page = viewer.open("/news/bodies?show=dead")
    assert "/dead-003512345.html" in page
    assert "/waits-" not in page
    assert "5 of 5" in page
    assert "gotgan news queue --dead" in page
    assert 'href="/v1/news/queue?dead=true"' in page


def test_one_article_is_tried_again(app: App, editor: Browser) -> None:
    item = stored(app, "Dead")
    dead(app, item)
    editor.open("/news/bodies?show=dead")
    assert "It is due now." in editor.send("/item/retry")
    assert app.news.count_queued("dead") == 0
    assert app.news.count_queued("retry") == 1


def test_all_that_was_given_up_is_tried_again(app: App, editor: Browser) -> None:
    for title in ("One", "Two", "Three"):
        dead(app, stored(app, title))
    editor.open("/news/bodies?show=dead")
    page = editor.send("/bodies/retry")
    assert "They are all due now." in page
    assert _tabs(page) == ["Waiting or running 3", "Given up 0"]
    assert page.count("at the next run") == 3


def test_where_nothing_waits_it_says_so(viewer: Browser) -> None:
    assert "No articles are waiting" in viewer.open("/news/bodies")
    assert "No articles were given up" in viewer.open("/news/bodies?show=dead")


def test_there_are_no_other_lists(viewer: Browser) -> None:
    for path in ("/news/bodies?show=all", "/news/bodies.csv?show=all"):
        viewer.open(path)
        assert viewer.answer.status_code == 404


def test_the_file_has_the_same_bodies(app: App, viewer: Browser) -> None:
    item = stored(app, "Dead")
    dead(app, item)
    waiting(app, stored(app, "Waits"))
    answer = viewer.client.get("/news/bodies.csv?show=dead")
    [row] = csv.DictReader(io.StringIO(answer.content.decode("utf-8-sig")))
    assert (row["pk"], row["url"], row["outcome"]) == (item.pk, item.url, "dead")
    assert (row["error"], row["attempts"]) == ("fetch.server", "5")


def test_only_the_page_of_bodies_is_marked_in_the_navigation(viewer: Browser) -> None:
    current = re.findall(r'<a href="([^"]+)" aria-current="page"', viewer.open("/news/bodies"))
    assert current == ["/news/bodies"]
    current = re.findall(r'<a href="([^"]+)" aria-current="page"', viewer.open("/news/runs"))
    assert current == ["/news"]
