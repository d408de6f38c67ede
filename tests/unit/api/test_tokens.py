"""Tokens that were stolen, changed, cut off or have ended open nothing."""

from __future__ import annotations

import hmac
from dataclasses import replace
from datetime import timedelta
from typing import Any

import httpx
import pytest

from gotgan.app import App
from gotgan.clock import FixedClock
from gotgan.domains.site.auth import SESSION_COOKIE, SESSION_LIFE
from gotgan.domains.site.models import Token
from gotgan.settings import Settings
from tests.unit.api.calling import Api


def test_everybody_sets_their_own_preferences_and_nobody_elses(api: Api) -> None:
    sent = {"zone": "Europe/Berlin", "language": "ko"}
    me = api.data("PATCH", "/me", role="viewer", json=sent)
    assert (me["user"]["id"], me["user"]["zone"], me["user"]["language"]) == (
        "u003",
        *sent.values(),
    )
    assert api.data("GET", "/me", role="viewer")["user"] == me["user"]
    assert "zone" not in api.data("GET", "/me", role="admin")["user"]
    user = api.data("PATCH", "/me", role="viewer", json={"zone": None})["user"]
    assert ("zone" in user, user["language"]) == (False, "ko")
    api.data("PUT", "/users/u003", json={"displayName": "Vera", "role": "viewer", "version": 3})
    assert api.data("GET", "/me", role="viewer")["user"]["language"] == "ko"


@pytest.mark.parametrize(
    ("sent", "status"),
    [({"zone": "Mars/Phobos"}, 400), ({"language": "de"}, 422), ({"role": "admin"}, 422)],
)
def test_an_unknown_preference_is_refused(api: Api, sent: dict[str, str], status: int) -> None:
    answer = api.call("PATCH", "/me", role="viewer", json=sent)
    assert answer.status_code == status
    assert "zone" not in sent or "Asia/Seoul" in answer.json()["error"]["message"]
    assert api.call("PATCH", "/me", role=None, json={}).status_code == 401


def _me(api: Api, header: str | None, **more: Any) -> httpx.Response:
    headers = [] if header is None else [(b"Authorization", header.encode())]
    return api.client.get("/v1/me", headers=headers, **more)


def _assert_nobody(answer: httpx.Response) -> None:
    assert answer.status_code == 401
    assert answer.headers["WWW-Authenticate"] == "Bearer"
    assert answer.json()["error"]["code"] == "unauthenticated"


def test_a_token_says_who_asks(api: Api) -> None:
    me = _me(api, f"Bearer {api.tokens['editor']}").json()["data"]
    assert (me["user"]["id"], me["role"], me["token"]["userId"]) == ("u002", "editor", "u002")
    assert _me(api, f"bearer   {api.tokens['editor']}").is_success


def test_whatever_is_wrong_with_a_token_the_answer_is_the_same(api: Api) -> None:
    start, user, token_id, secret = api.tokens["admin"].split(".")
    _, _, other_id, other_secret = api.tokens["viewer"].split(".")
    texts = [
        f"{start}.{user}.{token_id}.{other_secret}",
        f"{start}.{user}.{other_id}.{other_secret}",
        f"{start}.u003.{token_id}.{secret}",
        f"{start}.u003.{other_id}.{secret}",
        f"{start}.{user}.{token_id}.{secret[:-1]}",
        f"{start}.{user}.{token_id}.{secret}A",
        f"{start}.{user}.{token_id}.",
        f"{start}.{user}.{token_id}",
        f"{start}.{user}..{secret}",
        f"{start}..{token_id}.{secret}",
        f"other.{user}.{token_id}.{secret}",
        f"{start}.{user}%23.{token_id}.{secret}",
        f"{start}.%ff.{token_id}.{secret}",
        f"{start}.{'u' * 4000}.{token_id}.{secret}",
        secret,
        ".",
        "...",
        "é",
    ]
    sentences = set()
    for text in texts:
        answer = _me(api, f"Bearer {text}")
        _assert_nobody(answer)
        sentences.add(answer.json()["error"]["message"])
    assert len(sentences) == 1


