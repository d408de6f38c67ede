"""Lifecycles: NEVER → PROGRESS → DONE, kept in the sort key of an index.

    NEVER#  ── claim ──▶  PROGRESS#2026-01-15T10:00:00Z  ── finish ──▶  DONE#2026-01-15T12:00:00Z
       ▲                        │     ▲                                    │
       └────── release ─────────┘     └──────────────── claim ─────────────┘

The stored sort key is the only source of the state. Beside it the item keeps who holds the claim,
until when (the lease), how often there was one (the fence), how often it was tried since it was
last done, and the sort key that a release goes back to. Every move is one conditional write,
guarded by the sort key and the fence: a worker whose claim was taken over can no longer finish. A
worker that dies leaves PROGRESS behind, which ``stuck`` shows as soon as the lease is over.
"""

from __future__ import annotations

import enum
import os
import secrets
import socket
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, replace
from datetime import datetime, timedelta
from typing import Any, Final, Generic, TypeVar

from gotgan.clock import utc_stamp
from gotgan.errors import BadItem, ItemMissing, LostRace, NotRead, StoreError, UsageError
from gotgan.store.attributes import Item, KeyValue, decode, encode
from gotgan.store.changes import Change
from gotgan.store.conditions import Condition, raw
from gotgan.store.entities import Entity
from gotgan.store.fields import Field
from gotgan.store.keys import Acknowledged, IndexKey, IndexKeyOf
from gotgan.store.queries import Query, Sort
from gotgan.store.schema import Schema, ScopeOf, schema_of
from gotgan.store.store import Store
from gotgan.store.tables import Index
from gotgan.store.updating import updated
from gotgan.store.writes import Write
from gotgan.store.writing import change as carry_out_change

__all__ = ["Claim", "Lifecycle", "LifecycleOf", "Position", "State"]

E = TypeVar("E", bound=Entity)

TWO_HOURS: Final = timedelta(hours=2)
_SHORTEST_LEASE: Final = timedelta(seconds=1)


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
        return f"{self.value}#{'' if moment is None else utc_stamp(moment).iso}"


@dataclass(frozen=True)
class Position:
    """Where an item stands in a lifecycle, as it is stored."""

    sort_key: str | None
    """None where the item has none yet, which counts as NEVER."""
    owner: str | None
    lease_until: datetime | None
    fence: int
    """How many claims there ever were."""
    attempts: int
    """How many claims there were since it was last done."""
    previous: str | None
    """The sort key that a release goes back to."""

    @property
    def state(self) -> State:
        """The state that the sort key says."""
        if self.sort_key is None:
            return State.NEVER
        word = self.sort_key.partition("#")[0]
        if word not in State.__members__:
            raise BadItem(
                f"{self.sort_key!r} is no state of a lifecycle; it begins with NEVER#, PROGRESS# "
                "or DONE#"
            )
        return State[word]

    @property
    def since(self) -> datetime | None:
        """When the state began; NEVER has no beginning."""
        text = (self.sort_key or "").partition("#")[2]
        return datetime.fromisoformat(text) if text else None

    def is_over(self, now: datetime, default_lease: timedelta) -> bool:
        """Whether a claim is past its lease; one without a lease was made by other means."""
        until = self.lease_until
        if until is None:
            began = self.since
            until = now if began is None else began + default_lease
        return self.state is State.PROGRESS and until <= now


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
    def sort_key(self) -> str:
        """The attribute that holds the state."""
        return "" if self.index.sk is None else self.index.sk.name

    @property
    def kept(self) -> frozenset[str]:
        """The sort key, and the bookkeeping beside it."""
        words = ("owner", "lease_until", "fence", "attempts", "previous")
        return frozenset({self.sort_key, *(self.attribute(word) for word in words)})

    def attribute(self, word: str) -> str:
        """An attribute of the bookkeeping: ``crawl_owner`` of the lifecycle ``crawl``."""
        return f"{self.name}_{word}"

    def attributes(self, stored: Mapping[str, Any]) -> dict[str, KeyValue | None]:
        """The partition key alone; the sort key is the state, which no field gives."""
        return {self.index.pk.name: self.pk.render(stored)}

    def fresh(self) -> dict[str, KeyValue]:
        """A new item was never worked on."""
        return {self.sort_key: State.NEVER.sort_key()}

    def complaints(self, parts: Mapping[str, Field]) -> Iterator[str]:
        """What is wrong with the declaration."""
        if self.index.sk is None or self.index.sk.type != "S":
            yield f"{self.name} keeps its state in the sort key of {self.index.name}: it needs one"
        for name in (self.started, self.finished):
            if name is not None and (name not in parts or parts[name].longest != len(_EXAMPLE)):
                yield f"{self.name} keeps a time in {name!r}; declare that field as Timestamp"

    def position(self, item: Item) -> Position:
        """Where a stored item stands."""
        read = {word: decode(item[name]) for word, name in self._words(item)}
        until = read.get("lease_until")
        return Position(
            sort_key=decode(item[self.sort_key]) if self.sort_key in item else None,
            owner=read.get("owner"),
            lease_until=None if until is None else datetime.fromisoformat(until),
            fence=read.get("fence", 0),
            attempts=read.get("attempts", 0),
            previous=read.get("previous"),
        )

    def _words(self, item: Item) -> list[tuple[str, str]]:
        prefix = f"{self.name}_"
        return [(name.removeprefix(prefix), name) for name in self.kept if name in item]

    def __get__(self, instance: object, owner: type[E]) -> LifecycleOf[E]:  # type: ignore[override]
        """The lifecycle of an entity, with its verbs."""
        return LifecycleOf(owner, self)


