"""Who may do what: every route and every type, asked by everybody."""

from __future__ import annotations

from datetime import timedelta
from typing import Any

import httpx
import pytest
from fastapi import FastAPI

from gotgan.clock import FixedClock
from gotgan.domains.site.keys import SITE
from gotgan.domains.site.models import ROLES, Role, SiteEntity, allows
from gotgan.store import entities_of
from tests.unit.api.calling import USERS, Api

RANKS = ("public", *ROLES)
STRANGERS = ("garbage", "expired", "revoked", "deleted")
"""Whoever holds one of these is nobody."""
CALLERS = (*RANKS, *STRANGERS, "demoted")
PUBLIC = {
    "GET /v1/banners",
    "GET /v1/banners/{id}",
    "GET /v1/categories",
    "GET /v1/categories/{id}",
    "GET /v1/corp",
    "GET /v1/health",
    "GET /v1/posts",
    "GET /v1/posts/{id}",
    "GET /v1/types",
    "POST /v1/contact",
}
FETCHING = "GET /v1/shops/{domain}/selectors/try"
"""Fetches a page of the shop, so viewers may not call it."""
OWN_ACCOUNT = "PATCH /v1/me"
"""Everyone may change their own language and zone."""
ADMIN = {
    "POST /v1/search/rebuild",
    "POST /v1/shops/remove",
    "POST /v1/tokens/{userId}/{tokenId}/revoke",
    "DELETE /v1/users/{id}",
    "DELETE /v1/videos/{video}",
    "GET /v1/costs",
    "GET /v1/events",
    "GET /v1/settings",
    "GET /v1/tokens",
    "PATCH /v1/corp",
    "PATCH /v1/users/{id}",
    "POST /v1/tokens",
    "POST /v1/users",
    "POST /v1/videos/purge",
    "PUT /v1/corp",
    "PUT /v1/users/{id}",
}
SECRET = "secretHash"
TYPES = sorted(each.__name__ for each in entities_of(SITE) if issubclass(each, SiteEntity))


@pytest.fixture
def callers(api: Api, clock: FixedClock) -> dict[str, str | None]:
    """The token of each of them; the public has none."""
    site = api.app.site
    tokens: dict[str, str | None] = {"public": None, **api.tokens, "garbage": "gotgan.u001.x.y"}
    tokens["expired"] = site.tokens.create(user_id="u001", role="admin", expires_in_days=1).text
    revoked = site.tokens.create(user_id="u001", role="admin")
    site.tokens.revoke("u001", revoked.token.id)
    tokens["revoked"] = revoked.text
    for user_id in ("gone", "small"):
        site.users.create(id=user_id, display_name=user_id, role="admin")
        tokens[user_id] = site.tokens.create(user_id=user_id, role="admin").text
    site.users.delete("gone", by=None)
    site.users.update("small", {"role": "viewer"}, version=None, by=None)
    tokens["deleted"], tokens["demoted"] = tokens.pop("gone"), tokens.pop("small")
    clock.advance(timedelta(days=1))
    return tokens


def _expected(needed: str, caller: str) -> int | None:
    """How somebody is turned away; None where they are not."""
    if needed == "public":
        return None
    role = "viewer" if caller == "demoted" else caller
    if role not in ROLES:
        return 401
    return 403 if ROLES.index(role) < ROLES.index(needed) else None


def _operations(server: FastAPI) -> list[tuple[str, str, str]]:
    return [
        (method.upper(), path, operation["x-role"])
        for path, operations in server.openapi()["paths"].items()
        for method, operation in operations.items()
    ]


def _asked(api: Api, method: str, path: str, token: str | None) -> httpx.Response:
    headers = {} if token is None else {"Authorization": f"Bearer {token}"}
    filled = path.replace("{userId}", "nobody").replace("{tokenId}", "nothing")
    filled = filled.replace("{pk}", "h%230123456789abcdef").replace("{domain}", "nobody.test")
    filled = filled.replace("{id}", "nothing").replace("{run_id}", "nothing")
    body: dict[str, Any] = {"json": {}} if method in {"POST", "PUT", "PATCH"} else {}
    return api.client.request(method, filled, headers=headers, **body)


def test_every_route_says_who_may_call_it(server: FastAPI) -> None:
    roles = {role for _, _, role in _operations(server)}
    assert roles == {*RANKS, "type"}


