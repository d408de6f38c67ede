"""Pages looked at one after the other: whether they fit their windows, and keep anybody out."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Final

from playwright.sync_api import expect

from gotgan.app import App
from tests.browser.axe import Axe
from tests.browser.conftest import OpenPage
from tests.browser.watching import Watched, sign_in

__all__ = ["wrong_with"]

_WIDTHS: Final = (360, 1280)
"""A small phone, and a desk, at which barriers are looked for."""
_HEIGHT: Final = 740


def wrong_with(open_page: OpenPage, app: App, axe: Axe, paths: Iterable[str]) -> dict[str, object]:
    """What is wrong with some pages in either language; barriers are looked for in one."""
    wrong: dict[str, object] = {}
    for locale in ("en", "ko"):
        watched = open_page(locale=locale)
        sign_in(watched, app, "u001")
        for path in paths:
            watched.page.goto(path)
            expect(watched.page.locator("html")).to_have_attribute("lang", locale)
            wrong |= {f"{path} ({locale}, {width})": by for width, by in _too_wide(watched)}
            if locale == "en" and (barriers := axe.violations(watched.page)):
                wrong[path] = barriers
    return wrong


def _too_wide(watched: Watched) -> list[tuple[int, int]]:
    """The windows that a page does not fit, and by how many pixels."""
    found = []
    for width in _WIDTHS:
        watched.page.set_viewport_size({"width": width, "height": _HEIGHT})
        found.append((width, watched.overflow))
    return [(width, by) for width, by in found if by]
