"""Cursors survive a restart, and nobody can make one up, change one, or use one elsewhere."""

from __future__ import annotations

import base64
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from gotgan.errors import BadCursor
from gotgan.settings import Secret
from gotgan.store import Entity, Id, IndexKey, Key, Query, Store, Table, attr, number
from gotgan.store.drivers.embedded import Embedded
from gotgan.store.engine import Engine
from gotgan.store.pages import CursorPosition, query_fingerprint, sign_cursor, verify_cursor

SECRET, OTHER = Secret("a secret of some length"), Secret("another secret")
ASKED: list[dict[str, Any]] = [{"TableName": "t", "Values": {":v0": {"B": b"\0\xff"}}}]
QUERY = query_fingerprint(ASKED)
PLACES = [
    CursorPosition(0, None),
    CursorPosition(3, None),
    CursorPosition(1, {"pk": {"S": "A#\0한"}, "n": {"N": "-1.5"}, "b": {"B": b"\0\xff"}}),
]
CURSOR = sign_cursor(SECRET, QUERY, PLACES[-1])
LETTERS = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_"

TABLE = Table("notes", pk="pk", sk=number("n"))
BY_WORD = TABLE.index("by_word", pk="word", sk=number("n"))


class Note(Entity, table=TABLE):
    key = Key("BOOK#{book}", "{n}")
    by_word = IndexKey(BY_WORD, "{word}", "{n}")
    book: Id
    n: int
    word: Id = "same"


NOTES = Note.key.query(book="b1")


def store_on(path: Path, secret: Secret) -> Store:
    return Store(Embedded(Engine(path)), secret=secret)


@pytest.fixture(scope="module")
def store(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Store]:
    """A store with ten notes in each of two books."""
    with store_on(tmp_path_factory.mktemp("cursors") / "db", SECRET) as opened:
        opened.create(TABLE)
        opened.put_all([Note(book=book, n=n) for book in ("b1", "b2") for n in range(10)])
        yield opened


# The text itself


@pytest.mark.parametrize("place", PLACES)
def test_a_cursor_brings_back_its_place(place: CursorPosition) -> None:
    assert verify_cursor(SECRET, QUERY, sign_cursor(SECRET, QUERY, place)) == place


@pytest.mark.parametrize("place", PLACES)
def test_a_cursor_can_stand_in_an_address(place: CursorPosition) -> None:
    assert set(sign_cursor(SECRET, QUERY, place)) <= set(LETTERS)


def test_the_same_query_has_the_same_fingerprint_in_any_process() -> None:
    assert QUERY.hex().startswith("ae4198a3cd544d63")
    assert query_fingerprint([{"b": 1, "a": 2}]) == query_fingerprint([{"a": 2, "b": 1}])
    assert query_fingerprint([{"a": 1}, {"b": 1}]) != query_fingerprint([{"b": 1}, {"a": 1}])


def test_a_cursor_that_was_given_out_before_is_still_good() -> None:
    given_out = (
        "yND-UNY5YyW9d_dLCiieZlsxLHsicGsiOnsiUyI6IkEjXHUwMDAw7ZWcIn0sIm4iOnsiTiI6Ii0xLjUifSwi"
        "YiI6eyJCIjp7ImhleCI6IjAwZmYifX19XQ"
    )
    assert given_out == CURSOR
    assert verify_cursor(SECRET, QUERY, given_out) == PLACES[-1]


def test_another_secret_refuses_it() -> None:
    with pytest.raises(BadCursor, match="Start without one"):
        verify_cursor(OTHER, QUERY, CURSOR)


def test_another_query_refuses_it() -> None:
    with pytest.raises(BadCursor, match="was changed or belongs to another query"):
        verify_cursor(SECRET, query_fingerprint([{"TableName": "u"}]), CURSOR)


@given(st.integers(0, len(CURSOR) - 1), st.sampled_from([*LETTERS, *"=+/ \n.é"]))
def test_a_changed_character_is_refused(position: int, character: str) -> None:
    changed = CURSOR[:position] + character + CURSOR[position + 1 :]
    if changed == CURSOR:
        return
    with pytest.raises(BadCursor):
        verify_cursor(SECRET, QUERY, changed)


