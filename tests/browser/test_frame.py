"""The frame of the console in a real browser: light and dark, two languages, phone and keyboard."""

from __future__ import annotations

import re

import pytest
from playwright.sync_api import expect

from gotgan.app import App
from tests.browser.axe import Axe
from tests.browser.conftest import OpenPage
from tests.browser.watching import sign_in

PHONE = {"width": 360, "height": 740}
PATHS = ["/", "/sign-in", "/sign-in?code=any", "/docs"]


def test_a_stranger_learns_what_this_is(open_page: OpenPage) -> None:
    page = open_page().page
    page.goto("/")
    expect(page).to_have_title("Overview · Gotgan")
    page.get_by_role("main").get_by_role("link", name="Sign in").click()
    expect(page.get_by_label("Token")).to_be_visible()


def test_a_link_signs_in_with_one_button(open_page: OpenPage, app: App) -> None:
    watched = open_page()
    sign_in(watched, app, "u001")
    page = watched.page
    expect(page.get_by_role("status")).to_have_text("You are signed in.")
    page.get_by_text("김대연").click()
    expect(page.get_by_text("Administrator · u001")).to_be_visible()
    page.get_by_role("button", name="Sign out").click()
    expect(page.get_by_role("status")).to_have_text("You are signed out.")


def test_a_token_signs_in_and_a_wrong_one_is_told_so(open_page: OpenPage, app: App) -> None:
    watched = open_page()
    page = watched.page
    page.goto("/sign-in")
    page.get_by_label("Token").fill("wrong")
    page.get_by_role("button", name="Sign in").click()
    expect(page.get_by_role("alert")).to_contain_text("The token is wrong")
    watched.is_expected("401")
    issued = app.site.tokens.create(user_id="u002", role="editor")
    page.get_by_label("Token").fill(issued.text)
    page.get_by_role("button", name="Sign in").click()
    expect(page.get_by_role("status")).to_have_text("You are signed in.")


@pytest.mark.parametrize("script", [True, False], ids=["with scripts", "without scripts"])
def test_language_theme_and_zone_are_switched_and_kept(open_page: OpenPage, script: bool) -> None:
    page = open_page(java_script_enabled=script, color_scheme="light").page
    page.goto("/")
    for name in ["Dark", "Seoul", "한국어"]:
        page.get_by_text("Display", exact=True).click()
        page.get_by_role("button", name=name).click()
    page.goto("/sign-in")
    expect(page.locator("html")).to_have_attribute("lang", "ko")
    expect(page.locator("body")).to_have_css("color-scheme", "dark")
    expect(page.locator("body")).to_have_css("background-color", "rgb(20, 22, 26)")
    expect(page.get_by_role("contentinfo")).to_contain_text("서울")
    expect(page.get_by_role("heading", level=1)).to_have_text("로그인")


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_the_theme_follows_the_system_until_somebody_chooses(
    open_page: OpenPage, scheme: str
) -> None:
    page = open_page(color_scheme=scheme).page
    page.goto("/")
    shown = {"light": "rgb(248, 247, 244)", "dark": "rgb(20, 22, 26)"}[scheme]
    expect(page.locator("body")).to_have_css("background-color", shown)


def test_everything_works_without_scripts(open_page: OpenPage, app: App) -> None:
    watched = open_page(java_script_enabled=False)
    sign_in(watched, app, "u003", "/")
    page = watched.page
    page.get_by_text("Vera").click()
    page.get_by_role("button", name="Sign out").click()
    expect(page.get_by_role("main").get_by_role("link", name="Sign in")).to_be_visible()
    expect(page.get_by_role("button", name=re.compile("Keys"))).to_be_hidden()


def test_a_question_mark_lists_the_keys(open_page: OpenPage) -> None:
    page = open_page().page
    page.goto("/")
    page.keyboard.press("?")
    dialog = page.get_by_role("dialog", name="Keys")
    expect(dialog).to_be_visible()
    page.keyboard.press("Escape")
    expect(dialog).to_be_hidden()
    page.get_by_role("button", name=re.compile("Keys")).click()
    expect(dialog).to_be_visible()


