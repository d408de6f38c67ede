"""A shop that could not be reached is not done: it is given back, and tried again later."""

from __future__ import annotations

import socket
from collections.abc import Iterator
from datetime import timedelta
from itertools import pairwise

import pytest

from gotgan.app import App
from gotgan.domains.shops.crawl import CHECKPOINT_PAGES, Crawl, crawl_shop
from gotgan.domains.shops.models import STAGES, Shop, ShopPage, Stage, lifecycle_of, postponement
from gotgan.domains.shops.reports import CrawlReport
from gotgan.domains.shops.stages import claim_shop
from gotgan.errors import LostRace
from gotgan.fetch import FetchRules, Web
from gotgan.lifecycle import State
from gotgan.retry import Policy
from gotgan.settings import Secret, Settings
from gotgan.world import FaultKind
from tests.unit.domains.shops.conftest import Market
from tests.unit.domains.shops.streets import (
    LARGE,
    SHOP,
    Killed,
    Street,
    dying_at,
    opened_street,
)

MINUTE = timedelta(minutes=1)
LEASE = timedelta(hours=2)
REFUSED = f"Could not connect to https://{SHOP}/robots.txt: connection refused"


@pytest.fixture
def street() -> Iterator[Street]:
    with opened_street() as street:
        yield street


@pytest.fixture(scope="module")
def closed_port() -> str:
    with socket.create_server(("127.0.0.1", 0)) as listener:
        return f"127.0.0.1:{listener.getsockname()[1]}"


@pytest.fixture
def no_web(street: Street, closed_port: str) -> Iterator[Web]:
    """A web in which every connection is refused."""
    rules = FetchRules(delay=0, retry=Policy(attempts=1), resolve={"*": closed_port})
    with Web(rules, clock=street.clock) as web:
        yield web


def crawl(street: Street, web: Web, domain: str = SHOP) -> CrawlReport:
    return crawl_shop(Crawl(street.store, web, street.claimed(domain)))


def sort_key(shop: Shop, stage: Stage = "crawl") -> str | None:
    return lifecycle_of(stage).position(shop).sort_key


# Crawling


def test_a_crawl_that_reached_nothing_is_not_done(street: Street, no_web: Web) -> None:
    report = crawl(street, no_web)
    due = street.clock.now() + 5 * MINUTE
    assert (report.outcome, report.reason, report.not_before) == ("unreachable", REFUSED, due)
    shop = street.shop()
    waits = postponement(shop, "crawl")
    assert waits is not None
    assert (waits.last_error, waits.attempts, waits.not_before) == (REFUSED, 1, due)
    assert waits.tried_at == street.clock.now()
    assert sort_key(shop) == "NEVER#"
    assert (shop.last_crawled_end, shop.crawl_outcome, shop.crawl_reason) == (None, None, None)


def test_a_shop_that_was_crawled_before_goes_back_to_when_it_was(
    street: Street, no_web: Web
) -> None:
    street.crawl()
    before = street.shop()
    street.clock.advance(timedelta(days=2))
    crawl(street, no_web)
    after = street.shop()
    assert sort_key(after) == sort_key(before)
    assert after.last_crawled_end == before.last_crawled_end
    assert (after.crawl_outcome, after.journal) == (before.crawl_outcome, before.journal)


def test_the_time_until_the_next_attempt_doubles_up_to_six_hours(
    street: Street, no_web: Web
) -> None:
    waits = []
    for _ in range(9):
        due = crawl(street, no_web).not_before
        assert due is not None
        waits.append((due - street.clock.now()) / MINUTE)
        street.clock.advance(due - street.clock.now())
    assert waits == [5, 10, 20, 40, 80, 160, 320, 360, 360]


def test_a_crawl_that_reaches_the_shop_again_is_complete_and_resets_all(
    street: Street, no_web: Web
) -> None:
    crawl(street, no_web)
    street.clock.advance(5 * MINUTE)
    assert street.crawl().outcome == "ok"
    assert street.sold() <= set(street.pages())
    position = Shop.crawl.position(street.shop())
    assert position.state is State.DONE
    assert (position.last_error, position.not_before, position.attempts) == (None, None, 0)
    street.clock.advance(timedelta(days=2))
    assert crawl(street, no_web).not_before == street.clock.now() + 5 * MINUTE


def test_an_interrupted_crawl_is_resumed_after_an_attempt_that_reached_nothing(
    street: Street, no_web: Web
) -> None:
    with pytest.raises(Killed):
        Crawl(
            street.store, street.web, street.claimed(LARGE), on_step=dying_at(CHECKPOINT_PAGES + 20)
        ).run()
    street.clock.advance(LEASE)
    assert crawl(street, no_web, LARGE).not_before is not None
    street.clock.advance(10 * MINUTE)
    assert street.crawl(LARGE).outcome == "ok"
    assert street.sold(LARGE) <= set(street.pages(LARGE))
    assert sum(times - 1 for times in street.asked().values()) <= 50


def test_a_host_that_does_not_resolve_or_only_to_this_network_is_not_reached(
    street: Street,
) -> None:
    with Web(FetchRules(delay=0, retry=Policy(attempts=1)), clock=street.clock) as web:
        report = crawl(street, web, "localhost.localdomain")
    assert (report.outcome, report.not_before is None) == ("unreachable", False)


