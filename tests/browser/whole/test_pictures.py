"""The pictures of the README: taken by this test, and kept where ``make pictures`` says."""

from __future__ import annotations

import os
from pathlib import Path

import pytest
from playwright.sync_api import expect

from gotgan.app import App
from tests.browser.conftest import OpenPage
from tests.browser.watching import sign_in

PICTURES = {
    "overview": ("/", 1280, "light"),
    "day": ("/day/2026-11-11", 1280, "light"),
    "day-phone": ("/day/2026-11-11", 390, "dark"),
}
"""By the name of the file: what it shows, how wide, and how it is lit."""


@pytest.mark.parametrize("name", PICTURES)
def test_a_picture_of_the_readme_is_taken(
    open_page: OpenPage, app: App, tmp_path: Path, name: str
) -> None:
    path, width, scheme = PICTURES[name]
    folder = Path(os.environ.get("PICTURES") or tmp_path)
    watched = open_page(
        viewport={"width": width, "height": 900},
        color_scheme=scheme,
        locale="en-GB",
        reduced_motion="reduce",
    )
    sign_in(watched, app, app.site.users.owner().id)
    watched.page.goto(path)
    expect(watched.page.locator("h1")).to_be_visible()
    taken = watched.page.screenshot(path=folder / f"{name}.png")
    assert taken.startswith(b"\x89PNG")
