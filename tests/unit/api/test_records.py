"""Records are made, read, changed and deleted alike; what is not there is not found."""

from __future__ import annotations

from typing import Any

import pytest

from gotgan.domains.site.params import MAX_DEPTH
from tests.unit.api.calling import Api

CLEARABLE = {
    "categories": {"desc": "Words", "order": 3},
    "posts": {"contentsFormat": "text", "thumbnailUrl": "/a.png", "expiresAt": 4102444800},
    "drafts": {"contentsFormat": "text", "thumbnailUrl": "/a.png", "expiresAt": 4102444800},
    "banners": {
        "desc": "Words",
        "btn1Text": "A",
        "btn1Link": "/a",
        "btn2Text": "B",
        "btn2Link": "https://example.com/b",
        "expiresAt": 4102444800,
    },
}
STAYING = {
    "categories": ("title",),
    "posts": ("title", "contents", "categoryId", "authorId"),
    "drafts": ("title", "contents", "categoryId", "authorId"),
    "banners": ("title", "imgUri"),
}
MISSING = [
    ("GET", "/posts/none", None),
    ("GET", "/posts?category=none", None),
    ("GET", "/drafts/none", None),
    ("GET", "/categories/none", None),
    ("GET", "/banners/none", None),
    ("GET", "/contact/none", None),
    ("GET", "/mails/none", None),
    ("GET", "/users/none", None),
    ("GET", "/items?type=none", None),
    ("POST", "/posts", {"categoryId": "none", "title": "A", "contents": "B"}),
    ("POST", "/drafts", {"categoryId": "none", "title": "A", "contents": "B"}),
    ("POST", "/drafts/none/publish", {}),
    ("POST", "/contact/none/reply", {"message": "A"}),
    ("POST", "/contact/none/status", {"status": "done"}),
    ("POST", "/mails/none/retry", None),
    ("POST", "/tokens", {"userId": "none", "role": "viewer"}),
    ("DELETE", "/tokens/none/none", None),
    ("DELETE", "/tokens/u001/none", None),
    *(
        (method, f"/{kind}/none", body)
        for kind, whole in {
            "posts": {"categoryId": "c001", "title": "A", "contents": "B"},
            "drafts": {"categoryId": "c001", "title": "A", "contents": "B"},
            "categories": {"title": "A"},
            "banners": {"title": "A", "imgUri": "/a.png"},
            "users": {"displayName": "A", "role": "viewer"},
        }.items()
        for method, body in (
            ("PUT", {**whole, "version": 1}),
            ("PATCH", {"version": 1}),
            ("DELETE", None),
        )
    ),
]


def _made(api: Api, kind: str, **more: Any) -> Any:
    api.category()
    if kind == "categories":
        return api.category("c002", **more)
    make = {"posts": api.post, "drafts": api.draft, "banners": api.banner}[kind]
    return make(**more)


@pytest.mark.parametrize(("kind", "fields"), CLEARABLE.items())
def test_null_clears_each_field_that_may_be_empty(
    api: Api, kind: str, fields: dict[str, Any]
) -> None:
    made = _made(api, kind, **fields)
    assert made == made | fields
    path, version = f"/{kind}/{made['id']}", 1
    for name in fields:
        changed = api.data("PATCH", path, json={name: None, "version": version})
        version += 1
        assert name not in changed
        assert name not in api.data("GET", path)
        assert changed["version"] == version


@pytest.mark.parametrize(("kind", "names"), STAYING.items())
def test_null_is_refused_where_a_field_cannot_be_empty(
    api: Api, kind: str, names: tuple[str, ...]
) -> None:
    made = _made(api, kind)
    for name in names:
        refusal = api.refusal("PATCH", f"/{kind}/{made['id']}", json={name: None, "version": 1})
        assert refusal == (422, "invalid")
    assert api.data("GET", f"/{kind}/{made['id']}") == made


def test_the_fields_of_the_company_can_be_cleared_but_for_its_name(api: Api) -> None:
    names = {"address": "A", "email": "a@example.com", "fax": "1", "corpNum": "2", "ceo": "C",
             "hp": "3"}  # fmt: skip
    api.data("PUT", "/corp", json={"name": "N", **names})
    cleared = api.data("PATCH", "/corp", json={**dict.fromkeys(names), "version": 1})
    assert not cleared.keys() & names
    assert api.refusal("PATCH", "/corp", json={"name": None, "version": 2}) == (422, "invalid")


def test_the_fields_of_a_user_cannot_be_cleared(api: Api) -> None:
    for name in ("displayName", "role"):
        body = {name: None, "version": 1}
        assert api.refusal("PATCH", "/users/u002", json=body) == (422, "invalid")


