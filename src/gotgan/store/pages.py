"""Queries as requests and pages; cursors are signed by the store's secret and bound to a query."""

from __future__ import annotations

import hashlib
import hmac
from base64 import urlsafe_b64decode, urlsafe_b64encode
from binascii import Error as BadBase64
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field
from math import inf
from typing import Any, Final, Generic, TypeAlias, TypeVar

import orjson

from gotgan.errors import BadCursor, StoreUnreachable, UsageError
from gotgan.settings import Secret
from gotgan.store import messages
from gotgan.store.attributes import Item, encode
from gotgan.store.calls import Calls
from gotgan.store.conditions import Expression
from gotgan.store.costs import Cost
from gotgan.store.engine.values import raws_of
from gotgan.store.keys import Ref
from gotgan.store.queries import Leg, Query
from gotgan.store.reads import get_all, is_expired, refuse_paths, unexpired_condition
from gotgan.store.schema import EntityScope, OnBad, load_or_report, schema_of
from gotgan.store.tables import KeyAttribute, Names

_MAC_BYTES: Final = 16
_PURPOSE: Final = b"gotgan.store.cursor.1\0"


@dataclass(frozen=True)
class CursorPosition:
    """Where to read on: which leg of a query, and behind which key."""

    leg: int
    key: Item | None


def query_fingerprint(requests: list[dict[str, Any]]) -> bytes:
    """What a query asks for, in a few bytes; the same for the same query in any process."""
    try:
        text = orjson.dumps(requests, default=_hex, option=orjson.OPT_SORT_KEYS)
    except TypeError as error:
        raise UsageError(f"this query cannot be written: {error}") from error
    return hashlib.sha256(text).digest()


def sign_cursor(secret: Secret, query: bytes, place: CursorPosition) -> str:
    """The cursor of a place in a query."""
    body = orjson.dumps([place.leg, place.key], default=lambda value: {"hex": _hex(value)})
    return _base64_text(_mac(secret, query, body) + body)


def verify_cursor(secret: Secret, query: bytes, cursor: str) -> CursorPosition:
    """The position in a cursor."""
    try:
        raw = urlsafe_b64decode(cursor.encode("ascii") + b"=" * (-len(cursor) % 4))
    except (AttributeError, BadBase64, ValueError):
        raise BadCursor(messages.BAD_CURSOR()) from None
    mac, body = raw[:_MAC_BYTES], raw[_MAC_BYTES:]
    # Base64 can be written in more ways than one, and only the one that we write is ours.
    if not hmac.compare_digest(mac, _mac(secret, query, body)) or _base64_text(raw) != cursor:
        raise BadCursor(messages.BAD_CURSOR())
    leg, key = orjson.loads(body)
    for value in (key or {}).values():
        if "B" in value:
            value["B"] = bytes.fromhex(value["B"]["hex"])
    return CursorPosition(leg, key)


def _base64_text(raw: bytes) -> str:
    return urlsafe_b64encode(raw).decode().rstrip("=")


def _mac(secret: Secret, query: bytes, body: bytes) -> bytes:
    return hmac.digest(secret.reveal().encode(), _PURPOSE + query + body, "sha256")[:_MAC_BYTES]


def _hex(value: Any) -> str:
    if isinstance(value, bytes):
        return value.hex()
    raise TypeError(type(value).__name__)


T_co = TypeVar("T_co", covariant=True)
T = TypeVar("T")
U = TypeVar("U")

ItemFactory: TypeAlias = Callable[[Item], Any]
"""What makes something of an item; None leaves it out."""
_Loader: TypeAlias = Callable[[Item, bytes | None], Any]
"""The same of an item and its JSON, where that is at hand."""

_FILTERED_PAGE_SIZE: Final = 100
_MAX_CALLS: Final = 20
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
    """Called with an item that does not fit its entity; the item is skipped."""
    keep: Callable[[Any], bool] | None = None
    """Chooses among what was made."""
    make: ItemFactory | None = None
    """Makes something else of an item than its entity."""
    units: float = inf
    """A page that took this many read units ends, with a cursor."""


_ALL: Final = ReadOptions()


