"""Shops written down: those that are new, and what was missing of those that were there."""

from __future__ import annotations

from collections.abc import Container, Iterable, Mapping, Sequence
from dataclasses import dataclass, field

from gotgan.domains.shops import patterns
from gotgan.domains.shops.adoption import Adopter
from gotgan.domains.shops.models import Country, Shop
from gotgan.domains.shops.reports import Registered, ShopFailure
from gotgan.domains.shops.sites import site_of, twin_of
from gotgan.errors import GotganError
from gotgan.store import Store
from gotgan.store.getting import read_items

__all__ = ["register"]


def register(store: Store, shops: Sequence[Shop]) -> Registered:
    """Write down what is new; a host with ``www.`` and the one without it are one shop."""
    with store.metered("add") as measured:
        there = _found(store, shops)
        known = there.shops
        _know_countries(store, [shop for shop in shops if not _has_country(shop, known)])
        first, again = _parted(shops, {*known, *there.unreadable})
        written = store.put_new_all(first, probe=False)
        failed = [ShopFailure(each.item.domain, each.error) for each in written.failed]
        report = Registered(new=written.new, duplicates=written.duplicates, failed=failed)
        known |= {site_of(shop.domain): shop for shop in report.shops}
        for shop in again:
            _meet(store, shop, there, report)
    report.cost = measured.cost
    return report


@dataclass
class _There:
    """What is in the table, by site."""

    shops: dict[str, Shop] = field(default_factory=dict)
    adopted: set[str] = field(default_factory=set)
    """Whose index keys were missing until now."""
    unreadable: dict[str, GotganError] = field(default_factory=dict)


def _found(store: Store, shops: Iterable[Shop]) -> _There:
    """Those that are there, each with what was missing of it."""
    hosts = [host for shop in shops for host in (shop.domain, twin_of(shop.domain))]
    refs = list(dict.fromkeys(map(patterns.shop, hosts)))
    items, _, _ = read_items(store.calls, "add", refs)
    there, adopter = _There(), Adopter(store)
    for ref, item in items.items():
        site = site_of(str(ref.pk).removeprefix("SHOP#"))
        try:
            there.shops[site], was_adopted = adopter.adopt_shop(item)
        except GotganError as error:
            there.unreadable[site] = error
        else:
            there.adopted |= {site} if was_adopted else set()
    return there


def _has_country(shop: Shop, known: Mapping[str, Shop]) -> bool:
    stored = known.get(site_of(shop.domain))
    return stored is not None and stored.shop_country is not None


def _know_countries(store: Store, shops: Iterable[Shop]) -> None:
    """Write the countries down before the shops: nobody would ask for any other."""
    codes = {shop.shop_country for shop in shops if shop.shop_country is not None}
    report = store.put_new_all([Country(country=code) for code in sorted(codes)])
    for failed in report.failed:
        raise failed.error


def _parted(shops: Iterable[Shop], known: Container[str]) -> tuple[Iterable[Shop], Iterable[Shop]]:
    """The first of each site that is new, and all others."""
    first: dict[str, Shop] = {}
    again: list[Shop] = []
    for shop in shops:
        site = site_of(shop.domain)
        if site in known or first.setdefault(site, shop) is not shop:
            again.append(shop)
    return first.values(), again


def _meet(store: Store, shop: Shop, there: _There, report: Registered) -> None:
    """Give a shop that is there its country, where it has none; nothing else is changed."""
    site, known = site_of(shop.domain), there.shops
    if site not in known:
        error = there.unreadable.get(site) or _first_error(site, report)
        report.failed.append(ShopFailure(shop.domain, error))
    elif shop.shop_country is None or _has_country(shop, known):
        (report.adopted if site in there.adopted else report.duplicates).append(known[site])
        there.adopted.discard(site)
    else:
        try:
            known[site] = store.update(known[site], shop_country=shop.shop_country).item
        except GotganError as error:
            report.failed.append(ShopFailure(shop.domain, error))
        else:
            report.placed.append(known[site])


def _first_error(site: str, report: Registered) -> GotganError:
    """Why the first shop of the list with this site could not be stored."""
    return next(each.error for each in report.failed if site_of(each.domain) == site)
