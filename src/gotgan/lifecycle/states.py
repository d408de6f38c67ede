"""States, positions in a lifecycle, and the attributes that store them on an item."""

from __future__ import annotations

import enum
from collections.abc import Mapping
from contextlib import suppress
from dataclasses import dataclass, replace
from datetime import UTC, datetime, timedelta
from typing import Any, Final

from gotgan.clock import utc_iso
from gotgan.errors import BadItem
from gotgan.lifecycle import messages
from gotgan.store.attributes import AttributeValue, Item, decode, encode
from gotgan.store.conditions import Condition, raw
from gotgan.store.queries import SortCondition
from gotgan.store.updates import UpdateBuilder


class State(enum.Enum):
    """The states of an item."""

    NEVER = "NEVER"
    """It was never worked on."""
    PROGRESS = "PROGRESS"
    """A worker holds a claim on it, or held one and died."""
    DONE = "DONE"
    """It was done, and can be claimed again."""

    def sort_key(self, moment: datetime | None = None) -> str:
        """The sort key of the state: ``NEVER#``, ``PROGRESS#<began>``, ``DONE#<finished>``."""
        return f"{self.value}#{'' if moment is None else utc_iso(moment)}"


NEVER: Final = State.NEVER.sort_key()
_ATTRIBUTE_TYPES: Final[Mapping[str, type]] = {
    "owner": str,
    "lease_until": str,
    "fence": int,
    "attempts": int,
    "previous": str,
    "last_error": str,
    "not_before": str,
}


@dataclass(frozen=True)
class Position:
    """The position of an item in a lifecycle, as it is stored."""

    sort_key: str | None
    """None where the item has none yet, which counts as NEVER."""
    owner: str | None = None
    lease_until: datetime | None = None
    fence: int = 0
    """How many claims there ever were."""
    attempts: int = 0
    """How many claims there were since it was last done."""
    previous: str | None = None
    """The sort key that a release goes back to."""
    last_error: str | None = None
    """Why the last attempt was postponed; None once it was done."""
    not_before: datetime | None = None
    """Before when it cannot be claimed, because the last attempt was postponed."""

    @property
    def state(self) -> State:
        """The state of the sort key."""
        if self.sort_key is None:
            return State.NEVER
        word, mark, _ = self.sort_key.partition("#")
        if not mark or word not in State.__members__:
            raise BadItem(messages.BAD_STATE(value=repr(self.sort_key)))
        return State[word]

    @property
    def since(self) -> datetime | None:
        """When the state began; None where the sort key does not say it."""
        text = (self.sort_key or "").partition("#")[2]
        try:
            moment = datetime.fromisoformat(text)
        except ValueError:
            return None
        # Another tool may leave the zone out; it is taken for UTC.
        return moment.replace(tzinfo=UTC) if moment.tzinfo is None else moment

    def is_over(self, now: datetime, default_lease: timedelta) -> bool:
        """Whether a claim is past its lease.

        A claim of another tool has no lease: it gets the default one, from when it began; where it
        does not say when, it is over.
        """
        if self.state is not State.PROGRESS:
            return False
        until, began = self.lease_until, self.since
        if until is None and began is not None:
            until = began + default_lease
        return until is None or until <= now

    def is_claim(self, other: Position) -> bool:
        """Whether both are the same claim, however often it was renewed."""
        mine = self.sort_key, self.fence, self.owner
        return mine == (other.sort_key, other.fence, other.owner)

    def can_be_claimed(
        self, before: Position, now: datetime, default_lease: timedelta, *, is_early: bool = False
    ) -> bool:
        """Whether it is where it was before, without a claim and not postponed.

        With ``is_early`` what was postponed can be claimed before its time.
        """
        if self.sort_key != before.sort_key:
            return False
        if self.state is State.PROGRESS:
            return self.is_over(now, default_lease)
        return is_early or self.not_before is None or now >= self.not_before

    def finished(self, now: datetime) -> Position:
        """The position after a claim was finished."""
        return Position(State.DONE.sort_key(now), fence=self.fence)

    def released(self) -> Position:
        """The position after a release: as before the claim, but for the attempts."""
        sort_key = self.previous or NEVER
        return replace(self, sort_key=sort_key, owner=None, lease_until=None, previous=None)

    def postponed(self, error: str, until: datetime) -> Position:
        """The position after a failure: released, with the reason and the next attempt."""
        whole = until.replace(microsecond=0)
        return replace(self.released(), last_error=error, not_before=whole)


def sort_key_range(state: State, after: datetime | None, before: datetime | None) -> SortCondition:
    """The sort keys of a state, from and up to a moment where one is given, both included."""
    end = f"{state.sort_key()}~" if before is None else state.sort_key(before)
    return SortCondition("BETWEEN", state.sort_key(after), end)


