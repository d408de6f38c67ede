"""A crew works through shops side by side, leaves others' alone, and goes home when told to."""

from __future__ import annotations

import threading
import time
from collections.abc import Iterator
from datetime import UTC, datetime, timedelta

import pytest

from gotgan.app import App
from gotgan.clock import FixedClock
from gotgan.domains.shops.crawl_reports import CrawlStep
from gotgan.domains.shops.crews import Check, work_through
from gotgan.domains.shops.models import Shop
from gotgan.domains.shops.scrape_reports import ScrapeStep
from gotgan.errors import LostRace, StoreUnreachable, UsageError
from gotgan.runs import Stopping
from gotgan.settings import Secret, Settings
from gotgan.world import Fault, World, serving_world

NOON = datetime(2025, 11, 6, 12, tzinfo=UTC)
SOON = 10
SHOPS = [Shop(domain=f"s{number}.test", core_domain_name="s") for number in range(12)]
DOMAINS = [f"antik-{number}.shop.test" for number in (1, 2, 3)]


@pytest.fixture
def clock() -> FixedClock:
    return FixedClock(NOON)


@pytest.fixture
def world(clock: FixedClock) -> World:
    return World(clock=clock, shop_bytes=500)


@pytest.fixture
def app(clock: FixedClock, world: World) -> Iterator[App]:
    with serving_world(world) as served:
        settings = Settings(given_secret=Secret("s" * 32), resolve=served.resolve, delay=0)
        with App.in_memory(clock=clock, settings=settings) as app:
            for domain in DOMAINS:
                app.shops.add(domain, country="DE")
            yield app


def test_every_shop_is_worked_on_once() -> None:
    report = work_through(SHOPS, lambda shop, _: shop.domain, workers=4)
    assert sorted(report.reports) == sorted(shop.domain for shop in SHOPS)


def test_workers_work_side_by_side() -> None:
    together = threading.Barrier(3, timeout=SOON)

    def work(_shop: Shop, _check: Check) -> int:
        return together.wait()

    assert sorted(work_through(SHOPS[:3], work, workers=3).reports) == [0, 1, 2]


def test_what_somebody_else_has_is_skipped_and_what_fails_is_told() -> None:
    def work(shop: Shop, _check: Check) -> str:
        if shop.domain == "s1.test":
            raise LostRace("somebody else has it")
        if shop.domain == "s2.test":
            raise StoreUnreachable("no answer")
        return shop.domain

    report = work_through(SHOPS[:4], work, workers=2)
    assert sorted(report.reports) == ["s0.test", "s3.test"]
    assert report.skipped == {"s1.test": "somebody else has it"}
    assert [(domain, error.code) for domain, error in report.failed.items()] == [
        ("s2.test", "store.unreachable")
    ]


def test_a_fault_of_ours_in_one_shop_keeps_no_other_waiting() -> None:
    def work(shop: Shop, _check: Check) -> str:
        if shop.domain == "s0.test":
            raise ZeroDivisionError
        return shop.domain

    report = work_through(SHOPS, work, workers=2)
    assert len(report.reports) == len(SHOPS) - 1
    assert "ZeroDivisionError" in report.failed["s0.test"].message


def test_at_least_one_works() -> None:
    with pytest.raises(UsageError, match="1 or more"):
        work_through(SHOPS, lambda shop, _: shop, workers=0)


def test_shops_that_are_due_are_crawled_then_scraped_and_then_nothing_is_due(app: App) -> None:
    crawled = app.shops.crawl()
    assert sorted(report.domain for report in crawled.reports) == DOMAINS
    scraped = app.shops.scrape()
    assert sorted(report.domain for report in scraped.reports) == DOMAINS
    assert (app.shops.crawl().reports, app.shops.scrape().reports) == ([], [])
    checked = app.shops.scrape(check_only=True)
    assert sorted(report.domain for report in checked.reports) == DOMAINS
    assert {report.new + report.changed for report in checked.reports} == {0}


def test_only_the_shops_that_are_named_are_crawled(app: App) -> None:
    assert [report.domain for report in app.shops.crawl(DOMAINS[:1]).reports] == DOMAINS[:1]
    assert list(app.shops.crawl(country="FR").reports) == []


def test_who_is_interrupted_gives_back_what_they_had_and_the_next_goes_on(app: App) -> None:
    def interrupt(_: CrawlStep) -> None:
        raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        app.shops.crawl(on_step=interrupt)
    assert app.shops.stuck(older_than=timedelta(0)) == []
    assert sorted(report.domain for report in app.shops.crawl().reports) == DOMAINS


@pytest.mark.parametrize("verb", ["crawl", "scrape"])
def test_whoever_waits_for_a_page_goes_home_at_once(app: App, world: World, verb: str) -> None:
    if verb == "scrape":
        app.shops.crawl()
    for domain in DOMAINS[1:]:
        world.fail(domain, "*", Fault.HANG)

    def interrupt(_: CrawlStep | ScrapeStep) -> None:
        while len({seen.host for seen in world.requests if seen.fault is Fault.HANG}) < 2:
            time.sleep(0.01)
        raise KeyboardInterrupt

    def work() -> None:
        with pytest.raises(KeyboardInterrupt):
            getattr(app.shops, verb)(on_step=interrupt)

    working = threading.Thread(target=work, daemon=True)
    working.start()
    working.join(SOON)  # a page may take longer
    assert not working.is_alive()
    assert app.shops.stuck(older_than=timedelta(0)) == []
    world.heal()
    assert len(getattr(app.shops, verb)().reports) == len(DOMAINS)


@pytest.mark.parametrize("end", [Stopping(), UsageError("the web was closed")])
def test_what_is_about_no_shop_ends_the_work(end: Exception) -> None:
    taken = []

    def work(shop: Shop, _check: Check) -> None:
        taken.append(shop.domain)
        raise end

    with pytest.raises(type(end)):
        work_through(SHOPS, work, workers=1)
    assert taken == ["s0.test"]


def test_a_claim_whose_lease_is_over_is_taken_over(app: App, clock: FixedClock) -> None:
    Shop.crawl.claim(app.store, app.shops.get(DOMAINS[0]), lease=timedelta(minutes=1))
    assert len(app.shops.crawl().reports) == 2
    clock.advance(timedelta(minutes=2))
    assert [report.domain for report in app.shops.crawl().reports] == DOMAINS[:1]
