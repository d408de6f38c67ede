"""Claims: who wins, what is written, and what a copy of an item is good for."""

from __future__ import annotations

import os
import socket
from datetime import timedelta

import pytest

from gotgan.clock import FixedClock
from gotgan.errors import ItemMissing, LostRace, NotRead, UsageError
from gotgan.lifecycle import Position
from tests.unit.lifecycle.jobs import BEGIN, HOUR, SECOND, Bench, Job, store_on

LEASE = 2 * HOUR


def test_a_claim_writes_its_own_attributes_and_no_others(at: Bench) -> None:
    job = at.job()
    before = at.stored()
    claim = Job.run.claim(at.store, job, owner="w1")
    assert at.stored() == {
        **before,
        "run_sk": {"S": "PROGRESS#2026-01-15T10:00:00Z"},
        "run_owner": {"S": claim.owner},
        "run_lease_until": {"S": "2026-01-15T12:00:00Z"},
        "run_fence": {"N": "1"},
        "run_attempts": {"N": "1"},
        "run_previous": {"S": "NEVER#"},
        "began": {"S": "2026-01-15T10:00:00Z"},
    }


def test_a_claim_brings_the_item_as_it_is_with_the_claim(at: Bench) -> None:
    claim = Job.run.claim(at.store, at.job(), owner="w1")
    assert claim.item == at.read()
    assert claim.position == at.position()
    assert claim.fence == 1
    assert claim.owner.startswith("w1/")


def test_whoever_gives_no_name_is_known_by_machine_and_process(at: Bench) -> None:
    claim = Job.run.claim(at.store, at.job())
    assert claim.owner.partition("/")[0] == f"{socket.gethostname()}:{os.getpid()}"


def test_two_claims_of_one_name_can_be_told_apart(at: Bench) -> None:
    claims = [Job.run.claim(at.store, at.job(name), owner="w1") for name in ("j1", "j2")]
    assert claims[0].owner != claims[1].owner


def test_what_was_only_just_put_can_be_claimed_without_reading_it(at: Bench) -> None:
    put = at.store.put_new(Job(id="j1"))
    assert Job.run.claim(at.store, put.item).fence == 1


def test_what_was_never_put_cannot_be_claimed_and_is_not_made(at: Bench) -> None:
    with pytest.raises(ItemMissing, match="Job JOB#j1 does not exist"):
        Job.run.claim(at.store, Job(id="j1"))
    assert at.stored() == {}


def test_what_was_only_made_is_no_excuse_to_claim_what_is_claimed(at: Bench) -> None:
    Job.run.claim(at.store, at.job(), owner="w1")
    with pytest.raises(LostRace, match="w1/"):
        Job.run.claim(at.store, Job(id="j1"))


@pytest.mark.parametrize("first_time", [True, False], ids=["never done", "done before"])
def test_an_item_as_the_index_has_it_can_be_claimed_and_goes_back_to_where_it_stood(
    at: Bench, first_time: bool
) -> None:
    where = Job.run.position(at.job() if first_time else at.done()).sort_key
    query = Job.run.never("q") if first_time else Job.run.done("q")
    [copy] = at.store.query(query)
    claim = Job.run.claim(at.store, copy)
    assert claim.position.previous == where
    assert claim.item == at.read()
    Job.run.release(at.store, claim)
    assert at.position().sort_key == where


def test_an_index_that_lags_behind_makes_nobody_win_twice(at: Bench) -> None:
    at.job()
    [early, late] = [at.store.query(Job.run.never("q")).items[0] for _ in range(2)]
    won = Job.run.claim(at.store, early, owner="w1")
    with pytest.raises(LostRace, match="w1/") as lost:
        Job.run.claim(at.store, late, owner="w2")
    assert lost.value.winner == won.position


def test_a_copy_whose_state_has_moved_on_is_told_where_to(at: Bench) -> None:
    old = at.job()
    Job.run.finish(at.store, Job.run.claim(at.store, old))
    with pytest.raises(LostRace, match="state is now DONE") as lost:
        Job.run.claim(at.store, old)
    assert lost.value.winner == Position("DONE#2026-01-15T10:00:00Z", fence=1)


