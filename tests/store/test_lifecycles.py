"""Work in an index's sort key, on every driver: one conditional write for each move."""

from __future__ import annotations

from datetime import timedelta

import pytest

from gotgan.clock import FixedClock
from gotgan.errors import ConditionFailed, ItemMissing, LostRace
from gotgan.lifecycle import State
from gotgan.store import Store, append
from tests.store.conftest import NOON, MakeStore
from tests.store.errands import ERRANDS, Errand, errands
from tests.store.stored import scribble, stored


@pytest.fixture
def store(make_store: MakeStore, clock: FixedClock) -> Store:
    """Three errands in the north that nobody has done."""
    store = make_store(ERRANDS, clock=clock)
    store.put_new_all(errands(3))
    return store


def got(store: Store, id_: str = "e000") -> Errand:
    found = store.get(Errand.key(id=id_), consistent=True)
    assert found is not None
    return found


def test_an_errand_goes_its_way_through_the_index(store: Store, clock: FixedClock) -> None:
    assert len(store.query(Errand.work.never("north"))) == 3
    scribble(store, Errand.key(id="e000"), colour="red")
    claim = Errand.work.claim(store, got(store), owner="kim")
    item = stored(store, claim.item.key)
    assert item is not None
    assert (item["state"], item["BeganAt"]) == (
        "PROGRESS#2100-01-01T12:00:00Z",
        "2100-01-01T12:00:00Z",
    )
    [begun] = store.query(Errand.work.in_progress("north"))
    assert begun.key == claim.item.key
    clock.advance(timedelta(minutes=5))
    done = Errand.work.finish(store, claim, street="elm", done_by=append("kim"))
    assert (done.street, done.done_by, done.ended_at) == ("elm", ("kim",), clock.now())
    item = stored(store, claim.item.key)
    assert item is not None
    assert (item["state"], item["place_pk"]) == ("DONE#2100-01-01T12:05:00Z", "north#elm")
    assert item["colour"] == "red"
    assert [each.id for each in store.query(Errand.work.done("north", after=NOON))] == ["e000"]
    assert len(store.query(Errand.work.never("north"))) == 2


def test_of_two_who_read_the_same_one_wins_and_the_other_is_told_who(store: Store) -> None:
    mine, theirs = got(store), got(store)
    claim = Errand.work.claim(store, theirs, owner="lee")
    with pytest.raises(LostRace, match="lee") as caught:
        Errand.work.claim(store, mine, owner="kim")
    assert caught.value.winner == claim.position
    assert caught.value.current == claim.item


def test_a_claim_past_its_lease_is_stuck_and_taken_over_for_good(
    store: Store, clock: FixedClock
) -> None:
    stale = Errand.work.claim(store, got(store), owner="dead")
    clock.advance(timedelta(minutes=9, seconds=59))
    assert Errand.work.stuck(store, "north") == []
    with pytest.raises(LostRace):
        Errand.work.claim(store, got(store))
    clock.advance(timedelta(seconds=2))
    [stuck] = Errand.work.stuck(store, "north")
    taken = Errand.work.claim(store, stuck, owner="kim")
    assert taken.fence == stale.fence + 1
    for move in (Errand.work.finish, Errand.work.renew, Errand.work.release):
        with pytest.raises(LostRace, match="kim"):
            move(store, stale)
    Errand.work.finish(store, taken)
    assert Errand.work.position(got(store)).state is State.DONE


def test_work_that_is_given_back_stands_where_it_stood(store: Store, clock: FixedClock) -> None:
    Errand.work.finish(store, Errand.work.claim(store, got(store)))
    clock.advance(timedelta(hours=1))
    claim = Errand.work.claim(store, got(store))
    Errand.work.release(store, claim)
    position = Errand.work.position(got(store))
    assert (position.sort_key, position.attempts) == ("DONE#2100-01-01T12:00:00Z", 1)


def test_a_put_does_not_run_over_a_claim(store: Store) -> None:
    stale = got(store)
    claim = Errand.work.claim(store, got(store))
    with pytest.raises(ConditionFailed) as caught:
        store.put(stale.model_copy(update={"street": "elm"}))
    assert caught.value.current == claim.item
    with pytest.raises(ConditionFailed):
        store.put(Errand(id="e000"))
    store.put(claim.item.model_copy(update={"street": "elm"}))
    assert Errand.work.position(got(store)) == claim.position
    assert store.update(stale, done_by=("lee",)).item.done_by == ("lee",)
    assert Errand.work.finish(store, claim).street == "elm"


def test_what_was_deleted_cannot_be_finished(store: Store) -> None:
    claim = Errand.work.claim(store, got(store))
    store.delete(claim.item.key)
    with pytest.raises(ItemMissing):
        Errand.work.finish(store, claim)
    assert stored(store, claim.item.key) is None
