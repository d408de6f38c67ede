"""What the site stores is what its document shows: six kinds of items, under its names."""

from __future__ import annotations

from datetime import UTC, datetime
from typing import Any

import pytest

from gotgan.domains.site import models
from gotgan.domains.site.keys import BY_TYPE, FEW_TYPES, SITE
from gotgan.domains.site.models import (
    Banner,
    Category,
    ContactInquiry,
    CorpInfo,
    Draft,
    Mail,
    Post,
    PostPointer,
    SiteEntity,
    Token,
    User,
)
from gotgan.store import ALL, Entity, FewValues, Store, entities_of
from gotgan.store.attributes import encode
from gotgan.store.schema import schema_of
from tests.unit.domains.wire import stored

DOCUMENTED: list[type[Entity]] = [User, Category, Post, Banner, CorpInfo, ContactInquiry]
ADDED: list[type[Entity]] = [Draft, Mail, Token]


def at(day: int, hour: int, minute: int = 0) -> datetime:
    return datetime(2025, 11, day, hour, minute, tzinfo=UTC)


EXAMPLES: list[tuple[Entity, dict[str, Any]]] = [
    (
        User(id="u001", display_name="하늘", role="admin", created_at=at(14, 3)),
        {
            "PK": "USER#u001",
            "SK": "METADATA",
            "Type": "User",
            "id": "u001",
            "displayName": "하늘",
            "role": "admin",
            "CreatedAt": "2025-11-14T03:00:00Z",
        },
    ),
    (
        Category(id="c001", title="소식", desc="알림", created_at=at(10, 1), updated_at=at(10, 1)),
        {
            "PK": "CATEGORY#c001",
            "SK": "METADATA",
            "Type": "Category",
            "id": "c001",
            "title": "소식",
            "desc": "알림",
            "CreatedAt": "2025-11-10T01:00:00Z",
            "UpdatedAt": "2025-11-10T01:00:00Z",
        },
    ),
    (
        Post(
            id="p001",
            category_id="c001",
            author_id="u001",
            title="봄 보고서",
            contents="# 봄",
            created_at=at(12, 5),
            updated_at=at(12, 5, 30),
        ),
        {
            "PK": "CATEGORY#c001",
            "SK": "POST#p001",
            "Type": "Post",
            "id": "p001",
            "categoryId": "c001",
            "authorId": "u001",
            "title": "봄 보고서",
            "contents": "# 봄",
            "CreatedAt": "2025-11-12T05:00:00Z",
            "UpdatedAt": "2025-11-12T05:30:00Z",
        },
    ),
    (
        Banner(
            id="bn001",
            title="새 일",
            desc="물어보세요",
            img_uri="https://cdn.test/bn001.png",
            btn1_text="더 보기",
            btn2_text="묻기",
            created_at=at(13, 9),
            updated_at=at(13, 9),
        ),
        {
            "PK": "BANNER#bn001",
            "SK": "METADATA",
            "Type": "Banner",
            "id": "bn001",
            "title": "새 일",
            "desc": "물어보세요",
            "imgUri": "https://cdn.test/bn001.png",
            "btn1Text": "더 보기",
            "btn2Text": "묻기",
            "CreatedAt": "2025-11-13T09:00:00Z",
            "UpdatedAt": "2025-11-13T09:00:00Z",
        },
    ),
    (
        CorpInfo(
            name="곳간",
            address="서울",
            email="hello@corp.test",
            fax="+82-2-111-1111",
            corp_num="111-11-11111",
            created_at=at(14, 0),
            updated_at=at(14, 0),
        ),
        {
            "PK": "CORP#INFO",
            "SK": "METADATA",
            "Type": "CorpInfo",
            "id": "corp-info",
            "name": "곳간",
            "address": "서울",
            "email": "hello@corp.test",
            "fax": "+82-2-111-1111",
            "corpNum": "111-11-11111",
            "CreatedAt": "2025-11-14T00:00:00Z",
            "UpdatedAt": "2025-11-14T00:00:00Z",
        },
    ),
    (
        ContactInquiry(
            id="inq001",
            name="보람",
            email="boram@mail.test",
            company="가게",
            title="팀장",
            referral="search",
            subject="함께",
            message="이야기해요",
            status="new",
            notified_email="hello@corp.test",
            created_at=at(15, 9),
            updated_at=at(15, 9),
        ),
        {
            "PK": "CONTACT#inq001",
            "SK": "METADATA",
            "Type": "ContactInquiry",
            "id": "inq001",
            "name": "보람",
            "email": "boram@mail.test",
            "company": "가게",
            "title": "팀장",
            "referral": "search",
            "subject": "함께",
            "message": "이야기해요",
            "status": "new",
            "notifiedEmail": "hello@corp.test",
            "CreatedAt": "2025-11-15T09:00:00Z",
            "UpdatedAt": "2025-11-15T09:00:00Z",
        },
    ),
]


PARAMETERS = pytest.mark.parametrize(
    ("instance", "document"), EXAMPLES, ids=[type(each).__name__ for each, _ in EXAMPLES]
)


@pytest.fixture(autouse=True)
def _given(store: Store) -> None:
    store.create(SITE)


