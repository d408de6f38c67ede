"""Filters: what is dropped was read, and pages fill up all the same."""

from __future__ import annotations

import pytest

from gotgan.store import Condition, Store, attr, raw
from gotgan.store.attributes import Item
from tests.store.conftest import MakeStore
from tests.store.library import LIBRARY, MONDAY, Book, book
from tests.store.stored import scribble

WANTED = list(range(0, 300, 20))


RATED = Book.key.query(shelf_id="long").filtered(attr("rating") > 5)
FEW = Book.key.query(shelf_id="short")


@pytest.fixture(scope="module")
def store(make_store: MakeStore) -> Store:
    """A long shelf of which every twentieth book is rated, and a short one of all sorts."""
    store = make_store(LIBRARY)
    long = [book(n, "long", rating=9 if n in WANTED else 0) for n in range(300)]
    assert not store.put_all([*long, *(_any_sort(n) for n in range(4))]).undone
    scribble(store, book(3, "short"), colour="red")
    return store


def _any_sort(n: int) -> Book:
    odd = n % 2 == 1
    return book(
        n,
        "short",
        title=f"Title {n}",
        rating=n,
        genre="g" if odd else None,
        tags=frozenset({"odd", str(n)}) if odd else frozenset(),
        notes=(f"n{n}",),
        bought_at=MONDAY if n == 0 else None,
    )


def numbers(found: list[Book]) -> list[int]:
    return [int(each.id[1:]) for each in found]


@pytest.mark.parametrize("limit", [1, 4, 5, 15, 16])
def test_pages_fill_up_and_show_each_item_once(store: Store, limit: int) -> None:
    found: list[Book] = []
    cursor = None
    while True:
        page = store.query(RATED, limit=limit, cursor=cursor)
        assert len(page) == min(limit, len(WANTED) - len(found))
        assert page.read >= len(page)
        found += page
        if (cursor := page.cursor) is None or len(found) == len(WANTED):
            break
    assert numbers(found) == WANTED


def test_what_a_filter_drops_was_read_and_is_told(store: Store) -> None:
    page = store.query(RATED)
    assert numbers(list(page)) == WANTED
    assert page.read == 300
    counted = store.count(RATED)
    assert (counted.items, counted.read) == (len(WANTED), 300)
    assert store.count(RATED, at_most=2).items == 2
    assert store.count(RATED, at_most=len(WANTED) + 1).items == len(WANTED)


def test_iterating_goes_through_the_filter(store: Store) -> None:
    assert numbers(list(store.iterate(RATED, at_most=3))) == WANTED[:3]
    assert numbers(list(store.iterate(RATED.newest_first(), at_most=2))) == WANTED[:-3:-1]


def test_the_first_that_passes_is_found_however_far_it_is(store: Store) -> None:
    last = RATED.filtered(attr("id") == "b0280")
    assert numbers([found for found in [store.first(last)] if found]) == [280]
    assert store.first(RATED.filtered(attr("id") == "b0281")) is None


CONDITIONS: list[tuple[Condition, list[int]]] = [
    (attr("rating") == 2, [2]),
    (attr("rating") != 2, [0, 1, 3]),
    ((attr("rating") >= 1) & (attr("rating") < 3), [1, 2]),
    ((attr("rating") == 0) | ~(attr("rating") <= 2), [0, 3]),
    (attr("rating").between(1, 2), [1, 2]),
    (attr("rating").is_in(0, 3, 7), [0, 3]),
    (attr("title").begins_with("Title 1"), [1]),
    (attr("title").contains("le 3"), [3]),
    (attr("genre").exists(), [1, 3]),
    (attr("genre").missing(), [0, 2]),
    (attr("tags").contains("odd"), [1, 3]),
    (attr("notes").contains("n2"), [2]),
    (attr("heading") == "title 2", [2]),
    (attr("bought_at") >= MONDAY, [0]),
    (raw("colour") == "red", [3]),
    (attr("rating") > attr("lent"), [1, 2, 3]),
]


