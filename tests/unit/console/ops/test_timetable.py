"""The timetable: when each job comes round next, what came of its last ticks, and why."""

from __future__ import annotations

import re
from datetime import UTC, datetime, timedelta
from html import unescape

import pytest

from gotgan.app import App
from gotgan.clock import FixedClock
from gotgan.console.texts import catalogue
from gotgan.domain import GO, Job, SimpleDecision
from gotgan.domains.market import messages
from gotgan.domains.market.models import SIDES
from gotgan.schedule import jobs
from gotgan.scheduler import DueJob, Ticks
from tests.each import each
from tests.unit.console.sheets import Browser


@pytest.fixture
def clock() -> FixedClock:
    """Half past five of a Monday in Seoul."""
    return FixedClock(datetime(2025, 10, 20, 8, 30, tzinfo=UTC))


def _ticked(app: App, name: str, status: str, words: str, ago: int = 30) -> None:
    now = app.clock.now()
    [job] = [each for each in jobs() if each.name == name]
    due = DueJob(job, now - timedelta(minutes=ago))
    assert (
        Ticks(app.database).claim(due, SimpleDecision(status, "some_reason", words), now)
        is not None
    )


@each("job", jobs(), lambda job: job.name)
def test_every_job_is_called_something_in_both_languages(job: Job) -> None:
    assert f"schedule.job.{job.name}" in catalogue()


def test_every_job_is_told_with_its_next_time(viewer: Browser) -> None:
    page = viewer.open("/schedule")
    assert [job.name for job in jobs() if f">{job.name}</code>" not in page] == []
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


def test_ticks_are_chosen_by_how_they_ended(app: App, viewer: Browser) -> None:
    _ticked(app, "market.collect", "skipped", "the first reason")
    _ticked(app, "news.collect", "failed", "the other reason")
    page = viewer.open("/schedule?status=failed").partition('id="ticks"')[2]
    assert "the other reason" in page
    assert "the first reason" not in page
    assert "No matching ticks" in viewer.open("/schedule?status=done")
    assert viewer.client.get("/schedule?status=lost").status_code == 422


def test_a_page_of_ticks_leads_to_the_next_one(app: App, viewer: Browser) -> None:
    for number in range(60):
        _ticked(app, "site.send_mails", "skipped", f"reason {number}.", ago=number)
    first = viewer.open("/schedule?job=site.send_mails")
    [following] = re.findall(r'href="([^"]+)" rel="next"', first)
    second = viewer.open(unescape(following)).partition('id="ticks"')[2]
    assert second.count("some_reason") == 10
    assert "reason 59." in second
    assert "reason 49." not in second
    assert 'href="/schedule?job=site.send_mails#ticks" rel="first"' in second


def test_a_cursor_that_was_changed_is_refused(viewer: Browser) -> None:
    assert viewer.client.get("/schedule?cursor=elsewhere").status_code == 400


def test_thirty_days_of_a_job_are_drawn_and_told_in_words(app: App, viewer: Browser) -> None:
    _ticked(app, "news.collect", "failed", "a reason")
    _ticked(app, "news.collect", "skipped", "a reason", ago=24 * 60)
    _ticked(app, "news.collect", "skipped", "a reason", ago=24 * 60 + 30)
    page = viewer.open("/schedule?job=news.collect")
    strip = page.partition('class="tick-strip"')[2].partition("</svg>")[0]
    assert strip.count("<rect") == 30
    assert strip.count('class="never"') == 28
    assert "<title>2025-10-20: Failed 1</title>" in strip
    assert "<title>2025-10-19: Skipped 2</title>" in strip
    assert "1 failed" in page
    assert "2 not run" in page
    assert re.search(r'2025-10-19 <span class="zone">UTC</span></td>.*<td class="num">2</td>', page)


def test_what_failed_in_thirty_days_leads_to_itself(app: App, viewer: Browser) -> None:
    _ticked(app, "news.collect", "failed", "a reason")
    assert 'href="/schedule?job=news.collect&amp;status=failed#ticks"' in viewer.open("/schedule")


def test_a_tick_that_ran_says_how_long_and_nothing_that_is_plain(app: App, viewer: Browser) -> None:
    now = app.clock.now()
    [job] = [each for each in jobs() if each.name == "news.collect"]
    tick = Ticks(app.database).claim(DueJob(job, now - timedelta(minutes=30)), GO, now)
    assert tick is not None
    Ticks(app.database).end(tick, status="done", finished_at=now + timedelta(seconds=1.5))
    page = viewer.open("/schedule?job=news.collect").partition('id="ticks"')[2]
    assert "1.5 s" in page
    assert GO.words not in page


def test_the_same_ticks_are_there_for_programs(app: App, viewer: Browser) -> None:
    _ticked(app, "market.collect", "skipped", "the first reason")
    _ticked(app, "news.collect", "failed", "=SUM(A1)")
    page = viewer.open("/schedule?job=news.collect&status=failed")
    query = "job=news.collect&amp;status=failed"
    assert f'href="/v1/schedule/ticks?{query}"' in page
    assert f'href="/schedule/ticks.csv?{query}"' in page
    assert "gotgan ticks --job news.collect --status failed" in page
    file = viewer.client.get("/schedule/ticks.csv?job=news.collect").text
    assert file.splitlines()[0].endswith("job,at,status,reason,words,startedAt,finishedAt,error")
    assert "'=SUM(A1)" in file
    assert "the first reason" not in file


def test_the_jobs_are_a_file_too(viewer: Browser) -> None:
    lines = viewer.client.get("/schedule/jobs.csv").text.splitlines()
    assert len(lines) == len(jobs()) + 1
    assert lines[1].startswith("news.collect,")
    assert 'href="/schedule/jobs.csv"' in viewer.open("/schedule")


def test_the_timetable_is_told_in_korean_too(app: App, viewer: Browser) -> None:
    _ticked(app, "news.collect", "failed", "a reason")
    viewer.client.headers["accept-language"] = "ko"
    page = viewer.open("/schedule")
    assert "예약 작업" in page
    assert "뉴스 수집" in page
    assert "실패 1회" in page


def test_a_korean_page_tells_rules_and_what_gates_said_in_korean(app: App, viewer: Browser) -> None:
    _ticked(
        app,
        "market.collect",
        "skipped",
        messages.STORED(what=messages.words(SIDES), day="2025-10-20"),
    )
    _ticked(app, "news.collect", "failed", "Yahoo does not answer")
    viewer.client.headers["accept-language"] = "ko"
    page = viewer.open("/schedule")
    assert "월~금 16:00부터 23:00까지 매시간" in page
    assert "30분마다" in page
    assert page.count("2025-10-20 시세와 지수가 이미 저장되어 있습니다.") == 2
    assert page.count('<span lang="en">Yahoo does not answer</span>') == 2
    assert "<title>2025-10-20: 건너뜀 1</title>" in page
