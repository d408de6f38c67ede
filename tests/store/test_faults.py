"""Throttled, timed out, cut off, answered by half: what is reported is what happened."""

from __future__ import annotations

import random
from datetime import timedelta

import pytest

from gotgan.errors import (
    GotganError,
    LostRace,
    OutcomeUnknown,
    StoreError,
    StoreUnreachable,
    VersionConflict,
)
from gotgan.lifecycle import Claim, State
from gotgan.store import Store, append, increment, writes
from tests.faults.mishaps import Mishap, closed_after, closed_before, fails, partial, throttles
from tests.store.errands import Errand
from tests.store.faulty import LOST, LOST_AT_ONCE, Trouble, endpoint, in_trouble
from tests.store.library import CLIPS, LIBRARY, Account, Book, Clip, Shelf, book, books
from tests.store.stored import everything

__all__ = ["endpoint", "in_trouble"]


def _name(mishap: Mishap) -> str:
    return mishap.name


lost_answers = pytest.mark.parametrize("mishap", LOST, ids=_name)
lost_at_once = pytest.mark.parametrize("mishap", LOST_AT_ONCE, ids=_name)


def storm(seed: int, count: int, *operations: str) -> list[Mishap]:
    """Mishaps of every kind, in an order of chance."""
    chance = random.Random(seed)
    kinds = [throttles(), fails(500), fails(503, carried_out=True), closed_before(), closed_after()]
    return [chance.choice(kinds).of(chance.choice(operations)) for _ in range(count)]


def titles(store: Store) -> dict[str, str]:
    return {each.id: each.title for each in store.scan(Book)}


def got(store: Store, id_: str = "e1") -> Errand:
    found = store.get(Errand.key(id=id_), consistent=True)
    assert found is not None
    return found


# put_new_all


@lost_answers
def test_a_put_whose_answer_was_lost_is_new(in_trouble: Trouble, mishap: Mishap) -> None:
    in_trouble.plan(*[mishap.of("PutItem")] * 2)
    given = [Clip(url=url, title="first", price=1e16) for url in ("one", "two", "three")]
    report = in_trouble.store().put_new_all(given)
    assert sorted(each.url for each in report.new) == ["one", "three", "two"]
    assert (report.duplicates, report.failed) == ([], [])
    assert len(everything(in_trouble.truth, CLIPS)) == 3


@lost_at_once
def test_a_duplicate_stays_one_when_its_answer_is_lost(in_trouble: Trouble, mishap: Mishap) -> None:
    in_trouble.truth.put_new(book(1, title="First"))
    in_trouble.plan(mishap.of("PutItem"))
    result = in_trouble.store().put_new(book(1, title="Second"))
    assert not result.new
    assert result.item.title == "First"


@pytest.mark.parametrize("seed", range(2))
@pytest.mark.parametrize("probe", [True, False])
def test_in_a_storm_every_item_is_there_once_with_its_first_values(
    in_trouble: Trouble, seed: int, probe: bool
) -> None:
    in_trouble.truth.put_new_all([book(n, title="Old") for n in range(0, 120, 3)])
    in_trouble.plan(*storm(seed, 60, "PutItem", "BatchGetItem"))
    in_trouble.plan(partial(7).of("BatchGetItem"), partial(0).of("BatchGetItem"))
    given = [book(n, title=f"New {n}") for n in range(120)]
    report = in_trouble.store(attempts=80).put_new_all(given, probe=probe)
    assert report.failed == []
    assert sorted(each.id for each in report.duplicates) == [book(n).id for n in range(0, 120, 3)]
    assert titles(in_trouble.truth) == {
        book(n).id: f"New {n}" if n % 3 else "Old" for n in range(120)
    }
    assert {each.id for each in report.new} == {book(n).id for n in range(120) if n % 3}


@pytest.mark.parametrize("seed", range(2))
def test_what_was_given_up_is_told_and_the_next_run_does_the_rest(
    in_trouble: Trouble, seed: int
) -> None:
    in_trouble.plan(*storm(seed, 90, "PutItem"))
    given = [book(n, title=f"New {n}") for n in range(60)]
    store = in_trouble.store(attempts=2)
    first = store.put_new_all(given, probe=False)
    assert first.failed
    assert first.given == 60
    there = titles(in_trouble.truth)
    assert {each.id for each in first.new} <= there.keys()
    unsure = {each.item.id for each in first.failed if _maybe_done(each.error)}
    assert there.keys() - {each.id for each in first.new} <= unsure
    assert in_trouble.truth.put_new_all(given).failed == []
    assert titles(in_trouble.truth) == {each.id: each.title for each in given}


