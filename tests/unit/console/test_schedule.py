"""The timetable: when each job comes round next, what came of its last ticks, and why."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta

import pytest

from gotgan.app import App
from gotgan.clock import FixedClock
from gotgan.console.texts import catalogue
from gotgan.schedule import JOBS
from gotgan.scheduler import Answer, Due, Ticks
from tests.unit.console.sheets import Browser


@pytest.fixture
def clock() -> FixedClock:
    """Half past five of a Monday in Seoul."""
    return FixedClock(datetime(2025, 10, 20, 8, 30, tzinfo=UTC))


def _ticked(app: App, name: str, status: str, words: str, ago: int = 30) -> None:
    now = app.clock.now()
    [job] = [each for each in JOBS if each.name == name]
    due = Due(job, now - timedelta(minutes=ago))
    assert Ticks(app.database).claim(due, Answer(status, "some_reason", words), now) is not None


@pytest.mark.parametrize("job", JOBS, ids=lambda job: job.name)
def test_every_job_is_called_something_in_both_languages(job: object) -> None:
    assert f"schedule.job.{job.name}" in catalogue()  # type: ignore[attr-defined]


def test_every_job_is_told_with_its_next_time(viewer: Browser) -> None:
    page = viewer.open("/schedule")
    assert [job.name for job in JOBS if f">{job.name}</code>" not in page] == []
    assert "2025-10-20T09:00:00Z" in page
    assert "No tick yet" in page


def test_a_tick_says_why_it_was_skipped(app: App, viewer: Browser) -> None:
    _ticked(app, "market.collect", "skipped", "prices & indices are there")
    page = viewer.open("/schedule")
    assert page.count("prices &amp; indices are there") == 2
    assert "some_reason" in page
    assert "Skipped" in page


def test_the_ticks_of_one_job_are_chosen_by_the_address(app: App, viewer: Browser) -> None:
    _ticked(app, "market.collect", "skipped", "the first reason")
    _ticked(app, "news.collect", "failed", "the other reason")
    page = viewer.open("/schedule?job=market.collect").partition('id="ticks"')[2]
    assert "the first reason" in page
    assert "the other reason" not in page
    assert "Collect prices and indices" in page


def test_no_more_than_fifty_ticks_are_told(app: App, viewer: Browser) -> None:
    for number in range(60):
        _ticked(app, "site.send_mails", "skipped", f"reason {number}.", ago=number)
    page = viewer.open("/schedule?job=site.send_mails").partition('id="ticks"')[2]
    assert page.count("some_reason") == 50
    assert "reason 0." in page
    assert "reason 50." not in page


@pytest.mark.parametrize("status", ["run", "waiting", "failed"])
def test_every_state_of_a_tick_can_be_told(app: App, viewer: Browser, status: str) -> None:
    _ticked(app, "news.collect", status, "as it is")
    viewer.client.headers["accept-language"] = "ko"
    assert "as it is" in viewer.open("/schedule")


def test_a_job_that_there_is_not_is_not_found(viewer: Browser) -> None:
    assert viewer.client.get("/schedule?job=nobody").status_code == 404
