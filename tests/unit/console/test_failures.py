"""Pages for what went wrong: the right status, a sentence, a number, and no more."""

from __future__ import annotations

import logging
import re
from typing import get_args
from zoneinfo import ZoneInfo

import httpx
import pytest

from gotgan.app import App
from gotgan.clock import SEOUL
from gotgan.messages import render
from gotgan.texts import Language
from tests.unit.console.trial import EARLY, sign_in

TRACE = re.compile(r"<code>([0-9a-f]{32})</code>")


@pytest.mark.parametrize(
    ("path", "status", "words"),
    [
        ("/nowhere", 404, "Page not found"),
        ("/static/nothing.css", 404, "Page not found"),
        ("/missing", 404, "there is no &lt;b&gt;post&lt;/b&gt; p1"),
        ("/number/x", 422, "Invalid input"),
        ("/teapot", 418, "Request failed"),
        ("/unreachable", 503, "The database is not responding"),
        ("/broken", 500, "Internal server error"),
    ],
)
def test_a_failure_is_a_page_with_a_number(
    client: httpx.Client, path: str, status: int, words: str
) -> None:
    answer = client.get(path)
    assert answer.status_code == status
    assert answer.headers["content-type"] == "text/html; charset=utf-8"
    assert words in answer.text
    assert TRACE.search(answer.text)


@pytest.mark.parametrize(
    ("path", "words"),
    [("/nowhere", "페이지를 찾을 수 없습니다"), ("/broken", "내부 오류가 발생했습니다")],
)
def test_a_failure_speaks_the_viewers_language(client: httpx.Client, path: str, words: str) -> None:
    assert words in client.get(path, headers={"accept-language": "ko"}).text


@pytest.mark.parametrize("path", ["/broken", "/unreachable"])
def test_a_failure_of_ours_tells_its_reason_to_the_log_alone(
    client: httpx.Client, path: str, caplog: pytest.LogCaptureFixture
) -> None:
    with caplog.at_level(logging.ERROR, logger="gotgan"):
        text = client.get(path).text
    assert "Traceback" not in text
    assert "for the log alone" not in text
    assert "127.0.0.1:1" not in text
    trace = TRACE.search(text)
    assert trace is not None
    logged = [str(record.msg) for record in caplog.records if record.name == "gotgan"]
    assert any(line.startswith("console.failed") and trace[1] in line for line in logged)


def test_a_method_that_a_page_does_not_have_is_a_page_too(client: httpx.Client) -> None:
    answer = client.post("/", data={"a": "b"})
    assert answer.status_code == 405
    assert answer.headers["allow"] == "GET"
    assert "Request failed" in answer.text


def test_a_page_can_still_be_shown_when_the_store_is_gone(client: httpx.Client, app: App) -> None:
    sign_in(client, app, "e")
    app.close()
    answer = client.get("/mine")
    assert answer.status_code == 500
    assert "Internal server error" in answer.text


def test_what_was_typed_is_handed_back_when_a_session_has_ended(client: httpx.Client) -> None:
    typed = {"csrf": "x", "version": "3", "was-title": "abc", "title": "A <b>long</b> text"}
    page = client.post("/mine", data=typed)
    assert page.status_code == 401
    assert "A &lt;b&gt;long&lt;/b&gt; text" in page.text
    assert "was-title" not in page.text
    assert '<a href="/sign-in"' in page.text


def test_what_was_typed_is_handed_back_when_another_session_has_begun(
    client: httpx.Client, app: App
) -> None:
    sign_in(client, app, "e")
    page = client.post("/mine", data={"csrf": "of the session before", "title": "A long text"})
    assert page.status_code == 403
    assert "A long text" in page.text


def test_a_form_of_another_site_is_not_repeated(client: httpx.Client) -> None:
    foreign = {"Origin": "https://evil.example.net"}
    page = client.post("/mine", data={"title": "A long text"}, headers=foreign)
    assert page.status_code == 403
    assert "A long text" not in page.text


def test_an_error_is_told_in_the_viewers_language_and_zone(client: httpx.Client) -> None:
    for language in get_args(Language):
        page = client.get("/early", headers={"accept-language": language}).text
        assert f"<p>{render(EARLY, language, ZoneInfo(SEOUL))}</p>" in page
        assert "17:00 KST" in page


def test_other_words_are_marked_as_english_on_a_korean_page(client: httpx.Client) -> None:
    assert "<p>there is no &lt;b&gt;post" in client.get("/missing").text
    korean = client.get("/missing", headers={"accept-language": "ko"}).text
    assert '<span lang="en">there is no &lt;b&gt;post' in korean


def test_an_error_leads_to_the_page_that_helps(client: httpx.Client) -> None:
    page = client.get("/elsewhere").text
    assert '<a class="nowrap" href="/market/recover?first=2025-10-20&amp;last=2025-10-20">' in page


def test_a_value_that_does_not_fit_is_named_with_what_it_may_be(client: httpx.Client) -> None:
    page = client.get("/number/x").text
    assert "Input should be a valid integer" in page