def test_no_character_at_all_can_be_changed_left_out_or_put_in() -> None:
    for position in range(len(CURSOR) + 1):
        head, tail = CURSOR[:position], CURSOR[position:]
        for changed in {head + tail[1:], f"{head}A{tail}", f"{head}={tail}", f"{head}\n{tail}"}:
            if changed != CURSOR:
                with pytest.raises(BadCursor):
                    verify_cursor(SECRET, QUERY, changed)


@pytest.mark.parametrize("length", [1, 2, 3])
def test_the_last_character_has_no_spare_bits(length: int) -> None:
    cursor = sign_cursor(SECRET, QUERY, CursorPosition(0, {"k": {"S": "x" * length}}))
    for letter in LETTERS.replace(cursor[-1], ""):
        with pytest.raises(BadCursor):
            verify_cursor(SECRET, QUERY, cursor[:-1] + letter)


@given(st.text() | st.text(LETTERS))
@example("")
@example("A")
@example("AAAA")
@example("=" * 8)
@example(CURSOR + "=")
@example(CURSOR + "\0")
@example("\ud800")
@example("é" * 40)
@example(base64.urlsafe_b64encode(b"\0" * 16 + b"[0,null]").decode())
def test_a_made_up_text_is_refused(text: str) -> None:
    with pytest.raises(BadCursor):
        verify_cursor(SECRET, QUERY, text)


# In a store


def test_pages_follow_each_other_without_gap_or_repeat(store: Store) -> None:
    seen, cursor = [], None
    while True:
        page = store.query(NOTES, limit=3, cursor=cursor)
        seen += [note.n for note in page]
        cursor = page.cursor
        if cursor is None:
            break
    assert seen == list(range(10))


def test_a_cursor_survives_a_restart(tmp_path: Path) -> None:
    with store_on(tmp_path / "db", SECRET) as first:
        first.create(TABLE)
        first.put_all([Note(book="b1", n=n) for n in range(5)])
        cursor = first.query(NOTES, limit=3).cursor
    with store_on(tmp_path / "db", SECRET) as second:
        page = second.query(NOTES, limit=3, cursor=cursor)
    assert [note.n for note in page] == [3, 4]


def test_a_store_with_another_secret_refuses_it(store: Store) -> None:
    cursor = store.query(NOTES, limit=3).cursor
    stranger = Store(store.calls.driver, secret=OTHER)
    with pytest.raises(BadCursor):
        stranger.query(NOTES, cursor=cursor)


@pytest.mark.parametrize(
    "other",
    [
        Note.key.query(book="b2"),
        Note.by_word.query(word="same"),
        NOTES.newest_first(),
        NOTES.before(8),
        NOTES.filtered(attr("word") == "same"),
        NOTES.only("word"),
        NOTES.consistent(),
        NOTES + NOTES,
    ],
)
def test_a_cursor_is_of_one_query_alone(store: Store, other: Query[Note]) -> None:
    cursor = store.query(NOTES, limit=3).cursor
    with pytest.raises(BadCursor):
        store.query(other, cursor=cursor)


def test_the_size_of_a_page_may_change_on_the_way(store: Store) -> None:
    cursor = store.query(NOTES, limit=3).cursor
    assert [note.n for note in store.query(NOTES, limit=2, cursor=cursor)] == [3, 4]


@given(st.data())
def test_any_single_character_of_a_stores_cursor_counts(store: Store, data: st.DataObject) -> None:
    cursor = store.query(NOTES + NOTES, limit=12).cursor
    assert cursor is not None
    position = data.draw(st.integers(0, len(cursor) - 1))
    letter = data.draw(st.sampled_from(LETTERS.replace(cursor[position], "")))
    with pytest.raises(BadCursor):
        store.query(NOTES + NOTES, cursor=cursor[:position] + letter + cursor[position + 1 :])
