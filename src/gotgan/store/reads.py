"""Items by key, alone or in batches of a hundred, and scans; expired items are hidden at once."""

from __future__ import annotations

from collections.abc import Generator, Iterable, Iterator, Sequence
from contextlib import closing
from contextvars import copy_context
from dataclasses import dataclass
from datetime import datetime
from decimal import Decimal
from functools import partial
from queue import Full, Queue
from threading import Event, Thread
from typing import Any, Final, Generic, TypeAlias, TypeVar

from gotgan.errors import UsageError
from gotgan.store.attributes import Item, decode
from gotgan.store.calls import Calls
from gotgan.store.conditions import Condition, Expression, raw
from gotgan.store.costs import Cost
from gotgan.store.engine.values import raws_of
from gotgan.store.keys import Ref
from gotgan.store.schema import EntityScope, OnBad, load_or_report, schema_of
from gotgan.store.tables import Table


def is_expired(table: Table, item: Item, now: datetime) -> bool:
    """Whether an item's time to live is over."""
    if table.ttl is None:
        return False
    until = item.get(table.ttl, {}).get("N")
    return until is not None and Decimal(until) <= int(now.timestamp())


def unexpired_condition(
    table: Table, condition: Condition | None, now: datetime
) -> Condition | None:
    """A condition that expired items do not meet, where the table has any."""
    if table.ttl is None:
        return condition
    lives = raw(table.ttl).missing() | (raw(table.ttl) > int(now.timestamp()))
    return lives if condition is None else condition & lives


T_co = TypeVar("T_co", covariant=True)
T = TypeVar("T")

BATCH_GET_SIZE: Final = 100


@dataclass(frozen=True)
class BatchGetResult(Generic[T_co]):
    """What a batch get found."""

    items: tuple[T_co, ...]
    """In the order in which they were asked for."""
    missing: tuple[Ref[Any], ...]
    unread: tuple[Ref[Any], ...]
    """What the database did not get to, however often it was asked."""
    cost: Cost

    def __iter__(self) -> Iterator[T_co]:
        return iter(self.items)

    def __len__(self) -> int:
        return len(self.items)


def get(calls: Calls, ref: Ref[T], fields: Sequence[str], *, consistent: bool) -> T | None:
    """One item, or None."""
    schema = schema_of(ref.entity)
    request: dict[str, Any] = {"TableName": calls.names.of(schema.table), "Key": ref.item}
    held = None
    if consistent:
        request["ConsistentRead"] = True
    if fields:
        held = _projection(ref.entity, fields)
        expression = Expression(EntityScope.of([ref.entity]))
        marks = [expression.name(name) for name in sorted(held)]
        request |= {"ProjectionExpression": ", ".join(marks), **expression.members()}
    answer, _ = calls.send("get", "GetItem", request)
    item = answer.get("Item")
    if item is None or is_expired(schema.table, item, calls.clock.now()):
        return None
    loaded: T = schema.load(item, held)
    return loaded


def get_all(
    calls: Calls, refs: Iterable[Ref[T]], fields: Sequence[str], *, consistent: bool
) -> BatchGetResult[T]:
    """Many items, each asked for once."""
    wanted = list(dict.fromkeys(refs))
    entities = {ref.entity for ref in wanted} if fields else set[type[Any]]()
    held = {entity: _projection(entity, fields) for entity in entities}
    attributes = frozenset[str]().union(*held.values()) if held else None
    found, unread, cost = read_items(
        calls, "get_all", wanted, consistent=consistent, attributes=attributes
    )
    now = calls.clock.now()
    items: list[T] = []
    missing: list[Ref[T]] = []
    for ref in wanted:
        item = found.get(ref)
        if item is not None and not is_expired(ref.table, item, now):
            items.append(schema_of(ref.entity).load(item, held.get(ref.entity)))
        elif ref not in unread:
            missing.append(ref)
    left = tuple(ref for ref in wanted if ref in unread) if unread else ()
    return BatchGetResult(tuple(items), tuple(missing), left, cost)


def read_items(
    calls: Calls,
    verb: str,
    refs: Sequence[Ref[Any]],
    *,
    consistent: bool = False,
    attributes: Iterable[str] | None = None,
) -> tuple[dict[Ref[Any], Item], set[Ref[Any]], Cost]:
    """The items of some refs as they are stored, those that could not be read, and the cost."""
    chunks = [refs[start : start + BATCH_GET_SIZE] for start in range(0, len(refs), BATCH_GET_SIZE)]
    options: dict[str, Any] = {"ConsistentRead": True} if consistent else {}
    if attributes is not None:
        marks = {f"#n{number}": name for number, name in enumerate(sorted(attributes))}
        options["ProjectionExpression"] = ", ".join(marks)
        options["ExpressionAttributeNames"] = marks
    parts = calls.side_by_side(partial(_read_chunk, calls, verb, options), chunks)
    found: dict[Ref[Any], Item] = {}
    unread: set[Ref[Any]] = set()
    cost = Cost()
    for items, left, paid in parts:
        found |= items
        unread |= left
        cost += paid
    return found, unread, cost


