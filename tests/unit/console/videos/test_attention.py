"""What of the videos needs attention, as the front page tells it."""

from __future__ import annotations

from datetime import timedelta

import pytest

from gotgan.app import App
from gotgan.clock import FixedClock
from gotgan.console.alerts import videos_alerts
from gotgan.domains.videos.sources.quota import Quota
from gotgan.settings import Secret, Settings
from tests.unit.console.sheets import Browser
from tests.unit.console.videos.filling import FIRST, SECOND, analysed, failed, imported


def test_videos_that_are_well_need_nothing(app: App) -> None:
    assert list(videos_alerts(app)) == []
    analysed(app)
    assert list(videos_alerts(app)) == []


def test_one_that_failed_leads_to_its_page(app: App, viewer: Browser) -> None:
    imported(app)
    failed(app)
    page = viewer.open("/")
    assert "1 video could not be analysed." in page
    assert f'href="/videos/{FIRST}">See why and try again</a>' in page


def test_several_lead_to_their_jobs_until_a_week_has_passed(app: App, clock: FixedClock) -> None:
    for video in (FIRST, SECOND):
        imported(app, video)
        failed(app, video)
    [need] = videos_alerts(app)
    assert (need.count, need.path) == (2, "/videos/jobs?status=failed")
    clock.advance(timedelta(days=8))
    assert list(videos_alerts(app)) == []


@pytest.mark.parametrize(
    "settings", [Settings(given_secret=Secret("x" * 32), youtube_key=Secret("a-key"))]
)
def test_units_that_are_used_up_are_told(app: App, viewer: Browser) -> None:
    Quota(app.database, app.settings, app.clock).block("YouTube said so")
    assert "Today&#39;s YouTube quota is used up." in viewer.open("/")
    assert "Used up" in viewer.open("/videos")