def test_a_question_mark_in_a_field_is_only_a_question_mark(open_page: OpenPage) -> None:
    page = open_page().page
    page.goto("/sign-in")
    page.get_by_label("Token").press("?")
    expect(page.get_by_label("Token")).to_have_value("?")
    expect(page.get_by_role("dialog")).to_be_hidden()


def test_a_slash_leads_to_the_box_that_jumps(open_page: OpenPage, app: App) -> None:
    watched = open_page()
    sign_in(watched, app, "u001")
    page = watched.page
    page.keyboard.press("/")
    box = page.get_by_role("combobox", name="Search, or jump")
    expect(box).to_be_focused()
    expect(box).to_have_value("")
    box.fill("nowhere in particular")
    box.press("Enter")
    expect(page.get_by_role("main")).to_contain_text("Nothing matches “nowhere in particular”.")


def test_the_keyboard_reaches_the_content_first(open_page: OpenPage) -> None:
    page = open_page().page
    page.goto("/")
    page.keyboard.press("Tab")
    expect(page.get_by_role("link", name="Skip to the content")).to_be_focused()
    page.keyboard.press("Enter")
    expect(page.get_by_role("main")).to_be_focused()


def test_a_menu_closes_when_somebody_looks_elsewhere(open_page: OpenPage) -> None:
    page = open_page().page
    page.goto("/")
    menu, button = page.get_by_text("Display", exact=True), page.get_by_role("button", name="Dark")
    menu.click()
    expect(button).to_be_visible()
    page.get_by_role("heading", level=1).click()
    expect(button).to_be_hidden()
    menu.click()
    page.keyboard.press("Escape")
    expect(button).to_be_hidden()


@pytest.mark.parametrize("language", ["en-GB", "ko-KR"])
@pytest.mark.parametrize("user", [None, "u001"], ids=["a stranger", "an admin"])
def test_a_phone_shows_every_page_without_scrolling_sideways(
    open_page: OpenPage, app: App, user: str | None, language: str
) -> None:
    watched = open_page(viewport=PHONE, locale=language)
    if user:
        sign_in(watched, app, user)
    wide = {}
    for path in [*PATHS, "/nowhere"]:
        watched.page.goto(path)
        wide[path] = watched.overflow
    assert wide == dict.fromkeys([*PATHS, "/nowhere"], 0)
    watched.is_expected("404")


def test_no_page_has_a_barrier(open_page: OpenPage, axe: Axe) -> None:
    page = open_page().page
    for path in PATHS:
        page.goto(path)
        assert axe.violations(page) == []


def test_the_list_of_keys_has_no_barrier(open_page: OpenPage, axe: Axe) -> None:
    page = open_page().page
    page.goto("/")
    page.keyboard.press("?")
    expect(page.get_by_role("dialog")).to_be_visible()
    assert axe.violations(page) == []


@pytest.mark.parametrize("width", [360, 1280])
def test_the_overview_of_an_admin_has_no_barriers(
    open_page: OpenPage, app: App, axe: Axe, width: int
) -> None:
    watched = open_page(viewport={"width": width, "height": 800}, locale="ko-KR")
    sign_in(watched, app, "u001")
    for summary in watched.page.locator("header summary:visible").all():
        summary.click()
        assert axe.violations(watched.page) == []


def test_a_page_that_is_not_there_is_a_page(open_page: OpenPage, axe: Axe) -> None:
    watched = open_page()
    watched.page.goto("/nowhere")
    expect(watched.page.get_by_role("heading", level=1)).to_have_text("Page not found")
    assert axe.violations(watched.page) == []
    watched.is_expected("404")


def test_a_script_that_a_page_does_not_bring_is_refused(open_page: OpenPage) -> None:
    watched = open_page()
    watched.page.goto("/")
    watched.page.locator("main").evaluate(
        "main => { const made = document.createElement('script');"
        " made.textContent = 'document.title = 1'; main.append(made); }"
    )
    expect(watched.page).to_have_title("Overview · Gotgan")
    watched.is_expected("Content Security Policy")
