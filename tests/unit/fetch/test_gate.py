"""When a request may start: places, the delay, the back-off, and who comes first."""

from __future__ import annotations

import asyncio
import itertools
from collections.abc import Awaitable, Callable
from dataclasses import dataclass, field

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from gotgan.errors import TooManyRequests
from gotgan.fetch.gate import IDLE_S, Gate, Gates
from tests.unit.fetch.fast_loop import run


def now() -> float:
    return asyncio.get_running_loop().time()


@dataclass
class Visits:
    """Who started and ended when, and how many were inside at once."""

    gate: Gate
    starts: dict[int, float] = field(default_factory=dict)
    inside: int = 0
    most_inside: int = 0

    async def visit(self, who: int, lasts: float = 0.0) -> None:
        async with self.gate.turn():
            self.starts[who] = now()
            self.inside += 1
            self.most_inside = max(self.most_inside, self.inside)
            try:
                await asyncio.sleep(lasts)
            finally:
                self.inside -= 1

    async def visit_all(self, *durations: float) -> None:
        await asyncio.gather(*(self.visit(who, lasts) for who, lasts in enumerate(durations)))


def starts(gate: Gate, *durations: float) -> list[float]:
    """When visitors that come together get in."""
    visits = Visits(gate)
    run(visits.visit_all(*durations))
    assert list(visits.starts) == sorted(visits.starts)
    return list(visits.starts.values())


async def next_start(gate: Gate) -> float:
    async with gate.turn():
        return now()


def test_one_who_comes_alone_does_not_wait() -> None:
    assert starts(Gate(at_once=1, delay=5), 0) == [0]


def test_the_delay_lies_between_starts_however_short_a_request_is() -> None:
    assert starts(Gate(at_once=1, delay=5), 0, 2, 0) == [0, 5, 10]


def test_a_request_that_outlasts_the_delay_makes_the_next_one_wait_for_its_end() -> None:
    assert starts(Gate(at_once=1, delay=5), 8, 0, 0) == [0, 8, 13]


def test_several_at_once_still_start_one_delay_apart() -> None:
    assert starts(Gate(at_once=2, delay=1), 10, 10, 10) == [0, 1, 10]


def test_without_a_delay_only_the_places_count() -> None:
    assert starts(Gate(at_once=2, delay=0), 3, 4, 5, 6) == [0, 0, 3, 4]


def test_a_gate_without_a_place_is_refused() -> None:
    with pytest.raises(ValueError, match="at least one"):
        Gate(at_once=0, delay=1)


@settings(deadline=None)
@given(
    at_once=st.integers(1, 4),
    delay=st.integers(0, 4),
    visitors=st.lists(st.tuples(st.integers(0, 5), st.integers(0, 9)), max_size=12),
)
def test_each_starts_at_the_first_moment_that_places_delay_and_order_allow(
    at_once: int, delay: int, visitors: list[tuple[int, int]]
) -> None:
    visits = Visits(Gate(at_once=at_once, delay=delay))

    async def story() -> None:
        async with asyncio.TaskGroup() as group:
            for who, (gap, lasts) in enumerate(visitors):
                await asyncio.sleep(gap)
                group.create_task(visits.visit(who, lasts))

    run(story())
    expected: list[float] = []
    ends: list[float] = []
    arrival = 0
    for gap, lasts in visitors:
        arrival += gap
        place = sorted(ends)[-at_once] if len(ends) >= at_once else 0
        expected.append(max(arrival, place, expected[-1] + delay if expected else 0))
        ends.append(expected[-1] + lasts)
    assert [visits.starts[who] for who in range(len(visitors))] == expected
    assert visits.most_inside <= at_once


