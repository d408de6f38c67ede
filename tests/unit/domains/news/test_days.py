"""A day of New York or Seoul is two stretches of UTC days, on every day of the calendar."""

from __future__ import annotations

from datetime import UTC, date, datetime, timedelta
from zoneinfo import ZoneInfo

import pytest
from hypothesis import given
from hypothesis import strategies as st

from gotgan.clock import ZONES, Zone, new_york_stamp, seoul_stamp
from gotgan.domains.news.keys import current_date, latest_days, utc_parts
from gotgan.errors import UsageError

HOUR = timedelta(hours=1)
DAY = timedelta(days=1)
SECOND = timedelta(seconds=1)

ZONE = st.sampled_from(list(ZONES))


def changes(first: int, last: int) -> list[datetime]:
    """Every moment in these years at which New York changes its clocks, found hour by hour."""
    zone, moment, found = ZoneInfo(ZONES["ny"]), datetime(first, 1, 1, tzinfo=UTC), []
    while moment.year <= last:
        if moment.astimezone(zone).utcoffset() != (moment - HOUR).astimezone(zone).utcoffset():
            found.append(moment)
        moment += HOUR
    return found


CHANGES = changes(2024, 2030)


def test_new_york_changes_its_clocks_twice_a_year() -> None:
    assert len(CHANGES) == 14


@pytest.mark.parametrize("change", CHANGES, ids=lambda change: change.date().isoformat())
def test_stamps_are_right_around_every_change_of_clocks(change: datetime) -> None:
    """By the rule of the law: second Sunday of March, first Sunday of November, at two o'clock."""
    before, after = new_york_stamp(change - SECOND), new_york_stamp(change)
    into_summer = change.month == 3
    assert (before.is_dst, after.is_dst) == (not into_summer, into_summer)
    assert (before.abbreviation, after.abbreviation) == (
        ("EST", "EDT") if into_summer else ("EDT", "EST")
    )
    assert before.iso[11:] == ("01:59:59-05:00" if into_summer else "01:59:59-04:00")
    assert after.iso[11:] == ("03:00:00-04:00" if into_summer else "01:00:00-05:00")
    assert after.epoch_ms - before.epoch_ms == 1000


@pytest.mark.parametrize(
    "change", [each for each in CHANGES if each.month == 11], ids=lambda each: str(each.year)
)
def test_the_hour_that_comes_twice_is_told_apart(change: datetime) -> None:
    for minute in range(60):
        first = new_york_stamp(change - HOUR + minute * timedelta(minutes=1))
        second = new_york_stamp(change + minute * timedelta(minutes=1))
        assert first.iso[:19] == second.iso[:19]
        assert (first.iso[19:], second.iso[19:]) == ("-04:00", "-05:00")
        assert first.day == second.day


@pytest.mark.parametrize("change", CHANGES, ids=lambda change: change.date().isoformat())
def test_a_day_on_which_clocks_change_is_an_hour_shorter_or_longer(change: datetime) -> None:
    parts = utc_parts(change.date(), "ny")
    length = sum(((part.last - part.first + SECOND) for part in parts), timedelta(0))
    assert length == DAY - HOUR if change.month == 3 else length == DAY + HOUR


@given(ZONE, st.dates(date(2024, 1, 1), date(2030, 12, 31)), st.integers(-40 * 3600, 40 * 3600))
def test_a_moment_is_in_the_parts_of_a_day_exactly_when_the_zone_says_so(
    zone: Zone, day: date, offset: int
) -> None:
    moment = datetime(day.year, day.month, day.day, 12, tzinfo=UTC) + timedelta(seconds=offset)
    local = {
        "utc": moment.date().isoformat(),
        "ny": new_york_stamp(moment).day,
        "kst": seoul_stamp(moment).day,
    }[zone]
    is_in = [part for part in utc_parts(day, zone) if part.first <= moment <= part.last]
    assert bool(is_in) == (local == day.isoformat())
    assert all(part.day == moment.date() for part in is_in)


@given(ZONE, st.dates(date(2000, 1, 1), date(2100, 1, 1)))
def test_a_day_elsewhere_is_two_parts_and_the_latest_is_first(zone: Zone, day: date) -> None:
    parts = utc_parts(day, zone)
    assert len(parts) == (1 if zone == "utc" else 2)
    assert parts == sorted(parts, key=lambda part: part.first, reverse=True)


@pytest.mark.parametrize("day", [date.min, date.max])
def test_a_day_at_the_edge_of_the_calendar_is_refused(day: date) -> None:
    with pytest.raises(UsageError, match="edge"):
        utc_parts(day, "kst" if day == date.min else "ny")


def test_the_latest_days_begin_with_today() -> None:
    now = datetime(2026, 3, 1, 0, 5, tzinfo=UTC)
    assert latest_days(now.date(), 2) == [date(2026, 3, 1), date(2026, 2, 28)]
    assert current_date("ny", now) == date(2026, 2, 28)
    assert current_date("kst", now) == date(2026, 3, 1)
