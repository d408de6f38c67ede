"""The site's table is that of its document: six kinds of items, one index, each access pattern."""

from __future__ import annotations

from collections.abc import Iterator
from datetime import UTC, datetime
from typing import Any

import pytest

from gotgan.clock import FixedClock
from gotgan.domains.site import patterns
from gotgan.domains.site.keys import BY_TYPE, FEW_TYPES, SITE
from gotgan.domains.site.models import Banner, Category, ContactInquiry, CorpInfo, Post, User
from gotgan.store import ALL, Entity, FewValues, Pattern, Store, entities_of, patterns_of
from gotgan.store.attributes import encode
from gotgan.store.schema import schema_of
from tests.unit.domains.wire import condition, stored

KINDS: list[type[Entity]] = [User, Category, Post, Banner, CorpInfo, ContactInquiry]


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


@pytest.fixture
def store() -> Iterator[Store]:
    with Store.in_memory(clock=FixedClock(at(20, 0))) as opened:
        opened.create(SITE)
        yield opened


def test_the_table_and_its_one_index_are_those_of_the_document() -> None:
    assert SITE.name == "FMWebAppTable"
    assert [key.name for key in SITE.keys] == ["PK", "SK"]
    assert (SITE.billing, SITE.stream, SITE.ttl) == (None, None, "expiresAt")
    assert list(SITE.indexes) == ["Type_CreatedAt"]
    assert [key.name for key in BY_TYPE.keys] == ["Type", "CreatedAt"]
    assert BY_TYPE.project == ALL
    assert set(SITE.attribute_types().values()) == {"S"}


def test_its_entities_are_those_of_the_document() -> None:
    assert entities_of(SITE)[: len(KINDS)] == KINDS


@pytest.mark.parametrize(
    ("instance", "document"), EXAMPLES, ids=[type(each).__name__ for each, _ in EXAMPLES]
)
def test_an_item_is_stored_as_the_document_shows_and_read_back(
    store: Store, instance: Entity, document: dict[str, Any]
) -> None:
    assert stored(store, instance) == document


@pytest.mark.parametrize(
    ("instance", "document"), EXAMPLES, ids=[type(each).__name__ for each, _ in EXAMPLES]
)
def test_an_item_that_others_wrote_is_read_and_written_without_a_trace(
    instance: Entity, document: dict[str, Any]
) -> None:
    schema = schema_of(type(instance))
    theirs = {name: encode(value) for name, value in document.items()} | {"extra": {"N": "1"}}
    read = schema.load(theirs)
    assert read == instance
    assert schema.item(read) == theirs


@pytest.mark.parametrize("kind", KINDS)
def test_the_few_types_are_acknowledged_with_a_reason(kind: type[Entity]) -> None:
    [key] = schema_of(kind).index_keys
    assert key.acknowledged == (FEW_TYPES,)
    assert isinstance(FEW_TYPES, FewValues)
    assert FEW_TYPES.reason


PK_AND_SK = 'PK = "{}" AND SK = "{}"'
TABLE_OF_PATTERNS: list[tuple[Pattern[..., Any], str]] = [
    (patterns.user, PK_AND_SK.format("USER#{user_id}", "METADATA")),
    (patterns.category, PK_AND_SK.format("CATEGORY#{category_id}", "METADATA")),
    (patterns.posts_in, 'PK = "CATEGORY#{category_id}" AND begins_with(SK, "POST#")'),
    (patterns.post, PK_AND_SK.format("CATEGORY#{category_id}", "POST#{post_id}")),
    (patterns.all_banners, 'Type = "Banner"'),
    (patterns.company, PK_AND_SK.format("CORP#INFO", "METADATA")),
    # Said in the text around the table, or missing from the key builder.
    (patterns.banner, PK_AND_SK.format("BANNER#{banner_id}", "METADATA")),
    (patterns.inquiry, PK_AND_SK.format("CONTACT#{inquiry_id}", "METADATA")),
    (patterns.category_with_posts, 'PK = "CATEGORY#{category_id}"'),
    (patterns.all_users, 'Type = "User"'),
    (patterns.all_categories, 'Type = "Category"'),
    (patterns.all_posts, 'Type = "Post"'),
    (patterns.all_inquiries, 'Type = "ContactInquiry"'),
]


@pytest.mark.parametrize(
    ("pattern", "expected"), TABLE_OF_PATTERNS, ids=[each.name for each, _ in TABLE_OF_PATTERNS]
)
def test_each_access_pattern_has_the_key_condition_of_the_document(
    pattern: Pattern[..., Any], expected: str
) -> None:
    [read] = pattern.reads
    assert condition(read) == expected
    assert read.filter == ""
    assert (read.index is BY_TYPE) is pattern.name.startswith("all_")


def test_no_access_pattern_is_left_out_of_the_table() -> None:
    listed = {pattern.name for pattern, _ in TABLE_OF_PATTERNS}
    assert {pattern.name for pattern in patterns_of(SITE)} == listed


def test_lists_come_newest_first() -> None:
    lists = [each for each in patterns_of(SITE) if each.name.startswith("all_")]
    assert all(read.newest_first for each in [*lists, patterns.posts_in] for read in each.reads)


@pytest.mark.parametrize(
    ("ref", "key"),
    [
        (patterns.user("u001"), ("USER#u001", "METADATA")),
        (patterns.category("c001"), ("CATEGORY#c001", "METADATA")),
        (patterns.post("c001", "p001"), ("CATEGORY#c001", "POST#p001")),
        (patterns.banner("bn001"), ("BANNER#bn001", "METADATA")),
        (patterns.company(), ("CORP#INFO", "METADATA")),
        (patterns.inquiry("inq001"), ("CONTACT#inq001", "METADATA")),
    ],
)
def test_keys_are_built_as_the_document_builds_them(ref: Any, key: tuple[str, str]) -> None:
    assert (ref.pk, ref.sk) == key


def test_the_patterns_find_the_items_of_the_document(store: Store) -> None:
    user, category, post, banner, company, inquiry = (instance for instance, _ in EXAMPLES)
    store.put_all([instance for instance, _ in EXAMPLES])
    assert store.query(patterns.category_with_posts("c001")).items == (category, post)
    assert store.query(patterns.posts_in("c001")).items == (post,)
    assert store.query(patterns.all_banners()).items == (banner,)
    assert store.query(patterns.all_inquiries()).items == (inquiry,)
    assert store.get(patterns.company()) == company
    assert store.get(patterns.user("u001")) == user


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
    assert store.query(patterns.posts_in("c001")).items == ()


def test_an_expiry_is_a_number_of_seconds_and_hides_at_once(store: Store) -> None:
    banner = Banner(id="b", title="t", img_uri="i", created_at=at(1, 0), expires_at=at(20, 0))
    store.put_new(banner)
    assert schema_of(Banner).item(banner)["expiresAt"] == {"N": "1763596800"}
    assert store.get(patterns.banner("b")) is None
