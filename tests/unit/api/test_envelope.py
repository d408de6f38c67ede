"""Every answer has the same shape and says which request it is of."""

from __future__ import annotations

import json
from collections.abc import Iterator

import httpx
import pytest

from gotgan.app import App
from gotgan.errors import DeclarationError, StoreUnreachable
from gotgan.listener import serve_in_thread
from gotgan.middleware import MAX_BODY_BYTES
from gotgan.server import create_server
from gotgan.settings import Secret, Settings
from tests.unit.api.calling import Api

GOOD_IDS = ["a", "trace-1.2:3_4", "x" * 128]
BAD_IDS = ["", "x" * 129, "two words", "<b>", "a/b", "né"]


def _trace(answer: httpx.Response) -> str:
    return str(answer.headers["X-Request-Id"])


def test_a_good_answer_has_data_and_no_error(api: Api) -> None:
    answer = api.call("GET", "/health", role=None)
    assert answer.headers["content-type"] == "application/json"
    body = answer.json()
    assert (body["success"], body["error"]) == (True, None)
    assert body["data"]["status"] == "ok"


def test_a_bad_answer_has_an_error_and_no_data(api: Api) -> None:
    api.app.site.adopt()  # until then the message has a hint
    answer = api.call("GET", "/posts/p001", role=None)
    assert answer.json() == {
        "success": False,
        "data": None,
        "error": {
            "code": "not_found",
            "reason": "site.not_found",
            "message": "There is no post with this ID.",
            "values": {"what": {"code": "site.kind_post", "values": {}}},
            "details": None,
            "docUrl": "/docs/errors#not_found",
            "traceId": _trace(answer),
        },
    }


@pytest.mark.parametrize("given", GOOD_IDS)
def test_the_id_of_a_request_comes_back_and_is_the_trace_of_an_error(api: Api, given: str) -> None:
    answer = api.call("GET", "/posts/p001", role=None, headers={"X-Request-Id": given})
    assert _trace(answer) == answer.json()["error"]["traceId"] == given


@pytest.mark.parametrize("given", BAD_IDS)
def test_an_id_that_cannot_be_repeated_safely_is_replaced(api: Api, given: str) -> None:
    headers = [(b"X-Request-Id", given.encode())]
    answer = api.client.get("/v1/posts/p001", headers=headers)
    assert _trace(answer) == answer.json()["error"]["traceId"] != given
    assert len(_trace(answer)) == 32


def test_each_request_without_an_id_gets_its_own(api: Api) -> None:
    answers = [api.call("GET", "/health", role=None) for _ in range(3)]
    assert len({_trace(answer) for answer in answers}) == 3


def test_an_error_is_in_the_language_that_the_request_asks_for(api: Api) -> None:
    for language, message in (
        ("ko-KR,ko;q=0.9,en;q=0.8", "없는 주소입니다. /v1/openapi.json에 모든 주소가 있습니다."),
        ("de,en;q=0.5", "There is no such address. /v1/openapi.json lists all addresses."),
    ):
        answer = api.call("GET", "/nothing", headers={"Accept-Language": language})
        error = answer.json()["error"]
        assert (error["reason"], error["message"]) == ("api.no_address", message)
        assert "Accept-Language" in answer.headers["vary"]


def test_each_invalid_value_is_explained_in_that_language_too(api: Api) -> None:
    headers = {"Accept-Language": "ko"}
    answer = api.call("GET", "/posts?limit=0", role=None, headers=headers)
    error = answer.json()["error"]
    assert error["details"] == [{"at": "query.limit", "message": "1 이상이어야 합니다"}]
    assert error["message"] == "query.limit: 1 이상이어야 합니다"
    assert error["values"]["problem"] == {
        "code": "validation.greater_than_equal",
        "values": {"ge": 1},
    }


def test_messages_in_results_are_in_that_language_too(api: Api) -> None:
    steps = api.data("GET", "/setup", headers={"Accept-Language": "ko"})["items"]
    words = {each["name"]: each["words"] for each in steps}
    assert words["company"].startswith("회사 이메일이 없어")