@pytest.mark.parametrize(("kind", "fields"), CLEARABLE.items())
def test_what_is_left_out_of_a_whole_record_is_cleared(
    api: Api, kind: str, fields: dict[str, Any]
) -> None:
    made = _made(api, kind, **fields)
    bare = {name: value for name, value in _bare(made).items() if name not in fields}
    written = api.data("PUT", f"/{kind}/{made['id']}", json={**bare, "version": 1})
    assert not written.keys() & fields.keys()
    assert written["version"] == 2


def _bare(made: dict[str, Any]) -> dict[str, Any]:
    ours = {"Type", "id", "CreatedAt", "UpdatedAt", "version"}
    return {name: value for name, value in made.items() if name not in ours}


@pytest.mark.parametrize("kind", CLEARABLE)
def test_a_record_can_be_written_back_as_it_was_read(api: Api, kind: str) -> None:
    made = _made(api, kind)
    written = api.data("PUT", f"/{kind}/{made['id']}", json={**_bare(made), "version": 1})
    assert _bare(written) == _bare(made)


@pytest.mark.parametrize("kind", CLEARABLE)
def test_what_is_left_out_of_a_change_stays(api: Api, kind: str) -> None:
    made = _made(api, kind, **CLEARABLE[kind])
    changed = api.data("PATCH", f"/{kind}/{made['id']}", json={"title": "B", "version": 1})
    assert _bare(changed) == {**_bare(made), "title": "B"}


@pytest.mark.parametrize("kind", CLEARABLE)
def test_what_is_deleted_is_gone_and_cannot_be_deleted_again(api: Api, kind: str) -> None:
    path = f"/{kind}/{_made(api, kind)['id']}"
    assert api.data("DELETE", path) is None
    assert api.refusal("GET", path) == (404, "not_found")
    assert api.refusal("DELETE", path) == (404, "not_found")


def test_what_is_not_there_is_not_found(api: Api) -> None:
    for method, path, body in MISSING:
        refusal = api.refusal(method, path, json=body)
        assert (method, path, *refusal) == (method, path, 404, "not_found")


def test_a_field_that_nobody_knows_is_refused(api: Api) -> None:
    assert api.refusal("POST", "/categories", json={"title": "A", "colour": "red"})[0] == 422
    assert api.refusal("POST", "/banners", json={"title": "A", "img_uri": "/a.png"})[0] == 422


@pytest.mark.parametrize("bad", ["a%23b", "x" * 101])
def test_an_id_that_cannot_be_one_is_invalid(api: Api, bad: str) -> None:
    for kind in ("posts", "drafts", "categories", "banners", "contact", "mails", "users"):
        assert api.refusal("GET", f"/{kind}/{bad}") == (422, "invalid")


def test_an_id_that_is_taken_is_refused_and_what_is_there_stays(api: Api) -> None:
    api.category("c001", title="First")
    api.banner(id="bn001", title="First")
    again = {"id": "c001", "title": "Second"}
    assert api.refusal("POST", "/categories", json=again) == (409, "id_taken")
    again = {"id": "bn001", "title": "Second", "imgUri": "/a.png"}
    assert api.refusal("POST", "/banners", json=again) == (409, "id_taken")
    again = {"id": "u001", "displayName": "Second", "role": "viewer"}
    assert api.refusal("POST", "/users", json=again) == (409, "id_taken")
    assert api.data("GET", "/categories/c001")["title"] == "First"
    assert api.data("GET", "/banners/bn001")["title"] == "First"
    assert api.data("GET", "/users/u001")["role"] == "admin"


@pytest.mark.parametrize("address", ["http://cdn.example.com/a.png", "//cdn.example.com/a.png"])
def test_a_picture_that_pages_cannot_load_is_refused(api: Api, address: str) -> None:
    api.category()
    post = {"categoryId": "c001", "title": "A", "contents": "B", "thumbnailUrl": address}
    assert api.refusal("POST", "/posts", json=post) == (422, "invalid")
    banner = {"title": "A", "imgUri": address}
    assert api.refusal("POST", "/banners", json=banner) == (422, "invalid")


def test_contents_that_the_database_cannot_hold_are_refused_and_not_a_failure(api: Api) -> None:
    api.category()
    deep = ['{"content":[' * depth + "]}" * depth for depth in (20, 250, 500, 2_000)]
    far = ['{"": 1}', '{"n": 1e300}', '{"n": 1e-300}', '{"n": [' + "1," * 145_000 + "1]}"]
    for contents in (*deep, *far, '"' + "x" * 300_001 + '"'):
        body = f'{{"categoryId": "c001", "title": "A", "contents": {contents}}}'
        headers = {"Content-Type": "application/json"}
        answer = api.call("POST", "/posts", content=body.encode(), headers=headers)
        assert answer.status_code in {400, 422}, contents[:80]
    assert api.data("GET", "/posts")["items"] == []


