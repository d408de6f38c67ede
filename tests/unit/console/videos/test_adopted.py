"""Jobs and results that another program saved, on the pages and in the API."""

from __future__ import annotations

import pytest
from sqlalchemy import text

from gotgan.app import App
from tests.sql.foreign import ANALYSIS_ROWS
from tests.unit.console.sheets import Browser

DONE, OPEN = "dQw4w9WgXcQ", "abcdefghijk"


@pytest.fixture(autouse=True)
def adopted(app: App) -> None:
    with app.database.begin() as connection:
        for statement in ANALYSIS_ROWS.split(";")[:2]:
            connection.execute(text(statement.replace(":", r"\:")))
    app.videos.adopt()


@pytest.mark.parametrize("path", ["/videos", "/videos/jobs", "/videos/versions", "/"])
def test_lists_have_them(viewer: Browser, path: str) -> None:
    assert viewer.client.get(path).status_code == 200


def test_a_video_shows_their_result(viewer: Browser) -> None:
    page = viewer.open(f"/videos/{DONE}")
    assert "다음 영상" in page
    assert "gemini-2.5-flash" in page


@pytest.mark.parametrize("number", [1, 2, 3, 4])
def test_a_job_says_that_another_program_made_it(viewer: Browser, number: int) -> None:
    page = viewer.open(f"/videos/jobs/3f1c2a34-000{number}-4c7e-9f5e-1f6f7c1f000{number}")
    assert "Another program" in page
    assert ("?result=7d4d" in page) is (number == 1)


def test_a_video_with_an_open_job_is_shown(viewer: Browser) -> None:
    assert "Another program" in viewer.open(f"/videos/{OPEN}")
