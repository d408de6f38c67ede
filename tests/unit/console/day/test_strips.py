"""The front page: today in figures, thirty days of every domain, and the buttons that mend."""

from __future__ import annotations

import re
from datetime import timedelta

import pytest

from gotgan.app import App
from gotgan.clock import FixedClock
from gotgan.server import create_server
from tests.unit.console.conftest import Enter
from tests.unit.console.day.filling import TODAY, broken, changed_shop, ran, words_of
from tests.unit.console.market.filling import MONDAY, collected, failed
from tests.unit.console.news.filling import dead, stored
from tests.unit.console.sheets import Browser
from tests.unit.console.trial import Stage, csrf, with_mail_server
from tests.unit.domains.market.exchange import Exchange


def _row(page: str, day: str) -> str:
    found = re.search(rf'<td class="nowrap"><a href="/day/{day}.*?</tr>', page, re.DOTALL)
    assert found is not None
    return words_of(found[0])


def test_today_is_told_in_figures_with_the_way_to_its_page(app: App, viewer: Browser) -> None:
    stored(app, "One")
    stored(app, "Two")
    changed_shop(app)
    collected(app, MONDAY)
    ran(app, "news.collect", "failed")
    page = viewer.open("/")
    told = words_of(page)
    assert f'class="button primary" href="{TODAY}?zone=kst"' in page
    assert "2 new stories" in told
    assert "7 changes in shops" in told
    assert "✓ Success" in told
    assert "1 job runs ! 1 failed" in told


def test_thirty_days_are_drawn_and_are_a_table_too(
    app: App, clock: FixedClock, enter: Enter
) -> None:
    stored(app, "Before")
    clock.advance(timedelta(days=1))
    stored(app, "One")
    stored(app, "Two")
    page = enter("v").open("/")
    strip = page.partition('aria-label="News: The last 30 days"')[2].partition("</svg>")[0]
    assert strip.count("<a ") == 30
    assert "<title>2025-10-21 · 2</title>" in strip
    assert 'href="/day/2025-10-20?zone=kst"' in strip
    assert _row(page, "2025-10-21").startswith("2025-10-21 2 0 0")
    assert _row(page, "2025-10-20").startswith("2025-10-20 1 0 0")


def test_the_strips_say_how_days_went(app: App, exchange: Exchange, viewer: Browser) -> None:
    failed(app, exchange, MONDAY)
    ran(app, "news.collect", ago=24 * 60)
    page = viewer.open("/")
    assert "<title>2025-10-20 · Partial</title>" in page
    assert "<title>2025-10-19 · All jobs succeeded</title>" in page


def test_days_are_those_of_the_zone_that_somebody_chose(
    app: App, clock: FixedClock, viewer: Browser
) -> None:
    clock.advance(timedelta(hours=6))  # the 21st in Seoul, and the 20th in New York
    stored(app, "One")
    assert 'href="/day/2025-10-21?zone=kst"' in viewer.open("/")
    viewer.client.cookies["gotgan_zone"] = "new-york"
    assert 'href="/day/2025-10-20?zone=ny"' in viewer.open("/")
    assert "/day/2025-10-21" not in viewer.page


def test_it_is_told_in_korean_too(app: App, viewer: Browser) -> None:
    stored(app, "One")
    viewer.client.headers["accept-language"] = "ko"
    page = viewer.open("/")
    assert "1 새 기사" in words_of(page)
    assert "최근 30일" in page


def test_an_editor_gets_the_button_that_mends_and_a_viewer_the_way_there(
    app: App, exchange: Exchange, editor: Browser, viewer: Browser
) -> None:
    failed(app, exchange, MONDAY)
    dead(app, stored(app, "Lost"))
    editor.open("/")
    assert editor.sheet("/market/catch-up").fields["back"] == "/market/days"
    editor.send("/news/bodies/retry")
    assert app.news.count_queued("dead") == 0
    page = viewer.open("/")
    assert 'href="/market/days/2025-10-20"' in page
    assert "/market/catch-up" not in page


def test_what_mends_asks_for_a_form_of_the_session(app: App, editor: Browser) -> None:
    dead(app, stored(app, "Lost"))
    editor.open("/")
    assert editor.sheet("/news/bodies/retry").fields["csrf"] == csrf(editor.client)


@pytest.mark.parametrize("smtp", [None, "smtp://127.0.0.1:1"])
def test_mails_are_sent_by_a_button_where_there_is_a_server(
    app: App, editor: Browser, smtp: str | None
) -> None:
    app.site.inquiries.receive(
        name="n", email="n@example.com", subject="s", message="m", address="10.0.0.1"
    )
    assert ("/site/send-mails" in editor.open("/")) is (smtp is not None)


@with_mail_server
def test_what_is_to_be_set_up_is_told_with_the_way_there(viewer: Browser) -> None:
    assert 'class="button" href="/setup"' in viewer.open("/")


def test_a_part_that_cannot_be_read_says_so_and_the_rest_is_there(
    app: App, viewer: Browser
) -> None:
    stored(app, "One")
    broken(app, "analysis_jobs")
    page = viewer.open("/")
    assert viewer.answer.status_code == 200
    assert "Not loaded" in page
    assert "Part of this page could not be loaded" in page
    assert "1 new story" in words_of(page)


def test_a_server_of_some_domains_tells_of_those_alone(
    app: App, stage: Stage, viewer: Browser
) -> None:
    stage.plays = create_server(app, domains=("site", "news"))
    page = viewer.open("/")
    assert viewer.answer.status_code == 200
    assert "News: The last 30 days" in page
    assert "Market: The last 30 days" not in page
    assert "Show the whole day" not in page
    assert 'href="/day/' not in page


def test_a_stranger_is_told_nothing_of_it(app: App, enter: Enter) -> None:
    stored(app, "One")
    page = enter("").open("/")
    assert "day-strip" not in page
    assert "Today" not in page
