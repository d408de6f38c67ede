"""The kinds of records that commands of the site name."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any, Final

from gotgan.errors import UsageError

if TYPE_CHECKING:
    from gotgan.domains.site.service import Site
    from gotgan.store import Entity

__all__ = ["COLUMNS", "COMPANY", "KINDS", "one_of", "page_of"]

COLUMNS: Final = {
    "banners": ("id", "title", "imgUri", "CreatedAt"),
    "categories": ("id", "slug", "order", "title", "CreatedAt"),
    "drafts": ("id", "categoryId", "title", "authorId", "UpdatedAt"),
    "inquiries": ("id", "status", "name", "subject", "notifiedEmail", "CreatedAt"),
    "mails": ("id", "status", "purpose", "to", "attempts", "dueAt", "lastError"),
    "posts": ("id", "categoryId", "title", "authorId", "CreatedAt"),
    "tokens": ("id", "userId", "role", "kind", "note", "lastUsedAt", "revokedAt"),
    "users": ("id", "displayName", "role", "CreatedAt"),
}
"""What a list for people shows of each kind; one for programs shows all."""
KINDS: Final = tuple(COLUMNS)
COMPANY: Final = "company"
"""The one record that has no list."""
_FILTERS: Final = {"posts": ("category", "q"), "inquiries": ("status",), "mails": ("show",)}


def page_of(
    site: Site, kind: str, *, limit: int, cursor: str | None, **filters: Any
) -> tuple[Sequence[Entity], str | None]:
    """A page of records, and where the next one begins."""
    chosen = {name: value for name, value in filters.items() if value is not None}
    for name in chosen.keys() - set(_FILTERS.get(kind, ())):
        raise UsageError(f"--{name} does not choose among {kind}; leave it out")
    if kind == "categories":
        return site.categories.all()[:limit], None
    if chosen.pop("show", None):
        waiting = site.mails.waiting_page(limit=limit, cursor=cursor)
        return waiting.items, waiting.cursor
    page = getattr(site, kind).page(limit=limit, cursor=cursor, **chosen)
    return page.items, page.cursor


def one_of(site: Site, kind: str, record_id: str | None) -> Entity:
    """One record."""
    if kind == COMPANY:
        return site.company.get()
    if record_id is None:
        raise UsageError(f"which of the {kind}? Give its id; `gotgan site list {kind}` lists them")
    if kind == "tokens":
        raise UsageError("a token is shown in the list of tokens; it has no page of its own")
    if kind == "categories":
        return site.categories.find(record_id)
    record: Entity = getattr(site, kind).get(record_id)
    return record
