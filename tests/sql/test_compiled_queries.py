"""A look by the driver alone: it sees what the usual way sees, and leaves nothing behind."""

from __future__ import annotations

import pytest
from sqlalchemy import Column, MetaData, String, Table, bindparam, select, update

from gotgan.errors import DatabaseUnavailable
from gotgan.sql import Database

WORDS = Table("words", MetaData(), Column("key", String(9)), Column("word", String(9)))
WORD = (
    select(WORDS.c.word, WORDS.c.key)
    .where(WORDS.c.key == bindparam("key"))
    .order_by(WORDS.c.word.desc())
    .limit(1)
)


@pytest.fixture
def words(empty_database: Database) -> Database:
    with empty_database.begin() as connection:
        WORDS.create(connection)
        rows = [("a", "first"), ("a", "second"), ("b", "third")]
        connection.execute(WORDS.insert(), [{"key": key, "word": word} for key, word in rows])
    return empty_database


def test_a_look_gives_the_first_value_of_the_first_row(words: Database) -> None:
    word = words.compiled_query(WORD)
    assert [word.value(key=key) for key in ("a", "b", "c", "a")] == [
        "second",
        "third",
        None,
        "second",
    ]


def test_a_look_sees_what_was_written_since_and_keeps_nobody_from_writing(words: Database) -> None:
    word = words.compiled_query(WORD)
    for number in range(3):
        with words.begin() as connection:
            connection.execute(update(WORDS).values(word=f"word {number}"))
        assert word.value(key="a") == f"word {number}"


def test_a_look_sees_nothing_that_is_not_committed(words: Database) -> None:
    word = words.compiled_query(WORD)
    with words.begin() as connection:
        connection.execute(update(WORDS).values(word="soon"))
        assert word.value(key="a") == "second"
    assert word.value(key="a") == "soon"


def test_where_the_driver_fails_nothing_is_seen_and_the_usual_way_tells_why(
    empty_database: Database,
) -> None:
    assert empty_database.compiled_query(WORD).value(key="a") is None
    with pytest.raises(DatabaseUnavailable), empty_database.read() as connection:
        connection.execute(WORD, {"key": "a"})
    with empty_database.begin() as connection:
        WORDS.create(connection)
    assert empty_database.compiled_query(WORD).value(key="a") is None
