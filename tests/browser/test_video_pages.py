"""The pages of the videos in a real browser: every state, a dialog, files, and no barrier."""

from __future__ import annotations

import re
from datetime import timedelta
from typing import Any

import pytest
from playwright.sync_api import expect

from gotgan.app import App
from tests.browser.axe import Axe
from tests.browser.conftest import OpenPage
from tests.browser.looking import wrong_with
from tests.browser.watching import sign_in
from tests.unit.console.videos.filling import (
    analysed,
    claimed,
    failed,
    imported,
    info,
    long_said,
)

PHONE = {"width": 360, "height": 740}
SECONDS = 20
WHOLE, EMPTY, PARTIAL, BROKEN, MOVING, IDLE = (
    f"video-{word}" for word in ("whole", "empty", "parts", "error", "moves", "sleep")
)


@pytest.fixture(scope="module")
def paths(app: App) -> list[str]:
    """Every page of the videos, with a video in each of the six states."""
    done = analysed(app, WHOLE, title="아주 긴 제목을 가진 영상 " * 6, said=long_said())
    analysed(app, EMPTY, said=())
    analysed(app, PARTIAL, title="A" * 120, view_count="")
    analysed(app, BROKEN)
    failed(app, BROKEN, force=True, why="so it is, " * 30, until=app.clock.now() + timedelta(1))
    imported(app, IDLE)
    imported(app, MOVING)
    moving = claimed(app, MOVING)
    videos = [f"/videos/{video}" for video in (WHOLE, EMPTY, PARTIAL, BROKEN, MOVING, IDLE)]
    jobs = [f"/videos/jobs/{job.job_id}" for job in (done, moving)]
    sides = f"/videos/compare?first={WHOLE}&second={PARTIAL}"
    others = ["/videos/jobs", "/videos/compare", sides, "/videos/versions", "/videos/unknown-one"]
    return ["/videos", *videos, *jobs, *others]


def test_no_page_has_a_barrier_or_is_wider_than_its_window(
    open_page: OpenPage, app: App, axe: Axe, paths: list[str]
) -> None:
    assert wrong_with(open_page, app, axe, paths) == {}


def test_an_analysis_is_watched_to_its_end_in_a_dialog_that_was_closed_in_between(
    open_page: OpenPage, app: App, axe: Axe
) -> None:
    imported(app, "dialog-seen", title="Watched in a dialog")
    app.videos.analyse("dialog-seen")
    watched = open_page()
    sign_in(watched, app, "u003", "/videos")
    page = watched.page
    link = page.get_by_role("link", name="Show analysis: Watched in a dialog, Queued")
    dialog = page.get_by_role("dialog", name="Watched in a dialog")
    link.click()
    expect(dialog).to_contain_text("Waiting for a worker.")
    assert axe.violations(page) == []
    page.keyboard.press("Escape")
    expect(dialog).to_have_count(0)
    expect(link).to_be_focused()
    link.click()
    expect(dialog).to_contain_text("Analysing")
    app.videos.work()
    expect(dialog).to_contain_text("Main reactions", timeout=SECONDS * 1000)
    expect(dialog).to_contain_text("Fresh")
    assert axe.violations(page) == []
    row = page.get_by_role("row").filter(has_text="Watched in a dialog")
    page.get_by_role("button", name="Close").click()
    expect(row).to_contain_text("Completed")
    row.get_by_role("link", name="Watched in a dialog", exact=True).click()
    expect(page.get_by_role("heading", level=1)).to_have_text("Watched in a dialog")


@pytest.mark.parametrize(
    ("video", "known", "ends"),
    [
        ("goes-wholly", {"said": long_said()}, "Analysed"),
        ("goes-partly", {"view_count": ""}, "Analysed with warnings"),
        ("goes-silent", {"said": ()}, "Analysed without comments"),
        ("goes-astray", {}, "The analysis failed"),
    ],
    ids=["success", "partial", "empty", "error"],
)
def test_an_analysis_begins_idle_loads_and_comes_to_each_of_its_ends(
    open_page: OpenPage, app: App, video: str, known: dict[str, Any], ends: str
) -> None:
    imported(app, video, **known)
    watched = open_page()
    sign_in(watched, app, "u002", f"/videos/{video}")
    state = watched.page.locator("#state-title")
    expect(state).to_contain_text("Not analysed yet")
    watched.page.get_by_role("button", name="Analyse").first.click()
    expect(state).to_contain_text("Analysing")
    if known:
        app.videos.work()
    else:
        failed(app, video, why="nobody could read it")
    expect(state).to_have_text(re.compile(rf"^\s*\S+\s+{ends}\s*$"), timeout=SECONDS * 1000)


def test_the_page_of_a_video_fills_itself_when_its_job_has_ended(
    open_page: OpenPage, app: App
) -> None:
    imported(app, "page-filled")
    watched = open_page()
    sign_in(watched, app, "u002", "/videos/page-filled")
    page = watched.page
    page.get_by_role("button", name="Analyse").click()
    expect(page.locator("#video-state")).to_contain_text("Analysing")
    app.videos.work()
    counted = page.get_by_role("region", name="Counted")
    expect(counted).to_be_visible(timeout=SECONDS * 1000)
    expect(page.get_by_role("region", name="Suggested by")).to_be_visible()
    counted.get_by_text("as evidence").first.click()
    expect(counted.locator("details[open] blockquote").first).to_be_visible()


@pytest.mark.parametrize("script", [True, False], ids=["with scripts", "without scripts"])
def test_a_video_is_imported_analysed_and_made_anew_by_buttons(
    open_page: OpenPage, app: App, script: bool
) -> None:
    video = "by-hand-yes" if script else "by-hand-not"
    watched = open_page(java_script_enabled=script, viewport=PHONE)
    sign_in(watched, app, "u002", "/videos")
    page = watched.page
    if not page.get_by_label("Files", exact=True).is_visible():
        page.get_by_text("Import files").click()
    file = {"name": "한글.info.json", "mimeType": "application/json", "buffer": info(video)}
    page.get_by_label("Files", exact=True).set_input_files(file)  # type: ignore[arg-type]
    page.get_by_role("button", name="Import").click()
    expect(page.get_by_role("status")).to_have_text("Imported. It can be analysed now.")
    page.get_by_role("button", name="Analyse").click()
    expect(page.get_by_role("status")).to_have_text("The analysis is queued.")
    app.videos.work()
    page.goto(f"/videos/{video}")
    page.get_by_text("Analyse again").first.click()
    page.get_by_label("Reason").select_option("user_request")
    page.get_by_role("button", name="Analyse again").click()
    expect(page.get_by_role("status")).to_have_text("The analysis is queued.")
    app.videos.work()
    page.goto(f"/videos/{video}")
    expect(page.get_by_role("row").filter(has_text="v1")).to_have_count(2)
