"""The page of a day, read from all domains at once."""

from __future__ import annotations

import json
import logging
from collections.abc import Mapping, Sequence
from datetime import date, datetime, timedelta
from typing import NoReturn

import pytest

from gotgan.app import App
from gotgan.clock import FixedClock, Span, day_span
from gotgan.day.page import DayPage, JobDay
from gotgan.day.service import Days
from gotgan.encoding import encode
from gotgan.errors import UsageError
from gotgan.settings import Secret, Settings
from gotgan.store import Store
from tests.unit.day.made import DAY, NOW, changed, services, store_story, ticked

ONE = timedelta(days=1)
STORED = ("news", "shops", "site")
RELATIONAL = ("market", "videos", "work")


def errors(page: DayPage) -> dict[str, str]:
    """The parts that cannot be had, with the codes of what went wrong."""
    return {name: part.error.code for name, part in page.parts.items() if part.error is not None}


def test_the_page_of_a_day_on_which_nothing_happened_is_whole(app: App) -> None:
    page = app.day.get(date(2025, 11, 1), zone="utc")
    assert errors(page) == {}
    assert (page.failures, page.is_today) == ((), False)
    assert page.news.value is not None
    assert page.news.value.new == 0


def test_without_a_date_it_is_today_in_seoul(app: App, clock: FixedClock) -> None:
    assert (app.day.get().day, app.day.get().zone) == (DAY, "kst")
    clock.advance(timedelta(hours=6))  # past midnight there
    page = app.day.get()
    assert (page.day, page.is_today, page.today) == (DAY + ONE, True, app.day.today())
    assert app.day.today("ny") == DAY


def test_a_day_leads_to_its_neighbours(app: App) -> None:
    today, before = app.day.get(), app.day.get(DAY - ONE)
    assert (today.previous, today.following) == (DAY - ONE, None)
    assert (before.previous, before.following) == (DAY - 2 * ONE, DAY)


def test_a_day_that_has_not_come_is_refused_in_its_zone(app: App, clock: FixedClock) -> None:
    clock.advance(timedelta(hours=6))  # the 7th in Seoul, and the 6th in UTC and New York
    assert app.day.get(DAY + ONE, zone="kst").is_today
    for zone in ("utc", "ny"):
        with pytest.raises(UsageError, match=r"-07 is in the future\. Today is 2025-11-06 in"):
            app.day.get(DAY + ONE, zone=zone)


def test_it_tells_what_all_domains_brought(app: App) -> None:
    item, change = store_story(app), changed(app)
    notice = app.site.posts.create(category_id="c001", author_id="u", title="A", contents="")
    page = app.day.get()
    assert page.news.value is not None
    assert page.news.value.headlines == (item,)
    assert page.shops.value is not None
    assert page.shops.value.changes == (change,)
    assert page.site.value is not None
    assert [post.id for post in page.site.value.posts] == [notice.id]
    assert page.market.value is not None
    assert page.market.value.status.day == DAY
    assert page.videos.value is not None
    assert page.videos.value.jobs == ()


def test_what_belongs_to_another_day_of_the_zone_is_not_told(app: App) -> None:
    store_story(app, at=day_span(DAY, "kst").first)  # the evening before in UTC
    told = {zone: app.day.get(DAY, zone=zone).news.value for zone in ("kst", "utc", "ny")}
    assert {zone: None if day is None else day.new for zone, day in told.items()} == {
        "kst": 1,
        "utc": 0,
        "ny": 0,
    }


def test_a_day_of_25_hours_has_all_of_them(app: App) -> None:
    sunday = date(2025, 11, 2)
    span = day_span(sunday, "ny")
    for number, at in enumerate((span.first, span.last - timedelta(seconds=1), span.last)):
        store_story(app, number, at)
    page = app.day.get(sunday, zone="ny")
    assert page.span.last - page.span.first == timedelta(hours=25)
    assert page.news.value is not None
    assert page.news.value.new == 2


def test_the_timetable_tells_what_it_did_and_what_comes(app: App) -> None:
    ticked(app, reads=7.0, writes=1.0)
    page = app.day.get()
    assert page.work.value is not None
    [job] = [each for each in page.work.value if each.ran]
    assert (job.job, job.reads, job.writes) == ("news.collect", 7.0, 1.0)
    assert [each.at for each in page.coming if each.at is not None] == sorted(
        each.at for each in page.coming if each.at is not None
    )
    assert {each.what for each in page.coming} >= {"news.collect", "shops.crawl"}


def test_on_a_day_that_is_over_nothing_comes_but_what_is_missing_of_its_session(app: App) -> None:
    [coming] = app.day.get(date(2025, 11, 5)).coming
    assert (coming.domain, coming.what) == ("market", "2025-11-05")
    assert app.day.get(date(2025, 11, 2)).coming == ()  # a Sunday


