"""How often an address may write, and what is kept of it."""

from __future__ import annotations

from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from datetime import timedelta

import pytest

from gotgan.clock import FixedClock
from gotgan.domains.site.inquiries import MAX_MESSAGES, RATE_WINDOW, RateLimiter, window_start
from gotgan.domains.site.keys import SITE
from gotgan.domains.site.models import RateCounter
from gotgan.errors import RateLimited
from gotgan.settings import Secret
from gotgan.store import Store
from tests.unit.domains.site.desk import MORNING, SECRET


@pytest.fixture
def clock() -> FixedClock:
    return FixedClock(MORNING + timedelta(minutes=3, milliseconds=400))


@pytest.fixture
def store(clock: FixedClock) -> Iterator[Store]:
    with Store.in_memory(clock=clock) as opened:
        opened.create(SITE)
        yield opened


@pytest.fixture
def rates(store: Store) -> RateLimiter:
    return RateLimiter(store, SECRET)


def exhaust(rates: RateLimiter, address: str) -> None:
    for _ in range(MAX_MESSAGES):
        rates.count(address)


def is_refused(rates: RateLimiter, address: str) -> bool:
    try:
        rates.count(address)
    except RateLimited:
        return True
    return False


def test_five_messages_within_ten_minutes_are_enough(rates: RateLimiter) -> None:
    exhaust(rates, "192.0.2.1")
    with pytest.raises(RateLimited, match="Try again in 420 seconds") as refusal:
        rates.count("192.0.2.1")
    assert refusal.value.seconds == 420


def test_the_next_window_begins_anew(rates: RateLimiter, clock: FixedClock) -> None:
    exhaust(rates, "192.0.2.1")
    clock.advance(timedelta(seconds=419))
    assert is_refused(rates, "192.0.2.1")
    clock.advance(timedelta(seconds=1))
    assert not is_refused(rates, "192.0.2.1")


def test_waiting_as_long_as_told_is_enough(rates: RateLimiter, clock: FixedClock) -> None:
    exhaust(rates, "192.0.2.1")
    with pytest.raises(RateLimited) as refusal:
        rates.count("192.0.2.1")
    clock.advance(timedelta(seconds=refusal.value.seconds))
    rates.count("192.0.2.1")


def test_a_refused_message_is_not_counted(rates: RateLimiter, store: Store) -> None:
    exhaust(rates, "192.0.2.1")
    assert is_refused(rates, "192.0.2.1")
    assert [counter.count for counter in store.scan(RateCounter)] == [MAX_MESSAGES]


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("2001:db8:1:2::1", "2001:db8:1:2:ffff:ffff:ffff:ffff"),
        ("2001:db8:1:2::1", "2001:0DB8:0001:0002::2"),
        ("::ffff:192.0.2.1", "192.0.2.1"),
    ],
)
def test_addresses_of_one_subscriber_count_together(
    rates: RateLimiter, one: str, other: str
) -> None:
    exhaust(rates, one)
    assert is_refused(rates, other)


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("192.0.2.1", "192.0.2.2"),
        ("2001:db8:1:2::1", "2001:db8:1:3::1"),
        ("::ffff:192.0.2.1", "::ffff:192.0.2.2"),
        ("a-socket", "another-socket"),
        ("", "192.0.2.1"),
    ],
)
def test_addresses_of_different_subscribers_count_apart(
    rates: RateLimiter, one: str, other: str
) -> None:
    exhaust(rates, one)
    assert is_refused(rates, one)
    assert not is_refused(rates, other)


def test_the_address_itself_is_not_stored(rates: RateLimiter, store: Store) -> None:
    rates.count("192.0.2.1")
    (mine,) = store.scan(RateCounter)
    assert "192.0.2" not in repr(mine)
    assert len(mine.who) == 64


def test_another_secret_gives_another_name(rates: RateLimiter, store: Store) -> None:
    rates.count("192.0.2.1")
    RateLimiter(store, Secret("another secret of as many letters")).count("192.0.2.1")
    assert len({counter.who for counter in store.scan(RateCounter)}) == 2


def test_a_counter_goes_when_its_window_is_over(
    rates: RateLimiter, store: Store, clock: FixedClock
) -> None:
    rates.count("192.0.2.1")
    (counter,) = store.scan(RateCounter)
    assert counter.expires_at == window_start(clock.now()) + RATE_WINDOW
    clock.advance(RATE_WINDOW)
    assert list(store.scan(RateCounter)) == []


def test_of_many_at_the_same_moment_five_get_through(rates: RateLimiter) -> None:
    with ThreadPoolExecutor(8) as pool:
        refused = list(pool.map(lambda _: is_refused(rates, "192.0.2.1"), range(24)))
    assert refused.count(False) == MAX_MESSAGES
