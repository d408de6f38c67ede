"""Queries: one partition, a part of it, in either order, and several after one another."""

from __future__ import annotations

import pytest

from gotgan.errors import BadCursor, UsageError
from gotgan.settings import Secret
from gotgan.store import Page, Query, Store, collection
from tests.store.library import Book, Entry, Shelf, book, books


def ids(page: Page[Book]) -> list[str]:
    return [each.id for each in page]


def on_shelf(shelf: str = "s1") -> Query[Book]:
    return Book.key.query(shelf_id=shelf)


@pytest.fixture
def entries(store: Store) -> Query[Entry]:
    """Two entries on each of four days, and other things around them."""
    days = ("2025-01-01", "2025-01-02", "2025-01-10", "2025-02-01")
    store.put_new_all([Entry(log="l", day=day, number=n) for day in days for n in (1, 12)])
    store.put_new_all([Entry(log="k", day="2025-01-01", number=1)])
    return Entry.key.query(log="l")


def told(store: Store, query: Query[Entry]) -> list[tuple[str, int]]:
    return [(each.day[5:], each.number) for each in store.query(query)]


def test_a_partition_comes_in_the_order_of_its_sort_keys(store: Store) -> None:
    store.put_new_all([*reversed(books(5)), *books(2, shelf="s2"), Shelf(id="s1")])
    assert ids(store.query(on_shelf())) == ["b0000", "b0001", "b0002", "b0003", "b0004"]


def test_newest_first_turns_it_round(store: Store) -> None:
    store.put_new_all(books(3))
    assert ids(store.query(on_shelf().newest_first())) == ["b0002", "b0001", "b0000"]


def test_an_empty_partition_is_an_empty_page(store: Store) -> None:
    page = store.query(on_shelf("nowhere"))
    assert page.items == ()
    assert page.cursor is None
    assert page.read == 0


def test_bounds_are_part_of_what_they_bound(store: Store) -> None:
    store.put_new_all(books(6))
    assert ids(store.query(on_shelf().between("b0001", "b0003"))) == ["b0001", "b0002", "b0003"]
    assert ids(store.query(on_shelf().before("b0001"))) == ["b0000", "b0001"]
    assert ids(store.query(on_shelf().after("b0004"))) == ["b0004", "b0005"]
    assert ids(store.query(on_shelf().begins_with("b000"))) == [f"b000{n}" for n in range(6)]
    assert ids(store.query(on_shelf().begins_with("b0005"))) == ["b0005"]


def test_bounds_hold_for_a_part_that_others_follow(store: Store, entries: Query[Entry]) -> None:
    second, third = [("01-02", 1), ("01-02", 12)], [("01-10", 1), ("01-10", 12)]
    assert told(store, entries.between("2025-01-02", "2025-01-10")) == second + third
    assert told(store, entries.before("2025-01-01")) == [("01-01", 1), ("01-01", 12)]
    assert told(store, entries.after("2025-02-01")) == [("02-01", 1), ("02-01", 12)]
    assert told(store, entries.begins_with("2025-01-0")) == [("01-01", 1), ("01-01", 12), *second]


def test_more_parts_narrow_a_query(store: Store, entries: Query[Entry]) -> None:
    del entries
    of_day = Entry.key.query(log="l", day="2025-01-10")
    assert told(store, of_day) == [("01-10", 1), ("01-10", 12)]
    assert told(store, of_day.after(2)) == [("01-10", 12)]
    assert told(store, of_day.before(11)) == [("01-10", 1)]
    assert told(store, Entry.key.query(log="l", day="2025-01-10", number=12)) == [("01-10", 12)]


def test_what_is_narrowed_once_cannot_be_narrowed_again(entries: Query[Entry]) -> None:
    with pytest.raises(UsageError, match="settled"):
        entries.before("2025-01-02").after("2025-01-01")


def test_other_things_in_the_partition_stay_out(store: Store) -> None:
    store.put_new_all([*books(3), Shelf(id="s1", room="attic")])
    page = store.query(collection(Book, Shelf, shelf_id="s1"))
    assert page.of(Book) == books(3)
    assert page.of(Shelf) == [Shelf(id="s1", room="attic")]
    assert len(page) == 4
    only_books = store.query(collection(Book, shelf_id="s1"), limit=2)
    assert only_books.items == tuple(books(2))


def test_first_is_the_first_or_none(store: Store) -> None:
    store.put_new_all(books(3))
    assert store.first(on_shelf()) == book(0)
    assert store.first(on_shelf().newest_first()) == book(2)
    assert store.first(on_shelf("nowhere")) is None