@settings(deadline=None)
@given(
    at_once=st.integers(1, 3),
    delay=st.integers(0, 3),
    deeds=st.lists(
        st.tuples(
            st.integers(0, 3),
            st.sampled_from(["visit", "visit", "cancel", "hold", "ease"]),
            st.integers(0, 6),
        ),
        max_size=25,
    ),
)
def test_whoever_goes_away_and_whatever_the_host_says_the_gate_keeps_its_word(
    at_once: int, delay: int, deeds: list[tuple[int, str, int]]
) -> None:
    gate = Gate(at_once=at_once, delay=delay)
    visits = Visits(gate)
    held: list[tuple[float, float]] = []
    tasks: list[asyncio.Task[None]] = []

    async def story() -> None:
        for gap, deed, number in deeds:
            await asyncio.sleep(gap)
            if deed == "visit":
                tasks.append(asyncio.create_task(visits.visit(len(tasks), number)))
            elif deed == "cancel" and tasks:
                tasks[number % len(tasks)].cancel()
            elif deed == "hold":
                held.append((now(), now() + gate.hold(number)))
            elif deed == "ease":
                gate.ease()
        await asyncio.gather(*tasks, return_exceptions=True)
        await asyncio.sleep(99)  # until whatever was announced is over
        assert gate.is_idle(now()), "a place was lost"

    run(story())
    moments = list(visits.starts.values())
    assert visits.most_inside <= at_once
    assert all(later - earlier >= delay for earlier, later in itertools.pairwise(moments))
    by_arrival = [visits.starts[who] for who in sorted(visits.starts)]
    assert by_arrival == sorted(by_arrival)
    # Who came in the very moment of a hold may have been let in just before it.
    assert not [m for m in moments for since, until in held if since < m < until]
    assert all(who in visits.starts for who, task in enumerate(tasks) if not task.cancelled())


def test_a_turn_that_fails_gives_its_place_back() -> None:
    async def story() -> float:
        gate = Gate(at_once=1, delay=0)
        with pytest.raises(LookupError):
            async with gate.turn():
                raise LookupError
        return await next_start(gate)

    assert run(story()) == 0


def test_a_turn_that_is_cancelled_gives_its_place_back() -> None:
    async def story() -> float:
        gate = Gate(at_once=1, delay=0)
        inside = asyncio.create_task(Visits(gate).visit(0, 100))
        await asyncio.sleep(7)
        inside.cancel()
        return await next_start(gate)

    assert run(story()) == 7


def test_who_gives_up_waiting_leaves_the_turn_to_the_next() -> None:
    async def story() -> dict[int, float]:
        visits = Visits(Gate(at_once=1, delay=0))
        tasks = [asyncio.create_task(visits.visit(who, 10)) for who in range(3)]
        await asyncio.sleep(1)
        tasks[1].cancel()
        await asyncio.gather(*tasks, return_exceptions=True)
        return visits.starts

    assert run(story()) == {0: 0, 2: 10}


def test_who_is_cancelled_in_the_moment_of_admission_gives_the_place_back() -> None:
    async def story() -> dict[int, float]:
        visits = Visits(Gate(at_once=1, delay=0))
        leave = asyncio.Event()

        async def first() -> None:
            async with visits.gate.turn():
                await leave.wait()
            tasks[1].cancel()  # it has the place, and does not know yet

        tasks = [asyncio.create_task(first())]
        tasks += [asyncio.create_task(visits.visit(who)) for who in (1, 2)]
        await asyncio.sleep(3)
        leave.set()
        await asyncio.gather(*tasks, return_exceptions=True)
        return visits.starts

    assert run(story()) == {2: 3}


def test_a_newcomer_does_not_overtake_who_waits() -> None:
    async def story() -> list[int]:
        visits = Visits(Gate(at_once=1, delay=5))
        await visits.visit(0)
        waiting = asyncio.create_task(visits.visit(1))
        await asyncio.sleep(5)
        await asyncio.gather(visits.visit(2), waiting)
        return list(visits.starts)

    assert run(story()) == [0, 1, 2]


async def hold_after_each(gate: Gate, said: float | None, times: int) -> list[float]:
    """The waits that a host's refusals bring, each an answer to a request of its own."""
    waits = []
    for _ in range(times):
        async with gate.turn():
            waits.append(gate.hold(said))
    return waits


def test_the_back_off_doubles_from_a_second_to_five_minutes() -> None:
    waits = run(hold_after_each(Gate(at_once=1, delay=0), None, 11))
    assert waits == [1, 2, 4, 8, 16, 32, 64, 128, 256, 300, 300]


