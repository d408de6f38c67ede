"""Handing something over: to whom the settings name, whole, and nowhere else."""

from __future__ import annotations

from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest

from gotgan.clock import SystemClock
from gotgan.errors import (
    AddressRefused,
    BadStatus,
    FetchTimeout,
    NotRecorded,
    RobotsDisallowed,
    ServerTrouble,
)
from gotgan.fetch import FetchRequest, FetchRules, Web
from gotgan.fetch.recording import RecordingTransport, ReplayTransport
from gotgan.fetch.wire import AiohttpTransport
from gotgan.retry import Policy
from tests.unit.fetch.serving import SITE, opened, redirect, reply, server

SAID = {"Content-Type": "application/json", "X-Mark": "mine"}
LARGE = b'{"a": "' + b"x" * 300_000 + b'"}'


def test_a_body_is_posted_with_what_is_said_about_it() -> None:
    with server() as served, opened(served) as web:
        served.says("/hook", reply(b"thanks", status=201))
        answer = web.post(f"{SITE}/hook", LARGE, headers=SAID)
    [request] = served.requests  # and no robots.txt
    assert (request.method, request.target, request.body) == ("POST", "/hook", LARGE)
    assert request.headers["content-type"] == "application/json"
    assert request.headers["x-mark"] == "mine"
    assert "Gotgan" in request.headers["user-agent"]
    assert (answer.status, answer.body) == (201, b"thanks")


@pytest.mark.parametrize("status", [301, 302, 303, 307, 308])
def test_what_is_handed_over_is_not_led_elsewhere(status: int) -> None:
    with server() as served, opened(served) as web:
        served.says("/hook", redirect(f"{SITE}/other", status))
        served.says("/other", reply())
        with pytest.raises(BadStatus) as refusal:
            web.post(f"{SITE}/hook", b"{}", headers={})
    assert refusal.value.status == status
    assert served.targets == ["/hook"]


def test_only_the_settings_may_name_a_place_in_this_network() -> None:
    with server() as served, opened(served) as web:
        served.says("/hook", reply())
        url = f"http://{served.place}/hook"
        with pytest.raises(AddressRefused):
            web.post(url, b"{}", headers={})
        assert served.requests == []
        assert web.post(url, b"{}", headers={}, from_settings=True).status == 200


def test_what_can_pass_by_itself_is_posted_again() -> None:
    with (
        server() as served,
        opened(served, retry=Policy(attempts=2, base=0.0, cap=0.0)) as web,
    ):
        served.says("/hook", reply(status=500), reply())
        web.post(f"{SITE}/hook", b"{}", headers={})
        assert [request.body for request in served.requests] == [b"{}", b"{}"]
        served.says("/hook", reply(status=500))
        with pytest.raises(ServerTrouble):
            web.post(f"{SITE}/hook", b"{}", headers={})


def test_a_server_that_never_answers_is_not_waited_for() -> None:
    with server() as served, opened(served, seconds=0.1) as web:
        served.says("/hook", served.hangs)
        with pytest.raises(FetchTimeout):
            web.post(f"{SITE}/hook", b"{}", headers={})


def test_answers_to_different_bodies_are_recorded_apart(tmp_path: Path) -> None:
    clock = SystemClock()
    with server() as served:
        rules = FetchRules(delay=0, resolve={"site.test": served.place})
        served.says("/hook", reply(b"one"), reply(b"two"), reply(b"page"))
        with Web(
            rules, clock=clock, transport=RecordingTransport(AiohttpTransport(rules), tmp_path)
        ) as web:
            for body in (b"1", b"2"):
                web.post(f"{SITE}/hook", body, headers={})
    with Web(rules, clock=clock, transport=ReplayTransport(tmp_path)) as web:
        answers = [web.post(f"{SITE}/hook", body, headers={}).body for body in (b"2", b"1")]
        assert answers == [b"two", b"one"]
        with pytest.raises(NotRecorded):
            web.post(f"{SITE}/hook", b"3", headers={})


