"""The web as sync code sees it: one at a time, many at once, and over when it is over."""

from __future__ import annotations

import os
import signal
import socket
import subprocess
import sys
import threading
from collections.abc import Iterator
from datetime import UTC, datetime
from pathlib import Path

import pytest

from gotgan.clock import FixedClock, SystemClock
from gotgan.errors import (
    BadStatus,
    Interrupted,
    NotRecorded,
    PageForbidden,
    PageMissing,
    RobotsDisallowed,
    ServerTrouble,
    TooManyRequests,
    UsageError,
)
from gotgan.fetch import FetchRequest, FetchResult, FetchRules, Validators, Web
from gotgan.settings import Settings
from tests.unit.fetch.serving import SITE, Server, opened, reply

NOW = datetime(2025, 11, 6, 0, 35, 12, tzinfo=UTC)

PROGRAM = """
import sys
from gotgan.clock import SystemClock
from gotgan.fetch import FetchRequest, FetchRules, Web

assert "aiohttp" not in sys.modules, "it is heavy, and most commands never ask the web"
web = Web(FetchRules(delay=0, resolve={"*": sys.argv[1]}), clock=SystemClock())
asks = [FetchRequest(f"https://site.test/{name}", None) for name in "ab"]
for fetched in web.get_all(asks):
    print(fetched, flush=True)
"""


def asks(*paths: str) -> Iterator[FetchRequest[str]]:
    return (FetchRequest(f"{SITE}{path}", path) for path in paths)


def named(fetched: FetchResult[str]) -> str:
    return fetched.ask.about


def test_an_answer_says_what_came_and_when(server: Server) -> None:
    page = reply(b"page", Content_Type="text/HTML; charset=EUC-KR", ETag='"v1"', Last_Modified="x")
    server.says("/a", page)
    rules = FetchRules(delay=0.0, resolve={"*": server.place})
    with Web(rules, clock=FixedClock(NOW)) as web:
        answer = web.get(f"{SITE}/a")
    assert (answer.asked, answer.url, answer.status) == (f"{SITE}/a", f"{SITE}/a", 200)
    assert (answer.body, answer.at) == (b"page", NOW)
    assert (answer.media_type, answer.charset) == ("text/html", "euc-kr")
    assert answer.validators == Validators('"v1"', "x")
    assert not answer.is_unchanged


def test_we_say_who_we_are_and_what_we_take(server: Server) -> None:
    server.says("/a", reply(b"page"))
    with opened(server, contact="bot@example.com") as web:
        web.get(f"{SITE}/a", accept="application/rss+xml")
    headers = server.requests[-1].headers
    assert headers["user-agent"] == "Mozilla/5.0 (compatible; Gotgan/0.1.0; +bot@example.com)"
    assert headers["from"] == "bot@example.com"
    assert headers["accept"] == "application/rss+xml"
    assert {"accept-language", "accept-encoding", "upgrade-insecure-requests"} <= set(headers)
    assert "referer" not in headers


def test_a_contact_page_stands_in_the_user_agent_alone(server: Server) -> None:
    server.says("/a", reply(b"page"))
    with opened(server, contact="https://example.com/@bot") as web:
        web.get(f"{SITE}/a")
    headers = server.requests[-1].headers
    assert headers["user-agent"].endswith("; +https://example.com/@bot)")
    assert "from" not in headers


def test_what_has_not_changed_is_not_sent_again(server: Server, web: Web) -> None:
    server.says("/a", b"HTTP/1.1 304 Not Modified\r\nContent-Encoding: gzip\r\n\r\n")
    answer = web.get(f"{SITE}/a", validators=Validators('"v1"'))
    assert answer.is_unchanged
    assert answer.body == b""


def test_a_version_that_no_request_can_carry_is_not_told(server: Server, web: Web) -> None:
    server.says("/a", reply(b"page"))
    web.get(f"{SITE}/a", validators=Validators('"v1"\r\nHost: evil.test', ""))
    assert not {"if-none-match", "if-modified-since"} & set(server.requests[-1].headers)


@pytest.mark.parametrize(
    ("status", "error", "words"),
    [
        (400, BadStatus, "answered status 400"),
        (401, PageForbidden, "access denied"),
        (403, PageForbidden, "access denied"),
        (404, PageMissing, "page not found"),
        (410, PageMissing, "page not found"),
        (429, TooManyRequests, "GOTGAN_DELAY"),
        (451, PageForbidden, "access denied"),
        (500, ServerTrouble, "server error"),
        (599, ServerTrouble, "server error"),
    ],
)
def test_a_status_that_is_no_answer_is_an_error_that_says_what_to_do(
    server: Server, web: Web, status: int, error: type[BadStatus], words: str
) -> None:
    server.says("/a", reply(b"no", status, Retry_After="7"))
    with pytest.raises(BadStatus, match=words) as caught:
        web.get(f"{SITE}/a?private")
    assert type(caught.value) is error
    assert (caught.value.status, caught.value.retry_after) == (status, 7.0)
    assert f"{SITE}/a" in caught.value.message
    assert "private" not in caught.value.message


