"""Queries carried out: legs as requests, answers as pages of entities."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from functools import partial
from math import inf
from typing import TYPE_CHECKING, Any, Final, Generic, TypeAlias, TypeVar

from gotgan.errors import StoreUnreachable, UsageError
from gotgan.store.attributes import Item, encode
from gotgan.store.conditions import Expression
from gotgan.store.costs import Cost
from gotgan.store.cursors import CursorPosition, fingerprint, sign, verify
from gotgan.store.getting import get_all, refuse_paths
from gotgan.store.keys import Ref
from gotgan.store.queries import Leg, Query, Sort
from gotgan.store.schema import OnBad, Schema, schema_of, tolerant
from gotgan.store.scopes import ScopeOf
from gotgan.store.tables import KeyAttribute, Names
from gotgan.store.visibility import is_expired, unexpired

if TYPE_CHECKING:
    from gotgan.store.calls import Calls

__all__ = [
    "Count",
    "Make",
    "Page",
    "ReadOptions",
    "count",
    "iterate",
    "loader",
    "read_page",
    "request_of",
]

T_co = TypeVar("T_co", covariant=True)
T = TypeVar("T")
U = TypeVar("U")

Make: TypeAlias = Callable[[Item], Any]
"""What makes something of an item; None leaves it out."""

_FILTERED_PAGE: Final = 100
_MOST_CALLS: Final = 20
"""After so many answers with next to nothing in them a page ends early, with a cursor."""


@dataclass(frozen=True)
class Page(Generic[T_co]):
    """A part of what a query finds."""

    items: tuple[T_co, ...]
    cursor: str | None
    """Where the next page begins; None at the end. A full page may be followed by an empty one."""
    cost: Cost
    read: int
    """How many items DynamoDB read and billed, before any filter."""

    def of(self, kind: type[U]) -> list[U]:
        """The items of one kind."""
        return [item for item in self.items if isinstance(item, kind)]

    def __iter__(self) -> Iterator[T_co]:
        return iter(self.items)

    def __len__(self) -> int:
        return len(self.items)


@dataclass(frozen=True)
class Count:
    """How many items a query finds."""

    items: int
    read: int
    """How many DynamoDB read and billed to know it."""
    cost: Cost

    def __int__(self) -> int:
        return self.items

    def __bool__(self) -> bool:
        return self.items > 0


@dataclass(frozen=True)
class ReadOptions:
    """What is made of the items that are read, and when a page is long enough."""

    on_bad: OnBad | None = None
    """Told of an item that does not fit its entity; it is passed over."""
    keep: Callable[[Any], bool] | None = None
    """Chooses among what was made."""
    make: Make | None = None
    """Makes something else of an item than its entity."""
    units: float = inf
    """A page that took this many read units ends, with a cursor."""


_ALL: Final = ReadOptions()


@dataclass
class _Draft:
    """A page in the making."""

    choice: ReadOptions
    items: list[Any] = field(default_factory=list)
    cost: Cost = field(default_factory=Cost)
    read: int = 0
    calls: int = 0

    @property
    def may_go_on(self) -> bool:
        """Whether another call may be made for it."""
        return self.calls < _MOST_CALLS and self.cost.reads < self.choice.units


def read_page(
    calls: Calls, query: Query[Any], limit: int, cursor: str | None, choice: ReadOptions = _ALL
) -> Page[Any]:
    """The next page: as many items as are wanted, unless there are no more."""
    if limit < 1:
        raise UsageError(f"a page of {limit} items cannot be read; ask for at least one")
    requests = [request_of(leg, calls.names) for leg in query.legs]
    mark = fingerprint(requests)
    place = CursorPosition(0, None) if cursor is None else verify(calls.secret, mark, cursor)
    draft = _Draft(choice)
    while place.leg < len(query.legs) and len(draft.items) < limit and draft.may_go_on:
        wanted = limit - len(draft.items)
        place = _advance(calls, query.legs, requests, place, wanted, draft)
    ended = place.leg >= len(query.legs)
    next_cursor = None if ended else sign(calls.secret, mark, place)
    return Page(tuple(draft.items), next_cursor, draft.cost, draft.read)


def _advance(
    calls: Calls,
    legs: tuple[Leg, ...],
    requests: list[dict[str, Any]],
    place: CursorPosition,
    wanted: int,
    draft: _Draft,
) -> CursorPosition:
    """Read on once, at most as many items as are wanted."""
    leg = legs[place.leg]
    request = {**requests[place.leg], **_from(place.key)}
    is_sieved = leg.filter is not None or draft.choice.keep is not None
    request["Limit"] = _page_size(wanted, is_sieved=is_sieved or draft.calls > 0)
    answer, cost = calls.send("query", "Query", request)
    draft.cost, draft.read = draft.cost + cost, draft.read + answer["ScannedCount"]
    draft.calls += 1
    items = answer["Items"]
    kept, used = _kept(calls, leg, items, wanted, draft)
    draft.items += kept if not leg.whole else _made_whole(calls, kept, draft)
    if used < len(items):
        return CursorPosition(place.leg, _key_of(leg, items[used - 1]))
    last = answer.get("LastEvaluatedKey")
    return CursorPosition(place.leg + 1, None) if last is None else CursorPosition(place.leg, last)


def _page_size(wanted: int, *, is_sieved: bool) -> int:
    """How many items to read: those that are wanted, and more where some are dropped."""
    return max(_FILTERED_PAGE, 2 * wanted) if is_sieved else wanted


def _kept(
    calls: Calls, leg: Leg, items: list[Item], wanted: int, draft: _Draft
) -> tuple[list[Any], int]:
    """The entities among the items, and how many items were looked at for them."""
    choice = draft.choice
    load, keep = loader(leg, choice.on_bad, choice.make), choice.keep
    now = None if leg.table.ttl is None else calls.clock.now()
    found: list[Any] = []
    for used, item in enumerate(items, start=1):
        loaded = None if now and is_expired(leg.table, item, now) else load(item)
        if loaded is not None and (keep is None or keep(loaded)):
            found.append(loaded)
            if len(found) == wanted:
                return found, used
    return found, len(items)


def _made_whole(calls: Calls, parts: list[Any], draft: _Draft) -> list[Any]:
    refs: list[Ref[Any]] = [part.key for part in parts]
    found = get_all(calls, refs, (), consistent=False)
    draft.cost += found.cost
    if found.unread:
        raise StoreUnreachable(
            f"the database did not get to {len(found.unread)} of {len(refs)} items, however often "
            "it was asked; read the page again"
        )
    return list(found.items)


def loader(leg: Leg, on_bad: OnBad | None, make: Make | None = None) -> Make:
    """What makes entities of a leg's items; None of an item that is of none of its kinds."""
    held = None if leg.index is None else leg.index.held()
    schemas = [schema_of(entity) for entity in leg.entities]
    if leg.fields:
        held = _read_attributes(leg)

    if len(schemas) == 1:  # as most are
        schema = schemas[0]
        # The partition of a query by key was made with the entity's own template.
        matches = schema.matches_in_partition if leg.index is None else schema.matches
        if make is not None:
            return lambda item: make(item) if matches(item) else None
        whole = schema.load if on_bad is None else partial(tolerant, schema, on_bad)
        return lambda item: whole(item, held) if matches(item) else None

    def load(item: Item) -> Any:
        for schema in schemas:
            if schema.matches(item):
                return make(item) if make else tolerant(schema, on_bad, item, held)
        return None

    return load


