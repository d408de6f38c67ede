"""Leases: who has what in hand; of many who want one thing, exactly one."""

from __future__ import annotations

import threading
from concurrent.futures import ThreadPoolExecutor
from datetime import timedelta

import pytest

from gotgan.clock import FixedClock
from gotgan.errors import LostRace
from gotgan.sql import Database, Lease, Leases

QUARTER = timedelta(minutes=15)
KEY = "market:2025-10-20"


def _taken(database: Database, lease: timedelta = QUARTER) -> Lease:
    taken = database.leases.take(KEY, lease)
    assert taken is not None
    return taken


def _is_ours(database: Database, lease: Lease) -> bool:
    try:
        with database.begin() as connection:
            database.leases.expect(connection, lease)
    except LostRace:
        return False
    return True


def test_what_nobody_has_can_be_taken(database: Database, clock: FixedClock) -> None:
    taken = _taken(database)
    assert (taken.key, taken.until, taken.fence) == (KEY, clock.now() + QUARTER, 1)
    assert database.leases.held(KEY) == taken


def test_each_database_that_is_opened_takes_leases_under_a_name_of_its_own(
    database: Database, clock: FixedClock
) -> None:
    other = Leases(database, clock)
    assert _taken(database).owner == database.leases.owner != other.owner
    assert database.leases.owner.rpartition("/")[0] == other.owner.rpartition("/")[0] != ""


def test_what_somebody_has_cannot_be_taken_even_by_themselves(database: Database) -> None:
    first = _taken(database)
    assert database.leases.take(KEY, QUARTER) is None
    assert database.leases.take(KEY, QUARTER, owner="somebody else") is None
    assert database.leases.held(KEY) == first


def test_keys_have_nothing_to_do_with_each_other(database: Database) -> None:
    _taken(database)
    assert database.leases.take("market:2025-10-21", QUARTER) is not None
    assert database.leases.held("market:2025-10-22") is None


def test_all_that_begin_alike_are_told_until_they_end(
    database: Database, clock: FixedClock
) -> None:
    for key, lease in (("a_c", 2), ("a_b", 2), ("a_d", 1), ("axb", 2), ("b", 2)):
        assert database.leases.take(key, lease * QUARTER) is not None
    assert [lease.key for lease in database.leases.find_all("a_")] == ["a_b", "a_c", "a_d"]
    clock.advance(QUARTER)
    assert [lease.key for lease in database.leases.find_all("a_")] == ["a_b", "a_c"]


def test_an_owner_can_be_a_long_reason(database: Database) -> None:
    reason = "KRX says: 서비스 이용이 제한되었습니다. " * 40
    assert database.leases.take("breaker:krx", timedelta(hours=24), owner=reason) is not None
    held = database.leases.held("breaker:krx")
    assert held is not None
    assert held.owner == reason


def test_a_lease_ends_with_its_last_moment(database: Database, clock: FixedClock) -> None:
    first = _taken(database)
    clock.advance(QUARTER - timedelta(microseconds=1))
    assert database.leases.held(KEY) == first
    assert database.leases.take(KEY, QUARTER) is None
    clock.advance(timedelta(microseconds=1))
    assert database.leases.held(KEY) is None
    second = _taken(database)
    assert (second.fence, second.until) == (2, clock.now() + QUARTER)


def test_whoever_lost_a_lease_is_told_so(database: Database, clock: FixedClock) -> None:
    first = _taken(database)
    clock.advance(QUARTER)
    assert _is_ours(database, first), "it has run out, and nobody else has taken it"
    second = _taken(database)
    assert (_is_ours(database, first), _is_ours(database, second)) == (False, True)
    with pytest.raises(LostRace, match=KEY):
        database.leases.renew(first, QUARTER)
    assert database.leases.held(KEY) == second


def test_a_renewed_lease_lasts_from_now_on(database: Database, clock: FixedClock) -> None:
    first = _taken(database)
    clock.advance(timedelta(minutes=10))
    renewed = database.leases.renew(first, QUARTER)
    assert renewed == Lease(KEY, first.owner, clock.now() + QUARTER, first.fence)
    assert database.leases.held(KEY) == renewed
    clock.advance(timedelta(minutes=10))
    assert database.leases.take(KEY, QUARTER) is None


def test_a_lease_that_ran_out_can_be_renewed_while_nobody_else_has_it(
    database: Database, clock: FixedClock
) -> None:
    first = _taken(database)
    clock.advance(timedelta(days=1))
    assert database.leases.renew(first, QUARTER).until == clock.now() + QUARTER
    assert database.leases.take(KEY, QUARTER) is None


def test_what_was_given_back_is_nobodys(database: Database) -> None:
    first = _taken(database)
    database.leases.give_back(first)
    assert database.leases.held(KEY) is None
    assert not _is_ours(database, first)
    with pytest.raises(LostRace):
        database.leases.renew(first, QUARTER)  # as a heartbeat might, a moment too late
    second = _taken(database)
    assert second.fence > first.fence


def test_to_give_back_what_somebody_else_has_changes_nothing(
    database: Database, clock: FixedClock
) -> None:
    first = _taken(database)
    clock.advance(QUARTER)
    second = _taken(database)
    database.leases.give_back(first)
    assert database.leases.held(KEY) == second
    assert _is_ours(database, second)


def test_a_lease_of_a_transaction_that_failed_was_never_taken(database: Database) -> None:
    def failing() -> None:
        with database.begin() as connection:
            assert database.leases.take_within(connection, KEY, QUARTER) is not None
            raise LookupError

    with pytest.raises(LookupError):
        failing()
    assert database.leases.held(KEY) is None
    assert _taken(database).fence == 1


def test_a_lease_that_was_never_taken_is_not_ours(database: Database, clock: FixedClock) -> None:
    assert not _is_ours(database, Lease(KEY, "me", clock.now() + QUARTER, 1))


def test_of_sixteen_threads_one_takes_it(database: Database, clock: FixedClock) -> None:
    for fence in (1, 2, 3):
        start = threading.Barrier(16)

        def take(_: int, start: threading.Barrier = start) -> Lease | None:
            start.wait()
            return database.leases.take(KEY, QUARTER)

        with ThreadPoolExecutor(16) as pool:
            taken = [each for each in pool.map(take, range(16)) if each is not None]
        assert [each.fence for each in taken] == [fence]
        clock.advance(QUARTER)