def test_help_texts_in_results_are_in_that_language_too(api: Api) -> None:
    for path, name, field, english, korean in (
        ("/schedule", "site.send_mails", "words", "Sends the mails that are due.", "보낼 때가 된"),
        ("/settings", "KRX_PW", "sentence", "Password at KRX.", "그 아이디의 비밀번호"),
    ):
        for language, text in (("en", english), ("ko", korean)):
            items = api.data("GET", path, headers={"Accept-Language": language})["items"]
            [item] = [each for each in items if name in each.values()]
            assert item[field].startswith(text)


def test_an_address_that_is_not_there_is_answered_like_everything_else(api: Api) -> None:
    assert api.refusal("GET", "/nothing") == (404, "not_found")


def test_a_method_that_is_not_there_is_told_those_that_are(api: Api) -> None:
    answer = api.call("PUT", "/posts", json={})
    assert (answer.status_code, answer.json()["error"]["code"]) == (405, "method_not_allowed")
    assert answer.headers["allow"] == "GET, HEAD, POST"
    answer = api.call("POST", "/posts/p001", json={})
    assert answer.headers["allow"] == "DELETE, GET, HEAD, PATCH, PUT"
    answer = api.call("POST", "/openapi.json")
    assert (answer.status_code, "GET" in answer.headers["allow"]) == (405, True)


def test_a_value_that_cannot_be_used_is_named(api: Api) -> None:
    answer = api.call("POST", "/users", json={"displayName": "", "role": "king", "more": 1})
    assert answer.status_code == 422
    error = answer.json()["error"]
    assert error["code"] == "invalid"
    assert [each["at"] for each in error["details"]] == [
        "body.displayName",
        "body.role",
        "body.more",
    ]
    assert error["message"].startswith("body.displayName: ")


@pytest.mark.parametrize("body", [b"{", b"[1, NaN]", b'{"title": "\\ud800"}', b"\xff"])
def test_a_body_that_is_no_json_is_said_to_be_none(api: Api, body: bytes) -> None:
    headers = {"Content-Type": "application/json"}
    answer = api.call("POST", "/banners", content=body, headers=headers)
    assert answer.status_code == 422
    assert answer.json()["error"]["details"][0]["at"] == "body"


@pytest.mark.parametrize("body", [b"{", b"junk", b"[]", b"0", b"null"])
def test_a_change_of_anything_takes_nothing_but_an_object(api: Api, body: bytes) -> None:
    api.category()
    headers = {"Content-Type": "application/json", "If-Match": "*"}
    answer = api.call("PATCH", "/categories/c001", content=body, headers=headers)
    assert answer.status_code == 422
    assert api.data("GET", "/categories/c001")["version"] == 1


@pytest.mark.parametrize("kind", ["text/plain", "application/x-www-form-urlencoded", None])
def test_a_body_that_does_not_say_it_is_json_is_not_read(api: Api, kind: str | None) -> None:
    headers = {} if kind is None else {"Content-Type": kind}
    body = json.dumps({"displayName": "A", "role": "viewer"}).encode()
    refusal = api.refusal("POST", "/users", content=body, headers=headers)
    assert refusal == (415, "unsupported_media_type")


def test_who_asks_is_looked_at_before_what_they_send(api: Api) -> None:
    headers = {"Content-Type": "application/json"}
    assert api.refusal("POST", "/users", role=None, content=b"{", headers=headers)[0] == 401
    assert api.refusal("POST", "/users", role="editor", content=b"{", headers=headers)[0] == 403


def test_a_body_beyond_the_bound_is_refused_by_its_length(api: Api) -> None:
    headers = {"Content-Type": "application/json"}
    body = b" " * (MAX_BODY_BYTES + 1)
    assert api.refusal("POST", "/posts", content=body, headers=headers) == (413, "too_large")


