"""Trying again: what can pass by itself, as often and as long as is decent."""

from __future__ import annotations

import asyncio
import logging
import socket
from collections.abc import Sequence
from typing import Any

import pytest

from gotgan.clock import SystemClock
from gotgan.errors import (
    BadStatus,
    FetchError,
    FetchTimeout,
    PageForbidden,
    PageMissing,
    RobotsUnavailable,
    ServerTrouble,
    TooManyRequests,
    Truncated,
    Undecodable,
    Unreachable,
)
from gotgan.events import Event
from gotgan.fetch import FetchRequest, FetchResponse, FetchRules, Web
from gotgan.fetch.fetcher import Fetcher
from gotgan.fetch.models import Hop, HopResponse
from gotgan.retry import Policy
from tests.unit.fetch.fast_loop import run
from tests.unit.fetch.serving import SITE, Server, opened, redirect, reply

AGAIN = Policy(attempts=3, base=0.0, cap=0.0)
PAGE = "https://8.8.8.8/a"
OK = HopResponse(200, {}, b"page")
NO_ROBOTS = HopResponse(404, {}, b"")


def said(status: int, retry_after: str | None = None) -> HopResponse:
    return HopResponse(status, {} if retry_after is None else {"retry-after": retry_after}, b"")


class Line:
    """A transport on which replies come one after another, each after so many seconds."""

    def __init__(
        self,
        *replies: HopResponse | FetchError,
        takes: float = 0.0,
        robots: HopResponse = NO_ROBOTS,
    ) -> None:
        self.replies = list(replies)
        self.robots = robots
        self.takes = takes
        self.moments: list[float] = []
        self.seconds = 0.0

    async def exchange(self, hop: Hop) -> HopResponse:
        if hop.url.endswith("/robots.txt"):
            return self.robots
        self.moments.append(asyncio.get_running_loop().time())
        self.seconds = hop.seconds
        await asyncio.sleep(self.takes)
        reply = self.replies.pop(0) if len(self.replies) > 1 else self.replies[0]
        if isinstance(reply, FetchError):
            raise reply
        return reply

    async def close(self) -> None:
        """Nothing is held."""


def fetching(line: Line, **rules: Any) -> Fetcher:
    usual: dict[str, Any] = {
        "delay": 0.0,
        "retry": Policy(attempts=3, base=1.0, cap=10.0, deadline=90.0),
    }
    return Fetcher(FetchRules(**usual | rules), line, SystemClock(), chance=lambda: 0.5)


def outcome(line: Line, **rules: Any) -> tuple[FetchResponse | FetchError, float]:
    """What becomes of one ask, and how long that took."""

    async def story() -> tuple[FetchResponse | FetchError, float]:
        [found] = await outcomes(fetching(line, **rules), [PAGE])
        return found, asyncio.get_running_loop().time()

    return run(story())


async def outcomes(whole: Fetcher, urls: Sequence[str]) -> list[FetchResponse | FetchError]:
    return await asyncio.gather(*(_found(whole, url) for url in urls))


async def _found(whole: Fetcher, url: str) -> FetchResponse | FetchError:
    try:
        return await whole.fetch(FetchRequest(url, None))
    except FetchError as error:
        return error


@pytest.mark.parametrize(
    "trouble",
    [
        Unreachable("no one there"),
        FetchTimeout("slow"),
        Truncated("half"),
        said(429),
        said(500),
        said(502),
        said(503),
    ],
    ids=str,
)
def test_what_can_pass_by_itself_is_asked_again(trouble: HopResponse | FetchError) -> None:
    line = Line(trouble, trouble, OK)
    answer, _ = outcome(line)
    assert isinstance(answer, FetchResponse)
    assert len(line.moments) == 3


@pytest.mark.parametrize(
    ("trouble", "error"),
    [
        (said(401), PageForbidden),
        (said(403), PageForbidden),
        (said(451), PageForbidden),
        (said(404), PageMissing),
        (said(410), PageMissing),
        (said(400), BadStatus),
        (said(418), BadStatus),
        (said(304), BadStatus),
        (said(302), BadStatus),
        (said(300), BadStatus),
        (Undecodable("odd"), Undecodable),
    ],
    ids=str,
)
def test_what_would_fail_again_is_asked_once(
    trouble: HopResponse | FetchError, error: type[FetchError]
) -> None:
    line = Line(trouble)
    found, seconds = outcome(line)
    assert type(found) is error
    assert (len(line.moments), seconds) == (1, 0.0)