def test_an_item_that_stands_where_it_stood_can_be_claimed_by_an_old_copy(at: Bench) -> None:
    """A claimed and released item is as free as before: there is nothing to be fooled about."""
    old = at.job()
    Job.run.release(at.store, Job.run.claim(at.store, old))
    claim = Job.run.claim(at.store, old)
    assert (claim.fence, claim.position.previous) == (2, "NEVER#")


def test_a_renewed_lease_holds_against_a_copy_that_does_not_know_of_it(at: Bench) -> None:
    claim = Job.run.claim(at.store, at.job())
    [copy] = at.store.query(Job.run.in_progress("q"))
    at.clock.advance(HOUR)
    Job.run.renew(at.store, claim)
    at.clock.advance(HOUR)
    for known in (copy, claim.item):
        with pytest.raises(LostRace):
            Job.run.claim(at.store, known)
    at.clock.advance(HOUR)
    assert Job.run.claim(at.store, copy).fence == 2


def test_a_copy_without_the_state_cannot_be_claimed(at: Bench) -> None:
    at.job()
    [copy] = at.store.query(Job.check.never("q"))
    projected = at.store.get(Job.key(id="j1"), only=["title"])
    assert projected is not None
    for known in (copy, projected):
        with pytest.raises(NotRead, match="the state of run was not read with Job JOB#j1"):
            Job.run.claim(at.store, known)


def test_an_index_does_not_know_who_has_a_claim(at: Bench) -> None:
    Job.run.claim(at.store, at.job())
    [copy] = at.store.query(Job.run.in_progress("q"))
    at.clock.advance(LEASE)
    with pytest.raises(NotRead, match=r"use \.whole\(\) on the query"):
        Job.run.position(copy)
    with pytest.raises(NotRead, match=r"use \.whole\(\) on the query"):
        Job.run.release(at.store, copy)
    [whole] = at.store.query(Job.run.in_progress("q").whole())
    assert Job.run.release(at.store, whole) == at.read()


def test_a_claim_holds_for_as_long_as_it_is_asked_to(at: Bench) -> None:
    claim = Job.run.claim(at.store, at.job(), lease=timedelta(seconds=90))
    assert claim.position.lease_until == BEGIN + timedelta(seconds=90)
    assert Job.check.claim(at.store, at.read()).position.lease_until == BEGIN + timedelta(minutes=5)


def test_a_lease_is_never_shorter_than_asked_for(at: Bench) -> None:
    at.clock.advance(timedelta(milliseconds=900))
    claim = Job.run.claim(at.store, at.job(), lease=SECOND)
    assert claim.position.lease_until == BEGIN + 2 * SECOND
    at.clock.advance(timedelta(milliseconds=999))
    with pytest.raises(LostRace):
        Job.run.claim(at.store, at.read())


@pytest.mark.parametrize("lease", [timedelta(0), -HOUR, timedelta(milliseconds=999)])
def test_a_lease_that_is_over_at_once_is_refused(at: Bench, lease: timedelta) -> None:
    job = at.job()
    with pytest.raises(UsageError, match="give at least a second"):
        Job.run.claim(at.store, job, lease=lease)
    claim = Job.run.claim(at.store, job)
    with pytest.raises(UsageError, match="give at least a second"):
        Job.run.renew(at.store, claim, lease=lease)


def test_attempts_count_claims_until_one_comes_to_its_end(at: Bench) -> None:
    job, seen = at.job(), []
    for _ in range(3):
        claim = Job.run.claim(at.store, job)
        seen.append(claim.position.attempts)
        job = Job.run.release(at.store, claim)
    Job.run.finish(at.store, Job.run.claim(at.store, job))
    claim = Job.run.claim(at.store, at.read())
    assert (seen, claim.position.attempts, claim.fence) == ([1, 2, 3], 1, 5)


