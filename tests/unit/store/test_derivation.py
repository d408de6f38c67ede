"""Derived attributes: what follows from fields, written with the item."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated

import pytest
from pydantic import StringConstraints

from gotgan.store import Entity, EpochMs, Id, Key, Prefixed, Timestamp, camel_case, derived
from gotgan.store.fields import Derived
from gotgan.store.schema import schema_of

from .declaring import refused, things

if TYPE_CHECKING:
    from gotgan.store import Table

Slug = Annotated[str, StringConstraints(max_length=20)]


class Named(Entity):
    id: Id
    title: str

    @derived("title")
    def short_title(self) -> str:
        """The first word."""
        return self.title.split()[0]


class Article(Named, table=things()):
    key = Key("ARTICLE#{slug}", "METADATA")
    at: Timestamp | None = None

    @derived("title", "id", attribute="Slug")
    def slug(self) -> Slug:
        return f"{self.title.split()[0].lower()}-{self.id}"

    @derived("at")
    def at_ms(self) -> EpochMs | None:
        return self.at

    @derived("id")
    def code(self) -> Annotated[str, Prefixed("CODE#")]:
        return self.id


class Report(Named, table=things(), names=camel_case):
    key = Key("REPORT#{id}", "METADATA")


ARTICLE = Article(id="7", title="Tariffs fall", at="2025-11-06T00:35:12Z")  # type: ignore[arg-type]


def test_a_derived_attribute_is_a_property_of_an_instance() -> None:
    assert ARTICLE.slug == "tariffs-7"
    assert isinstance(Article.slug, Derived)


def test_it_is_stored_under_its_own_name_or_another() -> None:
    item = schema_of(Article).item(ARTICLE)
    assert item["short_title"] == {"S": "Tariffs"}
    assert item["Slug"] == {"S": "tariffs-7"}
    assert "slug" not in item


def test_it_is_named_as_the_fields_of_each_entity_are() -> None:
    assert "shortTitle" in schema_of(Report).item(Report(id="1", title="A report"))
    assert "short_title" in schema_of(Article).item(ARTICLE)


def test_it_is_stored_in_the_form_that_its_annotation_says() -> None:
    item = schema_of(Article).item(ARTICLE)
    assert item["at_ms"] == {"N": "1762389312000"}
    assert item["code"] == {"S": "CODE#7"}


def test_it_is_left_out_where_it_is_none() -> None:
    assert "at_ms" not in schema_of(Article).item(Article(id="7", title="x"))


def test_it_can_be_part_of_a_key() -> None:
    assert ARTICLE.key == Article.key(slug="tariffs-7")


def test_it_is_computed_and_never_read_back() -> None:
    item = schema_of(Article).item(ARTICLE) | {"Slug": {"S": "tampered"}}
    assert schema_of(Article).load(item).slug == "tariffs-7"


def test_it_cannot_be_set() -> None:
    with pytest.raises(AttributeError, match="short_title follows from title and cannot be set"):
        Named.short_title.__set__(ARTICLE, "x")  # type: ignore[arg-type]


def test_it_keeps_its_docstring() -> None:
    assert Named.short_title.__doc__ == "The first word."


def test_it_needs_a_return_annotation() -> None:
    with refused("the derived attribute shout needs a return annotation, such as -> str"):

        class Thing(Entity, table=things()):
            key = Key("THING#{id}", "METADATA")
            id: Id

            @derived("id")
            def shout(self):  # type: ignore[no-untyped-def]  # noqa: ANN202
                return self.id.upper()


def test_its_annotation_names_what_is_there_when_it_runs() -> None:
    with refused(
        "an annotation of the derived attribute table names what its module does not have",
        "name 'Table' is not defined; import it there, outside of TYPE_CHECKING",
    ):

        class Thing(Entity, table=things()):
            key = Key("THING#{id}", "METADATA")
            id: Id

            @derived("id")
            def table(self) -> Table:
                return things()


def test_the_fields_behind_it_are_known_through_other_derived_attributes() -> None:
    assert schema_of(Article).behind(["slug"]) == {"title", "id"}
    assert schema_of(Article).behind(schema_of(Article).key.fields) == {"title", "id"}
