"""Documents: what a domain offers to the search, which is a layer above all domains."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from datetime import datetime

    from gotgan.verbs import Role


@dataclass(frozen=True, slots=True)
class SearchDocument:
    """Something that can be found by its words."""

    kind: str
    """What it is, such as `story`; results are counted by it."""
    id: str
    """Identifies it within its kind; not a path, because pages can move."""
    title: str
    text: str = ""
    names: tuple[str, ...] = ()
    """Other exact names, such as a ticker; who types one finds it first."""
    at: datetime | None = None
    """Newer ones come first; those without a time, such as shares, before all others."""
    group: str = ""
    """What it is replaced and removed with, such as the video of a comment; by default its id."""
    role: Role = "viewer"
    """The role that may find it."""
    until: datetime | None = None
    """When it is removed."""


@dataclass(frozen=True)
class DocumentBatch:
    """The documents that are new or have changed since a mark."""

    documents: Sequence[SearchDocument] = ()
    replaced: Sequence[str] = ()
    """Groups that are here as a whole: what else there was of them is removed."""
    mark: str | None = None
    """Where the next batch starts; only the domain can read it."""
    is_last: bool = True
    """Whether there is nothing more to read now."""