def test_a_route_is_for_viewers_if_it_reads_and_for_editors_if_it_writes_with_these_exceptions(
    server: FastAPI,
) -> None:
    for method, path, role in _operations(server):
        route = f"{method} {path}"
        reads = method == "GET" and route != FETCHING
        usual = "viewer" if reads or route == OWN_ACCOUNT else "editor"
        expected = "public" if route in PUBLIC else "admin" if route in ADMIN else usual
        assert (route, role) == (route, "type" if path == "/v1/items" else expected)


@pytest.mark.parametrize("caller", CALLERS)
def test_a_route_turns_away_exactly_those_who_may_not(
    api: Api, server: FastAPI, callers: dict[str, str | None], caller: str
) -> None:
    for method, path, needed in _operations(server):
        if needed == "type":
            continue
        status = _asked(api, method, path, callers[caller]).status_code
        turned_away = status if status in {401, 403} else None
        assert (method, path, turned_away) == (method, path, _expected(needed, caller))


@pytest.mark.parametrize("caller", CALLERS)
def test_the_items_of_a_type_are_for_those_who_may_read_it(
    api: Api, callers: dict[str, str | None], caller: str
) -> None:
    everything(api)
    readable = {each["type"]: each["readableBy"] for each in api.data("GET", "/types")["items"]}
    assert sorted(readable) == TYPES
    for name, needed in readable.items():
        answer = _asked(api, "GET", f"/v1/items?type={name}", callers[caller])
        expected = 401 if caller in STRANGERS else _expected(needed, caller) or 200
        assert (name, answer.status_code) == (name, expected)
        if answer.is_success:
            assert {item["Type"] for item in answer.json()["data"]["items"]} == {name}


def everything(api: Api) -> None:
    """One item of every type."""
    api.category()
    api.post()
    api.draft()
    api.banner()
    api.company()
    api.inquiry()


def test_the_registry_says_what_the_documents_roles_are() -> None:
    readers: dict[str, Role | None] = {
        each.__name__: each.read_by for each in entities_of(SITE) if issubclass(each, SiteEntity)
    }
    public = {name for name, role in readers.items() if role is None}
    assert public == {"Banner", "Category", "CorpInfo", "Post"}
    assert {name for name, role in readers.items() if role == "admin"} == {"Token"}


@pytest.mark.parametrize("role", [None, *ROLES])
def test_no_answer_ever_has_the_hash_of_a_secret(api: Api, server: FastAPI, role: str) -> None:
    everything(api)
    hashes = [
        token.secret_hash for user in USERS.values() for token in api.app.site.tokens.for_user(user)
    ]
    assert len(hashes) == len(USERS)
    paths = [path for method, path, _ in _operations(server) if method == "GET" and "{" not in path]
    types = [f"/v1/items?type={name}" for name in TYPES]
    for path in (*paths, *types):
        answer = api.call("GET", path.removeprefix("/v1"), role=role)
        assert SECRET not in answer.text
        assert not any(each in answer.text for each in hashes)


def test_the_text_of_a_token_is_shown_once(api: Api) -> None:
    body = {"userId": "u002", "role": "viewer", "note": "For the blog"}
    issued = api.data("POST", "/tokens", json=body)
    secret = issued["text"].rpartition(".")[2]
    assert issued["token"]["note"] == "For the blog"
    assert SECRET not in issued["token"]
    assert (
        api.call("GET", "/me", headers=_bearer(issued["text"])).json()["data"]["role"] == "viewer"
    )
    assert secret not in api.call("GET", "/tokens").text
    revoked = api.call("POST", f"/tokens/u002/{issued['token']['id']}/revoke")
    assert (secret not in revoked.text, "revokedAt" in revoked.json()["data"]) == (True, True)


def _bearer(text: str) -> dict[str, str]:
    return {"Authorization": f"Bearer {text}"}


def test_a_conflict_shows_nothing_that_is_hidden(api: Api) -> None:
    tokens = api.app.site.tokens.for_user("u001")
    answer = api.call("PATCH", "/users/u002", json={"role": "viewer", "version": 9})
    assert answer.status_code == 409
    assert not any(token.secret_hash in answer.text for token in tokens)


def test_a_greater_role_may_all_that_a_lesser_one_may() -> None:
    for place, needed in enumerate(ROLES):
        assert [allows(role, needed) for role in ROLES] == [index >= place for index in range(3)]
        assert not allows(None, needed)
    assert allows(None, None)
