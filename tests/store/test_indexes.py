"""Indexes: who is in them, and what can be read of an item there."""

from __future__ import annotations

import pytest

from gotgan.errors import NotRead, UsageError
from gotgan.store import Store
from tests.store.conftest import MakeStore
from tests.store.library import CLIPS, LIBRARY, READINGS, Account, Book, Clip, Reading, book
from tests.store.stored import scribble


@pytest.fixture(scope="module")
def store(make_store: MakeStore) -> Store:
    store = make_store(LIBRARY)
    store.put_new_all(
        [
            book(1, title="The Owl", genre="myth", rating=7, author="lee", language="ko"),
            book(2, title="Ants", genre="myth", rating=9, author="lee", lent=4),
            book(3, title="Bees", genre="farm", rating=7, author="kim", language="ko"),
            book(4, title="Cows", rating=8, language="de"),
            Account(id="a1", owner="kim", branch="myth"),
        ]
    )
    return store


def test_an_index_has_its_own_order(store: Store) -> None:
    page = store.query(Book.by_genre.query(genre="myth"))
    assert [each.title for each in page] == ["The Owl", "Ants"]
    assert [each.id for each in store.query(Book.by_genre.query(genre="myth").newest_first())] == [
        "b0002",
        "b0001",
    ]


def test_an_index_is_narrowed_from_the_left(store: Store) -> None:
    rated = Book.by_genre.query(genre="myth", rating=7)
    assert [each.title for each in store.query(rated)] == ["The Owl"]
    assert [each.title for each in store.query(Book.by_genre.query(genre="myth").after(8))] == [
        "Ants"
    ]


def test_an_item_without_a_field_of_the_key_stays_out(store: Store) -> None:
    of_every_genre = Book.by_genre.query(genre="myth") + Book.by_genre.query(genre="farm")
    assert {each.id for each in store.query(of_every_genre)} == {"b0001", "b0002", "b0003"}


def test_an_index_of_everything_gives_whole_items(store: Store) -> None:
    [found] = store.query(Book.by_genre.query(genre="farm"))
    assert found == book(3, title="Bees", genre="farm", rating=7, author="kim", language="ko")
    scribble(store, found, colour="red")
    [again] = store.query(Book.by_genre.query(genre="farm"))
    assert again.origin is not None
    assert again.origin.item["colour"] == {"S": "red"}


def test_an_index_of_some_gives_what_it_holds_and_refuses_the_rest(store: Store) -> None:
    first, second = store.query(Book.by_author.query(author="lee"))
    assert (first.title, first.rating, first.author) == ("Ants", 9, "lee")
    assert (second.id, second.shelf_id) == ("b0001", "s1")
    for name in ("lent", "genre", "notes"):
        with pytest.raises(NotRead, match=name):
            getattr(first, name)


def test_an_index_gives_what_its_keys_tell(store: Store) -> None:
    first, second = store.query(Book.by_language.query(language="ko"))
    assert [first.key, second.key] == [book(1).key, book(3).key]
    assert (first.language, first.id) == ("ko", "b0001")
    with pytest.raises(NotRead, match="title"):
        _ = first.title


def test_an_index_of_keys_alone_leads_to_the_items(make_store: MakeStore) -> None:
    store = make_store(CLIPS)
    store.put_new_all([Clip(url="one", shop="a"), Clip(url="two", shop="b"), Clip(url="three")])
    [found] = store.query(Clip.by_shop.query(shop="a"))
    assert found.shop == "a"
    with pytest.raises(NotRead, match="url"):
        _ = found.url
    assert list(store.query(Clip.by_shop.query(shop="b").whole())) == [Clip(url="two", shop="b")]


def test_whole_items_are_read_from_the_table(store: Store) -> None:
    query = Book.by_language.query(language="ko").whole()
    assert [each.title for each in store.query(query)] == ["The Owl", "Bees"]
    assert [each.title for each in store.iterate(query, at_most=1)] == ["The Owl"]
    first = store.query(query, limit=1)
    rest = store.query(query, limit=1, cursor=first.cursor)
    assert [each.lent for each in (*first, *rest)] == [0, 0]


def test_a_projection_takes_what_the_index_holds(store: Store) -> None:
    query = Book.by_author.query(author="lee").only("rating")
    [first, second] = store.query(query)
    assert [first.rating, second.rating] == [9, 7]
    with pytest.raises(UsageError, match="whole"):
        store.query(Book.by_author.query(author="lee").only("lent"))


def test_a_projection_of_the_table_takes_what_it_was_asked_for(store: Store) -> None:
    found = store.query(Book.key.query(shelf_id="s1").only("title"), limit=3)
    assert [each.title for each in found] == ["The Owl", "Ants", "Bees"]
    with pytest.raises(NotRead, match="rating"):
        _ = found.items[0].rating
    rest = store.query(Book.key.query(shelf_id="s1").only("title"), cursor=found.cursor)
    assert [each.title for each in rest] == ["Cows"]


def test_two_kinds_in_one_partition_of_an_index_are_told_apart(store: Store) -> None:
    assert len(store.query(Book.by_genre.query(genre="myth"))) == 2
    [account] = store.query(Account.by_genre.query(branch="myth"))
    assert account.owner == "kim"
    both = store.query(Book.by_genre.query(genre="myth") + Account.by_genre.query(branch="myth"))
    assert (len(both.of(Book)), len(both.of(Account))) == (2, 1)


def test_pages_of_an_index_show_everything_once(store: Store) -> None:
    store.put_all([book(n, shelf="s9", genre="same", rating=1, title="Same") for n in range(10)])
    query = Book.by_genre.query(genre="same")
    found: set[str] = set()
    cursor, pages = None, 0
    while pages == 0 or cursor is not None:
        page = store.query(query, limit=3, cursor=cursor)
        assert not found & {each.id for each in page}
        found |= {each.id for each in page}
        cursor, pages = page.cursor, pages + 1
    assert len(found) == 10


def test_a_local_index_is_the_partition_in_another_order(make_store: MakeStore) -> None:
    store = make_store(READINGS)
    store.put_all([Reading(device=b"d", at=at, value=value) for at, value in ((1, 9), (2, -1))])
    store.put_new(Reading(device=b"d", at=3))
    query = Reading.by_value.query(device=b"d").consistent()
    assert [(each.at, each.value) for each in store.query(query)] == [(2, -1), (1, 9)]
