"""The document's guide to extensions works: each is a declaration, and the store is not touched."""

from __future__ import annotations

from collections.abc import Iterator
from datetime import UTC, datetime
from typing import Annotated

import pytest

from gotgan.clock import FixedClock
from gotgan.store import (
    Attribute,
    Entity,
    FewValues,
    Id,
    Index,
    IndexKey,
    Key,
    Query,
    Ref,
    Store,
    Table,
    Timestamp,
    camel_case,
    pattern,
)

EXTENDED = Table("ExtendedTable", pk="PK", sk="SK", ttl="expiresAt")
"""The table of the document, with everything that its guide proposes."""
BY_TYPE: Index = EXTENDED.index("Type_CreatedAt", pk="Type", sk="CreatedAt")
BY_AUTHOR: Index = EXTENDED.index("AuthorId_CreatedAt", pk="authorId", sk="CreatedAt")
FEW = FewValues("a handful in a test")


class Post(Entity, table=EXTENDED, names=camel_case, version="version"):
    """A post of the document, found by its author too."""

    key = Key("CATEGORY#{category_id}", "POST#{id}")
    by_type = IndexKey(BY_TYPE, "Post", "{created_at}", acknowledge=[FEW])
    by_author = IndexKey(BY_AUTHOR, "{author_id}", "{created_at}")

    id: Id
    category_id: Id
    author_id: Id
    title: str
    created_at: Annotated[Timestamp, Attribute("CreatedAt")]
    version: int = 1


class Event(Entity, table=EXTENDED, names=camel_case):
    """A seventh kind of item: a new Type and a new prefix."""

    key = Key("EVENT#{id}", "METADATA")
    by_type = IndexKey(BY_TYPE, "Event", "{created_at}", acknowledge=[FEW])

    id: Id
    place: str
    created_at: Annotated[Timestamp, Attribute("CreatedAt")]


class Bookmark(Entity, table=EXTENDED, names=camel_case):
    """Who marked which post: a composite sort key in the partition of the category."""

    key = Key("CATEGORY#{category_id}", "USER#{user_id}#POST#{post_id}")

    category_id: Id
    user_id: Id
    post_id: Id


@pattern
def posts_by(author_id: str) -> Query[Post]:
    """The posts of an author, newest first."""
    return Post.by_author.query(author_id=author_id).newest_first()


@pattern
def events() -> Query[Event]:
    """All events, newest first."""
    return Event.by_type.query().newest_first()


@pattern
def bookmark(category_id: str, user_id: str, post_id: str) -> Ref[Bookmark]:
    """One bookmark."""
    return Bookmark.key(category_id=category_id, user_id=user_id, post_id=post_id)


@pattern
def bookmarks_of(category_id: str, user_id: str) -> Query[Bookmark]:
    """What a user marked in a category."""
    return Bookmark.key.query(category_id=category_id, user_id=user_id)


@pytest.fixture
def store() -> Iterator[Store]:
    """A store with the extended table."""
    with Store.in_memory(clock=FixedClock(at(1))) as store:
        store.create(EXTENDED)
        yield store


def at(day: int) -> datetime:
    return datetime(2025, 11, day, tzinfo=UTC)


def _post(number: int, author: str) -> Post:
    return Post(
        id=f"p00{number}",
        category_id="c001",
        author_id=author,
        title=f"Post {number}",
        created_at=at(number),
    )


def test_a_seventh_kind_of_item_needs_a_type_and_a_prefix(store: Store) -> None:
    store.put_new(Event(id="e001", place="Seoul", created_at=at(2)))
    store.put_new(Event(id="e002", place="Busan", created_at=at(3)))
    store.put_new(_post(1, "u001"))
    assert [event.id for event in store.query(events()).items] == ["e002", "e001"]
    assert str(Event.key(id="e001")) == "Event EVENT#e001 / METADATA"


def test_an_index_by_author_follows_the_author(store: Store) -> None:
    for number, author in ((1, "u001"), (2, "u002"), (3, "u001")):
        store.put_new(_post(number, author))
    assert [post.id for post in store.query(posts_by("u001")).items] == ["p003", "p001"]
    [read] = store.query(posts_by("u002")).items
    store.update(read, author_id="u001")
    assert [post.id for post in store.query(posts_by("u001")).items] == ["p003", "p002", "p001"]
    assert store.query(posts_by("u002")).items == ()
    assert posts_by.reads[0].index is BY_AUTHOR


def test_a_composite_sort_key_is_written_and_read_by_its_parts(store: Store) -> None:
    for user, post in (("u001", "p001"), ("u001", "p002"), ("u0011", "p001")):
        store.put_new(Bookmark(category_id="c001", user_id=user, post_id=post))
    store.put_new(_post(1, "u001"))
    ref = bookmark("c001", "u001", "p001")
    assert (ref.pk, ref.sk) == ("CATEGORY#c001", "USER#u001#POST#p001")
    assert store.get(ref) is not None
    found = store.query(bookmarks_of("c001", "u001")).items
    assert [each.post_id for each in found] == ["p001", "p002"]
    assert bookmarks_of.reads[0].sort == 'begins_with(SK, "USER#{user_id}#POST#")'
