"""Shops and their pages as they are shown: what was read of them, under the names of attributes."""

from __future__ import annotations

from collections.abc import Iterable
from datetime import datetime
from typing import Any, Final

from gotgan.clock import utc_iso
from gotgan.domains.shops.models import Change, Shop, ShopPage
from gotgan.domains.shops.stages import STAGES, Postponed, Stage, Stuck, lifecycle_of, postponed_in
from gotgan.store import Entity
from gotgan.store.attributes import decode

__all__ = [
    "PAGE_FIELDS",
    "POSTPONED_FIELDS",
    "SHOP_FIELDS",
    "STUCK_FIELDS",
    "change_record",
    "page_record",
    "shop_record",
    "state_of",
    "stuck_record",
    "unreached_record",
]

SHOP_FIELDS: Final = (
    "domain",
    "core_domain_name",
    "shop_name",
    "shop_country",
    "last_crawled_start",
    "last_crawled_end",
    "last_scraped_start",
    "last_scraped_end",
    "standards",
    "crawl_outcome",
    "crawl_reason",
    "crawl_pages",
    "scrape_outcome",
    "scrape_reason",
)
"""What is shown of a shop, before its states."""
POSTPONED_FIELDS: Final = tuple(
    f"{stage}_{word}" for stage in STAGES for word in ("last_error", "attempts", "not_before")
)
"""What is shown of a shop that the last crawl or scrape could not reach."""
PAGE_FIELDS: Final = (
    "url",
    "type",
    "title",
    "status",
    "price",
    "currency",
    "sources",
    "hash",
    "checked_at",
)
"""What is shown of a page."""
STUCK_FIELDS: Final = ("domain", "shop_country", "stage", "since", "owner", "attempts")
"""What is shown of work that is stuck."""


def shop_record(shop: Shop) -> dict[str, Any]:
    """A shop and its states, as far as they were read: an index holds a few of them."""
    states = {stage: state_of(shop, stage) for stage in STAGES}
    known = {f"{stage}_state": state for stage, state in states.items() if state is not None}
    return {**_known(shop, SHOP_FIELDS), **known, **_postponed(shop)}


def _postponed(shop: Shop) -> dict[str, Any]:
    if shop.origin is not None and shop.origin.held is not None:
        return {}  # an index does not hold it
    waits = [each for stage in STAGES if (each := postponed_in(shop, stage))]
    return {
        f"{each.stage}_{word}": value
        for each in waits
        for word, value in {
            "last_error": each.error,
            "attempts": each.attempts,
            "not_before": utc_iso(each.not_before),
        }.items()
    }


def change_record(change: Change) -> dict[str, Any]:
    """What a page offered before, and what it offers now; ``id`` is the same whoever tells it."""
    seen_at = utc_iso(change.seen_at)
    return {
        "id": f"{change.domain}/{seen_at}/{change.digest}",
        "domain": change.domain,
        "url": change.url,
        "title": change.title,
        "seen_at": seen_at,
        "before": None if change.before is None else change.before.model_dump(),
        "after": change.after.model_dump(),
    }


def page_record(page: ShopPage) -> dict[str, Any]:
    """A page; what is not known of it is None."""
    return {**dict.fromkeys(PAGE_FIELDS), **_known(page, PAGE_FIELDS)}


def stuck_record(stuck: Stuck) -> dict[str, Any]:
    """A claim that nobody holds any more."""
    return {
        "domain": stuck.shop.domain,
        "shop_country": stuck.shop.shop_country,
        "stage": stuck.stage,
        "since": _shown(stuck.since),
        "owner": stuck.owner,
        "attempts": stuck.attempts,
    }


def unreached_record(shop: Postponed) -> dict[str, Any]:
    """A shop that could not be reached, and when the next attempt is due."""
    return {
        "domain": shop.domain,
        "stage": shop.stage,
        "last_error": shop.error,
        "attempts": shop.attempts,
        "tried_at": _shown(shop.tried_at),
        "not_before": utc_iso(shop.not_before),
    }


def state_of(shop: Shop, stage: Stage) -> str | None:
    """The word for where a shop stands in a stage; None where that was not read."""
    held = {} if shop.origin is None else shop.origin.item
    stored = held.get(lifecycle_of(stage).declared.books.sort_key)
    return None if stored is None else str(decode(stored)).partition("#")[0]


def _known(entity: Entity, names: Iterable[str]) -> dict[str, Any]:
    unread = frozenset() if entity.origin is None else entity.origin.missing
    values = {name: getattr(entity, name) for name in names if name not in unread}
    return {name: _shown(value) for name, value in values.items() if value is not None}


def _shown(value: Any) -> Any:
    if isinstance(value, datetime):
        return utc_iso(value)
    return list(value) if isinstance(value, tuple) else value
