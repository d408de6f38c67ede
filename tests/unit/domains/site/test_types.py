"""The registry of types: it says what the declarations say, also of those that come later."""

from __future__ import annotations

import json
from datetime import timedelta
from typing import Any

import jsonschema_rs
import pytest

from gotgan.clock import FixedClock
from gotgan.domains.site.keys import FEW_TYPES
from gotgan.domains.site.models import ROLES, Banner, SiteEntity, Token
from gotgan.domains.site.service import Site
from gotgan.domains.site.types import Types, read_role
from gotgan.encoding import encode
from gotgan.errors import BadCursor, NotFound
from gotgan.items import item_schema, record_item
from gotgan.store import (
    Entity,
    Id,
    IndexKey,
    Key,
    Query,
    Store,
    Table,
    camel_case,
    pattern,
)
from gotgan.store.attributes import decode_item
from gotgan.store.outputs.descriptions import example_item
from tests.unit.domains.site.conftest import MORNING
from tests.unit.domains.site.records import a_draft, a_post, items

NAMES = [
    *("Banner", "Category", "ContactInquiry", "CorpInfo", "Draft"),
    *("Mail", "Post", "Token", "User"),
]

LATER = Table("LaterTable", pk="PK", sk="SK", ttl="expiresAt")
LATER_BY_TYPE = LATER.index("Type_CreatedAt", pk="Type", sk="CreatedAt")


class Event(SiteEntity, table=LATER, names=camel_case, version="version"):
    """Something that takes place."""

    key = Key("EVENT#{id}", "METADATA")
    by_type = IndexKey(LATER_BY_TYPE, "Event", "{created_at}", acknowledge=[FEW_TYPES])
    read_by = None
    written_by = "editor"
    editable = ("place",)

    place: str | None = None


class Secret(Entity, table=LATER, names=camel_case):
    """Something whose declaration says nothing about who may read it."""

    key = Key("SECRET#{id}", "METADATA")
    by_type = IndexKey(LATER_BY_TYPE, "Secret", "{created_at}", acknowledge=[FEW_TYPES])

    id: Id
    created_at: Id


@pattern
def events() -> Query[Event]:
    """All events, newest first."""
    return Event.by_type.query().newest_first()


def test_every_type_is_known_by_its_name(site: Site) -> None:
    assert sorted(site.types.all()) == NAMES
    assert site.types.entity("Banner") is Banner
    with pytest.raises(NotFound, match="Types: Banner, Category"):
        site.types.entity("PostPointer")


def test_a_type_is_described_by_its_declaration(site: Site) -> None:
    told = site.types.describe("Post")
    assert told.key == {"PK": "CATEGORY#{category_id}", "SK": "POST#{id}"}
    assert told.indexes == {"Type_CreatedAt": {"Type": "Post", "CreatedAt": "{created_at}"}}
    assert (told.readable_by, told.writable_by) == ("public", "editor")
    assert told.writable == (
        *("categoryId", "authorId", "title", "contents"),
        *("contentsFormat", "thumbnailUrl", "expiresAt"),
    )
    named = {each["name"]: each for each in told.patterns}
    assert set(named) == {"posts_in", "category_with_posts", "post", "all_posts", "posts_within"}
    assert named["posts_in"]["reads"] == [
        {
            "operation": "Query",
            "index": None,
            "partition": "CATEGORY#{category_id}",
            "sort": 'begins_with(SK, "POST#")',
            "newestFirst": True,
        }
    ]


@pytest.mark.parametrize("name", NAMES)
def test_a_description_is_plain_json_and_names_a_way_to_read_it(site: Site, name: str) -> None:
    told = encode(site.types.describe(name))
    assert json.loads(json.dumps(told)) == told
    assert told["type"] == told["schema"]["title"] == name
    assert told["description"].endswith(".")
    assert told["patterns"]
    assert told["readableBy"] in ("public", *ROLES)


