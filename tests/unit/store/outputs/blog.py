"""A small single-table blog with entities and access patterns of every kind."""

from __future__ import annotations

from datetime import datetime
from enum import Enum
from typing import Annotated, Literal

from pydantic import Field

from gotgan.store.conditions import attr
from gotgan.store.entities import Entity
from gotgan.store.fields import Attribute, Epoch, EpochMs, Id, Timestamp, camel_case, derived
from gotgan.store.keys import FewValues, IndexKey, Key, LongKey, Ref, collection
from gotgan.store.patterns import pattern
from gotgan.store.queries import Query
from gotgan.store.tables import KEYS_ONLY, Table, number

__all__ = ["BLOG", "EVENTS", "Category", "Event", "Imprint", "Post", "Redirect", "Vote"]

BLOG = Table("blog", pk="PK", sk="SK", ttl="expiresAt")
by_type = BLOG.index("Type_CreatedAt", pk="Type", sk="CreatedAt")
by_author = BLOG.index("ByAuthor", pk="authorId", sk="CreatedAt", project=("title",))
by_price = BLOG.index("ByPrice", pk=number("price"), project=KEYS_ONLY)


class Category(Entity, table=BLOG, names=camel_case):
    """A shelf for posts."""

    key = Key("CATEGORY#{id}", "METADATA")
    id: Id
    title: str


class Post(Entity, table=BLOG, names=camel_case, version="version"):
    """An article, in its category.

    Its place among the newest is kept by the index of types.
    """

    key = Key("CATEGORY#{category_id}", "POST#{id}")
    newest = IndexKey(
        by_type,
        "{type}",
        "{created_at}",
        acknowledge=[FewValues("a blog has few writes, and its front page reads them all")],
    )
    of_author = IndexKey(by_author, "{author_id}", "{created_at}")
    with_price = IndexKey(by_price, "{price}")
    category_id: Id
    id: Id
    author_id: Id | None = None
    title: Annotated[str, Field(examples=["Why we moved"], description="As readers see it.")]
    tags: frozenset[str] = frozenset()
    price: int | None = None
    created_at: Annotated[Timestamp, Attribute("CreatedAt")]
    expires_at: Epoch | None = None
    version: int = 1

    @derived("id", attribute="Type")
    def type(self) -> Literal["Post"]:
        """What the index of types calls it."""
        return "Post"


class Redirect(Entity, table=BLOG, names=camel_case):
    """An old address, and where it leads."""

    key = Key("OLD#{path}", "METADATA", acknowledge=[LongKey("an address is as long as it is")])
    path: str
    leads_to: str


class Imprint(Entity, table=BLOG, names=camel_case):
    """Who is responsible."""

    key = Key("IMPRINT", "METADATA")
    name: str


@pattern
def category(id: str) -> Ref[Category]:  # noqa: A002 - as the field is called
    """A category by its id."""
    return Category.key(id=id)


@pattern
def imprint() -> Ref[Imprint]:
    """The one imprint."""
    return Imprint.key()


@pattern
def posts_in(category_id: str) -> Query[Post]:
    """The posts of a category, newest first."""
    return Post.key.query(category_id=category_id).newest_first()


@pattern
def shelf(category_id: str) -> Query[Post | Category]:
    """A category with its posts."""
    return collection(Category, id=category_id) + Post.key.query(category_id=category_id)


@pattern
def latest(since: datetime, tag: str) -> Query[Post]:
    """What was written lately, with a tag."""
    return Post.newest.query(type="Post").after(since).filtered(attr("tags").contains(tag))


@pattern
def posts_by(author_id: str) -> Query[Post]:
    """What somebody wrote."""
    return Post.of_author.query(author_id=author_id)


@pattern
def posts_for(price: int) -> Query[Post]:
    """What costs so much."""
    return Post.with_price.query(price=price)


class Vote(Entity, table=BLOG, names=camel_case):
    """Somebody's opinion."""

    key = Key("VOTE|{id}", "METADATA")
    id: Id


EVENTS = Table("events", pk="pk")


class Kind(Enum):
    """What can happen."""

    OPENED = "opened"
    CLOSED = "closed"


class Event(Entity, table=EVENTS):
    """Something that happened."""

    key = Key("{pk}")
    pk: Id
    kind: Kind
    at: EpochMs


@pattern
def trail(category_id: str, pk: str) -> Query[Post | Event]:
    """The posts of a category, and an event."""
    return Post.key.query(category_id=category_id) + Event.key.query(pk=pk)


@pattern
def event(pk: str) -> Ref[Event]:
    """One event."""
    return Event.key(pk=pk)
