"""The table and its items as the typed store declares them, and as PynamoDB does.

An item has ten attributes and about 400 bytes, and both indexes hold it whole.
"""

from __future__ import annotations

from datetime import UTC, datetime, timedelta
from typing import Any

from pynamodb.attributes import ListAttribute, NumberAttribute, UnicodeAttribute
from pynamodb.indexes import AllProjection, GlobalSecondaryIndex
from pynamodb.models import Model

from gotgan.clock import utc_iso
from gotgan.store import Entity, Id, IndexKey, Key, Table
from gotgan.store.tables import number

__all__ = ["ARTICLES", "Article", "address", "article", "pynamo_model"]

ARTICLES = Table("bench-typed", pk="pk", sk="sk")
_BY_TOPIC = ARTICLES.index("by-topic", pk="topic", sk="published")
_BY_RANK = ARTICLES.index("by-rank", pk="source", sk=number("rank"))

_START = datetime(2025, 1, 1, tzinfo=UTC)
_NOTE = "Seoul, New York and back again: what is kept, and why it is kept once. " * 3


class Article(Entity, table=ARTICLES):
    """Something that was found at an address."""

    key = Key("SOURCE#{source}", "URL#{url}")
    by_topic = IndexKey(_BY_TOPIC, "{topic}", "{published}")
    by_rank = IndexKey(_BY_RANK, "{source}", "{rank}")

    source: Id
    url: Id
    topic: Id
    published: Id  # a moment, as text: no other contestant turns it into one
    rank: int
    title: str
    note: str
    tags: tuple[str, ...]


def article(source: str, place: int) -> Article:
    """The article in this place of a source."""
    return Article(
        source=source,
        url=address(place),
        topic=f"{source}-news",
        published=utc_iso(_START + timedelta(seconds=place)),
        rank=place,
        title=f"The {place}th thing that was found there",
        note=_NOTE[:180],
        tags=("kept", "found", "new"),
    )


def address(place: int) -> str:
    """The address of the article in this place."""
    return f"https://example.com/{place:012d}"


def pynamo_model(endpoint: str) -> Any:
    """The same table as a PynamoDB model."""

    class ByTopic(GlobalSecondaryIndex["PynamoArticle"]):  # type: ignore[no-untyped-call]
        class Meta:
            index_name = "by-topic"
            projection = AllProjection()

        topic = UnicodeAttribute(hash_key=True)
        published = UnicodeAttribute(range_key=True)

    class PynamoArticle(Model):
        class Meta:
            table_name = ARTICLES.name
            host = endpoint
            region = "us-east-1"
            aws_access_key_id = "bench"
            aws_secret_access_key = "bench"

        pk = UnicodeAttribute(hash_key=True)
        sk = UnicodeAttribute(range_key=True)
        source = UnicodeAttribute()
        url = UnicodeAttribute()
        topic = UnicodeAttribute()
        published = UnicodeAttribute()
        rank = NumberAttribute()
        title = UnicodeAttribute()
        note = UnicodeAttribute()
        tags: ListAttribute[UnicodeAttribute] = ListAttribute(of=UnicodeAttribute)
        by_topic = ByTopic()

    return PynamoArticle
