"""Categories, posts and drafts: slugs stay, posts move, drafts become posts, notices end."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from datetime import timedelta
from typing import Any

import pytest

from gotgan.app import App
from gotgan.clock import FixedClock
from tests.unit.api.calling import Api

SITE = "FMWebAppTable"


@contextmanager
def _reads(app: App) -> Iterator[dict[tuple[str, str | None], float]]:
    """The read units that each verb took of the table and its index, within the block."""
    spent: dict[tuple[str, str | None], float] = {}
    before = {(line.verb, line.index): line.reads for line in app.store.total().lines}
    yield spent
    after = {(line.verb, line.index): line.reads for line in app.store.total().lines}
    grown = {key: units - before.get(key, 0.0) for key, units in after.items()}
    spent.update({key: units for key, units in grown.items() if units})


@pytest.fixture
def categories(api: Api) -> Any:
    """Two categories."""
    return api.category("c001", slug="news"), api.category("c002", slug="other")


def _ids(api: Api, path: str) -> list[str]:
    return [item["id"] for item in api.data("GET", path, role=None)["items"]]


def test_categories_come_by_their_order_and_then_by_their_titles(api: Api) -> None:
    for category_id, title, order in (
        ("a", "B", 2),
        ("b", "A", 2),
        ("c", "C", 1),
        ("d", "A", None),
    ):
        api.category(category_id, title=title, slug=category_id, order=order)
    assert _ids(api, "/categories") == ["c", "b", "a", "d"]


def test_a_category_is_found_by_its_slug_too(api: Api) -> None:
    made = api.category("c001", slug="news")
    assert api.data("GET", "/categories/news", role=None) == made


def test_a_category_without_a_slug_gets_one_of_its_title_or_its_id(api: Api) -> None:
    assert api.category("c001", title="Press & Media!")["slug"] == "press-media"
    assert api.category("c002", title="회사 소식")["slug"] == "c002"


@pytest.mark.usefixtures("categories")
def test_a_slug_is_taken_once_and_is_free_again_after_its_category(api: Api) -> None:
    body = {"id": "c003", "title": "More", "slug": "news"}
    assert api.refusal("POST", "/categories", json=body) == (409, "slug_taken")
    assert api.refusal("GET", "/categories/c003") == (404, "not_found")
    api.data("DELETE", "/categories/c001")
    assert api.data("POST", "/categories", json=body)["slug"] == "news"


@pytest.mark.usefixtures("categories")
@pytest.mark.parametrize("method", ["PUT", "PATCH"])
def test_a_slug_is_never_changed(api: Api, method: str) -> None:
    body = {"title": "News", "slug": "newer", "version": 1}
    assert api.refusal(method, "/categories/c001", json=body) == (400, "slug_immutable")
    same = {"title": "News!", "slug": "news", "version": 1}
    assert api.data(method, "/categories/c001", json=same)["title"] == "News!"
    if method == "PATCH":
        cleared = {"slug": None, "version": 2}
        assert api.refusal("PATCH", "/categories/c001", json=cleared) == (400, "slug_immutable")


@pytest.mark.usefixtures("categories")
@pytest.mark.parametrize("kind", ["posts", "drafts"])
def test_a_category_with_something_in_it_cannot_be_deleted(api: Api, kind: str) -> None:
    made = (api.post if kind == "posts" else api.draft)("c001")
    assert api.refusal("DELETE", "/categories/c001") == (409, "category_has_posts")
    api.data("DELETE", f"/{kind}/{made['id']}")
    assert api.data("DELETE", "/categories/c001") is None
    assert api.refusal("GET", "/categories/c001") == (404, "not_found")


@pytest.mark.usefixtures("categories")
@pytest.mark.parametrize("method", ["PUT", "PATCH"])
@pytest.mark.parametrize("kind", ["posts", "drafts"])
def test_an_article_that_moves_is_in_its_new_category_only(
    api: Api, kind: str, method: str
) -> None:
    made = (api.post if kind == "posts" else api.draft)("c001", thumbnailUrl="/a.png")
    body = {"categoryId": "c002", "title": "B", "contents": "C", "version": 1}
    moved = api.data(method, f"/{kind}/{made['id']}", json=body)
    assert (moved["id"], moved["categoryId"], moved["version"]) == (made["id"], "c002", 2)
    assert moved["CreatedAt"] == made["CreatedAt"]
    assert api.data("GET", f"/{kind}/{made['id']}") == moved
    if kind == "posts":
        assert (_ids(api, "/posts?category=c001"), _ids(api, "/posts?category=c002")) == (
            [],
            [made["id"]],
        )
    assert api.data("DELETE", "/categories/c001") is None


@pytest.mark.usefixtures("categories")
def test_an_article_cannot_move_to_a_category_that_is_not_there(api: Api) -> None:
    made = api.post("c001")
    body = {"categoryId": "none", "version": 1}
    assert api.refusal("PATCH", f"/posts/{made['id']}", json=body) == (404, "not_found")
    assert api.data("GET", f"/posts/{made['id']}") == made


@pytest.mark.usefixtures("categories")
def test_a_post_costs_two_reads_by_its_id_before_and_after_it_moves(api: Api) -> None:
    post = api.post("c001")
    for category in ("c002", "c001"):
        with _reads(api.app) as spent:
            api.data("GET", f"/posts/{post['id']}", role=None)
        assert spent == {("get", None): 1.0}
        body = {"categoryId": category, "version": post["version"]}
        post = api.data("PATCH", f"/posts/{post['id']}", json=body)
    with _reads(api.app) as spent:
        api.data("GET", f"/posts/{post['id']}?consistent=true", role=None)
    assert spent == {("get", None): 2.0}


@pytest.mark.usefixtures("categories")
def test_the_posts_of_a_category_cost_one_query_of_the_table(api: Api) -> None:
    api.post("c001")
    with _reads(api.app) as spent:
        api.data("GET", "/posts?category=c001", role=None)
    assert spent == {("query", None): 0.5}
    with _reads(api.app) as spent:
        api.data("GET", "/posts", role=None)
    assert spent == {("query", "Type_CreatedAt"): 0.5}


@pytest.mark.usefixtures("categories")
def test_whoever_writes_is_the_author_unless_another_is_named(api: Api) -> None:
    made = api.post("c001")
    assert made["authorId"] == "u001"
    assert api.post("c001", authorId="u002")["authorId"] == "u002"
    body = {"categoryId": "c001", "title": "B", "contents": "C", "version": 1}
    written = api.data("PUT", f"/posts/{made['id']}", role="editor", json=body)
    assert written["authorId"] == "u001"


@pytest.mark.usefixtures("categories")
@pytest.mark.parametrize("kind", ["posts", "drafts"])
def test_an_editor_writes_under_their_own_name_alone(api: Api, kind: str) -> None:
    body = {"categoryId": "c001", "title": "B", "contents": "C"}
    for other in ("u001", "nobody"):
        answer = api.call("POST", f"/{kind}", role="editor", json={**body, "authorId": other})
        assert (answer.status_code, answer.json()["error"]["code"]) == (403, "forbidden")
        assert "Only an admin can name another author" in answer.json()["error"]["message"]
    own = api.data("POST", f"/{kind}", role="editor", json={**body, "authorId": "u002"})
    assert own["authorId"] == "u002"
    path = f"/{kind}/{own['id']}"
    for method, words in (("PUT", body), ("PATCH", {})):
        named = {**words, "authorId": "u003", "version": 1}
        assert api.refusal(method, path, role="editor", json=named) == (403, "forbidden")
    assert api.data("PATCH", path, json={"authorId": "u003", "version": 1})["authorId"] == "u003"
    kept = {**body, "title": "Kept", "authorId": "u003", "version": 2}
    assert api.data("PUT", path, role="editor", json=kept)["authorId"] == "u003"
    mine = {"authorId": "u002", "version": 3}
    assert api.data("PATCH", path, role="editor", json=mine)["authorId"] == "u002"


@pytest.mark.usefixtures("categories")
def test_a_draft_is_for_the_staff_until_it_is_published(api: Api, clock: FixedClock) -> None:
    draft = api.draft("c001", title="Soon")
    assert api.refusal("GET", f"/posts/{draft['id']}", role=None) == (404, "not_found")
    assert _ids(api, "/posts") == _ids(api, "/posts?category=c001") == []
    clock.advance(timedelta(days=1))
    post = api.data("POST", f"/drafts/{draft['id']}/publish")
    assert (post["title"], post["draftId"]) == ("Soon", draft["id"])
    assert post["CreatedAt"] > draft["CreatedAt"]
    assert _ids(api, "/posts?category=c001") == [post["id"]]
    assert api.data("GET", f"/posts/{draft['id']}", role=None) == post
    assert api.refusal("GET", f"/drafts/{draft['id']}") == (404, "not_found")
    assert api.data("POST", f"/drafts/{draft['id']}/publish") == post


@pytest.mark.usefixtures("categories")
def test_a_draft_is_published_in_the_version_that_was_meant(api: Api) -> None:
    draft = api.draft("c001")
    path = f"/drafts/{draft['id']}/publish"
    assert api.refusal("POST", path, json={"version": 2}) == (409, "store.version")
    assert api.refusal("POST", path, headers={"If-Match": '"2"'}) == (412, "store.version")
    assert api.data("POST", path, json={"version": 1})["draftId"] == draft["id"]


@pytest.mark.usefixtures("categories")
def test_contents_are_given_as_they_are_and_as_safe_html(api: Api) -> None:
    post = api.post("c001", contents="# Hi <script>alert(1)</script>")
    shown = api.data("GET", f"/posts/{post['id']}?html=true", role=None)
    assert shown["contents"] == post["contents"]
    assert "<h1>" in shown["html"]
    assert "<script" not in shown["html"]
    assert "html" not in api.data("GET", f"/posts/{post['id']}", role=None)


@pytest.mark.usefixtures("categories")
def test_a_notice_and_a_banner_are_hidden_when_they_end(api: Api, clock: FixedClock) -> None:
    until = int((clock.now() + timedelta(minutes=1)).timestamp())
    post, draft = api.post("c001", expiresAt=until), api.draft("c001", expiresAt=until)
    banner = api.banner(expiresAt=until)
    kept = api.banner()
    assert _ids(api, "/posts?category=c001") == [post["id"]]
    clock.advance(timedelta(minutes=1, seconds=1))
    for path in ("/posts", "/posts?category=c001", "/items?type=Post"):
        assert _ids(api, path) == []
    for path in ("/banners", "/items?type=Banner"):
        assert _ids(api, path) == [kept["id"]]
    for kind, made in (("posts", post), ("drafts", draft), ("banners", banner)):
        path, change = f"/{kind}/{made['id']}", {"title": "B", "version": 1}
        assert api.refusal("GET", path) == (404, "not_found")
        assert api.refusal("GET", f"{path}?consistent=true") == (404, "not_found")
        assert api.refusal("PATCH", path, json=change) == (404, "not_found")


@pytest.mark.usefixtures("categories")
def test_a_notice_that_is_given_more_time_is_shown_for_longer(api: Api, clock: FixedClock) -> None:
    soon, later = (int((clock.now() + timedelta(hours=hours)).timestamp()) for hours in (1, 3))
    post = api.post("c001", expiresAt=soon)
    api.data("PATCH", f"/posts/{post['id']}", json={"expiresAt": later, "version": 1})
    clock.advance(timedelta(hours=2))
    assert api.data("GET", f"/posts/{post['id']}", role=None)["expiresAt"] == later
    api.data("PATCH", f"/posts/{post['id']}", json={"expiresAt": None, "version": 2})
    clock.advance(timedelta(hours=2))
    assert "expiresAt" not in api.data("GET", f"/posts/{post['id']}", role=None)


def test_an_author_who_is_not_there_is_refused(api: Api) -> None:
    api.category()
    words = {"categoryId": "c001", "title": "t", "contents": "c", "authorId": "nobody"}
    assert api.refusal("POST", "/posts", json=words) == (404, "not_found")
    post = api.post()
    change = {"authorId": "nobody", "version": 1}
    assert api.refusal("PATCH", f"/posts/{post['id']}", json=change) == (404, "not_found")


def test_contents_are_measured_as_the_table_measures_them(api: Api) -> None:
    api.category()
    words = {"categoryId": "c001", "title": "t", "contents": {"n": [1] * 120_000}}
    assert api.refusal("POST", "/posts", json=words) == (422, "invalid")


def test_a_page_of_long_posts_ends_after_a_megabyte(api: Api) -> None:
    api.category()
    for _ in range(6):
        api.post(contents="x" * 290_000)
    first = api.data("GET", "/posts?category=c001&limit=100")
    assert (len(first["items"]), first["cursor"] is None) == (4, False)
    rest = api.data("GET", f"/posts?category=c001&limit=100&cursor={first['cursor']}")
    assert len(rest["items"]) == 2
