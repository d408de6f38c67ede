"""Keeping the catalog of all products up to date with the table of the shops.

Whatever is read is written in short transactions, and how far a shop was read in the last one of
them: after a crash the same is read and written again. A lease keeps other processes out, and a
process that lost it writes nothing more.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, replace
from datetime import UTC, datetime, timedelta
from typing import Final

from sqlalchemy import RowMapping, select

from gotgan.domains.shops import keys, messages
from gotgan.domains.shops.catalog_shop import SeenShop, ShopUpdate, drop_shop, fenced
from gotgan.domains.shops.changes import MAX_CLOCK_SKEW
from gotgan.domains.shops.models import STAGES, Shop, Stage, last_times, lifecycle_of, state_of
from gotgan.domains.shops.tables import CATALOG, DERIVED
from gotgan.errors import BadItem, StoreUnreachable
from gotgan.events import emit
from gotgan.sql import Database, Lease, insert_into, upsert
from gotgan.store import Query, Ref, Store

NAME: Final = "shops.catalog"
"""The name of the lease, and of the row that says how old the catalog is."""
LEASE: Final = timedelta(minutes=5)
_SWEEP_INTERVAL: Final = timedelta(hours=1)
"""How often all shops are listed, to find those that other programs adopted, gave up or removed."""
_INDEX_DELAY: Final = timedelta(seconds=5)
"""An index of a remote table may lack what was written since."""
_EPOCH: Final = datetime(1970, 1, 1, tzinfo=UTC)


_NOTHING_READ: Final = {
    "is_running": False,
    "is_stale": True,
    "products": 0,
    "removed": 0,
    "currencies": "[]",
}


@dataclass(frozen=True)
class CatalogState:
    """How far the catalog was read, and each shop."""

    as_of: datetime | None
    swept_at: datetime | None
    shops: Mapping[str, RowMapping]


class CatalogUpdate:
    """One update under a lease."""

    def __init__(self, store: Store, database: Database, lease: Lease) -> None:
        self._store, self._database, self._lease = store, database, lease
        self._now = store.clock.now()

    def run(self, named: Iterable[str] = (), *, everything: bool = False) -> None:
        """Read what is new, and the shops that are named; or everything."""
        state = read_state(self._database)
        sweeps, missing = everything or state.as_of is None, set[str]()
        if everything or state.as_of is None:
            seen = self._all_shops()
        else:
            seen = self._touched(state, state.as_of - MAX_CLOCK_SKEW, named)
            missing = self._looked_up(state, named) - seen.keys()
            last = state.swept_at or _EPOCH
            sweeps = self._now - last >= _SWEEP_INTERVAL
            if sweeps:
                seen = self._with_swept(seen, state, last - MAX_CLOCK_SKEW)
        for each in seen.values():
            self._update_shop(each, state.shops.get(each.domain), everything=everything)
        self._drop(state.shops.keys() - seen.keys() if sweeps else missing)
        row = {"name": NAME, "as_of": self._now}
        row["swept_at"] = self._now if sweeps else state.swept_at or self._now
        with fenced(self._database, self._lease) as connection:
            upsert(connection, DERIVED, [row])

    # Which shops

    def _all_shops(self) -> dict[str, SeenShop]:
        """Every shop of the table, those without a country too."""
        found = self._store.scan(Shop, on_bad=_log_unfit)
        return {shop.domain: replace(_seen_whole(shop), is_stale=True) for shop in found}

    def _touched(
        self, state: CatalogState, since: datetime, named: Iterable[str]
    ) -> dict[str, SeenShop]:
        """Shops that were crawled or scraped since then or are now, and those to be looked up."""
        seen: dict[str, SeenShop] = {}
        patterns = {"crawl": keys.shops_crawled_since, "scrape": keys.shops_scraped_since}
        for country in self._countries():
            for stage in STAGES:
                _collect(seen, self._indexed(patterns[stage](country, since), stage))
        _collect(seen, self._whole_shops(self._looked_up(state, named), {*named}))
        return seen

    def _looked_up(self, state: CatalogState, named: Iterable[str]) -> set[str]:
        """Shops that are looked up in the table itself; what is not there was removed."""
        waiting = ("is_stale", "is_running")
        rows = state.shops.values()
        found = {row["domain"] for row in rows if any(row[name] for name in waiting)}
        return found | {row["domain"] for row in rows if row["country"] is None} | {*named}

    def _with_swept(
        self, seen: dict[str, SeenShop], state: CatalogState, since: datetime
    ) -> dict[str, SeenShop]:
        """With all shops that have a country; work that was given up since then counts as running.

        Shops that no index has any more are looked up.
        """
        for country in self._countries():
            for stage in STAGES:
                query = lifecycle_of(stage).query(shop_country=country)
                _collect(seen, self._indexed(query, stage, since))
        _collect(seen, self._whole_shops(state.shops.keys() - seen.keys(), set()))
        return seen

    def _countries(self) -> list[str]:
        return [each.country for each in self._store.iterate(keys.countries(), at_most=None)]

    def _indexed(
        self, query: Query[Shop], stage: Stage, since: datetime | None = None
    ) -> Iterator[SeenShop]:
        for shop in self._store.iterate(query, at_most=None, on_bad=_log_unfit):
            began, ended = last_times(shop, stage)
            is_new = since is not None and began is not None and began >= since
            yield SeenShop(
                domain=shop.domain,
                country=shop.shop_country,
                crawled_at=ended if stage == "crawl" else None,
                scraped_at=ended if stage == "scrape" else None,
                is_running=state_of(shop, stage) == "PROGRESS" or is_new,
            )

    def _whole_shops(self, domains: Iterable[str], stale: set[str]) -> Iterator[SeenShop]:
        for shop in self._read_shops([keys.shop(domain) for domain in sorted(domains)]):
            yield replace(_seen_whole(shop), is_stale=shop.domain in stale)

    def _read_shops(self, refs: Sequence[Ref[Shop]]) -> Iterator[Shop]:
        try:
            found = self._store.get_all(refs)
        except BadItem:  # one of them, which must not keep the others out
            for ref in refs:
                with suppress(BadItem):
                    yield from filter(None, [self._store.get(ref)])
            return
        if found.unread:
            raise StoreUnreachable(messages.STORE_BUSY())
        yield from found

    def _drop(self, domains: Iterable[str]) -> None:
        """Forget shops that are in the table no more."""
        for domain in domains:
            drop_shop(self._database, domain, self._lease)

    # One shop

    def _update_shop(self, seen: SeenShop, row: RowMapping | None, *, everything: bool) -> None:
        has_ended = seen.has_ended_since(row)
        if not has_ended and not seen.is_running and not (row and row["is_running"]):
            return
        self._lease = self._database.leases.renew(self._lease, LEASE)
        update = ShopUpdate(self._store, self._database, self._lease, seen, row)
        update.read_changes(everything=everything)
        if has_ended:
            update.read_products()
        update.finish(has_ended=has_ended, is_settled=self._is_settled(seen))

    def _is_settled(self, seen: SeenShop) -> bool:
        """Whether an index has all that was written before the ends; else it is read again."""
        if self._store.is_in_process:
            return True
        limit = self._now - _INDEX_DELAY
        return all(end is None or end <= limit for end in (seen.crawled_at, seen.scraped_at))


def read_state(database: Database) -> CatalogState:
    """How far the catalog was read."""
    with database.read() as connection:
        place = connection.execute(select(DERIVED).where(DERIVED.c.name == NAME)).mappings().first()
        shops = connection.execute(select(CATALOG)).mappings().all()
    return CatalogState(
        as_of=place["as_of"] if place else None,
        swept_at=place["swept_at"] if place else None,
        shops={row["domain"]: row for row in shops},
    )


def read_as_of(database: Database) -> datetime | None:
    """Up to when the catalog has everything; None if it was never made."""
    query = select(DERIVED.c.as_of).where(DERIVED.c.name == NAME)
    with database.read() as connection:
        found: datetime | None = connection.execute(query).scalar_one_or_none()
    return found


def mark_stale(database: Database, domains: Iterable[str]) -> None:
    """Have the next update read all of some shops."""
    rows = [{**_NOTHING_READ, "domain": domain} for domain in sorted(domains)]
    if not rows:
        return
    with database.begin() as connection:
        insert = insert_into(connection, CATALOG).values(rows)
        known = insert.on_conflict_do_update(
            index_elements=[CATALOG.c.domain], set_={"is_stale": True}
        )
        connection.execute(known)


def _collect(seen: dict[str, SeenShop], found: Iterable[SeenShop]) -> None:
    for each in found:
        known = seen.get(each.domain)
        seen[each.domain] = each if known is None else known.merged(each)


def _seen_whole(shop: Shop) -> SeenShop:
    return SeenShop(
        domain=shop.domain,
        country=shop.shop_country,
        crawled_at=shop.last_crawled_end,
        scraped_at=shop.last_scraped_end,
        is_running=any(state_of(shop, stage) == "PROGRESS" for stage in STAGES),
    )


def _log_unfit(misfit: BadItem) -> None:
    emit("shops.shop.unfit", level="warning", reason=misfit.message)