@pytest.mark.parametrize("name", NAMES)
def test_an_example_fits_the_schema_of_its_type_and_nothing_else_does(
    site: Site, name: str
) -> None:
    entity = site.types.entity(name)
    made = example_item(entity)
    assert made is not None
    shape, keys = item_schema(entity), {"PK", "SK"}
    item = {k: v for k, v in decode_item(made).items() if k not in keys | _hidden(entity)}
    jsonschema_rs.validate(shape, item)
    for spoilt in ({**item, "Type": "Other"}, {**item, "CreatedAt": 1}, {"Type": name}):
        assert not jsonschema_rs.is_valid(shape, spoilt)


def test_what_is_shown_of_the_items_of_a_site_fits_their_schemas(site: Site) -> None:
    a_post(site, expires_at=MORNING + timedelta(days=1))
    a_draft(site, contents={"type": "doc", "content": []})
    site.company.replace({"name": "n"})
    site.tokens.create(user_id="u001", role="viewer", expires_in_days=1)
    form = {"name": "n", "email": "a@example.com", "subject": "s", "message": "m"}
    site.inquiries.receive(**form, address="192.0.2.1")
    for name in set(NAMES) - {"Banner"}:
        [record, *_] = site.types.list(name).items
        jsonschema_rs.validate(item_schema(type(record)), record_item(record))


def test_what_is_shown_is_what_is_stored_without_keys_and_secrets(site: Site, store: Store) -> None:
    token = site.tokens.create(user_id="u001", role="viewer", note="n").token
    item = items(store)["USER#u001", f"TOKEN#{token.id}"]
    assert record_item(token) == {
        k: v for k, v in item.items() if k not in {"PK", "SK", "secretHash"}
    }
    assert "secretHash" not in json.dumps(encode(site.types.describe("Token")))
    assert token.secret_hash not in repr(record_item(token))


def test_a_type_is_read_newest_first_page_by_page(site: Site, clock: FixedClock) -> None:
    made = []
    for number in range(3):
        clock.advance(timedelta(minutes=1))
        made.append(site.banners.create(title=str(number), img_uri="/a.png"))
    page = site.types.list("Banner", limit=2)
    assert page.items == (made[2], made[1])
    assert site.types.list("Banner", limit=2, cursor=page.cursor).items == (made[0],)
    with pytest.raises(BadCursor):
        site.types.list("Post", cursor=page.cursor)
    with pytest.raises(NotFound):
        site.types.list("Nothing")


def test_a_spoilt_item_is_left_out(site: Site, store: Store) -> None:
    item = {"PK": "BANNER#b", "SK": "METADATA", "Type": "Banner", "CreatedAt": "2025"}
    store.calls.driver.call(
        "PutItem", {"TableName": "FMWebAppTable", "Item": {k: {"S": v} for k, v in item.items()}}
    )
    assert site.types.list("Banner").items == ()


def test_a_new_entity_shows_up_without_new_code(store: Store) -> None:
    store.create(LATER)
    types = Types(store, LATER_BY_TYPE)
    assert set(types.all()) == {"Event", "Secret"}
    made = Event(id="e1", place="Seoul", created_at=MORNING, updated_at=MORNING)
    store.put_new(made)
    assert types.list("Event").items == (made,)
    assert record_item(made) == {
        "Type": "Event",
        "id": "e1",
        "place": "Seoul",
        "CreatedAt": "2025-11-10T09:00:00Z",
        "UpdatedAt": "2025-11-10T09:00:00Z",
        "version": 1,
    }
    told = types.describe("Event")
    assert told.key == {"PK": "EVENT#{id}", "SK": "METADATA"}
    assert [each["name"] for each in told.patterns] == ["events"]
    assert (told.readable_by, told.writable) == ("public", ("place",))


def test_an_entity_that_says_nothing_is_for_admins(store: Store) -> None:
    told = Types(store, LATER_BY_TYPE).describe("Secret")
    assert read_role(Secret) == "admin"
    assert (told.readable_by, told.writable_by, told.writable) == ("admin", None, ())


def test_a_token_is_for_admins_to_read() -> None:
    assert read_role(Token) == "admin"
    assert read_role(Banner) is None


def _hidden(entity: Any) -> set[str]:
    return {"secretHash"} if entity is Token else set()
