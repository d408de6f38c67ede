"""The meter: what all threads spent, and what one block spent."""

from __future__ import annotations

import asyncio
import gc
import sys
import weakref
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from contextvars import copy_context
from datetime import UTC, date, datetime, timedelta
from threading import Event, Thread

import pytest

from gotgan.clock import FixedClock
from gotgan.store.costs import Cost, CostLine, CostMeter

WRITE = Cost((CostLine("put", "shops", None, 0.0, 1.0),))
READ = Cost((CostLine("get", "shops", None, 0.5, 0.0),))


@pytest.fixture
def hasty_threads() -> Iterator[None]:
    """Let threads interrupt each other as often as Python can."""
    usual = sys.getswitchinterval()
    sys.setswitchinterval(1e-7)
    yield
    sys.setswitchinterval(usual)


def _in_a_thread(meter: CostMeter, cost: Cost) -> None:
    thread = Thread(target=meter.record, args=(cost,))
    thread.start()
    thread.join()


def test_a_meter_adds_up_what_it_is_told() -> None:
    meter = CostMeter()
    assert meter.total() == Cost()
    meter.record(WRITE)
    meter.record(READ)
    meter.record(Cost())
    assert meter.total() == WRITE + READ


@pytest.mark.usefixtures("hasty_threads")
def test_no_unit_is_lost_between_threads() -> None:
    meter = CostMeter()

    def record(times: int) -> None:
        for _ in range(times):
            meter.record(WRITE)

    with ThreadPoolExecutor(8) as pool:
        list(pool.map(record, [3000] * 8))
    assert meter.total().writes == 24_000


def test_a_block_counts_what_is_recorded_within_it() -> None:
    meter = CostMeter()
    meter.record(READ)
    with meter.measured() as block:
        assert block.cost == Cost()
        meter.record(WRITE)
        assert block.cost == WRITE
    meter.record(READ)
    assert block.cost == WRITE
    assert meter.total() == READ + WRITE + READ


def test_blocks_within_blocks_each_count() -> None:
    meter = CostMeter()
    with meter.measured() as outer:
        meter.record(READ)
        with meter.measured() as inner:
            meter.record(WRITE)
        meter.record(READ)
    assert (inner.cost, outer.cost) == (WRITE, READ + WRITE + READ)


def test_a_block_does_not_count_what_another_thread_does() -> None:
    meter = CostMeter()
    with meter.measured() as block:
        _in_a_thread(meter, WRITE)
    assert block.cost == Cost()
    assert meter.total() == WRITE


@pytest.mark.usefixtures("hasty_threads")
def test_a_block_counts_threads_that_were_given_its_context() -> None:
    meter = CostMeter()
    with meter.measured() as block, ThreadPoolExecutor(4) as pool:
        for _ in range(2000):
            pool.submit(copy_context().run, meter.record, WRITE)
    assert block.cost.writes == 2000


def test_a_block_counts_what_it_awaits_in_threads() -> None:
    meter = CostMeter()

    async def work() -> Cost:
        with meter.measured() as block:
            await asyncio.to_thread(meter.record, WRITE)
        return block.cost

    assert asyncio.run(work()) == WRITE


def test_a_block_that_has_ended_counts_no_more() -> None:
    meter, ended = CostMeter(), Event()

    def late() -> None:
        ended.wait()
        meter.record(WRITE)

    with meter.measured() as block:
        thread = Thread(target=copy_context().run, args=(late,))
        thread.start()
    ended.set()
    thread.join()
    assert block.cost == Cost()
    assert meter.total() == WRITE


def test_a_block_can_end_in_another_context_than_it_began() -> None:
    """Frameworks enter and leave a generator in threads of their choice."""
    meter = CostMeter()
    measuring = meter.measured()
    block = copy_context().run(measuring.__enter__)
    copy_context().run(measuring.__exit__, None, None, None)
    meter.record(WRITE)
    assert block.cost == Cost()


def test_a_block_that_has_ended_is_let_go() -> None:
    meter = CostMeter()
    with meter.measured() as block:
        meter.record(WRITE)
    kept = weakref.ref(block)
    del block
    gc.collect()
    assert kept() is None


def test_a_block_that_fails_keeps_what_it_spent() -> None:
    meter = CostMeter()
    with pytest.raises(LookupError), meter.measured() as block:
        _record_and_fail(meter)
    meter.record(READ)
    assert block.cost == WRITE


def _record_and_fail(meter: CostMeter) -> None:
    meter.record(WRITE)
    raise LookupError


def test_a_block_counts_its_own_meter_only() -> None:
    mine, other = CostMeter(), CostMeter()
    with mine.measured() as block:
        other.record(WRITE)
        mine.record(READ)
    assert block.cost == READ
    assert other.total() == WRITE


def test_a_meter_says_since_when_and_what_each_day_cost() -> None:
    clock = FixedClock(datetime(2025, 10, 20, 23, 59, tzinfo=UTC))
    meter = CostMeter(clock)
    meter.record(WRITE)
    clock.advance(timedelta(minutes=1))
    meter.record(READ)
    meter.record(READ)
    assert meter.since == datetime(2025, 10, 20, 23, 59, tzinfo=UTC)
    assert meter.days() == {date(2025, 10, 20): WRITE, date(2025, 10, 21): READ + READ}


def test_what_is_older_than_thirty_days_stays_in_the_total() -> None:
    clock = FixedClock(datetime(2025, 10, 1, tzinfo=UTC))
    meter = CostMeter(clock)
    for _ in range(32):
        meter.record(WRITE)
        clock.advance(timedelta(days=1))
    assert len(meter.days()) == 30
    assert min(meter.days()) == date(2025, 10, 3)
    assert meter.total().writes == 32
