"""Data sets of the news: the stories of each UTC day, with their article texts."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from datetime import date, timedelta
from functools import partial
from typing import TYPE_CHECKING, Any, Final

from gotgan.domains.news import models
from gotgan.domains.news.models import NewsBody, NewsItem
from gotgan.exports.data_sets import Column, DataSet, ExportSpan, Partition, Row, digest
from gotgan.store.batches import chunks

if TYPE_CHECKING:
    from gotgan.domain import Core
    from gotgan.store import Store

MAX_EMPTY_DAYS: Final = 366
"""Without a first day, how many days without news end the search for earlier ones."""
_BATCH_GET_SIZE: Final = 100
_DAY: Final = timedelta(days=1)
_STATE: Final = ("state", "outcome", "attempts", "changed_at")
_COLUMNS: Final = (
    Column("pk"),
    Column("source"),
    Column("title"),
    Column("url"),
    Column("tickers", "texts"),
    Column("uploaded_at", "moment"),
    Column("date_utc", "day"),
    Column("date_new_york", "day"),
    Column("date_seoul", "day"),
    Column("text_state"),
    Column("text_outcome"),
    Column("text_attempts", "integer"),
    Column("text_error"),
    Column("text_changed_at", "moment"),
    Column("article_title"),
    Column("author"),
    Column("provider"),
    Column("published_at", "moment"),
    Column("language"),
    Column("word_count", "integer"),
    Column("is_cut", "boolean"),
    Column("text"),
)


def data_sets(core: Core) -> tuple[DataSet, ...]:
    """The data sets of the news."""
    return news_data_sets(core.store)


def news_data_sets(store: Store) -> tuple[DataSet, ...]:
    """The same, on a store."""
    return (DataSet("stories", _COLUMNS, partial(_partitions, store)),)


def _partitions(store: Store, span: ExportSpan) -> Iterator[Partition]:
    """The days with stories, the latest first; each is a query, also one without stories."""
    day, empty = min(store.clock.now().date(), span.until or date.max), 0
    while empty < MAX_EMPTY_DAYS if span.since is None else day >= span.since:
        version = _version(store, day)
        if version is not None:
            yield Partition(str(day), version, partial(_rows, store, day))
        empty = 0 if version is not None else empty + 1
        day -= _DAY


def _version(store: Store, day: date) -> str | None:
    """A text that changes with a new story, and with the state of an article; None without any."""
    found: list[str] = []
    for items in _chunks(store, day):
        bodies = _bodies(store, items, only=_STATE)
        found += (digest([each.pk, *_state(bodies.get(each.pk))]) for each in items)
    return digest(found) if found else None


def _state(body: NewsBody | None) -> tuple[Any, ...]:
    return () if body is None else tuple(getattr(body, name) for name in _STATE)


def _rows(store: Store, day: date) -> Iterator[Row]:
    for items in _chunks(store, day):
        bodies = _bodies(store, items)
        for item in items:
            yield (*_item_values(item), *_body_values(bodies.get(item.pk)))


def _chunks(store: Store, day: date) -> Iterator[Sequence[NewsItem]]:
    return chunks(store.iterate(models.news_of_day(day), at_most=None), _BATCH_GET_SIZE)


def _bodies(
    store: Store, items: Sequence[NewsItem], only: Sequence[str] = ()
) -> dict[str, NewsBody]:
    """The articles of some stories, by their keys."""
    refs = [models.news_body(each.pk) for each in items]
    return {each.pk: each for each in store.get_all(refs, only=only)}


def _item_values(item: NewsItem) -> Row:
    days = (item.dt_utc, item.dt_est, item.dt_kst)
    stored = (item.pk, item.source, item.title, item.url, item.tickers, item.uploaded_at)
    return (*stored, *map(date.fromisoformat, days))


def _body_values(body: NewsBody | None) -> Row:
    """The values of an article; one that was never tried has the state NEVER."""
    if body is None:
        return ("NEVER", None, 0, *[None] * 10)
    return (
        *(body.state, body.outcome, body.attempts, body.error, body.changed_at),
        *(body.title, body.author, body.provider, body.published_at, body.language),
        *(body.word_count, body.is_cut, body.text),
    )
