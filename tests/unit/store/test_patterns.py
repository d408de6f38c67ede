"""Access patterns: functions that know what they read before they run."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import pytest

from gotgan.errors import UsageError
from gotgan.store import Entity, Id, Key, Pattern, Query, Ref, Table, pattern, patterns_of

from .declaring import refused

if TYPE_CHECKING:
    from decimal import Context

TABLE = Table("library", pk="pk", sk="sk")
OTHER = Table("other", pk="pk")


class Book(Entity, table=TABLE):
    key = Key("AUTHOR#{author}", "BOOK#{id}")
    author: Id
    id: Id


class Loan(Entity, table=OTHER):
    key = Key("LOAN#{id}")
    id: Id


@pattern
def book(author: str, id: str) -> Ref[Book]:  # noqa: A002 - as the field is called
    """One book.

    Of one author.
    """
    return Book.key(author=author, id=id)


@pattern
def books_of(author: str, *, newest: bool = False) -> Query[Book]:
    """The books of an author."""
    query = Book.key.query(author=author)
    return query.newest_first() if newest else query


@pattern
def books_and_loans(author: str, loan: str) -> Query[Book | Loan]:
    """What is in two tables."""
    return Book.key.query(author=author) + Loan.key.query(id=loan)


def test_calling_a_pattern_gives_its_read() -> None:
    assert book("a1", "b1") == Book.key(author="a1", id="b1")
    assert books_of(author="a1") == Book.key.query(author="a1")


def test_a_pattern_looks_like_its_function() -> None:
    assert isinstance(book, Pattern)
    assert book.name == book.__name__ == "book"  # type: ignore[attr-defined]
    assert book.module == __name__
    assert book.doc == "One book.\n\nOf one author."
    assert book.signature == "book(author: str, id: str) -> Ref[Book]"
    assert books_of.signature == "books_of(author: str, *, newest: bool = False) -> Query[Book]"


def test_a_table_knows_its_patterns_in_order() -> None:
    assert patterns_of(TABLE) == [book, books_of, books_and_loans]
    assert patterns_of(OTHER) == [books_and_loans]


def test_a_pattern_is_of_the_table_that_it_reads_first() -> None:
    assert books_and_loans.table is TABLE
    assert [read.table for read in books_and_loans.reads] == [TABLE, OTHER]


def test_a_pattern_needs_a_docstring() -> None:
    with refused("the access pattern silent needs a docstring that says what it finds"):

        @pattern
        def silent(author: str) -> Query[Book]:
            return Book.key.query(author=author)


def test_a_parameter_needs_an_annotation() -> None:
    with refused("author of the access pattern untyped needs a type annotation"):

        @pattern
        def untyped(author) -> Query[Book]:  # type: ignore[no-untyped-def]  # noqa: ANN001
            """No type."""
            return Book.key.query(author=author)


def test_an_annotation_names_what_is_there_when_it_runs() -> None:
    with refused(
        "an annotation of the access pattern absent names what its module does not have",
        "name 'Context' is not defined; import it there, outside of TYPE_CHECKING",
    ):

        @pattern
        def absent(context: Context) -> Query[Book]:
            """By something that only checkers know."""
            return Book.key.query(author=str(context))


@pytest.mark.parametrize(("result", "kind"), [("text", "str"), (None, "NoneType"), ([], "list")])
def test_a_pattern_returns_a_query_or_a_ref(result: Any, kind: str) -> None:
    with refused(f"the access pattern odd gives {kind}; it must return a Query or a Ref"):

        @pattern
        def odd() -> Query[Book]:
            """Something else."""
            return result  # type: ignore[no-any-return]


def test_a_parameter_of_a_type_that_no_key_is_made_of_is_refused() -> None:
    with refused(
        "tags of the access pattern odd is a list[str]; use str, int, Decimal, bool, date,"
    ):

        @pattern
        def odd(tags: list[str]) -> Query[Book]:
            """By a list."""
            return Book.key.query(author=tags[0])


def test_each_parameter_can_be_given_by_name() -> None:
    with refused("authors of the access pattern many cannot be given by name", "without * or /"):

        @pattern
        def many(*authors: str) -> Query[Book]:
            """By any number of authors."""
            return Book.key.query(author=authors[0])

    with refused("author of the access pattern hidden cannot be given by name"):

        @pattern
        def hidden(author: str, /) -> Query[Book]:
            """By position alone."""
            return Book.key.query(author=author)


def test_a_pattern_that_cannot_work_fails_where_it_is_declared() -> None:
    with pytest.raises(UsageError, match="author missing"):

        @pattern
        def broken(id: str) -> Query[Book]:  # noqa: A002 - as the field is called
            """Without its partition."""
            return Book.key.query(id=id)


def test_a_pattern_makes_the_same_number_of_reads_whatever_it_is_given() -> None:
    with refused("what the access pattern wavering reads depends on its arguments"):

        @pattern
        def wavering(author: str) -> Query[Book]:
            """Once or twice."""
            query = Book.key.query(author=author)
            return query + query if author.count("0") else query


def test_a_pattern_reads_the_same_place_whatever_it_is_given() -> None:
    with refused("what the access pattern either reads depends on its arguments"):

        @pattern
        def either(author: str, id: str | None = None) -> Query[Book] | Ref[Book]:  # noqa: A002
            """One, or all."""
            query = Book.key.query(author=author)
            return query if id is None else Book.key(author=author, id=id)


def test_what_is_refused_is_no_pattern_of_the_table() -> None:
    names = [declared.name for declared in patterns_of(TABLE)]
    assert names == ["book", "books_of", "books_and_loans"]
