"""Copies: what an old row is in the new table, and which counts, it or what is there."""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import dataclass
from datetime import datetime
from typing import Any, Literal

from pydantic import ValidationError

from gotgan.domains.site.keys import SITE, derived_id
from gotgan.domains.site.migration import messages
from gotgan.domains.site.migration.rows import DRAFTS, UNKNOWN_MOMENT, OldRow, digest, parse_moment
from gotgan.domains.site.migration.state import KnownRow
from gotgan.domains.site.models import SiteEntity
from gotgan.errors import GotganError, MigrationError
from gotgan.store.attributes import Item, decode, encode
from gotgan.store.keys import Ref
from gotgan.validation import problem

Verdict = Literal["new", "update", "same", "newer_here", "conflict", "deleted_here"]


@dataclass(frozen=True, slots=True)
class Copy:
    """An old row as it is stored in the new table."""

    old: OldRow
    entity: SiteEntity
    item: Item
    ref: Ref[Any]


@dataclass(frozen=True, slots=True)
class TargetState:
    """What the new table has for an old row."""

    item: Item | None = None
    pointer: Item | None = None
    """What leads to a post by its old id."""
    is_gone: bool = False
    """Whether it was deleted here, or ended, and something here says so."""
    is_whole: bool = True
    """Whether everything is there that helps to find it."""


def copy_of(old: OldRow, **resolved: Any) -> Copy:
    """The copy of a row, with the fields that were resolved elsewhere."""
    try:
        entity = old.kind.entity(**{**old.fields, **resolved})
        item = {**old.foreign, **old.kind.schema.item(entity)}
        if old.contents is not None:
            item["contents"] = old.contents  # as they are, to the last digit
        return Copy(old, entity, item, ref_of(old.kind.entity, item))
    except ValidationError as error:
        first = error.errors(include_url=False, include_input=False)[0]
        where = ".".join(str(step) for step in first["loc"])
        raise MigrationError(messages.ROW_FIELD(field=where, cause=problem(first))) from None
    except GotganError as error:
        raise MigrationError(messages.ROW_WITHOUT_KEY(cause=error.message)) from None


def post_copy(old: OldRow, category_id: str, author_id: str, post_id: str | None = None) -> Copy:
    """The copy of a post; a new one has its id from its moment and its old id, in every run."""
    return copy_of(
        old,
        id=post_id or derived_id(old.made_at, old.old_id),
        category_id=category_id,
        author_id=author_id,
    )


def under_its_id(copy: Copy, there: TargetState) -> Copy:
    """The copy under the id that it was once given: addresses hold it, so it stays."""
    pointer = there.pointer
    if pointer is None or pointer["id"] == copy.item["id"]:
        return copy
    home, author = (copy.item[name]["S"] for name in ("categoryId", "authorId"))
    return post_copy(copy.old, home, author, pointer["id"]["S"])


def ref_of(entity: type[Any], item: Item) -> Ref[Any]:
    """The key of an item, as it is in it."""
    return Ref(entity, *(decode(item[key.name]) for key in SITE.keys))


def decide(copy: Copy, there: TargetState, known: KnownRow | None) -> Verdict:
    """Which of the two counts: the newer one, and never a copy over an edit of the same second."""
    if there.is_gone:
        return "deleted_here"
    if there.item is None:
        return "new"
    ours, theirs = copy.old.updated_at, updated_at(there.item)
    if ours > theirs:
        return "conflict" if is_published_here(copy, there.item) else "update"
    if ours < theirs:
        is_edited = known is not None and known.version != version_of(there.item)
        is_changed = known is not None and known.digest not in (b"", copy.old.digest)
        return "conflict" if is_edited and is_changed else "newer_here"
    # Of the same moment: equal, changed at the origin alone, or undecidable.
    if is_same(copy, there.item):
        return "same"
    untouched = known is not None and known.version == version_of(there.item)
    return "update" if untouched else "conflict"


def is_published_here(copy: Copy, item: Item) -> bool:
    """Whether an item is a post that was published here, while the origin still has a draft."""
    return copy.old.kind is DRAFTS and "draftId" in item


def is_same(copy: Copy, item: Item) -> bool:
    """Whether an item is what the origin says, as far as the origin decides."""
    origin_names = copy.old.origin_names
    if all(copy.item.get(name) == item.get(name) for name in origin_names):
        return True
    return checksum(copy.item, origin_names) == checksum(item, origin_names)


def checksum(item: Item, origin_names: Collection[str]) -> int:
    """The share of an item in a checksum: sums of them do not depend on any order."""
    parts = {name: value for name, value in item.items() if name in origin_names}
    return int.from_bytes(digest(parts)[0])


def merge_items(copy: Copy, item: Item) -> Item:
    """The copy over an item: what was added here stays, and the version counts up."""
    origin_names = copy.old.origin_names
    kept = {name: value for name, value in item.items() if name not in origin_names}
    said = {name: value for name, value in copy.item.items() if name in origin_names}
    return {**kept, **said, **copy.ref.item, "version": encode(version_of(item) + 1)}


def updated_at(item: Item) -> datetime:
    """When an item was last changed; one that does not say it is older than anything."""
    at = (
        parse_moment(item.get("UpdatedAt")) or parse_moment(item.get("CreatedAt")) or UNKNOWN_MOMENT
    )
    return at.replace(microsecond=0)


def version_of(item: Item) -> int:
    """How often an item was changed."""
    return int(item.get("version", {}).get("N", "1"))
