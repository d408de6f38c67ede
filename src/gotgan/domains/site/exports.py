"""Data sets of the site: its posts, all of which are public."""

from __future__ import annotations

from collections.abc import Iterator
from functools import partial
from typing import TYPE_CHECKING, Final

from gotgan.domains.site import patterns
from gotgan.domains.site.content import plain_text
from gotgan.domains.site.resource import skip_bad_item
from gotgan.exports.data_sets import Column, DataSet, ExportSpan, Partition, Row, digest

if TYPE_CHECKING:
    from gotgan.domain import Core
    from gotgan.store import Store

_COLUMNS: Final = (
    Column("id"),
    Column("category_id"),
    Column("author_id"),
    Column("author"),
    Column("title"),
    Column("format"),
    Column("text"),
    Column("created_at", "moment"),
    Column("updated_at", "moment"),
    Column("version", "integer"),
)


def data_sets(core: Core) -> tuple[DataSet, ...]:
    """The data sets of the site; what is not public is not exported."""
    return site_data_sets(core.store)


def site_data_sets(store: Store) -> tuple[DataSet, ...]:
    """The same, on a store."""
    return (DataSet("posts", _COLUMNS, partial(_partitions, store), by=None, forgets=True),)


def _partitions(store: Store, _span: ExportSpan) -> Iterator[Partition]:
    """One file: posts change after their day."""
    seen = [
        (post.id, post.version)
        for post in store.iterate(patterns.all_posts(), at_most=None, on_bad=skip_bad_item)
    ]
    if seen:
        yield Partition("", digest(seen), partial(_rows, store))


def _rows(store: Store) -> Iterator[Row]:
    for post in store.iterate(patterns.all_posts(), at_most=None, on_bad=skip_bad_item):
        yield (
            *(post.id, post.category_id, post.author_id, post.author, post.title, post.format),
            plain_text(post.contents, post.format),
            *(post.created_at, post.updated_at, post.version),
        )
