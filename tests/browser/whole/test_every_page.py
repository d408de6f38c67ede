"""Every page: light and dark, on a desk and on a phone, without a barrier or a complaint."""

from __future__ import annotations

from collections.abc import Mapping

import pytest
from playwright.sync_api import expect

from gotgan.app import App
from tests.browser.axe import Axe
from tests.browser.conftest import OpenPage
from tests.browser.watching import sign_in
from tests.browser.whole.walking import ROUTES

UNLINKED = {
    "/jump": "leads on to another page",
    "/market/runs": "a part of other pages",
    "/news/runs": "a part of other pages",
    "/shops/runs": "a part of other pages",
    "/sign-in": "for those who are not signed in",
    "/site/runs": "a part of other pages",
    "/videos/import": "leads back to the form, for those who reload what they sent",
}
"""What no link leads to, and why."""


def test_links_lead_to_every_page(pages: Mapping[str, str]) -> None:
    assert sorted(set(ROUTES) - set(pages)) == sorted(UNLINKED)


@pytest.mark.parametrize(
    ("width", "language"), [(1280, "en-GB"), (390, "ko-KR")], ids=["desk", "phone"]
)
def test_a_page_has_no_barrier_and_fits_its_window(
    open_page: OpenPage, app: App, axe: Axe, pages: Mapping[str, str], width: int, language: str
) -> None:
    watched = open_page(viewport={"width": width, "height": 800}, locale=language)
    sign_in(watched, app, app.site.users.owner().id)
    wrong: dict[str, object] = {}
    for path in pages.values():
        watched.page.goto(path)
        if watched.overflow:
            wrong[path] = f"{watched.overflow} pixels wider than its window"
        elif barriers := axe.violations(watched.page):
            wrong[path] = barriers
    assert wrong == {}


def test_every_page_can_be_read_without_scripts(
    open_page: OpenPage, app: App, pages: Mapping[str, str]
) -> None:
    watched = open_page(java_script_enabled=False, viewport={"width": 390, "height": 800})
    sign_in(watched, app, app.site.users.owner().id)
    for path in pages.values():
        watched.page.goto(path)
        expect(watched.page.locator("h1")).to_be_visible()
        expect(watched.page.locator("p.demo")).to_be_visible()