@dataclass(frozen=True)
class LifecycleAttributes:
    """The stored form of a lifecycle: its state in the sort key, and the rest beside it."""

    name: str
    sort_key: str
    """The attribute that holds the state."""
    lease: timedelta
    """The default lease."""

    def attribute(self, word: str) -> str:
        """An attribute beside the sort key: ``crawl_owner`` of the lifecycle ``crawl``."""
        return f"{self.name}_{word}"

    @property
    def names(self) -> frozenset[str]:
        """All attributes, the sort key included."""
        return frozenset({self.sort_key, *(self.attribute(word) for word in _ATTRIBUTE_TYPES)})

    def position(self, item: Item) -> Position:
        """The position of a stored item."""
        stored = {word: self._read(item, word) for word in _ATTRIBUTE_TYPES}
        for word in ("lease_until", "not_before"):
            stored[word] = self._moment(word, stored[word])
        for word in ("fence", "attempts"):
            stored[word] = stored[word] or 0
        sort_key = decode(item[self.sort_key]) if self.sort_key in item else None
        return Position(sort_key=sort_key, **stored)

    def _read(self, item: Item, word: str) -> Any:
        name = self.attribute(word)
        value = None if name not in item else decode(item[name])
        if value is not None and not isinstance(value, _ATTRIBUTE_TYPES[word]):
            raise self._bad_value(word, value)
        return value

    def _moment(self, word: str, text: str | None) -> datetime | None:
        """A moment in our form: the database compares it as text, so no other form is accepted."""
        if text is None:
            return None
        with suppress(ValueError):
            moment = datetime.fromisoformat(text)
            if utc_iso(moment) == text:
                return moment
        raise self._bad_value(word, text)

    def _bad_value(self, word: str, value: object) -> BadItem:
        return BadItem(messages.BAD_VALUE(attribute=self.attribute(word), value=repr(value)))

    # Conditions of a write

    def expect_unclaimed(
        self, change: UpdateBuilder, before: Position, now: datetime, *, is_early: bool
    ) -> None:
        """Require that the item is where it was before, without a claim and not postponed.

        The sort key is enough, whatever happened between: an item that has it again can be claimed
        again, and a release goes back to that sort key. An index does not hold when a postponed
        item may be claimed, so the database checks that.
        """
        change.expect(self.sort_key, _text(before.sort_key))
        if before.state is State.PROGRESS:
            change.guards.append(self.is_over(before, now))
        elif not is_early:
            due = raw(self.attribute("not_before"))
            change.guards.append(due.missing() | (due <= utc_iso(now)))

    def expect_claim(self, change: UpdateBuilder, claim: Position) -> None:
        """Require that the claim still holds.

        The fence distinguishes two claims of one second, and the random part of the owner those of
        an item that was deleted and created again, whose fence started at 1 again.
        """
        change.expect(self.sort_key, _text(claim.sort_key))
        change.expect(self.attribute("fence"), encode(claim.fence) if claim.fence else None)
        change.expect(self.attribute("owner"), _text(claim.owner))

    def is_over(self, position: Position, now: datetime) -> Condition:
        """``Position.is_over`` as a condition, so that what is stored decides."""
        until = raw(self.attribute("lease_until"))
        over = until <= utc_iso(now)
        began = position.since
        foreign_over = began is None or began + self.lease <= now
        return over | until.missing() if foreign_over else over

    # Changes of a write

    def begin(self, change: UpdateBuilder, before: Position, now: datetime, owner: str) -> None:
        """Store a claim, but for its lease; one that is taken over keeps its previous sort key.

        The fence and the attempts are counted by the database: an index does not hold them.
        """
        if before.state is not State.PROGRESS:
            change.put(self.attribute("previous"), _text(before.sort_key or NEVER))
        change.put(self.sort_key, _text(State.PROGRESS.sort_key(now)))
        change.put(self.attribute("owner"), _text(owner))
        for word in ("fence", "attempts"):
            change.add(self.attribute(word), 1)

    def hold(self, change: UpdateBuilder, until: datetime) -> None:
        """Store a lease, which is in no index."""
        change.put(self.attribute("lease_until"), _text(utc_iso(until)))

    def end(self, change: UpdateBuilder, after: Position) -> None:
        """Store the position after a claim."""
        change.put(self.sort_key, _text(after.sort_key))
        gone = ["owner", "lease_until", "previous"]
        for word in gone if after.attempts else [*gone, "attempts"]:
            change.put(self.attribute(word), None)
        due = None if after.not_before is None else utc_iso(after.not_before)
        change.put(self.attribute("last_error"), _text(after.last_error))
        change.put(self.attribute("not_before"), _text(due))


def _text(text: str | None) -> AttributeValue | None:
    return None if text is None else {"S": text}