def test_what_the_host_says_counts_instead_of_the_doubling() -> None:
    assert run(hold_after_each(Gate(at_once=1, delay=0), 17.0, 3)) == [17, 17, 17]


def test_refusals_that_say_how_long_count_for_the_doubling_too() -> None:
    async def story() -> float:
        gate = Gate(at_once=1, delay=0)
        await hold_after_each(gate, 0.5, 3)
        return (await hold_after_each(gate, None, 1))[0]

    assert run(story()) == 8


@pytest.mark.parametrize(("said", "start"), [(3.0, 10), (12.0, 12), (0.0, 10)])
def test_back_off_and_delay_are_not_added_up(said: float, start: float) -> None:
    async def story() -> tuple[float, float]:
        gate = Gate(at_once=1, delay=10)
        async with gate.turn():
            wait = gate.hold(said)
        return wait, await next_start(gate)

    assert run(story()) == (start, start)


def test_a_hold_is_no_wait_once_both_clocks_have_run_out() -> None:
    async def story() -> float:
        gate = Gate(at_once=1, delay=10)
        await next_start(gate)
        await asyncio.sleep(30)
        return gate.hold(0.0)

    assert run(story()) == 0


def test_those_who_wait_already_wait_for_the_end_of_a_later_hold() -> None:
    async def story() -> dict[int, float]:
        visits = Visits(Gate(at_once=1, delay=5))
        waiting = asyncio.create_task(visits.visit_all(0, 0, 0))
        await asyncio.sleep(2)
        visits.gate.hold(20.0)
        await waiting
        return visits.starts

    assert run(story()) == {0: 0, 1: 22, 2: 27}


def test_a_shorter_wait_does_not_shorten_a_longer_one() -> None:
    async def story() -> float:
        gate = Gate(at_once=1, delay=0)
        gate.hold(60.0)
        gate.hold(2.0)
        return await next_start(gate)

    assert run(story()) == 60


def test_an_ordinary_answer_makes_the_next_back_off_a_short_one() -> None:
    async def story() -> list[float]:
        gate = Gate(at_once=1, delay=0)
        waits = await hold_after_each(gate, None, 3)
        async with gate.turn():
            gate.ease()
        return waits + await hold_after_each(gate, None, 2)

    assert run(story()) == [1, 2, 4, 1, 2]


def test_the_late_success_of_another_request_ends_no_hold_and_no_doubling() -> None:
    async def story() -> tuple[float, float]:
        gate = Gate(at_once=2, delay=0)
        await hold_after_each(gate, None, 2)
        async with gate.turn():
            gate.hold(None)
            began = now()
            await asyncio.sleep(1)
            gate.ease()
        async with gate.turn():
            return now() - began, gate.hold(None)

    assert run(story()) == (4, 8)


def test_a_success_that_comes_after_the_hold_but_began_before_it_says_nothing() -> None:
    async def story() -> float:
        gate = Gate(at_once=2, delay=0)
        async with gate.turn():
            gate.hold(None)
            await asyncio.sleep(100)
            gate.ease()
        async with gate.turn():
            return gate.hold(None)

    assert run(story()) == 2


def test_refusals_of_requests_that_were_under_way_together_double_once() -> None:
    async def story() -> tuple[list[float], float]:
        gate = Gate(at_once=4, delay=0)

        async def refused() -> float:
            async with gate.turn():
                await asyncio.sleep(1)
                return gate.hold(None)

        together = await asyncio.gather(*(refused() for _ in range(4)))
        async with gate.turn():
            return together, gate.hold(None)

    assert run(story()) == ([1, 1, 1, 1], 2)


def test_nobody_waits_for_a_back_off_beyond_their_patience() -> None:
    async def story() -> tuple[list[float | None], float]:
        gate = Gate(at_once=1, delay=0, max_wait_s=10)
        async with gate.turn():
            queue = [asyncio.create_task(next_start(gate)) for _ in range(2)]
            await asyncio.sleep(0)
            gate.hold(12.0)
        await asyncio.sleep(1)
        told = await asyncio.gather(*queue, next_start(gate), return_exceptions=True)
        await asyncio.sleep(1)
        waits = [each.retry_after for each in told if isinstance(each, TooManyRequests)]
        return waits, await next_start(gate)

    assert run(story()) == ([12, 12, 11], 12)


