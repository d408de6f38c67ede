"""Moves whose answer was lost on the way: each is made once, and known to be made."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from datetime import timedelta
from pathlib import Path
from typing import Any

import pytest

from gotgan.errors import LostRace, StoreError
from gotgan.lifecycle import Claim
from gotgan.retry import Policy
from gotgan.settings import Secret
from gotgan.store import Store, increment
from gotgan.store.drivers.aws import Aws
from gotgan.store.drivers.retries import RetryingDriver
from tests.faults.endpoint import Endpoint, faulty
from tests.faults.mishaps import closed_after, closed_before
from tests.unit.lifecycle.jobs import HOUR, Bench, Job
from tests.unit.store.drivers.aws_environment import forget_aws

LEASE = 2 * HOUR


@dataclass
class Line:
    """A worker far away: its store, the line that loses answers, and what happens meanwhile."""

    store: Store
    endpoint: Endpoint
    meanwhile: list[Callable[[], Any]]
    """What others do between two attempts."""

    def lose_the_answer(self, *meanwhile: Callable[[], Any]) -> None:
        """The next write is carried out; its answer is lost; then others do this."""
        self.endpoint.plan(closed_after().of("UpdateItem"))
        self.meanwhile += meanwhile

    def lose_the_call(self, *meanwhile: Callable[[], Any]) -> None:
        """The next write is lost on its way there; then others do this."""
        self.endpoint.plan(closed_before().of("UpdateItem"))
        self.meanwhile += meanwhile


@pytest.fixture
def line(at: Bench, monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> Iterator[Line]:
    forget_aws(monkeypatch, tmp_path)
    meanwhile: list[Callable[[], Any]] = []

    def pause(_seconds: float) -> None:
        while meanwhile:
            meanwhile.pop(0)()

    with faulty(at.engine) as endpoint:
        driver = RetryingDriver(Aws(endpoint.url), Policy(attempts=3), sleep=pause)
        with Store(driver, secret=Secret("s" * 32), clock=at.clock) as store:
            yield Line(store, endpoint, meanwhile)
        assert endpoint.left == []


def test_a_claim_whose_answer_was_lost_is_known_as_our_own(at: Bench, line: Line) -> None:
    job = at.job()
    line.lose_the_answer()
    claim = Job.run.claim(line.store, job, owner="me")
    assert (claim.position, claim.fence) == (at.position(), 1)
    Job.run.finish(line.store, claim)


def test_a_claim_of_the_same_name_and_second_is_not_taken_for_our_own(
    at: Bench, line: Line
) -> None:
    job = at.job()
    line.lose_the_call(lambda: Job.run.claim(at.store, job, owner="me"))
    with pytest.raises(LostRace):
        Job.run.claim(line.store, job, owner="me")


def test_a_claim_is_known_as_our_own_although_others_changed_the_item(
    at: Bench, line: Line
) -> None:
    job = at.job()
    line.lose_the_answer(lambda: at.store.update(at.read(), began=at.clock.now() + HOUR))
    assert Job.run.claim(line.store, job).position == at.position()


def test_a_take_over_whose_answer_was_lost_counts_once(at: Bench, line: Line) -> None:
    Job.run.claim(at.store, at.job())
    at.clock.advance(LEASE)
    line.lose_the_answer()
    assert Job.run.claim(line.store, at.read()).fence == at.position().fence == 2


def test_a_renewal_whose_answer_was_lost_is_made_again(at: Bench, line: Line) -> None:
    claim = Job.run.claim(line.store, at.job())
    at.clock.advance(HOUR)
    line.lose_the_answer()
    renewed = Job.run.renew(line.store, claim)
    assert renewed.position.lease_until == at.clock.now() + LEASE


def test_a_finish_whose_answer_was_lost_is_known_and_counted_once(at: Bench, line: Line) -> None:
    claim = Job.run.claim(line.store, at.job())
    line.lose_the_answer()
    done = Job.run.finish(line.store, claim, runs=increment(), title="done")
    assert (done.runs, done.version) == (at.read().runs, at.read().version) == (1, 2)


def test_a_finish_is_known_as_our_own_although_others_changed_the_item(
    at: Bench, line: Line
) -> None:
    claim = Job.run.claim(line.store, at.job())
    line.lose_the_answer(lambda: at.store.update(at.read(), title="theirs"))
    assert Job.run.finish(line.store, claim, title="ours").title == "theirs"


def test_a_finish_that_never_came_to_pass_is_not_taken_for_that_of_another(
    at: Bench, line: Line
) -> None:
    """Although it was finished in the same second, and looks the same but for the fence."""
    claim = Job.run.claim(line.store, at.job())
    at.clock.advance(LEASE)

    def take_over_and_finish() -> None:
        Job.run.finish(at.store, Job.run.claim(at.store, at.read()), title="done")

    line.lose_the_call(take_over_and_finish)
    with pytest.raises(LostRace, match="state is now DONE"):
        Job.run.finish(line.store, claim, title="done")


def test_a_finish_that_never_came_to_pass_is_not_taken_for_a_release(at: Bench, line: Line) -> None:
    """Although the item goes back to a moment that is the very one of finishing."""
    at.done()
    claim = Job.run.claim(line.store, at.read(), lease=timedelta(seconds=1))

    def give_back() -> None:
        at.clock.advance(timedelta(seconds=1))
        Job.run.release(at.store, at.read())

    line.lose_the_call(give_back)
    with pytest.raises(LostRace, match="state is now DONE"):
        Job.run.finish(line.store, claim)


def test_a_release_whose_answer_was_lost_is_known(at: Bench, line: Line) -> None:
    claim = Job.run.claim(line.store, at.job())
    line.lose_the_answer()
    assert Job.run.release(line.store, claim) == at.read()
    assert at.position().sort_key == "NEVER#"


@pytest.mark.parametrize("move", [Job.run.finish, Job.run.release], ids=["finish", "release"])
def test_a_worker_who_lost_the_answer_and_then_the_item_is_told_that_it_may_be_done(
    at: Bench, line: Line, move: Callable[[Store, Claim[Job]], Job]
) -> None:
    claim = Job.run.claim(line.store, at.job())
    line.lose_the_answer(lambda: Job.run.claim(at.store, at.read(), owner="next"))
    with pytest.raises(LostRace, match="next/") as lost:
        move(line.store, claim)
    assert lost.value.maybe_done


def test_a_race_that_was_simply_lost_was_surely_not_done(at: Bench) -> None:
    job = at.job()
    Job.run.claim(at.store, job)
    with pytest.raises(LostRace) as lost:
        Job.run.claim(at.store, job)
    assert not lost.value.maybe_done


def test_a_claim_that_nobody_knows_of_is_stuck_when_its_lease_is_over(
    at: Bench, line: Line
) -> None:
    """The line stays dead: the claim was won, and the worker cannot know it."""
    job = at.job()
    line.lose_the_answer()
    line.lose_the_call()
    line.lose_the_call()
    with pytest.raises(StoreError) as failed:
        Job.run.claim(line.store, job)
    assert failed.value.maybe_done
    at.clock.advance(LEASE)
    assert Job.run.stuck(at.store, "q") == [at.read()]
