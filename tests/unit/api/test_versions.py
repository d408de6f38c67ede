"""Versions: what has not changed is not sent again, and no update is lost."""

from __future__ import annotations

from datetime import timedelta
from typing import Any

import pytest

from gotgan.clock import FixedClock
from tests.unit.api.calling import Api

TAG = '"1-1763208000"'  # the version, and when the record was made
HAS_IT = [TAG, f"W/{TAG}", "*", f'"7", {TAG}', f'"7" ,W/{TAG}']
HAS_IT_NOT = [
    '"1"',
    '"1-1763207999"',
    '"2-1763208000"',
    'W/"2"',
    "1",
    "garbage",
    '""',
    "",
    '"1',
    ",",
]
BAD_MATCHES = ["1", "garbage", '"x"', '"1", "2"', "", '"-1"', '"1" *', '"' + "9" * 19 + '"']


@pytest.fixture
def category(api: Api) -> Any:
    """A category with version 1."""
    return api.category()


def test_what_is_read_and_made_and_changed_has_its_version_as_its_tag(api: Api) -> None:
    made = api.call("POST", "/categories", json={"id": "c001", "title": "News"})
    assert made.headers["ETag"] == TAG
    assert made.headers["Location"] == "/v1/categories/c001"
    assert api.call("GET", "/categories/c001").headers["ETag"] == TAG
    changed = api.call("PATCH", "/categories/c001", json={"title": "Old", "version": 1})
    assert changed.headers["ETag"] == '"2-1763208000"'
    assert changed.json()["data"]["version"] == 2


@pytest.mark.usefixtures("category")
@pytest.mark.parametrize("tags", HAS_IT)
def test_whoever_has_the_version_is_sent_nothing(api: Api, tags: str) -> None:
    answer = api.call("GET", "/categories/c001", headers={"If-None-Match": tags})
    assert (answer.status_code, answer.content) == (304, b"")
    assert answer.headers["ETag"] == TAG


@pytest.mark.usefixtures("category")
@pytest.mark.parametrize("tags", HAS_IT_NOT)
def test_whoever_has_another_version_is_sent_the_record(api: Api, tags: str) -> None:
    assert api.call("GET", "/categories/c001", headers={"If-None-Match": tags}).status_code == 200


def test_a_post_with_its_html_has_a_tag_too(api: Api, category: Any) -> None:
    post = api.post(category["id"])
    path = f"/posts/{post['id']}?html=true"
    assert api.call("GET", path).headers["ETag"] == TAG
    assert api.call("GET", path, headers={"If-None-Match": TAG}).status_code == 304


@pytest.mark.usefixtures("category")
@pytest.mark.parametrize("tag", [TAG, f"W/{TAG}", '"1"', 'W/"1"', "*"])
def test_a_change_for_the_version_that_is_there_is_made(api: Api, tag: str) -> None:
    changed = api.data("PATCH", "/categories/c001", json={"title": "B"}, headers={"If-Match": tag})
    assert (changed["title"], changed["version"]) == ("B", 2)


@pytest.mark.usefixtures("category")
@pytest.mark.parametrize("tag", BAD_MATCHES)
@pytest.mark.parametrize("method", ["PATCH", "DELETE"])
def test_a_tag_that_is_none_is_refused(api: Api, tag: str, method: str) -> None:
    words = {"json": {"title": "B"}} if method == "PATCH" else {}
    refusal = api.refusal(method, "/categories/c001", headers={"If-Match": tag}, **words)
    assert refusal == (400, "usage")
    assert api.data("GET", "/categories/c001")["version"] == 1


@pytest.mark.usefixtures("category")
def test_a_change_for_another_version_tells_both_and_changes_nothing(api: Api) -> None:
    api.data("PATCH", "/categories/c001", json={"title": "B", "version": 1})
    late = {"title": "C"}
    by_header = api.call("PATCH", "/categories/c001", json=late, headers={"If-Match": '"1"'})
    by_body = api.call("PATCH", "/categories/c001", json={**late, "version": 1})
    assert (by_header.status_code, by_body.status_code) == (412, 409)
    for answer in (by_header, by_body):
        error = answer.json()["error"]
        assert error["code"] == "store.version"
        assert (error["details"]["yours"], error["details"]["current"]) == (1, 2)
        assert error["details"]["item"]["title"] == "B"
    assert api.data("GET", "/categories/c001")["title"] == "B"