def _read_chunk(
    calls: Calls, verb: str, options: dict[str, Any], refs: Sequence[Ref[Any]]
) -> tuple[dict[Ref[Any], Item], set[Ref[Any]], Cost]:
    by_key: dict[tuple[Any, ...], Ref[Any]] = {}
    tables: dict[str, Table] = {}
    waiting: dict[str, Any] = {}
    for ref in refs:
        table, key = ref.table, ref.item
        name = calls.names.of(table)
        tables[name], by_key[item_identity(name, table, key)] = table, ref
        waiting.setdefault(name, {"Keys": [], **options})["Keys"].append(key)
    found: dict[Ref[Any], Item] = {}
    cost = Cost()
    attempts = calls.driver.attempts("BatchGetItem")
    while waiting:
        asked = sum(len(part["Keys"]) for part in waiting.values())
        answer, paid = calls.send(verb, "BatchGetItem", {"RequestItems": waiting})
        cost += paid
        for name, items in answer["Responses"].items():
            for item in items:
                found[by_key[item_identity(name, tables[name], item)]] = item
        waiting = answer.get("UnprocessedKeys") or {}
        left = sum(len(part["Keys"]) for part in waiting.values())
        if left and not attempts.unfinished(left, progressed=left < asked):
            break
    unread = {
        by_key[item_identity(name, tables[name], key)]
        for name, part in waiting.items()
        for key in part["Keys"]
    }
    return found, unread, cost


def item_identity(name: str, table: Table, item: Item) -> tuple[Any, ...]:
    """The key of an item as a value that can be looked up."""
    return (name, *(decode(item[key.name]) for key in table.keys))


def refuse_paths(fields: Sequence[str]) -> None:
    """Refuse to read a part of a field: what was not read would look like its default."""
    for name in fields:
        if "." in name:
            raise UsageError(f"{name} is a part of a field; ask for {name.partition('.')[0]} whole")


def _projection(entity: type[Any], fields: Sequence[str]) -> frozenset[str]:
    refuse_paths(fields)
    scope, table = EntityScope.of([entity]), schema_of(entity).table
    wanted = {scope.attribute(name) for name in fields} | {key.name for key in table.keys}
    return frozenset(wanted | ({table.ttl} if table.ttl else set()))


_QUEUE_TIMEOUT_S: Final = 0.2
_Pages: TypeAlias = Queue[Sequence[Item] | BaseException | None]
"""What the readers of a scan hand over; None when a segment is read."""


def scan(
    calls: Calls, entities: Sequence[type[Any]], segments: int, on_bad: OnBad | None
) -> Iterator[Any]:
    """Every instance of some entities of one table, in no order."""
    schemas = [schema_of(entity) for entity in entities]
    table = schemas[0].table
    with closing(_scan_pages(calls, table, segments)) as pages:
        for page in pages:
            for item, raw in zip(page, raws_of(page), strict=False):
                schema = next((schema for schema in schemas if schema.matches(item)), None)
                if schema is not None and not is_expired(table, item, calls.clock.now()):
                    loaded = load_or_report(schema, on_bad, item, None, raw)
                    if loaded is not None:
                        yield loaded


def _scan_pages(calls: Calls, table: Table, segments: int) -> Generator[Sequence[Item], None, None]:
    """Every item as it is stored, with a thread for each segment, in bounded memory."""
    pages: _Pages = Queue(maxsize=segments)
    stop = Event()
    readers = []
    for number in range(segments):
        request: dict[str, Any] = {"TableName": calls.names.of(table)}
        if segments > 1:
            request |= {"Segment": number, "TotalSegments": segments}
        arguments = (_read_segment, calls, request, pages, stop)
        name = f"scan-{table.name}-{number}"
        reader = Thread(target=copy_context().run, args=arguments, name=name, daemon=True)
        reader.start()
        readers.append(reader)
    try:
        running = segments
        while running:
            page = pages.get()
            if page is None:
                running -= 1
            elif isinstance(page, BaseException):
                raise page
            else:
                yield page
    finally:
        stop.set()
        for reader in readers:
            reader.join()


def scan_page(
    calls: Calls, table: Table, limit: int, behind: Item | None
) -> tuple[Sequence[Item], Item | None]:
    """Up to so many items of a table as they are stored, and the key to read on from."""
    request = {"TableName": calls.names.of(table), "Limit": limit}
    if behind is not None:
        request["ExclusiveStartKey"] = behind
    answer, _ = calls.send("scan", "Scan", request)
    return answer["Items"], answer.get("LastEvaluatedKey")


def _read_segment(
    calls: Calls,
    request: dict[str, Any],
    pages: _Pages,
    stop: Event,
) -> None:
    start: dict[str, Any] = {}
    try:
        while not stop.is_set():
            answer, _ = calls.send("scan", "Scan", {**request, **start})
            _hand_over(pages, answer["Items"], stop)
            if "LastEvaluatedKey" not in answer:
                break
            start = {"ExclusiveStartKey": answer["LastEvaluatedKey"]}
        _hand_over(pages, None, stop)
    except BaseException as error:  # noqa: BLE001 - raised again where the items are taken
        _hand_over(pages, error, stop)


def _hand_over(pages: _Pages, page: Sequence[Item] | BaseException | None, stop: Event) -> None:
    while not stop.is_set():
        try:
            pages.put(page, timeout=_QUEUE_TIMEOUT_S)
        except Full:
            continue
        return
