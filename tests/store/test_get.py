"""One item by its key."""

from __future__ import annotations

import pytest

from gotgan.errors import NotRead, UsageError
from gotgan.store import Store
from tests.store.conftest import MakeStore
from tests.store.library import MONDAY, READINGS, Book, Reading, Shelf, Ticket, book
from tests.store.stored import scribble, stored


def test_what_was_put_is_got_as_it_was(store: Store) -> None:
    several = {"notes": ("a", "b"), "tags": frozenset({"x", "y"})}
    given = book(1, "s1", title="The Tale", rating=7, bought_at=MONDAY, **several)
    store.put_new(given)
    assert store.get(given.key) == given


def test_fields_are_stored_under_the_names_that_were_declared(store: Store) -> None:
    given = book(1, title="The Tale", bought_at=MONDAY, genre="myth", rating=7)
    store.put_new(given)
    assert stored(store, given.key) == {
        "pk": "SHELF#s1",
        "sk": "BOOK#b0001",
        "shelfId": "s1",
        "id": "b0001",
        "title": "The Tale",
        "heading": "tale",
        "genre": "myth",
        "genre_pk": "GENRE#myth",
        "genre_sk": "007#tale",
        "rating": 7,
        "lent": 0,
        "notes": [],
        "BoughtAt": "2025-11-10T09:00:00Z",
    }


def test_what_is_not_there_is_none(store: Store) -> None:
    assert store.get(Shelf.key(id="nowhere")) is None


def test_a_consistent_read_finds_what_was_just_written(store: Store) -> None:
    store.put_new(Shelf(id="s1"))
    assert store.get(Shelf.key(id="s1"), consistent=True) == Shelf(id="s1")


def test_a_projection_holds_what_was_asked_for_and_the_key(store: Store) -> None:
    given = book(1, title="The Tale", rating=7, genre="myth")
    store.put_new(given)
    part = store.get(given.key, only=("title", "bought_at"))
    assert part is not None
    assert (part.title, part.bought_at, part.shelf_id, part.id) == ("The Tale", None, "s1", "b0001")
    assert part.key == given.key
    with pytest.raises(NotRead, match="rating"):
        _ = part.rating
    with pytest.raises(UsageError, match="heavy"):
        store.get(given.key, only=("heavy",))


def test_keys_of_bytes_and_numbers_are_as_good_as_texts(make_store: MakeStore) -> None:
    store = make_store(READINGS)
    given = [Reading(device=b"\x00\xff", at=at, value=-at) for at in (2, 10, -3)]
    for each in given:
        store.put_new(each)
    assert store.get(Reading.key(device=b"\x00\xff", at=10)) == given[1]
    found = store.query(Reading.key.query(device=b"\x00\xff"))
    assert [each.at for each in found] == [-3, 2, 10]
    assert [each.at for each in store.query(Reading.key.query(device=b"\x00\xff").after(2))] == [
        2,
        10,
    ]
    assert len(store.get_all([each.key for each in given])) == 3


def test_attributes_that_no_entity_knows_are_no_hindrance(store: Store) -> None:
    store.put_new(book(1))
    scribble(store, book(1), colour="red", weight=1.5)
    assert store.get(book(1).key) == book(1)


def test_nothing_comes_back_as_nothing_whatever_the_default_is(store: Store) -> None:
    nothing: frozenset[str] = frozenset()
    bare = Ticket(id="t1", holder=None, seats=nothing, meals=nothing)
    store.put_new(bare)
    assert store.get(bare.key) == bare
    part = store.get(bare.key, only=("meals",))
    assert part is not None
    assert part.meals == nothing
    full = store.update(bare, holder="kim", seats=frozenset({"12a"}), meals={"lunch"}).item
    assert store.update(full, holder=None, seats=nothing, meals=nothing).item == bare


def test_every_kind_of_text_comes_back(store: Store) -> None:
    for number, title in enumerate(["한글", "a#b/c", "😀", "tab\t and \x00", " "]):
        store.put_new(book(number, title=title))
        found = store.get(Book.key(shelf_id="s1", id=f"b{number:04d}"))
        assert found is not None
        assert found.title == title