@dataclass
class _Draft:
    choice: ReadOptions
    items: list[Any] = field(default_factory=list)
    cost: Cost = field(default_factory=Cost)
    read: int = 0
    calls: int = 0


def read_page(
    calls: Calls, query: Query[Any], limit: int, cursor: str | None, choice: ReadOptions = _ALL
) -> Page[Any]:
    """The next page: as many items as are wanted, unless there are no more."""
    if limit < 1:
        raise UsageError(messages.BAD_PAGE_SIZE(limit=limit))
    requests = [query_request(leg, calls.names) for leg in query.legs]
    mark = query_fingerprint(requests)
    place = CursorPosition(0, None) if cursor is None else verify_cursor(calls.secret, mark, cursor)
    draft = _Draft(choice)
    while place.leg < len(query.legs) and len(draft.items) < limit:
        if draft.calls >= _MAX_CALLS or draft.cost.reads >= choice.units:
            break
        wanted = limit - len(draft.items)
        place = _advance(calls, query.legs, requests, place, wanted, draft)
    ended = place.leg >= len(query.legs)
    next_cursor = None if ended else sign_cursor(calls.secret, mark, place)
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
    request = {**requests[place.leg], **_start_member(place.key)}
    is_filtered = leg.filter is not None or draft.choice.keep is not None
    request["Limit"] = _page_size(wanted, is_filtered=is_filtered or draft.calls > 0)
    answer, cost = calls.send("query", "Query", request)
    draft.cost, draft.read = draft.cost + cost, draft.read + answer["ScannedCount"]
    draft.calls += 1
    items = answer["Items"]
    kept, used = _load_items(calls, leg, items, wanted, draft)
    draft.items += kept if not leg.whole else _read_whole(calls, kept, draft)
    if used < len(items):
        last = {key.name: items[used - 1][key.name] for key in _keys(leg)}
        return CursorPosition(place.leg, last)
    after = answer.get("LastEvaluatedKey")
    return CursorPosition(place.leg + (after is None), after)


def _page_size(wanted: int, *, is_filtered: bool) -> int:
    """How many items to read: those that are wanted, and more where some are dropped."""
    return max(_FILTERED_PAGE_SIZE, 2 * wanted) if is_filtered else wanted


def _load_items(
    calls: Calls, leg: Leg, items: Sequence[Item], wanted: int, draft: _Draft
) -> tuple[list[Any], int]:
    """The entities among the items, and how many items were looked at for them."""
    choice = draft.choice
    load, keep = _loader(leg, choice.on_bad, choice.make), choice.keep
    now = None if leg.table.ttl is None else calls.clock.now()
    if now is None and keep is None and len(items) <= wanted:  # as most are
        made = map(load, items, raws_of(items))
        return [each for each in made if each is not None], len(items)
    found: list[Any] = []
    for used, (item, raw) in enumerate(zip(items, raws_of(items), strict=False), start=1):
        loaded = None if now and is_expired(leg.table, item, now) else load(item, raw)
        if loaded is not None and (keep is None or keep(loaded)):
            found.append(loaded)
            if len(found) == wanted:
                return found, used
    return found, len(items)


def _read_whole(calls: Calls, parts: list[Any], draft: _Draft) -> list[Any]:
    refs: list[Ref[Any]] = [part.key for part in parts]
    found = get_all(calls, refs, (), consistent=False)
    draft.cost += found.cost
    if found.unread:
        raise StoreUnreachable(messages.PAGE_INCOMPLETE(count=len(found.unread), total=len(refs)))
    return list(found.items)


def _loader(leg: Leg, on_bad: OnBad | None, make: ItemFactory | None = None) -> _Loader:
    """What makes entities of a leg's items; None of an item that is of none of its kinds."""
    held = None if leg.index is None else leg.index.held()
    if leg.fields:
        held = _read_attributes(leg)
    kinds = [(schema, schema.matches) for schema in map(schema_of, leg.entities)]
    if len(kinds) == 1:  # as most are
        [(schema, matches)] = kinds
        if leg.index is None:
            # The partition of a query by key was made with the entity's own template.
            matches = schema.matches_in_partition
            kinds = [(schema, matches)]
        if make is None and on_bad is None and held is None:
            load_whole = schema.load_whole
            return lambda item, raw: load_whole(item, raw) if matches(item) else None

    def load(item: Item, raw: bytes | None) -> Any:
        for schema, matches in kinds:
            if matches(item):
                return make(item) if make else load_or_report(schema, on_bad, item, held, raw)
        return None

    return load


