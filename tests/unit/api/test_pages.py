"""Pages: their cursors are opaque and good for one list, their bounds hold."""

from __future__ import annotations

from base64 import urlsafe_b64decode
from datetime import timedelta
from typing import Any

import pytest

from gotgan.app import App
from gotgan.clock import FixedClock
from gotgan.settings import Secret, Settings
from tests.unit.api.calling import Api

LISTS = ["/posts", "/drafts", "/banners", "/contact", "/mails", "/users", "/tokens",
         "/items?type=Banner"]  # fmt: skip


def _most(path: str) -> int:
    return 100 if path.startswith("/items") else 1_000


def _with(path: str, word: str) -> str:
    return f"{path}{'&' if '?' in path else '?'}{word}"


@pytest.fixture
def posts(api: Api, clock: FixedClock) -> list[str]:
    """Five posts in two categories, the newest first."""
    api.category("c001", slug="news")
    api.category("c002")
    made = []
    for number in range(5):
        clock.advance(timedelta(seconds=1))
        made.append(api.post("c001" if number < 3 else "c002", title=f"Post {number}")["id"])
    return made[::-1]


def _walk(api: Api, path: str) -> list[str]:
    """All ids of a list, read in pages of two."""
    found, cursor = [], ""
    while True:
        page = api.data("GET", _with(path, f"limit=2{cursor}"))
        found += [item["id"] for item in page["items"]]
        if page["cursor"] is None:
            return found
        cursor = f"&cursor={page['cursor']}"


def test_pages_give_every_post_once_newest_first(api: Api, posts: list[str]) -> None:
    assert _walk(api, "/posts") == posts
    assert _walk(api, "/items?type=Post") == posts


@pytest.mark.parametrize("name", ["c001", "news"], ids=["by its id", "by its slug"])
def test_the_pages_of_a_category_follow_each_other(api: Api, posts: list[str], name: str) -> None:
    assert _walk(api, f"/posts?category={name}") == posts[2:]


@pytest.mark.usefixtures("posts")
def test_a_page_says_what_it_cost(api: Api) -> None:
    page = api.data("GET", "/posts?limit=2")
    assert page["read"] == {"items": 2, "units": 0.5}
    page = api.data("GET", "/posts?category=c001&consistent=true")
    assert page["read"] == {"items": 3, "units": 1.0}


@pytest.mark.usefixtures("posts")
def test_a_cursor_is_opaque(api: Api) -> None:
    cursor = api.data("GET", "/posts?limit=2")["cursor"]
    assert api.data("GET", "/posts?limit=3")["cursor"] != cursor
    assert len(urlsafe_b64decode(cursor + "==")) > 16


@pytest.mark.parametrize("path", LISTS)
def test_a_made_up_cursor_is_refused(api: Api, path: str) -> None:
    for cursor in ("x", "AAAA", "%00", "é", "A" * 4096):
        assert api.refusal("GET", _with(path, f"cursor={cursor}")) == (400, "store.cursor")


@pytest.mark.usefixtures("posts")
def test_a_cursor_that_was_changed_is_refused(api: Api) -> None:
    cursor = api.data("GET", "/posts?limit=2")["cursor"]
    for place in (0, 20, len(cursor) - 1):
        other = "B" if cursor[place] == "A" else "A"
        changed = f"{cursor[:place]}{other}{cursor[place + 1 :]}"
        assert api.refusal("GET", f"/posts?limit=2&cursor={changed}") == (400, "store.cursor")


@pytest.mark.usefixtures("posts")
@pytest.mark.parametrize("path", ["/drafts", "/posts?category=c001", "/items?type=Banner"])
def test_a_cursor_of_another_list_is_refused(api: Api, path: str) -> None:
    cursor = api.data("GET", "/posts?limit=2")["cursor"]
    assert api.refusal("GET", _with(path, f"cursor={cursor}")) == (400, "store.cursor")


@pytest.mark.usefixtures("posts")
def test_a_cursor_of_a_server_with_another_secret_is_refused(api: Api, clock: FixedClock) -> None:
    settings = Settings(given_secret=Secret("another secret, of thirty-two letters"))
    with App.in_memory(clock=clock, settings=settings) as other:
        other.site.categories.create(id="c001", title="News")
        for _ in range(2):
            words: dict[str, Any] = {"author_id": "u001", "title": "A", "contents": "B"}
            other.site.posts.create(category_id="c001", **words)
        foreign = other.site.posts.list(limit=1).cursor
    assert api.refusal("GET", f"/posts?limit=1&cursor={foreign}") == (400, "store.cursor")


@pytest.mark.parametrize("path", LISTS)
def test_a_limit_or_a_cursor_out_of_bounds_is_invalid(api: Api, path: str) -> None:
    limits = [f"limit={limit}" for limit in ("0", str(_most(path) + 1), "-1", "x", "1.5", "")]
    for word in (*limits, "cursor=", f"cursor={'A' * 4097}"):
        assert api.refusal("GET", _with(path, word)) == (422, "invalid")


@pytest.mark.parametrize("path", LISTS)
def test_the_bounds_themselves_are_fine(api: Api, path: str) -> None:
    for limit in (1, _most(path)):
        assert len(api.data("GET", _with(path, f"limit={limit}"))["items"]) <= limit


@pytest.mark.parametrize("path", [*LISTS, "/categories"])
def test_an_index_refuses_to_read_consistently(api: Api, path: str) -> None:
    # Posts of a category are read by a key, so their list knows the word.
    expected = (400, "usage") if path == "/posts" else (422, "invalid")
    assert api.refusal("GET", _with(path, "consistent=true")) == expected


def test_what_is_read_by_its_key_can_be_read_consistently(api: Api) -> None:
    api.category()
    api.company()
    inquiry = api.inquiry()
    mail = api.data("GET", "/mails")["items"][0]
    paths = ["/categories/c001", "/posts?category=c001", f"/posts/{api.post()['id']}", "/corp",
             f"/drafts/{api.draft()['id']}", f"/banners/{api.banner()['id']}", "/users/u001",
             f"/contact/{inquiry['id']}", f"/mails/{mail['id']}"]  # fmt: skip
    for path in paths:
        assert api.data("GET", _with(path, "consistent=true"))