def test_a_claim_that_is_taken_over_still_goes_back_to_where_the_first_one_began(at: Bench) -> None:
    done = Job.run.position(at.done()).sort_key
    for _ in range(3):
        Job.run.claim(at.store, at.read())
        at.clock.advance(LEASE)
    assert (at.position().fence, at.position().previous) == (4, done)
    assert Job.run.position(Job.run.release(at.store, at.read())).sort_key == done


def test_claims_of_one_second_are_told_apart_by_the_fence(at: Bench) -> None:
    first = Job.run.claim(at.store, at.job(), owner="w1")
    second = Job.run.claim(at.store, Job.run.release(at.store, first), owner="w2")
    assert first.position.sort_key == second.position.sort_key
    for move in (Job.run.renew, Job.run.finish, Job.run.release):
        with pytest.raises(LostRace, match="w2/"):
            move(at.store, first)
    assert Job.run.finish(at.store, second).ended == BEGIN


def test_the_fence_tells_claims_apart_even_where_chance_repeats_itself(
    at: Bench, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("secrets.token_hex", lambda size: "ab" * size)
    first = Job.run.claim(at.store, at.job(), owner="w1")
    second = Job.run.claim(at.store, Job.run.release(at.store, first), owner="w1")
    assert (first.owner, first.position.sort_key) == (second.owner, second.position.sort_key)
    with pytest.raises(LostRace):
        Job.run.finish(at.store, first)


def test_what_is_done_can_be_done_again_within_the_same_second(at: Bench) -> None:
    job = Job.run.finish(at.store, Job.run.claim(at.store, at.job()))
    job = Job.run.finish(at.store, Job.run.claim(at.store, job))
    assert Job.run.position(job) == Position("DONE#2026-01-15T10:00:00Z", fence=2)


def test_a_claim_of_an_item_that_was_deleted_and_made_anew_is_no_claim_on_the_new_one(
    at: Bench,
) -> None:
    old = Job.run.claim(at.store, at.job(), owner="w1")
    at.store.delete(old.item.key)
    new = Job.run.claim(at.store, at.job(), owner="w1")
    assert (old.fence, old.position.sort_key) == (new.fence, new.position.sort_key)
    with pytest.raises(LostRace):
        Job.run.finish(at.store, old)


def test_an_item_that_was_deleted_is_not_brought_back_by_its_claim(at: Bench) -> None:
    claim = Job.run.claim(at.store, at.job())
    at.store.delete(claim.item.key)
    with pytest.raises(
        ItemMissing, match=r"Job JOB#j1 does not exist\. It may have been deleted\."
    ):
        Job.run.finish(at.store, claim, title="back")
    assert at.stored() == {}


def test_an_item_in_no_partition_is_claimed_and_taken_over_by_its_key(at: Bench) -> None:
    claim = Job.run.claim(at.store, at.job(queue=None))
    assert at.store.query(Job.run.in_progress("q")).items == ()
    with pytest.raises(LostRace):
        Job.run.claim(at.store, at.read())
    at.clock.advance(LEASE)
    later = Job.run.claim(at.store, at.read())
    with pytest.raises(LostRace):
        Job.run.finish(at.store, claim)
    assert "run_pk" not in Job.run.finish(at.store, later).origin.item  # type: ignore[union-attr]


def test_a_worker_whose_clock_is_ahead_takes_over_early_and_the_other_is_told(at: Bench) -> None:
    slow = Job.run.claim(at.store, at.job(), lease=SECOND)
    hasty = at.ahead(2 * SECOND)
    taken = Job.run.claim(hasty, at.read())
    with pytest.raises(LostRace):
        Job.run.finish(at.store, slow)
    assert Job.run.finish(hasty, taken).ended == BEGIN + 2 * SECOND


def test_a_worker_whose_clock_is_behind_waits_longer_and_finishes_in_its_own_past(
    at: Bench,
) -> None:
    behind = store_on(at.engine, FixedClock(BEGIN - HOUR))
    Job.run.claim(at.store, at.job(), lease=SECOND)
    at.clock.advance(SECOND)
    with pytest.raises(LostRace):
        Job.run.claim(behind, at.read())
    taken = Job.run.claim(at.store, at.read())
    assert Job.run.finish(behind, taken).ended == BEGIN - HOUR
