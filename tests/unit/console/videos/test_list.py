"""The list: each video with its latest analysis, a form for another, and what all of it cost."""

from __future__ import annotations

import re
from datetime import timedelta

import pytest

from gotgan.app import App
from gotgan.clock import FixedClock
from gotgan.settings import Secret, Settings
from tests.unit.console.conftest import Enter
from tests.unit.console.sheets import Browser
from tests.unit.console.videos.filling import (
    EVIL,
    FIRST,
    SECOND,
    analysed,
    claimed,
    failed,
    imported,
)

with_key = pytest.mark.parametrize(
    "settings", [Settings(given_secret=Secret("x" * 32), youtube_key=Secret("a-key"))]
)
"""A key of YouTube's is set; nobody is asked here."""


def _row(page: str, video_id: str = FIRST) -> str:
    """What the list says of a video, without its marks."""
    found = re.search(rf'<tr>(?:(?!</tr>).)*id="open-{video_id}".*?</tr>', page, re.DOTALL)
    assert found is not None
    return " ".join(re.sub(r"<[^>]*>", " ", found[0]).split())


def test_without_a_video_it_says_how_to_begin(editor: Browser) -> None:
    page = editor.open("/videos")
    assert "No videos yet" in page
    assert '<details id="import" class="card" open>' in page


def test_a_fresh_analysis_is_told_with_its_age_and_what_was_found(
    app: App, clock: FixedClock, viewer: Browser
) -> None:
    analysed(app)
    clock.advance(timedelta(hours=3))
    row = _row(viewer.open("/videos"))
    assert "비빔국수 만들기" in row
    assert "Completed" in row
    assert "Fresh 3 hours ago v1" in row
    assert "positive 40 %, neutral 40 %, negative 20 %" in row


def test_one_that_has_expired_is_called_stale(app: App, clock: FixedClock, enter: Enter) -> None:
    analysed(app)
    clock.advance(timedelta(days=3))
    row = _row(enter("v").open("/videos"))
    assert "Stale 3 days ago v1" in row


def test_the_latest_job_is_told_whatever_there_was_before(
    app: App, clock: FixedClock, enter: Enter
) -> None:
    imported(app, SECOND)
    analysed(app)
    clock.advance(timedelta(days=2))
    failed(app)
    page = enter("v").open("/videos")
    assert "Failed ANALYSIS_RATE_LIMITED" in _row(page)
    assert "Not analysed yet" in _row(page, SECOND)


def test_a_list_in_which_something_moves_is_read_again_by_itself(app: App, viewer: Browser) -> None:
    imported(app)
    assert "every 5s" not in viewer.open("/videos")
    claimed(app)
    page = viewer.open("/videos")
    assert 'hx-trigger="every 5s, run-ended from:body"' in page
    alone = viewer.client.get(
        "/videos", headers={"HX-Request": "true", "HX-Target": "videos-list"}
    ).text
    assert alone.lstrip().startswith('<div id="videos-list"')
    assert "Quota and cost" not in alone


def test_a_video_is_asked_for_joined_and_given_again(app: App, editor: Browser) -> None:
    imported(app)
    editor.open("/videos")
    address = f"https://youtu.be/{FIRST}?t=3"
    assert "The analysis is queued." in editor.send("/videos", video=address)
    assert editor.path == f"/videos/{FIRST}"
    editor.open("/videos")
    assert "this page follows it" in editor.send("/videos", video=address)
    app.videos.work()
    editor.open("/videos")
    assert "A fresh analysis already exists" in editor.send("/videos", video=address)
    assert len(app.videos.jobs().items) == 1


