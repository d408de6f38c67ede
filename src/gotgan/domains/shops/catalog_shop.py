"""The part of the catalog that one shop has."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, replace
from datetime import datetime, timedelta
from itertools import groupby
from operator import itemgetter
from typing import Any, Final

import orjson
from sqlalchemy import Connection, RowMapping, delete, func, select

from gotgan.domains.shops import keys, messages
from gotgan.domains.shops.catalog_rows import change_row, product_row
from gotgan.domains.shops.changes import log_bad_change
from gotgan.domains.shops.extract import Status
from gotgan.domains.shops.models import Change, ShopPage, url_digest
from gotgan.domains.shops.tables import CATALOG, CHANGES, PRODUCTS
from gotgan.errors import BadItem, StoreUnreachable
from gotgan.events import emit
from gotgan.sql import Database, Lease, upsert
from gotgan.store import Store
from gotgan.store.batches import chunks

_BATCH_SIZE: Final = 500
_CHANGE_OVERLAP: Final = timedelta(minutes=2)
"""A crawl and a scrape of a shop may write changes at the same moment, by different clocks."""
_PRODUCT: Final = "product"


@dataclass(frozen=True)
class SeenShop:
    """What an index or the item of a shop says; what it does not have is None."""

    domain: str
    country: str | None
    crawled_at: datetime | None = None
    scraped_at: datetime | None = None
    is_running: bool = False
    is_stale: bool = False

    def merged(self, other: SeenShop) -> SeenShop:
        """Both together."""
        return replace(
            self,
            crawled_at=self.crawled_at or other.crawled_at,
            scraped_at=self.scraped_at or other.scraped_at,
            is_running=self.is_running or other.is_running,
            is_stale=self.is_stale or other.is_stale,
        )

    def has_ended_since(self, row: RowMapping | None) -> bool:
        """Whether all its products have to be read."""
        if row is None or self.is_stale or row["is_stale"] or row["country"] != self.country:
            return True
        ends = ((self.crawled_at, row["crawled_at"]), (self.scraped_at, row["scraped_at"]))
        return any(now is not None and now != then for now, then in ends)


class ShopUpdate:
    """Reads what is new of one shop; ``row`` says how far it was read before."""

    def __init__(
        self,
        store: Store,
        database: Database,
        lease: Lease,
        seen: SeenShop,
        row: RowMapping | None,
    ) -> None:
        self._store, self._database, self._lease = store, database, lease
        self._seen, self._row, self._domain = seen, row, seen.domain
        self._changes_at: datetime | None = None if row is None else row["changes_at"]
        self._changed_urls: dict[str, None] = {}
        self._products: set[str] | None = None
        self._change_keys: set[tuple[datetime, str]] | None = None

    def read_changes(self, *, everything: bool) -> None:
        """Copy the changes since the newest that was read, or all of them."""
        if self._changes_at is None or everything:
            query = keys.changes_of(self._domain)
        else:
            query = keys.changes_since(self._domain, self._changes_at - _CHANGE_OVERLAP)
        found = self._store.iterate(query, at_most=None, on_bad=log_bad_change)
        self._change_keys = set() if everything else None
        for batch in chunks(found, _BATCH_SIZE):
            if self._change_keys is not None:
                self._change_keys |= {(each.seen_at, url_digest(each.url)) for each in batch}
            with fenced(self._database, self._lease) as connection:
                new = batch if everything else _new_changes(connection, self._domain, batch)
                upsert(connection, CHANGES, [change_row(each) for each in new])
            self._changed_urls |= dict.fromkeys(each.url for each in new)
            newest = max(each.seen_at for each in batch)
            self._changes_at = max(filter(None, (self._changes_at, newest)))

    def read_products(self) -> None:
        """Read all product pages."""
        self._products = set()
        query = keys.pages_of_type(self._domain, _PRODUCT)
        pages = self._store.iterate(query, at_most=None, on_bad=_log_bad_page)
        for batch in chunks(pages, _BATCH_SIZE):
            self._write(batch)
            self._products |= {url_digest(page.url) for page in batch}

    def finish(self, *, has_ended: bool, is_settled: bool) -> None:
        """Write what is left, and how far the shop was read, in one transaction."""
        seen, row = self._seen, self._row
        changed = [] if self._products is not None else self._changed_pages()
        with fenced(self._database, self._lease) as connection:
            self._upsert_products(connection, changed)
            if self._change_keys is not None:
                _drop_other_changes(connection, self._domain, self._change_keys)
            if self._products is not None:
                _drop_others(connection, self._domain, self._products)
            is_read = has_ended and is_settled
            kept = {} if row is None else dict(row)
            place = {
                "domain": self._domain,
                "country": seen.country,
                "crawled_at": kept.get("crawled_at"),
                "scraped_at": kept.get("scraped_at"),
                "changes_at": self._changes_at,
                "is_running": seen.is_running,
                "is_stale": has_ended and not is_settled,
            }
            if is_read:
                place["crawled_at"] = seen.crawled_at or place["crawled_at"]
                place["scraped_at"] = seen.scraped_at or place["scraped_at"]
            upsert(connection, CATALOG, [place | _totals(connection, self._domain)])

    def _changed_pages(self) -> Sequence[ShopPage]:
        """The pages whose offers have changed."""
        refs = [keys.page(self._domain, url) for url in self._changed_urls]
        found = self._store.get_all(refs)
        if found.unread:
            raise StoreUnreachable(messages.STORE_BUSY())
        return [page for page in found if page.type == _PRODUCT]

    def _write(self, pages: Sequence[ShopPage]) -> None:
        with fenced(self._database, self._lease) as connection:
            self._upsert_products(connection, pages)

    def _upsert_products(self, connection: Connection, pages: Sequence[ShopPage]) -> None:
        digests = [url_digest(page.url) for page in pages]
        histories = _histories(connection, self._domain, digests)
        country = self._seen.country
        rows = [
            product_row(page, country, histories.get(digest, ()))
            for page, digest in zip(pages, digests, strict=True)
        ]
        upsert(connection, PRODUCTS, rows)


@contextmanager
def fenced(database: Database, lease: Lease) -> Iterator[Connection]:
    """A transaction that fails if another process has taken the lease."""
    with database.begin() as connection:
        database.leases.expect(connection, lease)
        yield connection


def drop_shop(database: Database, domain: str, lease: Lease | None = None) -> None:
    """Forget a shop, its products and its changes."""
    with database.begin() if lease is None else fenced(database, lease) as connection:
        for table in (PRODUCTS, CHANGES, CATALOG):
            connection.execute(delete(table).where(table.c.domain == domain))


def _new_changes(connection: Connection, domain: str, found: Sequence[Change]) -> Sequence[Change]:
    """Those that the table does not have yet."""
    first, last = min(each.seen_at for each in found), max(each.seen_at for each in found)
    query = select(CHANGES.c.seen_at, CHANGES.c.digest).where(
        CHANGES.c.domain == domain, CHANGES.c.seen_at.between(first, last)
    )
    known = {tuple(row) for row in connection.execute(query)}
    return [each for each in found if (each.seen_at, url_digest(each.url)) not in known]


def _histories(
    connection: Connection, domain: str, digests: Sequence[str]
) -> dict[str, Sequence[RowMapping]]:
    """The changes of some products, the oldest first."""
    query = (
        select(CHANGES)
        .where(CHANGES.c.domain == domain, CHANGES.c.digest.in_(digests))
        .order_by(CHANGES.c.digest, CHANGES.c.seen_at)
    )
    rows = connection.execute(query).mappings().all() if digests else ()
    return {digest: list(found) for digest, found in groupby(rows, key=itemgetter("digest"))}


def _drop_others(connection: Connection, domain: str, products: set[str]) -> None:
    """Drop the rows of pages that are products no more."""
    query = select(PRODUCTS.c.digest).where(PRODUCTS.c.domain == domain)
    others: Iterable[str] = set(connection.execute(query).scalars()) - products
    for batch in chunks(others, _BATCH_SIZE):
        found = PRODUCTS.c.domain == domain, PRODUCTS.c.digest.in_(batch)
        connection.execute(delete(PRODUCTS).where(*found))


def _drop_other_changes(
    connection: Connection, domain: str, known: set[tuple[datetime, str]]
) -> None:
    """Drop the rows of changes that are in the table of the shops no more."""
    query = select(CHANGES.c.seen_at, CHANGES.c.digest).where(CHANGES.c.domain == domain)
    for seen_at, digest in {tuple(row) for row in connection.execute(query)} - known:
        found = CHANGES.c.digest == digest, CHANGES.c.seen_at == seen_at
        connection.execute(delete(CHANGES).where(CHANGES.c.domain == domain, *found))


def _totals(connection: Connection, domain: str) -> dict[str, Any]:
    """What a list of shops shows of its products."""
    removed = PRODUCTS.c.status == Status.REMOVED.value
    query = select(
        func.count(), func.count().filter(removed), func.max(PRODUCTS.c.changed_at)
    ).where(PRODUCTS.c.domain == domain)
    total, gone, changed_at = connection.execute(query).one()
    used = (
        select(PRODUCTS.c.currency)
        .where(PRODUCTS.c.domain == domain, PRODUCTS.c.currency.is_not(None))
        .distinct()
    )
    currencies = sorted(connection.execute(used).scalars())
    return {
        "products": total - gone,
        "removed": gone,
        "changed_at": changed_at,
        "currencies": orjson.dumps(currencies).decode(),
    }


def _log_bad_page(misfit: BadItem) -> None:
    emit("shops.page.bad", level="warning", reason=misfit.message)
