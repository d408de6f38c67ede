"""Entities: frozen models that know how they are stored, and nothing of a database."""

from __future__ import annotations

from datetime import UTC, datetime
from typing import Annotated, Any

import pytest
from pydantic import ValidationError

from gotgan.errors import DeclarationError, NotRead, UsageError
from gotgan.store import (
    KEYS_ONLY,
    Attribute,
    Entity,
    Id,
    IndexKey,
    Key,
    Ref,
    Table,
    Timestamp,
    camel_case,
    entities_of,
)
from gotgan.store.schema import schema_of

from .declaring import refused, things

BOOKS = Table("books", pk="pk", sk="sk")
BY_AUTHOR = BOOKS.index("by_author", pk="author_pk", sk="title_sk", project=KEYS_ONLY)
NOON = datetime(2025, 11, 6, 12, tzinfo=UTC)


class Stamped(Entity):
    """What all of them have."""

    created_at: Annotated[Timestamp, Attribute("CreatedAt")] = NOON


class Book(Stamped, table=BOOKS, names=camel_case):
    key = Key("BOOK#{id}", "METADATA")
    by_author = IndexKey(BY_AUTHOR, "AUTHOR#{author}", "{title}")
    id: Id
    title: Id
    author: Id | None = None
    page_count: int = 0


class Shelf(Stamped, table=BOOKS):
    key = Key("SHELF#{id}", "METADATA")
    id: Id


def test_an_entity_is_declared_once_in_its_table() -> None:
    assert entities_of(BOOKS) == [Book, Shelf]


def test_an_instance_is_frozen() -> None:
    book = Book(id="b1", title="Momo")
    with pytest.raises(ValidationError, match="frozen"):
        book.title = "x"  # type: ignore[misc]


def test_an_instance_takes_the_declared_fields_alone() -> None:
    unknown: dict[str, Any] = {"colour": "red"}
    with pytest.raises(ValidationError, match="colour"):
        Book(id="b1", title="Momo", **unknown)


def test_instances_are_equal_by_their_fields() -> None:
    assert Book(id="b1", title="Momo") == Book(id="b1", title="Momo")
    assert Book(id="b1", title="Momo") != Book(id="b2", title="Momo")


def test_fields_of_a_base_are_stored_as_the_entity_names_them() -> None:
    names = {name: part.attribute for name, part in schema_of(Book).fields.items()}
    assert names == {
        "created_at": "CreatedAt",
        "id": "id",
        "title": "title",
        "author": "author",
        "page_count": "pageCount",
    }


def test_the_key_of_an_instance_is_its_ref() -> None:
    assert Book(id="b1", title="Momo").key == Ref(Book, "BOOK#b1", "METADATA")
    assert Book(id="b1", title="Momo").key == Book.key(id="b1")


def test_an_instance_that_was_made_has_no_origin() -> None:
    assert Book(id="b1", title="Momo").origin is None


def test_an_instance_that_was_read_knows_what_it_was_read_from() -> None:
    item = schema_of(Book).item(Book(id="b1", title="Momo"))
    read = schema_of(Book).load(item)
    assert read.origin.item is item
    assert read == Book(id="b1", title="Momo")


def test_a_field_that_was_not_read_says_how_to_get_it() -> None:
    item = schema_of(Book).item(Book(id="b1", title="Momo", author="a1", page_count=300))
    held = BY_AUTHOR.held()
    assert held is not None
    part = schema_of(Book).load({name: item[name] for name in held}, held)
    assert (part.id, part.title, part.author) == ("b1", "Momo", "a1")
    with pytest.raises(NotRead, match=r"page_count of this Book was not read.*use \.whole\(\)"):
        str(part.page_count)


def test_an_attribute_that_there_is_not_is_an_ordinary_error() -> None:
    with pytest.raises(AttributeError, match="'Book' object has no attribute 'colour'"):
        Book(id="b1", title="Momo").colour  # type: ignore[attr-defined]  # noqa: B018
    assert not hasattr(Book(id="b1", title="Momo"), "colour")


def test_a_class_without_a_table_is_a_base_and_no_entity() -> None:
    with pytest.raises(UsageError, match="Stamped is in no table; declare it with table="):
        schema_of(Stamped)


@pytest.mark.parametrize("keys", [{}, {"place": Key("A", "B")}, {"key": "BOOK#1"}])
def test_an_entity_needs_one_key(keys: dict[str, Any]) -> None:
    with refused("Thing needs one Key, called key: key = Key('THING#{id}', 'METADATA')"):
        type("Thing", (Entity,), {"__module__": __name__, **keys}, table=things())


def test_an_entity_has_no_second_key() -> None:
    with refused("Thing needs one Key"):

        class Thing(Entity, table=things()):
            key = Key("THING#{id}", "METADATA")
            other = Key("OTHER#{id}", "METADATA")
            id: Id


def test_a_key_can_be_inherited_and_replaced() -> None:
    class Base(Entity):
        key = Key("BASE#{id}", "METADATA")
        id: Id

    class Same(Base, table=things()):
        pass

    class Other(Base, table=things()):
        key = Key("OTHER#{id}", "METADATA")

    assert Same(id="1").key.pk == "BASE#1"
    assert Other(id="1").key.pk == "OTHER#1"


def test_a_subclass_of_an_entity_needs_a_table_of_its_own() -> None:
    with refused("Novel would be stored as a Book, without what it adds; give it a table="):

        class Novel(Book):
            hero: str


def test_a_field_does_not_hide_the_origin_of_an_instance() -> None:
    with (
        pytest.warns(UserWarning, match="shadows an attribute"),
        refused("Thing.origin says what", "store it under its name with Attribute('origin')"),
    ):

        class Thing(Entity, table=things()):
            key = Key("THING#{id}", "METADATA")
            id: Id
            origin: str  # type: ignore[assignment]


def test_types_that_are_not_there_yet_are_refused() -> None:
    with refused("the types of Thing's fields are not known yet; declare them above it"):

        class Thing(Entity, table=things()):
            key = Key("THING#{id}", "METADATA")
            id: Id
            other: NotThereYet  # type: ignore[name-defined]  # noqa: F821


def test_one_entity_declared_twice_cannot_be_told_from_itself() -> None:
    with pytest.raises(DeclarationError, match="its keys look like those of Shelf"):

        class Shelf(Entity, table=BOOKS):
            key = Key("SHELF#{id}", "METADATA")
            id: Id

    assert entities_of(BOOKS) == [Book, globals()["Shelf"]]


def test_a_copy_of_what_was_read_is_of_the_same_origin_unless_its_key_is_another() -> None:
    item = schema_of(Book).item(Book(id="b1", title="Momo"))
    read: Book = schema_of(Book).load(item)
    renamed = read.model_copy(update={"title": "Jim"})
    assert renamed.title == "Jim"
    assert renamed.origin is not None
    assert renamed.origin.item is item
    assert read.model_copy(update={"id": "b2"}).origin is None
