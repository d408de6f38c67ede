"""Many ask for the same at once: one of them wins, and nothing is lost."""

from __future__ import annotations

from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from threading import Barrier
from typing import Any, TypeVar

import httpx
import pytest

from tests.unit.api.calling import Api

CROWD = 8
T = TypeVar("T")


@pytest.fixture
def category(api: Api) -> Any:
    """Where everything happens."""
    return api.category("c001")


def _at_once(*doings: Callable[[], T]) -> list[T]:
    """What comes of doing all of it at the same moment."""
    start = Barrier(len(doings))

    def begin(doing: Callable[[], T]) -> T:
        start.wait()
        return doing()

    with ThreadPoolExecutor(len(doings)) as pool:
        return [each.result() for each in [pool.submit(begin, doing) for doing in doings]]


def _statuses(answers: list[httpx.Response]) -> list[int]:
    return sorted(answer.status_code for answer in answers)


@pytest.mark.usefixtures("category")
@pytest.mark.parametrize("kind", ["posts", "drafts", "banners", "categories"])
def test_of_many_changes_for_one_version_one_is_made(api: Api, kind: str) -> None:
    make = {"posts": api.post, "drafts": api.draft, "banners": api.banner}.get(kind)
    path = f"/{kind}/{make()['id'] if make else 'c001'}"

    def change(number: int) -> httpx.Response:
        tag = {"If-Match": '"1"'}
        return api.call("PATCH", path, json={"title": f"By {number}"}, headers=tag)

    answers = _at_once(*(lambda n=n: change(n) for n in range(CROWD)))
    assert _statuses(answers) == [200] + [412] * (CROWD - 1)
    won = next(answer.json()["data"] for answer in answers if answer.is_success)
    assert api.data("GET", path) == won
    for answer in answers:
        if answer.is_error:
            assert answer.json()["error"]["details"]["current"] == 2


@pytest.mark.usefixtures("category")
@pytest.mark.parametrize("kind", ["posts", "drafts", "banners", "categories"])
def test_of_many_deletions_one_is_made_and_the_others_find_nothing(api: Api, kind: str) -> None:
    make = {"posts": api.post, "drafts": api.draft, "banners": api.banner}.get(kind)
    path = f"/{kind}/{make()['id'] if make else 'c001'}"
    answers = _at_once(*[lambda: api.call("DELETE", path)] * CROWD)
    assert _statuses(answers) == [200] + [404] * (CROWD - 1)


@pytest.mark.usefixtures("category")
def test_changes_that_are_repeated_until_they_are_made_are_all_there(api: Api) -> None:
    post = api.post(contents="")

    def add(number: int) -> None:
        while True:
            now = api.data("GET", f"/posts/{post['id']}?consistent=true")
            body = {"contents": f"{now['contents']} {number}", "version": now["version"]}
            if api.call("PATCH", f"/posts/{post['id']}", json=body).is_success:
                return

    _at_once(*(lambda n=n: add(n) for n in range(CROWD)))
    after = api.data("GET", f"/posts/{post['id']}")
    assert sorted(after["contents"].split()) == [str(number) for number in range(CROWD)]
    assert after["version"] == CROWD + 1


@pytest.mark.usefixtures("category")
def test_a_move_and_a_change_at_once_are_one_or_the_other(api: Api) -> None:
    api.category("c002")
    for _ in range(10):
        post = api.post("c001")
        path, tag = f"/posts/{post['id']}", {"If-Match": '"1"'}
        answers = _at_once(
            lambda: api.call("PATCH", path, json={"categoryId": "c002"}, headers=tag),  # noqa: B023
            lambda: api.call("PATCH", path, json={"title": "Changed"}, headers=tag),  # noqa: B023
        )
        assert _statuses(answers) == [200, 412]
        now = api.data("GET", path)
        assert (now["categoryId"], now["title"]) in {("c002", "A title"), ("c001", "Changed")}
        assert now["version"] == 2


@pytest.mark.usefixtures("category")
def test_a_draft_that_many_publish_is_one_post(api: Api) -> None:
    for _ in range(5):
        draft = api.draft()
        path = f"/drafts/{draft['id']}/publish"
        answers = _at_once(*[lambda: api.call("POST", path)] * CROWD)  # noqa: B023
        assert _statuses(answers) == [200] * CROWD
        assert len({answer.json()["data"]["id"] for answer in answers}) == 1
        posts = api.data("GET", "/posts?category=c001&limit=100")["items"]
        assert [post["draftId"] for post in posts].count(draft["id"]) == 1


def test_of_many_categories_with_one_slug_one_is_made(api: Api) -> None:
    for number in range(5):
        body = {"title": "News", "slug": f"news-{number}"}
        answers = _at_once(*[lambda: api.call("POST", "/categories", json=body)] * CROWD)  # noqa: B023
        assert _statuses(answers) == [201] + [409] * (CROWD - 1)
        codes = {answer.json()["error"]["code"] for answer in answers if answer.is_error}
        assert codes == {"slug_taken"}
        with_it = [each for each in api.data("GET", "/categories")["items"]
                   if each["slug"] == body["slug"]]  # fmt: skip
        assert len(with_it) == 1


@pytest.mark.parametrize("kind", ["post", "draft", "moved post", "moved draft"])
def test_no_article_gets_into_a_category_that_is_being_deleted(api: Api, kind: str) -> None:
    api.category("home")
    kept = refused = 0
    for number in range(15):
        name = f"c{number}"
        api.category(name)
        arrive = _arrival(api, kind, name)
        came, gone = _at_once(arrive, lambda: api.call("DELETE", f"/categories/{name}"))  # noqa: B023
        is_there = api.call("GET", f"/categories/{name}?consistent=true").is_success
        assert is_there == (gone.status_code != 200)
        if came.is_success:
            assert is_there
            assert gone.json()["error"]["code"] in {"category_has_posts", "store.condition"}
            kept += 1
        else:
            assert came.json()["error"]["code"] == "not_found"
            assert gone.status_code == 200
            refused += 1
    assert kept + refused == 15


def _arrival(api: Api, kind: str, name: str) -> Callable[[], httpx.Response]:
    words = {"categoryId": name, "title": "A", "contents": "B"}
    if kind in {"post", "draft"}:
        return lambda: api.call("POST", f"/{kind}s", json=words)
    place = f"/{kind.removeprefix('moved ')}s"
    made = api.data("POST", place, json={**words, "categoryId": "home"})
    body = {"categoryId": name, "version": 1}
    return lambda: api.call("PATCH", f"{place}/{made['id']}", json=body)
