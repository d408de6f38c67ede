"""Batches of writes without conditions: fast, each item for itself, with what was not done."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from itertools import islice
from typing import Any, Final, Literal, TypeAlias, TypeVar

from gotgan.errors import GotganError, StoreError, UsageError
from gotgan.store.attributes import Item, decode
from gotgan.store.calls import Calls
from gotgan.store.costs import Cost
from gotgan.store.engine.faults import ValidationException
from gotgan.store.entities import Entity
from gotgan.store.keys import Ref
from gotgan.store.schema import schema_of
from gotgan.store.writes import refuse_partial

__all__ = ["Batched", "Undone", "chunks", "delete_all", "put_all"]

T = TypeVar("T")

_BATCH: Final = 25


@dataclass(frozen=True)
class Undone:
    """A write that was not done, and why."""

    target: Ref[Any] | Entity
    """The item's key; the item itself where it has no key that can be used."""
    error: GotganError


@dataclass(frozen=True)
class Batched:
    """What a batch of writes did."""

    done: int
    undone: tuple[Undone, ...]
    cost: Cost


@dataclass(frozen=True)
class _Task:
    """One write of a batch."""

    ref: Ref[Any]
    kind: Literal["PutRequest", "DeleteRequest"]
    body: dict[str, Any]


Waiting: TypeAlias = dict[str, list[dict[str, Any]]]


def put_all(calls: Calls, instances: Iterable[Entity]) -> Batched:
    """Put whole items over whatever is there; of two with one key the last one counts."""
    return _write_all(calls, "put_all", (_put(instance) for instance in instances))


def delete_all(calls: Calls, refs: Iterable[Ref[Any]]) -> Batched:
    """Remove items."""
    tasks = (_Task(ref, "DeleteRequest", {"Key": ref.item}) for ref in refs)
    return _write_all(calls, "delete_all", tasks)


def chunks(things: Iterable[T], size: int) -> Iterator[list[T]]:
    """Things in lists of at most so many."""
    left = iter(things)
    while chunk := list(islice(left, size)):
        yield chunk


def _put(instance: Entity) -> _Task | Undone:
    schema = schema_of(type(instance))
    if schema.version is not None or schema.kept:
        raise UsageError(
            f"a batch cannot guard the version or the lifecycle of a {type(instance).__name__}; "
            "use put_new_all, or put one by one"
        )
    try:
        refuse_partial(instance, "put")
        item = schema.item(schema.checked(instance))
        return _Task(instance.key, "PutRequest", {"Item": item})
    except GotganError as error:
        return Undone(instance, error)


def _write_all(calls: Calls, verb: str, tasks: Iterable[_Task | Undone]) -> Batched:
    done, undone = 0, []
    with calls.meter.measured() as measured:
        for window in chunks(tasks, _BATCH * max(1, calls.driver.parallel)):
            undone += [task for task in window if isinstance(task, Undone)]
            # A batch may not name a key twice: the last one counts.
            last = {task.ref: task for task in window if isinstance(task, _Task)}
            pieces = chunks(last.values(), _BATCH)
            left = calls.side_by_side(lambda piece: _write(calls, verb, piece), pieces)
            failed = [each for piece in left for each in piece]
            undone += failed
            done += len(last) - len(failed)
    return Batched(done, tuple(undone), measured.cost)


def _write(calls: Calls, verb: str, piece: list[_Task]) -> list[Undone]:
    waiting: Waiting = {}
    for task in piece:
        waiting.setdefault(calls.names.of(task.ref.table), []).append({task.kind: task.body})
    patience = calls.driver.patience("BatchWriteItem")
    try:
        while waiting:
            asked = _count(waiting)
            answer, _ = calls.send(verb, "BatchWriteItem", {"RequestItems": waiting})
            waiting = answer.get("UnprocessedItems") or {}
            left = _count(waiting)
            if left and not patience.unfinished(left, progressed=left < asked):
                break
    except ValidationException:
        # One of them is in the way of all: alone, each is written or says what is wrong with it.
        return [undone for task in piece for undone in _write_alone(calls, verb, task)]
    except StoreError as error:
        return [Undone(task.ref, error) for task in _left(calls, piece, waiting)]
    tired = StoreError("the database did not get to it, however often it was asked; try again")
    return [Undone(task.ref, tired) for task in _left(calls, piece, waiting)]


def _write_alone(calls: Calls, verb: str, task: _Task) -> list[Undone]:
    operation = "PutItem" if task.kind == "PutRequest" else "DeleteItem"
    try:
        calls.send(verb, operation, {"TableName": calls.names.of(task.ref.table), **task.body})
    except StoreError as error:
        return [Undone(task.ref, error)]
    return []


def _count(waiting: Waiting) -> int:
    return sum(len(requests) for requests in waiting.values())


def _left(calls: Calls, piece: list[_Task], waiting: Waiting) -> list[_Task]:
    """The tasks that are still waiting, known by their keys."""
    bodies = [
        (table, body)
        for table, requests in waiting.items()
        for request in requests
        for body in request.values()
    ]
    by_key = {_identity(calls.names.of(task.ref.table), task, task.body): task for task in piece}
    some = {calls.names.of(task.ref.table): task for task in piece}
    return [by_key[_identity(table, some[table], body)] for table, body in bodies]


def _identity(table: str, task: _Task, body: dict[str, Any]) -> tuple[Any, ...]:
    item: Item = body.get("Item") or body["Key"]
    return (table, *(decode(item[key.name]) for key in task.ref.table.keys))
