"""A Wednesday of the demo, walked through once: what it brings, and that nothing is double."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from datetime import date, datetime, time, timedelta
from pathlib import Path
from zoneinfo import ZoneInfo

import pytest

from gotgan.clock import SEOUL, LeapingClock, SystemClock, day_span
from gotgan.demo import Demo, DemoSummary, open_demo
from gotgan.demo.demo import SHOPS, demo_settings
from gotgan.demo.sample_site import DAYS, NOTICES
from gotgan.scheduler import Ticks
from gotgan.settings import Settings
from gotgan.verbs import silent

WEDNESDAY = date(2025, 11, 5)
ENDS = datetime.combine(WEDNESDAY + timedelta(days=1), time(), ZoneInfo(SEOUL))
HISTORY = 16
"""Days of prices before that: no fewer sessions than are made up for by themselves."""
OUTSIDE = {
    "GOTGAN_DATABASE": "postgresql://kim@db.example.com/real",
    "GOTGAN_DYNAMODB": "aws",
    "GOTGAN_SECRET": "0123456789abcdef0123456789abcdef",
    "GOTGAN_WEBHOOK": "https://example.com/changes",
    "GOTGAN_SMTP_URL": "smtp://mail.example.com",
    "GOTGAN_KRX": "https://krx.example.com",
    "KRX_ID": "kim",
    "KRX_PW": "own-password",
    "YOUTUBE_API_KEY": "own-youtube-key",
    "GEMINI_API_KEY": "own-gemini-key",
    "OPENAI_API_KEY": "own-openai-key",
    "HTTPS_PROXY": "http://127.0.0.1:9",
}
"""What somebody may have set where they start the demo."""


def never(*_: object) -> None:
    """Tell nobody how far it has come."""


def noon() -> LeapingClock:
    """The noon after that Wednesday, from which on time goes as it does."""
    return LeapingClock(SystemClock(), ENDS + timedelta(hours=12))


@pytest.fixture(scope="module")
def opened_again(tmp_path_factory: pytest.TempPathFactory) -> Iterator[tuple[DemoSummary, Demo]]:
    """What happened on the Wednesday, and the demo, closed meanwhile and opened once more."""
    folder = tmp_path_factory.mktemp("house") / "gotgan-demo"
    with pytest.MonkeyPatch.context() as patch:
        for name, value in OUTSIDE.items():
            patch.setenv(name, value)
        with open_demo(folder, 1, noon()) as demo:
            demo.set_up(HISTORY, silent)
            happened = demo.hurry_until(demo.ends(1), never)
        with open_demo(folder, 1, noon()) as demo:
            demo.set_up(HISTORY, silent)
            yield happened, demo


@pytest.fixture
def happened(opened_again: tuple[DemoSummary, Demo]) -> DemoSummary:
    return opened_again[0]


@pytest.fixture
def demo(opened_again: tuple[DemoSummary, Demo]) -> Demo:
    return opened_again[1]


def test_every_domain_has_something_to_show(happened: DemoSummary) -> None:
    counts = happened.counts
    assert (happened.begins, happened.ends) == (ENDS - timedelta(days=1), ENDS)
    assert counts["news"]["new"] == counts["news"]["bodies"] > 0
    assert (counts["shops"]["crawls"], counts["shops"]["blocked"]) == (len(SHOPS), 1)
    assert counts["shops"]["products"] > 0
    assert (counts["market"]["sessions"], counts["market"]["prices"]) == (1, 100)
    assert (counts["videos"]["analyses"], counts["videos"]["hits"]) == (2, 1)
    assert (counts["site"]["posts"], counts["site"]["inquiries"]) == (1, 1)
    assert {counts[domain]["failed"] for domain in ("news", "shops", "videos", "site")} == {0}
    assert (counts["site"]["answers"], counts["site"]["mails"]) == (1, 2)
    assert set(happened.costs) == {"news", "shops", "site"}


def test_prices_that_failed_at_17_have_recovered_at_18(happened: DemoSummary, demo: Demo) -> None:
    market = happened.counts["market"]
    assert (market["failed"], market["recovered"], market["indicators"]) == (1, 1, 1)
    ran = Ticks(demo.app.database).within(["market.collect"], day_span(WEDNESDAY, "kst"))
    hours = {
        tick.at.astimezone(ZoneInfo(SEOUL)).hour: tick.status
        for tick in ran["market.collect"].latest
    }
    assert (hours[17], hours[18]) == ("failed", "done")


def test_the_page_of_the_day_tells_the_failure_and_that_it_is_over(demo: Demo) -> None:
    failures = demo.app.day.get(WEDNESDAY, zone="kst").failures
    told = [each for each in failures if each.what == "market.collect"]
    assert [each.is_over for each in told] == [True]
    assert "18:00" in told[0].next


def test_each_thing_is_there_once_though_the_demo_was_started_twice(
    happened: DemoSummary, demo: Demo
) -> None:
    app = demo.app
    titles = Counter(post.title for post in app.site.posts.list(limit=100).items)
    assert set(titles.values()) == {1}
    assert len(app.site.posts.list(category=DAYS).items) == 1
    assert len(app.site.posts.list(category=NOTICES).items) == 1
    assert len(app.site.inquiries.list().items) == 2  # of the sample, and of the day
    assert len(app.videos.jobs().items) == happened.counts["videos"]["analyses"]
    assert len(list(app.news.every(WEDNESDAY, zone="kst"))) == happened.counts["news"]["new"]


def test_what_was_written_in_the_afternoon_is_sent_by_the_next_start(demo: Demo) -> None:
    assert [letter.to for letter in demo.world.mails] == [("visitor@example.com",)]
    assert demo.app.site.mails.waiting() == []


def test_nothing_of_the_site_is_missing(demo: Demo) -> None:
    missing = [
        step.name
        for step in demo.app.operations.setup().items
        if step.domain == "site" and not step.is_set
    ]
    assert missing == []


def test_a_second_start_goes_on_where_the_first_one_was(demo: Demo) -> None:
    assert (demo.progress.begins, demo.progress.goes_on) == (ENDS - timedelta(days=1), ENDS)
    assert demo.app.clock.now() >= ENDS
    assert demo.walk.next_stop().at == ENDS


def test_nothing_that_is_set_outside_is_used(demo: Demo) -> None:
    settings = demo.app.settings
    post = settings.smtp.reveal() if settings.smtp else ""
    assert post.startswith("smtp://127.0.0.1:")
    assert settings == demo_settings(settings.data, settings.resolve, post)
    assert list(settings.resolve) == ["*"]
    own = settings.secret().reveal()
    assert own != OUTSIDE["GOTGAN_SECRET"]
    for path in settings.data.iterdir():
        content = path.read_bytes()
        assert not [value for value in OUTSIDE.values() if value.encode() in content]


def test_settings_of_the_demo_leave_nothing_to_the_environment(tmp_path: Path) -> None:
    bare, ours = Settings(data=tmp_path), demo_settings(tmp_path, {}, "smtp://127.0.0.1:9")
    assert (ours.database, ours.dynamodb) == (bare.database, bare.dynamodb)
    assert (ours.webhook, ours.mail_from, ours.openai_key) == ("", "", None)
