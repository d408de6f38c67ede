"""Put-if-absent in bulk: what is new is written, and the report is true of every item."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from gotgan.errors import BadItem, BadKeyPart, KeyCollision, UsageError
from gotgan.store import Entity, PutNewReport, Store
from tests.store.conftest import MakeStore
from tests.store.deviations import Feature, Where
from tests.store.library import CLIPS, LIBRARY, Account, Book, Clip, Entry, Shelf, book, books
from tests.store.stored import everything, scribble, stored

PROBING = pytest.mark.parametrize("probe", [None, True, False])


def heads(report: PutNewReport[Book]) -> tuple[list[str], list[str], list[str]]:
    """The titles under each head."""
    failed = [each.item for each in report.failed]
    new, duplicates, lost = (
        [each.title for each in group] for group in (report.new, report.duplicates, failed)
    )
    return new, duplicates, lost


@PROBING
def test_what_is_new_is_written_and_the_rest_is_left(store: Store, probe: bool | None) -> None:
    store.put_new_all([book(n, title=f"First {n}") for n in (1, 3)])
    report = store.put_new_all([book(n, title=f"Second {n}") for n in range(5)], probe=probe)
    assert heads(report) == (
        ["Second 0", "Second 2", "Second 4"],
        ["Second 1", "Second 3"],
        [],
    )
    assert report.given == 5
    titles = [each.title for each in store.query(Book.key.query(shelf_id="s1"))]
    assert titles == ["Second 0", "First 1", "Second 2", "First 3", "Second 4"]


@PROBING
def test_of_two_with_one_key_the_first_is_written(store: Store, probe: bool | None) -> None:
    again = book(1, title="a")
    given = [again, book(1, title="b"), book(2, title="c"), again, book(1, title="d")]
    report = store.put_new_all(given, probe=probe)
    assert heads(report) == (["a", "c"], ["b", "a", "d"], [])
    assert [each.title for each in store.query(Book.key.query(shelf_id="s1"))] == ["a", "c"]


def test_many_items_are_all_there_afterwards(store: Store, where: Where) -> None:
    report = store.put_new_all(book(n, lent=n) for n in range(where.many))
    assert (len(report.new), report.given) == (where.many, where.many)
    assert len(everything(store, LIBRARY)) == where.many
    again = store.put_new_all(book(n, lent=-1) for n in range(where.many + 1))
    assert (len(again.new), len(again.duplicates), again.given) == (
        1,
        where.many,
        where.many + 1,
    )
    found = store.get_all([book(0).key, book(where.many - 1).key])
    assert [each.lent for each in found] == [0, where.many - 1]


def test_nothing_given_is_nothing_done(store: Store) -> None:
    nothing: list[Book] = []
    report = store.put_new_all(nothing)
    assert report.given == 0
    assert str(report).startswith("in 0 · new 0 · duplicate 0 · failed 0")
    assert store.total().writes == 0


def test_kinds_can_be_mixed_even_over_tables(make_store: MakeStore) -> None:
    store = make_store(LIBRARY, CLIPS)
    given: list[Entity] = [book(1), Shelf(id="s1"), Clip(url="one"), Account(id="a", owner="kim")]
    assert store.put_new_all(given).new == given
    assert store.put_new_all(given).duplicates == given


def test_input_may_come_one_by_one(store: Store) -> None:
    def arriving() -> Iterator[Book]:
        yield book(1)
        yield book(2)
        yield book(1)

    report = store.put_new_all(arriving())
    assert (len(report.new), len(report.duplicates)) == (2, 1)


@PROBING
def test_what_cannot_be_written_is_told_and_the_rest_is_done(
    store: Store, probe: bool | None
) -> None:
    given: list[Book | Entry] = list(books(30))
    bad_key, bad_index_key = Entry(log="l", day="a#b", number=1), book(99, genre="g", rating=1234)
    given[10:10] = [bad_key, bad_index_key]
    report = store.put_new_all(given, probe=probe)
    assert report.new == books(30)
    assert [each.item for each in report.failed] == [bad_key, bad_index_key]
    assert all(isinstance(each.error, BadKeyPart) for each in report.failed)
    assert len(everything(store, LIBRARY)) == 30


@PROBING
def test_a_value_that_cannot_be_stored_stops_nothing(
    make_store: MakeStore, probe: bool | None
) -> None:
    store = make_store(CLIPS)
    given = [Clip(url="one"), Clip(url="two", price=float("inf")), Clip(url="three", price=1.5)]
    report = store.put_new_all(given, probe=probe)
    assert report.new == [given[0], given[2]]
    assert [type(each.error) for each in report.failed] == [UsageError]


@PROBING
def test_a_collision_is_a_failure_and_not_a_duplicate(
    make_store: MakeStore, probe: bool | None
) -> None:
    store = make_store(CLIPS)
    store.put_new(Clip(url="one", title="kept"))
    given = [Clip(url="eno"), Clip(url="one"), Clip(url="two"), Clip(url="owt"), Clip(url="two")]
    report = store.put_new_all(given, probe=probe)
    assert report.new == [Clip(url="two")]
    assert sorted(each.url for each in report.duplicates) == ["one", "two"]
    assert sorted(each.item.url for each in report.failed) == ["eno", "owt"]
    assert {type(each.error) for each in report.failed} == {KeyCollision}
    assert store.get(Clip(url="one").key) == Clip(url="one", title="kept")


@PROBING
def test_a_foreign_item_under_a_key_fails_one_and_not_all(
    make_store: MakeStore, probe: bool | None
) -> None:
    store = make_store(CLIPS)
    scribble(store, Clip(url="one"), url=7)
    report = store.put_new_all([Clip(url="one"), Clip(url="two")], probe=probe)
    assert report.new == [Clip(url="two")]
    assert [type(each.error) for each in report.failed] == [BadItem]
    assert stored(store, Clip(url="one").key) == {"pk": Clip(url="one").pk, "url": 7}


def test_a_first_that_failed_does_not_make_the_next_a_duplicate(store: Store) -> None:
    bad = book(1, genre="g", rating=1234)
    report = store.put_new_all([bad, book(1, title="good"), book(1, title="again")])
    assert heads(report) == (["good"], ["again"], [bad.title])


def test_known_items_are_looked_up_and_cost_no_writes(store: Store, where: Where) -> None:
    store.put_new_all(books(20))
    report = store.put_new_all(books(20))
    assert report.cost.reads == (20 if where.lacks(Feature.CAPACITY) else 10)
    assert report.cost.writes == 0
    refused = store.put_new_all(books(20), probe=False)
    looked = 20 if where.lacks(Feature.OLD_ITEM) else 0
    assert (refused.cost.reads, refused.cost.writes) == (looked, 20)
