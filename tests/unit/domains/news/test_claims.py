"""A body is worked on by one worker at a time, and none is lost or tried for ever."""

from __future__ import annotations

from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from datetime import UTC, datetime, timedelta

import pytest

from gotgan.clock import FixedClock
from gotgan.domains.news import claims, models
from gotgan.domains.news.keys import NEWS_BODIES, NEWS_ITEMS
from gotgan.domains.news.models import NewsBody, NewsItem
from gotgan.errors import FetchTimeout, TooManyRequests
from gotgan.store import Store

NOON = datetime(2025, 11, 6, 12, tzinfo=UTC)
ITEM = NewsItem(
    source="yf_latest",
    title="A chip maker lifts its forecast",
    url="https://finance.yahoo.com/news/chip-maker-lifts-forecast-060559667.html",
    uploaded_at=NOON,
)
LATE = FetchTimeout("it took too long")


@pytest.fixture
def clock() -> FixedClock:
    return FixedClock(NOON)


@pytest.fixture
def store(clock: FixedClock) -> Iterator[Store]:
    with Store.in_memory(clock=clock) as opened:
        opened.create(NEWS_ITEMS, NEWS_BODIES)
        yield opened


def claimed(store: Store) -> NewsBody:
    claim = claims.claim_new(store, ITEM)
    assert claim is not None
    return claim


def stored(store: Store) -> NewsBody | None:
    return store.get(models.news_body(ITEM.pk), consistent=True)


def in_queue(store: Store, queue: str = "retry") -> list[str]:
    return [body.pk for body in store.iterate(NewsBody.queued.query(queue=queue), at_most=None)]


def due(store: Store) -> list[str]:
    query = models.due_bodies("retry", store.clock.now())
    return [body.pk for body in store.iterate(query, at_most=None)]


def failed(store: Store, clock: FixedClock, times: int) -> NewsBody:
    """The body after so many attempts that failed, each as soon as it was due."""
    claim = claimed(store)
    for _ in range(times - 1):
        assert claims.fail(store, claim, LATE)
        clock.advance(timedelta(hours=6))
        again = claims.claim_due(store, ITEM.pk)
        assert again is not None
        claim = again
    assert claims.fail(store, claim, LATE)
    body = stored(store)
    assert body is not None
    return body


def test_of_many_workers_one_has_a_new_article(store: Store) -> None:
    with ThreadPoolExecutor(8) as pool:
        won = list(pool.map(lambda _: claims.claim_new(store, ITEM), range(32)))
    assert len([claim for claim in won if claim is not None]) == 1


def test_a_claim_is_in_the_queue_and_due_when_its_lease_is_over(
    store: Store, clock: FixedClock
) -> None:
    claimed(store)
    clock.advance(claims.LEASE - timedelta(seconds=1))
    assert due(store) == []
    assert claims.claim_due(store, ITEM.pk) is None
    clock.advance(timedelta(seconds=2))
    assert due(store) == [ITEM.pk]
    taken = claims.claim_due(store, ITEM.pk)
    assert taken is not None
    assert taken.attempts == 2


def test_a_lease_never_ends_before_its_time(store: Store, clock: FixedClock) -> None:
    clock.advance(timedelta(milliseconds=900))
    claimed(store)
    clock.advance(claims.LEASE - timedelta(milliseconds=1))
    assert claims.claim_due(store, ITEM.pk) is None


def test_a_worker_whose_lease_is_over_and_was_taken_changes_nothing(
    store: Store, clock: FixedClock
) -> None:
    late = claimed(store)
    clock.advance(claims.LEASE + timedelta(seconds=2))
    mine = claims.claim_due(store, ITEM.pk)
    assert mine is not None
    assert not claims.finish(store, late, "ok", text="late")
    assert not claims.fail(store, late, LATE)
    claims.release(store, late)
    assert stored(store) == mine
    assert claims.finish(store, mine, "ok", text="mine")


def test_a_worker_that_is_slow_but_alone_may_still_finish(store: Store, clock: FixedClock) -> None:
    claim = claimed(store)
    clock.advance(claims.LEASE * 3)
    assert claims.finish(store, claim, "ok", text="at last")


def test_of_many_workers_one_takes_over(store: Store, clock: FixedClock) -> None:
    claimed(store)
    clock.advance(claims.LEASE + timedelta(seconds=2))
    with ThreadPoolExecutor(8) as pool:
        won = list(pool.map(lambda _: claims.claim_due(store, ITEM.pk), range(32)))
    assert len([claim for claim in won if claim is not None]) == 1


