"""What is to be done for each row: a plan holds the outcome and the writes that bring it about.

A ``RowMover`` knows one kind: what a row is copied to, what is there already, and which writes take
one from there to the other. Nothing here writes.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field, replace
from typing import Any, Protocol, cast

from gotgan.domains.site import patterns
from gotgan.domains.site.categories import taking
from gotgan.domains.site.migration.copies import (
    Copy,
    TargetState,
    Verdict,
    copy_of,
    judge,
    merged,
    under_its_id,
    version_of,
)
from gotgan.domains.site.migration.placing import over, place
from gotgan.domains.site.migration.resolving import slugs
from gotgan.domains.site.migration.rows import CATEGORIES, CONTACT, Note, Old, RowKind
from gotgan.domains.site.migration.state import KnownRow
from gotgan.domains.site.migration.tally import Outcome
from gotgan.domains.site.models import Category
from gotgan.domains.site.pointers import SlugGuard
from gotgan.errors import BadKeyPart, MigrationError, StoreUnreachable
from gotgan.store import Ref, Store, Write, writes
from gotgan.store.attributes import Item
from gotgan.store.getting import read_items

__all__ = ["OUTCOME_OF", "CategoryMover", "RecordMover", "RowMover", "RowPlan", "planned", "stored"]

OUTCOME_OF: dict[Verdict, Outcome] = {
    "new": "copied",
    "update": "updated",
    "same": "skipped",
    "newer_here": "skipped",
    "conflict": "conflicting",
    "deleted_here": "deleted_here",
}


@dataclass(frozen=True, slots=True)
class RowPlan:
    """What becomes of a row."""

    copy: Copy
    outcome: Outcome
    version: int
    """Of the copy that is there afterwards, if it is ours; 0 where it is not."""
    writes: tuple[Write[Any], ...] = ()
    lane: str = ""
    """Plans of one lane are carried out one after the other."""
    arrives_in: str | None = None
    """The category that something comes into."""
    notes: tuple[Note, ...] = ()


class RowMover(Protocol):
    """What is particular to one kind of row."""

    kind: RowKind

    def copy(self, old: Old) -> Copy:
        """What a row becomes."""

    def look(self, copies: Sequence[Copy], *, consistent: bool) -> dict[str, TargetState]:
        """What the table has for each, by its old id."""

    def writes(self, copy: Copy, there: TargetState, verdict: Verdict) -> RowPlan:
        """How the table gets from one to the other."""


def planned(mover: RowMover, copy: Copy, there: TargetState, known: KnownRow | None) -> RowPlan:
    """What becomes of a row, given what is there and what is known of it."""
    copy = under_its_id(copy, there)
    verdict = judge(copy, there, known)
    plan = mover.writes(copy, there, verdict)
    noted = _about(copy, there, known, verdict)
    return replace(plan, notes=(*plan.notes, *noted)) if noted else plan


def _about(copy: Copy, there: TargetState, known: KnownRow | None, verdict: Verdict) -> list[Note]:
    """What a person should know who wonders why a row was written."""
    before = 0 if known is None else known.version
    if verdict == "update" and 0 < before != version_of(there.item or {}):
        return [Note("an older edit here gave way to a newer one at the origin", str(copy.ref))]
    if verdict == "new" and (before or there.pointer):
        topic = "a copy was gone and nothing here says why: it was made again"
        return [Note(topic, f"{copy.old.kind.name} {copy.old.old_id}")]
    return []


def stored(store: Store, refs: Sequence[Ref[Any]], *, consistent: bool) -> dict[Ref[Any], Item]:
    """Items as they are; one that cannot be read now stops the run, which can go on later."""
    found, unread, _ = read_items(store.calls, "migrate", refs, consistent=consistent)
    if unread:
        again, still, _ = read_items(store.calls, "migrate", list(unread), consistent=consistent)
        found |= again
        if still:
            raise StoreUnreachable(
                "the database does not get to all reads; run the same command again to go on"
            )
    return found


@dataclass
class RecordMover:
    """Rows that become one item each: the company and inquiries."""

    store: Store
    kind: RowKind = CONTACT
    resolved: dict[str, Any] = field(default_factory=dict)

    def copy(self, old: Old) -> Copy:
        """What a row becomes."""
        return copy_of(old, **self.resolved)

    def look(self, copies: Sequence[Copy], *, consistent: bool) -> dict[str, TargetState]:
        """What is under their keys."""
        found = stored(self.store, [each.ref for each in copies], consistent=consistent)
        return {each.old.old_id: TargetState(found.get(each.ref)) for each in copies}

    def writes(self, copy: Copy, there: TargetState, verdict: Verdict) -> RowPlan:
        """Put it where none is, or over the one that is there."""
        outcome = OUTCOME_OF[verdict]
        if there.item is None:
            todo = (place(copy.ref, copy.item),) if verdict == "new" else ()
            return RowPlan(copy, outcome, 1 if todo else 0, todo)
        if verdict == "update":
            item = merged(copy, there.item)
            return RowPlan(copy, outcome, version_of(item), (over(copy.ref, item, there.item),))
        return RowPlan(copy, outcome, version_of(there.item) if verdict == "same" else 0)


@dataclass
class CategoryMover:
    """Categories: each has its slug for itself, and nobody's id is another's slug."""

    store: Store
    kind: RowKind = CATEGORIES
    _taken: dict[str, str] = field(default_factory=dict)
    """Slugs that were given out, and to whom; an id that was seen is its category's own."""

    def copy(self, old: Old) -> Copy:
        """What a row becomes."""
        return copy_of(old)

    def reserve(self, olds: Iterable[Old]) -> None:
        """Keep the ids of rows from becoming slugs of others: an id cannot be another one."""
        self._taken |= {old.old_id: old.old_id for old in olds}

    def look(self, copies: Sequence[Copy], *, consistent: bool) -> dict[str, TargetState]:
        """The categories, and whether their slugs find them."""
        found = stored(self.store, [each.ref for each in copies], consistent=consistent)
        return {each.old.old_id: self._standing(found.get(each.ref)) for each in copies}

    def writes(self, copy: Copy, there: TargetState, verdict: Verdict) -> RowPlan:
        """A new one takes its slug with it, or one like it; an old one keeps its own."""
        if verdict != "new":
            plan = RecordMover(self.store, self.kind).writes(copy, there, verdict)
            return plan if there.is_whole else self._mended(plan, there)
        category, slug = copy.entity.id, copy.old.fields["slug"]
        self._refuse_shadow(category)
        free = None if slug is None else self._free(slug, category)
        new = copy if free == slug else copy_of(copy.old, slug=free)
        todo = (place(new.ref, new.item), *taking(cast("Category", new.entity)))
        return RowPlan(new, "copied", 1, todo, notes=_about_slug(slug, free, category))

    def _refuse_shadow(self, category: str) -> None:
        if self._guard(category) not in (None, category):
            raise MigrationError(
                f"another category has the slug {category!r} here, and who asks for one would get "
                "the other; delete that category, and run this again"
            )

    def _mended(self, plan: RowPlan, there: TargetState) -> RowPlan:
        """What finds a category by its slug is written anew, unless it finds another one."""
        slug = (there.item or {})["slug"]["S"]
        if self._guard(slug) is not None:
            return plan
        guard = SlugGuard(slug=slug, category_id=plan.copy.entity.id)
        first = plan.writes or (writes.check(plan.copy.ref),)
        note = Note("the guard of a slug was missing: it was written anew", slug)
        return replace(plan, writes=(*first, writes.put_new(guard)), notes=(*plan.notes, note))

    def _standing(self, item: Item | None) -> TargetState:
        if item is None or "slug" not in item:
            return TargetState(item)
        guard = self._guard(item["slug"]["S"])
        return TargetState(item, is_whole=guard is not None and guard == item["id"]["S"])

    def _free(self, wanted: str, category: str) -> str | None:
        """The first slug like it that no other category has; None where none can be."""
        for slug in slugs(wanted):
            try:
                if self._taken.get(slug, category) == category == self._owner(slug, category):
                    self._taken[slug] = category
                    return slug
            except BadKeyPart:
                return None
        return None

    def _owner(self, slug: str, otherwise: str) -> str:
        """Who is found by a word here, as a slug or as an id; somebody else where nobody is."""
        there = self.store.get(patterns.category(slug), consistent=True)
        return slug if there is not None else self._guard(slug) or otherwise

    def _guard(self, slug: str) -> str | None:
        guard = self.store.get(patterns.slug_guard(slug), consistent=True)
        return None if guard is None else guard.category_id


def _about_slug(wanted: str | None, given: str | None, category: str) -> tuple[Note, ...]:
    if wanted is None or given == wanted:
        return ()
    if given is None:
        topic = "the slug of a category cannot be part of a key: it has none"
        return (Note(topic, f"{category}: {wanted[:100]}"),)
    return (Note("two categories had one slug", f"{wanted} is {given} for {category}"),)
