"""The pages of the news in a real browser: collected, watched, read, and barrier-free."""

from __future__ import annotations

import re
import threading
from dataclasses import dataclass
from datetime import timedelta

import pytest
from playwright.sync_api import expect

from gotgan.app import App
from gotgan.domains.news.reports import BodiesReport
from gotgan.runs import ReportProgress
from gotgan.store import Cost
from tests.browser.axe import Axe
from tests.browser.conftest import OpenPage
from tests.browser.looking import wrong_with
from tests.browser.watching import sign_in
from tests.unit.console.news.filling import YAHOO, claimed, dead, done, path_of, stored, waiting

PHONE = {"width": 360, "height": 740}
SECONDS = 20


@dataclass(frozen=True)
class Newsroom:
    """What there is to look at: the pages of an item that was read, and of one that was not."""

    read: str
    failed: str

    @property
    def paths(self) -> list[str]:
        """Every page of the news."""
        return [
            "/news",
            "/news?ticker=NVDA",
            "/news?ticker=NONE",
            "/news?day=2025-11-06&zone=kst",
            self.read,
            self.failed,
            "/news/bodies",
            "/news/bodies?show=dead",
            "/news/sources",
            "/news/runs",
        ]


@pytest.fixture(scope="module")
def newsroom(app: App) -> Newsroom:
    """Items whose addresses look alike, and bodies in every state."""
    tickers = ("NVDA", "BRK-B", "005930.KS")
    read = stored(app, "Chips & more " * 12, f"{YAHOO}/chips-{'long-' * 40}123456789.html", tickers)
    stored(app, "Chips again", f"{read.url}?guccounter=1", ("NVDA",))
    words = "A paragraph of some words, as long as they are.\n\n" * 5
    published = app.clock.now() - timedelta(hours=2)
    done(app, read, text=words, author="기자", published_at=published, language="en", word_count=9)
    claimed(app, stored(app, "Under way"))
    failed = stored(app, "Given up")
    dead(app, failed)
    waiting(app, stored(app, "Waits"))
    return Newsroom(path_of(read), path_of(failed))


def test_no_page_has_a_barrier_or_is_wider_than_its_window(
    open_page: OpenPage, app: App, axe: Axe, newsroom: Newsroom
) -> None:
    assert wrong_with(open_page, app, axe, newsroom.paths) == {}


def test_a_run_is_watched_to_its_end_without_a_click(
    open_page: OpenPage, app: App, axe: Axe
) -> None:
    going = threading.Event()

    def work(tell: ReportProgress) -> BodiesReport:
        tell(7, 20, f"{YAHOO}/the-seventh.html")
        going.wait(SECONDS)
        return BodiesReport({"ok": 20}, 0, 0, None, has_more=False, cost=Cost())

    watched = open_page()
    run = app.runs.start("news.bodies", work)
    try:
        sign_in(watched, app, "u001", "/news")
        card = watched.page.locator("#run-bodies")
        expect(card).to_contain_text("7 of 20")
        expect(card.get_by_role("button")).to_be_disabled()
        assert axe.violations(watched.page) == []
        stored(app, "Found in the meantime")
    finally:
        going.set()
    app.runs.wait(run.id, SECONDS)
    expect(card).to_contain_text("Text stored 20", timeout=SECONDS * 1000)
    expect(card.get_by_role("button")).to_be_enabled()
    link = watched.page.get_by_role("link", name="Found in the meantime")
    expect(link).to_be_visible()


@pytest.mark.parametrize("script", [True, False], ids=["with scripts", "without scripts"])
def test_the_latest_list_is_collected_by_a_button(
    open_page: OpenPage, app: App, script: bool
) -> None:
    watched = open_page(java_script_enabled=script)
    sign_in(watched, app, "u002", "/news")
    page = watched.page
    page.locator("#run-collect").get_by_role("button").click()
    run = app.runs.latest("news.collect")
    assert run is not None
    app.runs.wait(run.id, SECONDS)
    page.goto("/news")
    card = page.locator("#run-collect")
    expect(card).to_contain_text(re.compile(r"listed\s+50"))
    page.locator("#day").fill("2025-11-06")
    page.get_by_role("button", name="Find").click()
    expect(page.get_by_role("navigation", name="Days")).to_contain_text("2025-11-06")


def test_what_was_given_up_is_tried_again(open_page: OpenPage, app: App) -> None:
    item = stored(app, "Once more")
    dead(app, item)
    watched = open_page(viewport=PHONE)
    sign_in(watched, app, "u002", "/news/bodies?show=dead")
    page = watched.page
    page.get_by_role("button", name="Try again: finance.yahoo.com/news/once-more").click()
    expect(page.get_by_role("status")).to_contain_text("It is due now.")
    expect(page.get_by_role("heading", level=1)).to_have_text("Once more")
