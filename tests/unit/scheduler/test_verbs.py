"""The names of the timetable stand for the verbs of the domains, and for the gates before them."""

from __future__ import annotations

from collections.abc import Iterator
from datetime import UTC, date, datetime, timedelta
from pathlib import Path

import pytest

from gotgan.app import App
from gotgan.clock import FixedClock
from gotgan.domain import Job
from gotgan.domains.market.reports import DayOpened
from gotgan.domains.site.mail import MailsSent
from gotgan.errors import NotFound, UsageError
from gotgan.schedule import jobs
from gotgan.settings import Secret, Settings

FOUR = datetime(2025, 10, 20, 7, tzinfo=UTC)  # 16:00 in Seoul, a Monday
SECRET = Secret("of these tests, and long enough for all")


@pytest.fixture
def app() -> Iterator[App]:
    """An app in which all is set up that a job may need."""
    settings = Settings(
        given_secret=SECRET,
        contact="bot@example.com",
        smtp=Secret("smtp://127.0.0.1:9"),
        market_providers=("csv",),
        market_csv=Path("nowhere"),
        webhook="https://example.com/",
        webhook_secret=SECRET,
    )
    with App.in_memory(clock=FixedClock(FOUR), settings=settings) as opened:
        yield opened


@pytest.fixture(scope="module")
def bare() -> Iterator[App]:
    """An app in which nothing is set up."""
    with App.in_memory(clock=FixedClock(FOUR)) as opened:
        yield opened


ADOPTING = {"shops.adopt", "site.adopt"}
"""Whether other tools wrote to a table is not known before it was read once."""


@pytest.mark.parametrize("job", jobs(), ids=lambda job: job.name)
def test_what_the_timetable_names_is_known_and_skipped_where_nothing_is_set(job: Job) -> None:
    with App.in_memory(clock=FixedClock(FOUR)) as bare:
        assert callable(bare.verb(job.verb))
        expected = "run" if job.verb in ADOPTING else "skipped"
        assert bare.ask(job.gate).status == expected


def test_a_name_that_nothing_has_is_not_found(bare: App) -> None:
    with pytest.raises(NotFound, match="news has no verb or gate colect"):
        bare.verb("news.colect")()
    with pytest.raises(NotFound, match="news has no verb or gate is_redy"):
        bare.ask("news.is_redy")
    with pytest.raises(NotFound, match=r"no domain new\. Use one of news, shops"):
        bare.ask("new.is_ready")


def test_a_verb_gives_its_report(app: App) -> None:
    opened = app.verb("market.open_day")()
    assert isinstance(opened, DayOpened)
    assert (opened.day, opened.outcome) == (date(2025, 10, 20), "opened")
    assert isinstance(app.verb("site.send_mails")(), MailsSent)


def test_a_catch_up_in_which_days_failed_is_no_tick_that_is_done(app: App) -> None:
    app.scheduler().tick(is_start=True)
    app.runs.join()
    told = {line.job.name: line.last for line in app.operations.schedule().items}
    tick = told["market.catch_up"]
    assert tick is not None
    assert tick.status == "failed"
    assert tick.error is not None
    assert "3 failed. Stopped early: 3 days in a row failed." in tick.error


def test_a_verb_that_fails_raises_why(bare: App) -> None:
    with pytest.raises(UsageError, match="GOTGAN_WEBHOOK"):
        bare.verb("shops.deliver")()


def test_the_market_is_asked_by_its_own_gates(app: App) -> None:
    assert app.ask("market.decide_today").reason == "before_collection_time"
    assert app.ask("market.decide_indicators_today").reason == "before_calculation_time"
    assert app.ask("market.is_ready").status == "run"


def test_shops_are_worked_on_as_soon_as_there_are_any(app: App) -> None:
    gates = ("shops.is_ready", "shops.is_webhook_ready")
    assert [app.ask(gate).reason for gate in gates] == ["no_shops", "no_shops"]
    app.shops.add("antik-1.shop.test", country="DE")
    assert [app.ask(gate).status for gate in gates] == ["run", "run"]


def test_mails_are_sent_as_soon_as_one_waits(app: App) -> None:
    assert app.ask("site.has_mails").reason == "no_mails"
    app.site.inquiries.receive(
        name="n", email="a@example.com", subject="s", message="m", address="127.0.0.1"
    )
    assert app.ask("site.has_mails").status == "run"


def test_videos_are_purged_as_soon_as_something_may_not_be_kept_any_longer(app: App) -> None:
    app.videos.import_files([("a.csv", b"video_id,text\ndQw4w9WgXcQ,good\n")])
    assert app.ask("videos.is_to_purge").reason == "none_expired"
    assert isinstance(app.clock, FixedClock)
    app.clock.advance(timedelta(days=30))
    assert app.ask("videos.is_to_purge").status == "run"
    assert app.verb("videos.purge")().snapshots == 1
    assert app.ask("videos.is_to_purge").status == "skipped"


def test_the_scheduler_of_an_app_goes_by_the_timetable(bare: App) -> None:
    bare.scheduler().tick(is_start=True)
    bare.runs.join()
    told = {line.job.name: line.last for line in bare.operations.schedule().items}
    assert list(told) == [job.name for job in jobs()]
    ran = {name: tick.status for name, tick in told.items() if tick is not None}
    assert {ran.pop(name) for name in ADOPTING} == {"done"}
    assert set(ran.values()) == {"skipped"}
    assert None not in told.values()


def test_the_whole_table_is_read_once_a_day_for_data_of_other_tools(app: App) -> None:
    for gate, verb in (("shops.is_to_adopt", "shops.adopt"), ("site.is_to_adopt", "site.adopt")):
        assert app.ask(gate).status == "run"
        assert app.verb(verb)().is_complete
        assert app.ask(gate).reason == "adopted"
    assert isinstance(app.clock, FixedClock)
    app.clock.advance(timedelta(hours=20))
    assert app.ask("shops.is_to_adopt").status == app.ask("site.is_to_adopt").status == "run"


def test_a_table_that_was_read_in_part_is_read_on_at_any_time(app: App) -> None:
    app.shops.add([f"antik-{n}.shop.test" for n in (1, 2)], country="DE")
    assert not app.shops.adopt(max_items=1).is_complete
    assert app.ask("shops.is_to_adopt").status == "run"
