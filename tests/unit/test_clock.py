"""The clock and its stamps."""

from __future__ import annotations

from datetime import UTC, date, datetime, timedelta, timezone

import pytest

from gotgan.clock import (
    EarlierClock,
    FixedClock,
    LeapingClock,
    Span,
    SystemClock,
    Zone,
    day_span,
    day_zone,
    has_days,
    new_york_stamp,
    parse_moment,
    seoul_stamp,
    utc_iso,
    utc_stamp,
)

AN_AUTUMN_NIGHT = datetime(2025, 11, 6, 0, 35, 12, 987_654, tzinfo=UTC)


def test_one_moment_is_stamped_as_each_zone_writes_it() -> None:
    assert utc_iso(AN_AUTUMN_NIGHT) == "2025-11-06T00:35:12Z"
    assert new_york_stamp(AN_AUTUMN_NIGHT).iso == "2025-11-05T19:35:12-05:00"
    assert seoul_stamp(AN_AUTUMN_NIGHT).iso == "2025-11-06T09:35:12+09:00"


def test_the_day_is_the_date_in_the_zone() -> None:
    assert utc_stamp(AN_AUTUMN_NIGHT).day == "2025-11-06"
    assert new_york_stamp(AN_AUTUMN_NIGHT).day == "2025-11-05"
    assert seoul_stamp(AN_AUTUMN_NIGHT).day == "2025-11-06"


def test_every_zone_gives_the_same_milliseconds_in_whole_seconds() -> None:
    stamps = [zone(AN_AUTUMN_NIGHT) for zone in (utc_stamp, new_york_stamp, seoul_stamp)]
    assert {stamp.epoch_ms for stamp in stamps} == {1_762_389_312_000}


@pytest.mark.parametrize(
    ("moment", "abbreviation", "is_dst"),
    [
        (datetime(2025, 11, 2, 5, 59, 59, tzinfo=UTC), "EDT", True),
        (datetime(2025, 11, 2, 6, 0, 0, tzinfo=UTC), "EST", False),
    ],
)
def test_new_york_says_whether_daylight_saving_holds(
    moment: datetime, abbreviation: str, is_dst: bool
) -> None:
    stamp = new_york_stamp(moment)
    assert (stamp.abbreviation, stamp.is_dst) == (abbreviation, is_dst)


@pytest.mark.parametrize("stamp", [utc_stamp, new_york_stamp, seoul_stamp])
def test_a_moment_without_a_zone_is_refused(stamp: object) -> None:
    assert callable(stamp)
    with pytest.raises(ValueError, match="no zone"):
        stamp(AN_AUTUMN_NIGHT.replace(tzinfo=None))


def test_a_moment_from_another_zone_is_stamped_in_utc() -> None:
    in_seoul = AN_AUTUMN_NIGHT.astimezone(timezone(timedelta(hours=9)))
    assert utc_stamp(in_seoul) == utc_stamp(AN_AUTUMN_NIGHT)


def test_the_system_clock_is_aware_and_its_seconds_only_grow() -> None:
    clock = SystemClock()
    assert clock.now().tzinfo is UTC
    assert clock.monotonic() <= clock.monotonic()


def test_a_fixed_clock_stands_still_until_it_is_moved() -> None:
    clock = FixedClock(AN_AUTUMN_NIGHT)
    assert clock.now() == clock.now() == AN_AUTUMN_NIGHT
    clock.advance(timedelta(hours=2))
    assert clock.now() == AN_AUTUMN_NIGHT + timedelta(hours=2)
    assert clock.monotonic() == 7200


def test_a_fixed_clock_refuses_to_go_back() -> None:
    with pytest.raises(ValueError, match="forward"):
        FixedClock(AN_AUTUMN_NIGHT).advance(timedelta(seconds=-1))


# Days and leaps