def test_a_failure_tells_when_it_was_made_up_for_on_the_clock_of_the_zone(app: App) -> None:
    ticked(app, at=NOW, status="failed", error="no answer")
    ticked(app, at=day_span(DAY, "kst").last)
    [failure] = app.day.get().failures
    assert (failure.words, failure.is_over) == ("no answer", True)
    assert failure.next == "Succeeded at 2025-11-07 00:00"


def test_what_is_not_set_up_is_said_beside_what_is_there(app: App) -> None:
    page = app.day.get()
    assert page.market.unset is not None
    assert "KRX_ID" in page.market.unset
    assert (page.site.unset, page.market.error) == (None, None)


# A part that cannot be had


def test_a_relational_database_that_is_gone_leaves_the_rest_of_the_page(clock: FixedClock) -> None:
    nowhere = Secret("postgresql://nobody@127.0.0.1:1/gotgan?connect_timeout=2")
    settings = Settings(given_secret=Secret("for tests alone, 32 letters long"), database=nowhere)
    with App(settings, Store.in_memory(clock=clock)) as app:
        for domain in (app.news, app.shops, app.site):
            domain.prepare()
        store_story(app)
        page = app.day.get()
    assert errors(page) == dict.fromkeys(RELATIONAL, "database")
    assert page.news.value is not None
    assert page.news.value.new == 1


def test_tables_that_are_missing_leave_the_rest_of_the_page(clock: FixedClock) -> None:
    settings = Settings(given_secret=Secret("for tests alone, 32 letters long"))
    with App.in_memory(clock=clock, settings=settings) as app:
        app.day.get()
        empty = Store.in_memory(clock=clock)
        app.shops._store = empty  # noqa: SLF001 - as if somebody had removed the table
        page = Days(app.store, services(app), lambda _span, _now: ()).get()
        empty.close()
    assert list(errors(page)) == ["shops"]


def test_a_fault_of_our_own_is_told_in_the_log_alone(
    app: App, caplog: pytest.LogCaptureFixture
) -> None:
    def work(span: Span, now: datetime) -> NoReturn:
        raise ZeroDivisionError(f"between {span.first} and {now}")

    with caplog.at_level(logging.ERROR, "gotgan"):
        page = Days(app.store, services(app), work).get()
    assert errors(page) == {"work": "gotgan"}
    assert page.work.error is not None
    assert "ZeroDivisionError" not in page.work.error.message
    assert "day.part.failed" in caplog.text
    assert "ZeroDivisionError" in caplog.text


def _nothing_unset() -> Mapping[str, str]:
    return {}


# What it costs


def test_the_page_says_what_reading_it_cost(app: App) -> None:
    before = app.store.total()
    page = app.day.get()
    assert page.cost.reads == app.store.total().reads - before.reads > 0
    assert (page.cost.writes, {line.verb for line in page.cost.lines}) == (0, {"day"})


def test_it_costs_no_more_where_other_days_have_much(app: App) -> None:
    store_story(app)
    cost = app.day.get().cost.reads
    for number in range(2, 60):
        store_story(app, number, NOW - timedelta(days=2))
    assert app.day.get().cost.reads == cost


def test_nothing_is_scanned(app: App, monkeypatch: pytest.MonkeyPatch) -> None:
    asked: list[str] = []
    driver = app.store.calls.driver
    call = driver.call

    def noting(operation: str, *given: object, **named: object) -> object:
        asked.append(operation)
        return call(operation, *given, **named)  # type: ignore[arg-type]

    monkeypatch.setattr(driver, "call", noting)
    changed(app)
    asked.clear()
    app.day.get()
    assert set(asked) == {"Query", "BatchGetItem"}
    assert len(asked) < 25


# For programs


def test_all_of_it_can_be_written_as_json(app: App) -> None:
    store_story(app)
    changed(app)
    ticked(app, status="failed", error="no answer")
    told = json.loads(json.dumps(encode(app.day.get())))
    assert (told["date"], told["zone"], told["isToday"]) == ("2025-11-06", "kst", True)
    assert (told["first"], told["last"]) == ("2025-11-05T15:00:00Z", "2025-11-06T15:00:00Z")
    assert told["news"]["value"]["headlines"][0]["title"] == "Story 1"
    assert told["shops"]["value"]["changes"][0]["kind"] == "price_down"
    assert told["market"]["value"]["status"]["next"].startswith("No price provider is configured")
    assert told["failures"][0]["words"] == "no answer"
    assert told["cost"]["reads"] > 0


def test_jobs_keep_the_order_of_the_timetable(app: App) -> None:
    jobs: Sequence[JobDay] = app.day.get().work.value or ()
    assert [job.job for job in jobs] == [line.job.name for line in app.operations.schedule().items]
