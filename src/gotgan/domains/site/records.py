"""What is done alike with every kind of record: read a page or one, make, change and delete it."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from datetime import datetime
from typing import Any, Final, Generic, TypeVar

from gotgan.domains.site.models import SiteEntity
from gotgan.errors import (
    BadItem,
    ConditionFailed,
    IdTaken,
    NotFound,
    StoreError,
    StoreUnreachable,
    TransactionFailed,
    UsageError,
    VersionConflict,
)
from gotgan.events import emit
from gotgan.store import Page, Query, Ref, Store, Write, raw

__all__ = [
    "PAGE",
    "Records",
    "Seen",
    "carry_out",
    "foremost",
    "found",
    "found_all",
    "pass_over",
    "refuse_past",
    "refuse_stale",
]

PAGE: Final = 20
"""How many records a page has, unless somebody says otherwise."""

E = TypeVar("E", bound=SiteEntity)
T = TypeVar("T")


class Seen(int):
    """A version that was seen, and when the record was made that had it.

    A record that is made anew under the id of one that was deleted begins with the same version.
    """

    made: int | None = None

    @classmethod
    def of(cls, version: int, made: int | None) -> Seen:
        """The version of a record that was made then, in seconds since 1970."""
        seen = cls(version)
        seen.made = made
        return seen


class Records(Generic[E]):
    """The records of one kind, each under a key that its id gives."""

    def __init__(
        self, store: Store, one: Callable[[str], Ref[E]], every: Callable[[], Query[E]]
    ) -> None:
        self._store = store
        self._one = one
        self._every = every

    def page(self, *, limit: int = PAGE, cursor: str | None = None) -> Page[E]:
        """A page of them, newest first."""
        return self._store.query(self._every(), limit=limit, cursor=cursor, on_bad=pass_over)

    def get(self, record_id: str, *, consistent: bool = False) -> E:
        """One of them."""
        return found(self._store, self._one(record_id), consistent=consistent)

    def add(self, record: E) -> E:
        """Write a new one; what is there under its id stays as it is."""
        written = self._store.put_new(record)
        if not written.new:
            kind = type(record).__name__
            raise IdTaken(f"there is a {kind} {record.id} already; take another id")
        return written.item

    def update(self, record_id: str, changes: Mapping[str, Any], *, expected: int | None) -> E:
        """Change fields; None clears one. ``expected`` is the version that the change is for."""
        current = self.get(record_id, consistent=True)
        refuse_stale(current, expected)
        return self._store.update(current, **changes, updated_at=self._store.clock.now()).item

    def delete(self, record_id: str, *, expected: int | None = None) -> None:
        """Delete one, if it is still the version that was meant."""
        current = self.get(record_id, consistent=True)
        refuse_stale(current, expected)
        self._store.delete(current, only_if=raw("id").exists())  # of two who try, one has done it


def found(store: Store, ref: Ref[T], *, consistent: bool = False) -> T:
    """The item under a key, which must be there."""
    item = store.get(ref, consistent=consistent)
    if item is None:
        raise NotFound(f"there is no {ref.entity.__name__} with this id")
    return item


def found_all(store: Store, refs: Iterable[Ref[T]], *, consistent: bool = False) -> list[T]:
    """The items under some keys, without those that are not there or that somebody spoilt."""
    wanted = list(refs)
    try:
        read = store.get_all(wanted, consistent=consistent)
    except BadItem:
        return [item for ref in wanted for item in _unspoilt(store, ref, consistent=consistent)]
    if read.unread:
        raise StoreUnreachable("the database is too busy to read all of this; try again")
    return list(read.items)


def _unspoilt(store: Store, ref: Ref[T], *, consistent: bool) -> list[T]:
    try:
        item = store.get(ref, consistent=consistent)
    except BadItem as misfit:
        pass_over(misfit)
        return []
    return [] if item is None else [item]


def refuse_stale(current: SiteEntity, expected: int | None) -> None:
    """Refuse a change that was made for another version than the one that is there."""
    made = getattr(expected, "made", None)
    is_another = made is not None and made != int(current.created_at.timestamp())
    if expected is not None and (current.version != expected or is_another):
        raise VersionConflict(
            f"this {type(current).__name__} has version {current.version}, and the change is for "
            f"version {expected}; read it again and repeat the change",
            current,
        )


def refuse_past(moment: datetime | None, now: datetime) -> None:
    """Refuse to let something end before now: it would be removed for good, unseen."""
    if moment is not None and moment <= now:
        raise UsageError("this would have ended already; give a later moment, or delete it")


def carry_out(store: Store, writes: Sequence[Write[Any]]) -> None:
    """Carry out a transaction; what stood in its way is raised as if it had been alone."""
    try:
        store.transact(writes)
    except TransactionFailed as failure:
        raise foremost(failure) from failure


def foremost(failure: TransactionFailed) -> StoreError:
    """What stood in the way of a transaction: a condition before whatever passes by itself."""
    errors: list[StoreError] = [reason.error for reason in failure.reasons]
    return next((error for error in errors if isinstance(error, ConditionFailed)), errors[0])


def pass_over(misfit: BadItem) -> None:
    """Leave an item that somebody else spoilt out of a page, and say so."""
    emit("site.item.bad", level="warning", reason=misfit.message)
