"""Old rows: their kinds, what each attribute becomes, and their timestamps."""

from __future__ import annotations

import hashlib
from base64 import b64encode
from collections.abc import Collection, Mapping
from dataclasses import dataclass, replace
from datetime import UTC, datetime
from functools import cached_property
from typing import Any, Final

import orjson

from gotgan.domains.site import models
from gotgan.domains.site.keys import BY_TYPE, SITE
from gotgan.messages import Message
from gotgan.store.attributes import AttributeValue, Item
from gotgan.store.schema import Schema, schema_of

UNKNOWN_MOMENT: Final = datetime(1970, 1, 1, tzinfo=UTC)
"""When a row was made that has no moment that can be read."""

_MILLISECONDS_FROM: Final = 100_000_000_000
"""From here on a number counts milliseconds: as seconds it would be beyond the year 5000."""


def parse_moment(value: AttributeValue | None) -> datetime | None:
    """The time in an attribute; None if it is missing or invalid."""
    if value is None:
        return None
    if "N" in value:
        number = value["N"]
        count = float(number)
        seconds = count / 1000 if count >= _MILLISECONDS_FROM else count
        try:
            return _in_range(datetime.fromtimestamp(seconds, UTC))
        except (OSError, OverflowError, ValueError):
            return None
    text = value.get("S")
    return None if text is None else parse_text_moment(text)


def parse_text_moment(text: str) -> datetime | None:
    """The moment that a text names; one without a zone is in UTC."""
    try:
        read = datetime.fromisoformat(text.strip())
    except ValueError:
        return None
    return _in_range(read.replace(tzinfo=UTC) if read.tzinfo is None else read)


def _in_range(read: datetime) -> datetime | None:
    """Ids hold no moments before 1970; a row that says so is taken for a mistake."""
    try:
        moved = read.astimezone(UTC)
    except OverflowError:
        return None
    return moved if moved >= UNKNOWN_MOMENT else None


_SETS: Final = frozenset({"SS", "NS", "BS"})


@dataclass(frozen=True, eq=False)
class RowKind:
    """One of the old tables, and the entity that its rows become."""

    name: str
    entity: type[models.SiteEntity]
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
    def mapped_attributes(self) -> frozenset[str]:
        """The old attributes that have a home in the new entity."""
        return frozenset({*self.texts, *self.others, "createdAt", "updatedAt"})

    @cached_property
    def reserved_names(self) -> frozenset[str]:
        """Names that nothing foreign may have: they mean something in the new table."""
        keys = {key.name for key in (*SITE.keys, *BY_TYPE.keys)}
        return self.schema.owned | keys | ({SITE.ttl} if SITE.ttl else set())

    @cached_property
    def origin_names(self) -> frozenset[str]:
        """The attributes that the origin decides; what else an item has was added here."""
        fields = {*self.texts.values(), *self.decided, "id", "created_at", "updated_at"}
        return frozenset({*map(self.schema.attribute, fields), BY_TYPE.pk.name})


POSTS: Final = RowKind(
    "posts",
    models.Post,
    "postId",
    {"title": "title", "thumbnailUrl": "thumbnail_url", "author": "author"},
    ("postId", "category", "content", "status"),
    ("category_id", "author_id", "contents", "contents_format", "legacy_id"),
)
DRAFTS: Final = replace(POSTS, entity=models.Draft)
"""Rows among the posts that are not public yet."""
CATEGORIES: Final = RowKind(
    "categories",
    models.Category,
    "categoryId",
    {"name": "title", "description": "desc"},
    ("categoryId", "slug", "order"),
    ("order",),  # a slug is never changed here, so the origin does not decide it
)
CORP: Final = RowKind(
    "corp",
    models.CorpInfo,
    "corpMetaId",
    {each: each for each in ("name", "address", "email", "ceo", "hp")} | {"corpNum": "corp_num"},
)
CONTACT: Final = RowKind(
    "contact",
    models.ContactInquiry,
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

    topic: Message
    example: str


@dataclass(frozen=True, slots=True)
class OldRow:
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
    def origin_names(self) -> Collection[str]:
        """The attributes that the origin decides about this row."""
        return (
            self.kind.origin_names | self.foreign.keys() if self.foreign else self.kind.origin_names
        )


def age_key(old: OldRow) -> tuple[datetime, str]:
    """Sorts rows by age, the oldest first."""
    return old.made_at, old.old_id


def digest(item: Item) -> tuple[bytes, int]:
    """What two items have in common only if they are the same, and about how large one is."""
    written = orjson.dumps(
        _sorted_item(item),
        default=lambda content: b64encode(content).decode("ascii"),
        option=orjson.OPT_SORT_KEYS,
    )
    return hashlib.blake2b(written, digest_size=16).digest(), len(written)


def _sorted_item(item: Item) -> Item:
    """An item whose sets are in order: DynamoDB gives them back in any."""
    if all("S" in value or "N" in value for value in item.values()):
        return item
    return {name: _sorted_value(value) for name, value in item.items()}


def _sorted_value(value: AttributeValue) -> AttributeValue:
    [(kind, content)] = value.items()
    if kind in _SETS:
        return {kind: sorted(content)}
    if kind == "M":
        return {kind: _sorted_item(content)}
    return {kind: [_sorted_value(each) for each in content]} if kind == "L" else value
