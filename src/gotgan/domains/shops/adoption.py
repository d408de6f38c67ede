"""Shops that other tools wrote: index keys and countries that are missing are added.

A pass reads the table in pages, each run so many items, and goes on where the last one ended: the
place is kept in the table, written after a page is done. Whatever a run that was killed did is
found complete by the next one, so passes can be repeated, and two at once do no harm. Every write
is guarded by what it was derived from; an item that changed in between is read again.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from functools import cached_property
from typing import Any, Final, Protocol

from gotgan.domains.shops import patterns
from gotgan.domains.shops.keys import SHOPS
from gotgan.domains.shops.models import AdoptionProgress, Country, Shop, ShopPage
from gotgan.domains.shops.reports import ShopsAdopted
from gotgan.domains.shops.sites import core_domain_name
from gotgan.errors import BadItem, ConditionFailed, Conflict
from gotgan.events import emit
from gotgan.store import Entity, Ref, Store
from gotgan.store.attributes import Item, decode, encode
from gotgan.store.batches import chunks
from gotgan.store.changes import UpdateBuilder
from gotgan.store.getting import read_items
from gotgan.store.scanning import scan_page
from gotgan.store.schema import Schema, schema_of
from gotgan.store.scopes import ScopeOf
from gotgan.store.writes import Write
from gotgan.store.writing import carry_out

__all__ = [
    "Adopter",
    "OnAdoptStep",
    "adopt",
    "is_needed",
    "silently",
]

UNFIT_SHOWN: Final = 100
"""How many items that do not fit a report names; the others are counted."""
_PAGE: Final = 500
_COMMIT: Final = 100
_TRIES: Final = 5
_COUNTRY: Final = re.compile("COUNTRY#([A-Z]{2})")


class OnAdoptStep(Protocol):
    """Is called after each page: how many items were read, and how many were completed."""

    def __call__(self, read: int, completed: int, /) -> None:
        """Tell how far the run has come."""


def silently(_read: int, _completed: int, /) -> None:
    """Tell nobody."""


def adopt(store: Store, *, at_most: int, on_step: OnAdoptStep = silently) -> ShopsAdopted:
    """Read on in the table, and complete what other tools wrote."""
    report = ShopsAdopted()
    with store.metered("adopt") as measured:
        adopter = Adopter(store, report)
        place = store.get(patterns.adoption(), consistent=True) or AdoptionProgress()
        behind, seen = place.behind, place.seen
        while report.read < at_most and not report.is_complete:
            limit = min(_PAGE, at_most - report.read)
            items, behind = scan_page(store.calls, SHOPS, limit, behind)
            adopter.complete(items)
            report.read += len(items)
            report.is_complete = behind is None
            seen = 0 if behind is None else seen + len(items)
            finished = store.clock.now() if behind is None else place.finished_at
            store.put(AdoptionProgress.at(behind, seen=seen, finished_at=finished))
            on_step(report.read, report.completed)
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


def is_needed(store: Store) -> bool:
    """Whether some shop or page lacks index keys; one page of the table is read, and no more."""
    items, _ = scan_page(store.calls, SHOPS, _COMMIT, None)
    return any(map(_is_lacking, items))


def _is_lacking(item: Item) -> bool:
    try:
        return (_filled(item) or item).keys() != item.keys()
    except BadItem:  # adopt reports it, and cannot complete it
        return False


class Adopter:
    """Completes items of one table, and counts what it did."""

    def __init__(self, store: Store, report: ShopsAdopted | None = None) -> None:
        self._store, self._report = store, report or ShopsAdopted()

    def adopt_shop(self, item: Item) -> tuple[Shop, bool]:
        """One shop as it is now, and whether anything of it was missing.

        Its pages come first: a shop whose own item is complete has no pages to look at.
        """
        filled = _filled(item) or item
        is_lacking = filled.keys() != item.keys()
        if is_lacking:
            self._complete_pages(str(decode(item["pk"])).removeprefix("SHOP#"))
        self._register(_countries_in(filled))
        current, _ = _completed(self._store, item)
        return schema_of(Shop).load(current or item), is_lacking

    def complete(self, items: Sequence[Item]) -> None:
        """Add what is missing of the shops and pages among some items, countries first."""
        lacking: list[Item] = []
        countries: set[str] = set()
        for item in items:
            try:
                filled = _filled(item) or item
            except BadItem as misfit:
                self._pass_over(item, misfit)
            else:
                countries.update(_countries_in(filled))
                lacking += [item] if filled.keys() != item.keys() else []
        self._register(countries)
        for item, outcome in zip(lacking, self._write_all(lacking), strict=True):
            if isinstance(outcome, BadItem):
                self._pass_over(item, outcome)
            elif outcome and _kind_of(item) is Shop:
                self._report.shops += 1
            elif outcome:
                self._report.pages += 1

    def _complete_pages(self, domain: str) -> None:
        """Add what is missing of all pages of a shop."""
        cursor: str | None = ""
        while cursor is not None:
            page = self._store.query_as(
                patterns.pages_of(domain), lambda item: item, limit=_PAGE, cursor=cursor or None
            )
            self.complete(page.items)
            cursor = page.cursor

    def _register(self, countries: Iterable[str]) -> None:
        """Write countries down before the shops: what is due is only looked for in these."""
        wanted = {*countries}
        new = sorted(wanted - self._countries) if wanted else []
        for failed in self._store.put_new_all([Country(country=each) for each in new]).failed:
            raise failed.error
        if new:
            self._countries.update(new)
            self._report.countries += new

    @cached_property
    def _countries(self) -> set[str]:
        """The countries of the registry."""
        found = self._store.iterate(patterns.countries(), at_most=None)
        return {each.country for each in found}

    def _pass_over(self, item: Item, misfit: BadItem) -> None:
        key = " / ".join(str(decode(item[each.name])) for each in SHOPS.keys)
        emit("shops.adopt.unfit", level="warning", item=key, reason=misfit.message)
        self._report.unfit_count += 1
        if len(self._report.unfit) < UNFIT_SHOWN:
            self._report.unfit[key] = misfit.message

    def _write_all(self, items: Sequence[Item]) -> list[bool | BadItem]:
        calls = self._store.calls
        in_process = calls.driver.in_process
        if in_process is None:
            return calls.side_by_side(self._try, items)
        done: list[bool | BadItem] = []
        for piece in chunks(items, _COMMIT):
            with in_process.together():  # nothing can be read within it
                written = [self._is_written(item) for item in piece]
            done += [
                is_written or self._try(item)
                for item, is_written in zip(piece, written, strict=True)
            ]
        return done

    def _is_written(self, item: Item) -> bool:
        """Whether an item could be completed as it was read."""
        filled = _filled(item) or item
        try:
            carry_out(self._store.calls, _write(_ref_of(item), item, filled))
        except ConditionFailed:
            return False
        return True

    def _try(self, item: Item) -> bool | BadItem:
        try:
            return _completed(self._store, item)[1]
        except BadItem as misfit:  # another program changed it since the page was read
            return misfit


def _completed(store: Store, item: Item) -> tuple[Item | None, bool]:
    """An item with what was missing, and whether anything was; None where it is gone."""
    ref = _ref_of(item)
    current: Item | None = item
    for _ in range(_TRIES):
        filled = None if current is None else _filled(current)
        if current is None or filled is None or filled.keys() == current.keys():
            return current, False
        try:
            carry_out(store.calls, _write(ref, current, filled))
        except ConditionFailed:
            found, unread, _ = read_items(store.calls, "adopt", [ref], consistent=True)
            if unread:
                raise
            current = found.get(ref)
        else:
            return filled, True
    raise Conflict(f"{ref} was changed by another program again and again. Run adopt again.")


def _write(ref: Ref[Any], item: Item, filled: Item) -> Write[Any]:
    schema = schema_of(ref.entity)
    change = UpdateBuilder(ScopeOf((schema,)))
    for name in filled.keys() - item.keys():
        change.put(name, filled[name])
    for name in sorted(_guarded(schema)):
        change.expect(name, item.get(name))
    return Write(
        verb="adopt",
        action="Update",
        ref=ref,
        body={"Key": ref.item, **change.body(schema.table.pk.name)},
        is_done=change.is_done,
        refusal=lambda _: ConditionFailed(f"{ref} was changed since it was read"),
    )


# What is missing


def _kind_of(item: Item) -> type[Entity] | None:
    return next((each for each in (Shop, ShopPage) if schema_of(each).matches(item)), None)


def _ref_of(item: Item) -> Ref[Any]:
    return Ref(_kind_of(item) or Shop, *(decode(item[key.name]) for key in SHOPS.keys))


def _filled(item: Item) -> Item | None:
    """A shop or a page with what the declarations give it and it lacks; None of anything else.

    What is there stays, whether or not it is what we would write.
    """
    kind = _kind_of(item)
    return None if kind is None else _shop(item) if kind is Shop else _page(item)


def _shop(item: Item) -> Item:
    schema = schema_of(Shop)
    filled = _columns(schema, item)
    core = schema.attribute("core_domain_name")
    if core not in filled:
        filled[core] = encode(core_domain_name(str(decode(filled["domain"]))))
    shop: Shop = schema.load(filled)
    filled = {**_index_keys(schema, shop), **filled}
    for stage in (Shop.crawl, Shop.scrape):
        filled.setdefault(stage.declared.books.sort_key, encode(stage.derived_state(shop)))
    return filled


def _page(item: Item) -> Item:
    """Only what the index is made of is read: other tools may keep anything else on a page."""
    schema = schema_of(ShopPage)
    if {"gsi1_pk", "gsi1_sk", "type"} <= item.keys():  # as most pages of a table in use
        return item
    filled = _columns(schema, item)
    held = _guarded(schema) | {key.name for key in SHOPS.keys}
    part: ShopPage = schema.load({k: v for k, v in filled.items() if k in held}, held)
    return {**_index_keys(schema, part), **filled}


def _columns(schema: Schema, item: Item) -> Item:
    """An item with the columns that its keys tell: the domain, or a country in an index key."""
    columns = {
        schema.attribute(name): encode(schema.fields[name].dump(value))
        for name, value in schema.in_key(item).items()
        if name in _inputs(schema)
    }
    return {**columns, **item}


def _index_keys(schema: Schema, instance: Entity) -> Item:
    found: Item = {}
    for key in schema.index_keys:
        parts = {name: schema.parts[name].dump(getattr(instance, name)) for name in key.fields}
        made = schema.index_attributes(key, parts)
        found |= {name: value for name, value in made.items() if value is not None}
    return found


def _inputs(schema: Schema) -> set[str]:
    """The stored fields that index keys are made of."""
    names = {name for key in schema.index_keys for name in schema.behind(key.fields)}
    return {name for name in names if not schema.fields[name].key_only}


def _guarded(schema: Schema) -> frozenset[str]:
    """The attributes that must be as they were read: index keys, and what they follow from."""
    keys = {key.name for each in schema.index_keys for key in each.index.keys}
    ends = {"last_crawled_end", "last_scraped_end"} & set(schema.fields)
    return frozenset(keys | {schema.attribute(name) for name in _inputs(schema) | ends})


def _countries_in(shop: Item) -> Iterator[str]:
    """The countries whose index partitions an item is in, or will be."""
    for stage in (Shop.crawl, Shop.scrape):
        name = stage.declared.index.pk.name
        found = _COUNTRY.fullmatch(str(decode(shop[name]))) if name in shop else None
        if found is not None:
            yield found[1]
