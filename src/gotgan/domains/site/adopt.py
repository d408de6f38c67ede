"""Adds what finds and guards records of other tools, in runs that continue the one before."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from datetime import timedelta
from typing import Final

from gotgan.domains.site import patterns
from gotgan.domains.site.articles import article_pointers
from gotgan.domains.site.models import Adoption, Category, Draft, Post, SlugGuard
from gotgan.domains.site.resource import skip_bad_item
from gotgan.errors import BadCursor, GotganError
from gotgan.events import emit
from gotgan.store import Cost, Page, Store

DEFAULT_ADOPT_RECORDS: Final = 10_000
"""How many records one run reads, unless the caller says otherwise."""
ADOPT_EVERY: Final = timedelta(hours=20)
"""How old the last complete pass is when the schedule starts the next: once a day, at any hour."""
_PAGE_SIZE: Final = 100


@dataclass
class SiteAdopted:
    """How many items a run read and completed."""

    read: int = 0
    """Posts, drafts and categories that were read."""
    pointers: int = 0
    """Ids that can be looked up now."""
    slugs: int = 0
    """Slugs that are kept unique now."""
    failed: list[GotganError] = field(default_factory=list)
    """Such as slugs that two categories have."""
    is_complete: bool = False
    """Whether all records were read; if not, the next run continues from here."""
    cost: Cost = field(default_factory=Cost)


def adopt(store: Store, *, at_most: int, on_step: Callable[[int], None]) -> SiteAdopted:
    """Write missing pointers and guards; existing ones are not changed."""
    report = SiteAdopted()
    with store.metered("adopt") as measured:
        place = store.get(patterns.adoption(), consistent=True) or Adoption()
        cursor = place.cursor
        while report.read < at_most and not report.is_complete:
            page = _read_page(store, min(_PAGE_SIZE, at_most - report.read), cursor)
            found = [each for each in page.items if not isinstance(each, Category)]
            pointed = store.put_new_all(
                pointer for each in found for pointer in article_pointers(each)
            )
            guarded = store.put_new_all(
                SlugGuard(slug=each.slug, category_id=each.id)
                for each in page.items
                if isinstance(each, Category) and each.slug is not None
            )
            report.pointers += len(pointed.new)
            report.slugs += len(guarded.new)
            report.failed += [each.error for each in pointed.failed]
            report.failed += [each.error for each in guarded.failed]
            cursor = page.cursor
            report.read += len(page.items)
            report.is_complete = cursor is None
            finished = store.clock.now() if cursor is None else place.finished_at
            store.put(Adoption(cursor=cursor, finished_at=finished))
            on_step(report.read)
    report.cost = measured.cost
    emit(
        "site.adopted",
        read=report.read,
        pointers=report.pointers,
        slugs=report.slugs,
        failed=len(report.failed),
        complete=report.is_complete,
    )
    return report


def _read_page(store: Store, limit: int, cursor: str | None) -> Page[Post | Draft | Category]:
    records = patterns.all_posts() + patterns.all_drafts() + patterns.all_categories()
    try:
        return store.query(records, limit=limit, cursor=cursor, on_bad=skip_bad_item)
    except BadCursor:  # kept under another secret: start again
        return store.query(records, limit=limit, on_bad=skip_bad_item)