@pytest.mark.parametrize(("condition", "expected"), CONDITIONS)
def test_each_condition_means_the_same_everywhere(
    store: Store, condition: Condition, expected: list[int]
) -> None:
    assert numbers(list(store.query(FEW.filtered(condition)))) == expected


def test_two_filters_must_both_be_passed(store: Store) -> None:
    both = RATED.filtered(attr("id") < "b0040")
    assert numbers(list(store.query(both))) == [0, 20]


def is_wanted(each: Book) -> bool:
    """What no filter of DynamoDB's could say."""
    return int(each.id[1:]) % 20 == 0


LONG = Book.key.query(shelf_id="long")


@pytest.mark.parametrize("limit", [1, 4, 5, 15, 16])
def test_what_is_kept_after_reading_fills_pages_and_shows_each_item_once(
    store: Store, limit: int
) -> None:
    found: list[Book] = []
    cursor = None
    while True:
        page = store.query(LONG, limit=limit, cursor=cursor, keep=is_wanted)
        assert len(page) == min(limit, len(WANTED) - len(found))
        assert page.read >= len(page)
        found += page
        if (cursor := page.cursor) is None or len(found) == len(WANTED):
            break
    assert numbers(found) == WANTED


def test_what_is_not_kept_was_read_and_is_told(store: Store) -> None:
    page = store.query(LONG, keep=is_wanted)
    assert (numbers(list(page)), page.read) == (WANTED, 300)
    assert store.query(LONG, limit=5, keep=lambda _: True).items == store.query(LONG, limit=5).items


def test_what_is_kept_has_passed_the_filter_and_turns_with_the_query(store: Store) -> None:
    seen: list[Book] = []

    def is_late(each: Book) -> bool:
        seen.append(each)
        return each.id > "b02"

    page = store.query(RATED.newest_first(), keep=is_late)
    assert numbers(list(page)) == [280, 260, 240, 220, 200]
    assert numbers(seen) == WANTED[::-1]


def test_a_cursor_goes_on_with_whatever_is_kept_from_there(store: Store) -> None:
    """What is kept is no part of the query: the cursor says where, and nothing else."""
    cursor = store.query(LONG, limit=2, keep=is_wanted).cursor
    assert numbers(list(store.query(LONG, limit=2, cursor=cursor))) == [21, 22]


def test_a_page_that_keeps_nothing_for_long_ends_early_with_a_cursor() -> None:
    with Store.in_memory() as store:
        store.create(LIBRARY)
        store.put_all([book(n, "long") for n in range(2050)])
        page = store.query(LONG, limit=10, keep=lambda each: each.id == "b2049")
        assert (page.items, page.read) == ((), 2000)
        last = store.query(LONG, limit=10, cursor=page.cursor, keep=lambda _: True)
        assert numbers(list(last))[0] == 2000


def test_a_page_that_finds_nothing_for_long_ends_early_and_first_goes_on() -> None:
    with Store.in_memory() as store:
        store.create(LIBRARY)
        store.put_all([book(n, "long") for n in range(2050)])
        last = Book.key.query(shelf_id="long").filtered(attr("id") == "b2049")
        page = store.query(last, limit=10)
        assert page.items == ()
        assert page.cursor is not None
        assert numbers(list(store.query(last, limit=10, cursor=page.cursor))) == [2049]
        assert store.first(last) == book(2049, "long")


def test_items_can_be_read_as_something_else_page_after_page(store: Store) -> None:
    def even(item: Item) -> str | None:
        title = str(item["id"]["S"])
        return title if int(title[1:]) % 2 == 0 else None

    page = store.query_as(LONG, even, limit=100)
    rest = store.query_as(LONG, even, limit=100, cursor=page.cursor)
    entities = [each.id for each in store.iterate(LONG, at_most=None)]
    assert [*page.items, *rest.items] == [each for each in entities if int(each[1:]) % 2 == 0]
    assert page.cost.reads > 0