@pytest.mark.parametrize("scheme", ["Basic", "Token", "", "Bearer,", "Digest"])
def test_only_a_bearer_is_let_in(api: Api, scheme: str) -> None:
    _assert_nobody(_me(api, f"{scheme} {api.tokens['admin']}".strip()))


@pytest.mark.parametrize("header", [None, "", "Bearer", "Basic YWRtaW46YWRtaW4="])
def test_nothing_is_nobody(api: Api, header: str | None) -> None:
    _assert_nobody(_me(api, header))


def test_the_hash_that_is_stored_opens_nothing(api: Api) -> None:
    [token] = api.app.site.tokens.for_user("u001")
    _assert_nobody(_me(api, f"Bearer gotgan.u001.{token.id}.{token.secret_hash}"))


def test_a_token_ends_when_it_was_said_to(api: Api, clock: FixedClock) -> None:
    body = {"userId": "u002", "role": "viewer", "expiresInDays": 1}
    text = api.data("POST", "/tokens", json=body)["text"]
    clock.advance(timedelta(days=1) - timedelta(seconds=1))
    assert _me(api, f"Bearer {text}").is_success
    clock.advance(timedelta(seconds=2))
    _assert_nobody(_me(api, f"Bearer {text}"))


def test_a_token_that_is_revoked_is_worthless_at_once(api: Api) -> None:
    issued = api.data("POST", "/tokens", json={"userId": "u002", "role": "viewer"})
    header = f"Bearer {issued['text']}"
    assert _me(api, header).is_success
    path = f"/tokens/u002/{issued['token']['id']}/revoke"
    first = api.data("POST", path)
    _assert_nobody(_me(api, header))
    assert api.data("POST", path) == first


def test_the_role_of_a_token_follows_its_user_down_and_not_up(api: Api) -> None:
    text = api.data("POST", "/tokens", json={"userId": "u002", "role": "viewer"})["text"]
    for role, told in (("admin", "viewer"), ("viewer", "viewer")):
        body = {"role": role}
        api.data("PATCH", "/users/u002", json=body, headers={"If-Match": "*"})
        assert _me(api, f"Bearer {text}").json()["data"]["role"] == told
    assert _me(api, f"Bearer {api.tokens['editor']}").json()["data"]["role"] == "viewer"


def test_no_token_is_made_with_a_role_beyond_its_users(api: Api) -> None:
    body = {"userId": "u003", "role": "editor"}
    assert api.refusal("POST", "/tokens", json=body) == (403, "forbidden")
    assert len(api.app.site.tokens.for_user("u003")) == 1


def test_the_tokens_of_a_user_go_with_the_user(api: Api) -> None:
    header = f"Bearer {api.tokens['editor']}"
    api.data("DELETE", "/users/u002")
    _assert_nobody(_me(api, header))
    api.data("POST", "/users", json={"id": "u002", "displayName": "B", "role": "admin"})
    _assert_nobody(_me(api, header))


def test_a_token_that_outlived_its_user_is_no_token_of_the_next_one(
    api: Api, clock: FixedClock
) -> None:
    [token] = api.app.site.tokens.for_user("u002")
    api.data("DELETE", "/users/u002")
    clock.advance(timedelta(seconds=1))
    api.data("POST", "/users", json={"id": "u002", "displayName": "B", "role": "admin"})
    kept = {name: getattr(token, name) for name in Token.model_fields}
    api.app.store.put_new(Token(**kept))
    _assert_nobody(_me(api, f"Bearer {api.tokens['editor']}"))


def test_the_session_of_the_console_reads_and_never_writes(api: Api, clock: FixedClock) -> None:
    session = api.app.site.tokens.redeem(api.app.site.tokens.sign_in_code("u001")).text
    cookie = {"Cookie": f"{SESSION_COOKIE}={session}"}
    assert api.client.get("/v1/me", headers=cookie).json()["data"]["role"] == "admin"
    assert api.client.get("/v1/items?type=Token", headers=cookie).is_success
    body = {"title": "A", "imgUri": "/a.png"}
    _assert_nobody(api.client.post("/v1/banners", json=body, headers=cookie))
    banner = api.banner()
    for method in ("PUT", "PATCH", "DELETE"):
        words: dict[str, Any] = {} if method == "DELETE" else {"json": {**body, "version": 1}}
        path = f"/v1/banners/{banner['id']}"
        _assert_nobody(api.client.request(method, path, headers=cookie, **words))
    assert api.data("GET", f"/banners/{banner['id']}") == banner
    clock.advance(SESSION_LIFE + timedelta(seconds=1))
    _assert_nobody(api.client.get("/v1/me", headers=cookie))


