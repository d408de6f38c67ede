"""What all records of the site share: reads that must find, versions, and transactions."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from datetime import datetime
from typing import Any, Final, TypeVar

from gotgan.domains.site.models import SiteEntity
from gotgan.errors import (
    BadItem,
    ConditionFailed,
    NotFound,
    StoreError,
    StoreUnreachable,
    TransactionFailed,
    UsageError,
    VersionConflict,
)
from gotgan.events import emit
from gotgan.store import Ref, Store, Write

__all__ = [
    "PAGE",
    "PAGE_UNITS",
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
PAGE_UNITS: Final = 128
"""A page ends after a megabyte of records, however many were asked for."""

T = TypeVar("T")


class Seen(int):
    """A version that was seen, and when the record was made that had it.

    A record that is made anew under the id of one that was deleted begins with the same version.
    """

    made: int | None = None
    is_any: bool = False

    @classmethod
    def of(cls, version: int, made: int | None) -> Seen:
        """The version of a record that was made then, in seconds since 1970."""
        seen = cls(version)
        seen.made = made
        return seen

    @classmethod
    def any(cls) -> Seen:
        """Whichever version is there."""
        seen = cls(0)
        seen.is_any = True
        return seen


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


def refuse_stale(current: SiteEntity, version: int | None) -> None:
    """Refuse a change that was made for another version than the one that is there."""
    if getattr(version, "is_any", False):
        return
    made = getattr(version, "made", None)
    is_another = made is not None and made != int(current.created_at.timestamp())
    if version is not None and (current.version != version or is_another):
        raise VersionConflict(
            f"this {type(current).__name__} has version {current.version}, and the change is for "
            f"version {version}; read it again and repeat the change",
            current,
        )


def refuse_past(moment: Any, now: datetime) -> None:
    """Refuse to let something end before now: it would be removed for good, unseen."""
    if isinstance(moment, datetime) and moment <= now:
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
