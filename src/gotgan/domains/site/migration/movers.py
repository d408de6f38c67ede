"""Plans for old rows: the outcome of each, and writes that are refused if the table has changed.

The pointer of a post's old id follows the post when an editor moves it, and stays, marked, when the
post is deleted or expires; an unmarked pointer to a missing post means that the post was lost.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field, replace
from datetime import datetime
from functools import lru_cache, reduce
from operator import and_
from typing import Any, Final, Literal, Protocol, cast

from gotgan.domains.site import articles, patterns
from gotgan.domains.site.keys import SITE
from gotgan.domains.site.migration import messages, rows
from gotgan.domains.site.migration.copies import (
    Copy,
    TargetState,
    Verdict,
    copy_of,
    decide,
    merge_items,
    post_copy,
    ref_of,
    under_its_id,
    version_of,
)
from gotgan.domains.site.migration.references import (
    AuthorResolver,
    CategoryResolver,
    slug_candidates,
)
from gotgan.domains.site.migration.report import Outcome
from gotgan.domains.site.migration.state import KnownRow
from gotgan.domains.site.models import Category, Draft, Post, PostPointer, SlugGuard
from gotgan.domains.site.resources import slug_writes
from gotgan.errors import BadKeyPart, ConditionFailed, MigrationError, StoreError, StoreUnreachable
from gotgan.store import Condition, Ref, Store, Write, raw, writes
from gotgan.store.attributes import Item, decode, same_value
from gotgan.store.conditions import Expression
from gotgan.store.reads import read_items
from gotgan.store.schema import EntityScope, schema_of

_OPERATION = "migrate"


def put_new(ref: Ref[Any], item: Item) -> Write[Any]:
    """Put an item where none is."""
    return _put(ref, item, _ABSENT)


def put_over(ref: Ref[Any], item: Item, found: Item) -> Write[Any]:
    """Put an item over the one that was found, unless it was changed since."""
    return _put(ref, item, _unchanged_since(found))


def put_pointer(ref: Ref[Any], pointer: Item, found: Item | None) -> Write[Any]:
    """Put a pointer where none is, or over the one that was found if it still is what it was."""
    if found is None:
        return put_new(ref, pointer)
    names = {*found, *pointer, "deletedAt"} - ref.item.keys()
    return _put(ref, pointer, _unchanged_since(found, sorted(names)))


def _put(ref: Ref[Any], item: Item, members: dict[str, Any]) -> Write[Any]:
    def is_stored(there: Item | None) -> bool:
        return there is not None and same_value({"M": there}, {"M": item})

    return Write(_OPERATION, "Put", ref, {"Item": item, **members}, is_stored, _changed_error)


def _unchanged_since(
    found: Item, names: Iterable[str] = ("version", "UpdatedAt")
) -> dict[str, Any]:
    """The condition that nothing has changed: by default its version and moment, as edits do."""
    same = (
        raw(each) == decode(found[each]) if each in found else raw(each).missing() for each in names
    )
    return _members(reduce(and_, same))


def _members(condition: Condition) -> dict[str, Any]:
    expression = Expression(EntityScope((schema_of(Post),)))
    return {"ConditionExpression": condition.write(expression), **expression.members()}


_ABSENT: Final = _members(raw(SITE.pk.name).missing())


def _changed_error(current: Any) -> StoreError:
    return ConditionFailed(messages.ROW_CHANGED(), current)


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
    """The plan for a row."""

    copy: Copy
    outcome: Outcome
    version: int
    """Of the copy that is there afterwards, if it is ours; 0 where it is not."""
    writes: tuple[Write[Any], ...] = ()
    lane: str = ""
    """Plans of one lane are carried out one after the other."""
    arrives_in: str | None = None
    """The category that something comes into."""
    notes: tuple[rows.Note, ...] = ()


class RowMover(Protocol):
    """What is particular to one kind of row."""

    kind: rows.RowKind

    def copy(self, old: rows.OldRow) -> Copy:
        """What a row becomes."""

    def look(self, copies: Sequence[Copy], *, consistent: bool) -> dict[str, TargetState]:
        """What the table has for each, by its old id."""

    def writes(self, copy: Copy, there: TargetState, verdict: Verdict) -> RowPlan:
        """How the table gets from one to the other."""


def plan_row(mover: RowMover, copy: Copy, there: TargetState, known: KnownRow | None) -> RowPlan:
    """The plan for a row, from its current copy and the stored state."""
    copy = under_its_id(copy, there)
    verdict = decide(copy, there, known)
    plan = mover.writes(copy, there, verdict)
    before = 0 if known is None else known.version
    if verdict == "update" and 0 < before != version_of(there.item or {}):
        topic, example = messages.EDIT_REPLACED(), str(copy.ref)
    elif verdict == "new" and (before or there.pointer):
        topic = messages.COPIED_AGAIN()
        example = f"{copy.old.kind.name} {copy.old.old_id}"
    else:
        return plan
    return replace(plan, notes=(*plan.notes, rows.Note(topic, example)))


def stored_items(
    store: Store, refs: Sequence[Ref[Any]], *, consistent: bool
) -> dict[Ref[Any], Item]:
    """Items as they are; one that cannot be read now stops the run, which can go on later."""
    found, unread, _ = read_items(store.calls, "migrate", refs, consistent=consistent)
    if unread:
        again, still, _ = read_items(store.calls, "migrate", list(unread), consistent=consistent)
        found |= again
        if still:
            raise StoreUnreachable(messages.MIGRATION_BUSY())
    return found


@dataclass
class RecordMover:
    """Rows that become one item each: the company and inquiries."""

    store: Store
    kind: rows.RowKind = rows.CONTACT
    resolved: dict[str, Any] = field(default_factory=dict)

    def copy(self, old: rows.OldRow) -> Copy:
        """What a row becomes."""
        return copy_of(old, **self.resolved)

    def look(self, copies: Sequence[Copy], *, consistent: bool) -> dict[str, TargetState]:
        """What is under their keys."""
        found = stored_items(self.store, [each.ref for each in copies], consistent=consistent)
        return {each.old.old_id: self._target_state(found.get(each.ref)) for each in copies}

    def _target_state(self, item: Item | None) -> TargetState:
        return TargetState(item)

    def writes(self, copy: Copy, there: TargetState, verdict: Verdict) -> RowPlan:
        """Put it where none is, or over the one that is there."""
        outcome = OUTCOME_OF[verdict]
        if there.item is None:
            todo = (put_new(copy.ref, copy.item),) if verdict == "new" else ()
            return RowPlan(copy, outcome, 1 if todo else 0, todo)
        if verdict == "update":
            item = merge_items(copy, there.item)
            return RowPlan(copy, outcome, version_of(item), (put_over(copy.ref, item, there.item),))
        return RowPlan(copy, outcome, version_of(there.item) if verdict == "same" else 0)


@dataclass
class CategoryMover(RecordMover):
    """Categories: each has its slug for itself, and no ID equals another's slug."""

    kind: rows.RowKind = rows.CATEGORIES
    _taken: dict[str, str] = field(default_factory=dict)
    """Slugs that were given out, and to whom; an id that was seen is its category's own."""

    def reserve(self, olds: Iterable[rows.OldRow]) -> None:
        """Keep the ids of rows from becoming slugs of others: an id cannot be another one."""
        self._taken |= {old.old_id: old.old_id for old in olds}

    def writes(self, copy: Copy, there: TargetState, verdict: Verdict) -> RowPlan:
        """A new one takes its slug with it, or one like it; an old one keeps its own."""
        if verdict != "new":
            plan = super().writes(copy, there, verdict)
            return plan if there.is_whole else self._repair_guard(plan, there)
        category, slug = copy.entity.id, copy.old.fields["slug"]
        if self._guard(category) not in (None, category):
            raise MigrationError(messages.SLUG_IN_USE(slug=repr(category)))
        free = None if slug is None else self._free(slug, category)
        new = copy if free == slug else copy_of(copy.old, slug=free)
        todo = (put_new(new.ref, new.item), *slug_writes(cast("Category", new.entity)))
        notes: list[rows.Note] = []
        if slug is not None and free is None:
            notes.append(rows.Note(messages.SLUG_UNUSABLE(), f"{category}: {slug[:100]}"))
        elif free != slug:
            notes.append(rows.Note(messages.SLUG_SHARED(), f"{category}: {slug} → {free}"))
        return RowPlan(new, "copied", 1, todo, notes=tuple(notes))

    def _repair_guard(self, plan: RowPlan, there: TargetState) -> RowPlan:
        """The plan with the missing slug guard, unless the slug belongs to another category."""
        slug = (there.item or {})["slug"]["S"]
        if self._guard(slug) is not None:
            return plan
        guard = SlugGuard(slug=slug, category_id=plan.copy.entity.id)
        first = plan.writes or (writes.check(plan.copy.ref),)
        note = rows.Note(messages.GUARD_REPAIRED(), slug)
        return replace(plan, writes=(*first, writes.put_new(guard)), notes=(*plan.notes, note))

    def _target_state(self, item: Item | None) -> TargetState:
        if item is None or "slug" not in item:
            return TargetState(item)
        guard = self._guard(item["slug"]["S"])
        return TargetState(item, is_whole=guard is not None and guard == item["id"]["S"])

    def _free(self, wanted: str, category: str) -> str | None:
        """The first slug like it that no other category has; None where none can be."""
        for slug in slug_candidates(wanted):
            try:
                if self._taken.get(slug, category) != category:
                    continue
                there = self.store.get(patterns.category(slug), consistent=True)
                owner = (self._guard(slug) or category) if there is None else slug
                if owner == category:
                    self._taken[slug] = category
                    return slug
            except BadKeyPart:
                return None
        return None

    def _guard(self, slug: str) -> str | None:
        guard = self.store.get(patterns.slug_guard(slug), consistent=True)
        return None if guard is None else guard.category_id


