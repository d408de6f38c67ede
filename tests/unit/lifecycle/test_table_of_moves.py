"""Every verb, from everywhere an item can stand: what becomes of it, and what is written."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from typing import Any

import pytest

from gotgan.errors import GotganError, ItemMissing, LostRace, UsageError
from gotgan.lifecycle import Claim, Position, State
from tests.unit.lifecycle.jobs import HOUR, SECOND, Bench, Job

LEASE = 2 * HOUR


def _over(at: Bench) -> None:
    at.clock.advance(LEASE)


def _released(at: Bench, mine: Claim[Job]) -> None:
    Job.run.release(at.store, mine)


def _postponed(at: Bench, mine: Claim[Job]) -> None:
    Job.run.postpone(at.store, mine, error="no answer", until=at.clock.now() + HOUR)


def _postponed_and_due(at: Bench, mine: Claim[Job]) -> None:
    _postponed(at, mine)
    at.clock.advance(HOUR)


def _finished(at: Bench, mine: Claim[Job]) -> None:
    at.clock.advance(SECOND)
    Job.run.finish(at.store, mine)


def _held(at: Bench, _mine: Claim[Job]) -> None:
    at.clock.advance(SECOND)


def _expired(at: Bench, _mine: Claim[Job]) -> None:
    _over(at)


def _taken_over(at: Bench, _mine: Claim[Job]) -> None:
    _over(at)
    Job.run.claim(at.store, at.read(), owner="another")
    at.clock.advance(SECOND)


def _taken_over_and_expired(at: Bench, mine: Claim[Job]) -> None:
    _taken_over(at, mine)
    _over(at)


def _deleted(at: Bench, mine: Claim[Job]) -> None:
    at.store.delete(mine.item.key)


SITUATIONS: dict[str, Callable[[Bench, Claim[Job]], None]] = {
    "given back": _released,
    "postponed": _postponed,
    "postponed, due again": _postponed_and_due,
    "done": _finished,
    "mine": _held,
    "mine, lease over": _expired,
    "another's": _taken_over,
    "another's, lease over": _taken_over_and_expired,
    "deleted": _deleted,
}

VERBS: dict[str, Callable[[Bench, Claim[Job], Job], Any]] = {
    "claim": lambda at, _mine, job: Job.run.claim(at.store, job, owner="me again"),
    "renew": lambda at, mine, _job: Job.run.renew(at.store, mine),
    "finish": lambda at, mine, _job: Job.run.finish(at.store, mine),
    "release": lambda at, mine, _job: Job.run.release(at.store, mine),
    "release what is stuck": lambda at, _mine, job: Job.run.release(at.store, job),
    "postpone": lambda at, mine, _job: Job.run.postpone(
        at.store, mine, error="refused", until=at.clock.now() + HOUR
    ),
    "claim early": lambda at, _mine, job: Job.run.claim(
        at.store, job, owner="me again", is_early=True
    ),
}

LOST, MISSING, USAGE = LostRace, ItemMissing, UsageError

# With what I once claimed, and with the item as it is read now:
#   claim, renew, finish, release my claim; release the item, which anybody may who finds it stuck;
#   postpone my claim; claim it even where it is postponed.
OUTCOMES: dict[str, tuple[object, ...]] = {
    "given back": ("claimed", LOST, LOST, LOST, USAGE, LOST, "claimed"),
    "postponed": (LOST, LOST, LOST, LOST, USAGE, LOST, "claimed"),
    "postponed, due again": ("claimed", LOST, LOST, LOST, USAGE, LOST, "claimed"),
    "done": ("claimed", LOST, LOST, LOST, USAGE, LOST, "claimed"),
    "mine": (LOST, "renewed", "finished", "released", LOST, "postponed", LOST),
    "mine, lease over": (
        *("claimed", "renewed", "finished", "released", "released"),
        *("postponed", "claimed"),
    ),
    "another's": (LOST, LOST, LOST, LOST, LOST, LOST, LOST),
    "another's, lease over": ("claimed", LOST, LOST, LOST, "released", LOST, "claimed"),
    "deleted": (MISSING, MISSING, MISSING, MISSING, MISSING, MISSING, MISSING),
}

CASES = [
    pytest.param(situation, verb, outcome, id=f"{situation}: {verb}")
    for situation, outcomes in OUTCOMES.items()
    for verb, outcome in zip(VERBS, outcomes, strict=True)
]


def _expected(outcome: str, before: Position, at: Bench) -> Position:
    """Where the item has to stand afterwards, from where it stood before."""
    now = at.clock.now()
    nobody = replace(before, owner=None, lease_until=None, previous=None)
    if outcome == "renewed":
        return replace(before, lease_until=now + LEASE)
    if outcome == "finished":
        done = replace(nobody, sort_key=State.DONE.sort_key(now), attempts=0)
        return replace(done, last_error=None, not_before=None)
    if outcome == "postponed":
        back = replace(nobody, sort_key=before.previous)
        return replace(back, last_error="refused", not_before=now + HOUR)
    if outcome == "released":
        return replace(nobody, sort_key=before.previous)
    return replace(
        before,
        sort_key=State.PROGRESS.sort_key(now),
        owner=at.position().owner,
        lease_until=now + LEASE,
        fence=before.fence + 1,
        attempts=before.attempts + 1,
        previous=before.previous or before.sort_key,
    )


@pytest.mark.parametrize("first_time", [True, False], ids=["never done", "done before"])
@pytest.mark.parametrize(("situation", "verb", "outcome"), CASES)
def test_a_move_is_made_or_refused(
    at: Bench, situation: str, verb: str, outcome: Any, first_time: bool
) -> None:
    mine = Job.run.claim(at.store, at.job() if first_time else at.done(), owner="me")
    SITUATIONS[situation](at, mine)
    before = at.stored()
    job = at.read() if before else mine.item
    if not isinstance(outcome, str):
        with pytest.raises(outcome) as caught:
            VERBS[verb](at, mine, job)
        assert type(caught.value) is outcome
        assert at.stored() == before
        _tells_the_winner(caught.value, at)
        return
    where = at.position()
    VERBS[verb](at, mine, job)
    assert at.position() == _expected(outcome, where, at)


def _tells_the_winner(error: GotganError, at: Bench) -> None:
    if isinstance(error, LostRace):
        assert error.winner == at.position()
        assert error.current == at.read()