def _maybe_done(error: GotganError) -> bool:
    return isinstance(error, StoreError) and error.maybe_done


# Batches


def test_what_the_database_never_gets_to_is_unread(in_trouble: Trouble) -> None:
    in_trouble.truth.put_all(books(30))
    in_trouble.plan(partial(20).of("BatchGetItem"), *[partial(0).of("BatchGetItem")] * 9)
    found = in_trouble.store(attempts=5).get_all([each.key for each in books(40)])
    assert list(found) == books(20)
    assert found.unread == tuple(each.key for each in books(40)[20:])
    assert found.missing == ()


def test_what_the_database_gets_to_late_is_read(in_trouble: Trouble) -> None:
    in_trouble.truth.put_all(books(30))
    parts = [partial(1), throttles(), partial(0), partial(5), closed_after()]
    in_trouble.plan(*[part.of("BatchGetItem") for part in parts])
    found = in_trouble.store().get_all([each.key for each in books(31)])
    assert (list(found), found.missing) == (books(30), (book(30).key,))


def test_a_page_is_not_shown_with_holes(in_trouble: Trouble) -> None:
    in_trouble.truth.put_all(books(5, language="ko"))
    in_trouble.plan(partial(2).of("BatchGetItem"), *[partial(0).of("BatchGetItem")] * 9)
    store = in_trouble.store(attempts=3)
    with pytest.raises(StoreUnreachable, match="3 of 5"):
        store.query(Book.by_language.query(language="ko").whole())
    in_trouble.quiet()
    assert len(store.query(Book.by_language.query(language="ko").whole())) == 5


def test_a_batch_of_puts_says_what_it_did_not_do(in_trouble: Trouble) -> None:
    in_trouble.plan(partial(5).of("BatchWriteItem"), *[partial(0).of("BatchWriteItem")] * 9)
    done = in_trouble.store(attempts=3).put_all(books(20))
    assert done.done == 5
    assert [each.target for each in done.undone] == [each.key for each in books(20)[5:]]
    assert sorted(titles(in_trouble.truth)) == [each.id for each in books(5)]


def test_a_batch_of_puts_ends_when_everything_is_done(in_trouble: Trouble) -> None:
    parts = [partial(3), throttles(), partial(0), closed_after(), fails(500), partial(9)]
    in_trouble.plan(*[part.of("BatchWriteItem") for part in parts])
    assert in_trouble.store().put_all(books(40)).done == 40
    assert len(everything(in_trouble.truth, LIBRARY)) == 40
    in_trouble.plan(*[part.of("BatchWriteItem") for part in parts])
    assert in_trouble.store().delete_all([each.key for each in books(40)]).done == 40
    assert everything(in_trouble.truth, LIBRARY) == []


def test_a_batch_that_is_refused_is_undone_and_the_others_are_done(in_trouble: Trouble) -> None:
    in_trouble.plan(*[throttles().of("BatchWriteItem")] * 2)
    done = in_trouble.store(attempts=1).put_all(books(75))
    assert (done.done, len(done.undone)) == (25, 50)
    assert all(each.error.retry for each in done.undone)
    undone = {each.target for each in done.undone}
    there = titles(in_trouble.truth).keys()
    assert there == {each.id for each in books(75) if each.key not in undone}


# What must not be done twice


@lost_answers
def test_an_increment_is_not_doubled(in_trouble: Trouble, mishap: Mishap) -> None:
    in_trouble.truth.put_new(book(1))
    in_trouble.plan(mishap.of("UpdateItem"))
    with pytest.raises(OutcomeUnknown, match="before you repeat it"):
        in_trouble.store().patch(book(1).key, lent=increment(), notes=append("once"))
    found = in_trouble.truth.get(book(1).key)
    assert found is not None
    assert (found.lent, found.notes) == (1, ("once",))
    assert in_trouble.calls("UpdateItem") == 1


def test_an_increment_that_was_surely_not_done_is_tried_again(in_trouble: Trouble) -> None:
    in_trouble.truth.put_new(book(1))
    in_trouble.plan(throttles(), throttles())
    assert in_trouble.store().patch(book(1).key, lent=increment()).item.lent == 1


