"""Claims while they are held: renewed, finished late, given back, and left alone by the rest."""

from __future__ import annotations

import pytest

from gotgan.errors import ConditionFailed, LostRace, NotRead, UsageError
from gotgan.lifecycle import Claim, Lifecycle, Position
from gotgan.store import Entity, Id, IndexKey, Key, Table, Timestamp, increment
from tests.unit.lifecycle.jobs import BEGIN, HOUR, SECOND, Bench, Job

LEASE = 2 * HOUR


def test_renewing_moves_the_lease_and_nothing_else(at: Bench) -> None:
    claim = Job.run.claim(at.store, at.job())
    before = at.stored()
    at.clock.advance(HOUR)
    renewed = Job.run.renew(at.store, claim)
    assert at.stored() == {**before, "run_lease_until": {"S": "2026-01-15T13:00:00Z"}}
    assert renewed.position == at.position()


def test_a_claim_whose_lease_is_over_can_be_renewed_while_nobody_took_it(at: Bench) -> None:
    claim = Job.run.claim(at.store, at.job())
    at.clock.advance(3 * HOUR)
    assert Job.run.renew(at.store, claim, lease=HOUR).position.lease_until == BEGIN + 4 * HOUR


def test_the_claim_that_was_won_stays_good_while_another_thread_renews_it(at: Bench) -> None:
    claim = Job.run.claim(at.store, at.job())
    for _ in range(3):
        at.clock.advance(HOUR)
        Job.run.renew(at.store, claim)
    assert Job.run.finish(at.store, claim).ended == BEGIN + 3 * HOUR


def test_what_took_longer_than_its_lease_can_be_finished_while_nobody_took_it(at: Bench) -> None:
    claim = Job.run.claim(at.store, at.job())
    at.clock.advance(3 * HOUR)
    Job.run.finish(at.store, claim)
    assert at.position() == Position("DONE#2026-01-15T13:00:00Z", fence=1)


def test_a_finished_item_keeps_its_fence_and_nothing_else_of_the_claim(at: Bench) -> None:
    Job.run.finish(at.store, Job.run.claim(at.store, at.job()))
    kept = {name: value for name, value in at.stored().items() if name.startswith("run_")}
    assert kept == {
        "run_pk": {"S": "q"},
        "run_sk": {"S": "DONE#2026-01-15T10:00:00Z"},
        "run_fence": {"N": "1"},
    }


def test_a_claim_cannot_be_given_back_twice(at: Bench) -> None:
    claim = Job.run.claim(at.store, at.job())
    Job.run.release(at.store, claim)
    with pytest.raises(LostRace, match="state is now NEVER"):
        Job.run.release(at.store, claim)
    assert at.position() == Position("NEVER#", fence=1, attempts=1)


def test_nobody_gives_back_what_another_is_working_on(at: Bench) -> None:
    Job.run.claim(at.store, at.job(), owner="w1")
    with pytest.raises(LostRace, match="w1/"):
        Job.run.release(at.store, at.read())


def test_a_stuck_item_that_was_taken_over_meanwhile_is_not_given_back(at: Bench) -> None:
    Job.run.claim(at.store, at.job(), owner="w1")
    at.clock.advance(LEASE)
    [stuck] = Job.run.stuck(at.store, "q")
    Job.run.claim(at.store, stuck, owner="w2", lease=SECOND)
    at.clock.advance(SECOND)
    with pytest.raises(LostRace, match="w2/"):
        Job.run.release(at.store, stuck)


def test_what_nobody_claimed_cannot_be_given_back_or_finished(at: Bench) -> None:
    job = at.job()
    with pytest.raises(UsageError, match="no worker has a claim on Job JOB#j1; claim it first"):
        Job.run.release(at.store, job)
    with pytest.raises(UsageError, match="no worker has a claim"):
        Job.run.finish(at.store, Claim(job, Job.run.position(job)))


def test_fields_that_are_finished_with_take_their_indexes_and_derived_values_along(
    at: Bench,
) -> None:
    claim = Job.run.claim(at.store, at.job())
    done = Job.run.finish(at.store, claim, queue="r", title="renamed", runs=increment())
    assert (done.queue, done.title, done.runs, done.ended) == ("r", "renamed", 1, BEGIN)
    item = at.stored()
    keys = {name: item[name]["S"] for name in ("run_pk", "check_pk", "end_pk", "end_sk")}
    assert keys == {
        "run_pk": "r",
        "check_pk": "r",
        "end_pk": "r",
        "end_sk": "2026-01-15T10:00:00Z",
    }
    assert item["headline"] == {"S": "renamed, 2026-01-15T10:00:00+00:00"}


def test_the_time_of_finishing_alone_takes_what_follows_from_it_along(at: Bench) -> None:
    Job.run.finish(at.store, Job.run.claim(at.store, at.job()))
    [latest] = at.store.query(Job.ended_last.query(queue="q"))
    assert latest.title == "a job"
    assert at.stored()["headline"] == {"S": "a job, 2026-01-15T10:00:00+00:00"}


def test_the_time_that_the_lifecycle_notes_is_not_given_from_outside(at: Bench) -> None:
    claim = Job.run.claim(at.store, at.job())
    with pytest.raises(UsageError, match="ended is written by run itself; leave it out"):
        Job.run.finish(at.store, claim, ended=None)