_ENTITIES: Final[dict[str, type[Post | Draft]]] = {"post": Post, "draft": Draft}


@dataclass
class PostMover:
    """Posts and drafts, into the partitions of their categories."""

    store: Store
    homes: CategoryResolver
    authors: AuthorResolver
    kind: rows.RowKind = rows.POSTS

    def copy(self, old: rows.OldRow) -> Copy:
        """What a row becomes."""
        home = self.homes.find(old.category) or self.homes.orphanage()
        return post_copy(old, home, self.authors.user_id(old.author))

    def look(self, copies: Sequence[Copy], *, consistent: bool) -> dict[str, TargetState]:
        """Where the pointers of the old ids lead; looking closely, also where no pointer leads."""
        ids = [each.old.old_id for each in copies]
        by_old = self._pointers({each: each for each in ids}, consistent=consistent)
        lost = {each.old.old_id: each.entity.id for each in copies if each.old.old_id not in by_old}
        leads = by_old | (self._pointers(lost, consistent=consistent) if consistent else {})
        now = self.store.clock.now()
        places = {
            each.old.old_id: _target_refs(each, leads.get(each.old.old_id))
            for each in copies
            if _may_exist(by_old.get(each.old.old_id), now, closely=consistent)
        }
        wanted = [ref for place in places.values() for ref in place]
        found = stored_items(self.store, wanted, consistent=consistent)
        return {each: _target_state(by_old.get(each), places.get(each), found) for each in ids}

    def _pointers(self, asked: dict[str, str], *, consistent: bool) -> dict[str, Item]:
        """The pointers that are there, by the old ids that they are asked for."""
        refs = {old_id: _pointer_ref(each) for old_id, each in asked.items()}
        found = stored_items(self.store, list(refs.values()), consistent=consistent)
        return {old_id: found[ref] for old_id, ref in refs.items() if ref in found}

    def writes(self, copy: Copy, there: TargetState, verdict: Verdict) -> RowPlan:
        """How the table gets from what is there to the copy."""
        outcome = OUTCOME_OF[verdict]
        if verdict == "new":
            post = cast("Post | Draft", copy.entity)
            by_old, by_new = _pointer_ref(copy.old.old_id), _pointer_ref(post.id)
            leads = {**_pointer_into(post.category_id, _kind_of(copy.item)), "id": copy.item["id"]}
            todo = (
                put_new(copy.ref, copy.item),
                put_pointer(by_old, {**leads, **by_old.item}, there.pointer),
                _put(by_new, {**leads, **by_new.item}, {}),
            )
            home = post.category_id
            return RowPlan(copy, "copied", 1, todo, lane=home, arrives_in=home)
        if there.item is None:
            return RowPlan(copy, outcome, 0)
        if verdict == "update":
            return self._update_plan(copy, there, there.item)
        if there.is_whole:
            return RowPlan(copy, outcome, version_of(there.item) if verdict == "same" else 0)
        return self._repair_plan(copy, there.item, verdict)

    def _update_plan(self, copy: Copy, there: TargetState, found: Item) -> RowPlan:
        item = merge_items(copy, found)
        version, home = version_of(item), item["categoryId"]["S"]
        old_ref = _ref_of(found)
        pointers = articles.pointer_writes(_article_in(item))
        if old_ref == copy.ref:
            todo = [put_over(copy.ref, item, found), *(() if there.is_whole else pointers)]
            return RowPlan(copy, "updated", version, tuple(todo), lane=home)
        body = {"Key": old_ref.item, **_unchanged_since(found)}
        gone: Write[Any] = Write(
            _OPERATION, "Delete", old_ref, body, lambda there: there is None, _changed_error
        )
        moved = (gone, put_new(copy.ref, item), *pointers)
        return RowPlan(copy, "updated", version, moved, lane=home, arrives_in=home)

    def _repair_plan(self, copy: Copy, found: Item, verdict: Verdict) -> RowPlan:
        """Write missing pointers of a post that still exists."""
        todo = (writes.check(_ref_of(found)), *articles.pointer_writes(_article_in(found)))
        note = rows.Note(messages.POINTERS_REPAIRED(), copy.old.old_id)
        version = version_of(found) if verdict == "same" else 0
        home = found["categoryId"]["S"]
        return RowPlan(copy, OUTCOME_OF[verdict], version, todo, lane=home, notes=(note,))