@pytest.mark.parametrize("limit", [1, 2, 3, 4, 6, 7, 100])
def test_pages_show_everything_once_wherever_they_end(store: Store, limit: int) -> None:
    store.put_new_all([*books(4), *books(2, shelf="s2")])
    query = on_shelf() + on_shelf("empty") + on_shelf("s2")
    found: list[Book] = []
    cursor = None
    while True:
        page = store.query(query, limit=limit, cursor=cursor)
        assert len(page) <= limit
        found += page
        if (cursor := page.cursor) is None:
            break
        assert len(page) == limit
    assert found == [*books(4), *books(2, shelf="s2")]


def test_pages_can_be_read_newest_first(store: Store) -> None:
    store.put_new_all(books(5))
    query = on_shelf().newest_first()
    first = store.query(query, limit=2)
    second = store.query(query, limit=2, cursor=first.cursor)
    assert [*ids(first), *ids(second)] == ["b0004", "b0003", "b0002", "b0001"]


def test_a_cursor_is_as_good_after_a_restart(store: Store) -> None:
    store.put_new_all(books(3))
    first = store.query(on_shelf(), limit=2)
    driver, names = store.calls.driver, store.calls.names
    restarted = Store(driver, secret=Secret("of these tests"), names=names)
    assert ids(restarted.query(on_shelf(), cursor=first.cursor)) == ["b0002"]


def test_a_cursor_reads_nothing_but_its_own_query(store: Store) -> None:
    store.put_new_all(books(3))
    cursor = store.query(on_shelf(), limit=2).cursor
    assert cursor is not None
    for other in (on_shelf("s2"), on_shelf().newest_first(), on_shelf().after("b0001")):
        with pytest.raises(BadCursor):
            store.query(other, cursor=cursor)
    flipped = cursor[:-1] + ("A" if cursor[-1] != "A" else "B")
    for changed in ("", "x", cursor[:-1], cursor + "A", flipped, "한"):
        with pytest.raises(BadCursor):
            store.query(on_shelf(), cursor=changed)
    driver, names = store.calls.driver, store.calls.names
    with pytest.raises(BadCursor):
        Store(driver, secret=Secret("another"), names=names).query(on_shelf(), cursor=cursor)


def test_what_was_written_between_two_pages_shows_where_it_belongs(store: Store) -> None:
    store.put_new_all([book(0), book(2), book(4)])
    first = store.query(on_shelf(), limit=2)
    store.put_new_all([book(1), book(3)])
    assert ids(store.query(on_shelf(), cursor=first.cursor)) == ["b0003", "b0004"]


def test_a_page_of_nothing_cannot_be_asked_for(store: Store) -> None:
    with pytest.raises(UsageError, match="at least one"):
        store.query(on_shelf(), limit=0)


def test_a_consistent_query_finds_what_was_just_written(store: Store) -> None:
    store.put_new(book(1))
    assert ids(store.query(on_shelf().consistent())) == ["b0001"]
    with pytest.raises(UsageError, match="global index"):
        Book.by_genre.query(genre="myth").consistent()


def test_iterating_ends_at_its_bound(store: Store) -> None:
    store.put_new_all([*books(5), *books(3, shelf="s2")])
    query = on_shelf() + on_shelf("s2")
    assert list(store.iterate(query, at_most=None)) == [*books(5), *books(3, shelf="s2")]
    assert list(store.iterate(query, at_most=6)) == [*books(5), book(0, shelf="s2")]
    assert list(store.iterate(query, at_most=5)) == books(5)
    assert list(store.iterate(query, at_most=0)) == []
    with pytest.raises(UsageError, match="at_most"):
        store.iterate(query, at_most=-1)


def test_counting_goes_over_all_legs(store: Store) -> None:
    store.put_new_all([*books(5), *books(3, shelf="s2")])
    counted = store.count(on_shelf() + on_shelf("s2"))
    assert (counted.items, counted.read) == (8, 8)
    assert store.count(on_shelf().after("b0003")).items == 2
    assert store.count(on_shelf("nowhere")).items == 0


def test_counting_ends_at_its_bound(store: Store) -> None:
    store.put_new_all([*books(5), *books(3, shelf="s2")])
    both = on_shelf() + on_shelf("s2")
    few = store.count(both, at_most=3)
    assert (few.items, few.read) == (3, 3)
    assert [store.count(both, at_most=most).items for most in (6, 8, 9)] == [6, 8, 8]
    with pytest.raises(UsageError, match="at_most"):
        store.count(both, at_most=0)
