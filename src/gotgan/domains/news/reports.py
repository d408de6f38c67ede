"""Results of the news verbs."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from datetime import datetime
from typing import ClassVar, Literal

from gotgan.domains.news import messages
from gotgan.domains.news.models import NewsBody, NewsItem, NewsSource, Outcome
from gotgan.errors import GotganError
from gotgan.store import Cost, FailedPut, Page


@dataclass(frozen=True)
class Uploaded:
    """The result of an upload."""

    shown: ClassVar = ("source", "uploaded_at", "given", "new", "duplicates", "failed", "cost")

    source: str
    uploaded_at: datetime
    """When the new items were stored."""
    new: tuple[NewsItem, ...]
    """Stories that were stored."""
    duplicates: int
    """How many stories were stored before. They stay unchanged."""
    failed: tuple[FailedPut[NewsItem], ...]
    """Stories that could not be stored."""
    cost: Cost

    @property
    def given(self) -> int:
        """How many stories were given."""
        return len(self.new) + self.duplicates + len(self.failed)

    @property
    def words(self) -> str:
        """The result in one line."""
        counts = {"new": len(self.new), "duplicate": self.duplicates}
        return messages.result(counts | ({"failed": len(self.failed)} if self.failed else {}))


@dataclass(frozen=True)
class BodiesReport:
    """What a run over article texts did."""

    shown: ClassVar = (
        "tried",
        "outcomes",
        "waiting",
        "reasons",
        "skipped",
        "stopped",
        "queued",
        "dead",
        "has_more",
        "cost",
    )

    outcomes: Mapping[Outcome, int]
    """Articles that are done, counted by outcome."""
    waiting: int
    """Articles that failed and are retried later."""
    skipped: int
    """Articles that another worker is processing."""
    stopped: str | None
    """Why the run ended early: the site is blocking or rate-limiting requests."""
    has_more: bool
    """Whether articles are left because the limit was reached."""
    cost: Cost
    reasons: Mapping[str, int] = field(default_factory=dict)
    """Failed attempts, counted by error code."""
    queued: int = 0
    """Articles in the queue now, of this run and others."""
    dead: int = 0
    """Articles that failed five times and are not retried, of this run and others."""

    @property
    def tried(self) -> int:
        """Articles that are done or failed in this run."""
        return sum(self.outcomes.values()) + self.waiting

    @property
    def words(self) -> str:
        """The result in one line."""
        counts = [*self.outcomes.items(), ("waiting", self.waiting)]
        return messages.result({word: count for word, count in counts if count})


@dataclass(frozen=True)
class KeyReason:
    """Why an item has its key."""

    tag: Literal["id", "h"]
    """`id` if the path of the URL ends in an article ID."""
    article_id: str | None
    """The article ID in the URL."""
    sha256: str
    """The hash of the URL; the key has its first 16 digits."""


@dataclass(frozen=True)
class AlsoAt:
    """The same story at another source, by its title."""

    pk: str
    source: str
    title: str
    url: str


@dataclass(frozen=True)
class NewsItemList(Page[NewsItem]):
    """A page of items."""

    also_at: Mapping[str, tuple[AlsoAt, ...]] = field(default_factory=dict)
    """The same stories at other sources, by the keys of the items."""


@dataclass(frozen=True)
class NewsDetails:
    """An item, its article, and why it has its key."""

    item: NewsItem
    body: NewsBody | None
    """Its article, or why it could not be fetched; null before the first attempt."""
    why: KeyReason
    look_alikes: tuple[NewsItem, ...]
    """Items of the same UTC day whose URLs differ only in the query or fragment."""
    also_at: tuple[AlsoAt, ...]
    """The same story at other sources, by its title."""


@dataclass(frozen=True)
class AddedSource:
    """A source that was added, or existed."""

    source: NewsSource
    is_new: bool
    """Whether it was added now; if not, nothing was changed."""


@dataclass(frozen=True)
class PolledSource:
    """What the poll of one source brought."""

    name: str
    listed: int | None
    """Stories in the response; null if nothing has changed since the last, or it failed."""
    new: int
    """Stories that were stored."""
    duplicates: int
    """Stories that were stored before."""
    error: GotganError | None
    """Why the poll failed; null if it succeeded."""


@dataclass(frozen=True)
class PollReport:
    """What a run over sources did."""

    shown: ClassVar = ("sources", "new", "failed", "skipped", "cost")

    sources: tuple[PolledSource, ...]
    """The sources that were polled, by name."""
    skipped: int
    """Sources that another worker is polling, or that were removed meanwhile."""
    cost: Cost

    @property
    def new(self) -> int:
        """Stories that were stored."""
        return sum(each.new for each in self.sources)

    @property
    def failed(self) -> int:
        """Polls that failed."""
        return sum(each.error is not None for each in self.sources)

    @property
    def words(self) -> str:
        """The result in one line."""
        count, new = len(self.sources), self.new
        if self.failed:
            return messages.POLLED_FAILED(count=count, new=new, failed=self.failed)
        return messages.POLLED(count=count, new=new)
