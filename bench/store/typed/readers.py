"""Who reads: the typed store in process and over HTTP, boto3's resource, PynamoDB.

What a program would write for a single read is what is timed: keys and queries are made anew for
each, and only where a page begins is known beforehand.
"""

from __future__ import annotations

from typing import Any, Final, Protocol

import boto3
from boto3.dynamodb.conditions import Key

from bench.store.typed.model import ARTICLES, Article, article, pynamo_model
from gotgan.store import Query, Store

__all__ = ["ARCHIVE", "PAGE", "PynamoReader", "Reader", "ResourceReader", "TypedReader"]

ARCHIVE: Final = "archive"
"""The source whose articles are there before anything is timed."""
PAGE: Final = 100

_PARTITION: Final = f"SOURCE#{ARCHIVE}"
_TOPIC: Final = article(ARCHIVE, 0).topic


class Reader(Protocol):
    """One way to read what is in the archive; its pages are numbered from 0."""

    def get(self, url: str) -> Any:
        """One article, or None."""

    def page(self, number: int) -> list[Any]:
        """A page of the archive, by its key in the table."""

    def index_page(self, number: int) -> list[Any]:
        """A page of the archive's topic, by its key in an index."""


class TypedReader:
    """The typed store, whatever its driver."""

    def __init__(self, store: Store, articles: int) -> None:
        self._store = store
        self._cursors = _cursors(store, Article.key.query(source=ARCHIVE), articles)
        self._index_cursors = _cursors(store, Article.by_topic.query(topic=_TOPIC), articles)

    def get(self, url: str) -> Any:
        """One article, or None."""
        return self._store.get(Article.key(source=ARCHIVE, url=url))

    def page(self, number: int) -> list[Any]:
        """A page of the archive."""
        query = Article.key.query(source=ARCHIVE)
        return list(self._store.query(query, limit=PAGE, cursor=self._cursors[number]))

    def index_page(self, number: int) -> list[Any]:
        """A page of the archive's topic."""
        query = Article.by_topic.query(topic=_TOPIC)
        return list(self._store.query(query, limit=PAGE, cursor=self._index_cursors[number]))


class ResourceReader:
    """boto3's resource, whose items are dictionaries of Python values."""

    def __init__(self, endpoint: str, articles: int) -> None:
        self._table = boto3.resource(
            "dynamodb",
            endpoint_url=endpoint,
            region_name="us-east-1",
            aws_access_key_id="bench",
            aws_secret_access_key="bench",
        ).Table(ARTICLES.name)
        self._starts = [_start(last) for last in _last_keys(articles)]
        self._index_starts = [_start(last) for last in _last_index_keys(articles)]

    def get(self, url: str) -> Any:
        """One article, or None."""
        return self._table.get_item(Key={"pk": _PARTITION, "sk": f"URL#{url}"}).get("Item")

    def page(self, number: int) -> list[Any]:
        """A page of the archive."""
        wanted = Key("pk").eq(_PARTITION)
        return self._query(KeyConditionExpression=wanted, **self._starts[number])

    def index_page(self, number: int) -> list[Any]:
        """A page of the archive's topic."""
        request = {"IndexName": "by-topic", "KeyConditionExpression": Key("topic").eq(_TOPIC)}
        return self._query(**request, **self._index_starts[number])

    def _query(self, **request: Any) -> list[Any]:
        found: list[Any] = self._table.query(Limit=PAGE, **request)["Items"]
        return found


class PynamoReader:
    """PynamoDB, whose items are models."""

    def __init__(self, endpoint: str, articles: int) -> None:
        self._model = pynamo_model(endpoint)
        self._starts = [_wire(last) for last in _last_keys(articles)]
        self._index_starts = [_wire(last) for last in _last_index_keys(articles)]

    def get(self, url: str) -> Any:
        """One article; it raises where there is none."""
        return self._model.get(_PARTITION, f"URL#{url}")

    def page(self, number: int) -> list[Any]:
        """A page of the archive."""
        start = self._starts[number]
        return list(self._model.query(_PARTITION, limit=PAGE, last_evaluated_key=start))

    def index_page(self, number: int) -> list[Any]:
        """A page of the archive's topic."""
        start = self._index_starts[number]
        return list(self._model.by_topic.query(_TOPIC, limit=PAGE, last_evaluated_key=start))


def _cursors(store: Store, query: Query[Article], articles: int) -> list[str | None]:
    """Where each page begins, found by turning them."""
    cursors: list[str | None] = [None]
    while len(cursors) < articles // PAGE:
        cursors.append(store.query(query, limit=PAGE, cursor=cursors[-1]).cursor)
    return cursors


def _last_keys(articles: int) -> list[dict[str, str] | None]:
    """The key behind which each page begins; None is the beginning."""
    lasts = (article(ARCHIVE, place - 1) for place in range(PAGE, articles, PAGE))
    return [None, *({"pk": _PARTITION, "sk": f"URL#{last.url}"} for last in lasts)]


def _last_index_keys(articles: int) -> list[dict[str, str] | None]:
    found: list[dict[str, str] | None] = [None]
    for number, last in enumerate(_last_keys(articles)[1:], start=1):
        published = article(ARCHIVE, number * PAGE - 1).published
        found.append({**(last or {}), "topic": _TOPIC, "published": published})
    return found


def _start(last: dict[str, str] | None) -> dict[str, Any]:
    return {} if last is None else {"ExclusiveStartKey": last}


def _wire(last: dict[str, str] | None) -> dict[str, Any] | None:
    return None if last is None else {name: {"S": text} for name, text in last.items()}
