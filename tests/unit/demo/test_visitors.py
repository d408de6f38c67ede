"""People come by at their hours: they publish, write in, and have videos analysed."""

from __future__ import annotations

from collections.abc import Iterator
from datetime import datetime, timedelta
from pathlib import Path
from zoneinfo import ZoneInfo

import pytest

from gotgan.app import App
from gotgan.clock import SEOUL, FixedClock
from gotgan.demo.demo import demo_settings
from gotgan.demo.sample_site import DAYS, NOTICES, fill_site
from gotgan.demo.visitors import visit_site

MONDAY = datetime(2025, 11, 3, tzinfo=ZoneInfo(SEOUL))
TUESDAY, WEDNESDAY, SUNDAY = (MONDAY + timedelta(days=days) for days in (1, 2, 6))


def at(day: datetime, hour: int) -> datetime:
    return day + timedelta(hours=hour)


@pytest.fixture
def app(tmp_path: Path) -> Iterator[App]:
    """An empty app of a demo, whose web nobody asks for anything here."""
    settings = demo_settings(tmp_path, {"*": "127.0.0.1:9"}, "smtp://127.0.0.1:9")
    with App.open(settings, clock=FixedClock(at(TUESDAY, 15)), is_demo=True) as app:
        app.prepare()
        yield app


def test_the_page_of_yesterday_is_published_in_the_morning(app: App) -> None:
    fill_site(app.site)
    assert visit_site(app, at(WEDNESDAY, 8)).site == {"posts": 1}
    [post] = app.site.posts.list(category=DAYS).items
    assert "2025년 11월 4일" in post.title


def test_a_day_on_which_nothing_happened_is_passed_over_in_silence(app: App) -> None:
    fill_site(app.site)
    assert visit_site(app, at(TUESDAY, 8)).site == {}
    assert app.site.posts.list(category=DAYS).items == ()


def test_somebody_writes_in_and_has_videos_analysed_on_a_monday(app: App) -> None:
    visit = visit_site(app, at(MONDAY, 10))
    assert visit.site == {"inquiries": 1}
    jobs = app.videos.jobs().items
    assert sorted(visit.jobs) == sorted(job.job_id for job in jobs)
    assert {job.video_id for job in jobs} == {"gotganCook2", "gotganStudy"}


def test_nobody_writes_in_on_a_sunday(app: App) -> None:
    visit = visit_site(app, at(SUNDAY, 10))
    assert (visit.site, len(visit.jobs)) == ({}, 1)


def test_a_notice_is_posted_on_a_tuesday_and_a_video_looked_at_again(app: App) -> None:
    fill_site(app.site)
    before = len(app.site.posts.list(category=NOTICES).items)
    forenoon, afternoon = (visit_site(app, at(TUESDAY, hour)) for hour in (10, 14))
    assert afternoon.site == {"answers": 1, "posts": 1}
    assert len(app.site.posts.list(category=NOTICES).items) == before + 1
    assert afternoon.jobs == forenoon.jobs  # it is still under way, and was joined


def test_whoever_wrote_in_is_answered_in_the_afternoon_and_once(app: App) -> None:
    fill_site(app.site)
    visit_site(app, at(MONDAY, 10))
    answers = [visit_site(app, at(MONDAY, 14)).site["answers"] for _ in range(2)]
    written, sample = app.site.inquiries.list().items
    assert answers == [1, 0]
    assert [reply.by for reply in written.replies or []] == ["owner"]
    assert (written.status, sample.status) == ("in_progress", "new")


def test_nobody_comes_at_other_hours(app: App) -> None:
    for hour in set(range(24)) - {8, 10, 14}:
        visit = visit_site(app, at(MONDAY, hour))
        assert (visit.site, visit.jobs, visit.hits) == ({}, [], 0)
    assert visit_site(app, at(MONDAY, 10) + timedelta(minutes=5)).site == {}


def test_what_somebody_fails_to_do_keeps_nobody_else_from_coming(app: App) -> None:
    visit = visit_site(app, at(TUESDAY, 14))  # there is no category for the notice
    assert visit.site == {"failed": 1}
    assert len(visit.jobs) == 1