def test_after_three_attempts_it_is_given_up() -> None:
    line = Line(said(500))
    found, _ = outcome(line)
    assert isinstance(found, ServerTrouble)
    assert found.status == 500
    assert line.moments == [0.0, 0.5, 1.5]  # half of one second, then half of two


def test_a_wait_that_is_asked_for_is_kept() -> None:
    line = Line(said(429, "30"), OK)
    answer, _ = outcome(line)
    assert isinstance(answer, FetchResponse)
    assert line.moments == [0.0, 30.0]


def test_a_wait_beyond_the_deadline_is_not_begun() -> None:
    line = Line(said(429, "91"), OK)
    found, seconds = outcome(line)
    assert isinstance(found, TooManyRequests)
    assert (found.retry_after, seconds, len(line.moments)) == (91.0, 0.0, 1)


def test_what_is_left_of_the_deadline_counts_not_the_whole() -> None:
    line = Line(said(503, "50"), said(503, "50"), OK)
    found, seconds = outcome(line)
    assert isinstance(found, ServerTrouble)
    assert (found.retry_after, seconds) == (50.0, 50.0)


def test_a_long_wait_is_told_to_all_who_stand_in_the_queue_or_come_later() -> None:
    line = Line(said(429, "3600"), OK, takes=1.0)

    async def story() -> tuple[
        list[FetchResponse | FetchError], list[FetchResponse | FetchError], float
    ]:
        whole = fetching(line, at_once=1)
        urls = [f"https://8.8.8.8/{number}" for number in range(5)]
        return await outcomes(whole, urls), await outcomes(whole, urls[:2]), _moment()

    queued, late, seconds = run(story())
    errors = [each for each in [*queued, *late] if isinstance(each, TooManyRequests)]
    assert len(errors) == 7
    assert [each.retry_after for each in errors] == [3600.0] * 7
    assert (len(line.moments), seconds) == (1, 1.0)


def test_another_host_is_not_held_up() -> None:
    line = Line(said(429, "3600"), OK)

    async def story() -> list[FetchResponse | FetchError]:
        return await outcomes(fetching(line), [PAGE, "https://1.1.1.1/a"])

    held, other = run(story())
    assert isinstance(held, TooManyRequests)
    assert isinstance(other, FetchResponse)


def test_all_attempts_and_pauses_end_with_the_deadline() -> None:
    line = Line(FetchTimeout("slow"), takes=40.0)
    found, seconds = outcome(line)
    assert isinstance(found, FetchTimeout)
    assert "timed out after 90 s" in found.message
    assert (seconds, len(line.moments)) == (90.0, 3)


def test_a_deadline_holds_for_all_redirects_together() -> None:
    line = Line(*(HopResponse(302, {"location": f"/{n}"}, b"") for n in range(5)), takes=40.0)
    found, seconds = outcome(line)
    assert isinstance(found, FetchTimeout)
    assert (seconds, line.moments) == (90.0, [0.0, 40.0, 80.0])


def test_a_wait_that_was_kept_does_not_count_again() -> None:
    line = Line(said(503, "50"), Unreachable("no one there"), OK)
    answer, _ = outcome(line)
    assert isinstance(answer, FetchResponse)
    assert line.moments == [0.0, 50.0, 51.0]


def test_a_request_may_take_so_long_and_no_longer() -> None:
    line = Line(OK)
    outcome(line, seconds=7.0)
    assert line.seconds == 7.0


def test_who_waits_for_a_first_turn_loses_no_time() -> None:
    line = Line(OK, takes=60.0)

    async def story() -> list[FetchResponse | FetchError]:
        urls = [f"https://8.8.8.8/{number}" for number in range(4)]
        return await outcomes(fetching(line, at_once=1), urls)

    assert all(isinstance(each, FetchResponse) for each in run(story()))
    assert line.moments == [0.0, 60.0, 120.0, 180.0]


def test_requests_to_one_host_keep_their_distance() -> None:
    line = Line(OK)

    async def story() -> None:
        await outcomes(fetching(line, delay=2.0), [PAGE, "https://8.8.8.8/b", "https://1.1.1.1/"])

    run(story())
    assert sorted(line.moments) == [2.0, 2.0, 4.0]  # robots.txt came first


def test_a_delay_that_robots_txt_asks_for_is_kept() -> None:
    line = Line(OK, robots=HopResponse(200, {}, b"User-agent: *\nCrawl-delay: 5\n"))

    async def story() -> None:
        await outcomes(fetching(line), [PAGE, "https://8.8.8.8/b"])

    run(story())
    assert line.moments == [5.0, 10.0]


