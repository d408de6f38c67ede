"""An item of the latest list, written once and never changed; and the body of its article."""

from __future__ import annotations

from typing import Annotated, ClassVar, Final, Literal

from pydantic import StringConstraints

from gotgan.clock import new_york_stamp, seoul_stamp, utc_stamp
from gotgan.domains.news.keys import BY_DAY, BY_QUEUE, NEWS_BODIES, NEWS_ITEMS, pk_of
from gotgan.store import Attribute, Entity, FewValues, IndexKey, Key, Timestamp, derived

__all__ = ["QUEUES", "NewsBody", "NewsItem", "Outcome", "Queue", "State"]

Pk = Annotated[str, StringConstraints(max_length=19)]
Day = Annotated[str, StringConstraints(max_length=10)]

State = Literal["PROGRESS", "WAITING", "DONE"]
"""Somebody has it, it waits for another attempt, or there is nothing left to do."""
Outcome = Literal["ok", "external", "premium", "gone", "blocked", "dead"]
"""What it is, once it is done: here in full, at another site, behind a paywall, no longer there,
not ours to fetch, or given up after too many attempts."""
Queue = Literal["retry", "dead"]
QUEUES: Final[tuple[Queue, ...]] = ("retry", "dead")


class NewsItem(Entity, table=NEWS_ITEMS, identity="url"):
    """A headline, its URL and its tickers, as they were when it was first seen."""

    shown: ClassVar = (
        "pk",
        "source",
        "title",
        "url",
        "tickers",
        "uploaded_at",
        "uploaded_at_utc_ms",
        "uploaded_at_est_iso",
        "uploaded_at_kst_iso",
        "dt_utc",
        "dt_est",
        "dt_kst",
        "tz_est_abbr",
        "tz_est_is_dst",
    )

    key = Key("{pk}")
    by_day = IndexKey(BY_DAY, "{dt_utc}", "{uploaded_at_utc_ms}")

    source: str
    title: str
    url: str
    tickers: tuple[str, ...] = ()
    uploaded_at: Annotated[Timestamp, Attribute("uploaded_at_utc_iso")]

    @derived("url")
    def pk(self) -> Pk:
        """The key."""
        return pk_of(self.url)

    @derived("uploaded_at")
    def uploaded_at_utc_ms(self) -> int:
        """Milliseconds since 1970."""
        return utc_stamp(self.uploaded_at).epoch_ms

    @derived("uploaded_at")
    def uploaded_at_est_iso(self) -> str:
        """As New York writes it, with the offset of that day."""
        return new_york_stamp(self.uploaded_at).iso

    @derived("uploaded_at")
    def uploaded_at_kst_iso(self) -> str:
        """As Seoul writes it."""
        return seoul_stamp(self.uploaded_at).iso

    @derived("uploaded_at")
    def dt_utc(self) -> Day:
        """The date in UTC."""
        return utc_stamp(self.uploaded_at).day

    @derived("uploaded_at")
    def dt_est(self) -> Day:
        """The date in New York."""
        return new_york_stamp(self.uploaded_at).day

    @derived("uploaded_at")
    def dt_kst(self) -> Day:
        """The date in Seoul."""
        return seoul_stamp(self.uploaded_at).day

    @derived("uploaded_at")
    def tz_est_abbr(self) -> str:
        """What New York's time is called: EST or EDT."""
        return new_york_stamp(self.uploaded_at).abbreviation

    @derived("uploaded_at")
    def tz_est_is_dst(self) -> bool:
        """Whether New York has daylight saving time."""
        return new_york_stamp(self.uploaded_at).is_dst


class NewsBody(Entity, table=NEWS_BODIES):
    """What became of fetching an article; no item at all means that nobody has tried yet.

    While somebody works on it, and while it waits for another attempt, it is in a queue, due when
    the next worker may take it. What is done is in none; what was given up is in one of its own.
    """

    shown: ClassVar = (
        "pk",
        "url",
        "state",
        "outcome",
        "attempts",
        "due_at",
        "changed_at",
        "error",
        "reason",
        "title",
        "author",
        "provider",
        "published_at",
        "language",
        "word_count",
        "extractor",
        "is_cut",
        "text",
    )

    key = Key("{pk}")
    queued = IndexKey(
        BY_QUEUE,
        "{queue}",
        "{due_at}",
        acknowledge=[FewValues("a body is in it only while it is under way or has failed")],
    )

    pk: Pk
    url: str
    state: State
    outcome: Outcome | None = None
    queue: Queue | None = None
    due_at: Timestamp | None = None
    attempts: int = 0
    owner: str | None = None
    changed_at: Timestamp
    error: str | None = None
    """The code of what went wrong last."""
    reason: str | None = None
    """And its sentence."""

    title: str | None = None
    author: str | None = None
    provider: str | None = None
    published_at: Timestamp | None = None
    text: str | None = None
    is_cut: bool | None = None
    """Whether the text was longer than an item can hold."""
    word_count: int | None = None
    language: str | None = None
    extractor: str | None = None