def test_the_names_of_recorded_files_tell_nothing_about_a_secret(tmp_path: Path) -> None:
    def login(web: Web, password: bytes) -> bytes:
        return web.one(FetchRequest(f"{SITE}/login", None, body=password, is_personal=True)).body

    clock = SystemClock()
    with server() as served:
        rules = FetchRules(delay=0, resolve={"site.test": served.place})
        served.says("/login", reply(b"come in"))
        for folder in (tmp_path / "one", tmp_path / "other"):
            with Web(
                rules, clock=clock, transport=RecordingTransport(AiohttpTransport(rules), folder)
            ) as web:
                login(web, folder.name.encode())
    names = [sorted(path.name for path in each.rglob("*.*")) for each in sorted(tmp_path.iterdir())]
    assert names[0] == names[1]
    with Web(rules, clock=clock, transport=ReplayTransport(tmp_path / "one")) as web:
        assert login(web, b"another") == b"come in"


def test_what_a_refusal_says_is_told_to_whoever_hands_something_over() -> None:
    with server() as served, opened(served) as web:
        served.says("/hook", reply(b"LOGOUT", status=400))
        with pytest.raises(BadStatus) as refusal:
            web.post(f"{SITE}/hook", b"{}", headers={})
        assert (refusal.value.status, refusal.value.body) == (400, b"LOGOUT")
        with pytest.raises(BadStatus) as unread:
            web.get(f"{SITE}/hook")
        assert unread.value.body == b""


def test_a_refusal_whose_words_break_off_is_still_a_refusal() -> None:
    with server() as served, opened(served) as web:
        whole = reply(b"LOGOUT", status=400)
        served.says("/hook", whole[:-3])
        with pytest.raises(BadStatus) as refusal:
            web.post(f"{SITE}/hook", b"{}", headers={})
    assert (refusal.value.status, refusal.value.body) == (400, b"")


def test_the_use_of_an_account_is_no_business_of_robots() -> None:
    with server() as served, opened(served) as web:
        served.says("/robots.txt", reply(b"User-agent: *\nDisallow: /\n"))
        served.says("/login", reply(b"come in"))
        personal = FetchRequest(f"{SITE}/login", None, is_personal=True, headers={"Cookie": "a=1"})
        assert web.one(personal).body == b"come in"
        assert [request.target for request in served.requests] == ["/login"]
        assert served.requests[0].headers["cookie"] == "a=1"
        with pytest.raises(RobotsDisallowed):
            web.one(FetchRequest(f"{SITE}/login", None))


def test_all_cookies_of_an_answer_can_be_had() -> None:
    with server() as served, opened(served) as web:
        head, _, body = reply(b"hello").partition(b"\r\n\r\n")
        cookies = b"\r\nSet-Cookie: a=1; Path=/; HttpOnly\r\nSet-Cookie: b=2=3\r\nSet-Cookie: none"
        served.says("/hook", head + cookies + b"\r\n\r\n" + body, reply())
        assert web.post(f"{SITE}/hook", b"{}", headers={}).cookies == {"a": "1", "b": "2=3"}
        assert web.post(f"{SITE}/hook", b"{}", headers={}).cookies == {}


def test_the_delay_for_visitors_is_not_for_those_who_use_their_own_account() -> None:
    """The answer would come in an hour, and nobody waits for that here."""
    ask = FetchRequest(f"{SITE}/api", None, is_personal=True)
    with server() as served, opened(served, delay=3600.0) as web, ThreadPoolExecutor(1) as waiting:
        served.says("/api", reply())
        twice = waiting.submit(lambda: [web.one(ask).status, web.one(ask).status])
        try:
            assert twice.result(timeout=20) == [200, 200]
        finally:
            web.close()


@pytest.mark.parametrize("status", [429, 503])
def test_what_may_take_long_is_asked_once(status: int) -> None:
    ask = FetchRequest(f"{SITE}/api", None, is_personal=True, seconds=30.0)
    eager = Policy(attempts=3, base=0.0)
    with server() as served, opened(served, retry=eager) as web:
        served.says("/api", reply(status=status))
        with pytest.raises(BadStatus):
            web.one(ask)
    assert served.targets == ["/api"]
