"""The page of a day, in its own words: what was collected, what is new, what changed, what failed.

A day of the simulated web, gone through with its timetable: real clients, on each kind of database.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace
from datetime import UTC, date, datetime, timedelta

import pytest

from gotgan.app import App
from gotgan.cli.terminal import day as terminal
from gotgan.clock import FixedClock
from gotgan.day.page import DayPage
from gotgan.domains.market.days import DaySpan
from gotgan.encoding import encode
from gotgan.schedule import jobs
from gotgan.settings import Secret, Settings
from gotgan.store import Store
from gotgan.world import FaultKind, World, world_server
from tests.sql.fixtures import database_settings, postgres, prepared_file

__all__ = ["database_settings", "postgres", "prepared_file"]

SHOP = "antik-1.shop.test"
VIDEO = "gotganCook1"
WEDNESDAY = date(2025, 11, 5)
MORNING = datetime(2025, 11, 5, 0, tzinfo=UTC)  # 09:00 in Seoul
KRX, DATA = "data.krx.co.kr", "/comm/bldAttendant/getJsonData.cmd"
HOUR = timedelta(hours=1)


@dataclass(frozen=True)
class Scene:
    """A house, its clock and the world around it."""

    app: App
    clock: FixedClock
    world: World

    def at(self, hour: int, *names: str, day: date = WEDNESDAY) -> None:
        """Let it be an hour of a day in Seoul, and let the timetable attend to some jobs."""
        moment = datetime(day.year, day.month, day.day, hour, tzinfo=UTC) - 9 * HOUR
        self.clock.advance(moment - self.clock.now())
        for job in (each for each in jobs() if each.name in names):
            self.app.scheduler(job).tick()
            self.app.runs.join()

    def page(self, day: date = WEDNESDAY) -> DayPage:
        """A day of Seoul, of which every part can be read."""
        page = self.app.day.get(day, zone="kst")
        assert [part.error for part in page.parts.values()] == [None] * 6
        return page


@pytest.fixture
def scene(database_settings: Settings) -> Iterator[Scene]:
    clock = FixedClock(MORNING)
    world = World(clock=clock, cards=8, padding=100, shop_bytes=100, shares={"KOSPI": 30})
    with world_server(world) as served:
        settings = replace(
            database_settings,
            given_secret=Secret("of this scenario, 32 letters long"),
            resolve=served.resolve,
            delay=0,
            markets=("KOSPI",),
            krx_id="kim",
            krx_password=Secret("a password"),
            youtube_key=Secret("a-key-of-youtube"),
        )
        with App(settings, Store.in_memory(clock=clock)) as app:
            app.prepare()
            app.site.categories.create(id="c001", title="Days", slug="days")
            app.shops.add(SHOP, country="DE")
            app.market.recover(DaySpan(date(2025, 11, 3), date(2025, 11, 4)))
            yield Scene(app, clock, world)


def _go_through(scene: Scene) -> None:
    """Wednesday: the exchange gives half a market at 17:00, and all of it at 18:00."""
    scene.at(9, "news.collect", "news.bodies", "shops.crawl", "shops.scrape")
    scene.app.site.posts.create(
        category_id="c001", author_id="u001", title="Open on Sunday", contents="We are."
    )
    scene.app.videos.analyse(VIDEO)
    scene.app.videos.work()
    scene.at(16, "market.open_day")
    scene.world.fail(KRX, DATA, FaultKind.HALF)
    scene.at(17, "market.collect")
    scene.world.heal()


def test_a_day_says_what_was_collected_what_is_new_and_what_was_published(scene: Scene) -> None:
    _go_through(scene)
    page = scene.page()
    assert page.news.value is not None
    assert page.shops.value is not None
    assert page.videos.value is not None
    assert page.site.value is not None
    assert page.news.value.new == len(page.news.value.headlines) > 0
    first, *_ = page.news.value.tickers
    assert len(page.news.value.about(first.ticker)) == first.count
    assert page.shops.value.new_products
    assert [visit.domain for visit in page.shops.value.crawled] == [SHOP]
    assert [titled.job.video_id for titled in page.videos.value.jobs] == [VIDEO]
    assert [post.title for post in page.site.value.posts] == ["Open on Sunday"]
    jobs = {job.job: job for job in page.work.value or ()}
    assert {name for name, job in jobs.items() if job.ran} >= {"news.collect", "shops.crawl"}
    assert jobs["news.collect"].writes > 0
    assert page.cost.reads > 0


def test_what_failed_says_when_it_is_tried_again_and_later_that_it_went_well(scene: Scene) -> None:
    scene.app.market.recover(DaySpan(date(2025, 10, 29), date(2025, 11, 4)))
    _go_through(scene)
    page = scene.page()
    told = [(each.what, each.is_over) for each in page.failures if each.domain == "market"]
    assert ("market.collect", False) in told
    assert ("prices", False) in told
    assert any("18:00" in each.next for each in page.failures)
    assert "2025-11-05" in {each.what for each in page.coming}

    scene.at(18, "market.collect", "market.indicators")
    page = scene.page()
    [failure] = [each for each in page.failures if each.domain == "market"]
    assert (failure.what, failure.is_over) == ("market.collect", True)
    assert failure.next == "Succeeded at 18:00"
    assert page.market.value is not None
    assert page.market.value.is_done


def test_a_session_says_where_indices_went_what_moved_and_what_stands_out(scene: Scene) -> None:
    scene.app.market.recover(DaySpan(date(2025, 9, 1), date(2025, 10, 31)))
    scene.at(18, "market.open_day", "market.collect", "market.indicators")
    market = scene.page().market.value
    assert market is not None
    assert [index.before is not None for index in market.sheet.indices] == [True, True]
    assert market.sheet.gainers[0].percent > 0 > market.sheet.losers[0].percent
    assert set(market.screens) == {"oversold", "overbought", "macd_up", "macd_down"}
    for row in market.screens["oversold"].rows:
        assert (row.rsi_14 or 0) < 30
    for row in market.screens["overbought"].rows:
        assert (row.rsi_14 or 0) > 70


def test_what_changed_in_a_shop_is_told_with_before_and_after(scene: Scene) -> None:
    scene.at(9, "shops.crawl", "shops.scrape")
    monday = WEDNESDAY + timedelta(days=5)
    scene.at(10, "shops.crawl", "shops.scrape", day=monday)
    shops = scene.page(monday).shops.value
    assert shops is not None
    assert shops.changed
    assert all(change.before != change.after for change in shops.changed)
    first = scene.page().shops.value
    assert first is not None
    assert (first.changed, len(first.new_products) > 0) == ((), True)


def test_the_terminal_and_programs_are_told_the_same(scene: Scene) -> None:
    _go_through(scene)
    page = scene.page()
    text, record = terminal.get(page), encode(page)
    assert text.startswith("Wednesday 2025-11-05 in Seoul, up to 17:00\n")
    assert f"{record['news']['value']['new']} new stories" in text
    assert record["failures"][0]["what"] in text
    assert "Open on Sunday" in text


def test_a_day_that_is_over_is_published_once_and_stays(scene: Scene) -> None:
    _go_through(scene)
    scene.at(18, "market.collect", "market.indicators")
    thursday = WEDNESDAY + timedelta(days=1)
    scene.at(8, day=thursday)
    kept = scene.app.day.publish(WEDNESDAY, category="days", zone="kst")
    post = scene.app.site.posts.get(kept.id)
    told = str(post.contents)
    for heading in ("증시", "뉴스", "상점", "영상", "게시한 글", "실패한 작업", "작업"):
        assert f"## {heading}\n" in told
    assert "(18:00에 성공)" in told
    scene.at(9, "news.collect", "news.bodies", "market.collect", day=thursday)
    again = scene.app.day.publish(WEDNESDAY, category="days", zone="kst")
    assert (kept.outcome, again.outcome) == ("new", "duplicate")
    assert scene.app.site.posts.get(again.id) == post
    assert len(scene.app.site.posts.list(category="days").items) == 2  # and the notice
