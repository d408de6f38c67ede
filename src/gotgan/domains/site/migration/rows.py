"""Old rows as they are read, and what of them goes where."""

from __future__ import annotations

import hashlib
from base64 import b64encode
from collections.abc import Collection, Mapping
from dataclasses import dataclass, replace
from datetime import datetime
from functools import cached_property
from typing import Any, Final

import orjson

from gotgan.domains.site.keys import BY_TYPE, SITE
from gotgan.domains.site.models import (
    Category,
    ContactInquiry,
    CorpInfo,
    Draft,
    Post,
    SiteEntity,
)
from gotgan.store.attributes import AttributeValue, Item
from gotgan.store.schema import Schema, schema_of

__all__ = [
    "CATEGORIES",
    "CONTACT",
    "CORP",
    "DRAFTS",
    "KINDS",
    "POSTS",
    "Note",
    "Old",
    "RowKind",
    "digest",
]

_SETS: Final = frozenset({"SS", "NS", "BS"})


@dataclass(frozen=True, eq=False)
class RowKind:
    """One of the old tables, and the entity that its rows become."""

    name: str
    entity: type[SiteEntity]
    key: str
    """The attribute that identified an old row."""
    texts: Mapping[str, str]
    """Old attributes that hold text, and the fields that they become."""
    others: tuple[str, ...] = ()
    """Old attributes that become something in another way."""
    decided: tuple[str, ...] = ()
    """Fields that come from elsewhere than one attribute."""

    @cached_property
    def schema(self) -> Schema:
        """How the entity is stored."""
        return schema_of(self.entity)

    @cached_property
    def consumed(self) -> frozenset[str]:
        """The old attributes that have a home in the new entity."""
        return frozenset({*self.texts, *self.others, "createdAt", "updatedAt"})

    @cached_property
    def taken(self) -> frozenset[str]:
        """Names that nothing foreign may have: they mean something in the new table."""
        keys = {key.name for key in (*SITE.keys, *BY_TYPE.keys)}
        return self.schema.owned | keys | ({SITE.ttl} if SITE.ttl else set())

    @cached_property
    def spoken(self) -> frozenset[str]:
        """The attributes that the origin decides; what else an item has was added here."""
        fields = {*self.texts.values(), *self.decided, "id", "created_at", "updated_at"}
        return frozenset({*map(self.schema.attribute, fields), BY_TYPE.pk.name})


POSTS: Final = RowKind(
    "posts",
    Post,
    "postId",
    {"title": "title", "thumbnailUrl": "thumbnail_url", "author": "author"},
    ("postId", "category", "content", "status"),
    ("category_id", "author_id", "contents", "contents_format", "legacy_id"),
)
DRAFTS: Final = replace(POSTS, entity=Draft)
"""Rows among the posts that are not public yet."""
CATEGORIES: Final = RowKind(
    "categories",
    Category,
    "categoryId",
    {"name": "title", "description": "desc"},
    ("categoryId", "slug", "order"),
    ("order",),  # a slug is never changed here, so the origin does not decide it
)
CORP: Final = RowKind(
    "corp",
    CorpInfo,
    "corpMetaId",
    {each: each for each in ("name", "address", "email", "ceo", "hp")} | {"corpNum": "corp_num"},
)
CONTACT: Final = RowKind(
    "contact",
    ContactInquiry,
    "inquiryId",
    {each: each for each in ("company", "title", "name", "email", "referral", "subject", "message")}
    | {"notifiedEmail": "notified_email", "firstReplyMessage": "first_reply_message"},
    ("inquiryId", "status"),
    ("status",),
)
KINDS: Final = (CATEGORIES, CORP, POSTS, CONTACT)
"""In the order in which they are copied."""


@dataclass(frozen=True, slots=True)
class Note:
    """Something that had to be decided for a row."""

    topic: str
    example: str


@dataclass(frozen=True, slots=True)
class Old:
    """An old row, understood."""

    kind: RowKind
    old_id: str
    fields: dict[str, Any]
    """The fields of the entity, but for those that others must resolve."""
    foreign: Item
    """What has no home, under the names that it is kept under."""
    made_at: datetime
    """To the microsecond: ids sort by it."""
    digest: bytes
    size: int
    notes: tuple[Note, ...] = ()
    category: str | None = None
    author: str | None = None
    contents: AttributeValue | None = None
    """As the old table has them."""

    @property
    def updated_at(self) -> datetime:
        """When it was last changed at the origin, in whole seconds."""
        at: datetime = self.fields["updated_at"]
        return at.replace(microsecond=0)

    @property
    def spoken(self) -> Collection[str]:
        """The attributes that the origin decides about this row."""
        return self.kind.spoken | self.foreign.keys() if self.foreign else self.kind.spoken


def digest(item: Item) -> tuple[bytes, int]:
    """What two items have in common only if they are the same, and about how large one is."""
    written = orjson.dumps(_sorted(item), default=_base64, option=orjson.OPT_SORT_KEYS)
    return hashlib.blake2b(written, digest_size=16).digest(), len(written)


def _sorted(item: Item) -> Item:
    """An item whose sets are in order: DynamoDB gives them back in any."""
    if all("S" in value or "N" in value for value in item.values()):
        return item
    return {name: _value(value) for name, value in item.items()}


def _value(value: AttributeValue) -> AttributeValue:
    [(kind, content)] = value.items()
    if kind in _SETS:
        return {kind: sorted(content)}
    if kind == "M":
        return {kind: _sorted(content)}
    return {kind: [_value(each) for each in content]} if kind == "L" else value


def _base64(content: Any) -> str:
    return b64encode(content).decode("ascii")
