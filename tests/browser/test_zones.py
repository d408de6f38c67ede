"""The zone that pages use: the account's choice, else the browser's, else that of the server."""

from __future__ import annotations

from zoneinfo import ZoneInfo

import pytest
from playwright.sync_api import Page, expect

from gotgan.app import App
from tests.browser.conftest import OpenPage
from tests.browser.watching import sign_in

NEW_YORK = "America/New_York"


@pytest.fixture
def user_id(app: App) -> str:
    """A user who has chosen no zone."""
    return app.site.users.create(display_name="Nora", role="viewer").id


def _choose(page: Page, name: str) -> None:
    """Press a button of the Display form, and wait for the page that follows."""
    page.get_by_text("Display", exact=True).click()
    with page.expect_navigation():
        page.get_by_role("button", name=name).click()


def _expect_zone(page: Page, user_id: str, name: str, letters: str) -> None:
    """The footer of a page names the zone, and the times on it are in that zone."""
    page.goto(f"/site/people/{user_id}")
    expect(page.get_by_role("contentinfo")).to_contain_text(name)
    expect(page.get_by_role("main").locator("time .zone").first).to_have_text(letters)


def test_pages_use_the_browsers_zone_from_the_second_one_on(
    open_page: OpenPage, app: App, user_id: str
) -> None:
    watched = open_page(timezone_id="America/Phoenix")
    watched.page.goto("/")
    expect(watched.page.get_by_role("contentinfo")).to_contain_text("Seoul")
    watched.page.goto("/")
    expect(watched.page.get_by_role("contentinfo")).to_contain_text("America/Phoenix")
    sign_in(watched, app, user_id)
    _expect_zone(watched.page, user_id, "America/Phoenix", "MST")


def test_a_browser_that_moves_to_another_zone_shows_the_new_one(
    open_page: OpenPage, app: App, user_id: str
) -> None:
    before = open_page(timezone_id="Asia/Tokyo").page
    before.goto("/")
    after = open_page(timezone_id="Pacific/Honolulu", storage_state=before.context.storage_state())
    after.page.goto("/")
    expect(after.page.get_by_role("contentinfo")).to_contain_text("Asia/Tokyo")
    sign_in(after, app, user_id)
    _expect_zone(after.page, user_id, "Pacific/Honolulu", "HST")


def test_a_choice_wins_in_every_browser_until_it_is_automatic_again(
    open_page: OpenPage, app: App, user_id: str
) -> None:
    letters = f"{app.clock.now().astimezone(ZoneInfo(NEW_YORK)):%Z}"
    first, second = open_page(timezone_id=NEW_YORK), open_page(timezone_id=NEW_YORK)
    for watched in (first, second):
        sign_in(watched, app, user_id)
        _expect_zone(watched.page, user_id, "New York", letters)
    _choose(first.page, "Seoul")
    for watched in (first, second):
        _expect_zone(watched.page, user_id, "Seoul", "KST")
    _choose(second.page, "Automatic (browser)")
    for watched in (first, second):
        _expect_zone(watched.page, user_id, "New York", letters)
