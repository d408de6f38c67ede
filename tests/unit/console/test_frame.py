"""The page around every page: fragments, notes of what was done, addresses and headers."""

from __future__ import annotations

import re
from typing import Any

import httpx
import pytest
from starlette.requests import Request

from gotgan.app import App
from gotgan.console.frame import current_url
from tests.unit.console.conftest import Enter
from tests.unit.console.trial import sign_in

STRICT = (
    "default-src 'self'; script-src 'self'; style-src 'self'; img-src 'self' data:; "
    "frame-ancestors 'none'; base-uri 'none'; form-action 'self'"
)
FRAGMENT = {"hx-request": "true", "hx-target": "overview-sections"}


@pytest.mark.parametrize(
    "path", ["/", "/sign-in", "/nowhere", "/broken", "/mine", "/static/gotgan.css"]
)
def test_every_answer_carries_the_headers_that_protect_it(client: httpx.Client, path: str) -> None:
    headers = client.get(path).headers
    assert headers["content-security-policy"] == STRICT
    assert headers["x-content-type-options"] == "nosniff"
    assert headers["x-frame-options"] == "DENY"
    assert headers["referrer-policy"] == "same-origin"
    assert headers["cross-origin-opener-policy"] == "same-origin"


@pytest.mark.parametrize("path", ["/", "/sign-in", "/nowhere", "/broken", "/mine"])
def test_no_page_is_kept_by_anybody(client: httpx.Client, path: str) -> None:
    assert client.get(path).headers["cache-control"] == "no-store"


def test_a_page_that_shows_pictures_of_others_may_load_them(client: httpx.Client) -> None:
    policy = client.get("/pictures").headers["content-security-policy"]
    assert policy == STRICT.replace("data:", "data: https:")


def test_htmx_gets_the_fragment_that_it_asked_for(client: httpx.Client) -> None:
    text = client.get("/", headers=FRAGMENT).text
    assert text.strip().startswith('<div id="overview-sections">')
    assert "<html" not in text


def test_a_fragment_is_the_same_text_as_in_the_whole_page(client: httpx.Client) -> None:
    assert client.get("/", headers=FRAGMENT).text in client.get("/").text


@pytest.mark.parametrize(
    "headers",
    [
        {"hx-request": "true"},
        {"hx-request": "true", "hx-target": "unknown"},
        {**FRAGMENT, "hx-history-restore-request": "true"},
        {"hx-target": "overview-sections"},
    ],
    ids=["no target", "an unknown target", "a step back", "no htmx"],
)
def test_everybody_else_gets_the_whole_page(client: httpx.Client, headers: dict[str, str]) -> None:
    assert client.get("/", headers=headers).text.startswith("<!doctype html>")


def test_what_was_done_is_said_once(client: httpx.Client) -> None:
    assert client.get("/done").status_code == 303
    assert client.get("/", headers=FRAGMENT).status_code == 200
    assert "You are signed in." in client.get("/").text
    assert "You are signed in." not in client.get("/").text


def test_only_texts_of_ours_can_be_said(client: httpx.Client) -> None:
    client.cookies.set("gotgan_said", "<script>")
    answer = client.get("/")
    assert answer.status_code == 200
    assert 'role="status" hidden' in answer.text


def test_the_way_to_the_door_leads_back_here(client: httpx.Client) -> None:
    text = client.get("/jump", params={"to": "<x>"}).text
    assert "/sign-in?next=/jump%3Fto%3D%253Cx%253E" in text
    assert "<x>" not in text


def test_who_is_signed_in_is_written_at_the_top(client: httpx.Client, app: App) -> None:
    assert "Edda" not in client.get("/").text
    sign_in(client, app, "e")
    text = client.get("/").text
    assert "Edda" in text
    assert "Editor" in text


def test_a_choice_is_kept_and_leads_back(client: httpx.Client) -> None:
    for name, value in {"language": "ko", "theme": "dark", "zone": "seoul"}.items():
        answer = client.post("/preferences", data={name: value, "next": "/jump?to=x"})
        assert (answer.status_code, answer.headers["location"]) == (303, "/jump?to=x")
    text = client.get("/").text
    assert '<html lang="ko" data-theme="dark">' in text
    assert re.search(r'value="seoul" aria-pressed="true"', text)
    assert "서울" in text


