"""The books of a lifecycle: the attributes that it keeps on an item, and what each move writes."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Any, Final

from gotgan.clock import utc_iso
from gotgan.errors import BadItem
from gotgan.lifecycle.states import NEVER, Position, State
from gotgan.store.attributes import AttributeValue, Item, decode, encode
from gotgan.store.changes import UpdateBuilder
from gotgan.store.conditions import Condition, raw

__all__ = ["Books"]

_WORDS: Final[Mapping[str, type]] = {
    "owner": str,
    "lease_until": str,
    "fence": int,
    "attempts": int,
    "previous": str,
    "last_error": str,
    "not_before": str,
}


@dataclass(frozen=True)
class Books:
    """What a lifecycle writes down: its state in the sort key, and the rest beside it."""

    name: str
    sort_key: str
    """The attribute that holds the state."""
    lease: timedelta
    """The usual lease, for claims that say none."""

    def attribute(self, word: str) -> str:
        """An attribute beside the sort key: ``crawl_owner`` of the lifecycle ``crawl``."""
        return f"{self.name}_{word}"

    @property
    def attributes(self) -> frozenset[str]:
        """All that is kept, the sort key included."""
        return frozenset({self.sort_key, *(self.attribute(word) for word in _WORDS)})

    def position(self, item: Item) -> Position:
        """Where a stored item stands."""
        kept = {word: self._read(item, word) for word in _WORDS}
        return Position(
            sort_key=decode(item[self.sort_key]) if self.sort_key in item else None,
            owner=kept["owner"],
            lease_until=self._moment("lease_until", kept["lease_until"]),
            fence=kept["fence"] or 0,
            attempts=kept["attempts"] or 0,
            previous=kept["previous"],
            last_error=kept["last_error"],
            not_before=self._moment("not_before", kept["not_before"]),
        )

    # Guards

    def expect_unclaimed(
        self, change: UpdateBuilder, before: Position, now: datetime, *, is_early: bool
    ) -> None:
        """Only where the item stands as before, and nobody works on it or has postponed it.

        The sort key is guard enough, whatever happened between: an item that stands there again
        can be claimed again, and what a claim goes back to is that very sort key. An index does not
        hold when a postponed item may be claimed, so the database checks that.
        """
        change.expect(self.sort_key, _text(before.sort_key))
        if before.state is State.PROGRESS:
            change.guards.append(self.is_over(before, now))
        elif not is_early:
            due = raw(self.attribute("not_before"))
            change.guards.append(due.missing() | (due <= utc_iso(now)))

    def expect_claim(self, change: UpdateBuilder, claim: Position) -> None:
        """Only while the claim holds.

        The fence tells two claims of one second apart, and the owner's letters of chance those of
        an item that was deleted and made anew, whose fence began at 1 again.
        """
        change.expect(self.sort_key, _text(claim.sort_key))
        change.expect(self.attribute("fence"), encode(claim.fence) if claim.fence else None)
        change.expect(self.attribute("owner"), _text(claim.owner))

    def is_over(self, position: Position, now: datetime) -> Condition:
        """The database's own word for ``Position.is_over``: what is stored decides."""
        until = raw(self.attribute("lease_until"))
        over = until <= utc_iso(now)
        began = position.since
        foreign_over = began is None or began + self.lease <= now
        return over | until.missing() if foreign_over else over

    # Moves

    def begin(self, change: UpdateBuilder, before: Position, now: datetime, owner: str) -> None:
        """Write a claim down, but for its lease; one that is taken over keeps what it goes back to.

        The fence and the attempts are counted by the database: an index does not hold them.
        """
        if before.state is not State.PROGRESS:
            change.put(self.attribute("previous"), _text(before.sort_key or NEVER))
        change.put(self.sort_key, _text(State.PROGRESS.sort_key(now)))
        change.put(self.attribute("owner"), _text(owner))
        for word in ("fence", "attempts"):
            change.add(self.attribute(word), 1)

    def hold(self, change: UpdateBuilder, until: datetime) -> None:
        """Write a lease down, and nothing else: no index holds it."""
        change.put(self.attribute("lease_until"), _text(utc_iso(until)))

    def end(self, change: UpdateBuilder, after: Position) -> None:
        """Write down where a claim that is put down leaves the item."""
        change.put(self.sort_key, _text(after.sort_key))
        gone = ["owner", "lease_until", "previous"]
        for word in gone if after.attempts else [*gone, "attempts"]:
            change.put(self.attribute(word), None)
        due = None if after.not_before is None else utc_iso(after.not_before)
        change.put(self.attribute("last_error"), _text(after.last_error))
        change.put(self.attribute("not_before"), _text(due))

    def _read(self, item: Item, word: str) -> Any:
        name = self.attribute(word)
        value = None if name not in item else decode(item[name])
        if value is not None and not isinstance(value, _WORDS[word]):
            raise self._misfit(word, value)
        return value

    def _moment(self, word: str, text: str | None) -> datetime | None:
        """A moment as we write it; the database compares it as text, so no other form will do."""
        if text is None:
            return None
        try:
            moment = datetime.fromisoformat(text)
            if utc_iso(moment) == text:
                return moment
        except ValueError:
            raise self._misfit(word, text) from None
        raise self._misfit(word, text)

    def _misfit(self, word: str, value: object) -> BadItem:
        return BadItem(f"{self.attribute(word)} holds {value!r}, which it cannot; mend the item")


def _text(text: str | None) -> AttributeValue | None:
    return None if text is None else {"S": text}