def iterate(
    calls: Calls, query: Query[T], at_most: int | None, on_bad: OnBad | None
) -> Iterator[T]:
    """All items of a query, page after page, up to a bound."""
    for leg in query.legs:
        load, start, is_open = loader(leg, on_bad), None, True
        request = request_of(leg, calls.names)
        while is_open:
            if at_most == 0:
                return
            if at_most is not None:
                is_sieved = leg.filter is not None or start is not None
                request["Limit"] = _page_size(at_most, is_sieved=is_sieved)
            answer, _ = calls.send("query", "Query", {**request, **_from(start)})
            now = calls.clock.now()
            loaded = [
                load(item) for item in answer["Items"] if not is_expired(leg.table, item, now)
            ]
            items = [item for item in loaded if item is not None][:at_most]
            if leg.whole:
                items = _made_whole(calls, items, _Draft(_ALL))
            yield from items
            at_most = None if at_most is None else at_most - len(items)
            start = answer.get("LastEvaluatedKey")
            is_open = start is not None


def count(calls: Calls, query: Query[Any], at_most: int | None) -> Count:
    """How many items there are, without transferring them; where kinds mix, but for their keys.

    With a bound, nobody counts further than that.
    """
    items, read, cost = 0, 0, Cost()
    for leg in query.legs:
        schemas = [schema_of(entity) for entity in leg.entities]
        request, start, is_open = request_of(leg, calls.names, counting=calls), None, True
        while is_open and (at_most is None or items < at_most):
            if at_most is not None:
                request["Limit"] = _page_size(at_most - items, is_sieved=leg.filter is not None)
            answer, paid = calls.send("count", "Query", {**request, **_from(start)})
            found = answer.get("Items")
            items += answer["Count"] if found is None else _of_kinds(schemas, found)
            read += answer["ScannedCount"]
            cost += paid
            start = answer.get("LastEvaluatedKey")
            is_open = start is not None
    return Count(items if at_most is None else min(items, at_most), read, cost)


