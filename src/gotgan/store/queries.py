"""Reads as values: a chain of legs, each one DynamoDB Query; ``a + b`` reads all of a, then b."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any, Final, Generic, Literal, TypeVar

from gotgan.errors import UsageError
from gotgan.store import messages
from gotgan.store.attributes import KeyValue
from gotgan.store.conditions import Condition
from gotgan.store.tables import Index, KeyAttribute, Table

if TYPE_CHECKING:
    from gotgan.store.keys import SortKeySpan

T_co = TypeVar("T_co", covariant=True)
U = TypeVar("U")

LAST_CHAR: Final = "\U0010ffff"
"""What sorts behind everything that anybody writes."""


@dataclass(frozen=True)
class SortCondition:
    """A condition on a sort key."""

    word: Literal["=", "begins_with", "BETWEEN", "<=", ">="]
    low: KeyValue
    high: KeyValue | None = None


@dataclass(frozen=True)
class Leg:
    """One partition, and which part of it."""

    table: Table
    index: Index | None
    entities: tuple[type[Any], ...]
    pk: KeyValue
    """The first attribute of the partition key."""
    range: SortKeySpan | None = None
    sort: SortCondition | None = None
    newest_first: bool = False
    filter: Condition | None = None
    fields: tuple[str, ...] = ()
    """What to read of an item; empty is all that there is."""
    consistent: bool = False
    whole: bool = False
    """Whether items of an index are read again, whole, from their table."""
    fixed: tuple[KeyValue, ...] = ()
    """The values of the key attributes behind the first, where an index has more in a part."""

    @property
    def place(self) -> Table | Index:
        """What is read: the table, or an index of it."""
        return self.table if self.index is None else self.index

    @property
    def exact(self) -> tuple[tuple[KeyAttribute, KeyValue], ...]:
        """The key attributes whose value is known, with it."""
        return tuple(zip(self.place.keys, (self.pk, *self.fixed), strict=False))

    @property
    def sort_key(self) -> KeyAttribute | None:
        """What ``sort`` is a condition on: the attribute behind those whose value is known."""
        keys, known = self.place.keys, 1 + len(self.fixed)
        return keys[known] if known < len(keys) else None


@dataclass(frozen=True)
class Query(Generic[T_co]):
    """What to read, in which order; each method gives a new query."""

    legs: tuple[Leg, ...]

    def __add__(self, other: Query[U]) -> Query[T_co | U]:
        """All of this query, then all of the other."""
        return Query((*self.legs, *other.legs))

    def between(self, low: Any, high: Any) -> Query[T_co]:
        """Sort keys from low to high, both included."""
        return self._narrow(lambda keys: _between(keys.first(low), keys.last(high)))

    def before(self, bound: Any) -> Query[T_co]:
        """Sort keys up to the bound, which is included, as BETWEEN does."""
        return self._narrow(
            lambda keys: (
                SortCondition("BETWEEN", keys.start, keys.last(bound))
                if keys.start
                else SortCondition("<=", keys.last(bound))
            )
        )

    def after(self, bound: Any) -> Query[T_co]:
        """Sort keys from the bound on, which is included, as BETWEEN does."""
        return self._narrow(
            lambda keys: (
                SortCondition("BETWEEN", keys.first(bound), keys.start + LAST_CHAR)
                if keys.start
                else SortCondition(">=", keys.first(bound))
            )
        )

    def begins_with(self, text: str) -> Query[T_co]:
        """Sort keys whose next part begins so."""
        return self._narrow(lambda keys: SortCondition("begins_with", keys.start + text))

    def newest_first(self) -> Query[T_co]:
        """The highest sort keys first: the newest, where they hold a time."""
        return self._each(newest_first=True)

    def filtered(self, condition: Condition) -> Query[T_co]:
        """Drop items after they were read: DynamoDB bills what a filter drops like the rest."""
        return Query(
            tuple(
                replace(leg, filter=condition if leg.filter is None else leg.filter & condition)
                for leg in self.legs
            )
        )

    def only(self, *fields: str) -> Query[T_co]:
        """Send back these fields alone. It saves transfer, not read units."""
        return self._each(fields=fields)

    def consistent(self) -> Query[T_co]:
        """Read what was last written, at twice the price; global indexes cannot."""
        if any(leg.index is not None and not leg.index.local for leg in self.legs):
            raise UsageError(
                "a global index cannot be read consistently; read the table, or go without"
            )
        return self._each(consistent=True)

    def whole(self) -> Query[T_co]:
        """Read what an index does not hold from the table, at the price of a batch get."""
        return self._each(whole=True)

    def _each(self, **changes: Any) -> Query[T_co]:
        return Query(tuple(replace(leg, **changes) for leg in self.legs))

    def _narrow(self, sort: Callable[[SortKeySpan], SortCondition]) -> Query[T_co]:
        legs = []
        for leg in self.legs:
            if leg.range is None:
                raise UsageError(
                    f"the sort key of this query on {leg.table.name} is settled; for two bounds "
                    "use between(low, high)"
                )
            legs.append(replace(leg, sort=sort(leg.range), range=None))
        return Query(tuple(legs))


def _between(low: KeyValue, high: KeyValue) -> SortCondition:
    if type(low) is type(high) and low > high:  # type: ignore[operator]
        raise UsageError(messages.EMPTY_RANGE(low=repr(low), high=repr(high)))
    return SortCondition("BETWEEN", low, high)
