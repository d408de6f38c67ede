"""Who has the claim on a scrape: it is kept, lost, given back, and never finished by two."""

from __future__ import annotations

from datetime import datetime, timedelta
from pathlib import Path

import pytest

from gotgan.domains.shops.models import Shop
from gotgan.domains.shops.reports import ScrapeReport, ScrapeStep
from gotgan.domains.shops.scrape import scrape_shop
from gotgan.errors import NotRecorded
from gotgan.fetch import FetchRules, Web
from gotgan.fetch.recording import ReplayTransport
from gotgan.lifecycle import Claim, State
from tests.unit.domains.shops.conftest import DAY, NOON, Market, offered, stored


class Interrupted(Exception):
    """What a test raises in the middle of a run."""


def test_the_claim_is_renewed_while_the_scrape_runs(market: Market) -> None:
    def slow(_: ScrapeStep) -> None:
        market.clock.advance(timedelta(minutes=30))
        until.append(Shop.scrape.position(market.shop()).lease_until)

    until: list[datetime | None] = []
    report = scrape_shop(market.store, market.web, market.claim(), on_step=slow)
    assert report.outcome == "ok"
    assert market.clock.now() - NOON > timedelta(hours=5)  # two leases and more
    assert len(set(until)) >= len(until) - 1


def test_a_claim_is_renewed_for_the_lease_that_is_given_and_not_too_often(market: Market) -> None:
    lease = timedelta(minutes=1)
    claim = Shop.scrape.claim(market.store, market.shop(), lease=lease)

    def slow(_: ScrapeStep) -> None:
        market.clock.advance(timedelta(seconds=10))
        until.append(Shop.scrape.position(market.shop()).lease_until)

    until: list[datetime | None] = []
    scrape_shop(
        market.store, market.web, claim, on_step=slow, seconds_between_renewals=20, lease=lease
    )
    assert until[-1] is not None
    assert until[-1] <= market.clock.now() + lease
    assert len(until) / 2 - 1 <= len(set(until)) <= len(until) / 2 + 1


def test_who_lost_the_claim_stops_and_does_not_finish(market: Market) -> None:
    claim = market.claim()
    taken: list[Claim[Shop]] = []

    def lose(_: ScrapeStep) -> None:
        if not taken:
            market.clock.advance(timedelta(hours=3))
            taken.append(market.claim())

    report = scrape_shop(market.store, market.web, claim, on_step=lose)
    assert report.outcome is None
    assert "is claimed by" in report.reason
    assert report.pages < len(market.products())
    position = Shop.scrape.position(market.shop())
    assert (position.state, position.owner) == (State.PROGRESS, taken[0].owner)
    assert market.shop().scrape_outcome is None


def test_who_lost_the_claim_at_the_very_end_does_not_finish(market: Market) -> None:
    claim = market.claim()

    def lose(step: ScrapeStep) -> None:
        if step.pages == len(market.products()):
            market.clock.advance(timedelta(hours=3))
            market.claim()

    report = scrape_shop(market.store, market.web, claim, on_step=lose)
    assert (report.outcome, report.pages) == (None, len(market.products()))
    assert Shop.scrape.position(market.shop()).state is State.PROGRESS


def test_a_scrape_that_is_interrupted_gives_the_shop_back_and_the_next_notes_the_rest(
    market: Market,
) -> None:
    def interrupt(step: ScrapeStep) -> None:
        if step.pages == 3:
            raise Interrupted

    with pytest.raises(Interrupted):
        scrape_shop(market.store, market.web, market.claim(), on_step=interrupt)
    assert Shop.scrape.position(market.shop()).state is State.NEVER
    report = market.scrape()
    assert (report.unchanged, report.new) == (3, len(market.products()) - 3)
    assert len(market.changes()) == len(market.products())


def test_an_interrupted_scrape_whose_claim_is_gone_still_says_why_it_ended(market: Market) -> None:
    claim = market.claim()

    def interrupt(_: ScrapeStep) -> None:
        market.clock.advance(timedelta(hours=3))
        market.claim()
        raise Interrupted

    with pytest.raises(Interrupted):
        scrape_shop(
            market.store, market.web, claim, on_step=interrupt, seconds_between_renewals=1e9
        )
    assert Shop.scrape.position(market.shop()).state is State.PROGRESS


def test_two_scrapers_at_once_note_every_change_once(market: Market) -> None:
    market.scrape()
    market.clock.advance(6 * DAY)
    stale = market.claim()
    behind: list[ScrapeReport] = []

    def overtake(_: ScrapeStep) -> None:
        if not behind:  # with pages in hand that were read before the other wrote
            market.clock.advance(timedelta(hours=3))
            behind.append(market.scrape())

    later = market.clock.now()
    report = scrape_shop(
        market.store, market.web, stale, on_step=overtake, seconds_between_renewals=1e9
    )
    assert report.outcome is None
    assert behind[0].outcome == "ok"
    assert behind[0].changed
    assert report.noted["lost"]
    changes = market.changes(later)
    assert len({change.url for change in changes}) == len(changes)
    assert len(changes) == report.changed + behind[0].changed + behind[0].removed
    for url, page in market.pages().items():
        if url in market.products():
            assert stored(page) == offered(market.products()[url])


def test_a_replay_that_lacks_an_answer_is_no_fault_of_the_shop(
    market: Market, tmp_path: Path
) -> None:
    replayed = Web(FetchRules(), clock=market.clock, transport=ReplayTransport(tmp_path))
    with replayed as web, pytest.raises(NotRecorded):
        scrape_shop(market.store, web, market.claim())
    assert Shop.scrape.position(market.shop()).state is State.NEVER
