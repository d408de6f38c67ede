"""The demo's clock stops when something is due; who is in a hurry leaves out what can wait."""

from __future__ import annotations

from datetime import datetime, timedelta
from zoneinfo import ZoneInfo

import pytest

from gotgan.clock import SEOUL
from gotgan.demo.stops import Stop, hour_of, is_midnight, next_stop, pause_s
from gotgan.schedule import jobs

MONDAY = datetime(2025, 11, 3, tzinfo=ZoneInfo(SEOUL))
SUNDAY = MONDAY - timedelta(days=1)
JUST_BEFORE = timedelta(microseconds=1)
HOUR = timedelta(hours=1)


def stops_of(day: datetime, *, is_hurried: bool = False) -> list[Stop]:
    """All stops of a day, from its first moment on."""
    found, after = list[Stop](), day - JUST_BEFORE
    while (stop := next_stop(after, SEOUL, is_hurried=is_hurried)).at < day + 24 * HOUR:
        found.append(stop)
        after = stop.at
    return found


def times(stops: list[Stop], job: str) -> list[str]:
    """When a job is attended to, by the clock of Seoul."""
    chosen = [stop for stop in stops if job in [each.name for each in stop.jobs]]
    return [f"{stop.at.astimezone(ZoneInfo(SEOUL)):%H:%M}" for stop in chosen]


def test_a_job_is_attended_to_whenever_it_comes_round() -> None:
    stops = stops_of(MONDAY)
    assert times(stops, "market.collect") == [f"{hour}:00" for hour in range(16, 24)]
    assert times(stops, "shops.crawl") == [f"{hour:02}:10" for hour in range(24)]
    assert len(times(stops, "news.collect")) == 48
    assert times(stops_of(SUNDAY), "market.collect") == []


def test_what_comes_round_by_the_minute_is_attended_to_by_the_hour() -> None:
    hours = [f"{hour:02}:00" for hour in range(24)]
    assert times(stops_of(MONDAY), "site.send_mails") == hours


def test_jobs_of_one_stop_come_in_the_order_of_the_timetable() -> None:
    order = [job.name for job in jobs()]
    for stop in stops_of(MONDAY):
        names = [job.name for job in stop.jobs]
        assert names == sorted(names, key=order.index)


def test_whoever_is_in_a_hurry_misses_no_job() -> None:
    at_leisure, hurried = stops_of(MONDAY), stops_of(MONDAY, is_hurried=True)
    assert {job for stop in hurried for job in stop.jobs} == set(jobs())
    assert {stop.at for stop in hurried} < {stop.at for stop in at_leisure}
    assert len(hurried) < len(at_leisure) / 6


def test_a_hurry_stops_when_prices_fail_come_again_and_are_made_final() -> None:
    hurried = stops_of(MONDAY, is_hurried=True)
    assert times(hurried, "market.collect") == ["17:00", "18:00"]
    assert times(hurried, "market.indicators") == ["18:00"]
    assert times(hurried, "market.catch_up") == ["23:15"]


def test_a_hurry_looks_at_products_after_each_crawl() -> None:
    hurried = stops_of(MONDAY, is_hurried=True)
    assert times(hurried, "shops.crawl") == ["00:10", "12:10"]
    assert times(hurried, "shops.scrape") == ["00:40", "12:40"]


@pytest.mark.parametrize("hour", [8, 10, 14])
def test_a_hurry_stops_when_people_come_by(hour: int) -> None:
    assert hour in [hour_of(stop.at) for stop in stops_of(SUNDAY, is_hurried=True)]


def test_an_hour_begins_in_seoul_and_only_on_the_dot() -> None:
    assert hour_of(datetime.fromisoformat("2025-11-03T08:00:00Z")) == 17
    assert hour_of(datetime.fromisoformat("2025-11-03T08:00:01Z")) is None
    assert hour_of(datetime.fromisoformat("2025-11-03T08:15:00Z")) is None


def test_a_day_begins_at_midnight_in_seoul() -> None:
    assert is_midnight(datetime.fromisoformat("2025-11-02T15:00:00Z"))
    assert not is_midnight(datetime.fromisoformat("2025-11-02T00:00:00Z"))


def test_nights_pass_more_quickly_than_days_and_what_has_passed_is_not_waited_for() -> None:
    noon, night = Stop(MONDAY + 12 * HOUR, ()), Stop(MONDAY + 3 * HOUR, ())
    assert pause_s(noon, noon.at - HOUR) > pause_s(night, night.at - HOUR) > 0
    assert pause_s(noon, noon.at - HOUR / 2) == pause_s(noon, noon.at - HOUR) / 2
    assert pause_s(noon, noon.at + HOUR) == 0