def test_who_is_cancelled_while_being_turned_away_has_no_place_to_give_back() -> None:
    async def story() -> list[float]:
        gate = Gate(at_once=1, delay=0, max_wait_s=10)
        visits = Visits(gate)
        async with gate.turn():
            queued = asyncio.create_task(next_start(gate))
            await asyncio.sleep(0)
            gate.hold(12.0)
            queued.cancel()
            await asyncio.sleep(12)
            queue = asyncio.create_task(visits.visit_all(1, 1))
            await asyncio.sleep(5)
        await queue
        return list(visits.starts.values())

    assert run(story()) == [17, 18]


@pytest.mark.parametrize(
    ("own", "asked", "delay"), [(1, 5, 5), (5, 1, 5), (1, 3600, 60), (90, 3600, 90), (2, 0, 2)]
)
def test_a_crawl_delay_makes_ours_longer_within_reason(
    own: float, asked: float, delay: float
) -> None:
    gate = Gate(at_once=1, delay=own)
    gate.set_crawl_delay(asked)
    assert starts(gate, 0, 0) == [0, delay]


def test_a_site_may_change_its_crawl_delay() -> None:
    gate = Gate(at_once=1, delay=1)
    gate.set_crawl_delay(30)
    gate.set_crawl_delay(3)
    assert starts(gate, 0, 0) == [0, 3]


def test_hosts_do_not_wait_for_each_other() -> None:
    async def story() -> list[float]:
        gates = Gates(at_once=1, delay=9)
        return [await next_start(gates.get(host)) for host in ("a.test", "b.test", "a.test")]

    assert run(story()) == [0, 0, 9]


def test_a_host_that_nobody_asks_for_is_forgotten_after_a_while() -> None:
    async def story() -> list[bool]:
        gates = Gates(at_once=1, delay=1)
        first = gates.get("a.test")
        is_first = []
        for pause in (IDLE_S - 1, 2, IDLE_S - 1, IDLE_S, IDLE_S + 1):
            await asyncio.sleep(pause)
            gates.get("b.test")
            is_first.append(gates.get("a.test") is first)
        return is_first

    assert run(story()) == [True, True, True, False, False]


async def visited(gate: Gate) -> object:
    visit = asyncio.create_task(Visits(gate).visit(0, 10 * IDLE_S))
    await asyncio.sleep(0)
    return visit


async def held(gate: Gate) -> object:
    return gate.hold(10 * IDLE_S)


@pytest.mark.parametrize("busy", [visited, held])
def test_a_gate_is_not_forgotten_while_anything_depends_on_it(
    busy: Callable[[Gate], Awaitable[object]],
) -> None:
    async def story() -> list[bool]:
        gates = Gates(at_once=1, delay=0)
        gate = gates.get("a.test")
        deed = await busy(gate)
        await asyncio.sleep(10 * IDLE_S - 1)
        gates.get("b.test")
        is_kept = gates.get("a.test") is gate
        await asyncio.sleep(2 + IDLE_S)
        gates.get("b.test")
        return [deed is not None, is_kept, gates.get("a.test") is gate]

    assert run(story()) == [True, True, False]


def test_the_delay_of_a_host_is_not_forgotten_before_it_is_over() -> None:
    async def story() -> list[float]:
        gates = Gates(at_once=1, delay=3 * IDLE_S)
        first = await next_start(gates.get("a.test"))
        await asyncio.sleep(2 * IDLE_S)
        return [first, await next_start(gates.get("a.test"))]

    assert run(story()) == [0, 3 * IDLE_S]


def test_a_gate_at_which_somebody_waits_is_not_idle_whatever_the_hour() -> None:
    async def story() -> bool:
        gate = Gate(at_once=1, delay=0)
        gate.hold(5)
        visit = await visited(gate)
        return visit is not None and gate.is_idle(now=1e9)

    assert not run(story())
