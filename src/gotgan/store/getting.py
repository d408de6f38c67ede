"""Items by their keys: one, or many in batches of a hundred."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Final, Generic, TypeVar

from gotgan.errors import UsageError
from gotgan.store.attributes import Item, decode
from gotgan.store.conditions import Expression
from gotgan.store.costs import Cost
from gotgan.store.keys import Ref
from gotgan.store.schema import schema_of
from gotgan.store.scopes import ScopeOf
from gotgan.store.tables import Table
from gotgan.store.visibility import is_expired

if TYPE_CHECKING:
    from gotgan.store.calls import Calls

__all__ = ["Found", "get", "get_all", "read_items", "refuse_paths"]

T_co = TypeVar("T_co", covariant=True)
T = TypeVar("T")

BATCH: Final = 100


@dataclass(frozen=True)
class Found(Generic[T_co]):
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
    """One item; None where there is none."""
    schema = schema_of(ref.entity)
    request: dict[str, Any] = {"TableName": calls.names.of(schema.table), "Key": ref.item}
    held = None
    if consistent:
        request["ConsistentRead"] = True
    if fields:
        held = _projected(ref.entity, fields)
        expression = Expression(ScopeOf.of([ref.entity]))
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
) -> Found[T]:
    """Many items, each asked for once."""
    wanted = list(dict.fromkeys(refs))
    entities = {ref.entity for ref in wanted} if fields else set[type[Any]]()
    held = {entity: _projected(entity, fields) for entity in entities}
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
    return Found(tuple(items), tuple(missing), left, cost)


def read_items(
    calls: Calls,
    verb: str,
    refs: Sequence[Ref[Any]],
    *,
    consistent: bool = False,
    attributes: Iterable[str] | None = None,
) -> tuple[dict[Ref[Any], Item], set[Ref[Any]], Cost]:
    """The items of some refs as they are stored, those that could not be read, and the cost."""
    chunks = [refs[start : start + BATCH] for start in range(0, len(refs), BATCH)]
    options = _options(attributes, consistent=consistent)
    parts = calls.side_by_side(lambda chunk: _read_chunk(calls, verb, chunk, options), chunks)
    found: dict[Ref[Any], Item] = {}
    unread: set[Ref[Any]] = set()
    cost = Cost()
    for items, left, paid in parts:
        found |= items
        unread |= left
        cost += paid
    return found, unread, cost


def _read_chunk(
    calls: Calls, verb: str, refs: Sequence[Ref[Any]], options: dict[str, Any]
) -> tuple[dict[Ref[Any], Item], set[Ref[Any]], Cost]:
    by_key: dict[tuple[Any, ...], Ref[Any]] = {}
    tables: dict[str, Table] = {}
    waiting: dict[str, Any] = {}
    for ref in refs:
        table, key = ref.table, ref.item
        name = calls.names.of(table)
        tables[name], by_key[_identity(name, table, key)] = table, ref
        waiting.setdefault(name, {"Keys": [], **options})["Keys"].append(key)
    found: dict[Ref[Any], Item] = {}
    cost = Cost()
    patience = calls.driver.patience("BatchGetItem")
    while waiting:
        asked = _key_count(waiting)
        answer, paid = calls.send(verb, "BatchGetItem", {"RequestItems": waiting})
        cost += paid
        for name, items in answer["Responses"].items():
            for item in items:
                found[by_key[_identity(name, tables[name], item)]] = item
        waiting = answer.get("UnprocessedKeys") or {}
        left = _key_count(waiting)
        if left and not patience.unfinished(left, progressed=left < asked):
            break
    unread = {
        by_key[_identity(name, tables[name], key)]
        for name, part in waiting.items()
        for key in part["Keys"]
    }
    return found, unread, cost


def _key_count(waiting: dict[str, Any]) -> int:
    return sum(len(part["Keys"]) for part in waiting.values())


def _identity(name: str, table: Table, item: Item) -> tuple[Any, ...]:
    """A key that can be looked up, whatever else the item holds."""
    return (name, *(decode(item[key.name]) for key in table.keys))


def _options(attributes: Iterable[str] | None, *, consistent: bool) -> dict[str, Any]:
    options: dict[str, Any] = {"ConsistentRead": True} if consistent else {}
    if attributes is not None:
        marks = {f"#n{number}": name for number, name in enumerate(sorted(attributes))}
        options["ProjectionExpression"] = ", ".join(marks)
        options["ExpressionAttributeNames"] = marks
    return options


def refuse_paths(fields: Sequence[str]) -> None:
    """Refuse to read a part of a field: what was not read would look like its default."""
    for name in fields:
        if "." in name:
            raise UsageError(f"{name} is a part of a field; ask for {name.partition('.')[0]} whole")


def _projected(entity: type[Any], fields: Sequence[str]) -> frozenset[str]:
    refuse_paths(fields)
    scope, table = ScopeOf.of([entity]), schema_of(entity).table
    wanted = {scope.attribute(name) for name in fields} | {key.name for key in table.keys}
    return frozenset(wanted | ({table.ttl} if table.ttl else set()))