def test_contents_go_as_deep_as_the_database_holds_them(api: Api) -> None:
    api.category()
    for depth, status in ((MAX_DEPTH, 201), (MAX_DEPTH + 1, 422)):
        contents: Any = "the end"
        for _ in range(depth):
            contents = {"content": contents}
        body = {"categoryId": "c001", "title": "A", "contents": contents}
        assert api.call("POST", "/posts", json=body).status_code == status


def test_nobody_takes_away_their_own_account_or_role(api: Api) -> None:
    assert api.refusal("DELETE", "/users/u001") == (409, "own_account")
    body = {"role": "viewer", "version": 1}
    assert api.refusal("PATCH", "/users/u001", json=body) == (409, "own_account")
    assert api.data("PATCH", "/users/u001", json={"displayName": "B", "version": 1})


def test_a_user_with_many_tokens_can_be_deleted(api: Api) -> None:
    for _ in range(120):
        api.app.site.tokens.create(user_id="u002", role="viewer")
    assert api.data("DELETE", "/users/u002") is None
    assert not api.app.site.tokens.for_user("u002")


def test_the_company_takes_additional_attributes(api: Api) -> None:
    whole = {"name": "One", "kakaoTalk": "@one", "blog": "https://blog.example.com"}
    assert api.data("PUT", "/corp", json=whole)["kakaoTalk"] == "@one"
    changed = api.data("PATCH", "/corp", json={"since": "1999", "blog": None, "version": 1})
    assert "blog" not in changed
    replaced = api.data("PUT", "/corp", json={"name": "Two", "version": 2})
    assert (replaced["kakaoTalk"], replaced["since"]) == ("@one", "1999")
    assert api.data("GET", "/corp", role=None) == replaced


@pytest.mark.parametrize(
    "wrong",
    [
        {"corp_num": "1"},
        {"Type": "Post"},
        {"expiresAt": "1"},
        {"PK": "USER#u001"},
        {"a-b": "1"},
        {"since": 1999},
        {"since": "a\nb"},
        {"since": "x" * 201},
        {"since": ""},
        {"since": {"a": "b"}},
    ],
)
def test_an_additional_attribute_that_cannot_be_is_named(api: Api, wrong: dict[str, Any]) -> None:
    answer = api.call("PUT", "/corp", json={"name": "One", **wrong})
    assert answer.status_code == 422
    assert next(iter(wrong)) in answer.json()["error"]["details"][0]["at"]


def test_an_expiry_is_seconds_or_iso_text(api: Api) -> None:
    givens: list[Any] = [4_102_444_800, "2100-01-01T00:00:00Z", "2100-01-01T09:00:00+09:00"]
    for given in givens:
        assert api.banner(expiresAt=given)["expiresAt"] == 4_102_444_800
    wrongs: list[Any] = [0, True, 1.5, "soon", "", {}]
    for wrong in wrongs:
        body = {"title": "t", "imgUri": "/a.png", "expiresAt": wrong}
        assert api.refusal("POST", "/banners", json=body) == (422, "invalid")


def test_a_list_of_categories_is_a_page(api: Api) -> None:
    for number in range(3):
        api.category(f"c00{number}", order=number)
    first = api.data("GET", "/categories?limit=2")
    assert (len(first["items"]), first["read"]["items"]) == (2, 2)
    rest = api.data("GET", f"/categories?limit=2&cursor={first['cursor']}")
    assert (len(rest["items"]), rest["cursor"]) == (1, None)
    assert [each["id"] for each in api.data("GET", "/categories")["items"]] == [
        "c000",
        "c001",
        "c002",
    ]


def test_additional_attributes_are_among_the_items_of_the_type(api: Api) -> None:
    api.data("PUT", "/corp", json={"name": "곳간", "since": "1999"})
    [item] = api.data("GET", "/items?type=CorpInfo")["items"]
    assert item == api.data("GET", "/corp")
    assert item["since"] == "1999"


def test_an_adoption_reads_so_many_records_and_says_whether_it_is_complete(api: Api) -> None:
    api.category("c001")
    api.category("c002")
    report = api.data("POST", "/site/adopt", json={"maxRecords": 1})["report"]
    assert (report["read"], report["isComplete"]) == (1, False)
    for name in ("max_records", "max"):
        assert api.refusal("POST", "/site/adopt", json={name: 1}) == (422, "invalid")