def _of_kinds(schemas: list[Schema], items: list[Item]) -> int:
    return sum(any(schema.matches(item) for schema in schemas) for item in items)


def _has_strangers(leg: Leg) -> bool:
    """Whether items of other kinds can be among those that are read."""
    if len(leg.table.entities) == len(leg.entities):
        return False
    return leg.index is not None or leg.sort is None


def request_of(leg: Leg, names: Names, counting: Calls | None = None) -> dict[str, Any]:
    """The DynamoDB Query of a leg, but for its page."""
    held = None if leg.index is None else leg.index.held()
    expression = Expression(ScopeOf.of(leg.entities, held))
    request: dict[str, Any] = {"TableName": names.of(leg.table)}
    if leg.index is not None:
        request["IndexName"] = names.of(leg.index)
    request["KeyConditionExpression"] = _key_condition(leg, expression)
    condition = leg.filter
    if counting is not None:
        request |= _counted(leg, expression)
        condition = unexpired(leg.table, condition, counting.clock.now())
    if condition is not None:
        request["FilterExpression"] = condition.write(expression)
    if leg.fields and counting is None:
        names_read = sorted(_read_attributes(leg))
        request["ProjectionExpression"] = ", ".join(expression.name(name) for name in names_read)
    if leg.newest_first:
        request["ScanIndexForward"] = False
    if leg.consistent:
        request["ConsistentRead"] = True
    return {**request, **expression.members()}


def _counted(leg: Leg, expression: Expression) -> dict[str, Any]:
    if not _has_strangers(leg):
        return {"Select": "COUNT"}
    keys = [expression.name(key.name) for key in leg.table.keys]
    return {"ProjectionExpression": ", ".join(keys)}


def _key_condition(leg: Leg, expression: Expression) -> str:
    place = leg.table if leg.index is None else leg.index
    partition = f"{expression.name(place.pk.name)} = {expression.value(encode(leg.pk))}"
    if leg.sort is None or place.sk is None:
        return partition
    return f"{partition} AND {_sort_condition(place.sk, leg.sort, expression)}"


def _sort_condition(key: KeyAttribute, sort: Sort, expression: Expression) -> str:
    name, low = expression.name(key.name), expression.value(encode(sort.low))
    if sort.word == "begins_with":
        return f"begins_with({name}, {low})"
    if sort.word == "BETWEEN":
        return f"{name} BETWEEN {low} AND {expression.value(encode(sort.high))}"
    return f"{name} {sort.word} {low}"


def _read_attributes(leg: Leg) -> frozenset[str]:
    """The attributes that a projection sends back: those asked for, and the keys."""
    scope = ScopeOf.of(leg.entities)
    refuse_paths(leg.fields)
    wanted = {scope.attribute(name) for name in leg.fields}
    held = None if leg.index is None or leg.index.local else leg.index.held()
    if held is not None and not wanted <= held:
        lacking = ", ".join(sorted(wanted - held))
        raise UsageError(f"the index does not hold {lacking}; read them with .whole()")
    expiry = {leg.table.ttl} if leg.table.ttl and held is None else set()
    return frozenset(wanted | {key.name for key in _keys(leg)} | expiry)


def _keys(leg: Leg) -> tuple[KeyAttribute, ...]:
    return leg.table.keys if leg.index is None else (*leg.table.keys, *leg.index.keys)


def _key_of(leg: Leg, item: Item) -> Item:
    """Where a query reads on behind an item."""
    return {key.name: item[key.name] for key in _keys(leg)}


def _from(key: Item | None) -> dict[str, Any]:
    return {} if key is None else {"ExclusiveStartKey": key}