@pytest.mark.parametrize(
    ("zone", "first", "hours"),
    [
        ("utc", datetime(2025, 11, 2, 0, tzinfo=UTC), 24),
        ("kst", datetime(2025, 11, 1, 15, tzinfo=UTC), 24),
        ("ny", datetime(2025, 11, 2, 4, tzinfo=UTC), 25),
    ],
)
def test_a_day_of_a_zone_begins_at_its_midnight(zone: Zone, first: datetime, hours: int) -> None:
    assert day_span(date(2025, 11, 2), zone) == Span(first, first + timedelta(hours=hours))


def test_the_day_on_which_new_york_sets_its_clocks_forward_has_23_hours() -> None:
    span = day_span(date(2025, 3, 9), "ny")
    assert span.last - span.first == timedelta(hours=23)


@pytest.mark.parametrize("zone", ["utc", "ny", "kst"])
def test_days_follow_one_another_without_a_gap(zone: Zone) -> None:
    days = [date(2025, 1, 1) + timedelta(days=number) for number in range(366)]
    spans = [day_span(day, zone) for day in days]
    assert [span.last for span in spans[:-1]] == [span.first for span in spans[1:]]


@pytest.mark.parametrize(
    ("zones", "word"),
    [
        (["UTC"], "utc"),
        (["America/New_York", "UTC"], "ny"),
        (["Europe/Berlin", "UTC"], "utc"),
        (["Europe/Berlin"], "kst"),
    ],
)
def test_a_day_without_a_zone_is_one_of_the_first_zone_that_has_days(
    zones: list[str], word: str
) -> None:
    assert day_zone(*zones) == word
    assert has_days(zones[0]) == (zones[0] != "Europe/Berlin")


@pytest.mark.parametrize(
    ("text", "moment"),
    [
        ("2025-07-01", "2025-06-30T22:00:00Z"),
        ("2025-12-01", "2025-11-30T23:00:00Z"),
        ("2025-07-01T12:00", "2025-07-01T10:00:00Z"),
        ("2025-07-01T12:00Z", "2025-07-01T12:00:00Z"),
        ("2025-07-01T12:00-03:00", "2025-07-01T15:00:00Z"),
    ],
)
def test_a_written_moment_is_one_of_the_zone_unless_it_has_an_offset(
    text: str, moment: str
) -> None:
    assert utc_iso(parse_moment(text, "Europe/Berlin")) == moment


def test_a_span_has_its_first_moment_and_not_its_last() -> None:
    span = day_span(date(2025, 11, 6), "utc")
    assert (span.first in span, span.last in span) == (True, False)


def test_a_leaping_clock_goes_as_another_from_another_moment_on() -> None:
    real = FixedClock(AN_AUTUMN_NIGHT)
    leaping = LeapingClock(real, datetime(2024, 2, 29, tzinfo=UTC))
    real.advance(timedelta(minutes=3))
    assert leaping.now() == datetime(2024, 2, 29, 0, 3, tzinfo=UTC)


def test_a_leap_is_no_time_that_passed() -> None:
    real = FixedClock(AN_AUTUMN_NIGHT)
    leaping = LeapingClock(real, AN_AUTUMN_NIGHT)
    leaping.leap_to(AN_AUTUMN_NIGHT + timedelta(days=1))
    assert leaping.now() == AN_AUTUMN_NIGHT + timedelta(days=1)
    assert leaping.monotonic() == 0.0


def test_a_clock_does_not_leap_back() -> None:
    leaping = LeapingClock(FixedClock(AN_AUTUMN_NIGHT), AN_AUTUMN_NIGHT)
    leaping.leap_to(AN_AUTUMN_NIGHT - timedelta(hours=1))
    assert leaping.now() == AN_AUTUMN_NIGHT


def test_of_two_clocks_the_one_that_is_behind_says_what_is_over() -> None:
    one, other = FixedClock(AN_AUTUMN_NIGHT), FixedClock(AN_AUTUMN_NIGHT + timedelta(hours=1))
    both = EarlierClock(one, other)
    assert both.now() == AN_AUTUMN_NIGHT
    one.advance(timedelta(hours=2))
    assert (both.now(), both.monotonic()) == (AN_AUTUMN_NIGHT + timedelta(hours=1), 7200)
