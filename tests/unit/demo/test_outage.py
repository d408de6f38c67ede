"""Every Wednesday at 17:00 in Seoul the exchange gives half a market, and an hour later all."""

from __future__ import annotations

from datetime import datetime, timedelta
from zoneinfo import ZoneInfo

import pytest

from gotgan.clock import SEOUL, FixedClock
from gotgan.demo.outage import Outage, is_out
from gotgan.world import Fault, World

WEDNESDAY = datetime(2025, 11, 5, tzinfo=ZoneInfo(SEOUL))
HOUR = timedelta(hours=1)


@pytest.fixture
def world() -> World:
    return World(clock=FixedClock(WEDNESDAY))


def test_the_exchange_is_out_for_one_hour_of_a_week() -> None:
    hours = [WEDNESDAY + number * HOUR for number in range(7 * 24)]
    assert [hour for hour in hours if is_out(hour)] == [WEDNESDAY + 17 * HOUR]


def test_the_outage_begins_once_and_ends_by_itself(world: World) -> None:
    outage = Outage(world)
    for minutes in (0, 15, 30):
        outage.follow(WEDNESDAY + 17 * HOUR + timedelta(minutes=minutes))
        assert [each.fault for each in world.faults.planned] == [Fault.HALF]
    outage.follow(WEDNESDAY + 18 * HOUR)
    assert world.faults.planned == ()


def test_what_somebody_else_has_fail_goes_on_at_other_hours(world: World) -> None:
    world.fail("finance.yahoo.com", "*", Fault.THROTTLED)
    Outage(world).follow(WEDNESDAY + 12 * HOUR)
    assert [each.fault for each in world.faults.planned] == [Fault.THROTTLED]
