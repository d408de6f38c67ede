"""Data sets of the shops with a country: products as they are now, and changes by UTC day."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator, Sequence
from datetime import UTC, date, datetime, time
from functools import partial
from typing import TYPE_CHECKING, Final

from gotgan.clock import day_span
from gotgan.domains.shops import keys
from gotgan.domains.shops.changes import is_gone, log_bad_change
from gotgan.domains.shops.currency import minor_digits
from gotgan.domains.shops.models import Change, Offer, Shop, ShopPage
from gotgan.exports.data_sets import Column, DataSet, ExportSpan, Kind, Partition, Row, digest

if TYPE_CHECKING:
    from gotgan.domain import Core
    from gotgan.store import Store

_OFFER: Final[tuple[tuple[str, Kind], ...]] = (
    ("status", "text"),
    ("price", "number"),
    ("price_minor", "integer"),
    ("currency", "text"),
)
_PRODUCT_COLUMNS: Final = (
    Column("domain"),
    Column("country"),
    Column("url"),
    Column("title"),
    *(Column(name, kind) for name, kind in _OFFER),
    Column("is_gone", "boolean"),
    Column("checked_at", "moment"),
)
_CHANGE_COLUMNS: Final = (
    Column("id"),
    Column("seen_at", "moment"),
    Column("domain"),
    Column("country"),
    Column("url"),
    Column("title"),
    *(Column(f"{side}_{name}", kind) for side in ("before", "after") for name, kind in _OFFER),
)
_NO_OFFER: Final = Offer()
_NO_ROWS: Final = digest(())


def data_sets(core: Core) -> tuple[DataSet, ...]:
    """The data sets of the shops."""
    return shops_data_sets(core.store)


def shops_data_sets(store: Store) -> tuple[DataSet, ...]:
    """The same, on a store."""
    return (
        DataSet(
            "products", _PRODUCT_COLUMNS, partial(_product_partitions, store), "shop", forgets=True
        ),
        DataSet("changes", _CHANGE_COLUMNS, partial(_change_partitions, store), forgets=True),
    )


def _shops(store: Store) -> Iterator[Shop]:
    """The shops with a country, by their keys and countries alone."""
    for country in store.iterate(keys.countries(), at_most=None):
        yield from store.iterate(keys.shops_of(country.country), at_most=None)


# Products


def _product_partitions(store: Store, _span: ExportSpan) -> Iterator[Partition]:
    """A file for each shop that has products."""
    for shop in _shops(store):
        version = digest(_product_rows(store, shop))
        if version != _NO_ROWS:
            yield Partition(shop.domain, version, partial(_product_rows, store, shop))


def _product_rows(store: Store, shop: Shop) -> Iterator[Row]:
    query = keys.pages_of_type(shop.domain, "product")
    for page in store.iterate(query, at_most=None, on_bad=log_bad_change):
        yield (
            *(shop.domain, shop.shop_country, page.url, page.title, *_offer_values(page)),
            *(is_gone(page), page.checked_at),
        )


def _offer_values(offer: Offer | ShopPage) -> Row:
    minor, currency = offer.price, offer.currency
    price = None if minor is None else minor / 10 ** minor_digits(currency)
    return (offer.status, price, minor, currency)


# Changes


def _change_partitions(store: Store, span: ExportSpan) -> Iterator[Partition]:
    """The days with changes; those of a shop never change and are in their order."""
    days: defaultdict[date, list[tuple[Shop, str]]] = defaultdict(list)
    for shop in _shops(store):
        version: dict[date, str] = {}
        for change in _changes_in(store, shop, span):
            day = change.seen_at.date()
            version[day] = digest([version.get(day), change.id])
        for day, each in version.items():
            days[day].append((shop, each))
    for day, shops in sorted(days.items()):
        version_of_day = digest((shop.domain, each) for shop, each in shops)
        rows = partial(_change_rows, store, day, [shop for shop, _ in shops])
        yield Partition(str(day), version_of_day, rows)


def _changes_in(store: Store, shop: Shop, span: ExportSpan) -> Iterator[Change]:
    query = keys.changes_of(shop.domain)
    if span.since is not None:
        since = datetime.combine(span.since, time.min, UTC)
        query = keys.changes_since(shop.domain, since).newest_first()  # the order of a version
    for change in store.iterate(query, at_most=None, on_bad=log_bad_change):
        if change.seen_at.date() in span:
            yield change


def _change_rows(store: Store, day: date, shops: Sequence[Shop]) -> Iterator[Row]:
    span = day_span(day, "utc")
    for shop in shops:
        query = keys.changes_within(shop.domain, span.first, span.last)
        for change in store.iterate(query, at_most=None, on_bad=log_bad_change):
            if change.seen_at in span:
                yield (
                    *(change.id, change.seen_at, shop.domain, shop.shop_country),
                    *(change.url, change.title),
                    *_offer_values(change.before or _NO_OFFER),
                    *_offer_values(change.after),
                )
