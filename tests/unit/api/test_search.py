"""Search looks for words in titles and contents, and says what it read for them."""

from __future__ import annotations

from datetime import timedelta
from typing import Any

import pytest

from gotgan.clock import FixedClock
from tests.unit.api.calling import Api

TIPTAP = {
    "type": "doc",
    "content": [
        {"type": "paragraph", "content": [{"type": "text", "text": "Hidden treasure"}]},
        {"type": "image", "attrs": {"src": "https://example.com/needle.png"}},
    ],
}


@pytest.fixture
def posts(api: Api, clock: FixedClock) -> dict[str, str]:
    """Posts by their titles."""
    api.category("c001", slug="news")
    api.category("c002")
    bodies: list[dict[str, Any]] = [
        {"title": "Straße und Haus", "contents": "A **Large** garden"},
        {"title": "사업보고서", "contents": "올해 첫 보고서입니다"},
        {"title": "Chest", "contents": TIPTAP},
        {"title": "garden", "contents": "small", "category_id": "c002"},
    ]
    made = {}
    for body in bodies:
        clock.advance(timedelta(seconds=1))
        made[body["title"]] = api.post(**body)["id"]
    return made


def _found(api: Api, q: str, **more: Any) -> list[str]:
    page = api.data("GET", "/posts", role=None, params={"q": q, **more})
    return [item["title"] for item in page["items"]]


@pytest.mark.usefixtures("posts")
@pytest.mark.parametrize(
    ("q", "titles"),
    [
        ("LARGE", ["Straße und Haus"]),
        ("garden large", ["Straße und Haus"]),
        ("strasse", ["Straße und Haus"]),
        ("Garden", ["garden", "Straße und Haus"]),
        ("보고서", ["사업보고서"]),
        ("사업보고서 올해", ["사업보고서"]),
        ("treasure hidden", ["Chest"]),
        ("needle", []),
        ("paragraph", []),
        ("garden nowhere", []),
    ],
)
def test_all_words_must_be_in_the_title_or_the_contents(
    api: Api, q: str, titles: list[str]
) -> None:
    assert _found(api, q) == titles


@pytest.mark.usefixtures("posts")
def test_search_stays_within_a_category(api: Api) -> None:
    assert _found(api, "garden", category="c001") == ["Straße und Haus"]
    assert _found(api, "garden", category="news") == ["Straße und Haus"]
    assert _found(api, "nowhere", category="news") == []


@pytest.mark.usefixtures("posts")
def test_search_says_what_it_read(api: Api) -> None:
    page = api.data("GET", "/posts?q=treasure", role=None)
    assert (page["read"]["items"], len(page["items"])) == (4, 1)
    assert page["read"]["units"] > 0
    page = api.data("GET", "/posts", role=None)
    assert page["read"]["items"] == len(page["items"]) == 4


def test_search_goes_on_across_pages(api: Api, clock: FixedClock) -> None:
    api.category("c001")
    wanted = []
    for number in range(9):
        clock.advance(timedelta(seconds=1))
        words = "needle" if number % 3 == 0 else "hay"
        made = api.post(title=f"Post {number}", contents=words)
        wanted += [made["id"]] if words == "needle" else []
    found, cursor, pages = [], None, 0
    while cursor is not None or pages == 0:
        params = {"q": "needle", "limit": "1", "category": "c001"}
        params |= {} if cursor is None else {"cursor": cursor}
        page = api.data("GET", "/posts", role=None, params=params)
        found += [item["id"] for item in page["items"]]
        cursor, pages = page["cursor"], pages + 1
    assert found == wanted[::-1]
    assert pages >= 3


def test_a_search_for_nothing_is_invalid(api: Api) -> None:
    assert api.refusal("GET", "/posts?q=") == (422, "invalid")
    assert api.refusal("GET", f"/posts?q={'x' * 201}") == (422, "invalid")