def test_a_choice_of_somebody_signed_in_follows_them_to_another_browser(
    app: App, enter: Enter
) -> None:
    one, another = enter(""), enter("v")
    one.client.cookies.set("gotgan_browser_zone", "Asia/Tokyo")
    one.open("/")
    one.send("/preferences", zone="utc")
    sign_in(one.client, app, "v")
    for name, value in {"language": "ko", "theme": "dark", "zone": "seoul"}.items():
        one.open("/")
        one.send("/preferences", **{name: value})
    user = app.site.users.get("v", consistent=True)
    assert (user.zone, user.language) == ("Asia/Seoul", "ko")
    assert another.open("/").count('<html lang="ko" data-theme="auto">') == 1
    assert re.search(r'value="seoul" aria-pressed="true"', another.page)
    assert 'lang="en"' in enter("e").open("/")[:100]
    one.open("/")
    one.send("/preferences", zone="auto")
    assert app.site.users.get("v", consistent=True).zone is None
    assert "Asia/Tokyo" in one.open("/")


def test_a_zone_that_was_set_through_the_api_is_offered_too(app: App, enter: Enter) -> None:
    app.site.users.set_preferences("v", {"zone": "Europe/Berlin"})
    text = enter("v").open("/")
    assert re.search(r'value="Europe/Berlin" aria-pressed="true">Europe/Berlin<', text)


def test_a_zone_that_there_is_not_is_an_error_of_the_account(app: App, enter: Enter) -> None:
    browser = enter("v")
    browser.open("/")
    assert "Unknown time zone" in browser.send("/preferences", zone="Mars/Phobos")
    assert browser.answer.status_code == 400
    assert app.site.users.get("v", consistent=True).zone is None


@pytest.mark.parametrize(("zone", "language"), [("Mars/Phobos", "de"), ("", "")])
def test_what_another_tool_wrote_into_an_account_counts_for_nothing(
    app: App, enter: Enter, zone: str, language: str
) -> None:
    spoilt = app.site.users.get("v").model_copy(update={"zone": zone, "language": language})
    app.store.put(spoilt)
    text = enter("v").open("/")
    assert '<html lang="en"' in text
    assert re.search(r'value="auto" aria-pressed="true"', text)


def test_a_choice_that_there_is_not_is_not_kept(client: httpx.Client) -> None:
    client.post("/preferences", data={"theme": "plaid", "next": "//evil.example"})
    assert not client.cookies


@pytest.mark.parametrize(
    ("changes", "address"),
    [
        ({}, "/list?tag=a&tag=b&limit=5&cursor=c"),
        ({"limit": 10}, "/list?tag=a&tag=b&limit=10"),
        ({"cursor": "d"}, "/list?tag=a&tag=b&limit=5&cursor=d"),
        ({"tag": "글 &"}, "/list?limit=5&tag=%EA%B8%80+%26"),
        ({"tag": None, "limit": None}, "/list"),
    ],
)
def test_another_filter_begins_the_list_anew(changes: dict[str, Any], address: str) -> None:
    query = b"tag=a&tag=b&limit=5&cursor=c"
    scope = {"type": "http", "path": "/list", "query_string": query, "headers": []}
    assert (
        current_url(Request({**scope, "server": ("any", 80), "scheme": "http"}), **changes)
        == address
    )


def test_the_colours_of_rise_and_fall_are_chosen_in_each_browser(client: httpx.Client) -> None:
    assert '<body data-colours="korean"' in client.get("/").text
    csrf = re.search(r'name="csrf" value="([^"]*)"', client.get("/").text)
    assert csrf is not None
    for word, shown in {"western": "western", "purple": "western"}.items():
        client.post("/preferences", data={"csrf": csrf[1], "colours": word})
        assert f'<body data-colours="{shown}"' in client.get("/").text
