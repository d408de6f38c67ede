"""The door: links that work once, tokens, and where they lead."""

from __future__ import annotations

from datetime import timedelta
from urllib.parse import quote

import httpx
import pytest

from gotgan.app import App
from gotgan.clock import FixedClock
from gotgan.console.session import local_path
from gotgan.errors import Unauthenticated
from tests.unit.console.trial import Stage, csrf, sign_in

ELSEWHERE = [
    "//evil.example",
    "///evil.example",
    "/\\evil.example",
    "\\\\evil.example",
    "/\t/evil.example",
    "\t//evil.example",
    "/\n/evil.example",
    "https://evil.example/",
    "https:evil.example",
    "javascript:alert(1)",
    "evil.example",
    "",
]


def test_looking_at_a_link_does_not_use_it_up(client: httpx.Client, app: App) -> None:
    code = app.site.tokens.sign_in_code("e")
    for _ in range(2):
        seen = client.get("/sign-in", params={"code": code})
        assert seen.status_code == 200
        assert code in seen.text
    assert client.post("/sign-in", data={"code": code}).status_code == 303


def test_a_link_signs_in_once(client: httpx.Client, app: App) -> None:
    code = app.site.tokens.sign_in_code("e")
    first = client.post("/sign-in", data={"code": code, "next": "/mine"})
    assert (first.status_code, first.headers["location"]) == (303, "/mine")
    assert client.get("/mine").json() == "Edda"
    client.cookies.clear()
    again = client.post("/sign-in", data={"code": code})
    assert again.status_code == 401
    assert "already used or has expired" in again.text
    assert "gotgan_session" not in client.cookies


def test_a_session_lasts_as_long_as_its_cookie(
    client: httpx.Client, app: App, clock: FixedClock
) -> None:
    answer = client.post("/sign-in", data={"code": app.site.tokens.sign_in_code("e")})
    cookie = answer.headers["set-cookie"]
    assert "Max-Age=43200" in cookie
    clock.advance(timedelta(hours=12))
    assert client.get("/mine").status_code == 303


def test_the_cookie_is_out_of_reach_of_scripts_and_other_sites(
    client: httpx.Client, app: App
) -> None:
    answer = client.post("/sign-in", data={"code": app.site.tokens.sign_in_code("e")})
    cookies = answer.headers.get_list("set-cookie")
    session = next(each for each in cookies if each.startswith("gotgan_session="))
    parts = {part.strip().lower() for part in session.split(";")}
    assert {"httponly", "samesite=lax", "path=/"} <= parts
    assert "secure" not in parts


def test_behind_https_the_cookie_never_travels_in_the_clear(
    client: httpx.Client, app: App, stage: Stage
) -> None:
    stage.scheme = "https"
    answer = client.post("/sign-in", data={"code": app.site.tokens.sign_in_code("e")})
    cookies = answer.headers.get_list("set-cookie")
    assert "secure" in next(each for each in cookies if "gotgan_session=" in each).lower()


def test_a_token_signs_in_and_stays_good_after_signing_out(
    client: httpx.Client, app: App, clock: FixedClock
) -> None:
    issued = app.site.tokens.create(user_id="a", role="viewer", expires_in_days=1)
    clock.advance(timedelta(hours=23))
    answer = client.post("/sign-in", data={"token": f"  {issued.text}\n"})
    assert answer.status_code == 303
    assert "Max-Age=3600" in str(answer.headers.raw)
    client.post("/sign-out", data={"csrf": csrf(client)})
    assert app.site.tokens.authenticate(issued.text).role == "viewer"


def test_a_token_that_never_expires_is_forgotten_by_the_browser_all_the_same(
    client: httpx.Client, app: App
) -> None:
    issued = app.site.tokens.create(user_id="a", role="viewer")
    answer = client.post("/sign-in", data={"token": issued.text})
    assert "Max-Age=43200" in str(answer.headers.raw)


@pytest.mark.parametrize("token", ["", "nonsense", "gotgan.e.none.none"])
def test_a_wrong_token_is_told_so_on_the_same_page(client: httpx.Client, token: str) -> None:
    answer = client.post("/sign-in", data={"token": token, "next": "/mine"})
    assert answer.status_code == 401
    assert "The token is wrong, expired or revoked." in answer.text
    assert 'name="next" value="/mine"' in answer.text


def test_signing_out_ends_the_session_for_good(client: httpx.Client, app: App) -> None:
    token = sign_in(client, app, "e")
    answer = client.post("/sign-out", data={"csrf": csrf(client)})
    assert (answer.status_code, answer.headers["location"]) == (303, "/")
    assert "gotgan_session" not in client.cookies
    with pytest.raises(Unauthenticated):
        app.site.tokens.authenticate(token)


def test_nobody_else_can_sign_somebody_out(client: httpx.Client, app: App) -> None:
    token = sign_in(client, app, "e")
    assert client.post("/sign-out", data={"csrf": "0" * 64}).status_code == 403
    assert app.site.tokens.authenticate(token).user.id == "e"


def test_whoever_is_signed_in_is_not_asked_again(client: httpx.Client, app: App) -> None:
    sign_in(client, app, "e")
    answer = client.get("/sign-in", params={"next": "/mine?x=1"})
    assert (answer.status_code, answer.headers["location"]) == (303, "/mine?x=1")


@pytest.mark.parametrize("path", ELSEWHERE)
def test_signing_in_never_leads_to_another_site(client: httpx.Client, app: App, path: str) -> None:
    code = app.site.tokens.sign_in_code("e")
    assert 'name="next" value="/"' in client.get(f"/sign-in?code=x&next={quote(path)}").text
    answer = client.post("/sign-in", data={"code": code, "next": path})
    assert answer.headers["location"] == "/"


@pytest.mark.parametrize("path", ["/", "/site/posts", "/site/posts?q=a b&x=//y", "/글"])
def test_a_path_of_ours_is_kept(path: str) -> None:
    assert local_path(path) == path
