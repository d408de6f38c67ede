"""The verbs over all shops: their products and changes, from tables that are derived."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from contextlib import suppress
from datetime import timedelta
from typing import TYPE_CHECKING, Any, Final, TypeVar

from gotgan.domains.shops import keys, messages
from gotgan.domains.shops.models import (
    Change,
    Shop,
    Stage,
    last_times,
    postponement,
    state_of,
    url_digest,
)
from gotgan.domains.shops.params import (
    Country,
    Currency,
    Domain,
    Kind,
    MaxDeleted,
    MaxPrice,
    MinPrice,
    OfShops,
    OfStatus,
    ProductOrder,
    ProductText,
    ProductUrl,
    Since,
)
from gotgan.domains.shops.products import (
    ChangeFilter,
    ChangePage,
    ProductFilter,
    ProductHistory,
    ProductPage,
    ShopOverview,
    ShopOverviewPage,
    ShopProduct,
    ShopRemoved,
    StageOverview,
)
from gotgan.domains.shops.registration import parse_country
from gotgan.domains.shops.registry import Registry
from gotgan.domains.shops.stages import stuck_claim
from gotgan.errors import GotganError, LostRace, NotFound, UsageError
from gotgan.events import emit
from gotgan.params import Cursor, Limit
from gotgan.store import Cost
from gotgan.verbs import verb

if TYPE_CHECKING:
    from datetime import datetime

    from sqlalchemy import Connection

    from gotgan.documents import DocumentBatch
    from gotgan.domains.shops.models import Change, ChangeKind
    from gotgan.sql import Database
    from gotgan.store import Store

MAX_AGE: Final = timedelta(minutes=1)
"""Who reads an older catalog brings it up to date first."""
T = TypeVar("T")


class ShopCatalog(Registry):
    """Products and changes of all shops."""

    def __init__(self, store: Store, open_database: Callable[[], Database]) -> None:
        super().__init__(store)
        self._open_database = open_database

    # Keeping it up to date

    def refresh(self, domains: Iterable[str] = ()) -> None:
        """Bring the catalog up to date; the shops named are read in any case.

        If another process does so, or has taken over, it is left to that.
        """
        self._update(domains, everything=False)

    def rebuild(self) -> None:
        """Read all shops, products and changes again."""
        self._update((), everything=True)

    def _update(self, domains: Iterable[str], *, everything: bool) -> None:
        from gotgan.domains.shops.catalog_update import (  # noqa: PLC0415 - it loads SQLAlchemy
            LEASE,
            NAME,
            CatalogUpdate,
        )

        database = self._open_database()
        lease = database.leases.take(NAME, LEASE)
        if lease is None:
            return
        try:
            CatalogUpdate(self._store, database, lease).run(domains, everything=everything)
        except LostRace as lost:
            emit("shops.catalog.lost", reason=lost.message)
        finally:
            database.leases.give_back(lease)

    def _try_refresh(self, domains: Iterable[str] = ()) -> None:
        """Bring it up to date after work that must not fail because of it."""
        try:
            self.refresh(domains)
        except GotganError as error:
            emit("shops.catalog.failed", level="warning", reason=error.message)

    def _adopted(self, domains: Iterable[str]) -> None:
        from gotgan.domains.shops.catalog_update import mark_stale  # noqa: PLC0415 - as above

        try:
            mark_stale(self._open_database(), domains)
        except GotganError as error:
            emit("shops.catalog.failed", level="warning", reason=error.message)

    def catalog_age(self) -> datetime | None:
        """Up to when the catalog has everything; None if it was never made."""
        from gotgan.domains.shops.catalog_update import read_as_of  # noqa: PLC0415 - as above

        return read_as_of(self._open_database())

    def _current(self) -> datetime | None:
        """Up to when the catalog has everything; one that is too old is brought up to date."""
        as_of = self.catalog_age()
        if as_of is None or self._store.clock.now() - as_of > MAX_AGE:
            self.refresh()
            as_of = self.catalog_age()
        return as_of

    def _read(self, query: Callable[[Connection], T]) -> T:
        with self._open_database().read() as connection:
            return query(connection)

    def search_documents(self, mark: str | None) -> DocumentBatch:
        """The shops at first, then the products that were listed since a mark."""
        from gotgan.domains.shops import search  # noqa: PLC0415 - it loads SQLAlchemy

        is_shop, cursor = search.shop_cursor(mark)
        if is_shop or mark is None:
            page = self.page_of_shops(limit=search.PAGE_SIZE, cursor=cursor)
            return search.shop_documents(self._store, page)
        return search.product_documents(self._open_database(), mark, self._store.clock.now())

    # Reading

    @verb()
    def list(
        self, *, country: Country | None = None, limit: Limit = 100, cursor: Cursor | None = None
    ) -> ShopOverviewPage:
        """List shops of a country, or of all countries.

        Each with its last crawl and scrape and the number of its products.
        """
        from gotgan.domains.shops import queries  # noqa: PLC0415 - it loads SQLAlchemy

        as_of = self._current()
        page = self.page_of_shops(country=country, limit=limit, cursor=cursor)
        domains = [shop.domain for shop in page]
        with self._store.metered("list") as measured:
            found = self._store.get_all([keys.shop(domain) for domain in domains])
        whole = {shop.domain: shop for shop in found}
        rows = self._read(lambda connection: queries.shop_rows(connection, domains))
        shops = [(whole[name], rows.get(name)) for name in domains if name in whole]
        return ShopOverviewPage(
            tuple(_overview(shop, row, self._store.clock.now()) for shop, row in shops),
            page.cursor,
            page.cost + measured.cost,
            page.read + len(domains),
            as_of=as_of,
        )

    @verb()
    def products(  # noqa: PLR0913 - each is a filter
        self,
        text: ProductText = "",
        *,
        domains: OfShops = (),
        country: Country | None = None,
        status: OfStatus | None = None,
        currency: Currency | None = None,
        min_price: MinPrice | None = None,
        max_price: MaxPrice | None = None,
        sort: ProductOrder = "-changed",
        limit: Limit = 100,
        cursor: Cursor | None = None,
    ) -> ProductPage:
        """List products of all shops.

        Removed products keep their last price. Prices are compared as numbers, without exchange
        rates: set a currency to compare them. Sorting or filtering by price leaves out products
        without one.
        """
        from gotgan.domains.shops import queries  # noqa: PLC0415 - it loads SQLAlchemy

        wanted = ProductFilter(
            text=text,
            domains=tuple(self.get(domain).domain for domain in domains),
            country=None if country is None else parse_country(country),
            status=status,
            currency=None if currency is None else currency.upper(),
            min_price=min_price,
            max_price=max_price,
            sort=sort,
        )
        as_of = self._current()
        with self._open_database().read() as connection:
            items, following = queries.list_products(connection, wanted, limit, cursor)
            total, is_cut = len(items), False
            if cursor is not None or following is not None:
                total, is_cut = queries.count_products(connection, wanted)
        return ProductPage(
            tuple(items),
            following,
            Cost(),
            len(items),
            as_of=as_of,
            total=total,
            is_total_cut=is_cut,
        )

    @verb()
    def product(self, url: ProductUrl) -> ProductHistory:
        """Show a product by its URL: its facts, where they are from, and all changes."""
        from gotgan.domains.shops import queries  # noqa: PLC0415 - it loads SQLAlchemy

        as_of, digest = self._current(), url_digest(url)
        product = self._find_product(url)
        if product is None:
            raise NotFound(messages.NO_PRODUCT_AT(url=url))
        page = self._store.get(keys.page(product.domain, url))
        changes = self._read(
            lambda connection: queries.product_changes(connection, product.domain, digest)
        )
        sources = {} if page is None else page.sources or {}
        return ProductHistory(product, sources, tuple(changes), as_of)

    def _find_product(self, url: str) -> ShopProduct | None:
        """The product at a URL; one that is not in the catalog yet is looked up in the table."""
        from gotgan.domains.shops import queries  # noqa: PLC0415 - it loads SQLAlchemy

        def read() -> ShopProduct | None:
            found = self._read(lambda connection: queries.find_products(connection, [url]))
            return next(iter(found), None)

        product = read()
        if product is None:
            with suppress(NotFound, UsageError):
                domain = self.get(url).domain
                page = self._store.get(keys.page(domain, url))
                if page is not None and page.type == "product":
                    self.refresh([domain])
                    product = read()
        return product

    @verb(path="shops/{domain}/changes", is_for_all=True)
    def changes(
        self,
        domain: Domain | None = None,
        *,
        kind: Kind | None = None,
        since: Since | None = None,
        limit: Limit = 100,
        cursor: Cursor | None = None,
    ) -> ChangePage:
        """List price and status changes, newest first: of a shop, or of all shops."""
        if domain is not None and kind is None:
            return self._changes_of(domain, since, limit, cursor)
        from gotgan.domains.shops import queries  # noqa: PLC0415 - it loads SQLAlchemy

        host = None if domain is None else self.get(domain).domain
        as_of, wanted = self._current(), ChangeFilter(host, kind, since)
        items, following = self._read(
            lambda connection: queries.list_changes(connection, wanted, limit, cursor)
        )
        return ChangePage(tuple(items), following, Cost(), len(items), as_of=as_of)

    def _changes_of(
        self, domain: str, since: datetime | None, limit: int, cursor: str | None
    ) -> ChangePage:
        """The changes of a shop, from its own table."""
        host = self.get(domain).domain
        query = keys.changes_of(host)
        if since is not None:
            query = keys.changes_since(host, since).newest_first()
        page = self._store.query(query, limit=limit, cursor=cursor)
        return ChangePage(page.items, page.cursor, page.cost, page.read)

    def products_of(self, changes: Iterable[Change]) -> dict[str, ShopProduct]:
        """The products that changes are of, by URL."""
        from gotgan.domains.shops import queries  # noqa: PLC0415 - it loads SQLAlchemy

        urls = {each.url for each in changes}
        found = self._read(lambda connection: queries.find_products(connection, urls))
        return {each.url: each for each in found}

    def latest_changes(self, kind: ChangeKind, *, limit: int) -> Sequence[Change]:
        """The newest changes of a kind, as the catalog has them: it is not brought up to date."""
        from gotgan.domains.shops import queries  # noqa: PLC0415 - it loads SQLAlchemy

        wanted = ChangeFilter(kind=kind)
        return self._read(lambda connection: queries.list_changes(connection, wanted, limit, None))[
            0
        ]

    def currencies(self) -> Sequence[str]:
        """The currencies of all products."""
        from gotgan.domains.shops import queries  # noqa: PLC0415 - it loads SQLAlchemy

        return self._read(queries.currencies)

    # Removing

    @verb(role="admin", kind="write")
    def remove(self, domain: Domain, *, max_items: MaxDeleted = 10_000) -> ShopRemoved:
        """Delete a shop with its pages and changes.

        Refused while a worker is processing it. If there is more than can be deleted at once, or
        after a crash, the next call deletes the rest.
        """
        from gotgan.domains.shops.catalog_update import mark_stale  # noqa: PLC0415 - as above
        from gotgan.domains.shops.removal import remove_shop  # noqa: PLC0415 - not for others

        removed = remove_shop(self._store, domain, at_most=max_items)
        mark_stale(self._open_database(), [removed.domain])
        self._try_refresh([removed.domain])
        return removed


def _overview(shop: Shop, row: Any, now: datetime) -> ShopOverview:
    return ShopOverview(
        domain=shop.domain,
        shop_name=shop.shop_name,
        shop_country=shop.shop_country,
        crawl=_stage(shop, "crawl", shop.crawl_outcome, now),
        scrape=_stage(shop, "scrape", shop.scrape_outcome, now),
        products=None if row is None else row["products"],
        removed=None if row is None else row["removed"],
        changed_at=None if row is None else row["changed_at"],
    )


def _stage(shop: Shop, stage: Stage, outcome: str | None, now: datetime) -> StageOverview:
    began, ended = last_times(shop, stage)
    postponed = postponement(shop, stage)
    return StageOverview(
        state=state_of(shop, stage),
        outcome=outcome,
        began_at=began,
        ended_at=ended,
        is_stuck=stuck_claim(shop, stage, now) is not None,
        next_attempt=None if postponed is None else postponed.not_before,
    )
