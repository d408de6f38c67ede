"""Posts and drafts on their way: each comes with a pointer for its old id and one for its new id.

The pointer of the old id tells where a post is now, wherever an editor has moved it. It stays when
the post is deleted or ends, and says so, so that no later run brings it back. A pointer that says
neither and leads nowhere is that of a post that was lost.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime
from functools import lru_cache
from typing import Any, Final, Literal, cast

from gotgan.domains.site import articles, patterns
from gotgan.domains.site.migration.copies import (
    Copy,
    TargetState,
    Verdict,
    merged,
    post_copy,
    ref_of,
    version_of,
)
from gotgan.domains.site.migration.moments import moment
from gotgan.domains.site.migration.placing import over, place, put, repoint, take_away
from gotgan.domains.site.migration.planning import OUTCOME_OF, RowPlan, stored
from gotgan.domains.site.migration.resolving import Authors, Homes
from gotgan.domains.site.migration.rows import POSTS, Note, Old, RowKind
from gotgan.domains.site.models import Draft, Post
from gotgan.domains.site.pointers import PostPointer
from gotgan.store import Ref, Store, writes
from gotgan.store.attributes import Item
from gotgan.store.schema import schema_of

__all__ = ["PostMover"]

_ENTITIES: Final[dict[str, type[Post | Draft]]] = {"post": Post, "draft": Draft}


@dataclass
class PostMover:
    """Posts and drafts, into the partitions of their categories."""

    store: Store
    homes: Homes
    authors: Authors
    kind: RowKind = POSTS

    def copy(self, old: Old) -> Copy:
        """What a row becomes."""
        home = self.homes.find(old.category) or self.homes.orphanage()
        return post_copy(old, home, self.authors.user_id(old.author))

    def is_orphan(self, old: Old) -> bool:
        """Whether a post's category is not there."""
        return self.homes.find(old.category) is None

    def look(self, copies: Sequence[Copy], *, consistent: bool) -> dict[str, TargetState]:
        """Where the pointers of the old ids lead; looking closely, also where no pointer leads."""
        ids = [each.old.old_id for each in copies]
        by_old = self._pointers({each: each for each in ids}, consistent=consistent)
        lost = {each.old.old_id: each.entity.id for each in copies if each.old.old_id not in by_old}
        leads = by_old | (self._pointers(lost, consistent=consistent) if consistent else {})
        now = self.store.clock.now()
        places = {
            each.old.old_id: _place(each, leads.get(each.old.old_id))
            for each in copies
            if _is_sought(by_old.get(each.old.old_id), now, closely=consistent)
        }
        wanted = [ref for place in places.values() for ref in place]
        found = stored(self.store, wanted, consistent=consistent)
        return {each: _standing(by_old.get(each), places.get(each), found) for each in ids}

    def _pointers(self, asked: dict[str, str], *, consistent: bool) -> dict[str, Item]:
        """The pointers that are there, by the old ids that they are asked for."""
        refs = {old_id: _pointer_ref(each) for old_id, each in asked.items()}
        found = stored(self.store, list(refs.values()), consistent=consistent)
        return {old_id: found[ref] for old_id, ref in refs.items() if ref in found}

    def writes(self, copy: Copy, there: TargetState, verdict: Verdict) -> RowPlan:
        """How the table gets from what is there to the copy."""
        outcome = OUTCOME_OF[verdict]
        if verdict == "new":
            return self._arriving(copy, there.pointer)
        if there.item is None:
            return RowPlan(copy, outcome, 0)
        if verdict == "update":
            return self._changing(copy, there, there.item)
        if there.is_whole:
            return RowPlan(copy, outcome, version_of(there.item) if verdict == "same" else 0)
        return self._mending(copy, there.item, verdict)

    def _arriving(self, copy: Copy, found: Item | None) -> RowPlan:
        post = cast("Post | Draft", copy.entity)
        by_old, by_new = _pointer_ref(copy.old.old_id), _pointer_ref(post.id)
        leads = {**_pointer_into(post.category_id, _kind_of(copy.item)), "id": copy.item["id"]}
        todo = (
            place(copy.ref, copy.item),
            repoint(by_old, {**leads, **by_old.item}, found),
            put(by_new, {**leads, **by_new.item}),
        )
        home = post.category_id
        return RowPlan(copy, "copied", 1, todo, lane=home, arrives_in=home)

    def _changing(self, copy: Copy, there: TargetState, found: Item) -> RowPlan:
        item = merged(copy, found)
        version, home = version_of(item), item["categoryId"]["S"]
        old_ref = _ref_of(found)
        pointers = articles.pointers(_article_in(item))
        if old_ref == copy.ref:
            todo = [over(copy.ref, item, found), *(() if there.is_whole else pointers)]
            return RowPlan(copy, "updated", version, tuple(todo), lane=home)
        moved = (take_away(old_ref, found), place(copy.ref, item), *pointers)
        return RowPlan(copy, "updated", version, moved, lane=home, arrives_in=home)

    def _mending(self, copy: Copy, found: Item, verdict: Verdict) -> RowPlan:
        """What helps to find a post is written anew, if the post is still there."""
        todo = (writes.check(_ref_of(found)), *articles.pointers(_article_in(found)))
        note = Note("pointers of a post were missing: they were written anew", copy.old.old_id)
        version = version_of(found) if verdict == "same" else 0
        home = found["categoryId"]["S"]
        return RowPlan(copy, OUTCOME_OF[verdict], version, todo, lane=home, notes=(note,))


def _is_sought(pointer: Item | None, now: datetime, *, closely: bool) -> bool:
    """Whether a post can be there: its pointer does not say that it was deleted or has ended."""
    if pointer is None:
        return closely
    ends = moment(pointer.get("endsAt"))
    return "deletedAt" not in pointer and (ends is None or ends > now)


def _place(copy: Copy, pointer: Item | None) -> tuple[Ref[Any], Ref[Any]]:
    """Where a post is to be looked for, with the pointer of its new id."""
    if pointer is None:
        return copy.ref, _pointer_ref(copy.entity.id)
    post_id, home = pointer["id"]["S"], pointer["categoryId"]["S"]
    is_draft = pointer["kind"]["S"] == "draft"
    ref: Ref[Any] = (patterns.draft if is_draft else patterns.post)(home, post_id)
    return ref, _pointer_ref(post_id)


def _standing(
    pointer: Item | None, place: tuple[Ref[Any], Ref[Any]] | None, found: dict[Ref[Any], Item]
) -> TargetState:
    if place is None:
        return TargetState(pointer=pointer, is_gone=pointer is not None)
    item, by_new = found.get(place[0]), found.get(place[1])
    whole = pointer is not None and by_new is not None and _leads(by_new) == _leads(pointer)
    return TargetState(item, pointer, is_whole=whole)


def _leads(pointer: Item) -> tuple[Any, ...]:
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
