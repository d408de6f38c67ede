"""The ways to a day: today, the days beside it, the month, a form, and the box that jumps."""

from __future__ import annotations

import re
from datetime import timedelta

import pytest

from gotgan.app import App
from gotgan.clock import FixedClock
from tests.unit.console.conftest import Enter
from tests.unit.console.day.filling import TODAY, ran
from tests.unit.console.market.filling import MONDAY, collected, failed
from tests.unit.console.sheets import Browser
from tests.unit.console.videos import filling as videos
from tests.unit.domains.market.exchange import Exchange


def _title_of(page: str, day: str) -> str:
    found = re.search(rf'href="/day/{day}\?zone=kst"[^>]* title="([^"]*)"', page)
    assert found is not None
    return found[1]


def test_the_section_leads_to_today_in_seoul(viewer: Browser, clock: FixedClock) -> None:
    clock.advance(timedelta(hours=6))  # the 21st in Seoul
    viewer.open("/day")
    assert str(viewer.answer.url).endswith("/day/2025-10-21?zone=kst")


def test_whoever_has_chosen_a_zone_gets_their_own_today(viewer: Browser, clock: FixedClock) -> None:
    clock.advance(timedelta(hours=6))  # the 21st in Seoul, and the 20th in New York
    viewer.client.cookies["gotgan_zone"] = "new-york"
    viewer.open("/day")
    assert str(viewer.answer.url).endswith("/day/2025-10-20?zone=ny")


def test_a_form_leads_to_any_day(viewer: Browser) -> None:
    viewer.open(f"{TODAY}?zone=ny")
    viewer.open("/day?zone=ny&day=2025-02-03")
    assert str(viewer.answer.url).endswith("/day/2025-02-03?zone=ny")


def test_the_days_beside_it_are_a_click_away(viewer: Browser) -> None:
    page = viewer.open("/day/2025-10-19?zone=utc")
    assert 'href="/day/2025-10-18?zone=utc" rel="prev"' in page
    assert 'href="/day/2025-10-20?zone=utc" rel="next"' in page
    assert 'rel="next">2025-10-21' not in viewer.open(f"{TODAY}?zone=utc")


def test_another_zone_keeps_what_was_chosen(viewer: Browser) -> None:
    page = viewer.open(f"{TODAY}?zone=kst&ticker=AAPL")
    assert f'href="{TODAY}?ticker=AAPL&amp;zone=ny"' in page


def test_a_zone_where_the_day_has_not_started_shows_its_own_today(
    viewer: Browser, clock: FixedClock
) -> None:
    clock.advance(timedelta(hours=6))  # the 21st in Seoul, and the 20th in New York
    page = viewer.open("/day/2025-10-21?zone=kst&ticker=AAPL")
    assert 'href="/day/2025-10-21?ticker=AAPL&amp;zone=kst"' in page
    assert 'href="/day/2025-10-20?zone=ny&amp;ticker=AAPL"' in page


def test_the_month_marks_each_day_by_how_it_went(
    app: App, exchange: Exchange, viewer: Browser
) -> None:
    ran(app, "news.collect", ago=24 * 60)
    ran(app, "news.collect", "failed", ago=2 * 24 * 60)
    ran(app, "news.bodies", ago=2 * 24 * 60)
    failed(app, exchange, MONDAY)
    page = viewer.open(TODAY)
    assert _title_of(page, "2025-10-20") == "2025-10-20: Failed, not recovered, today"
    assert _title_of(page, "2025-10-19") == "2025-10-19: All jobs succeeded"
    assert _title_of(page, "2025-10-18") == "2025-10-18: Some jobs failed"
    assert _title_of(page, "2025-10-12") == "2025-10-12: No data"


def test_an_analysis_that_failed_marks_its_day_until_it_is_made_up_for(
    app: App, clock: FixedClock, viewer: Browser
) -> None:
    ran(app, "news.collect")
    videos.imported(app)
    videos.failed(app)
    assert "Some jobs failed" in _title_of(viewer.open(TODAY), "2025-10-20")
    clock.advance(timedelta(hours=6))  # the 21st in Seoul
    assert "Some jobs failed" in _title_of(_in_seoul(viewer), "2025-10-20")
    videos.analysed(app)
    assert "All jobs succeeded" in _title_of(_in_seoul(viewer), "2025-10-20")


def _in_seoul(somebody: Browser) -> str:
    return somebody.open("/day/2025-10-21?zone=kst")


def test_days_that_are_still_to_come_lead_nowhere(viewer: Browser) -> None:
    page = viewer.open(TODAY)
    assert '<span class="date">21</span>' in page
    assert "/day/2025-10-21" not in page
    assert 'aria-current="date"' in page


def test_the_months_beside_it_are_a_click_away(viewer: Browser) -> None:
    page = viewer.open("/day/2025-09-10")
    assert 'href="/day/2025-08-31?zone=kst#month"' in page
    assert 'href="/day/2025-10-01?zone=kst#month"' in page
    assert "#month" in viewer.open(TODAY)
    assert "/day/2025-11-01" not in viewer.page


def test_a_day_that_is_over_is_counted_once_and_today_again(app: App, viewer: Browser) -> None:
    collected(app, MONDAY)
    ran(app, "news.collect", ago=24 * 60)
    assert "All jobs succeeded" in _title_of(viewer.open(TODAY), "2025-10-19")
    ran(app, "news.collect", "failed")
    assert "Failed" in _title_of(viewer.open(TODAY), "2025-10-20") or "Some" in viewer.page


@pytest.mark.parametrize(("words", "path"), [("2025-10-18", "/day/2025-10-18"), ("Day", TODAY)])
def test_the_box_that_jumps_knows_days(viewer: Browser, words: str, path: str) -> None:
    viewer.open(f"/jump?to={words}")
    assert viewer.path == path


def test_a_stranger_is_sent_to_the_door(enter: Enter) -> None:
    for path in ("/day", TODAY):
        location = enter("").client.get(path).headers["location"]
        assert location.startswith("/sign-in?next=")
