"""Items that another system wrote: without our books, or with a state of its own."""

from __future__ import annotations

from typing import Any

import pytest

from gotgan.errors import BadItem, ConditionFailed, LostRace
from gotgan.lifecycle import Position
from tests.unit.lifecycle.jobs import BEGIN, HOUR, SECOND, Bench, Job

LEASE = 2 * HOUR
THEIRS = {"S": "PROGRESS#2026-01-15T10:00:00Z"}


def _theirs(at: Bench, sort_key: dict[str, str] | None) -> Job:
    at.job()
    at.write(run_sk=sort_key)
    return at.read()


def test_an_item_without_a_sort_key_was_never_worked_on(at: Bench) -> None:
    job = _theirs(at, None)
    assert Job.run.position(job) == Position(None)
    claim = Job.run.claim(at.store, job)
    assert (claim.fence, claim.position.previous) == (1, "NEVER#")


def test_an_item_without_a_sort_key_is_won_once(at: Bench) -> None:
    job = _theirs(at, None)
    Job.run.claim(at.store, job)
    with pytest.raises(LostRace):
        Job.run.claim(at.store, job)


def test_a_claim_writes_the_partition_key_that_another_tool_left_out(at: Bench) -> None:
    at.job()
    at.write(run_pk=None, run_sk=None)
    claim = Job.run.claim(at.store, at.read())
    assert at.stored()["run_pk"] == {"S": "q"}
    at.clock.advance(LEASE)
    assert Job.run.stuck(at.store, "q") == [claim.item]


def test_a_release_writes_the_partition_key_that_another_tool_left_out(at: Bench) -> None:
    at.job()
    at.write(run_pk=None, run_sk=THEIRS)
    at.clock.advance(LEASE)
    Job.run.release(at.store, at.read())
    assert (at.stored()["run_pk"], at.stored()["run_sk"]) == ({"S": "q"}, {"S": "NEVER#"})


def test_a_partition_key_that_another_tool_wrote_stays(at: Bench) -> None:
    at.job()
    at.write(run_pk={"S": "elsewhere"}, run_sk=None)
    Job.run.claim(at.store, at.read())
    assert at.stored()["run_pk"] == {"S": "elsewhere"}


def test_an_item_without_what_the_partition_key_is_made_of_stays_out_of_the_index(
    at: Bench,
) -> None:
    at.job(queue=None)
    at.write(run_sk=None)
    Job.run.claim(at.store, at.read())
    assert "run_pk" not in at.stored()


def test_a_partition_key_is_not_written_from_a_value_that_has_changed(at: Bench) -> None:
    at.job()
    at.write(run_pk=None, run_sk=None)
    job = at.read()
    at.write(queue={"S": "another"})
    with pytest.raises(ConditionFailed):
        Job.run.claim(at.store, job)


@pytest.mark.parametrize(
    ("ended", "state"),
    [
        (None, "NEVER#"),
        ("2026-01-15T09:00:00Z", "DONE#2026-01-15T09:00:00Z"),
        ("2026-01-15T18:00:00.5+09:00", "DONE#2026-01-15T09:00:00Z"),
        ("2026-01-15T09:00:00", "DONE#2026-01-15T09:00:00Z"),
    ],
)
def test_a_state_is_derived_from_the_time_of_the_last_end(
    at: Bench, ended: str | None, state: str
) -> None:
    at.job()
    at.write(run_sk=None, ended=None if ended is None else {"S": ended})
    assert Job.run.derived_state(at.read()) == state


def test_a_claim_without_a_lease_is_stuck_when_the_usual_one_is_over(at: Bench) -> None:
    job = _theirs(at, THEIRS)
    at.clock.advance(LEASE - SECOND)
    assert Job.run.stuck(at.store, "q") == []
    for move in (Job.run.claim, Job.run.release):
        with pytest.raises(LostRace, match="state is now PROGRESS"):
            move(at.store, job)
    at.clock.advance(SECOND)
    assert Job.run.stuck(at.store, "q") == [job]


