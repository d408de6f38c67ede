"""How the world misbehaves, seen by a client on a real connection."""

from __future__ import annotations

import gzip
import logging
import time
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import closing
from http.client import HTTPConnection, IncompleteRead, RemoteDisconnected

import pytest

from gotgan.errors import UsageError
from gotgan.world import FaultKind, ServedWorld, World, world_server
from gotgan.world.fault_responses import FAULT_RESPONSES
from gotgan.world.scene import SceneRequest
from gotgan.world.server import FAULTY_SENDERS
from tests.unit.world.asking import HOST, LIST, answering, ask


@pytest.fixture
def world(served: ServedWorld) -> Iterator[World]:
    yield served.world
    served.world.heal()


def _comes_true(happened: Callable[[], bool]) -> bool:
    for _ in range(10_000):
        if happened():
            return True
        time.sleep(0.001)
    return False


def _wait_in_vain(served: ServedWorld) -> None:
    """Ask for the list, and lose patience only when the request has arrived and hangs."""
    before = _hanging(served.world)
    with closing(HTTPConnection(served.place, timeout=30)) as connection:
        connection.request("GET", LIST, headers={"Host": HOST})
        assert _comes_true(lambda: _hanging(served.world) > before)
        connection.sock.settimeout(0.05)
        with pytest.raises(TimeoutError):
            connection.getresponse()


def _hanging(world: World) -> int:
    return sum(seen.fault is FaultKind.HANG for seen in world.requests)


def statuses(world: World, *places: tuple[str, str]) -> list[int]:
    return [world.answer(SceneRequest(*place))[0].status for place in places]


def test_every_fault_is_a_whole_answer_or_a_way_to_break_one() -> None:
    assert set(FAULT_RESPONSES) | set(FAULTY_SENDERS) == set(FaultKind)
    assert not set(FAULT_RESPONSES) & set(FAULTY_SENDERS)


@pytest.mark.parametrize(
    ("fault", "status"),
    [
        (FaultKind.THROTTLED, 429),
        (FaultKind.THROTTLED_SILENTLY, 429),
        (FaultKind.FORBIDDEN, 403),
        (FaultKind.BROKEN, 500),
        (FaultKind.UNAVAILABLE, 503),
    ],
)
def test_a_server_says_no(served: ServedWorld, world: World, fault: FaultKind, status: int) -> None:
    world.fail(HOST, LIST, fault)
    answer = ask(served, LIST)
    assert answer.status == status
    assert answer.headers.get("Retry-After") == ("2" if fault is FaultKind.THROTTLED else None)


def test_an_answer_ends_before_its_announced_end(served: ServedWorld, world: World) -> None:
    world.fail(HOST, LIST, FaultKind.TRUNCATED)
    with pytest.raises(IncompleteRead):
        ask(served, LIST)


def test_a_connection_is_reset(served: ServedWorld, world: World) -> None:
    world.fail(HOST, LIST, FaultKind.RESET)
    with pytest.raises(ConnectionResetError) as caught:
        ask(served, LIST)
    assert not isinstance(caught.value, RemoteDisconnected)  # an end in good order


def test_an_answer_never_comes(served: ServedWorld, world: World) -> None:
    world.fail(HOST, LIST, FaultKind.HANG)
    _wait_in_vain(served)


def test_a_slow_answer_comes_in_pieces(served: ServedWorld, world: World) -> None:
    whole = ask(served, LIST).body
    world.fail(HOST, LIST, FaultKind.SLOW)
    with answering(served, LIST) as answer:
        assert answer.headers["Content-Length"] == str(len(whole))
        first = answer.read1(len(whole))
        assert whole.startswith(first + answer.read1(len(whole)))
        assert len(first) < len(whole) / 10


def test_a_slow_answer_comes_to_its_end(served: ServedWorld, world: World) -> None:
    whole = ask(served, "/robots.txt").body
    world.fail(HOST, "/robots.txt", FaultKind.SLOW)
    assert ask(served, "/robots.txt").body == whole