def test_the_table_and_its_one_index_are_those_of_the_document() -> None:
    assert SITE.name == "FMWebAppTable"
    assert [key.name for key in SITE.keys] == ["PK", "SK"]
    assert (SITE.billing, SITE.stream, SITE.ttl) == (None, None, "expiresAt")
    assert list(SITE.indexes) == ["Type_CreatedAt"]
    assert [key.name for key in BY_TYPE.keys] == ["Type", "CreatedAt"]
    assert BY_TYPE.project == ALL
    assert set(SITE.attribute_types().values()) == {"S"}


def test_its_types_are_those_of_the_document_and_three_more() -> None:
    typed = [each for each in entities_of(SITE) if issubclass(each, SiteEntity)]
    assert set(typed) == {*DOCUMENTED, *ADDED}
    assert (models.DOCUMENT_VERSION, models.SCHEMA_VERSION) == ("v1.0.0", "v1.3.0")


@PARAMETERS
def test_an_item_is_stored_as_the_document_shows_with_its_version(
    store: Store, instance: Entity, document: dict[str, Any]
) -> None:
    assert stored(store, instance) == {**document, "version": 1}


@PARAMETERS
def test_an_item_that_others_wrote_is_read_and_keeps_what_we_do_not_know(
    instance: Entity, document: dict[str, Any]
) -> None:
    schema = schema_of(type(instance))
    theirs = {name: encode(value) for name, value in document.items()} | {"extra": {"N": "1"}}
    read = schema.load(theirs)
    assert read == instance
    assert schema.item(read) == {**theirs, "version": {"N": "1"}}


@pytest.mark.parametrize("kind", [*DOCUMENTED, *ADDED])
def test_the_few_types_are_acknowledged_with_a_reason(kind: type[Entity]) -> None:
    [key] = schema_of(kind).index_keys
    assert key.acknowledged == (FEW_TYPES,)
    assert isinstance(FEW_TYPES, FewValues)
    assert "1,000 write units" in FEW_TYPES.reason


@pytest.mark.parametrize("kind", [*DOCUMENTED, *ADDED])
def test_the_type_of_an_item_is_the_name_of_its_kind(kind: type[Entity]) -> None:
    [key] = schema_of(kind).index_keys
    assert (key.pk.text, key.sk.text if key.sk else None) == (kind.__name__, "{created_at}")


@pytest.mark.parametrize("kind", [*DOCUMENTED, *ADDED])
def test_changes_of_every_kind_are_counted(kind: type[Entity]) -> None:
    assert schema_of(kind).version == "version"


@pytest.mark.parametrize("kind", [*DOCUMENTED, *ADDED])
def test_what_may_be_edited_are_fields_that_are_shown(kind: type[SiteEntity]) -> None:
    assert set(kind.editable) <= set(kind.model_fields) - set(kind.hidden)
    assert not set(kind.editable) & {"id", "created_at", "updated_at", "version"}


def test_who_may_read_and_write_is_said_of_every_kind() -> None:
    told = {kind.__name__: (kind.read_by, kind.written_by) for kind in _site_entities()}
    assert told == {
        "User": ("viewer", "admin"),
        "Category": (None, "editor"),
        "Post": (None, "editor"),
        "Draft": ("viewer", "editor"),
        "Banner": (None, "editor"),
        "CorpInfo": (None, "admin"),
        "ContactInquiry": ("viewer", "editor"),
        "Mail": ("viewer", None),
        "Token": ("admin", "admin"),
    }


def test_a_kind_that_says_nothing_is_for_admins_to_read_and_nobody_to_write() -> None:
    assert (SiteEntity.read_by, SiteEntity.written_by, SiteEntity.editable) == ("admin", None, ())


def test_an_id_that_looks_like_a_key_stays_in_its_place(store: Store) -> None:
    odd = Post(
        id="POST#p001",
        category_id="c001#METADATA",
        author_id="u",
        title="t",
        contents="c",
        created_at=at(12, 5),
    )
    item = stored(store, odd)
    assert (item["PK"], item["SK"]) == ("CATEGORY#c001#METADATA", "POST#POST#p001")
    assert store.query(Post.key.query(category_id="c001")).items == ()


def test_an_expiry_is_a_number_of_seconds_and_hides_at_once(store: Store) -> None:
    banner = Banner(id="b", title="t", img_uri="i", created_at=at(1, 0), expires_at=at(10, 9))
    store.put_new(banner)
    assert schema_of(Banner).item(banner)["expiresAt"] == {"N": "1762765200"}
    assert store.get(banner.key) is None


def test_an_article_says_its_format_or_has_it_found_out() -> None:
    form: dict[str, Any] = {
        "id": "p",
        "category_id": "c",
        "author_id": "u",
        "title": "t",
        "created_at": at(1, 0),
    }
    said = Post(contents="# 봄", contents_format="text", **form)
    assert (said.format, Post(contents="# 봄", **form).format) == ("text", "markdown")


def test_an_id_of_an_old_table_is_no_id_of_a_category() -> None:
    """A pointer and a post differ by their keys, although both begin with POST#."""
    pointer = PostPointer(asked="p001", id="p001", category_id="c001", kind="post")
    assert (pointer.key.pk, pointer.key.sk) == ("POST#p001", "METADATA")


def _site_entities() -> list[type[SiteEntity]]:
    return [each for each in entities_of(SITE) if issubclass(each, SiteEntity)]
