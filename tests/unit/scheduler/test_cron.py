"""What is due follows from the timetable, the last ticks and the time, and from nothing else."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta
from itertools import takewhile
from zoneinfo import ZoneInfo

import pytest
from cronsim import CronSim
from hypothesis import given, settings
from hypothesis import strategies as st

from gotgan.clock import NEW_YORK, SEOUL
from gotgan.domain import Job
from gotgan.schedule import jobs
from gotgan.scheduler.cron import DueJob, due_jobs, last_at, next_at

MINUTE = timedelta(minutes=1)


def job(cron: str, name: str = "a.verb", **given: object) -> Job:
    return Job(name, cron, gate="a.gate", words="", **given)  # type: ignore[arg-type]


def utc(text: str) -> datetime:
    return datetime.fromisoformat(text).replace(tzinfo=UTC)


@pytest.mark.parametrize(
    ("cron", "zone", "now", "last", "following"),
    [
        # Seoul is nine hours ahead, without summer time; 2025-10-20 is a Monday.
        ("0 16 * * 1-5", SEOUL, "2025-10-20 06:59", "2025-10-17 07:00", "2025-10-20 07:00"),
        ("0 16 * * 1-5", SEOUL, "2025-10-20 07:00", "2025-10-20 07:00", "2025-10-21 07:00"),
        ("0 16-23 * * 1-5", SEOUL, "2025-10-20 14:30", "2025-10-20 14:00", "2025-10-21 07:00"),
        ("30 23 * * 1-5", SEOUL, "2025-10-18 00:00", "2025-10-17 14:30", "2025-10-20 14:30"),
        ("0 16-23 * * 1-5", "UTC", "2025-10-20 14:30", "2025-10-17 23:00", "2025-10-20 16:00"),
        ("*/30 * * * *", SEOUL, "2025-12-31 23:59", "2025-12-31 23:30", "2026-01-01 00:00"),
        # In New York 02:30 is skipped on 2025-03-09, and 01:30 comes twice on 2025-11-02.
        ("30 2 * * *", NEW_YORK, "2025-03-09 06:59", "2025-03-08 07:30", "2025-03-09 07:00"),
        ("30 2 * * *", NEW_YORK, "2025-03-09 07:00", "2025-03-09 07:00", "2025-03-10 06:30"),
        ("30 1 * * *", NEW_YORK, "2025-11-02 05:29", "2025-11-01 05:30", "2025-11-02 05:30"),
        ("30 1 * * *", NEW_YORK, "2025-11-02 06:15", "2025-11-02 05:30", "2025-11-03 06:30"),
        ("30 1 * * *", NEW_YORK, "2025-11-02 06:45", "2025-11-02 05:30", "2025-11-03 06:30"),
        ("*/30 * * * *", NEW_YORK, "2025-11-02 06:29", "2025-11-02 06:00", "2025-11-02 06:30"),
        ("0 16 * * 1-5", NEW_YORK, "2025-11-03 20:59", "2025-10-31 20:00", "2025-11-03 21:00"),
    ],
)
def test_a_job_comes_round_by_the_clock_of_its_zone(
    cron: str, zone: str, now: str, last: str, following: str
) -> None:
    assert last_at(job(cron), utc(now), zone) == utc(last)
    assert next_at(job(cron), utc(now), zone) == utc(following)


def test_a_job_may_have_a_zone_of_its_own() -> None:
    its_own = job("0 9 * * *", zone="UTC")
    assert next_at(its_own, utc("2025-10-20 08:00"), SEOUL) == utc("2025-10-20 09:00")


def test_a_job_is_due_once_however_often_it_came_round() -> None:
    every = job("*/30 * * * *")
    now = utc("2025-10-23 12:10")
    found = due_jobs([every], {every.name: now - timedelta(days=3)}, now, SEOUL)
    assert found == [DueJob(every, utc("2025-10-23 12:00"))]


def test_a_job_that_has_ticked_is_not_due_before_it_comes_round_again() -> None:
    every = job("*/30 * * * *")
    last = {every.name: utc("2025-10-20 12:00")}
    assert due_jobs([every], last, utc("2025-10-20 12:29"), SEOUL) == []
    assert due_jobs([every], last, utc("2025-10-20 12:30"), SEOUL) != []


def test_a_job_that_never_ticked_is_due() -> None:
    daily = job("0 16 * * 1-5")
    now = utc("2025-10-19 12:00")
    assert due_jobs([daily], {}, now, SEOUL) == [DueJob(daily, utc("2025-10-17 07:00"))]


def test_a_clock_that_goes_back_makes_nothing_due() -> None:
    every = job("*/30 * * * *")
    assert (
        due_jobs([every], {every.name: utc("2025-10-20 12:30")}, utc("2025-10-20 12:15"), SEOUL)
        == []
    )


def test_jobs_of_one_minute_come_in_the_order_of_the_timetable() -> None:
    at = utc("2025-10-20 09:00")  # 18:00 in Seoul
    last = {each.name: at - MINUTE for each in jobs()}
    assert [each.job.name for each in due_jobs(jobs(), last, at, SEOUL)] == [
        "news.collect",
        "news.poll",
        "shops.deliver",
        "market.collect",
        "market.indicators",
        "site.send_mails",
    ]


def test_at_the_start_some_jobs_are_due_before_they_come_round() -> None:
    sweep, other = job("0 16 * * *", "sweep", at_start=True), job("0 16 * * *", "other")
    now = utc("2025-10-20 14:30") + timedelta(seconds=7)
    last = dict.fromkeys(("sweep", "other"), utc("2025-10-20 07:00"))
    assert due_jobs([sweep, other], last, now, SEOUL) == []
    assert due_jobs([sweep, other], last, now, SEOUL, is_start=True) == [
        DueJob(sweep, utc("2025-10-20 14:30"))
    ]


def test_two_starts_in_one_minute_are_one() -> None:
    sweep = job("0 16 * * *", at_start=True)
    now = utc("2025-10-20 14:30")
    assert (
        due_jobs([sweep], {sweep.name: now}, now + timedelta(seconds=30), SEOUL, is_start=True)
        == []
    )


CRONS = [each.cron for each in jobs()] + ["30 2 * * *", "15 1,2 * * 0", "*/7 1-3 * * *"]
MOMENTS = st.datetimes(datetime(2024, 1, 1), datetime(2028, 1, 1), timezones=st.just(UTC))  # noqa: DTZ001


@settings(deadline=None, max_examples=60)
@given(
    cron=st.sampled_from(CRONS),
    zone=st.sampled_from([SEOUL, NEW_YORK, "UTC", "Europe/Berlin", "Australia/Lord_Howe"]),
    now=st.one_of(
        MOMENTS,
        st.integers(0, 600).map(lambda minutes: utc("2025-11-02 01:00") + minutes * MINUTE),
        st.integers(0, 600).map(lambda minutes: utc("2025-03-09 01:00") + minutes * MINUTE),
    ),
)
def test_nothing_comes_round_between_the_last_time_and_the_next(
    cron: str, zone: str, now: datetime
) -> None:
    last, following = last_at(job(cron), now, zone), next_at(job(cron), now, zone)
    assert last <= now < following
    before = (last - 2 * timedelta(hours=1)).astimezone(ZoneInfo(zone))
    times = (each.astimezone(UTC) for each in CronSim(cron, before))
    assert max(takewhile(lambda each: each <= now, times)) == last
