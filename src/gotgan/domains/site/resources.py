"""Banners, the company, and categories with unique slugs."""

from __future__ import annotations

import re
from dataclasses import replace
from typing import Any, ClassVar, Final, Unpack

from gotgan import errors
from gotgan.domains.site import messages, params, patterns, resource
from gotgan.domains.site.models import Banner, Category, CorpInfo, SlugGuard
from gotgan.errors import VersionRequired as NoVersion
from gotgan.params import Cursor, Limit
from gotgan.store import Condition, Page, Store, attr, increment, raw, writes
from gotgan.store.writes import Write
from gotgan.verbs import verb


class Banners(resource.Resource[Banner, params.BannerFields]):
    """Manage banners: pictures with text and two buttons."""

    def __init__(self, store: Store) -> None:
        super().__init__(store, patterns.banner, patterns.all_banners)

    @verb(role=None, kind="write")
    def create(self, **fields: Unpack[params.BannerFields]) -> Banner:
        """Create a banner."""
        return self.add(self.new_record(fields))


class Company(resource.Writable[CorpInfo, params.CompanyFields]):
    """Manage the company details."""

    path: ClassVar = "corp"

    @verb(role=None)
    def get(self, *, consistent: params.Consistent = False) -> CorpInfo:
        """Show the company details."""
        info = self.look(consistent=consistent)
        if info is None:
            raise errors.NotFound(messages.COMPANY_MISSING())
        return info

    def look(self, *, consistent: bool = False) -> CorpInfo | None:
        """The record, or None if it was never written."""
        return self._store.get(patterns.company(), consistent=consistent)

    @verb(role=None, kind="write")
    def update(
        self,
        changes: params.CompanyFields,
        *,
        more: params.More | None = None,
        version: params.VersionRequired | None = None,
    ) -> CorpInfo:
        """Change fields of the company details.

        Omitted fields are kept. Null clears a field, and so does an empty value on the command
        line.
        """
        self._expect_known(changes)
        current = self.get(consistent=True)
        resource.expect_version(current, version)
        attributes = {**(more or {})}
        params.expect_attributes(attributes, current.more)
        now = self._store.clock.now()
        return self._store.update(current, others=attributes, **changes, updated_at=now).item

    @verb(role=None, kind="write")
    def replace(
        self,
        fields: params.CompanyFields,
        *,
        more: params.More | None = None,
        version: params.Version | None = None,
    ) -> CorpInfo:
        """Create the company details or replace all their fields.

        Omitted fields are cleared; additional attributes are kept. A version is required to
        replace existing ones.
        """
        if self.look(consistent=True) is None:
            if version is not None:
                raise errors.VersionConflict(messages.COMPANY_IS_NEW())
            params.expect_attributes(more or {}, ())
            company = self.new_record(fields, id="corp-info")
            written = self._store.put_new(company, others={**(more or {})})
            if written.new:
                return written.item
            raise errors.VersionConflict(messages.COMPANY_EXISTS(), written.item)
        if version is None:
            raise NoVersion(messages.COMPANY_NEEDS_VERSION())
        whole: Any = self._whole(fields)
        return self.update(whole, more=more, version=version)


MAX_CATEGORIES: Final = 1_000
"""More are not shown in one list; a site has a handful."""
_LAST_ORDER: Final = 1 << 53