def test_a_bad_token_is_not_made_good_by_a_session(api: Api) -> None:
    session = api.app.site.tokens.redeem(api.app.site.tokens.sign_in_code("u001")).text
    cookie = {"Cookie": f"{SESSION_COOKIE}={session}"}
    _assert_nobody(api.client.get("/v1/me", headers={**cookie, "Authorization": "Bearer x"}))


def test_a_sign_in_code_is_good_once_and_for_a_quarter_of_an_hour(
    api: Api, clock: FixedClock
) -> None:
    tokens = api.app.site.tokens
    code = tokens.sign_in_code("u001")
    assert tokens.redeem(code).token.kind == "session"
    for bad in (code, "made up", ""):
        with pytest.raises(Exception, match="sign-in link"):
            tokens.redeem(bad)
    late = tokens.sign_in_code("u001")
    clock.advance(timedelta(minutes=15, seconds=1))
    with pytest.raises(Exception, match="sign-in link"):
        tokens.redeem(late)


def test_settings_that_are_empty_let_nobody_in(api: Api, server: Any) -> None:
    with App.in_memory(settings=Settings.from_env({})) as bare:
        server.state.gotgan = bare
        _assert_nobody(_me(api, None))
        _assert_nobody(_me(api, "Bearer"))
        _assert_nobody(_me(api, f"Bearer {api.tokens['admin']}"))
        assert bare.site.users.list().items == ()


def test_secrets_are_compared_in_constant_time(api: Api, monkeypatch: pytest.MonkeyPatch) -> None:
    compared: list[tuple[Any, Any]] = []

    def compare(one: Any, other: Any) -> bool:
        compared.append((one, other))
        return bool(one == other)

    monkeypatch.setattr(hmac, "compare_digest", compare)
    assert _me(api, f"Bearer {api.tokens['admin']}").is_success
    [token] = api.app.site.tokens.for_user("u001")
    assert (token.secret_hash, token.secret_hash) in compared


def test_the_last_use_of_a_token_is_noted_now_and_then(api: Api, clock: FixedClock) -> None:
    def last_used() -> Any:
        return api.app.site.tokens.for_user("u003")[0].last_used_at

    header = f"Bearer {api.tokens['viewer']}"
    assert last_used() is None
    _me(api, header)
    first = last_used()
    clock.advance(timedelta(minutes=1))
    _me(api, header)
    assert last_used() == first == clock.now() - timedelta(minutes=1)
    clock.advance(timedelta(minutes=5))
    _me(api, header)
    assert last_used() == clock.now()


def test_a_session_that_has_ended_still_sees_what_everybody_sees(api: Api) -> None:
    api.banner()
    cookie = {"Cookie": "gotgan_session=gotgan.u001.gone.secret"}
    seen = api.call("GET", "/items?type=Banner", role=None, headers=cookie)
    assert (seen.status_code, len(seen.json()["data"]["items"])) == (200, 1)
    assert api.refusal("GET", "/items?type=Draft", role=None, headers=cookie)[0] == 401


def test_a_database_that_is_too_busy_to_check_a_token_does_not_call_it_wrong(
    api: Api, monkeypatch: pytest.MonkeyPatch
) -> None:
    tokens = api.app.site.tokens
    get_all = tokens._store.get_all  # noqa: SLF001 - nothing else makes a database so busy

    def busy(refs: list[Any], **words: Any) -> Any:
        return replace(get_all(refs, **words), items=(), unread=tuple(refs))

    monkeypatch.setattr(tokens._store, "get_all", busy)  # noqa: SLF001 - the same
    assert api.refusal("GET", "/me") == (503, "store.unreachable")
