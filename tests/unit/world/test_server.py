"""The world on loopback: under its names, with a page about itself."""

from __future__ import annotations

from datetime import UTC, date, datetime, timedelta
from html import unescape
from typing import Any

import pytest

from gotgan.clock import FixedClock
from gotgan.errors import UsageError
from gotgan.world import FaultKind, ServedWorld, ShiftedClock, World, world_server
from gotgan.world.scene import SceneRequest
from tests.house.repository import DOCS
from tests.unit.world.asking import HOST, LIST, Got, ask
from tests.unit.world.conftest import NOON


def post(served: ServedWorld, body: Any) -> Got:
    return ask(served, "/_world/faults", "world.test", method="POST", body=body)


def test_who_answers_is_decided_by_the_name(served: ServedWorld) -> None:
    assert "Disallow: /m/" in ask(served, "/robots.txt").text
    assert "Disallow: /\n" in ask(served, "/robots.txt", "www.example-ledger.test").text
    assert (
        ask(served, "/robots.txt", "FINANCE.yahoo.com:443").text == ask(served, "/robots.txt").text
    )
    assert "no host nobody.test" in ask(served, "/", "nobody.test").text


def test_two_worlds_of_the_same_seed_and_moment_give_the_same_bytes(served: ServedWorld) -> None:
    twin = World(clock=FixedClock(NOON), padding=2_000)
    for path in (LIST, "/news/rssindex"):
        assert ask(served, path).body == twin.answer(SceneRequest(HOST, path))[0].body


def test_a_page_follows_the_clock() -> None:
    clock = FixedClock(NOON)
    world = World(clock=clock, padding=0)
    before = world.answer(SceneRequest(HOST, LIST))[0]
    clock.advance(timedelta(hours=1))
    assert world.answer(SceneRequest(HOST, LIST))[0] != before


def test_a_page_that_the_client_has_is_not_sent_again(served: ServedWorld) -> None:
    etag = ask(served, LIST).headers["ETag"]
    again = ask(served, LIST, headers={"If-None-Match": etag})
    assert (again.status, again.body, again.headers["ETag"]) == (304, b"", etag)
    assert "Content-Length" not in again.headers
    assert ask(served, LIST, headers={"If-None-Match": '"other"'}).status == 200


def test_a_served_world_says_how_it_is_reached(served: ServedWorld) -> None:
    assert served.url == f"http://{served.place}"
    assert served.resolve == {"*": served.place}


def test_what_was_asked_can_be_looked_up() -> None:
    world = World(padding=0)
    world.fail(HOST, LIST, FaultKind.BROKEN)
    with world_server(world) as served:
        ask(served, f"{LIST}?a=1", headers={"User-Agent": "curious"})
        shown = ask(served, "/_world/requests", "localhost").json["requests"]
    [seen] = world.requests
    assert (seen.host, seen.path, seen.query, seen.fault) == (HOST, LIST, "a=1", FaultKind.BROKEN)
    assert seen.headers["user-agent"] == "curious"
    assert [(each["host"], each["path"], each["fault"]) for each in shown] == [
        (HOST, LIST, "broken")
    ]


def test_faults_are_planned_and_cleared_over_http() -> None:
    world = World(padding=0)
    with world_server(world) as served:
        wanted = {"host": HOST, "path": LIST, "fault": "forbidden", "times": 3}
        assert post(served, wanted).json == {"faults": [wanted]}
        assert ask(served, LIST).status == 403
        listed = ask(served, "/_world/faults", served.place).json
        assert listed == {"faults": [{**wanted, "times": 2}]}
        assert ask(served, "/_world/faults", "world.test", method="DELETE").json == {"faults": []}
        assert ask(served, LIST).status == 200


@pytest.mark.parametrize(
    ("body", "word"),
    [
        ({"host": HOST, "fault": "bored"}, "There is no fault"),
        ({"host": "nobody.test", "fault": "hang"}, "The simulated web has no host"),
        ({"host": HOST}, "send {"),
        ({"host": HOST, "fault": "hang", "times": "x"}, "send {"),
        ([], "send {"),
    ],
)
def test_a_fault_that_is_not_understood_is_refused(
    served: ServedWorld, body: Any, word: str
) -> None:
    answer = post(served, body)
    assert answer.status == 400
    assert word in answer.text
    assert served.world.faults.planned == ()


def test_the_worlds_own_page_says_what_it_is(served: ServedWorld) -> None:
    for host in (served.place, "world.test"):
        page = ask(served, "/", host).text
        assert f"GOTGAN_RESOLVE='*={served.place}'" in page
        assert "2025-11-06 12:00:00" in page
        assert all(host in page for host in served.world.hosts)
        assert all(fault.value in page for fault in FaultKind)


def test_faults_do_not_reach_the_worlds_own_pages() -> None:
    world = World(padding=0)
    world.fail("*", "*", FaultKind.BROKEN)
    with world_server(world) as served:
        assert '"fault": "broken"' in unescape(ask(served, "/", "world.test").text)


def test_the_documentation_names_every_host_and_fault(served: ServedWorld) -> None:
    page = (DOCS / "world.md").read_text(encoding="utf-8")
    assert [host for host in served.world.hosts if f"`{host}`" not in page] == []
    assert [each for each in FaultKind if f"| `{each.value}` | {each.sentence} |" not in page] == []


def test_a_clock_goes_on_from_the_same_time_of_another_day() -> None:
    now = FixedClock(datetime(2026, 3, 1, 22, 30, tzinfo=UTC))
    clock = ShiftedClock(date(2025, 11, 6), now)
    assert clock.now() == datetime(2025, 11, 6, 22, 30, tzinfo=UTC)
    now.advance(timedelta(hours=2))
    assert clock.now() == datetime(2025, 11, 7, 0, 30, tzinfo=UTC)
    assert clock.monotonic() == 7200


def test_a_day_before_there_were_computers_is_refused() -> None:
    with pytest.raises(UsageError, match="no day 0001-01-01"):
        ShiftedClock(date(1, 1, 1), FixedClock(NOON))
