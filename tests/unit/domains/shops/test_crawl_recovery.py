"""A crawl that died is gone on with, by somebody who then knows all that it knew."""

from __future__ import annotations

from collections.abc import Iterator
from datetime import timedelta

import pytest

from gotgan.domains.shops.crawl import CHECKPOINT_PAGES, Crawl
from gotgan.domains.shops.models import Shop
from gotgan.domains.shops.reports import CrawlStep
from gotgan.errors import LostRace
from gotgan.world import FaultKind
from gotgan.world.scene import SceneRequest
from tests.unit.domains.shops.streets import (
    LARGE,
    DiesAtTheEnd,
    Killed,
    Street,
    dying_at,
    opened_street,
)

LONGER_THAN_A_LEASE = timedelta(hours=3)
UNLINKED = f"https://{LARGE}/gone-from-all-lists"
INDEXED = "antik-1.shop.test"
"""A shop with a sitemap of sitemaps."""


@pytest.fixture
def street() -> Iterator[Street]:
    with opened_street() as street:
        yield street


def die(street: Street) -> None:
    claim = street.claimed(LARGE)
    with pytest.raises(Killed):
        Crawl(street.store, street.web, claim, on_step=dying_at(CHECKPOINT_PAGES + 20)).run()
    street.clock.advance(LONGER_THAN_A_LEASE)


def test_a_crawl_that_died_is_gone_on_with_and_repeats_one_stretch_at_most(street: Street) -> None:
    die(street)
    assert street.crawl(LARGE).outcome == "ok"
    assert street.sold(LARGE) <= set(street.pages(LARGE))
    repeated = sum(times - 1 for times in street.asked().values())
    assert 0 < repeated <= 50


def test_a_half_crawl_of_long_ago_is_not_gone_on_with(street: Street) -> None:
    die(street)
    street.clock.advance(timedelta(days=20))
    assert street.crawl(LARGE).outcome == "ok"
    assert street.sold(LARGE) <= set(street.pages(LARGE))


def test_who_goes_on_removes_what_neither_of_both_has_seen(street: Street) -> None:
    street.scraped(UNLINKED, LARGE)
    die(street)
    assert street.crawl(LARGE).removed == 1
    assert street.removed(LARGE) == {UNLINKED}


@pytest.mark.parametrize("path", ["/sitemap*", "/prod*"])
def test_who_goes_on_knows_what_the_other_could_not_have(street: Street, path: str) -> None:
    street.scraped(UNLINKED, LARGE)
    street.world.fail(LARGE, path, FaultKind.BROKEN, times=1)
    die(street)
    report = street.crawl(LARGE)
    assert report.outcome == "ok"
    assert report.reason.startswith("some pages could not be fetched")
    assert street.removed(LARGE) == set()


def test_who_goes_on_knows_the_standards_that_the_other_found(street: Street) -> None:
    claim = street.claimed(LARGE)
    with pytest.raises(Killed):
        DiesAtTheEnd(street.store, street.web, claim).run()
    street.clock.advance(LONGER_THAN_A_LEASE)
    street.crawl(LARGE)
    assert street.shop(LARGE).standards == ("rdfa",)


@pytest.mark.parametrize(("pages", "budget"), [(CHECKPOINT_PAGES - 1, 5_000), (1, 1)])
def test_who_was_taken_over_writes_no_more(street: Street, pages: int, budget: int) -> None:
    home = f"https://{LARGE}/"

    def be_taken_over(step: CrawlStep) -> None:
        if step.pages == pages:
            street.clock.advance(LONGER_THAN_A_LEASE)
            street.crawl(LARGE)
            street.store.delete(street.pages(LARGE)[home])

    with pytest.raises(LostRace):
        street.crawl(LARGE, budget=budget, on_step=be_taken_over)
    assert street.shop(LARGE).crawl_outcome == "ok"
    assert home not in street.pages(LARGE)


def test_a_claim_is_kept_while_sitemaps_are_fetched_however_slow_they_are(street: Street) -> None:
    stuck: list[int] = []

    def take_long(asked: SceneRequest) -> None:
        if "sitemap" in asked.path:
            stuck.append(len(Shop.crawl.stuck(street.store, "DE")))
            street.clock.advance(timedelta(minutes=90))

    street.world.on_request = take_long
    assert street.crawl(INDEXED).outcome == "ok"
    assert stuck == [0, 0, 0]