@lost_at_once
def test_a_transaction_is_done_once(in_trouble: Trouble, mishap: Mishap) -> None:
    in_trouble.truth.put_new(book(1))
    in_trouble.plan(mishap, mishap)
    shelf = writes.put_new(Shelf(id="s1"))
    in_trouble.store().transact([writes.patch(book(1).key, lent=increment()), shelf])
    found = in_trouble.truth.get(book(1).key)
    assert found is not None
    assert found.lent == 1
    assert in_trouble.truth.get(Shelf.key(id="s1")) is not None


@lost_at_once
def test_an_update_whose_answer_was_lost_is_no_conflict_with_itself(
    in_trouble: Trouble, mishap: Mishap
) -> None:
    in_trouble.truth.put_new(Account(id="a1", owner="kim"))
    store = in_trouble.store()
    read = store.get(Account.key(id="a1"))
    assert read is not None
    in_trouble.plan(mishap)
    assert store.update(read, owed=5).item == Account(id="a1", owner="kim", owed=5, version=2)
    in_trouble.plan(mishap)
    with pytest.raises(VersionConflict):
        store.update(read, owed=6)


@lost_at_once
def test_a_delete_whose_answer_was_lost_is_no_conflict_with_itself(
    in_trouble: Trouble, mishap: Mishap
) -> None:
    in_trouble.truth.put_new(Account(id="a1", owner="kim"))
    store = in_trouble.store()
    read = store.get(Account.key(id="a1"))
    assert read is not None
    in_trouble.plan(mishap)
    store.delete(read)
    assert in_trouble.truth.get(read.key) is None


# Claims


@lost_answers
def test_who_won_a_claim_and_did_not_hear_it_knows_it_all_the_same(
    in_trouble: Trouble, mishap: Mishap
) -> None:
    in_trouble.truth.put_new(Errand(id="e1"))
    mine, other = in_trouble.store(), in_trouble.store()
    read, theirs = got(mine), got(other)
    in_trouble.plan(mishap.of("UpdateItem"), mishap.of("UpdateItem"))
    claim = Errand.work.claim(mine, read, owner="mine")
    assert claim.fence == 1
    with pytest.raises(LostRace) as caught:
        Errand.work.claim(other, theirs, owner="other")
    assert caught.value.winner.owner == claim.owner
    _finish(in_trouble, mine, claim, mishap)


def _finish(trouble: Trouble, store: Store, claim: Claim[Errand], mishap: Mishap) -> None:
    trouble.plan(mishap.of("UpdateItem"))
    renewed = Errand.work.renew(store, claim, lease=timedelta(hours=1))
    trouble.plan(mishap.of("UpdateItem"))
    done = Errand.work.finish(store, renewed, done_by=("mine",))
    assert done.done_by == ("mine",)
    position = Errand.work.position(got(trouble.truth))
    assert (position.state, position.fence) == (State.DONE, 1)


@lost_at_once
def test_work_that_was_given_back_unheard_is_given_back_once(
    in_trouble: Trouble, mishap: Mishap
) -> None:
    in_trouble.truth.put_new(Errand(id="e1"))
    store = in_trouble.store()
    claim = Errand.work.claim(store, got(store))
    in_trouble.plan(mishap.of("UpdateItem"))
    Errand.work.release(store, claim)
    position = Errand.work.position(got(in_trouble.truth))
    assert (position.state, position.owner, position.attempts) == (State.NEVER, None, 1)


# Reads


def test_reads_go_through_a_storm_without_losing_anything(in_trouble: Trouble) -> None:
    in_trouble.truth.put_all(books(50, genre="myth"))
    in_trouble.plan(*storm(1, 40, "Query", "Scan", "GetItem"))
    store = in_trouble.store(attempts=50)
    assert store.get(book(1).key) == book(1, genre="myth")
    assert len(list(store.iterate(Book.by_genre.query(genre="myth"), at_most=None))) == 50
    assert store.count(Book.key.query(shelf_id="s1")).items == 50
    assert len(list(store.scan(Book, segments=4))) == 50


def test_a_scan_that_cannot_go_on_says_so(in_trouble: Trouble) -> None:
    in_trouble.truth.put_all(books(5))
    in_trouble.plan(*[throttles()] * 20)
    with pytest.raises(StoreError) as caught:
        list(in_trouble.store(attempts=2).scan(Book, segments=3))
    assert caught.value.retry
