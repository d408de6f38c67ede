"""A crew works through shops side by side, leaves others' alone, and goes home when told to."""

from __future__ import annotations

import threading
import time
from collections.abc import Callable, Iterator, Sequence
from datetime import UTC, datetime, timedelta

import pytest

from gotgan.app import App
from gotgan.clock import FixedClock
from gotgan.domains.shops.models import Shop
from gotgan.domains.shops.reports import CrawlReport, SkippedShop
from gotgan.domains.shops.workers import PoolReport, StopCheck, run_workers
from gotgan.errors import LostRace, StoreUnreachable, UsageError
from gotgan.runs import RunStopped
from gotgan.settings import Secret, Settings
from gotgan.world import FaultKind, World, world_server

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
    with world_server(world) as served:
        settings = Settings(given_secret=Secret("s" * 32), resolve=served.resolve, delay=0)
        with App.in_memory(clock=clock, settings=settings) as app:
            for domain in DOMAINS:
                app.shops.add(domain, country="DE")
            yield app


def _worked(
    shops: Sequence[Shop], work: Callable[[Shop, StopCheck], CrawlReport], workers: int
) -> PoolReport[CrawlReport]:
    report = PoolReport[CrawlReport]()
    run_workers(shops, work, report, workers=workers)
    return report


def _done(shop: Shop, _check: StopCheck) -> CrawlReport:
    return CrawlReport(shop.domain)


def test_every_shop_is_worked_on_once() -> None:
    report = _worked(SHOPS, _done, workers=4)
    assert sorted(each.domain for each in report.shops) == sorted(each.domain for each in SHOPS)


def test_workers_work_side_by_side() -> None:
    together = threading.Barrier(3, timeout=SOON)

    def work(shop: Shop, _check: StopCheck) -> CrawlReport:
        return CrawlReport(shop.domain, pages=together.wait())

    report = _worked(SHOPS[:3], work, workers=3)
    assert sorted(each.pages for each in report.shops) == [0, 1, 2]


def test_what_somebody_else_has_is_skipped_and_what_fails_is_told() -> None:
    def work(shop: Shop, _check: StopCheck) -> CrawlReport:
        if shop.domain == "s1.test":
            raise LostRace("somebody else has it")
        if shop.domain == "s2.test":
            raise StoreUnreachable("no answer")
        return CrawlReport(shop.domain)

    report = _worked(SHOPS[:4], work, workers=2)
    assert sorted(each.domain for each in report.shops) == ["s0.test", "s3.test"]
    assert report.skipped == [SkippedShop("s1.test", "somebody else has it")]
    [failed] = report.failed
    assert (failed.domain, failed.error.code) == ("s2.test", "store.unreachable")


def test_a_fault_of_ours_in_one_shop_keeps_no_other_waiting() -> None:
    def work(shop: Shop, _check: StopCheck) -> CrawlReport:
        if shop.domain == "s0.test":
            raise ZeroDivisionError
        return CrawlReport(shop.domain)

    report = _worked(SHOPS, work, workers=2)
    assert len(report.shops) == len(SHOPS) - 1
    [failed] = report.failed
    assert failed.domain == "s0.test"
    assert "ZeroDivisionError" in failed.error.message


def test_at_least_one_works() -> None:
    with pytest.raises(UsageError, match="1 or more"):
        _worked(SHOPS, _done, workers=0)


def test_shops_that_are_due_are_crawled_then_scraped_and_then_nothing_is_due(app: App) -> None:
    crawled = app.shops.crawl()
    assert sorted(report.domain for report in crawled.shops) == DOMAINS
    scraped = app.shops.scrape()
    assert sorted(report.domain for report in scraped.shops) == DOMAINS
    assert (app.shops.crawl().shops, app.shops.scrape().shops) == ([], [])
    checked = app.shops.scrape(check_only=True)
    assert sorted(report.domain for report in checked.shops) == DOMAINS
    assert {report.new + report.changed for report in checked.shops} == {0}


def test_only_the_shops_that_are_named_are_crawled(app: App) -> None:
    assert [report.domain for report in app.shops.crawl(DOMAINS[:1]).shops] == DOMAINS[:1]
    assert list(app.shops.crawl(country="FR").shops) == []


def test_who_is_interrupted_gives_back_what_they_had_and_the_next_goes_on(app: App) -> None:
    def interrupt(_done: int, _total: int, _last: str, /, **_figures: float) -> None:
        raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        app.shops.crawl(progress=interrupt)
    assert app.shops.iter_stuck(older_than=timedelta(0)) == []
    assert sorted(report.domain for report in app.shops.crawl().shops) == DOMAINS


@pytest.mark.parametrize("verb", ["crawl", "scrape"])
def test_whoever_waits_for_a_page_goes_home_at_once(app: App, world: World, verb: str) -> None:
    if verb == "scrape":
        app.shops.crawl()
    for domain in DOMAINS[1:]:
        world.fail(domain, "*", FaultKind.HANG)

    def interrupt(_done: int, _total: int, _last: str, /, **_figures: float) -> None:
        while len({seen.host for seen in world.requests if seen.fault is FaultKind.HANG}) < 2:
            time.sleep(0.01)
        raise KeyboardInterrupt

    def work() -> None:
        with pytest.raises(KeyboardInterrupt):
            getattr(app.shops, verb)(progress=interrupt)

    working = threading.Thread(target=work, daemon=True)
    working.start()
    working.join(SOON)  # a page may take longer
    assert not working.is_alive()
    assert app.shops.iter_stuck(older_than=timedelta(0)) == []
    world.heal()
    assert len(getattr(app.shops, verb)().shops) == len(DOMAINS)


@pytest.mark.parametrize("end", [RunStopped(), UsageError("the web was closed")])
def test_what_is_about_no_shop_ends_the_work(end: Exception) -> None:
    taken = []

    def work(shop: Shop, _check: StopCheck) -> CrawlReport:
        taken.append(shop.domain)
        raise end

    with pytest.raises(type(end)):
        _worked(SHOPS, work, workers=1)
    assert taken == ["s0.test"]


def test_a_claim_whose_lease_is_over_is_taken_over(app: App, clock: FixedClock) -> None:
    Shop.crawl.claim(app.store, app.shops.get(DOMAINS[0]), lease=timedelta(minutes=1))
    assert len(app.shops.crawl().shops) == 2
    clock.advance(timedelta(minutes=2))
    assert [report.domain for report in app.shops.crawl().shops] == DOMAINS[:1]
