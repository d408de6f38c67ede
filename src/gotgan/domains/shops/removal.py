"""Deleting a shop: its own item first, so that no worker can claim it, then all that it has.

What is left after a crash is deleted by the next call.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from itertools import islice
from typing import Final

from gotgan.domains.shops import keys, messages
from gotgan.domains.shops.models import STAGES, Change, Checkpoint, Delivery, Shop, ShopPage
from gotgan.domains.shops.products import ShopRemoved
from gotgan.domains.shops.sites import parse_domain, www_twin
from gotgan.domains.shops.stages import holder
from gotgan.errors import Conflict, NotFound
from gotgan.events import emit
from gotgan.store import Query, Ref, Store
from gotgan.store.attributes import Item, decode
from gotgan.store.batches import chunks

_PAGE_SIZE: Final = 500
_SLOTS: Final = ("A", "B")


def remove_shop(store: Store, domain: str, *, at_most: int) -> ShopRemoved:
    """Delete a shop, and up to so many items of it; Conflict while a worker has it."""
    host = parse_domain(domain)
    found = {each: store.get(keys.shop(each), consistent=True) for each in (host, www_twin(host))}
    shop = next(filter(None, found.values()), None)
    if shop is not None:
        holders = [*filter(None, (holder(shop, stage) for stage in STAGES))]
        if holders:
            raise Conflict(messages.REMOVE_CLAIMED(holders=holders))
        store.delete(shop)  # unless it was claimed meanwhile
    homes = [shop.domain] if shop is not None else [*found]
    counts: Counter[type[object]] = Counter()
    refs = (ref for home in homes for ref in _items_of(store, home))
    for batch in chunks(islice(refs, at_most), _PAGE_SIZE):
        for failure in store.delete_all(batch).undone:
            raise failure.error
        counts.update(ref.entity for ref in batch)
    if shop is None and not counts:
        raise NotFound(messages.NO_SHOP(domain=host))
    left = (ref for home in homes for ref in _items_of(store, home))
    removed = ShopRemoved(
        domain=homes[0],
        is_complete=next(left, None) is None,
        pages=counts[ShopPage],
        changes=counts[Change],
        others=counts[Checkpoint] + counts[Delivery] + (shop is not None),
    )
    emit("shops.removed", domain=homes[0], items=counts.total(), complete=removed.is_complete)
    return removed


def _items_of(store: Store, domain: str) -> Iterator[Ref[Shop]]:
    """The keys of everything that a shop has besides its own item, whatever is in it."""
    checkpoints = [Checkpoint.key.query(domain=domain, slot=slot) for slot in _SLOTS]
    queries: list[Query[object]] = [
        keys.pages_of(domain),
        keys.changes_of(domain),
        *checkpoints,
        Delivery.key.query(domain=domain),
    ]
    for query in queries:
        cursor: str | None = ""
        while cursor is not None:
            page = store.query_as(
                query.consistent(), _key_of, limit=_PAGE_SIZE, cursor=cursor or None
            )
            entity = query.legs[0].entities[0]
            yield from (Ref(entity, pk, sk) for pk, sk in page.items)
            cursor = page.cursor


def _key_of(item: Item) -> tuple[str, str]:
    return str(decode(item["pk"])), str(decode(item["sk"]))