def test_the_body_of_a_refusal_is_not_waited_for(server: Server, web: Web) -> None:
    def unfinished(connection: socket.socket) -> None:
        connection.sendall(b"HTTP/1.1 404 No\r\nContent-Length: 1000000\r\n\r\n")
        server.hangs(connection)

    server.says("/a", unfinished)
    with pytest.raises(PageMissing):
        web.get(f"{SITE}/a")


def test_a_page_that_robots_txt_closes_is_not_fetched(server: Server, web: Web) -> None:
    server.says("/robots.txt", reply(b"User-agent: Gotgan\nDisallow: /m/\n"))
    with pytest.raises(RobotsDisallowed, match="disallows"):
        web.get(f"{SITE}/m/a.html")
    assert server.targets == []


def test_many_are_given_as_they_finish(server: Server, web: Web) -> None:
    def later(connection: socket.socket) -> None:
        server.over.wait()
        connection.sendall(reply(b"late"))

    server.says("/slow", later)
    server.says("/quick", reply(b"quick"))
    found = web.get_all(asks("/slow", "/quick", "/none"))
    assert {named(next(found)), named(next(found))} == {"/quick", "/none"}
    server.over.set()
    last = next(found)
    assert (named(last), last.answer and last.answer.body) == ("/slow", b"late")
    assert list(found) == []


def test_what_fails_among_many_is_given_with_its_error(server: Server, web: Web) -> None:
    server.says("/a", reply(b"page"))
    found = {named(each): each for each in web.get_all([*asks("/a", "/none")])}
    assert found["/a"].error is None
    assert found["/none"].answer is None
    assert isinstance(found["/none"].error, PageMissing)


def test_what_is_no_address_is_an_error_among_many_too(web: Web) -> None:
    [found] = web.get_all([FetchRequest("mailto:a@b.test", 1)])
    assert (found.ask.about, found.error and found.error.code) == (1, "fetch.address")


def test_nothing_to_get_gives_nothing(web: Web) -> None:
    assert list(web.get_all([])) == []


def test_asks_are_taken_where_the_caller_is_and_only_as_there_is_room(
    server: Server, web: Web
) -> None:
    server.says("/a", reply(b"page"))
    taken: list[int] = []
    threads: set[int] = set()

    def coming() -> Iterator[FetchRequest[int]]:
        for number in range(10):
            taken.append(number)
            threads.add(threading.get_ident())
            yield FetchRequest(f"{SITE}/a?{number}", number)

    given = 0
    for _ in web.get_all(coming(), at_once=3):
        given += 1
        assert len(taken) - given < 3
    assert (given, taken) == (10, list(range(10)))
    assert threads == {threading.get_ident()}


def test_what_has_finished_is_given_before_the_next_ask_is_taken(server: Server) -> None:
    for number in range(5):
        server.says(f"/{number}", reply(b"page"))
    taken: list[int] = []

    def coming() -> Iterator[FetchRequest[int]]:
        for number in range(5):
            if number == 2:
                _wait_for(server, "/1")  # of one host one at a time: /0 has finished by then
            taken.append(number)
            yield FetchRequest(f"{SITE}/{number}", number)

    with opened(server, at_once=1) as web:
        found = web.get_all(coming())
        assert next(found).ask.about == 0
        assert taken == [0, 1, 2]
        assert len(list(found)) == 4


@pytest.mark.parametrize("at_once", [0, -1])
def test_at_least_one_must_be_allowed(web: Web, at_once: int) -> None:
    with pytest.raises(UsageError):
        web.get_all([], at_once=at_once)


def _wait_for(server: Server, *targets: str) -> None:
    with server.changed:
        assert server.changed.wait_for(lambda: set(targets) <= set(server.targets), 10)


def _left(server: Server) -> threading.Event:
    """Keep who asks for ``/slow`` waiting; what is set when they have left."""
    left = threading.Event()

    def waits(connection: socket.socket) -> None:
        server.hangs(connection)
        if not server.over.is_set():
            left.set()

    server.says("/slow", waits)
    server.says("/quick", reply(b"quick"))
    return left


def test_closing_the_iterator_cancels_what_is_under_way(server: Server, web: Web) -> None:
    left = _left(server)
    found = web.get_all(asks("/slow", "/quick"))
    assert named(next(found)) == "/quick"
    _wait_for(server, "/slow")
    found.close()
    assert left.wait(5)
    assert web.get(f"{SITE}/quick").body == b"quick"


def test_a_failure_of_the_caller_cancels_what_is_under_way(server: Server, web: Web) -> None:
    left = _left(server)

    def coming() -> Iterator[FetchRequest[str]]:
        yield from asks("/slow")
        _wait_for(server, "/slow")
        raise LookupError("no more")

    with pytest.raises(LookupError, match="no more"):
        list(web.get_all(coming()))
    assert left.wait(5)


