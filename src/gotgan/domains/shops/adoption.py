"""Shops of other tools: missing index keys and countries are added; new shops are registered.

A pass reads the table in pages and resumes where the last run ended: the position is stored after
each page. A run that was killed is repeated without harm, and two can run at once. Every write is
guarded by what it was derived from; an item that changed in between is read again.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, field
from functools import cached_property
from typing import Any, Final

from gotgan.domains.shops import keys, messages
from gotgan.domains.shops.models import SHOPS, AdoptionProgress, Country, Shop, ShopPage
from gotgan.domains.shops.reports import Registered, ShopFailure, ShopsAdopted
from gotgan.domains.shops.sites import core_domain_name, without_www, www_twin
from gotgan.errors import BadItem, ConditionFailed, Conflict, GotganError
from gotgan.events import emit
from gotgan.store import Entity, Ref, Store
from gotgan.store.attributes import Item, decode, encode
from gotgan.store.batches import chunks
from gotgan.store.reads import read_items, scan_page
from gotgan.store.schema import EntityScope, Schema, schema_of
from gotgan.store.updates import UpdateBuilder
from gotgan.store.writer import execute
from gotgan.store.writes import Write
from gotgan.verbs import Progress, silent

MAX_UNFIT_SHOWN: Final = 100
_PAGE_SIZE: Final = 500
_COMMIT_SIZE: Final = 100
_MAX_ATTEMPTS: Final = 5
_COUNTRY: Final = re.compile("COUNTRY#([A-Z]{2})")


def adopt(
    store: Store,
    *,
    at_most: int,
    progress: Progress = silent,
    on_shops: Callable[[Iterable[str]], None] = lambda _: None,
) -> ShopsAdopted:
    """Continue the pass over the table, and complete items of other tools.

    ``on_shops`` is called with the domains of shops of which something was completed, and of those
    without a country, which no index has.
    """
    report = ShopsAdopted()
    with store.metered("adopt") as measured:
        adopter = Adopter(store, report)
        place = store.get(keys.adoption(), consistent=True) or AdoptionProgress()
        behind, seen = place.behind, place.seen
        while report.read < at_most and not report.is_complete:
            limit = min(_PAGE_SIZE, at_most - report.read)
            items, behind = scan_page(store.calls, SHOPS, limit, behind)
            touched = adopter.complete(items)
            if touched:
                on_shops(touched)
            report.read += len(items)
            report.is_complete = behind is None
            seen = 0 if behind is None else seen + len(items)
            finished = store.clock.now() if behind is None else place.finished_at
            last = {f"behind_{name}": each["S"] for name, each in (behind or {}).items()}
            store.put(AdoptionProgress(**last, seen=seen, finished_at=finished))
            progress(report.read, 0, "", completed=report.completed)
    report.cost = measured.cost
    emit(
        "shops.adopted",
        read=report.read,
        shops=report.shops,
        pages=report.pages,
        countries=report.countries,
        unfit=report.unfit_count,
        complete=report.is_complete,
    )
    return report


def is_adoption_needed(store: Store) -> bool:
    """Whether some shop or page on the first page of the table lacks index keys."""
    items, _ = scan_page(store.calls, SHOPS, _COMMIT_SIZE, None)
    for item in items:
        with suppress(BadItem):  # adopt reports it, and cannot complete it
            if (_with_missing(item) or item).keys() != item.keys():
                return True
    return False


class Adopter:
    """Completes items and counts them in the report."""

    def __init__(self, store: Store, report: ShopsAdopted | None = None) -> None:
        self._store, self._report = store, report or ShopsAdopted()

    def adopt_shop(self, item: Item) -> tuple[Shop, bool]:
        """A shop as it is now, and whether anything was missing.

        Its pages come first: the pages of a shop whose own item is complete are not looked at.
        """
        filled = _with_missing(item) or item
        is_incomplete = filled.keys() != item.keys()
        if is_incomplete:
            pages = keys.pages_of(str(decode(item["pk"])).removeprefix("SHOP#"))
            cursor: str | None = ""
            while cursor is not None:
                page = self._store.query_as(
                    pages, lambda item: item, limit=_PAGE_SIZE, cursor=cursor or None
                )
                self.complete(page.items)
                cursor = page.cursor
        self._register(_countries_in(filled))
        current, _ = _complete(self._store, item)
        return schema_of(Shop).load(current or item), is_incomplete

    def complete(self, items: Sequence[Item]) -> set[str]:
        """Complete the shops and pages among some items, countries first.

        The domains of those shops are returned, and of shops without a country.
        """
        incomplete: list[Item] = []
        touched: set[str] = set()
        countries: set[str] = set()
        for item in items:
            try:
                filled = _with_missing(item) or item
            except BadItem as misfit:
                self._report_unfit(item, misfit)
            else:
                countries.update(_countries_in(filled))
                is_incomplete = filled.keys() != item.keys()
                incomplete += [item] if is_incomplete else []
                if is_incomplete or _is_homeless(item):
                    touched.add(str(decode(item[SHOPS.pk.name])).removeprefix("SHOP#"))
        self._register(countries)
        for item, outcome in zip(incomplete, self._write_all(incomplete), strict=True):
            if isinstance(outcome, BadItem):
                self._report_unfit(item, outcome)
            elif outcome and _kind_of(item) is Shop:
                self._report.shops += 1
            elif outcome:
                self._report.pages += 1
        return touched

    def _register(self, countries: Iterable[str]) -> None:
        """Store countries before the shops: only these are searched for due shops."""
        wanted = {*countries}
        new = sorted(wanted - self._countries) if wanted else []
        for failed in self._store.put_new_all([Country(country=each) for each in new]).failed:
            raise failed.error
        if new:
            self._countries.update(new)
            self._report.countries += new

    @cached_property
    def _countries(self) -> set[str]:
        return {each.country for each in self._store.iterate(keys.countries(), at_most=None)}

    def _report_unfit(self, item: Item, misfit: BadItem) -> None:
        key = " / ".join(str(decode(item[each.name])) for each in SHOPS.keys)
        emit("shops.adopt.unfit", level="warning", item=key, reason=misfit.message)
        self._report.unfit_count += 1
        if len(self._report.unfit) < MAX_UNFIT_SHOWN:
            self._report.unfit[key] = misfit.message

    def _write_all(self, items: Sequence[Item]) -> list[bool | BadItem]:
        calls = self._store.calls
        in_process = calls.driver.in_process
        if in_process is None:
            return calls.side_by_side(self._try, items)
        done: list[bool | BadItem] = []
        for piece in chunks(items, _COMMIT_SIZE):
            with in_process.batch():  # nothing can be read within it
                written = [self._is_written(item) for item in piece]
            done += [
                is_written or self._try(item)
                for item, is_written in zip(piece, written, strict=True)
            ]
        return done

    def _is_written(self, item: Item) -> bool:
        filled = _with_missing(item) or item
        try:
            execute(self._store.calls, _write(_ref_of(item), item, filled))
        except ConditionFailed:
            return False
        return True

    def _try(self, item: Item) -> bool | BadItem:
        try:
            return _complete(self._store, item)[1]
        except BadItem as misfit:  # another program changed it since the page was read
            return misfit


def _complete(store: Store, item: Item) -> tuple[Item | None, bool]:
    """An item with what was missing, and whether anything was; None if it is gone."""
    ref = _ref_of(item)
    current: Item | None = item
    for _ in range(_MAX_ATTEMPTS):
        filled = None if current is None else _with_missing(current)
        if current is None or filled is None or filled.keys() == current.keys():
            return current, False
        try:
            execute(store.calls, _write(ref, current, filled))
        except ConditionFailed:
            found, unread, _ = read_items(store.calls, "adopt", [ref], consistent=True)
            if unread:
                raise
            current = found.get(ref)
        else:
            return filled, True
    raise Conflict(messages.CHANGED_OFTEN(key=ref))


def _write(ref: Ref[Any], item: Item, filled: Item) -> Write[Any]:
    schema = schema_of(ref.entity)
    change = UpdateBuilder(EntityScope((schema,)))
    for name in filled.keys() - item.keys():
        change.put(name, filled[name])
    for name in sorted(_guarded_attributes(schema)):
        change.expect(name, item.get(name))
    return Write(
        verb="adopt",
        action="Update",
        ref=ref,
        body={"Key": ref.item, **change.body(schema.table.pk.name)},
        is_done=change.is_done,
        refusal=lambda _: ConditionFailed(messages.CHANGED(key=ref)),
    )


# What is missing


def _kind_of(item: Item) -> type[Entity] | None:
    return next((each for each in (Shop, ShopPage) if schema_of(each).matches(item)), None)


def _is_homeless(item: Item) -> bool:
    """Whether it is a shop without a country."""
    return _kind_of(item) is Shop and "shop_country" not in item


def _ref_of(item: Item) -> Ref[Any]:
    return Ref(_kind_of(item) or Shop, *(decode(item[key.name]) for key in SHOPS.keys))


def _with_missing(item: Item) -> Item | None:
    """A shop or page with the columns and index keys that it lacks; None for any other item."""
    kind = _kind_of(item)
    return None if kind is None else _complete_shop(item) if kind is Shop else _complete_page(item)


def _complete_shop(item: Item) -> Item:
    schema = schema_of(Shop)
    filled = _with_key_columns(schema, item)
    core = schema.attribute("core_domain_name")
    if core not in filled:
        filled[core] = encode(core_domain_name(str(decode(filled["domain"]))))
    shop: Shop = schema.load(filled)
    filled = {**_index_keys(schema, shop), **filled}
    for stage in (Shop.crawl, Shop.scrape):
        filled.setdefault(stage.declared.layout.sort_key, encode(stage.derived_state(shop)))
    return filled


def _complete_page(item: Item) -> Item:
    """Only the inputs of the index are read: other tools may keep anything else on a page."""
    schema = schema_of(ShopPage)
    if {"gsi1_pk", "gsi1_sk", "type"} <= item.keys():  # as most pages of a table in use
        return item
    filled = _with_key_columns(schema, item)
    held = _guarded_attributes(schema) | {key.name for key in SHOPS.keys}
    part: ShopPage = schema.load({k: v for k, v in filled.items() if k in held}, held)
    return {**_index_keys(schema, part), **filled}


def _with_key_columns(schema: Schema, item: Item) -> Item:
    """An item with the columns that its keys contain, such as the domain or the country."""
    columns = {
        schema.attribute(name): encode(schema.fields[name].dump(value))
        for name, value in schema.in_key(item).items()
        if name in _index_inputs(schema)
    }
    return {**columns, **item}


def _index_keys(schema: Schema, instance: Entity) -> Item:
    found: Item = {}
    for key in schema.index_keys:
        parts = {name: schema.parts[name].dump(getattr(instance, name)) for name in key.fields}
        made = schema.index_attributes(key, parts)
        found |= {name: value for name, value in made.items() if value is not None}
    return found


def _index_inputs(schema: Schema) -> set[str]:
    """The stored fields that index keys are derived from."""
    names = {name for key in schema.index_keys for name in schema.behind(key.fields)}
    return {name for name in names if not schema.fields[name].key_only}


def _guarded_attributes(schema: Schema) -> frozenset[str]:
    """The attributes that must be as they were read: index keys and their inputs."""
    keys = {key.name for each in schema.index_keys for key in each.index.keys}
    ends = {"last_crawled_end", "last_scraped_end"} & set(schema.fields)
    return frozenset(keys | {schema.attribute(name) for name in _index_inputs(schema) | ends})


def _countries_in(shop: Item) -> Iterator[str]:
    """The countries whose index partitions an item is in, or will be."""
    for stage in (Shop.crawl, Shop.scrape):
        name = stage.declared.index.pk.name
        found = _COUNTRY.fullmatch(str(decode(shop[name]))) if name in shop else None
        if found is not None:
            yield found[1]


def register(store: Store, shops: Sequence[Shop]) -> Registered:
    """Store new shops; a host with ``www.`` and the one without it are one shop."""
    with store.metered("add") as measured:
        existing = _existing_shops(store, shops)
        known = existing.shops
        homes = {shop.shop_country for shop in shops if not _has_country(shop, known)}
        new_countries = [Country(country=code) for code in sorted(filter(None, homes))]
        for failure in store.put_new_all(new_countries).failed:  # before the shops
            raise failure.error
        first: dict[str, Shop] = {}
        again: list[Shop] = []
        for shop in shops:
            site = without_www(shop.domain)
            is_known = site in known or site in existing.unreadable
            if is_known or first.setdefault(site, shop) is not shop:
                again.append(shop)
        written = store.put_new_all(first.values(), probe=False)
        failed = [ShopFailure(each.item.domain, each.error) for each in written.failed]
        report = Registered(new=written.new, duplicates=written.duplicates, failed=failed)
        known |= {without_www(shop.domain): shop for shop in report.shops}
        for shop in again:
            _update_existing(store, shop, existing, report)
    report.cost = measured.cost
    return report


@dataclass
class _ExistingShops:
    """The shops in the table, by site."""

    shops: dict[str, Shop] = field(default_factory=dict)
    adopted: set[str] = field(default_factory=set)
    """Sites whose index keys were missing until now."""
    unreadable: dict[str, GotganError] = field(default_factory=dict)


def _existing_shops(store: Store, shops: Iterable[Shop]) -> _ExistingShops:
    """Shops that are in the table, completed."""
    hosts = [host for shop in shops for host in (shop.domain, www_twin(shop.domain))]
    refs = list(dict.fromkeys(map(keys.shop, hosts)))
    items, _, _ = read_items(store.calls, "add", refs)
    existing, adopter = _ExistingShops(), Adopter(store)
    for ref, item in items.items():
        site = without_www(str(ref.pk).removeprefix("SHOP#"))
        try:
            existing.shops[site], was_adopted = adopter.adopt_shop(item)
        except GotganError as error:
            existing.unreadable[site] = error
        else:
            existing.adopted |= {site} if was_adopted else set()
    return existing


def _has_country(shop: Shop, known: Mapping[str, Shop]) -> bool:
    stored = known.get(without_www(shop.domain))
    return stored is not None and stored.shop_country is not None


def _update_existing(
    store: Store, shop: Shop, existing: _ExistingShops, report: Registered
) -> None:
    """Add the country to a shop without one; nothing else is changed."""
    site, known = without_www(shop.domain), existing.shops
    if site not in known:
        earlier = (each.error for each in report.failed if without_www(each.domain) == site)
        error = existing.unreadable.get(site) or next(earlier)  # of the first shop with this site
        report.failed.append(ShopFailure(shop.domain, error))
    elif shop.shop_country is None or _has_country(shop, known):
        (report.adopted if site in existing.adopted else report.duplicates).append(known[site])
        existing.adopted.discard(site)
    else:
        try:
            known[site] = store.update(known[site], shop_country=shop.shop_country).item
        except GotganError as error:
            report.failed.append(ShopFailure(shop.domain, error))
        else:
            report.placed.append(known[site])
