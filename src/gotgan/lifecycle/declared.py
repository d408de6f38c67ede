"""``Lifecycle``, as an entity declares it, and its verbs."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, replace
from datetime import UTC, datetime, timedelta
from typing import TYPE_CHECKING, Any, Final, Generic, TypeVar

from gotgan.claims import lease_end, owner_id
from gotgan.errors import BadItem, NotRead, UsageError
from gotgan.lifecycle.books import Books
from gotgan.lifecycle.moves import Move
from gotgan.lifecycle.states import NEVER, Position, State, span
from gotgan.store.attributes import KeyValue
from gotgan.store.changes import UpdateBuilder
from gotgan.store.entities import Entity
from gotgan.store.fields import Field
from gotgan.store.keys import Acknowledged, IndexKey, IndexKeyOf
from gotgan.store.queries import Query, Sort
from gotgan.store.schema import schema_of
from gotgan.store.tables import Index
from gotgan.store.updating import Counting, updated

if TYPE_CHECKING:
    from gotgan.store.store import Store  # it loads every way to read and write

__all__ = ["TWO_HOURS", "Claim", "Lifecycle", "LifecycleOf"]

E = TypeVar("E", bound=Entity)

TWO_HOURS: Final = timedelta(hours=2)
"""How long a claim holds, unless somebody says otherwise."""
_SHORTEST_LEASE: Final = timedelta(seconds=1)
_EXAMPLE: Final = datetime(2026, 1, 15, 10, tzinfo=UTC)


@dataclass(frozen=True)
class Claim(Generic[E]):
    """A claim that was won: the right to work on an item until the lease is over."""

    item: E
    """The item as it is with the claim."""
    position: Position

    @property
    def fence(self) -> int:
        """The number that a later claim no longer matches."""
        return self.position.fence

    @property
    def owner(self) -> str:
        """Who has the claim."""
        return self.position.owner or ""


class Lifecycle(IndexKey):
    """A lifecycle of an entity in an index of its own."""

    def __init__(
        self,
        index: Index,
        pk: str,
        *,
        started: str | None = None,
        finished: str | None = None,
        lease: timedelta = TWO_HOURS,
        acknowledge: Iterable[Acknowledged] = (),
    ) -> None:
        """``started`` and ``finished`` name fields that keep when it last began and ended."""
        super().__init__(index, pk, acknowledge=acknowledge)
        self.started = started
        self.finished = finished
        self.lease = lease

    @property
    def books(self) -> Books:
        """What it keeps on an item."""
        return Books(self.name, "" if self.index.sk is None else self.index.sk.name, self.lease)

    @property
    def kept(self) -> frozenset[str]:
        """The sort key, and the bookkeeping beside it."""
        return self.books.attributes

    def attributes(self, stored: Mapping[str, Any]) -> dict[str, KeyValue | None]:
        """The partition key alone; the sort key is the state, which no field gives."""
        return {self.index.pk.name: self.pk.render(stored)}

    def fresh(self) -> dict[str, KeyValue]:
        """A new item was never worked on."""
        return {self.books.sort_key: NEVER}

    def complaints(self, parts: Mapping[str, Field]) -> Iterator[str]:
        """What is wrong with the declaration."""
        if self.index.sk is None or self.index.sk.type != "S":
            yield f"{self.name} keeps its state in the sort key of {self.index.name}: it needs one"
        if self.lease < _SHORTEST_LEASE:
            yield f"{self.name} has a lease of {self.lease}; give it a second at least"
        for name in (self.started, self.finished):
            if name is not None and not _keeps_moments(parts.get(name)):
                yield f"{self.name} keeps a time in {name!r}; declare that field as Timestamp"

    def __get__(self, instance: object, owner: type[E]) -> LifecycleOf[E]:  # type: ignore[override]
        """The lifecycle of an entity, with its verbs."""
        return LifecycleOf(owner, self)


@dataclass(frozen=True)
class LifecycleOf(IndexKeyOf[E]):
    """An entity's lifecycle: queries by state, and the moves between states."""

    declared: Lifecycle

    # Queries

    def never(self, *parts: Any) -> Query[E]:
        """Items that nobody has worked on."""
        return self._range(parts, Sort("begins_with", NEVER))

    def in_progress(self, *parts: Any, before: datetime | None = None) -> Query[E]:
        """Items with a claim; begun up to a moment where one is given."""
        return self._range(parts, span(State.PROGRESS, None, before))

    def done(
        self, *parts: Any, after: datetime | None = None, before: datetime | None = None
    ) -> Query[E]:
        """Items that were done; from and up to a moment, both included, where they are given."""
        return self._range(parts, span(State.DONE, after, before))

    def stuck(self, store: Store, *parts: Any) -> list[E]:
        """Items whose claim is past its lease, as they are in the table.

        It is a hint, read at the lower price; whoever acts on it is told by the write if an item
        has moved on.
        """
        now = store.clock.now()
        claimed = store.iterate(self.in_progress(*parts).whole(), at_most=None)
        return [item for item in claimed if self._is_stuck(item, now)]

    def _is_stuck(self, item: E, now: datetime) -> bool:
        try:
            return self.position(item).is_over(now, self.declared.lease)
        except BadItem:  # shown, so that somebody mends it; whoever claims it is told what is wrong
            return True

    def position(self, item: E) -> Position:
        """Where an item stands that was read whole, or that was only just made."""
        if item.origin is not None and item.origin.held is not None:
            raise NotRead(
                f"who has a claim on {item.key} is not in the index or the projection that it was "
                "read from; use .whole() on the query, or get the item by its key"
            )
        return self._standing(item)

    def derived_state(self, item: E) -> str:
        """The sort key that an item has earned by its timestamps, for an item that has none.

        Only adopting the items of another tool may ask for it: once there is a sort key, that alone
        is the state.
        """
        noted = self.declared.finished
        finished = None if noted is None else getattr(item, noted)
        return NEVER if finished is None else State.DONE.sort_key(finished)

    # Moves

    def claim(
        self,
        store: Store,
        item: E,
        *,
        lease: timedelta | None = None,
        owner: str | None = None,
        is_early: bool = False,
    ) -> Claim[E]:
        """Win the work on an item, or raise LostRace with the winner.

        What is NEVER or DONE can be claimed, and a claim past its lease can be taken over. What was
        postponed cannot be claimed before its time, unless ``is_early``. An item as the lifecycle's
        index has it will do.
        """
        books, now = self.declared.books, store.clock.now()
        before, signature = self._standing(item), owner_id(owner)
        change = self._change(item, {}, self.declared.started, now)
        books.expect_unclaimed(change, before, now, is_early=is_early)
        books.begin(change, before, now, signature)
        books.hold(change, self._until(now, lease))
        move = Move(
            verb="claim",
            item=item,
            books=books,
            change=change,
            stands=lambda there: there.can_be_claimed(before, now, books.lease, is_early=is_early),
            is_done=lambda there: there.owner == signature,
        )
        return self._claimed(move.carry_out(store))

    def renew(self, store: Store, claim: Claim[E], *, lease: timedelta | None = None) -> Claim[E]:
        """Hold a claim for longer, counted from now, and read the item anew."""
        books, mine = self.declared.books, claim.position
        change = self._held(claim)
        books.hold(change, self._until(store.clock.now(), lease))
        move = Move("renew", claim.item, books, change, mine.is_claim, is_done=mine.is_claim)
        return self._claimed(move.carry_out(store))

    def finish(self, store: Store, claim: Claim[E], /, **changes: Any) -> E:
        """Be done with an item, and change fields of it in the same write."""
        books, mine, now = self.declared.books, claim.position, store.clock.now()
        after = mine.finished(now)
        change = self._held(claim, changes, self.declared.finished, now)
        books.end(change, after)
        move = Move("finish", claim.item, books, change, mine.is_claim, is_done=after.__eq__)
        return move.carry_out(store)

    def release(self, store: Store, held: Claim[E] | E) -> E:
        """Give work back: the item stands where it stood before the claim.

        Whoever has the claim may, and anybody may for an item that is stuck.
        """
        books, now = self.declared.books, store.clock.now()
        claim = held if isinstance(held, Claim) else Claim(held, self.position(held))
        mine, after = claim.position, claim.position.released()
        change = self._held(claim)
        if claim is not held:
            change.guards.append(books.is_over(mine, now))
        books.end(change, after)
        move = Move(
            verb="release",
            item=claim.item,
            books=books,
            change=change,
            stands=lambda there: claim is held and there.is_claim(mine),
            is_done=after.__eq__,
        )
        return move.carry_out(store)

    def postpone(self, store: Store, claim: Claim[E], *, error: str, until: datetime) -> E:
        """Give work back that failed: as a release, with the reason and when to try it again.

        It cannot be claimed before then. Finishing it later removes both.
        """
        books, mine = self.declared.books, claim.position
        after = mine.postponed(error, until)
        change = self._held(claim)
        books.end(change, after)
        move = Move("postpone", claim.item, books, change, mine.is_claim, is_done=after.__eq__)
        return move.carry_out(store)

    # How

    def _range(self, parts: tuple[Any, ...], sort: Sort) -> Query[E]:
        names = self.declared.pk.fields
        if len(parts) != len(names):
            raise UsageError(
                f"{self.entity.__name__}.{self.declared.name} is asked for by "
                f"{', '.join(names) or 'nothing'}, and {len(parts)} values were given"
            )
        query = self.query(**dict(zip(names, parts, strict=True)))
        return Query(tuple(replace(leg, sort=sort) for leg in query.legs))

    def _standing(self, item: E) -> Position:
        """The position, as far as it was read: the sort key at least."""
        books = self.declared.books
        if item.origin is None:
            return Position(NEVER)
        if not item.origin.knows(books.sort_key):
            raise NotRead(
                f"the state of {self.declared.name} was not read with {item.key}; get the item by "
                "its key, or query the lifecycle's own index"
            )
        return books.position(item.origin.item)

    def _claimed(self, item: E) -> Claim[E]:
        return Claim(item, self._standing(item))

    def _change(
        self, item: E, changes: Mapping[str, Any], noted: str | None, now: datetime | None
    ) -> UpdateBuilder:
        """A change of fields, with the time in the field that notes it and all that follows.

        A move is no edit: without changes of its own it leaves the item's version alone.
        """
        if noted in changes:
            raise UsageError(f"{noted} is written by {self.declared.name} itself; leave it out")
        times = {} if noted is None else {noted: now}
        counting: Counting = "count" if changes else "leave"
        change = updated(schema_of(self.entity), item, {**changes, **times}, version=counting)
        self._complete(change, item)
        return change

    def _complete(self, change: UpdateBuilder, item: E) -> None:
        """Write the partition key that another tool left out: half a pair is in no index."""
        schema, origin, name = schema_of(self.entity), item.origin, self.declared.index.pk.name
        fields = schema.behind(self.declared.pk.fields)
        if origin is None or not origin.knows(name) or fields & origin.missing:
            return
        if name in origin.item or name in change.sets:
            return
        parts = {part: schema.parts[part] for part in self.declared.pk.fields}
        stored = {part: each.dump(getattr(item, part)) for part, each in parts.items()}
        pk = schema.index_attributes(self.declared, stored).get(name)
        if pk is not None:
            change.put(name, pk)
            for field in sorted(fields & set(schema.fields)):
                change.expect(schema.attribute(field), origin.item.get(schema.attribute(field)))

    def _held(
        self,
        claim: Claim[E],
        changes: Mapping[str, Any] | None = None,
        noted: str | None = None,
        now: datetime | None = None,
    ) -> UpdateBuilder:
        """A change on the condition that the claim still holds."""
        if claim.position.state is not State.PROGRESS:
            raise UsageError(f"nobody has a claim on {claim.item.key}; claim it first")
        change = self._change(claim.item, changes or {}, noted, now)
        self.declared.books.expect_claim(change, claim.position)
        return change

    def _until(self, now: datetime, lease: timedelta | None) -> datetime:
        """The end of a lease in whole seconds, and never before its time."""
        length = self.declared.lease if lease is None else lease
        if length < _SHORTEST_LEASE:
            raise UsageError(f"a lease of {length} is over at once; give at least a second")
        return lease_end(now, length)


def _keeps_moments(field: Field | None) -> bool:
    """Whether a field stores moments as sort keys do."""
    if field is None or field.form is None:
        return False
    return bool(field.form.dump(_EXAMPLE) == "2026-01-15T10:00:00Z")