def test_a_stuck_claim_of_others_can_be_taken_over(at: Bench) -> None:
    job = _theirs(at, THEIRS)
    at.clock.advance(LEASE)
    claim = Job.run.claim(at.store, job)
    assert (claim.fence, claim.position.attempts, claim.position.previous) == (1, 1, None)
    with pytest.raises(LostRace):
        Job.run.claim(at.store, job)
    assert Job.run.finish(at.store, claim).ended == BEGIN + LEASE


def test_a_stuck_claim_of_others_goes_back_to_never_because_it_does_not_say_where(
    at: Bench,
) -> None:
    job = _theirs(at, THEIRS)
    at.clock.advance(LEASE)
    Job.run.release(at.store, job)
    assert at.position() == Position("NEVER#")


def test_a_release_that_comes_after_a_take_over_is_refused(at: Bench) -> None:
    job = _theirs(at, THEIRS)
    at.clock.advance(LEASE)
    Job.run.claim(at.store, job)
    with pytest.raises(LostRace):
        Job.run.release(at.store, job)


@pytest.mark.parametrize("when", ["2026-01-15T10:00:00", "2026-01-15T19:00:00.123+09:00"])
def test_a_moment_in_another_form_is_understood(at: Bench, when: str) -> None:
    _theirs(at, {"S": f"PROGRESS#{when}"})
    at.clock.advance(LEASE - SECOND)
    assert Job.run.stuck(at.store, "q") == []
    at.clock.advance(2 * SECOND)
    [stuck] = Job.run.stuck(at.store, "q")
    assert Job.run.claim(at.store, stuck).fence == 1


def test_a_claim_that_does_not_say_when_is_stuck_and_can_be_taken_over(at: Bench) -> None:
    _theirs(at, {"S": "PROGRESS#soon"})
    [stuck] = Job.run.stuck(at.store, "q")
    assert Job.run.claim(at.store, stuck).fence == 1


def test_a_state_that_is_none_of_ours_is_left_alone(at: Bench) -> None:
    job = _theirs(at, {"S": "FAILED#2026"})
    before = at.stored()
    for query in (Job.run.never("q"), Job.run.in_progress("q"), Job.run.done("q")):
        assert at.store.query(query).items == ()
    with pytest.raises(BadItem, match="Not a state of a lifecycle: 'FAILED#2026'"):
        Job.run.claim(at.store, job)
    assert at.stored() == before


@pytest.mark.parametrize("sort_key", ["NEVER#", "DONE#2026-01-15T10:00:00Z"])
def test_a_state_that_others_set_over_a_claim_is_the_state(at: Bench, sort_key: str) -> None:
    """They know nothing of our books, and leave owner and fence as they were."""
    claim = Job.run.claim(at.store, at.job())
    at.write(run_sk={"S": sort_key})
    for move in (Job.run.renew, Job.run.finish, Job.run.release):
        with pytest.raises(LostRace):
            move(at.store, claim)
    assert Job.run.claim(at.store, at.read()).position.previous == sort_key


def test_a_claim_that_finds_a_state_that_is_none_of_ours_says_so(at: Bench) -> None:
    job = at.job()
    at.write(run_sk={"S": "FAILED#2026"})
    with pytest.raises(BadItem, match="FAILED#2026"):
        Job.run.claim(at.store, job)


@pytest.mark.parametrize(
    ("attribute", "value"),
    [
        ("run_lease_until", {"S": "soon"}),
        ("run_lease_until", {"S": "2026-01-15T10:00:00"}),
        ("run_lease_until", {"S": "2026-01-15T19:00:00+09:00"}),
        ("run_lease_until", {"N": "1768471200"}),
        ("run_fence", {"S": "1"}),
        ("run_owner", {"L": []}),
    ],
)
def test_books_that_cannot_be_ours_are_shown_and_not_guessed_at(
    at: Bench, attribute: str, value: Any
) -> None:
    _theirs(at, THEIRS)
    at.write("j1", **{attribute: value})
    with pytest.raises(BadItem, match=f"{attribute} contains"):
        Job.run.position(at.read())
