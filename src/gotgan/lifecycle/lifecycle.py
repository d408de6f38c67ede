"""``Lifecycle``, as an entity declares it, and its verbs: each is one conditional write."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass, replace
from datetime import UTC, datetime, timedelta
from typing import TYPE_CHECKING, Any, Final, Generic, TypeVar

from gotgan.claims import lease_end, owner_id
from gotgan.errors import (
    BadItem,
    ConditionFailed,
    ItemMissing,
    LostRace,
    NotRead,
    StoreError,
    UsageError,
)
from gotgan.lifecycle import messages
from gotgan.lifecycle.states import NEVER, LifecycleAttributes, Position, State, sort_key_range
from gotgan.store.attributes import KeyValue
from gotgan.store.entities import Entity
from gotgan.store.fields import Field
from gotgan.store.keys import Acknowledgement, BoundIndexKey, IndexKey
from gotgan.store.queries import Query, SortCondition
from gotgan.store.schema import schema_of
from gotgan.store.tables import Index
from gotgan.store.updates import UpdateBuilder, VersionMode, update_change

if TYPE_CHECKING:
    from gotgan.store.store import Store  # it loads every way to read and write

E = TypeVar("E", bound=Entity)

DEFAULT_LEASE: Final = timedelta(hours=2)
_MIN_LEASE: Final = timedelta(seconds=1)
_EXAMPLE: Final = datetime(2026, 1, 15, 10, tzinfo=UTC)


@dataclass(frozen=True)
class _Transition(Generic[E]):
    """The write that moves one item from one state to another."""

    verb: str
    item: E
    layout: LifecycleAttributes
    change: UpdateBuilder
    is_unchanged: Callable[[Position], bool]
    """Whether the item is in the required position, so that another change was in the way."""
    is_done: Callable[[Position], bool]
    """Whether an item is where this very write, and no other, leaves it."""

    def apply(self, store: Store) -> E:
        """Write it, or raise LostRace with the winner."""
        from gotgan.store.writer import change  # noqa: PLC0415 - declarations do not write
        from gotgan.store.writes import Write  # noqa: PLC0415 - as above

        key = self.item.key
        write: Write[E] = Write(
            verb=self.verb,
            action="Update",
            ref=key,
            body={"Key": key.item, **self.change.body(key.table.pk.name)},
            is_done=lambda item: item is not None and self.is_done(self.layout.position(item)),
            refusal=self._refusal,
            # It changes its own condition: done twice it is refused. A renewal is twice the same.
            repeatable=True,
        )
        return change(store.calls, None, write).item

    def _refusal(self, current: E | None) -> StoreError:
        key = self.item.key
        if current is None or current.origin is None:
            return ItemMissing(messages.MISSING(key=key))
        there = self.layout.position(current.origin.item)
        if self.is_unchanged(there):
            changed = messages.CHANGED if self.verb == "claim" else messages.CHANGED_WITH_CLAIM
            return ConditionFailed(changed(key=key), current)
        message = messages.OTHER_STATE(key=key, state=there.state.value)
        if there.owner:
            message = messages.CLAIMED(key=key, owner=there.owner)
        elif there.not_before is not None:
            message = messages.POSTPONED(key=key, at=there.not_before)
        return LostRace(message, current, there)


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
    """A lifecycle of an entity, in a separate index."""

    def __init__(
        self,
        index: Index,
        pk: str,
        *,
        started: str | None = None,
        finished: str | None = None,
        lease: timedelta = DEFAULT_LEASE,
        acknowledge: Iterable[Acknowledgement] = (),
    ) -> None:
        """``started`` and ``finished`` name fields that keep when it last began and ended."""
        super().__init__(index, pk, acknowledge=acknowledge)
        self.started = started
        self.finished = finished
        self.lease = lease

    @property
    def layout(self) -> LifecycleAttributes:
        """The attributes that it stores on an item."""
        sort_key = "" if self.index.sk is None else self.index.sk.name
        return LifecycleAttributes(self.name, sort_key, self.lease)

    @property
    def state_attributes(self) -> frozenset[str]:
        """The sort key, and the attributes beside it."""
        return self.layout.names

    def attributes(self, stored: Mapping[str, Any]) -> dict[str, KeyValue | None]:
        """The partition key alone; the sort key is the state, which no field gives."""
        return {self.index.pk.name: self.pk.render(stored)}

    def fresh(self) -> dict[str, KeyValue]:
        """A new item was never worked on."""
        return {self.layout.sort_key: NEVER}

    def complaints(self, parts: Mapping[str, Field]) -> Iterator[str]:
        """What is wrong with the declaration."""
        if self.index.sk is None or self.index.sk.type != "S":
            yield f"{self.name} keeps its state in the sort key of {self.index.name}: it needs one"
        if self.lease < _MIN_LEASE:
            yield f"{self.name} has a lease of {self.lease}; give it a second at least"
        for name in (self.started, self.finished):
            if name is not None and not _keeps_moments(parts.get(name)):
                yield f"{self.name} keeps a time in {name!r}; declare that field as Timestamp"

    def __get__(self, instance: object, owner: type[E]) -> BoundLifecycle[E]:  # type: ignore[override]
        """The lifecycle of an entity, with its verbs."""
        return BoundLifecycle(owner, self)


@dataclass(frozen=True)
class BoundLifecycle(BoundIndexKey[E]):
    """An entity's lifecycle: queries by state, and the moves between states."""

    declared: Lifecycle

    # Queries

    def never(self, *parts: Any) -> Query[E]:
        """Items that were never worked on."""
        return self._range(parts, SortCondition("begins_with", NEVER))

    def in_progress(self, *parts: Any, before: datetime | None = None) -> Query[E]:
        """Items with a claim; started up to a moment where one is given."""
        return self._range(parts, sort_key_range(State.PROGRESS, None, before))

    def done(
        self, *parts: Any, after: datetime | None = None, before: datetime | None = None
    ) -> Query[E]:
        """Items that were done; from and up to a moment, both included, where they are given."""
        return self._range(parts, sort_key_range(State.DONE, after, before))

    def stuck(self, store: Store, *parts: Any) -> list[E]:
        """Items whose claim is past its lease, as they are in the table.

        It is a hint, read at the lower price; the write that acts on it fails if an item has
        changed.
        """
        now = store.clock.now()
        claimed = store.iterate(self.in_progress(*parts).whole(), at_most=None)
        return [item for item in claimed if self._is_stuck(item, now)]

    def _is_stuck(self, item: E, now: datetime) -> bool:
        try:
            return self.position(item).is_over(now, self.declared.lease)
        except BadItem:  # listed, so that it is repaired; claiming it says what is wrong
            return True

    def position(self, item: E) -> Position:
        """The position of an item that was read whole, or that was only just made."""
        if item.origin is not None and item.origin.held is not None:
            raise NotRead(
                f"who has a claim on {item.key} is not in the index or the projection that it was "
                "read from; use .whole() on the query, or get the item by its key"
            )
        return self._read_position(item)

    def derived_state(self, item: E) -> str:
        """The sort key that follows from an item's timestamps, for an item that has none.

        It is for adopting items of another tool: once there is a sort key, that alone is the state.
        """
        field = self.declared.finished
        finished = None if field is None else getattr(item, field)
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
        layout, now = self.declared.layout, store.clock.now()
        before, signature = self._read_position(item), owner_id(owner)
        change = self._change(item, {}, self.declared.started, now)
        layout.expect_unclaimed(change, before, now, is_early=is_early)
        layout.begin(change, before, now, signature)
        layout.hold(change, self._lease_end(now, lease))
        transition = _Transition(
            "claim",
            item,
            layout,
            change,
            lambda there: there.can_be_claimed(before, now, layout.lease, is_early=is_early),
            is_done=lambda there: there.owner == signature,
        )
        claimed = transition.apply(store)
        return Claim(claimed, self._read_position(claimed))

    def renew(self, store: Store, claim: Claim[E], *, lease: timedelta | None = None) -> Claim[E]:
        """Hold a claim for longer, counted from now, and read the item again."""
        layout, mine = self.declared.layout, claim.position
        change = self._claim_change(claim)
        layout.hold(change, self._lease_end(store.clock.now(), lease))
        transition = _Transition("renew", claim.item, layout, change, mine.is_claim, mine.is_claim)
        renewed = transition.apply(store)
        return Claim(renewed, self._read_position(renewed))

    def finish(self, store: Store, claim: Claim[E], /, **changes: Any) -> E:
        """Be done with an item, and change fields of it in the same write."""
        now = store.clock.now()
        change = self._claim_change(claim, changes, self.declared.finished, now)
        return self._end(store, "finish", claim, change, claim.position.finished(now))

    def release(self, store: Store, held: Claim[E] | E) -> E:
        """Give work back: the item returns to its position before the claim.

        The owner of the claim may do that, and any process for an item that is stuck.
        """
        claim = held if isinstance(held, Claim) else Claim(held, self.position(held))
        change = self._claim_change(claim)
        if claim is not held:
            over = self.declared.layout.is_over(claim.position, store.clock.now())
            change.guards.append(over)
        after = claim.position.released()
        return self._end(store, "release", claim, change, after, is_owner=claim is held)

    def postpone(self, store: Store, claim: Claim[E], *, error: str, until: datetime) -> E:
        """Give work back that failed: as a release, with the reason and when to try it again.

        It cannot be claimed before then. Finishing it later removes both.
        """
        after = claim.position.postponed(error, until)
        return self._end(store, "postpone", claim, self._claim_change(claim), after)

    def _end(
        self,
        store: Store,
        verb: str,
        claim: Claim[E],
        change: UpdateBuilder,
        after: Position,
        *,
        is_owner: bool = True,
    ) -> E:
        layout, mine = self.declared.layout, claim.position
        layout.end(change, after)
        is_unchanged = mine.is_claim if is_owner else lambda _there: False
        return _Transition(
            verb, claim.item, layout, change, is_unchanged, is_done=after.__eq__
        ).apply(store)

    def _range(self, parts: tuple[Any, ...], sort: SortCondition) -> Query[E]:
        names = self.declared.pk.fields
        if len(parts) != len(names):
            raise UsageError(
                f"{self.entity.__name__}.{self.declared.name} is asked for by "
                f"{', '.join(names) or 'nothing'}, and {len(parts)} values were given"
            )
        query = self.query(**dict(zip(names, parts, strict=True)))
        return Query(tuple(replace(leg, sort=sort) for leg in query.legs))

    def _read_position(self, item: E) -> Position:
        """The position, as far as it was read: the sort key at least."""
        layout = self.declared.layout
        if item.origin is None:
            return Position(NEVER)
        if not item.origin.knows(layout.sort_key):
            raise NotRead(
                f"the state of {self.declared.name} was not read with {item.key}; get the item by "
                "its key, or query the lifecycle's own index"
            )
        return layout.position(item.origin.item)

    def _change(
        self, item: E, changes: Mapping[str, Any], time_field: str | None, now: datetime | None
    ) -> UpdateBuilder:
        """A change of fields, with the time in its field and all that follows.

        Without changes of fields it leaves the item's version alone.
        """
        if time_field in changes:
            raise UsageError(
                f"{time_field} is written by {self.declared.name} itself; leave it out"
            )
        times = {} if time_field is None else {time_field: now}
        version: VersionMode = "count" if changes else "leave"
        schema = schema_of(self.entity)
        change = update_change(schema, item, {**changes, **times}, version=version)
        self._add_partition_key(change, item)
        return change

    def _add_partition_key(self, change: UpdateBuilder, item: E) -> None:
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

    def _claim_change(
        self,
        claim: Claim[E],
        changes: Mapping[str, Any] | None = None,
        time_field: str | None = None,
        now: datetime | None = None,
    ) -> UpdateBuilder:
        """A change on the condition that the claim still holds."""
        if claim.position.state is not State.PROGRESS:
            raise UsageError(f"no worker has a claim on {claim.item.key}; claim it first")
        change = self._change(claim.item, changes or {}, time_field, now)
        self.declared.layout.expect_claim(change, claim.position)
        return change

    def _lease_end(self, now: datetime, lease: timedelta | None) -> datetime:
        """The end of a lease in whole seconds, and never before its time."""
        length = self.declared.lease if lease is None else lease
        if length < _MIN_LEASE:
            raise UsageError(f"a lease of {length} is over at once; give at least a second")
        return lease_end(now, length)


def _keeps_moments(field: Field | None) -> bool:
    """Whether a field stores moments as sort keys do."""
    if field is None or field.form is None:
        return False
    return bool(field.form.dump(_EXAMPLE) == "2026-01-15T10:00:00Z")
