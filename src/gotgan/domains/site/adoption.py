"""Records that other tools wrote: what finds and guards them is added.

A pass reads the index in pages, each run so many records, and continues where the last one ended:
the place is kept in the table, written after a page is done. It can be repeated at any time.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from datetime import timedelta
from typing import Final

from gotgan.domains.site import patterns
from gotgan.domains.site.articles import pointers_of
from gotgan.domains.site.models import Category, Draft, Post
from gotgan.domains.site.pointers import Adoption, PostPointer, SlugGuard
from gotgan.domains.site.records import pass_over
from gotgan.errors import BadCursor, GotganError
from gotgan.events import emit
from gotgan.store import Cost, Page, Store

__all__ = ["ADOPT_EVERY", "ADOPT_RECORDS", "SiteAdopted", "adopt"]

ADOPT_RECORDS: Final = 10_000
"""How many records one run reads, unless the caller says otherwise."""
ADOPT_EVERY: Final = timedelta(hours=20)
"""How old the last complete pass is when the schedule starts the next: once a day, at any hour."""
_PAGE: Final = 100


@dataclass
class SiteAdopted:
    """What one run read, and what it added."""

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
    """Write the pointers and guards that are missing; what is there stays as it is."""
    report = SiteAdopted()
    with store.metered("adopt") as measured:
        place = store.get(patterns.adoption(), consistent=True) or Adoption()
        cursor = place.cursor
        while report.read < at_most and not report.is_complete:
            page = _page(store, min(_PAGE, at_most - report.read), cursor)
            _complete(store, page, report)
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


def _page(store: Store, limit: int, cursor: str | None) -> Page[Post | Draft | Category]:
    records = patterns.all_posts() + patterns.all_drafts() + patterns.all_categories()
    try:
        return store.query(records, limit=limit, cursor=cursor, on_bad=pass_over)
    except BadCursor:  # kept under another secret: start again
        return store.query(records, limit=limit, on_bad=pass_over)


def _complete(store: Store, page: Page[Post | Draft | Category], report: SiteAdopted) -> None:
    pointers: list[PostPointer] = []
    slugs: list[SlugGuard] = []
    for record in page.items:
        if not isinstance(record, Category):
            pointers += pointers_of(record)
        elif record.slug is not None:
            slugs.append(SlugGuard(slug=record.slug, category_id=record.id))
    pointed, guarded = store.put_new_all(pointers), store.put_new_all(slugs)
    report.pointers += len(pointed.new)
    report.slugs += len(guarded.new)
    report.failed += [each.error for each in pointed.failed]
    report.failed += [each.error for each in guarded.failed]
