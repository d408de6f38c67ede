"""Document 001's extension guide, followed to the letter; and the mail that it keeps track of."""

from __future__ import annotations

from collections.abc import Iterator
from datetime import timedelta

import pytest

from gotgan.domains.site.keys import FEW_TYPES
from gotgan.domains.site.models import SiteEntity
from gotgan.domains.site.types import Types
from gotgan.store import Entity, Id, IndexKey, Key, Query, Table, camel_case, pattern
from tests.scenario.site_places import NOON, Place, Scene
from tests.unit.domains.site import mail_server

EXTENDED = Table("ExtendedTable", pk="PK", sk="SK", ttl="expiresAt")
BY_TYPE = EXTENDED.index("Type_CreatedAt", pk="Type", sk="CreatedAt")
BY_AUTHOR = EXTENDED.index("AuthorId_CreatedAt", pk="authorId", sk="CreatedAt")


class Event(SiteEntity, table=EXTENDED, names=camel_case, version="version"):
    """A new entity: a Type and a prefix of its own."""

    key = Key("EVENT#{id}", "METADATA")
    by_type = IndexKey(BY_TYPE, "Event", "{created_at}", acknowledge=[FEW_TYPES])
    by_author = IndexKey(BY_AUTHOR, "{author_id}", "{created_at}")
    read_by = "viewer"
    written_by = "editor"
    editable = ("title",)

    author_id: Id
    title: str


class Bookmark(Entity, table=EXTENDED, names=camel_case):
    """A relation: its sort key holds both ends."""

    key = Key("CATEGORY#{category_id}", "USER#{user_id}#POST#{post_id}")

    category_id: Id
    user_id: Id
    post_id: Id


@pattern
def events_by(author_id: str) -> Query[Event]:
    """The events of an author, newest first."""
    return Event.by_author.query(author_id=author_id).newest_first()


@pattern
def bookmarks_of(category_id: str, user_id: str) -> Query[Bookmark]:
    """What a user has marked in a category."""
    return Bookmark.key.query(category_id=category_id, user_id=user_id)


@pytest.fixture
def extended(scene: Scene) -> Iterator[Scene]:
    """A site whose table has what the guide adds, and events of two authors."""
    scene.app.store.create(EXTENDED)
    scene.app.site.types = Types(scene.app.store, BY_TYPE)
    for number in range(4):
        made = NOON + timedelta(seconds=number)
        author = f"u00{number % 2}"
        event = Event(id=f"e{number}", author_id=author, title="t", created_at=made)
        scene.app.store.put_new(event)
    yield scene
    scene.client.delete_table(TableName=EXTENDED.name)


def test_a_new_entity_needs_a_type_and_a_prefix_and_no_code(extended: Scene) -> None:
    described = {each["type"]: each for each in extended.public("/types")["items"]}
    told = described["Event"]
    assert told["key"] == {"PK": "EVENT#{id}", "SK": "METADATA"}
    assert (told["readableBy"], told["writable"]) == ("viewer", ["title"])
    assert extended.http.get("/items?type=Event").status_code == 401
    page = extended.data("GET", "/items?type=Event&limit=3")
    assert [item["id"] for item in page["items"]] == ["e3", "e2", "e1"]
    rest = extended.data("GET", f"/items?type=Event&cursor={page['cursor']}&limit=3")
    assert [item["id"] for item in rest["items"]] == ["e0"]


def test_another_order_needs_an_index(extended: Scene) -> None:
    store = extended.app.store
    assert [event.id for event in store.query(events_by("u001"))] == ["e3", "e1"]
    [read] = events_by.reads
    assert (read.index, read.pk) == (BY_AUTHOR, "{author_id}")
    theirs = extended.client.query(
        TableName=EXTENDED.name,
        IndexName="AuthorId_CreatedAt",
        KeyConditionExpression="authorId = :author",
        ExpressionAttributeValues={":author": {"S": "u000"}},
    )
    assert [item["id"]["S"] for item in theirs["Items"]] == ["e0", "e2"]


def test_a_relation_needs_prefixes_in_the_sort_key(extended: Scene) -> None:
    store = extended.app.store
    for user_id, post_id in [("u001", "p001"), ("u001", "p002"), ("u0011", "p003")]:
        store.put_new(Bookmark(category_id="c001", user_id=user_id, post_id=post_id))
    marked = store.query(bookmarks_of("c001", "u001"))
    assert [mark.post_id for mark in marked] == ["p001", "p002"]
    first = extended.client.get_item(
        TableName=EXTENDED.name,
        Key={"PK": {"S": "CATEGORY#c001"}, "SK": {"S": "USER#u001#POST#p001"}},
    )
    assert first["Item"]["postId"] == {"S": "p001"}


def test_an_inquiry_remembers_where_its_notice_went_when_the_company_moves(place: Place) -> None:
    form = {
        "name": "홍길동",
        "email": "user@example.com",
        "subject": "협업 문의",
        "message": "안녕",
    }
    with mail_server.serving() as post_office, place.scene(smtp=post_office.url) as scene:
        scene.data("PUT", "/corp", json={"name": "패밀리매니지먼트", "email": "contact@family.com"})
        receipt = scene.http.post("/contact", json=form).json()["data"]
        path = f"/contact/{receipt['id']}"
        assert "notifiedEmail" not in scene.data("GET", path)
        assert scene.app.site.mails.send_due().sent == 1
        assert scene.data("GET", path)["notifiedEmail"] == "contact@family.com"
        moved = {"email": "new@family.com", "version": 1}
        scene.data("PATCH", "/corp", json=moved)
        assert scene.data("GET", path)["notifiedEmail"] == "contact@family.com"
        assert scene.http.get(path).status_code == 401
