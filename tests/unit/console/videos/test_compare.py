"""Two videos side by side."""

from __future__ import annotations

import re

import pytest

from gotgan.app import App
from tests.unit.console.sheets import Browser
from tests.unit.console.videos.filling import EVIL, FIRST, SECOND, analysed, imported

_KIMCHI = ("김치찌개 최고예요 맛있어요", "김치찌개 정말 맛있다 김치찌개는", "김치찌개가 별로 실망")


def test_without_two_videos_it_asks_for_them_and_offers_those_that_were_analysed(
    app: App, viewer: Browser
) -> None:
    analysed(app)
    imported(app, SECOND)
    page = viewer.open(f"/videos/compare?first={FIRST}")
    assert "Choose two analysed videos" in page
    assert f'value="{FIRST}" list="offered"' in page
    assert re.findall(r'<option value="([ab]+)">', page) == [FIRST]


def test_both_stand_side_by_side(app: App, viewer: Browser) -> None:
    analysed(app)
    analysed(app, SECOND, title="김치찌개", said=_KIMCHI)
    page = viewer.open(f"/videos/compare?first={FIRST}&second=https://youtu.be/{SECOND}")
    sides = re.findall(r'aria-labelledby="side-\d">(.*?)</section>', page, re.DOTALL)
    assert [re.findall(r'href="/videos/(\w+)">', side)[0] for side in sides] == [FIRST, SECOND]
    assert "of 5 comments" in sides[0]
    assert "of 3 comments" in sides[1]
    assert "김치찌개" in sides[1].partition("Only in this video")[2]
    assert f"/v1/videos/compare?first={FIRST}&amp;second={SECOND}" in page


def test_one_without_comments_has_no_shares(app: App, viewer: Browser) -> None:
    analysed(app)
    analysed(app, SECOND, said=())
    page = viewer.open(f"/videos/compare?first={FIRST}&second={SECOND}")
    assert "No comments to count." in page


@pytest.mark.parametrize(
    ("second", "reason"),
    [
        (SECOND, "was not analysed yet"),
        ("ccccccccccc", "Nothing is stored about ccccccccccc"),
        (EVIL, "Not a YouTube URL or video ID"),
    ],
)
def test_what_cannot_be_compared_is_told_with_its_reason(
    app: App, viewer: Browser, second: str, reason: str
) -> None:
    analysed(app)
    imported(app, SECOND)
    page = viewer.client.get("/videos/compare", params={"first": FIRST, "second": second})
    assert page.status_code == 422
    assert reason in page.text
    assert EVIL not in page.text
