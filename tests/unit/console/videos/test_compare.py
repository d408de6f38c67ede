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


def _rows(page: str) -> dict[str, list[str]]:
    """The cells of each row of the table, without marks."""
    rows = re.findall(r'<th scope="row">(.*?)</th>(.*?)</tr>', page, re.DOTALL)
    return {
        _words(name): [
            _words(cell) for cell in re.findall(r"<td[^>]*>(.*?)</td>", cells, re.DOTALL)
        ]
        for name, cells in rows
    }


def _words(marked: str) -> str:
    return " ".join(re.sub(r"<[^>]*>", " ", marked).split())


def test_two_videos_are_one_table_of_differences(app: App, viewer: Browser) -> None:
    analysed(app)
    analysed(app, SECOND, title="김치찌개", said=_KIMCHI)
    page = viewer.open(f"/videos/compare?first={FIRST}&second=https://youtu.be/{SECOND}")
    heads = re.findall(r'<th scope="col"><a href="/videos/(\w+)"', page)
    assert heads == [FIRST, SECOND]
    rows = _rows(page)
    assert rows["Comments counted"] == ["5", "3", "-2"]
    assert rows["Positive"] == ["40 %", "67 %", "+27 points"]
    assert "김치찌개" in rows["Keywords of one video only"][1]
    assert "김치찌개" not in rows["Keywords of one video only"][0]
    assert rows["Questions"][0].startswith("1 ")
    assert "No significant difference in sentiment." in page
    assert 'class="differs"' not in page
    assert f"/v1/videos/compare?first={FIRST}&amp;second={SECOND}" in page


def test_what_chance_does_not_make_is_said_and_marked(app: App, viewer: Browser) -> None:
    analysed(app, said=[f"정말 최고예요 {number}" for number in range(40)])
    analysed(app, SECOND, said=[f"별로예요, 실망했어요 {number}" for number in range(40)])
    page = viewer.open(f"/videos/compare?first={FIRST}&second={SECOND}")
    assert "Positive: higher for the first video, 100 % against 0 %." in page
    assert "Negative: higher for the second video, 100 % against 0 %." in page
    assert _rows(page)["Positive"] == ["100 %", "0 %", "-100 points significant"]
    assert page.count('class="differs"') == 3


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