def test_a_document_ends_in_the_middle_of_a_whole_answer(served: ServedWorld, world: World) -> None:
    whole = ask(served, LIST).body
    world.fail(HOST, LIST, FaultKind.CUT)
    answer = ask(served, LIST)
    assert answer.body == whole[: len(whole) // 2]


def test_a_small_answer_unpacks_to_a_hundred_megabytes(served: ServedWorld, world: World) -> None:
    world.fail(HOST, LIST, FaultKind.GZIP_BOMB)
    answer = ask(served, LIST)
    assert answer.headers["Content-Encoding"] == "gzip"
    assert len(answer.body) < 200_000
    assert len(gzip.decompress(answer.body)) == 100_000_000


def test_redirects_never_end(served: ServedWorld, world: World) -> None:
    world.fail(HOST, LIST, FaultKind.REDIRECT_LOOP, times=1)
    seen: set[str] = set()
    path = LIST
    for _ in range(20):
        location = ask(served, path).headers["Location"]
        assert location not in seen
        seen.add(location)
        path = location.removeprefix(f"https://{HOST}")


def test_redirects_lead_where_nobody_may_go(served: ServedWorld, world: World) -> None:
    world.fail(HOST, LIST, FaultKind.REDIRECT_METADATA, times=1)
    world.fail(HOST, LIST, FaultKind.REDIRECT_LOOPBACK, times=1)
    assert ask(served, LIST).headers["Location"] == "http://169.254.169.254/latest/meta-data/"
    assert ask(served, LIST).headers["Location"] == f"{served.url}/"


def test_consent_is_asked_for_over_two_redirects(served: ServedWorld, world: World) -> None:
    world.fail(HOST, LIST, FaultKind.CONSENT)
    first = ask(served, LIST)
    assert first.status == 307
    host, _, path = first.headers["Location"].removeprefix("https://").partition("/")
    assert host == "guce.yahoo.com"
    host, _, path = ask(served, f"/{path}", host).headers["Location"][8:].partition("/")
    assert host == "consent.yahoo.com"
    page = ask(served, f"/{path}", host)
    assert page.status == 200
    assert 14_000 < len(page.body) < 93_000
    assert 'class="consent-form"' in page.text
    assert 'name="csrfToken"' in page.text


@pytest.mark.parametrize(
    ("fault", "word"), [(FaultKind.BLOCK, "Are you a robot?"), (FaultKind.EMPTY, "Nothing to show")]
)
def test_a_page_without_stories_comes_with_status_200(
    served: ServedWorld, world: World, fault: FaultKind, word: str
) -> None:
    world.fail(HOST, LIST, fault)
    answer = ask(served, LIST)
    assert answer.status == 200
    assert word in answer.text
    assert "stream-card" not in answer.text


def test_json_comes_where_a_page_was_asked_for(served: ServedWorld, world: World) -> None:
    world.fail(HOST, LIST, FaultKind.WRONG_TYPE)
    assert ask(served, LIST).headers["Content-Type"] == "application/json"


def test_a_fault_happens_as_often_as_it_was_planned() -> None:
    world = World(padding=0)
    world.fail(HOST, LIST, FaultKind.BROKEN, times=2)
    assert statuses(world, *[(HOST, LIST)] * 4) == [500, 500, 200, 200]


def test_a_fault_without_a_number_happens_until_it_is_cleared() -> None:
    world = World(padding=0)
    world.fail(HOST, LIST, FaultKind.BROKEN)
    assert statuses(world, *[(HOST, LIST)] * 3) == [500, 500, 500]
    world.heal()
    assert statuses(world, (HOST, LIST)) == [200]


def test_of_two_faults_the_first_happens_first() -> None:
    world = World(padding=0)
    world.fail(HOST, LIST, FaultKind.BROKEN, times=1)
    world.fail(HOST, LIST, FaultKind.FORBIDDEN, times=1)
    assert statuses(world, *[(HOST, LIST)] * 3) == [500, 403, 200]


def test_a_fault_meets_only_its_host_and_path() -> None:
    world = World(padding=0)
    world.fail("*.yahoo.com", "/topic/*", FaultKind.BROKEN)
    places = [(HOST, LIST), (HOST, "/news/rssindex"), ("www.example-news.test", LIST)]
    assert statuses(world, *places) == [500, 200, 404]


def test_robots_txt_fails_only_where_it_is_named() -> None:
    world = World(padding=0)
    world.fail(HOST, "*", FaultKind.BROKEN)
    assert statuses(world, (HOST, "/robots.txt")) == [200]
    world.fail(HOST, "/robots.txt", FaultKind.UNAVAILABLE)
    assert statuses(world, (HOST, "/robots.txt")) == [503]


def test_a_fault_that_cannot_happen_is_refused() -> None:
    world = World()
    with pytest.raises(
        UsageError, match=r"no host finance\.yahoo\.co\. Hosts: finance\.yahoo\.com"
    ):
        world.fail("finance.yahoo.co", LIST, FaultKind.BROKEN)
    with pytest.raises(UsageError, match="once or more"):
        world.fail(HOST, LIST, FaultKind.BROKEN, times=-1)
    with pytest.raises(UsageError, match=r"no fault 'bored'\. Faults: "):
        FaultKind.named("bored")
    with pytest.raises(UsageError, match=r"holiday cannot .* Plan it at data\.krx\.co\.kr"):
        world.fail(HOST, LIST, FaultKind.HOLIDAY)
    world.fail("*", LIST, FaultKind.HOLIDAY)


def test_a_fault_is_counted_once_for_each_of_many_threads() -> None:
    world = World()
    world.fail(HOST, "/robots.txt", FaultKind.BROKEN, times=50)
    with ThreadPoolExecutor(8) as pool:
        found = list(pool.map(lambda _: statuses(world, (HOST, "/robots.txt"))[0], range(100)))
    assert sorted(found) == [200] * 50 + [500] * 50


def test_nothing_is_said_of_faults_where_servers_complain(
    caplog: pytest.LogCaptureFixture,
) -> None:
    world = World(padding=0)
    with caplog.at_level(logging.WARNING), world_server(world) as served:
        world.fail(HOST, LIST, FaultKind.HANG, times=1)
        _wait_in_vain(served)
        for fault in (FaultKind.TRUNCATED, FaultKind.RESET):
            world.fail(HOST, LIST, fault, times=1)
            with pytest.raises((OSError, IncompleteRead)):
                ask(served, LIST)
        world.fail(HOST, LIST, FaultKind.SLOW)
        with answering(served, LIST) as answer:
            assert answer.read(600)
    assert caplog.records == []


def test_a_request_that_hangs_does_not_keep_the_world() -> None:
    world = World(padding=0)
    world.fail(HOST, LIST, FaultKind.HANG)
    with ThreadPoolExecutor(1) as pool:
        with world_server(world) as served:
            waiting = pool.submit(ask, served, LIST)
            assert _comes_true(lambda: bool(world.requests))
        assert isinstance(waiting.exception(), ConnectionError)
