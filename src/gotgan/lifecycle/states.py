"""States, and where an item stands: values and decisions, without a database."""

from __future__ import annotations

import enum
from dataclasses import dataclass, replace
from datetime import UTC, datetime, timedelta
from typing import Final

from gotgan.clock import utc_iso
from gotgan.errors import BadItem
from gotgan.store.queries import Sort

__all__ = ["NEVER", "Position", "State", "span"]


class State(enum.Enum):
    """Where an item stands."""

    NEVER = "NEVER"
    """Nobody has done it yet."""
    PROGRESS = "PROGRESS"
    """Somebody holds a claim on it, or held one and died."""
    DONE = "DONE"
    """It was done, and can be claimed again."""

    def sort_key(self, moment: datetime | None = None) -> str:
        """The sort key of the state: ``NEVER#``, ``PROGRESS#<began>``, ``DONE#<finished>``."""
        return f"{self.value}#{'' if moment is None else utc_iso(moment)}"


NEVER: Final = State.NEVER.sort_key()


@dataclass(frozen=True)
class Position:
    """Where an item stands in a lifecycle, as it is stored."""

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
        """The state that the sort key says."""
        if self.sort_key is None:
            return State.NEVER
        word, mark, _ = self.sort_key.partition("#")
        if not mark or word not in State.__members__:
            raise BadItem(
                f"{self.sort_key!r} is no state of a lifecycle; it begins with NEVER#, PROGRESS# "
                "or DONE#"
            )
        return State[word]

    @property
    def since(self) -> datetime | None:
        """When the state began; None where the sort key does not say it."""
        text = (self.sort_key or "").partition("#")[2]
        try:
            moment = datetime.fromisoformat(text)
        except ValueError:
            return None
        # We always write the zone. Who left it out meant UTC, as far as anybody can tell.
        return moment.replace(tzinfo=UTC) if moment.tzinfo is None else moment

    def is_over(self, now: datetime, default_lease: timedelta) -> bool:
        """Whether a claim is past its lease; one without a lease was made by other means.

        It gets the usual lease, from when it began; where it does not say when, it is over.
        """
        if self.state is not State.PROGRESS:
            return False
        until, began = self.lease_until, self.since
        if until is None and began is not None:
            until = began + default_lease
        return until is None or until <= now

    def is_waiting(self, now: datetime) -> bool:
        """Whether it was postponed, and the time for the next attempt has not come."""
        return self.not_before is not None and now < self.not_before

    def is_claim(self, other: Position) -> bool:
        """Whether both are one and the same claim, however often it was renewed."""
        return self._guarded == other._guarded

    def can_be_claimed(
        self, before: Position, now: datetime, default_lease: timedelta, *, is_early: bool = False
    ) -> bool:
        """Whether it still stands as it stood before, and nobody works on it or has postponed it.

        With ``is_early`` what was postponed can be claimed before its time.
        """
        if self.sort_key != before.sort_key:
            return False
        if self.state is State.PROGRESS:
            return self.is_over(now, default_lease)
        return is_early or not self.is_waiting(now)

    def finished(self, now: datetime) -> Position:
        """Where a claim stands when it is done."""
        return replace(
            self._put_down,
            sort_key=State.DONE.sort_key(now),
            attempts=0,
            last_error=None,
            not_before=None,
        )

    def released(self) -> Position:
        """Where a claim stands when it is given back: as before, but for the attempts."""
        return replace(self._put_down, sort_key=self.previous or NEVER)

    def postponed(self, error: str, until: datetime) -> Position:
        """Where a claim stands when it failed: released, with the reason and the next attempt."""
        whole = until.replace(microsecond=0)
        return replace(self.released(), last_error=error, not_before=whole)

    @property
    def _guarded(self) -> tuple[str | None, int, str | None]:
        return self.sort_key, self.fence, self.owner

    @property
    def _put_down(self) -> Position:
        return replace(self, owner=None, lease_until=None, previous=None)


def span(state: State, after: datetime | None, before: datetime | None) -> Sort:
    """The sort keys of a state, from and up to a moment where one is given, both included."""
    end = f"{state.sort_key()}~" if before is None else state.sort_key(before)
    return Sort("BETWEEN", state.sort_key(after), end)