@pytest.mark.parametrize(
    ("video", "reason"),
    [(EVIL, "Not a YouTube URL or video ID"), (SECOND, "Set YOUTUBE_API_KEY, or import the video")],
)
def test_what_cannot_be_analysed_is_handed_back_with_its_reason(
    app: App, editor: Browser, video: str, reason: str
) -> None:
    editor.open("/videos")
    page = editor.send("/videos", video=video, analyser="builtin")
    assert editor.answer.status_code == 422
    assert reason in page
    assert EVIL not in page
    assert editor.sheet("/videos").fields["video"] == video.strip()
    assert app.videos.jobs().items == ()


def test_an_analyser_that_lacks_its_key_is_told_so(app: App, editor: Browser) -> None:
    imported(app)
    editor.open("/videos")
    page = editor.send("/videos", video=FIRST, analyser="gemini")
    assert editor.answer.status_code == 422
    assert "The analyser gemini needs" in page
    assert editor.sheet("/videos").fields["analyser"] == "gemini"


def test_the_list_goes_on_behind_its_first_page(app: App, viewer: Browser) -> None:
    lines = "".join(f"{number:011},word\n" for number in range(30))
    app.videos.import_files([("x.csv", f"video_id,text\n{lines}".encode())])
    page = viewer.open("/videos")
    shown = re.findall(r'id="open-(\d+)"', page)
    [following] = re.findall(r'href="(/videos\?cursor=[^"]+)" rel="next"', page)
    rest = re.findall(r'id="open-(\d+)"', viewer.open(following))
    assert (len(shown), len(rest), len({*shown, *rest})) == (25, 5, 30)


def test_all_of_it_is_there_as_a_file(app: App, viewer: Browser) -> None:
    analysed(app)
    imported(app, SECOND, title="=cmd()")
    rows = viewer.client.get("/videos.csv").text.splitlines()
    assert rows[0].startswith("\ufeffvideoId,title,analysisVersion")
    assert sorted(row.split(",")[0] for row in rows[1:]) == [FIRST, SECOND]
    assert "'=cmd()" in "".join(rows)


def test_without_a_key_no_units_are_told(app: App, viewer: Browser) -> None:
    analysed(app)
    page = viewer.open("/videos")
    assert "No YouTube key is set (YOUTUBE_API_KEY)" in page
    assert "Analyses <strong>1</strong>" in page


@with_key
def test_with_a_key_the_units_of_the_day_are_told(viewer: Browser) -> None:
    page = viewer.open("/videos")
    assert "0 of 10,000 units used today" in page
    assert "resets at <time" in page


def test_what_the_cache_saved_is_told(app: App, viewer: Browser) -> None:
    analysed(app)
    app.videos.analyse(FIRST)
    page = viewer.open("/videos")
    assert "In 30 days, stored analyses were reused 1 time, which saved 0 units and $0." in page
    rows = viewer.client.get("/videos/costs.csv").text.splitlines()
    assert len(rows) == 31
    assert rows[1] == "2100-01-01,1,0,0,0,0,0.0,0,1,0,0.0"
    assert page.count('<rect class="some"') == 2


def test_it_is_told_in_korean(app: App, viewer: Browser) -> None:
    analysed(app)
    page = viewer.client.get("/videos", headers={"accept-language": "ko"}).text
    assert "영상마다 최신 분석을 보여 줍니다." in page
    assert "유효 방금 v1" in " ".join(_row(page).split())


def test_what_is_old_is_forgotten_by_a_button(app: App, clock: FixedClock, enter: Enter) -> None:
    imported(app)
    clock.advance(timedelta(days=31))
    assert "/videos/purge" not in enter("e").open("/videos")
    admin = enter("a")
    admin.open("/videos")
    assert "was deleted; results stay" in admin.send("/videos/purge")
    assert app.videos.is_to_purge().reason == "none_expired"


def test_versions_are_a_file(app: App, viewer: Browser) -> None:
    analysed(app)
    assert 'href="/videos/versions.csv"' in viewer.open("/videos/versions")
    head, row = viewer.open("/videos/versions.csv").splitlines()
    assert head.startswith("\ufeffversion,analyser,model,")
    assert row.startswith("v1,builtin,")