def test_an_ordinary_answer_ends_the_doubling_of_waits() -> None:
    line = Line(said(503), said(503), OK, said(503), OK)

    async def story() -> None:
        whole = fetching(line)
        await outcomes(whole, [PAGE])
        await outcomes(whole, [PAGE])

    run(story())
    assert line.moments == [0.0, 1.0, 3.0, 3.0, 4.0]


def _moment() -> float:
    return asyncio.get_running_loop().time()


def test_a_robots_txt_that_cannot_be_had_is_not_asked_for_again_and_again(server: Server) -> None:
    server.says("/robots.txt", reply(status=500))
    with opened(server, retry=AGAIN) as web, pytest.raises(RobotsUnavailable):
        web.get(f"{SITE}/a")
    assert len(server.requests) == 3


def test_nor_is_what_redirects_to_such_a_place(server: Server) -> None:
    server.says("/a", redirect("https://other.site.test/b"))
    server.says("/robots.txt", reply(status=404), reply(status=500))
    with opened(server, retry=AGAIN) as web, pytest.raises(RobotsUnavailable):
        web.get(f"{SITE}/a")
    assert server.targets == ["/a"]


def test_a_robots_txt_that_fails_once_is_asked_for_again(server: Server) -> None:
    server.says("/robots.txt", reply(b"half")[:-1], reply(b""))
    server.says("/a", reply(b"page"))
    with opened(server, retry=AGAIN) as web:
        assert web.get(f"{SITE}/a").body == b"page"


def test_an_attempt_begins_with_the_address_that_was_asked_for(server: Server) -> None:
    server.says("/a", redirect("/b"))
    server.says("/b", reply(b"half")[:-1], reply(b"whole"))
    with opened(server, retry=AGAIN) as web:
        assert web.get(f"{SITE}/a").body == b"whole"
    assert server.targets == ["/a", "/b", "/a", "/b"]


def test_a_name_that_is_lost_on_the_way_is_unreachable(server: Server) -> None:
    server.says("/a", reply(b"page"))
    known = ["127.0.0.1"]

    async def lookup(_host: str, _port: int) -> Sequence[str]:
        if not known:
            raise socket.gaierror(socket.EAI_NONAME, "unknown")
        return [known.pop()]

    url = f"http://inside.test:{server.place.rpartition(':')[2]}/a"
    with opened(server, lookup) as web, pytest.raises(Unreachable, match="host not found"):
        web.get(url, from_settings=True)
    assert server.targets == []


def _events(caplog: pytest.LogCaptureFixture) -> dict[str, tuple[str, dict[str, object]]]:
    return {
        record.msg.name: (record.levelname, dict(record.msg.fields))
        for record in caplog.records
        if isinstance(record.msg, Event)
    }


def test_what_happens_is_told(server: Server, caplog: pytest.LogCaptureFixture) -> None:
    caplog.set_level(logging.DEBUG, "gotgan")
    server.says("/a", reply(b"half")[:-1], reply(status=503, Retry_After="0"), reply(b"page"))
    with opened(server, retry=AGAIN) as web:
        web.get(f"{SITE}/a?private=1")
    told = _events(caplog)
    level, fetched = told["fetch.fetched"]
    seconds = fetched.pop("seconds")
    assert isinstance(seconds, float)
    assert seconds >= 0.0
    assert (level, fetched) == (
        "DEBUG",
        {"url": f"{SITE}/a", "status": 200, "bytes": 4, "attempt": 3},
    )
    level, waiting = told["fetch.waiting"]
    assert (level, waiting) == ("INFO", {"host": "site.test", "seconds": 0.0, "status": 503})
    level, retrying = told["fetch.retrying"]
    assert (level, retrying["url"], retrying["attempt"]) == ("INFO", f"{SITE}/a", 2)
    assert "private" not in caplog.text


@pytest.mark.parametrize(("path", "loud"), [("/closed", "INFO"), ("/inside", "WARNING")])
def test_what_we_refuse_is_told(
    server: Server, web: Web, caplog: pytest.LogCaptureFixture, path: str, loud: str
) -> None:
    caplog.set_level(logging.INFO, "gotgan")
    server.says("/robots.txt", reply(b"User-agent: Gotgan\nDisallow: /closed\n"))
    server.says("/inside", redirect("http://10.0.0.1/"))
    with pytest.raises(FetchError):
        web.get(f"{SITE}{path}")
    level, refused = _events(caplog)["fetch.refused"]
    assert (level, refused["url"]) == (loud, f"{SITE}{path}")
