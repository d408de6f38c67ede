"""Who gets in: roles, forms with the mark of their session, and no writes from other sites."""

from __future__ import annotations

from urllib.parse import parse_qs, urlsplit

import httpx
import pytest

from gotgan.app import App
from tests.unit.console.trial import csrf, sign_in

URLENCODED = {"content-type": "application/x-www-form-urlencoded"}


def test_a_stranger_is_led_to_the_door_and_back(client: httpx.Client) -> None:
    answer = client.get("/mine", params={"q": "a&b", "page": "2"})
    assert answer.status_code == 303
    there = urlsplit(answer.headers["location"])
    assert there.path == "/sign-in"
    assert parse_qs(there.query) == {"next": ["/mine?q=a%26b&page=2"]}


def test_a_fragment_for_a_stranger_leads_the_whole_page_to_the_door(client: httpx.Client) -> None:
    shown = {"hx-request": "true", "hx-current-url": "http://any/mine?x=1"}
    answer = client.get("/mine", headers=shown)
    assert answer.status_code == 401
    assert answer.headers["hx-redirect"] == "/sign-in?next=/mine%3Fx%3D1"


def test_a_stranger_who_writes_is_told_that_nothing_changed(client: httpx.Client) -> None:
    answer = client.post("/mine", data={"csrf": ""})
    assert answer.status_code == 401
    assert "nothing was changed" in answer.text


@pytest.mark.parametrize(("user", "status"), [("v", 403), ("e", 200), ("a", 200)])
def test_a_role_that_is_too_small_is_refused(
    client: httpx.Client, app: App, user: str, status: int
) -> None:
    sign_in(client, app, user)
    assert client.get("/mine").status_code == 200
    answer = client.post("/mine", data={"csrf": csrf(client)})
    assert answer.status_code == status
    assert ("Your role does not allow this" in answer.text) is (status == 403)


@pytest.mark.parametrize("mark", [None, "", "wrong", "é"])
def test_a_form_without_the_mark_of_its_session_is_refused(
    client: httpx.Client, app: App, mark: str | None
) -> None:
    sign_in(client, app, "e")
    data = {} if mark is None else {"csrf": mark}
    answer = client.post("/mine", data=data, headers=URLENCODED)
    assert answer.status_code == 403
    assert "belongs to another session" in answer.text


def test_the_mark_of_one_session_is_worth_nothing_in_another(
    client: httpx.Client, app: App
) -> None:
    sign_in(client, app, "e")
    before = csrf(client)
    client.cookies.clear()
    sign_in(client, app, "e")
    assert client.post("/mine", data={"csrf": before}).status_code == 403


@pytest.mark.parametrize(
    ("headers", "status"),
    [
        ({}, 200),
        ({"sec-fetch-site": "same-origin"}, 200),
        ({"sec-fetch-site": "none"}, 200),
        ({"sec-fetch-site": "cross-site"}, 403),
        ({"sec-fetch-site": "same-site"}, 403),
        ({"origin": "{here}"}, 200),
        ({"origin": "{here}", "sec-fetch-site": "same-origin"}, 200),
        ({"origin": "{here}.evil.example"}, 403),
        ({"origin": "http://127.0.0.1:1"}, 403),
        ({"origin": "https://evil.example"}, 403),
        ({"origin": "null"}, 403),
        ({"origin": "https://evil.example", "sec-fetch-site": "same-origin"}, 403),
    ],
)
def test_a_write_from_another_site_is_refused(
    client: httpx.Client, app: App, headers: dict[str, str], status: int
) -> None:
    sign_in(client, app, "e")
    here = str(client.base_url).rstrip("/")
    sent = {name: value.format(here=here) for name, value in headers.items()}
    mark = csrf(client)
    assert client.post("/mine", data={"csrf": mark}, headers=sent).status_code == status


def test_the_door_is_closed_to_other_sites_too(client: httpx.Client, app: App) -> None:
    issued = app.site.tokens.create(user_id="e", role="editor")
    foreign = {"sec-fetch-site": "cross-site"}
    answer = client.post("/sign-in", data={"token": issued.text}, headers=foreign)
    assert answer.status_code == 403
    assert "gotgan_session" not in client.cookies


def test_a_page_can_be_read_from_anywhere(client: httpx.Client) -> None:
    assert client.get("/", headers={"sec-fetch-site": "cross-site"}).status_code == 200


def test_the_lines_of_a_form_end_as_everywhere_else(client: httpx.Client, app: App) -> None:
    sign_in(client, app, "e")
    sent = {"csrf": csrf(client), "text": "하나\r\n둘\n", "tag": ["x", "y"], "empty": ""}
    filled = client.post("/mine", data=sent).json()
    assert filled["text"] == ["하나\n둘\n"]
    assert filled["tag"] == ["x", "y"]
    assert filled["empty"] == [""]


@pytest.mark.parametrize(
    ("body", "kind", "status"),
    [
        (b"csrf=" + b"a" * 1_500_000, "application/x-www-form-urlencoded", 413),
        (b"&".join([b"a=1"] * 1001), "application/x-www-form-urlencoded", 400),
        (b"text=%ff", "application/x-www-form-urlencoded", 400),
        (b"\xff", "application/x-www-form-urlencoded", 400),
        (b"{}", "application/json", 415),
        (b"--x--", "multipart/form-data; boundary=x", 415),
        (b"", "", 415),
    ],
    ids=["too long", "too many", "no text", "no form", "json", "multipart", "nothing"],
)
def test_what_is_no_form_of_ours_is_refused(
    client: httpx.Client, app: App, body: bytes, kind: str, status: int
) -> None:
    sign_in(client, app, "e")
    answer = client.post("/mine", content=body, headers={"content-type": kind})
    assert answer.status_code == status
    assert answer.headers["content-type"].startswith("text/html")