def _may_exist(pointer: Item | None, now: datetime, *, closely: bool) -> bool:
    """Whether a post may exist: its pointer is not marked as deleted or expired."""
    if pointer is None:
        return closely
    ends = rows.parse_moment(pointer.get("endsAt"))
    return "deletedAt" not in pointer and (ends is None or ends > now)


def _target_refs(copy: Copy, pointer: Item | None) -> tuple[Ref[Any], Ref[Any]]:
    """Where a post is to be looked for, with the pointer of its new id."""
    if pointer is None:
        return copy.ref, _pointer_ref(copy.entity.id)
    post_id, home = pointer["id"]["S"], pointer["categoryId"]["S"]
    is_draft = pointer["kind"]["S"] == "draft"
    ref: Ref[Any] = (patterns.draft if is_draft else patterns.post)(home, post_id)
    return ref, _pointer_ref(post_id)


def _target_state(
    pointer: Item | None, place: tuple[Ref[Any], Ref[Any]] | None, found: dict[Ref[Any], Item]
) -> TargetState:
    if place is None:
        return TargetState(pointer=pointer, is_gone=pointer is not None)
    item, by_new = found.get(place[0]), found.get(place[1])
    whole = (
        pointer is not None
        and by_new is not None
        and _pointer_target(by_new) == _pointer_target(pointer)
    )
    return TargetState(item, pointer, is_whole=whole)


def _pointer_target(pointer: Item) -> tuple[Any, ...]:
    return tuple(pointer.get(name) for name in ("id", "categoryId", "kind"))


def _ref_of(item: Item) -> Ref[Any]:
    return ref_of(_ENTITIES[_kind_of(item)], item)


def _article_in(item: Item) -> Post | Draft:
    article: Post | Draft = schema_of(_ENTITIES[_kind_of(item)]).load(item)
    return article


def _kind_of(item: Item) -> Literal["post", "draft"]:
    """What an item is by its key, whatever else it says of itself."""
    return "draft" if item["SK"]["S"].startswith("DRAFT#") else "post"


def _pointer_ref(asked: str) -> Ref[PostPointer]:
    """The key of a pointer; the ids were checked when the copy was made."""
    return schema_of(PostPointer).key.ref(PostPointer, {"asked": asked})


@lru_cache
def _pointer_into(category_id: str, kind: Literal["post", "draft"]) -> Item:
    """The item of a pointer to any post of a category: all of them differ by their ids alone."""
    pointer = PostPointer(asked="any", id="any", category_id=category_id, kind=kind)
    return schema_of(PostPointer).item(pointer)