def test_closing_the_web_ends_what_is_under_way(server: Server) -> None:
    left = _left(server)
    failures: list[Exception] = []
    with opened(server) as web:

        def wait() -> None:
            try:
                web.get(f"{SITE}/slow")
            except Interrupted as error:
                failures.append(error)

        waiting = threading.Thread(target=wait)
        waiting.start()
        _wait_for(server, "/slow")
        web.close()
        waiting.join()
    assert left.wait(5)
    assert [str(each) for each in failures] == ["The web client was closed. Open a new one."]


def test_a_closed_web_says_so(server: Server) -> None:
    with opened(server) as web:
        found = web.get_all(asks("/a"))
    web.close()
    with pytest.raises(Interrupted, match="was closed"):
        web.get(SITE)
    with pytest.raises(Interrupted, match="was closed"):
        web.get_all([])
    with pytest.raises(Interrupted, match="was closed"):
        next(found)


def test_a_web_that_was_never_used_has_nothing_to_close() -> None:
    before = threading.active_count()
    with Web(FetchRules(), clock=SystemClock()):
        assert threading.active_count() == before


def test_closing_a_share_ends_what_is_under_way_there_and_nothing_else(
    server: Server, web: Web
) -> None:
    left = _left(server)
    share = web.share()
    found = share.get_all(asks("/slow"))

    def close() -> None:
        _wait_for(server, "/slow")
        share.close()

    closing = threading.Thread(target=close)
    closing.start()
    with pytest.raises(Interrupted, match="closed"):
        next(found)
    closing.join()
    assert left.wait(5)
    with pytest.raises(Interrupted, match="closed"):
        share.get(f"{SITE}/quick")
    assert web.get(f"{SITE}/quick").body == web.share().get(f"{SITE}/quick").body == b"quick"


def test_a_share_ends_with_the_whole(server: Server) -> None:
    server.says("/a", reply(b"page"))
    with opened(server) as web:
        share = web.share()
        assert share.get(f"{SITE}/a").body == b"page"
    with pytest.raises(Interrupted, match="closed"):
        share.get(f"{SITE}/a")


def test_a_closed_web_leaves_no_thread_behind(server: Server) -> None:
    server.says("/a", reply(b"page"))
    with opened(server) as web:
        web.get(f"{SITE}/a")
        assert any(thread.name == "gotgan-web" for thread in threading.enumerate())
    assert not any(thread.name == "gotgan-web" for thread in threading.enumerate())


def test_one_web_serves_many_threads(server: Server, web: Web) -> None:
    server.says("/a", reply(b"page"))
    bodies: list[bytes] = []
    threads = [
        threading.Thread(target=lambda: bodies.append(web.get(f"{SITE}/a").body)) for _ in range(8)
    ]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert bodies == [b"page"] * 8


def test_an_interrupted_program_ends(server: Server) -> None:
    server.says("/a", server.hangs)
    server.says("/b", server.hangs)
    command = [sys.executable, "-W", "error", "-c", PROGRAM, server.place]
    with subprocess.Popen(command, stderr=subprocess.PIPE, text=True, env=os.environ) as process:
        try:
            _wait_for(server, "/a", "/b")
            process.send_signal(signal.SIGINT)
            _, said = process.communicate(timeout=10)
        finally:
            process.kill()
    assert process.returncode == -signal.SIGINT
    assert said.rstrip().endswith("KeyboardInterrupt")
    assert "Warning" not in said


def test_settings_make_the_web(server: Server) -> None:
    server.says("/a", reply(b"page"))
    settings = Settings.from_env(
        {
            "GOTGAN_CONTACT": "bot@example.com",
            "GOTGAN_DELAY": "0",
            "GOTGAN_RESOLVE": f"site.test={server.place}",
        }
    )
    with Web.open(settings, SystemClock()) as web:
        assert web.get(f"{SITE}/a").body == b"page"
    assert "bot@example.com" in server.requests[-1].headers["user-agent"]


def test_what_was_recorded_is_replayed_without_a_server(server: Server, tmp_path: Path) -> None:
    server.says("/a", reply(b"page", Content_Type="text/html"))
    resolve = {"site.test": server.place}
    with Web.open(Settings(delay=0, resolve=resolve, record=tmp_path), SystemClock()) as web:
        recorded = web.get(f"{SITE}/a")
    with Web.open(Settings(delay=0, replay=tmp_path), FixedClock(NOW)) as web:
        replayed = web.get(f"{SITE}/a")
        with pytest.raises(NotRecorded):
            web.get(f"{SITE}/b")
    assert (replayed.body, replayed.media_type, replayed.at) == (b"page", "text/html", NOW)
    assert recorded.body == b"page"
    assert server.targets == ["/a"]
