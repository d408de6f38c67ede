"""What the console's own script does: warn before work is lost, and say what could not be had."""

from __future__ import annotations

import re
import threading

from playwright.sync_api import Dialog, expect

from gotgan.app import App
from gotgan.events import emit
from gotgan.runs import ReportProgress
from tests.browser.conftest import OpenPage
from tests.browser.watching import Watched, sign_in

SECONDS = 20


def _dialogs(watched: Watched) -> list[str]:
    """The kinds of the dialogs that open from now on; each is accepted."""
    seen: list[str] = []

    def accept(dialog: Dialog) -> None:
        seen.append(dialog.type)
        dialog.accept()

    watched.page.on("dialog", accept)
    return seen


def test_whoever_leaves_a_form_that_was_changed_is_warned(open_page: OpenPage, app: App) -> None:
    watched = open_page()
    sign_in(watched, app, "u001", "/site/company")
    seen, page = _dialogs(watched), watched.page
    page.locator("#name").fill("패밀리매니지먼트")
    page.get_by_role("link", name="Gotgan").click()
    expect(page).to_have_title(re.compile("Overview"))
    assert seen == ["beforeunload"]


def test_whoever_sends_a_form_or_changes_nothing_is_not_warned(
    open_page: OpenPage, app: App
) -> None:
    watched = open_page()
    sign_in(watched, app, "u001", "/site/categories/new")
    seen, page = _dialogs(watched), watched.page
    page.locator("#title").fill("회사 소식")
    page.locator("#title").press("Enter")
    expect(page.get_by_role("status")).to_be_visible()
    page.goto("/site/categories/new")
    page.get_by_role("link", name="Gotgan").click()
    expect(page).to_have_title(re.compile("Overview"))
    assert seen == []


def test_what_could_not_be_fetched_is_said(open_page: OpenPage, app: App) -> None:
    watched = open_page()
    sign_in(watched, app, "u001", "/site/banners/new")
    page = watched.page
    page.route("**/site/banners/preview", lambda route: route.abort())
    page.locator("[hx-post]").click()
    expect(page.get_by_role("status")).to_contain_text("The server did not answer.")
    watched.is_expected("net::ERR_FAILED")
    watched.is_expected("htmx:")


def test_a_name_in_the_box_that_jumps_leads_to_its_page(open_page: OpenPage, app: App) -> None:
    watched = open_page(locale="ko-KR")
    sign_in(watched, app, "u001")
    box = watched.page.get_by_role("combobox", name="페이지로 이동")
    box.fill("배너")
    box.press("Enter")
    watched.page.wait_for_url("**/site/banners")


def test_whoever_leaves_a_form_that_came_back_is_warned(open_page: OpenPage, app: App) -> None:
    watched = open_page()
    sign_in(watched, app, "u001", "/site/categories/new")
    seen, page = _dialogs(watched), watched.page
    page.locator("#title").fill("소식")
    page.locator("#slug").fill("No Spaces")
    page.locator("#slug").press("Enter")
    expect(page.get_by_role("alert")).to_be_visible()
    expect(page.locator("#slug")).to_be_focused()
    watched.is_expected("422")
    page.locator("#slug").click()
    page.get_by_role("link", name="Gotgan").click()
    expect(page).to_have_title(re.compile("Overview"))
    assert seen == ["beforeunload"]


def test_a_session_that_ends_while_somebody_types_takes_no_words(
    open_page: OpenPage, app: App
) -> None:
    watched = open_page()
    sign_in(watched, app, "u001", "/site/banners/new")
    page = watched.page
    page.context.clear_cookies(name="gotgan_session")
    page.locator("#title").fill("Not lost")
    page.locator("#title").blur()
    expect(page.get_by_role("alert")).to_contain_text("Sign in first")
    expect(page.locator("#title")).to_have_value("Not lost")
    expect(page.get_by_role("status")).not_to_contain_text("The server did not answer.")
    watched.is_expected("401")


def test_a_heading_sorts_a_table_and_sorts_it_backwards(open_page: OpenPage, app: App) -> None:
    watched = open_page()
    sign_in(watched, app, "u001", "/site/people")
    page = watched.page
    names = page.locator("table tbody tr td:first-child")
    heading = page.locator("table thead th").first
    heading.get_by_role("button").click()
    expect(heading).to_have_attribute("aria-sort", "ascending")
    ascending = names.all_inner_texts()
    heading.get_by_role("button").press("Enter")
    expect(heading).to_have_attribute("aria-sort", "descending")
    assert names.all_inner_texts() == ascending[::-1]
    assert len(set(ascending)) == len(ascending) >= 3


def test_the_log_of_a_run_stays_open_while_its_card_is_renewed(
    open_page: OpenPage, app: App
) -> None:
    going, ended = threading.Event(), threading.Event()

    def work(report: ReportProgress) -> None:
        emit("news.list", found=3)
        going.wait(SECONDS)
        emit("news.stored", new=2)
        report(1, 2, "second")
        ended.wait(SECONDS)

    watched = open_page()
    sign_in(watched, app, "u002", "/news")
    run = app.runs.start("news.poll", work)
    page = watched.page
    page.goto("/news/sources")
    page.get_by_text("Log (1)").click()
    going.set()
    expect(page.get_by_text("news.stored new=2")).to_be_visible(timeout=SECONDS * 1000)
    ended.set()
    app.runs.wait(run.id, SECONDS)
