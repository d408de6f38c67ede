"""What of the news needs attention, as the front page tells it."""

from __future__ import annotations

from gotgan.app import App
from gotgan.console.alerts import news_alerts
from tests.unit.console.news.filling import dead, stored, waiting
from tests.unit.console.sheets import Browser


def test_where_all_is_well_nothing_is_needed(app: App) -> None:
    waiting(app, stored(app, "Waits"))
    assert list(news_alerts(app)) == []


def test_articles_that_were_given_up_are_counted(app: App, viewer: Browser) -> None:
    for title in ("One", "Two"):
        dead(app, stored(app, title))
    page = viewer.open("/")
    assert "2 articles were given up." in page
    assert 'href="/news/bodies?show=dead">Show and try again</a>' in page