@pytest.mark.usefixtures("category")
@pytest.mark.parametrize("method", ["PUT", "PATCH"])
def test_a_change_must_say_for_which_version_it_is(api: Api, method: str) -> None:
    refusal = api.refusal(method, "/categories/c001", json={"title": "B"})
    assert refusal == (428, "version_required")


@pytest.mark.usefixtures("category")
def test_a_deletion_may_say_for_which_version_it_is(api: Api) -> None:
    assert api.refusal("DELETE", "/categories/c001", headers={"If-Match": '"2"'})[0] == 412
    assert api.data("DELETE", "/categories/c001", headers={"If-Match": '"1"'}) is None


def test_the_company_is_written_first_without_a_version_and_then_with_one(api: Api) -> None:
    assert api.refusal("GET", "/corp") == (404, "not_found")
    assert api.refusal("PATCH", "/corp", json={"name": "B", "version": 1}) == (404, "not_found")
    api.company()
    assert api.refusal("PUT", "/corp", json={"name": "B"}) == (428, "version_required")
    assert api.refusal("PUT", "/corp", json={"name": "B", "version": 7}) == (409, "store.version")
    assert api.data("PUT", "/corp", json={"name": "B", "version": 1})["name"] == "B"


def test_a_record_that_is_made_anew_is_another_one_although_its_version_is_the_same(
    api: Api, clock: FixedClock
) -> None:
    api.banner(id="bn1")
    tag = api.call("GET", "/banners/bn1").headers["ETag"]
    api.data("DELETE", "/banners/bn1")
    clock.advance(timedelta(seconds=1))
    api.banner(id="bn1", title="Another")
    assert api.call("GET", "/banners/bn1", headers={"If-None-Match": tag}).status_code == 200
    stale = api.refusal("PATCH", "/banners/bn1", json={"title": "x"}, headers={"If-Match": tag})
    assert stale == (412, "store.version")


def test_the_company_is_begun_once_and_for_no_version(api: Api) -> None:
    body = {"name": "First"}
    for match in ("*", '"1"'):
        refusal = api.refusal("PUT", "/corp", json=body, headers={"If-Match": match})
        assert refusal[1] == "store.version"
    assert api.refusal("PUT", "/corp", json={**body, "version": 7}) == (409, "store.version")
    api.data("PUT", "/corp", json=body)
    assert api.refusal("PUT", "/corp", json={"name": "Second"})[0] == 428
    assert api.data("GET", "/corp")["name"] == "First"


def test_nothing_is_made_to_have_ended_already(api: Api, category: Any) -> None:
    post = api.post(category["id"])
    banner = api.banner()
    past = {"expiresAt": 1}
    for path in (f"/posts/{post['id']}", f"/banners/{banner['id']}"):
        refused = api.refusal("PATCH", path, json={**past, "version": 1})
        assert refused == (400, "usage")
        assert api.data("GET", path)["version"] == 1
    words = {"categoryId": category["id"], "title": "t", "contents": "c", **past}
    assert api.refusal("POST", "/posts", json=words)[0] == 400
    words = {"title": "t", "imgUri": "/a.png", **past}
    assert api.refusal("POST", "/banners", json=words)[0] == 400


def test_a_change_that_moves_what_finds_a_post_is_answered_with_what_was_written(
    api: Api, category: Any
) -> None:
    post = api.post(category["id"])
    later = 1_800_000_000
    changed = api.data("PATCH", f"/posts/{post['id']}", json={"expiresAt": later, "version": 1})
    assert (changed["version"], changed["expiresAt"]) == (2, later)
    assert api.data("GET", f"/posts/{post['id']}") == changed
