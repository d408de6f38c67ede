"""What the verbs of the search return."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import datetime
from typing import ClassVar

from gotgan.search.snippets import MarkedText


@dataclass(frozen=True)
class SearchHit:
    """Something that was found."""

    shown: ClassVar = {
        "domain": "domain",
        "kind": "kind",
        "id": "id",
        "title": "title.text",
        "titleMarks": "title.marks",
        "snippet": "snippet.text",
        "snippetMarks": "snippet.marks",
        "at": "at",
    }

    domain: str
    kind: str
    """What it is, such as `story`, `product` or `share`."""
    id: str
    """Identifies it within its kind."""
    title: MarkedText
    snippet: MarkedText
    """The part of its text around the words."""
    at: datetime | None


@dataclass(frozen=True)
class KindCount:
    """How many documents of a kind were found."""

    kind: str
    count: int
    is_bounded: bool
    """Whether there are more: they are counted up to 100."""


@dataclass(frozen=True)
class SearchPage:
    """What was found: exact names first, then titles, then texts; each from the newest."""

    items: tuple[SearchHit, ...]
    cursor: str | None
    total: int
    """How many were found, of each kind at most 100."""
    is_bounded: bool
    """Whether there are more than `total`."""
    kinds: tuple[KindCount, ...]
    """The same for each kind, whatever kinds were asked for."""
    as_of: datetime | None
    """When the index was last brought up to date; null if it never was."""
    age_s: int | None
    """How many seconds ago that was."""


@dataclass(frozen=True)
class IndexUpdate:
    """What an update of the index did."""

    written: int
    """Documents that are new or have changed."""
    removed: int
    total: int
    """Documents in the index."""
    as_of: datetime | None
    """When the index was last brought up to date."""
    failed: Mapping[str, str]
    """Why a domain could not be read, by its name."""
    is_elsewhere: bool = False
    """Whether nothing was done because another process is doing it."""