def test_a_worker_is_told_that_a_field_was_changed_and_that_its_claim_holds(at: Bench) -> None:
    claim = Job.run.claim(at.store, at.job())
    at.store.update(at.read(), title="somebody else's")
    with pytest.raises(ConditionFailed, match="the claim is still valid") as refused:
        Job.run.finish(at.store, claim, queue="r")
    assert not isinstance(refused.value, LostRace)
    assert refused.value.current == at.read()
    renewed = Job.run.renew(at.store, claim)
    assert Job.run.finish(at.store, renewed, queue="r").headline.startswith("somebody else's, ")


def test_attributes_that_nobody_declared_survive_every_move(at: Bench) -> None:
    at.job()
    at.write(colour={"S": "red"})
    claim = Job.run.renew(at.store, Job.run.claim(at.store, at.read()))
    job = Job.run.release(at.store, claim)
    Job.run.finish(at.store, Job.run.claim(at.store, job), title="done")
    assert at.stored()["colour"] == {"S": "red"}


def test_moves_are_no_edits_and_leave_the_version_alone(at: Bench) -> None:
    """Whoever edits an item is not refused because a worker came by."""
    edited = at.job()
    claim = Job.check.renew(at.store, Job.check.claim(at.store, edited))
    Job.check.release(at.store, claim)
    Job.run.finish(at.store, Job.run.claim(at.store, at.read()))
    assert at.read().version == 1


def test_fields_that_are_finished_with_are_an_edit_and_count(at: Bench) -> None:
    edited = at.job()
    claim = Job.run.claim(at.store, edited)
    assert at.store.update(edited, runs=7).item.version == 2
    assert Job.run.finish(at.store, claim, title="done").version == 3
    assert at.read().runs == 7


def test_an_item_that_leaves_the_index_while_claimed_can_be_finished(at: Bench) -> None:
    claim = Job.run.claim(at.store, at.job())
    at.store.update(at.read(), queue=None)
    assert Job.run.stuck(at.ahead(LEASE), "q") == []
    Job.run.finish(at.store, Job.run.renew(at.store, claim))
    assert at.position() == Position("DONE#2026-01-15T10:00:00Z", fence=1)
    assert "run_pk" not in at.stored()
    at.store.update(at.read(), queue="q")
    assert len(at.store.query(Job.run.done("q"))) == 1


def test_an_item_that_moves_to_another_partition_while_claimed_is_stuck_there(at: Bench) -> None:
    Job.run.claim(at.store, at.job())
    at.store.update(at.read(), queue="r")
    at.clock.advance(LEASE)
    assert (Job.run.stuck(at.store, "q"), Job.run.stuck(at.store, "r")) == ([], [at.read()])


def test_two_lifecycles_of_one_item_do_not_disturb_each_other(at: Bench) -> None:
    copy = at.job()
    run, check = Job.run.claim(at.store, copy), Job.check.claim(at.store, copy)
    at.clock.advance(SECOND)
    Job.check.renew(at.store, check)
    done = Job.run.finish(at.store, run, title="run", queue="r")
    assert Job.check.position(done).owner == check.owner
    assert Job.run.position(Job.check.finish(at.store, check, runs=increment())) == at.position()
    job = at.read()
    assert (job.title, job.queue, job.runs) == ("run", "r", 1)
    assert Job.run.position(job).sort_key == Job.check.position(job).sort_key


def test_a_claim_in_one_lifecycle_is_none_in_another(at: Bench) -> None:
    """Not even where both were made in the same second, and each is the first of its kind."""
    run = Job.run.claim(at.store, at.job(), owner="w1")
    check = Job.check.claim(at.store, run.item, owner="w1")
    assert run.position.sort_key == check.position.sort_key
    with pytest.raises(LostRace):
        Job.check.finish(at.store, run)


DRAFTS = Table("drafts", pk="pk")
BY_START = DRAFTS.index("by_start", pk="start_pk", sk="start_sk")
NARROW = DRAFTS.index("narrow", pk="narrow_pk", sk="narrow_sk", project=("began",))


class Draft(Entity, table=DRAFTS):
    """An entity that is sorted by when it was begun, and by whom it is read."""

    key = Key("DRAFT#{id}")
    write = Lifecycle(NARROW, "{desk}", started="began")
    begun = IndexKey(BY_START, "{author}", "{began}")

    id: Id
    desk: Id
    author: Id
    began: Timestamp | None = None


def test_an_index_key_that_follows_from_the_start_is_moved_by_the_claim(at: Bench) -> None:
    at.store.create(DRAFTS)
    draft = at.store.put_new(Draft(id="d", desk="x", author="a")).item
    Draft.write.claim(at.store, draft)
    [begun] = at.store.query(Draft.begun.query(author="a"))
    assert begun.began == BEGIN


def test_a_claim_that_cannot_know_such_an_index_key_asks_for_the_whole_item(at: Bench) -> None:
    at.store.create(DRAFTS)
    at.store.put_new(Draft(id="d", desk="x", author="a"))
    [copy] = at.store.query(Draft.write.never("x"))
    with pytest.raises(NotRead, match="begun follows from author, which was not read"):
        Draft.write.claim(at.store, copy)


def test_a_claim_computed_from_an_author_who_changed_is_told_to_read_again(at: Bench) -> None:
    at.store.create(DRAFTS)
    draft = at.store.put(Draft(id="d", desk="x", author="a")).item
    at.store.update(draft, author="b")
    with pytest.raises(ConditionFailed, match="Reload it and claim it again") as refused:
        Draft.write.claim(at.store, draft)
    assert not isinstance(refused.value, LostRace)
    assert Draft.write.claim(at.store, refused.value.current).item.author == "b"
