"""Categories: their slugs are unique and stay, and one with posts in it cannot be deleted."""

from __future__ import annotations

import re
from dataclasses import replace
from typing import Any, Final, Unpack

from gotgan.domains.site import patterns
from gotgan.domains.site.models import Category
from gotgan.domains.site.params import (
    By,
    CategoryFields,
    Consistent,
    RecordId,
    Version,
    VersionRequired,
)
from gotgan.domains.site.pointers import SlugGuard
from gotgan.domains.site.records import carry_out, found, pass_over, refuse_stale
from gotgan.domains.site.resource import Resource
from gotgan.errors import (
    CategoryHasPosts,
    ConditionFailed,
    IdTaken,
    NotFound,
    SlugImmutable,
    SlugTaken,
)
from gotgan.params import Cursor, Limit
from gotgan.store import Condition, Page, Store, attr, increment, raw, writes
from gotgan.store.writes import Write
from gotgan.verbs import verb

__all__ = ["MOST_CATEGORIES", "Categories", "arrivals", "taking"]

MOST_CATEGORIES: Final = 1_000
"""More are not shown in one list; a site has a handful."""
_LAST: Final = 1 << 53


class Categories(Resource[Category, CategoryFields]):
    """Categories of posts."""

    fixed = frozenset({"id", "slug"})

    def __init__(self, store: Store) -> None:
        super().__init__(store, patterns.category, patterns.all_categories)

    def list(
        self, *, limit: Limit = MOST_CATEGORIES, cursor: Cursor | None = None
    ) -> Page[Category]:
        """List categories by their order, then by their titles; a page is sorted in itself."""
        query = patterns.all_categories()
        found = self._store.query(query, limit=limit, cursor=cursor, on_bad=pass_over)
        return replace(found, items=tuple(sorted(found.items, key=_place)))

    def get(self, id: RecordId, *, consistent: Consistent = False) -> Category:
        """Show a category, by its id or its slug."""
        found_by_id = self._store.get(patterns.category(id), consistent=consistent)
        if found_by_id is not None:
            return found_by_id
        guard = self._store.get(patterns.slug_guard(id), consistent=consistent)
        if guard is None:
            raise NotFound("there is no Category with this id or slug")
        return found(self._store, patterns.category(guard.category_id), consistent=consistent)

    @verb(role=None, kind="write")
    def create(self, **fields: Unpack[CategoryFields]) -> Category:
        """Create a category, and take its slug, in one transaction.

        Without a slug it gets one of its title; where that is taken or has no letters, its id.
        """
        category = self.new_record(fields)
        named = category.slug or _slug(category.title) or category.id
        slugged = category.model_copy(update={"slug": named})
        try:
            self._take(slugged)
        except SlugTaken:
            if category.slug is not None or named == category.id:
                raise
            slugged = category.model_copy(update={"slug": category.id})
            self._take(slugged)
        return slugged

    def _take(self, category: Category) -> None:
        try:
            carry_out(self._store, [writes.put_new(category), *taking(category)])
        except ConditionFailed as taken:
            raise _refusal(taken, category) from None

    def update(
        self,
        id: RecordId,
        changes: CategoryFields,
        *,
        version: VersionRequired | None = None,
        by: By = None,
    ) -> Category:
        """Change fields of a category, but never its slug."""
        current = found(self._store, patterns.category(id), consistent=True)
        if "slug" in changes and changes["slug"] != current.slug:
            raise SlugImmutable(
                f"the slug of this category stays {current.slug!r}, because addresses hold it; "
                "make another category and move the posts"
            )
        return super().update(id, changes, version=version, by=by)

    def delete(self, id: RecordId, *, version: Version | None = None, by: By = None) -> None:
        """Delete an empty category; a post that gets in at the same time keeps it there."""
        guard_ref = patterns.category_guard(id)
        guard = self._store.get(guard_ref, consistent=True)
        current = found(self._store, patterns.category(id), consistent=True)
        refuse_stale(current, version)
        self._refuse_full(id)
        unmoved = raw("changes").missing() if guard is None else raw("changes") == guard.changes
        doomed: list[Write[Any]] = [
            # A later category with the same id begins with the same version.
            writes.delete(current, only_if=attr("created_at") == current.created_at),
            writes.delete(guard_ref, only_if=unmoved),
        ]
        if current.slug is not None:
            guard_of_slug = patterns.slug_guard(current.slug)
            doomed.append(writes.delete(guard_of_slug, only_if=_nobody_elses(current.id)))
        try:
            carry_out(self._store, doomed)
        except ConditionFailed:
            self._refuse_full(id)
            raise

    def _refuse_full(self, category_id: str) -> None:
        for query in (patterns.posts_in(category_id), patterns.drafts_in(category_id)):
            if self._store.first(query.consistent()) is not None:
                raise CategoryHasPosts(
                    "this category has posts or drafts; move or delete them first"
                )


def arrivals(category_id: str) -> list[Write[Any]]:
    """What goes with an article that comes into a category: it must be there, and is told."""
    return [
        writes.check(patterns.category(category_id)),
        writes.upsert(patterns.category_guard(category_id), changes=increment(1)),
    ]


def taking(category: Category) -> list[Write[Any]]:
    """What goes with a new category: its slug is taken, and nobody's id is another's slug."""
    free, slug = raw("PK").missing(), category.slug
    unshadowed = writes.check(patterns.slug_guard(category.id), free)
    if slug is None:
        return [unshadowed]
    guard = SlugGuard(slug=slug, category_id=category.id)
    taken = writes.put(guard, only_if=_nobody_elses(category.id))
    if slug == category.id:
        return [taken]
    return [taken, writes.check(patterns.category(slug), free), unshadowed]


def _nobody_elses(category_id: str) -> Condition:
    return raw("categoryId").missing() | (raw("categoryId") == category_id)


def _refusal(taken: ConditionFailed, category: Category) -> Exception:
    if isinstance(taken.current, Category) and taken.current.id == category.id:
        return IdTaken(f"there is a Category {category.id} already; take another id")
    if isinstance(taken.current, SlugGuard) and taken.current.slug == category.id:
        return IdTaken(f"another category has the slug {category.id!r}; take another id")
    return SlugTaken(
        f"another category has the slug or id {category.slug!r}; give this one another slug"
    )


def _place(category: Category) -> tuple[int, str]:
    return (_LAST if category.order is None else category.order, category.title)


def _slug(title: str) -> str:
    """A title as an address has it; nothing of one that has no plain letters."""
    return re.sub(r"[^a-z0-9]+", "-", title.lower()).strip("-")[:60]
