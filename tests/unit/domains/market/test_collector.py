"""The collection of a day: what is written at each step, and what is left when one fails."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from datetime import UTC, date, datetime, timedelta

import pytest
from sqlalchemy import func, select

from gotgan.clock import FixedClock
from gotgan.domains.market import logs
from gotgan.domains.market.calendar import load_calendar
from gotgan.domains.market.collector import (
    COLLECTION_LEASE,
    CollectionWork,
    MarketCollector,
    load_fetch,
)
from gotgan.domains.market.decisions import GiveUp, RunNow, Skip, Wait
from gotgan.domains.market.keys import MARKET_FETCHES, PRICE_FACTORS, STOCK_PRICES
from gotgan.domains.market.models import CollectionLog, Side
from gotgan.errors import (
    BadMarketAnswer,
    Interrupted,
    LostRace,
    MarketClosed,
    PasswordExpired,
    ProviderError,
)
from gotgan.settings import Settings
from gotgan.sql import Database
from tests.unit.domains.market.conftest import SETTINGS
from tests.unit.domains.market.exchange import Exchange, price

FRIDAY = date(2025, 10, 17)
MONDAY = date(2025, 10, 20)
TUESDAY = date(2025, 10, 21)
HOUR = timedelta(hours=1)
DOWN = ProviderError("the exchange is down")


def log_of(database: Database, day: date = MONDAY) -> CollectionLog:
    with database.read() as connection:
        log = logs.get_log(connection, day)
    assert log is not None
    return log


def stored(database: Database, day: date = MONDAY) -> int:
    query = select(func.count()).select_from(STOCK_PRICES).where(STOCK_PRICES.c.date == day)
    with database.read() as connection:
        return connection.execute(query).scalar_one()


def begun(collector: MarketCollector, day: date = MONDAY) -> CollectionWork:
    work = collector.begin(day)
    assert isinstance(work, CollectionWork)
    return work


def test_a_day_is_fetched_saved_and_verified_on_both_sides(
    collector: MarketCollector, database: Database
) -> None:
    report = collector.collect(MONDAY)
    assert report.outcome == "success"
    assert [(each.side, each.count) for each in report.sides] == [("prices", 50), ("indices", 1)]
    log = log_of(database)
    assert (log.prices.status, log.prices.count, log.prices.attempts) == ("success", 50, 1)
    assert (log.indices.status, log.indices.count, log.prices.provider) == ("success", 1, "test")
    assert stored(database) == 50


def test_only_verify_makes_a_side_a_success(collector: MarketCollector, database: Database) -> None:
    work = begun(collector)
    collector.fetch(work, "prices")
    assert log_of(database).prices.status == "pending"
    collector.save(work, "prices")
    assert (log_of(database).prices.status, stored(database)) == ("pending", 50)
    collector.verify(work, "prices")
    assert (log_of(database).prices.status, log_of(database).overall_status) == (
        "success",
        "partial",
    )


def test_what_was_fetched_is_let_go_of_once_it_is_verified(
    collector: MarketCollector, database: Database
) -> None:
    collector.collect(MONDAY)
    with database.read() as connection:
        left = connection.execute(select(func.count()).select_from(MARKET_FETCHES)).scalar()
    assert left == 0


def test_each_step_may_be_another_process(
    collector: MarketCollector, exchange: Exchange, database: Database
) -> None:
    work = begun(collector)
    collector.fetch(work, "prices")
    exchange.always = ()  # nobody asks the exchange again
    collector.save(work, "prices")
    assert collector.verify(work, "prices") == 50
    assert exchange.asked == [(MONDAY, "prices")]
    assert stored(database) == 50


def test_a_failure_of_one_side_leaves_the_other_and_is_tried_again_alone(
    collector: MarketCollector, exchange: Exchange, database: Database, clock: FixedClock
) -> None:
    exchange.failing = {"prices": [DOWN]}
    assert collector.collect(MONDAY).outcome == "partial"
    log = log_of(database)
    assert (log.prices.status, log.prices.retry_count) == ("failed", 1)
    assert log.prices.error_message == DOWN.message
    assert isinstance(collector.decide(MONDAY), Wait)
    clock.advance(HOUR)
    assert collector.collect(MONDAY).outcome == "success"
    assert exchange.asked[-1] == (MONDAY, "prices")
    log = log_of(database)
    assert (log.prices.retry_count, log.prices.error_message, log.indices.attempts) == (1, None, 1)


def test_a_day_gives_up_after_three_retries_and_the_next_session_opens_it_again(
    collector: MarketCollector, exchange: Exchange, database: Database, clock: FixedClock
) -> None:
    exchange.failing = {"prices": [DOWN] * 4}
    counted = []
    for _ in range(4):
        collector.collect(MONDAY)
        counted.append(log_of(database).prices.retry_count)
        clock.advance(HOUR)
    assert counted == [1, 2, 3, 3]
    given_up = collector.collect(MONDAY)
    assert isinstance(given_up.decision, GiveUp)
    assert given_up.outcome == "failed"
    assert len(exchange.asked) == 5
    clock.advance(20 * HOUR)  # Tuesday, 17:00
    again = collector.collect(MONDAY)
    assert isinstance(again.decision, RunNow)
    assert (again.decision.reason, again.outcome) == ("reopen", "success")
    assert (log_of(database).prices.attempts, log_of(database).collection_date) == (1, TUESDAY)


def test_whoever_dies_leaves_a_lease_that_is_taken_over_with_the_attempt_counted(
    collector: MarketCollector, database: Database, clock: FixedClock
) -> None:
    begun(collector)
    assert isinstance(collector.decide(MONDAY), Wait)
    assert collector.collect(MONDAY).outcome == "waiting"
    clock.advance(COLLECTION_LEASE)
    report = collector.collect(MONDAY)
    assert isinstance(report.decision, RunNow)
    assert (report.decision.reason, report.outcome) == ("take_over", "success")
    assert (log_of(database).prices.attempts, log_of(database).prices.retry_count) == (2, 1)


def test_somebody_who_dies_every_time_is_given_up_too(
    collector: MarketCollector, database: Database, clock: FixedClock
) -> None:
    for _ in range(4):
        begun(collector)
        clock.advance(COLLECTION_LEASE)
    assert collector.is_due(MONDAY)
    assert collector.collect(MONDAY).outcome == "failed"
    assert not collector.is_due(MONDAY)
    assert (log_of(database).overall_status, log_of(database).prices.status) == ("failed", "failed")


def test_who_has_a_day_and_until_when_is_told(
    database: Database, collector: MarketCollector, clock: FixedClock
) -> None:
    work = begun(collector)
    in_memory = Database.in_memory(clock)
    in_memory.prepare()
    alone = MarketCollector(in_memory, Exchange(clock=clock), SETTINGS, clock)
    other = begun(alone)
    for each, taken in ((collector, work), (alone, other)):
        refused = each.begin(MONDAY)
        assert isinstance(refused, Wait)
        assert refused.until == clock.now() + COLLECTION_LEASE
        assert refused.words == f"{taken.lease.owner} is collecting 2025-10-20."
    in_memory.close()
    assert log_of(database).prices.attempts == 1


@pytest.mark.parametrize("step", ["fetch", "save", "verify", "fail", "close"])
def test_whoever_was_taken_over_can_do_nothing_any_more(
    collector: MarketCollector, database: Database, clock: FixedClock, step: str
) -> None:
    stale = begun(collector)
    collector.fetch(stale, "prices")
    clock.advance(COLLECTION_LEASE)
    assert collector.collect(MONDAY).outcome == "success"
    late: dict[str, Callable[[], object]] = {
        "fetch": lambda: collector.fetch(stale, "prices"),
        "save": lambda: collector.save(stale, "prices"),
        "verify": lambda: collector.verify(stale, "prices"),
        "fail": lambda: collector.fail(stale, "prices", DOWN),
        "close": lambda: collector.close(stale, "nothing was traded"),
    }
    with pytest.raises(LostRace):
        late[step]()
    assert log_of(database).overall_status == "success"


def test_half_a_market_is_no_day_and_leaves_what_is_stored_as_it_is(
    collector: MarketCollector, exchange: Exchange, database: Database, clock: FixedClock
) -> None:
    collector.collect(MONDAY)
    clock.advance(24 * HOUR)
    exchange.shares[str(TUESDAY)] = exchange.always[:48]
    report = collector.collect(TUESDAY)
    assert (report.outcome, report.sides[0].code) == ("partial", "market.verify")
    assert stored(database, TUESDAY) == 0


def test_as_many_as_98_in_100_are_a_day(
    collector: MarketCollector, exchange: Exchange, clock: FixedClock
) -> None:
    collector.collect(MONDAY)
    clock.advance(24 * HOUR)
    exchange.shares[str(TUESDAY)] = exchange.always[:49]
    assert collector.collect(TUESDAY).outcome == "success"


def test_no_rows_are_never_a_success(collector: MarketCollector, exchange: Exchange) -> None:
    exchange.always = ()
    report = collector.collect(MONDAY)
    assert (report.outcome, report.sides[0].code) == ("partial", "market.verify")


@pytest.mark.parametrize("side", ["prices", "indices"])
def test_a_closure_that_the_answer_tells_of_is_no_failure(
    collector: MarketCollector, exchange: Exchange, database: Database, side: Side
) -> None:
    exchange.failing = {side: [MarketClosed("nothing was traded on 2025-10-20")]}
    if side == "indices":
        exchange.failing["prices"] = [BadMarketAnswer("no prices")]
    assert collector.collect(MONDAY).outcome == "closed"
    with database.read() as connection:
        assert logs.get_log(connection, MONDAY) is None
    assert load_calendar(database).why(MONDAY) == "nothing was traded on 2025-10-20"
    assert isinstance(collector.decide(MONDAY), Skip)


def test_a_day_of_which_something_is_stored_cannot_have_been_closed(
    collector: MarketCollector, exchange: Exchange, database: Database
) -> None:
    exchange.failing = {"indices": [MarketClosed("nothing was traded")]}
    assert collector.collect(MONDAY).outcome == "partial"
    assert log_of(database).indices.status == "failed"
    assert load_calendar(database).is_session(MONDAY)


def test_before_its_hour_a_day_is_collected_only_for_who_asks_for_it_now(
    collector: MarketCollector, clock: FixedClock
) -> None:
    clock.advance(23 * HOUR)  # Tuesday, 16:00
    assert collector.collect(TUESDAY).outcome == "skipped"
    assert collector.collect(TUESDAY, now=True).outcome == "success"


def test_while_shares_are_traded_nobody_can_have_the_day(
    collector: MarketCollector, exchange: Exchange, clock: FixedClock
) -> None:
    clock.advance(17.5 * HOUR)  # Tuesday, 10:30
    report = collector.collect(TUESDAY, now=True)
    assert (report.outcome, report.decision.reason) == ("skipped", "before_collection_time")
    assert exchange.asked == []


def test_in_a_zone_ahead_of_seoul_the_day_waits_for_its_last_trade(
    database: Database, exchange: Exchange, clock: FixedClock
) -> None:
    ahead = MarketCollector(database, exchange, Settings(zone="Pacific/Auckland"), clock)
    clock.advance(20 * HOUR)  # Tuesday, 13:00 in Seoul and 17:00 in Auckland
    decision = ahead.collect(TUESDAY).decision
    assert (decision.reason, getattr(decision, "until", None)) == (
        "before_collection_time",
        datetime(2025, 10, 21, 7, tzinfo=UTC),
    )


def test_while_all_providers_are_to_be_left_alone_no_attempt_is_made(
    collector: MarketCollector, exchange: Exchange, database: Database, clock: FixedClock
) -> None:
    exchange.blocked = clock.now() + HOUR
    waiting = collector.collect(MONDAY, now=True)
    assert (waiting.outcome, waiting.decision.reason) == ("waiting", "provider_blocked")
    clock.advance(HOUR)
    assert collector.collect(MONDAY).outcome == "success"
    assert log_of(database).prices.attempts == 1


def test_what_is_asked_for_by_hand_costs_the_timetable_none_of_its_attempts(
    collector: MarketCollector, exchange: Exchange, database: Database, clock: FixedClock
) -> None:
    exchange.failing = {"prices": [PasswordExpired("change it")]}
    collector.collect(MONDAY, now=True)
    assert (log_of(database).prices.attempts, log_of(database).prices.status) == (0, "failed")
    clock.advance(HOUR)
    report = collector.collect(MONDAY)
    assert (report.decision.reason, report.outcome) == ("first_run", "success")


def test_what_was_hopeless_for_one_side_is_not_tried_for_the_other(
    collector: MarketCollector, exchange: Exchange, database: Database
) -> None:
    exchange.failing = {"prices": [PasswordExpired("change it")]}
    assert collector.collect(MONDAY).outcome == "failed"
    assert exchange.asked == [(MONDAY, "prices")]
    assert log_of(database).indices.error_message == "change it"


def test_whoever_is_interrupted_has_not_made_the_attempt(
    collector: MarketCollector, database: Database
) -> None:
    def interrupt(*_: object, **__: object) -> None:
        raise KeyboardInterrupt

    for _ in range(5):
        with pytest.raises(KeyboardInterrupt):
            collector.collect(MONDAY, progress=interrupt)
    assert (log_of(database).prices.attempts, log_of(database).prices.status) == (0, "pending")
    assert collector.collect(MONDAY).outcome == "success"


def test_an_attempt_that_the_end_of_the_program_interrupts_does_not_count(
    collector: MarketCollector, exchange: Exchange, database: Database
) -> None:
    exchange.failing = {"prices": [Interrupted("the web client was closed")]}
    with pytest.raises(Interrupted):
        collector.collect(MONDAY)
    assert (log_of(database).prices.attempts, log_of(database).prices.status) == (0, "pending")
    assert collector.collect(MONDAY).outcome == "success"


def test_a_fault_of_ours_is_a_failure_with_a_reason(
    collector: MarketCollector, exchange: Exchange, database: Database
) -> None:
    exchange.always = [replace(exchange.always[0], volume=2**70), *exchange.always[1:]]
    assert collector.collect(MONDAY).outcome == "partial"
    assert "Internal error" in (log_of(database).prices.error_message or "")
    assert isinstance(collector.decide(MONDAY), Wait)


def test_a_closure_that_was_a_mistake_is_undone_by_who_asks_again(
    collector: MarketCollector, exchange: Exchange, database: Database
) -> None:
    exchange.failing = {"prices": [MarketClosed("nothing was traded")]}
    collector.collect(MONDAY)
    assert collector.collect(MONDAY).decision.reason == "market_closed"
    assert collector.collect(MONDAY, now=True).outcome == "success"
    assert load_calendar(database).is_session(MONDAY)


def test_a_closure_makes_neighbours_of_the_sessions_around_it(
    collector: MarketCollector, exchange: Exchange, database: Database, clock: FixedClock
) -> None:
    clock.advance(25 * HOUR)
    exchange.shares = {str(TUESDAY): [price("000000", 210, 10), *exchange.always[1:]]}
    collector.collect(FRIDAY)
    collector.collect(TUESDAY)
    exchange.failing = {"prices": [MarketClosed("nothing was traded")]}
    assert collector.collect(MONDAY).outcome == "closed"
    with database.read() as connection:
        factors = connection.execute(select(PRICE_FACTORS)).all()
    assert [(row.date, row.ticker, row.factor) for row in factors] == [(TUESDAY, "000000", 0.2)]


def test_after_a_closure_the_other_side_has_lost_the_day(
    collector: MarketCollector,
) -> None:
    work = begun(collector)
    collector.fetch(work, "indices")
    collector.save(work, "indices")
    collector.close(work, "nothing was traded")
    collector.fail(work, "prices", DOWN)
    with pytest.raises(LostRace):
        collector.verify(work, "indices")


def test_who_asks_for_one_side_alone_gets_that_side(
    collector: MarketCollector, exchange: Exchange
) -> None:
    report = collector.collect(MONDAY, now=True, only="prices")
    assert (report.outcome, exchange.asked) == ("partial", [(MONDAY, "prices")])
    assert collector.collect(MONDAY, now=True, only="prices").outcome == "skipped"
    assert collector.collect(MONDAY, now=True).outcome == "success"
    assert exchange.asked == [(MONDAY, "prices"), (MONDAY, "indices")]


def test_what_cannot_be_had_by_trying_again_is_not_tried_again_today(
    collector: MarketCollector, exchange: Exchange, database: Database, clock: FixedClock
) -> None:
    exchange.failing = {"prices": [PasswordExpired("change the password")]}
    collector.collect(MONDAY)
    clock.advance(HOUR)
    assert isinstance(collector.decide(MONDAY), GiveUp)
    assert log_of(database).prices.retry_count == 1
    assert collector.collect(MONDAY, now=True).outcome == "success"


# The late pass


def test_what_was_collected_in_the_afternoon_is_asked_for_once_more_at_night(
    collector: MarketCollector, exchange: Exchange, database: Database, clock: FixedClock
) -> None:
    collector.collect(MONDAY)
    assert collector.days_to_finalise([MONDAY]) == []
    clock.advance(6 * HOUR)
    assert collector.days_to_finalise([MONDAY]) == [MONDAY]
    exchange.always = [price("000000", 1_001), *exchange.always[1:]]
    report = collector.finalise(MONDAY)
    assert (report.outcome, report.sides[0].changed) == ("success", 1)
    assert collector.days_to_finalise([MONDAY]) == []
    assert log_of(database).prices.attempts == 1


def test_a_late_pass_that_fails_leaves_the_day_a_success_and_is_repeated(
    collector: MarketCollector, exchange: Exchange, database: Database, clock: FixedClock
) -> None:
    collector.collect(MONDAY)
    clock.advance(6 * HOUR)
    exchange.failing = {"indices": [DOWN]}
    collector.finalise(MONDAY)
    assert log_of(database).overall_status == "success"
    assert collector.days_to_finalise([MONDAY]) == [MONDAY]


def test_a_day_that_is_collected_late_needs_no_late_pass(
    collector: MarketCollector, database: Database, clock: FixedClock
) -> None:
    clock.advance(6 * HOUR)
    collector.collect(MONDAY)
    assert log_of(database).finalised_at == clock.now()


def test_what_is_kept_between_steps_comes_back_as_it_was(
    collector: MarketCollector, database: Database
) -> None:
    work = begun(collector)
    fetched = collector.fetch(work, "indices")
    with database.read() as connection:
        assert load_fetch(connection, MONDAY, "indices", fence=work.lease.fence) == fetched