def test_what_is_done_is_in_no_queue_and_cannot_be_taken(store: Store, clock: FixedClock) -> None:
    claims.finish(store, claimed(store), "premium")
    clock.advance(timedelta(days=1))
    assert in_queue(store) == []
    assert claims.claim_due(store, ITEM.pk) is None
    assert claims.claim_new(store, ITEM) is None


def test_a_failure_waits_ten_minutes_then_twice_as_long_each_time(
    store: Store, clock: FixedClock
) -> None:
    waits = []
    claim = claimed(store)
    for _ in range(4):
        claims.fail(store, claim, LATE)
        body = stored(store)
        assert body is not None
        assert body.due_at is not None
        waits.append((body.due_at - clock.now()) / timedelta(minutes=1))
        clock.advance(body.due_at - clock.now())
        again = claims.claim_due(store, ITEM.pk)
        assert again is not None
        claim = again
    assert waits == [10, 20, 40, 80]


def test_a_failure_waits_as_long_as_the_site_asks(store: Store) -> None:
    claims.fail(store, claimed(store), TooManyRequests("slow down", 429, retry_after=7200))
    body = stored(store)
    assert body is not None
    assert body.due_at == NOON + timedelta(hours=2)
    assert (body.error, body.reason) == ("fetch.too_many_requests", "slow down")


def test_after_four_failures_an_article_still_waits(store: Store, clock: FixedClock) -> None:
    waiting = failed(store, clock, 4)
    assert (waiting.state, waiting.outcome, in_queue(store)) == ("WAITING", None, [ITEM.pk])


def test_after_five_failures_an_article_is_dead_and_in_a_queue_of_its_own(
    store: Store, clock: FixedClock
) -> None:
    dead = failed(store, clock, 5)
    assert (dead.state, dead.outcome, dead.error) == ("DONE", "dead", "fetch.timeout")
    assert (in_queue(store), in_queue(store, "dead")) == ([], [ITEM.pk])
    clock.advance(timedelta(days=9))
    assert claims.claim_due(store, ITEM.pk) is None


def test_workers_that_die_five_times_over_an_article_give_it_up(
    store: Store, clock: FixedClock
) -> None:
    claimed(store)
    for _ in range(4):
        clock.advance(claims.LEASE + timedelta(seconds=2))
        assert claims.claim_due(store, ITEM.pk) is not None
    clock.advance(claims.LEASE + timedelta(seconds=2))
    given_up = claims.claim_due(store, ITEM.pk)
    assert given_up is not None
    assert given_up == stored(store)
    assert (given_up.outcome, given_up.error) == ("dead", "news.worker_lost")


def test_a_new_article_that_is_given_back_is_as_if_nobody_had_touched_it(store: Store) -> None:
    claims.release(store, claimed(store))
    assert stored(store) is None
    assert claims.claim_new(store, ITEM) is not None


def test_an_attempt_that_is_given_back_does_not_count(store: Store, clock: FixedClock) -> None:
    claims.fail(store, claimed(store), LATE)
    clock.advance(timedelta(minutes=10))
    again = claims.claim_due(store, ITEM.pk)
    assert again is not None
    claims.release(store, again)
    body = stored(store)
    assert body is not None
    assert (body.state, body.attempts, due(store)) == ("WAITING", 1, [ITEM.pk])


def test_what_was_given_up_and_is_given_back_stays_in_the_queue(
    store: Store, clock: FixedClock
) -> None:
    claims.retry_now(store, failed(store, clock, 5))
    again = claims.claim_due(store, ITEM.pk)
    assert again is not None
    claims.release(store, again)
    body = stored(store)
    assert body is not None
    assert (body.state, body.attempts, due(store)) == ("WAITING", 0, [ITEM.pk])


def test_what_was_given_up_can_be_tried_again_with_all_its_attempts(
    store: Store, clock: FixedClock
) -> None:
    dead = failed(store, clock, 5)
    assert claims.retry_now(store, dead) is not None
    assert (in_queue(store, "dead"), due(store)) == ([], [ITEM.pk])
    claim = claims.claim_due(store, ITEM.pk)
    assert claim is not None
    assert (claim.attempts, claim.outcome) == (1, None)
    assert claims.retry_now(store, dead) is None  # it has moved on


def test_articles_at_other_sites_are_noted_once(store: Store) -> None:
    assert len(claims.mark_external(store, [ITEM]).new) == 1
    assert len(claims.mark_external(store, [ITEM]).duplicates) == 1
    body = stored(store)
    assert body is not None
    assert (body.state, body.outcome, in_queue(store)) == ("DONE", "external", [])
