"""Handing changes to a sink, at least once: how far it has heard is written down after it has.

Changes sort by the second in which they were seen, and one that was seen earlier can come into the
table later: its writer was slow. So the last minutes are read again each time, and what was handed
over of them is known one by one; what lies further back is settled. No writer goes behind the
newest change of a shop, so nothing behind that is settled before there is a newer one: how far
their clocks are behind the one here does not matter.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from datetime import UTC, datetime, timedelta
from hashlib import sha256
from typing import TYPE_CHECKING, Final

from gotgan.domains.shops import patterns
from gotgan.domains.shops.models import Change, Delivery
from gotgan.domains.shops.reports import Delivered
from gotgan.errors import BadItem, ConditionFailed, SinkFailed
from gotgan.events import emit
from gotgan.store import Store
from gotgan.store.batches import chunks

if TYPE_CHECKING:
    from gotgan.domains.shops.sinks import Sink

__all__ = ["BATCH", "SETTLES_AFTER", "deliver_changes"]

BATCH: Final = 100
"""How many changes are handed over at once, and come again at most after a crash."""
SETTLES_AFTER: Final = timedelta(minutes=2)
"""Nobody writes a change so long after it was seen: the store gives up on a write before."""

_FIRST: Final = datetime(1970, 1, 1, tzinfo=UTC)
_MARK: Final = 8
_MOST_RECENT: Final = 25_000
"""More marks would not fit into an item; what is beyond waits until the first of them settle."""


def deliver_changes(store: Store, domains: Iterable[str], sink: Sink) -> Delivered:
    """Hand a sink all changes of some shops that it has not heard of, shop by shop, in order."""
    counts: list[int] = []
    stopped = None
    with store.metered("deliver") as measured:
        try:
            for domain in domains:
                counts.append(0)
                for handed_over in _Course(store, domain, sink).run():
                    counts[-1] += handed_over
        except SinkFailed as failure:
            emit("shops.sink.failed", level="warning", sink=sink.name, reason=failure.message)
            stopped = failure.message
    return Delivered(sink.name, sum(counts), sum(map(bool, counts)), stopped, measured.cost)


@dataclass
class _Course:
    """The changes of one shop on their way to a sink."""

    store: Store
    domain: str
    sink: Sink
    cursor: Delivery = field(init=False)
    ahead: set[bytes] = field(init=False)
    """Marks of what was handed over before and was not read again yet."""
    behind: list[tuple[datetime, bytes]] = field(default_factory=list)
    """What the sink has of what was read, as far as it is not settled."""

    def __post_init__(self) -> None:
        ref = patterns.delivery(self.domain, self.sink.name)
        first = Delivery(domain=self.domain, sink=self.sink.name, settled_at=_FIRST)
        self.cursor = self.store.get(ref, consistent=True) or first
        self.ahead = set(_marks(self.cursor.recent))

    def run(self) -> Iterator[int]:
        """Hand over batch after batch, and say how many changes each of them had."""
        settles = self.store.clock.now().replace(microsecond=0) - SETTLES_AFTER
        since = patterns.changes_since(self.domain, self.cursor.settled_at).consistent()
        found = self.store.iterate(since, at_most=None, on_bad=self._pass_over)
        for changes in chunks(found, BATCH):
            news = [change for change in changes if _mark(change) not in self.ahead]
            if news and len(self.behind) + len(self.ahead) > _MOST_RECENT:
                emit("shops.sink.waiting", domain=self.domain, sink=self.sink.name)
                return
            if news:
                self.sink.deliver(news)
                yield len(news)
            self._leave_behind(changes)
            if news and not self._advance(self._end(settles)):
                return
        if (end := self._end(settles)) > self.cursor.settled_at:  # so that less is read again
            self._advance(end)

    def _pass_over(self, misfit: BadItem) -> None:
        emit("shops.change.bad", level="warning", domain=self.domain, reason=misfit.message)

    def _leave_behind(self, changes: list[Change]) -> None:
        marks = [(change.seen_at, _mark(change)) for change in changes]
        self.behind += marks
        self.ahead.difference_update(mark for _, mark in marks)

    def _end(self, settles: datetime) -> datetime:
        """Up to where it is settled: the last change that is old enough, whose second may go on."""
        old = (seen_at for seen_at, _ in reversed(self.behind) if seen_at <= settles)
        return max(self.cursor.settled_at, next(old, _FIRST))

    def _advance(self, settled_at: datetime) -> bool:
        """Write down how far the sink has heard; False where somebody else has done so."""
        self.behind = [(seen_at, mark) for seen_at, mark in self.behind if seen_at >= settled_at]
        recent = b"".join([*(mark for _, mark in self.behind), *sorted(self.ahead)])
        try:
            self.cursor = self._written(settled_at, recent)
        except ConditionFailed:
            emit("shops.sink.overtaken", domain=self.domain, sink=self.sink.name)
            return False
        return True

    def _written(self, settled_at: datetime, recent: bytes) -> Delivery:
        if self.cursor.origin is None:
            first = self.cursor.model_copy(update={"settled_at": settled_at, "recent": recent})
            return self.store.put(first).item
        return self.store.update(self.cursor, settled_at=settled_at, recent=recent).item


def _mark(change: Change) -> bytes:
    key = f"{change.seen_at.isoformat()}#{change.url}"
    return sha256(key.encode("utf-8", "surrogatepass")).digest()[:_MARK]


def _marks(recent: bytes) -> list[bytes]:
    return [recent[start : start + _MARK] for start in range(0, len(recent), _MARK)]
