"""One move of a lifecycle, carried out: a conditional write, and what its refusal means."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import TYPE_CHECKING, Generic, TypeVar

from gotgan.clock import utc_iso
from gotgan.errors import ConditionFailed, ItemMissing, LostRace, StoreError
from gotgan.lifecycle.books import Books
from gotgan.lifecycle.states import Position
from gotgan.store.changes import UpdateBuilder
from gotgan.store.entities import Entity

if TYPE_CHECKING:
    from gotgan.store.store import Store  # it loads every way to read and write

__all__ = ["Move"]

E = TypeVar("E", bound=Entity)


@dataclass(frozen=True)
class Move(Generic[E]):
    """A change of one item, from one state to another."""

    verb: str
    item: E
    books: Books
    change: UpdateBuilder
    stands: Callable[[Position], bool]
    """Whether the lifecycle is as it had to be, so that something else was in the way."""
    is_done: Callable[[Position], bool]
    """Whether an item stands where this very move, and no other, leaves it."""

    def carry_out(self, store: Store) -> E:
        """Write it, or raise LostRace with the winner."""
        from gotgan.store.writes import Write  # noqa: PLC0415 - declarations do not write
        from gotgan.store.writing import change  # noqa: PLC0415 - as above

        key = self.item.key
        write: Write[E] = Write(
            verb=self.verb,
            action="Update",
            ref=key,
            body={"Key": key.item, **self.change.body(key.table.pk.name)},
            is_done=lambda item: item is not None and self.is_done(self.books.position(item)),
            refusal=self._refusal,
            # A move moves what guards it: done twice it is refused. A renewal is twice the same.
            repeatable=True,
        )
        return change(store.calls, None, write).item

    def _refusal(self, current: E | None) -> StoreError:
        key = self.item.key
        if current is None or current.origin is None:
            return ItemMissing(f"there is no {key}; it may have been deleted")
        there = self.books.position(current.origin.item)
        if self.stands(there):
            return ConditionFailed(
                f"{key} was changed by somebody else since it was read; {self._advice()}", current
            )
        who = f"it is {there.state.value} now"
        if there.owner:
            who = f"{there.owner} holds it"
        elif there.not_before is not None:
            who = f"it is postponed until {utc_iso(there.not_before)}"
        return LostRace(f"{key} was lost to somebody else: {who}", current, there)

    def _advice(self) -> str:
        if self.verb == "claim":
            return "read it again and claim that"
        return f"the claim still holds: renew it, which reads the item anew, and {self.verb} that"