@pytest.mark.parametrize("path", ["/robots.txt", "*"])
def test_a_shop_that_answers_with_faults_alone_was_reached(street: Street, path: str) -> None:
    street.world.fail(SHOP, path, FaultKind.BROKEN)
    report = street.crawl()
    assert (report.outcome, report.not_before) == ("unreachable", None)
    assert Shop.crawl.position(street.shop()).state is State.DONE


def test_a_shop_that_stops_answering_was_reached(street: Street) -> None:
    street.world.fail(LARGE, "/prod*", FaultKind.RESET)
    report = street.crawl(LARGE)
    assert (report.outcome, report.not_before) == ("unreachable", None)
    assert Shop.crawl.position(street.shop(LARGE)).state is State.DONE


# Scraping


def test_a_scrape_that_reached_nothing_is_not_done(market: Market) -> None:
    market.scrape()
    pages, before = market.pages(), market.shop()
    market.clock.advance(timedelta(days=1))
    market.world.fail(market.domain, "*", FaultKind.RESET)
    report = market.scrape()
    due = market.clock.now() + 5 * MINUTE
    assert (report.outcome, report.not_before) == ("unreachable", due)
    assert report.reason.startswith("Could not connect to https://antik-1.shop.test/")
    assert sort_key(market.shop(), "scrape") == sort_key(before, "scrape")
    assert market.shop().scrape_outcome == "ok"
    assert market.pages() == pages


def test_each_stage_has_its_own_next_attempt(market: Market) -> None:
    market.world.fail(market.domain, "*", FaultKind.RESET)
    market.scrape()
    shop = market.shop()
    assert [postponement(shop, stage) is None for stage in STAGES] == [True, False]


# What is due


@pytest.fixture
def app(street: Street, closed_port: str) -> Iterator[App]:
    """An app on the same shops, whose web refuses every connection."""
    settings = Settings(given_secret=Secret("s" * 32), resolve={"*": closed_port}, delay=0)
    with App.in_memory(clock=street.clock, settings=settings) as app:
        yield app


def due(app: App) -> list[str]:
    return [shop.domain for shop in app.shops.iter_due("crawl")]


def test_a_shop_is_due_again_when_its_next_attempt_is(app: App, street: Street) -> None:
    app.shops.add(SHOP, country="DE")
    report = app.shops.crawl()
    assert [each.domain for each in report.unreached] == [SHOP]
    assert (due(app), app.shops.first_due("crawl", 8)) == ([], ((), False))
    assert app.shops.crawl().is_idle
    street.clock.advance(5 * MINUTE)
    assert due(app) == [SHOP]
    assert app.shops.first_due("crawl", 8)[0] != ()


def test_a_shop_without_a_country_waits_as_well(app: App, street: Street) -> None:
    app.shops.add(SHOP)
    app.shops.crawl([SHOP])
    assert app.shops.without_country("crawl").due == ()
    street.clock.advance(5 * MINUTE)
    assert len(app.shops.without_country("crawl").due) == 1


def test_a_shop_that_is_named_is_tried_at_once(app: App) -> None:
    app.shops.add(SHOP, country="DE")
    attempts = [app.shops.crawl([SHOP]).unreached[0].not_before for _ in range(3)]
    waits = [(later - sooner) / MINUTE for sooner, later in pairwise(filter(None, attempts))]
    assert waits == [5, 10]


def test_only_shops_begun_since_they_were_done_are_looked_up(app: App) -> None:
    app.shops.add(SHOP, country="DE")
    with app.store.metered("due") as never_tried:
        due(app)
    app.shops.crawl([SHOP])
    with app.store.metered("due") as tried:
        due(app)
    assert tried.cost.reads == never_tried.cost.reads + 0.5


def test_a_worker_that_read_the_index_before_leaves_the_shop_alone(app: App) -> None:
    app.shops.add(SHOP, country="DE")
    [stale] = app.shops.iter_due("crawl")
    app.shops.crawl()
    with pytest.raises(LostRace, match=r"postponed until 11-06 12:05 UTC: .*connection refused"):
        claim_shop(app.store, "crawl", stale, LEASE)


def test_checking_leaves_shops_alone_that_wait(app: App, street: Street) -> None:
    app.shops.add(SHOP, country="DE")
    claim = Shop.crawl.claim(app.store, app.shops.get(SHOP))
    Shop.crawl.finish(app.store, claim)
    app.store.put_new(ShopPage(domain=SHOP, url=f"https://{SHOP}/a", type="product"))
    assert len(app.shops.scrape(check_only=True).unreached) == 1
    assert app.shops.scrape(check_only=True).is_idle
    street.clock.advance(5 * MINUTE)
    assert len(app.shops.scrape(check_only=True).unreached) == 1


# What a day says


def test_the_day_tells_which_shops_could_not_be_reached(app: App, street: Street) -> None:
    app.shops.add(SHOP, country="DE")
    app.shops.crawl()
    today = street.clock.now().date()
    [told] = app.shops.summary(today, "utc").unreached
    assert (told.domain, told.stage, told.last_error) == (SHOP, "crawl", REFUSED)
    assert app.shops.summary(today - timedelta(days=1), "utc").unreached == ()
    [failure] = [each for each in app.day.get(today).failures if each.what == SHOP]
    assert failure.words == f"crawl unreachable: {REFUSED}"
    assert failure.next.startswith("next attempt ")
