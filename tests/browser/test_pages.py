"""Every page of the navigation, of whatever domain: phone-sized, light, dark, barrier-free."""

from __future__ import annotations

import pytest

from gotgan.app import App
from gotgan.console import SECTIONS
from tests.browser.axe import Axe
from tests.browser.conftest import OpenPage
from tests.browser.watching import sign_in

PATHS = [page.path for section in SECTIONS for page in section.pages]


@pytest.mark.parametrize("language", ["en-GB", "ko-KR"])
def test_no_page_is_wider_than_a_phone(open_page: OpenPage, app: App, language: str) -> None:
    watched = open_page(viewport={"width": 360, "height": 740}, locale=language)
    sign_in(watched, app, "u001")
    wide = {}
    for path in PATHS:
        watched.page.goto(path)
        wide[path] = watched.overflow
    assert wide == dict.fromkeys(PATHS, 0)


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_no_page_has_a_barrier(open_page: OpenPage, app: App, axe: Axe, scheme: str) -> None:
    watched = open_page(color_scheme=scheme)
    sign_in(watched, app, "u001")
    found = {}
    for path in PATHS:
        watched.page.goto(path)
        found[path] = axe.violations(watched.page)
    assert found == {path: [] for path in PATHS}