def iterate(
    calls: Calls, query: Query[T], at_most: int | None, on_bad: OnBad | None
) -> Iterator[T]:
    """All items of a query, page after page, up to a bound."""
    for leg in query.legs:
        load, start, is_open = _loader(leg, on_bad), None, True
        request = query_request(leg, calls.names)
        while is_open:
            if at_most == 0:
                return
            if at_most is not None:
                is_filtered = leg.filter is not None or start is not None
                request["Limit"] = _page_size(at_most, is_filtered=is_filtered)
            answer, _ = calls.send("query", "Query", {**request, **_start_member(start)})
            now, found = calls.clock.now(), answer["Items"]
            loaded = [
                load(item, raw)
                for item, raw in zip(found, raws_of(found), strict=False)
                if not is_expired(leg.table, item, now)
            ]
            items = [item for item in loaded if item is not None][:at_most]
            if leg.whole:
                items = _read_whole(calls, items, _Draft(_ALL))
            yield from items
            at_most = None if at_most is None else at_most - len(items)
            start = answer.get("LastEvaluatedKey")
            is_open = start is not None


def count(calls: Calls, query: Query[Any], at_most: int | None) -> Count:
    """Count items up to a bound, without transferring more than their keys."""
    items, read, cost = 0, 0, Cost()
    for leg in query.legs:
        schemas = [schema_of(entity) for entity in leg.entities]
        request, start, is_open = query_request(leg, calls.names, counting=calls), None, True
        while is_open and (at_most is None or items < at_most):
            if at_most is not None:
                request["Limit"] = _page_size(at_most - items, is_filtered=leg.filter is not None)
            answer, paid = calls.send("count", "Query", {**request, **_start_member(start)})
            found = answer.get("Items")
            items += (
                answer["Count"]
                if found is None
                else sum(any(schema.matches(item) for schema in schemas) for item in found)
            )
            read += answer["ScannedCount"]
            cost += paid
            start = answer.get("LastEvaluatedKey")
            is_open = start is not None
    return Count(items if at_most is None else min(items, at_most), read, cost)


def query_request(leg: Leg, names: Names, counting: Calls | None = None) -> dict[str, Any]:
    """The DynamoDB Query of a leg, but for its page."""
    held = None if leg.index is None else leg.index.held()
    expression = Expression(EntityScope.of(leg.entities, held))
    request: dict[str, Any] = {"TableName": names.of(leg.table)}
    if leg.index is not None:
        request["IndexName"] = names.of(leg.index)
    request["KeyConditionExpression"] = _key_condition(leg, expression)
    condition = leg.filter
    if counting is not None:
        has_other_kinds = len(leg.table.entities) != len(leg.entities)
        if has_other_kinds and (leg.index is not None or leg.sort is None):
            keys = [expression.name(key.name) for key in leg.table.keys]
            request["ProjectionExpression"] = ", ".join(keys)
        else:
            request["Select"] = "COUNT"
        condition = unexpired_condition(leg.table, condition, counting.clock.now())
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


def _key_condition(leg: Leg, expression: Expression) -> str:
    made = " AND ".join(
        [
            f"{expression.name(key.name)} = {expression.value(encode(value))}"
            for key, value in leg.exact
        ]
    )
    sort, sort_key = leg.sort, leg.sort_key
    if sort is None or sort_key is None:
        return made
    name, low = expression.name(sort_key.name), expression.value(encode(sort.low))
    if sort.word == "begins_with":
        return f"{made} AND begins_with({name}, {low})"
    high = f" AND {expression.value(encode(sort.high))}" if sort.word == "BETWEEN" else ""
    return f"{made} AND {name} {sort.word} {low}{high}"


def _read_attributes(leg: Leg) -> frozenset[str]:
    """The attributes that a projection sends back: those asked for, and the keys."""
    scope = EntityScope.of(leg.entities)
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


def _start_member(key: Item | None) -> dict[str, Any]:
    return {} if key is None else {"ExclusiveStartKey": key}