_EXAMPLE: Final = "2026-01-15T10:00:00Z"


@dataclass(frozen=True)
class LifecycleOf(IndexKeyOf[E]):
    """An entity's lifecycle: queries by state, and the moves between states."""

    declared: Lifecycle

    # Queries

    def never(self, *parts: Any) -> Query[E]:
        """Items that nobody has worked on."""
        return self._range(parts, Sort("begins_with", State.NEVER.sort_key()))

    def in_progress(self, *parts: Any, before: datetime | None = None) -> Query[E]:
        """Items with a claim; begun up to a moment where one is given."""
        return self._range(parts, _span(State.PROGRESS, None, before))

    def done(
        self, *parts: Any, after: datetime | None = None, before: datetime | None = None
    ) -> Query[E]:
        """Items that were done; from and up to a moment, both included, where they are given."""
        return self._range(parts, _span(State.DONE, after, before))

    def stuck(self, store: Store, *parts: Any) -> list[E]:
        """Items whose claim is past its lease, as they are in the table."""
        now, declared = store.clock.now(), self.declared
        claimed = store.iterate(self.in_progress(*parts).whole(), at_most=None)
        return [item for item in claimed if self.position(item).is_over(now, declared.lease)]

    def position(self, item: E) -> Position:
        """Where an item that was read stands."""
        return self._position(item)

    # Moves

    def claim(
        self, store: Store, item: E, *, lease: timedelta | None = None, owner: str | None = None
    ) -> Claim[E]:
        """Win the work on an item, or raise LostRace with the winner.

        What is NEVER or DONE can be claimed, and a claim past its lease can be taken over.
        """
        declared, now = self.declared, store.clock.now()
        before = self._position(item)
        change = self._change()
        change.expect(
            declared.sort_key, None if before.sort_key is None else _text(before.sort_key)
        )
        if before.state is State.PROGRESS:
            change.guards.append(self._lease_is_over(before, now))
        else:
            change.put(declared.attribute("previous"), _text(before.sort_key or _NEVER))
        change.put(declared.sort_key, _text(State.PROGRESS.sort_key(now)))
        change.put(declared.attribute("owner"), _text(_signature(owner)))
        change.put(declared.attribute("lease_until"), self._until(now, lease))
        change.adds[declared.attribute("fence")] = encode(1)
        change.adds[declared.attribute("attempts")] = encode(1)
        self._note(change, declared.started, now)
        return self._claimed(self._move(store, "claim", item, change))

    def renew(self, store: Store, claim: Claim[E], *, lease: timedelta | None = None) -> Claim[E]:
        """Hold a claim for longer, counted from now; the sort key stays as it is."""
        change = self._held(claim)
        change.put(self.declared.attribute("lease_until"), self._until(store.clock.now(), lease))
        return self._claimed(self._move(store, "renew", claim.item, change))

    def finish(self, store: Store, claim: Claim[E], **changes: Any) -> E:
        """Be done with an item, and change fields of it in the same write."""
        declared, now = self.declared, store.clock.now()
        change = self._held(claim, changes)
        change.put(declared.sort_key, _text(State.DONE.sort_key(now)))
        for word in ("owner", "lease_until", "previous", "attempts"):
            change.put(declared.attribute(word), None)
        self._note(change, declared.finished, now)
        return self._move(store, "finish", claim.item, change)

    def release(self, store: Store, held: Claim[E] | E) -> E:
        """Give work back: the item stands where it stood before the claim.

        Whoever has the claim may, and anybody may for an item that is stuck.
        """
        item = held.item if isinstance(held, Claim) else held
        declared, position = self.declared, self._position(item)
        change = self._held(Claim(item, position))
        if not isinstance(held, Claim):
            change.guards.append(self._lease_is_over(position, store.clock.now()))
        change.put(declared.sort_key, _text(position.previous or _NEVER))
        for word in ("owner", "lease_until", "previous"):
            change.put(declared.attribute(word), None)
        return self._move(store, "release", item, change)

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

    def _schema(self) -> Schema:
        return schema_of(self.entity)

    def _change(self) -> Change:
        return Change(ScopeOf((self._schema(),)))

    def _held(self, claim: Claim[E], changes: Mapping[str, Any] | None = None) -> Change:
        """A change on the condition that the claim still holds."""
        schema, declared = self._schema(), self.declared
        if claim.position.state is not State.PROGRESS:
            raise UsageError(f"nobody has a claim on {claim.item.key}; claim it first")
        change = updated(schema, claim.item, changes or {}, guard_version=False)
        change.expect(declared.sort_key, _text(claim.position.sort_key or ""))
        fence = claim.position.fence
        change.expect(declared.attribute("fence"), encode(fence) if fence else None)
        return change

    def _move(self, store: Store, verb: str, item: E, change: Change) -> E:
        schema = self._schema()
        write: Write[E] = Write(
            verb=verb,
            action="Update",
            ref=item.key,
            body={"Key": item.key.item, **change.body(schema.table.pk.name)},
            is_done=change.is_done,
            refusal=lambda current: self._lost(item, current),
            # Doing it twice is impossible, not harmful: the first time moves what guards it.
        )
        return carry_out_change(store.calls, None, write).item

    def _lost(self, item: E, current: E | None) -> StoreError:
        if current is None:
            return ItemMissing(f"there is no {item.key} any more; it was deleted")
        winner = self._position(current)
        who = f"{winner.owner} holds it" if winner.owner else f"it is {winner.state.value} now"
        return LostRace(f"{item.key} was lost to somebody else: {who}", current, winner)

    def _claimed(self, item: E) -> Claim[E]:
        return Claim(item, self._position(item))

    def _position(self, item: E) -> Position:
        if item.origin is None:
            return self.declared.position({self.declared.sort_key: _text(_NEVER)})
        if not item.origin.knows(self.declared.sort_key):
            raise NotRead(
                f"the state of {self.declared.name} was not read with {item.key}; get the item by "
                "its key, or query the lifecycle's own index"
            )
        return self.declared.position(item.origin.item)

    def _lease_is_over(self, position: Position, now: datetime) -> Condition:
        until = raw(self.declared.attribute("lease_until"))
        over = until <= utc_stamp(now).iso
        began = position.since
        # A claim that was made by other means has no lease: it gets the usual one.
        foreign_over = began is None or began + self.declared.lease <= now
        return over | until.missing() if foreign_over else over

    def _until(self, now: datetime, lease: timedelta | None) -> dict[str, Any]:
        length = self.declared.lease if lease is None else lease
        if length < _SHORTEST_LEASE:
            raise UsageError(f"a lease of {length} is over at once; give at least a second")
        return _text(utc_stamp(now + length).iso)

    def _note(self, change: Change, field: str | None, now: datetime) -> None:
        if field is not None:
            change.put(self._schema().attribute(field), _text(utc_stamp(now).iso))


_NEVER: Final = State.NEVER.sort_key()


def _span(state: State, after: datetime | None, before: datetime | None) -> Sort:
    low = state.sort_key(after)
    return Sort(
        "BETWEEN", low, state.sort_key() + "~" if before is None else state.sort_key(before)
    )


def _text(text: str) -> dict[str, Any]:
    return {"S": text}


def _signature(owner: str | None) -> str:
    """Who claims, and a few letters of chance: a claim whose answer was lost is known by them."""
    name = owner or f"{socket.gethostname()}:{os.getpid()}"
    return f"{name}/{secrets.token_hex(4)}"