class Categories(resource.Resource[Category, params.CategoryFields]):
    """Manage the categories of posts."""

    fixed = frozenset({"id", "slug"})

    def __init__(self, store: Store) -> None:
        super().__init__(store, patterns.category, patterns.all_categories)

    def list(
        self, *, limit: Limit = MAX_CATEGORIES, cursor: Cursor | None = None
    ) -> Page[Category]:
        """List categories by order, then by title; each page is sorted separately."""
        query = patterns.all_categories()
        found = self._store.query(query, limit=limit, cursor=cursor, on_bad=resource.skip_bad_item)
        return replace(found, items=tuple(sorted(found.items, key=_sort_key)))

    def get(self, id: params.RecordId, *, consistent: params.Consistent = False) -> Category:
        """Show a category by ID or slug."""
        found_by_id = self._store.get(patterns.category(id), consistent=consistent)
        if found_by_id is not None:
            return found_by_id
        guard = self._store.get(patterns.slug_guard(id), consistent=consistent)
        if guard is None:
            raise errors.NotFound(messages.NO_SUCH_CATEGORY())
        return resource.get_existing(
            self._store, patterns.category(guard.category_id), consistent=consistent
        )

    @verb(role=None, kind="write")
    def create(self, **fields: Unpack[params.CategoryFields]) -> Category:
        """Create a category and reserve its slug.

        Without a slug, it is derived from the title. If that slug is taken or empty, the ID is
        used.
        """
        category = self.new_record(fields)
        from_title = re.sub(r"[^a-z0-9]+", "-", category.title.lower()).strip("-")[:60]
        slug = category.slug or from_title or category.id
        slugged = category.model_copy(update={"slug": slug})
        try:
            self._take(slugged)
        except errors.SlugTaken:
            if category.slug is not None or slug == category.id:
                raise
            slugged = category.model_copy(update={"slug": category.id})
            self._take(slugged)
        return slugged

    def _take(self, category: Category) -> None:
        try:
            resource.transact(self._store, [writes.put_new(category), *slug_writes(category)])
        except errors.ConditionFailed as taken:
            raise _slug_error(taken, category) from None

    def update(
        self,
        id: params.RecordId,
        changes: params.CategoryFields,
        *,
        version: params.VersionRequired | None = None,
        by: params.By = None,
    ) -> Category:
        """Change fields of a category, except its slug."""
        current = resource.get_existing(self._store, patterns.category(id), consistent=True)
        if "slug" in changes and changes["slug"] != current.slug:
            raise errors.SlugImmutable(messages.SLUG_FIXED(slug=repr(current.slug)))
        return super().update(id, changes, version=version, by=by)

    def delete(
        self, id: params.RecordId, *, version: params.Version | None = None, by: params.By = None
    ) -> None:
        """Delete an empty category; if a post is added at the same time, the category stays."""
        guard_ref = patterns.category_guard(id)
        guard = self._store.get(guard_ref, consistent=True)
        current = resource.get_existing(self._store, patterns.category(id), consistent=True)
        resource.expect_version(current, version)
        self._refuse_full(id)
        unmoved = raw("changes").missing() if guard is None else raw("changes") == guard.changes
        doomed: list[Write[Any]] = [
            # A later category with the same id begins with the same version.
            writes.delete(current, only_if=attr("created_at") == current.created_at),
            writes.delete(guard_ref, only_if=unmoved),
        ]
        if current.slug is not None:
            guard_of_slug = patterns.slug_guard(current.slug)
            doomed.append(writes.delete(guard_of_slug, only_if=_is_unclaimed(current.id)))
        try:
            resource.transact(self._store, doomed)
        except errors.ConditionFailed:
            self._refuse_full(id)
            raise

    def _refuse_full(self, category_id: str) -> None:
        for query in (patterns.posts_in(category_id), patterns.drafts_in(category_id)):
            if self._store.first(query.consistent()) is not None:
                raise errors.CategoryHasPosts(messages.CATEGORY_HAS_POSTS())


def arrival_writes(category_id: str) -> list[Write[Any]]:
    """What goes with an article that comes into a category: it must exist, and is updated."""
    return [
        writes.check(patterns.category(category_id)),
        writes.upsert(patterns.category_guard(category_id), changes=increment(1)),
    ]


def slug_writes(category: Category) -> list[Write[Any]]:
    """What goes with a new category: its slug is taken, and no ID equals another's slug."""
    free, slug = raw("PK").missing(), category.slug
    unshadowed = writes.check(patterns.slug_guard(category.id), free)
    if slug is None:
        return [unshadowed]
    guard = SlugGuard(slug=slug, category_id=category.id)
    taken = writes.put(guard, only_if=_is_unclaimed(category.id))
    if slug == category.id:
        return [taken]
    return [taken, writes.check(patterns.category(slug), free), unshadowed]


def _is_unclaimed(category_id: str) -> Condition:
    return raw("categoryId").missing() | (raw("categoryId") == category_id)


def _slug_error(taken: errors.ConditionFailed, category: Category) -> Exception:
    if isinstance(taken.current, Category) and taken.current.id == category.id:
        return resource.id_taken(category)
    if isinstance(taken.current, SlugGuard) and taken.current.slug == category.id:
        return errors.IdTaken(messages.ID_IS_SLUG(id=repr(category.id)))
    return errors.SlugTaken(messages.SLUG_TAKEN(slug=repr(category.slug)))


def _sort_key(category: Category) -> tuple[int, str]:
    return (_LAST_ORDER if category.order is None else category.order, category.title)
