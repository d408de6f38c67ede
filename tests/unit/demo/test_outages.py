"""Something fails once a week, and is over soon: a mail on Mondays, half a market on Wednesdays."""

from __future__ import annotations

from datetime import datetime, timedelta
from zoneinfo import ZoneInfo

import pytest

from gotgan.clock import SEOUL, FixedClock
from gotgan.demo.stops import Outages, is_greylisting_hour, is_half_market_hour
from gotgan.world import FaultKind, World

MONDAY = datetime(2025, 11, 3, tzinfo=ZoneInfo(SEOUL))
WEDNESDAY = MONDAY + timedelta(days=2)
HOUR = timedelta(hours=1)


@pytest.fixture
def world() -> World:
    return World(clock=FixedClock(WEDNESDAY))


def test_each_has_one_hour_of_a_week() -> None:
    hours = [MONDAY + number * HOUR for number in range(7 * 24)]
    assert [hour for hour in hours if is_greylisting_hour(hour)] == [MONDAY + 10 * HOUR]
    assert [hour for hour in hours if is_half_market_hour(hour)] == [WEDNESDAY + 17 * HOUR]


def test_the_outage_begins_once_and_ends_by_itself(world: World) -> None:
    outages = Outages(world)
    for minutes in (0, 15, 30):
        outages.follow(WEDNESDAY + 17 * HOUR + timedelta(minutes=minutes))
        assert [each.fault for each in world.faults.planned] == [FaultKind.HALF]
    outages.follow(WEDNESDAY + 18 * HOUR)
    assert world.faults.planned == ()


def test_one_mail_of_a_monday_is_to_come_again(world: World) -> None:
    outages = Outages(world)
    for minutes in (0, 30, 60):
        outages.follow(MONDAY + 10 * HOUR + timedelta(minutes=minutes))
        [planned] = world.faults.planned
        assert (planned.host, planned.fault, planned.times) == (
            "mail.test",
            FaultKind.GREYLISTED,
            1,
        )


def test_what_somebody_else_has_fail_goes_on_at_other_hours(world: World) -> None:
    world.fail("finance.yahoo.com", "*", FaultKind.THROTTLED)
    Outages(world).follow(WEDNESDAY + 12 * HOUR)
    assert [each.fault for each in world.faults.planned] == [FaultKind.THROTTLED]