def test_a_body_beyond_the_bound_is_refused_when_it_does_not_say_its_length(api: Api) -> None:
    def chunks() -> Iterator[bytes]:
        for _ in range(3):
            yield b" " * (MAX_BODY_BYTES // 2)

    headers = {"Content-Type": "application/json"}
    assert api.refusal("POST", "/posts", content=chunks(), headers=headers) == (413, "too_large")


def test_what_nobody_expected_is_an_answer_without_its_reason(
    api: Api, monkeypatch: pytest.MonkeyPatch
) -> None:
    def broken(**_: object) -> None:
        raise RuntimeError("a secret of the server")

    monkeypatch.setattr(api.app.site.company, "get", broken)
    answer = api.call("GET", "/corp", role=None)
    assert (answer.status_code, answer.json()["error"]["code"]) == (500, "failed")
    assert "secret" not in answer.text
    assert answer.json()["error"]["traceId"] == _trace(answer)


def test_a_failure_on_our_side_is_an_answer_without_its_reason(
    api: Api, monkeypatch: pytest.MonkeyPatch
) -> None:
    def misdeclared(**_: object) -> None:
        raise DeclarationError("a secret of the server")

    monkeypatch.setattr(api.app.site.company, "get", misdeclared)
    assert api.refusal("GET", "/corp", role=None) == (500, "failed")
    assert "secret" not in api.call("GET", "/corp", role=None).text


def test_a_database_that_does_not_answer_is_worth_another_try(
    api: Api, monkeypatch: pytest.MonkeyPatch
) -> None:
    def away(**_: object) -> None:
        raise StoreUnreachable("the database did not answer; try again")

    monkeypatch.setattr(api.app.site.company, "get", away)
    assert api.refusal("GET", "/corp", role=None) == (503, "store.unreachable")


def test_numbers_of_contents_come_back_as_they_were_sent(api: Api) -> None:
    api.category()
    contents = {"type": "doc", "content": [], "n": [0, -1, 1.5, 9007199254740991, 0.1]}
    made = api.post(contents=contents)
    assert api.data("GET", f"/posts/{made['id']}")["contents"] == contents
    assert api.data("GET", "/posts")["items"][0]["contents"] == contents
    for number in (2**53, 12345678901234567890123, 1e20):
        words = {"categoryId": "c001", "title": "t", "contents": {"n": number}}
        assert api.refusal("POST", "/posts", json=words)[0] == 422  # it would come back as another


def test_what_was_answered_to_somebody_is_kept_by_nobody_else(api: Api) -> None:
    public = api.call("GET", "/banners", role=None)
    assert public.headers["Cache-Control"] == "no-cache"
    own = api.call("GET", "/contact")
    assert own.headers["Cache-Control"] == "private, no-store"
    for answer in (public, own):
        assert answer.headers["X-Content-Type-Options"] == "nosniff"
        assert answer.headers["Vary"] == "Accept-Language, Authorization, Cookie"


def test_a_head_is_answered_as_a_get_without_its_body(api: Api) -> None:
    api.category()
    got, head = (api.call(method, "/categories/c001") for method in ("GET", "HEAD"))
    assert (head.status_code, head.content) == (200, b"")
    assert head.headers["ETag"] == got.headers["ETag"]
    assert head.headers["Content-Length"] == str(len(got.content))
    assert api.call("HEAD", "/categories/c009").status_code == 404


def test_pages_of_other_sites_are_let_in_by_name_alone() -> None:
    settings = Settings(given_secret=Secret("s" * 32), origins=("https://www.example.com",))
    asking = {"Access-Control-Request-Method": "POST"}
    with App.in_memory(settings=settings) as app, serve_in_thread(create_server(app)) as url:
        for origin, is_allowed in (
            ("https://www.example.com", True),
            ("https://evil.example.net", False),
        ):
            named = {**asking, "Origin": origin}
            answer = httpx.options(f"{url}/v1/contact", headers=named)
            assert (answer.headers.get("Access-Control-Allow-Origin") == origin) is is_allowed
            assert "Access-Control-Allow-Credentials" not in answer.headers


def test_nobody_is_told_where_the_database_is(api: Api, monkeypatch: pytest.MonkeyPatch) -> None:
    def unreachable(*_: object, **__: object) -> None:
        raise StoreUnreachable("the database at http://10.0.0.7:8000 cannot be reached")

    monkeypatch.setattr(api.app.store, "get", unreachable)
    answer = api.call("GET", "/corp", role=None)
    assert answer.status_code == 503
    assert "10.0.0.7" not in answer.text
