"""Shops written down: those that are new, and a country for those that had none."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field

from gotgan.domains.shops import patterns
from gotgan.domains.shops.models import Country, Shop
from gotgan.domains.shops.sites import site_of, twin_of
from gotgan.errors import GotganError
from gotgan.store import Cost, Failed, Store

__all__ = ["Registered", "register"]


@dataclass
class Registered:
    """What became of shops, each under one of four heads."""

    new: list[Shop] = field(default_factory=list)
    placed: list[Shop] = field(default_factory=list)
    """Those that were there without a country, and have one now."""
    duplicates: list[Shop] = field(default_factory=list)
    """Those that were there, as they are: domain and country were read of them."""
    failed: list[Failed[Shop]] = field(default_factory=list)
    cost: Cost = field(default_factory=Cost)

    @property
    def given(self) -> int:
        """How many there were."""
        return len(self.shops) + len(self.failed)

    @property
    def shops(self) -> list[Shop]:
        """All that are registered now."""
        return [*self.new, *self.placed, *self.duplicates]


def register(store: Store, shops: Sequence[Shop]) -> Registered:
    """Write down what is new; a host with ``www.`` and the one without it are one shop."""
    with store.metered("add") as measured:
        known = _known(store, shops)
        _know_countries(store, [shop for shop in shops if not _has_country(shop, known)])
        first, again = _parted(shops, known)
        written = store.put_new_all(first, probe=False)
        report = Registered(written.new, [], written.duplicates, written.failed)
        known |= {site_of(shop.domain): shop for shop in report.shops}
        for shop in again:
            _meet(store, shop, known, report)
    report.cost = measured.cost
    return report


def _known(store: Store, shops: Iterable[Shop]) -> dict[str, Shop]:
    """Those that are there, by their sites."""
    hosts = [host for shop in shops for host in (shop.domain, twin_of(shop.domain))]
    found = store.get_all(map(patterns.shop, hosts), only=("domain", "shop_country"))
    return {site_of(shop.domain): shop for shop in found}


def _has_country(shop: Shop, known: Mapping[str, Shop]) -> bool:
    stored = known.get(site_of(shop.domain))
    return stored is not None and stored.shop_country is not None


def _know_countries(store: Store, shops: Iterable[Shop]) -> None:
    """Write the countries down before the shops: nobody would ask for any other."""
    codes = {shop.shop_country for shop in shops if shop.shop_country is not None}
    report = store.put_new_all([Country(country=code) for code in sorted(codes)])
    for failed in report.failed:
        raise failed.error


def _parted(
    shops: Iterable[Shop], known: Mapping[str, Shop]
) -> tuple[Iterable[Shop], Iterable[Shop]]:
    """The first of each site that is new, and all others."""
    first: dict[str, Shop] = {}
    again: list[Shop] = []
    for shop in shops:
        site = site_of(shop.domain)
        if site in known or first.setdefault(site, shop) is not shop:
            again.append(shop)
    return first.values(), again


def _meet(store: Store, shop: Shop, known: dict[str, Shop], report: Registered) -> None:
    """Give a shop that is there its country, where it has none; nothing else is changed."""
    site = site_of(shop.domain)
    if site not in known:  # the first one of the list failed
        error = next(each.error for each in report.failed if site_of(each.item.domain) == site)
        report.failed.append(Failed(shop, error))
    elif shop.shop_country is None or _has_country(shop, known):
        report.duplicates.append(known[site])
    else:
        try:
            known[site] = store.update(known[site], shop_country=shop.shop_country).item
        except GotganError as error:
            report.failed.append(Failed(shop, error))
        else:
            report.placed.append(known[site])
