"""Batches of writes without conditions: fast, each item for itself, with what was not done."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from itertools import islice
from typing import Any, Final, TypeVar

from gotgan.errors import StoreError, UsageError
from gotgan.store.attributes import Item, decode
from gotgan.store.calls import Calls
from gotgan.store.costs import Cost
from gotgan.store.entities import Entity
from gotgan.store.keys import Ref
from gotgan.store.schema import schema_of
from gotgan.store.writes import put

__all__ = ["Batched", "Undone", "chunks", "delete_all", "put_all"]

T = TypeVar("T")

_BATCH: Final = 25


@dataclass(frozen=True)
class Undone:
    """A write that was not done, and why."""

    ref: Ref[Any]
    error: StoreError


@dataclass(frozen=True)
class Batched:
    """What a batch of writes did."""

    done: int
    undone: tuple[Undone, ...]
    cost: Cost


def put_all(calls: Calls, instances: Iterable[Entity]) -> Batched:
    """Put whole items over whatever is there; of two with one key the last one counts."""
    return _write_all(calls, "put_all", (_put(instance) for instance in instances))


def delete_all(calls: Calls, refs: Iterable[Ref[Any]]) -> Batched:
    """Remove items."""
    wanted = ((ref, {"DeleteRequest": {"Key": ref.item}}) for ref in refs)
    return _write_all(calls, "delete_all", wanted)


def chunks(things: Iterable[T], size: int) -> Iterator[list[T]]:
    """Things in lists of at most so many."""
    left = iter(things)
    while chunk := list(islice(left, size)):
        yield chunk


def _put(instance: Entity) -> tuple[Ref[Any], dict[str, Any]]:
    schema = schema_of(type(instance))
    if schema.version is not None or schema.kept:
        raise UsageError(
            f"a batch cannot guard the version or the lifecycle of a {type(instance).__name__}; "
            "use put_new_all, or put one by one"
        )
    write = put(instance)
    return write.ref, {"PutRequest": {"Item": write.item}}


def _write_all(
    calls: Calls, verb: str, requests: Iterable[tuple[Ref[Any], dict[str, Any]]]
) -> Batched:
    done, undone, cost = 0, [], Cost()
    for window in chunks(requests, _BATCH * max(1, calls.driver.parallel)):
        last = dict(window)  # a batch may not name a key twice
        pieces = list(chunks(last.items(), _BATCH))
        for left, paid in calls.side_by_side(lambda piece: _write(calls, verb, piece), pieces):
            undone += left
            cost += paid
        done += len(last)
    return Batched(done - len(undone), tuple(undone), cost)


def _write(
    calls: Calls, verb: str, piece: list[tuple[Ref[Any], dict[str, Any]]]
) -> tuple[list[Undone], Cost]:
    waiting: dict[str, list[dict[str, Any]]] = {}
    for ref, request in piece:
        waiting.setdefault(calls.names.of(ref.table), []).append(request)
    cost = Cost()
    patience = calls.driver.patience("BatchWriteItem")
    try:
        while waiting:
            asked = _count(waiting)
            answer, paid = calls.send(verb, "BatchWriteItem", {"RequestItems": waiting})
            cost += paid
            waiting = answer.get("UnprocessedItems") or {}
            left = _count(waiting)
            if left and not patience.unfinished(left, progressed=left < asked):
                break
    except StoreError as error:
        return _left(calls, piece, waiting, error), cost
    tired = StoreError("the database did not get to it, however often it was asked; try again")
    return _left(calls, piece, waiting, tired), cost


def _count(waiting: dict[str, list[dict[str, Any]]]) -> int:
    return sum(len(requests) for requests in waiting.values())


def _left(
    calls: Calls,
    piece: list[tuple[Ref[Any], dict[str, Any]]],
    waiting: dict[str, list[dict[str, Any]]],
    error: StoreError,
) -> list[Undone]:
    keys = {
        (table, *_key_of(calls, table, piece, request))
        for table, requests in waiting.items()
        for request in requests
    }
    return [
        Undone(ref, error)
        for ref, _ in piece
        if (calls.names.of(ref.table), *_parts(ref, ref.item)) in keys
    ]


def _key_of(
    calls: Calls,
    table: str,
    piece: list[tuple[Ref[Any], dict[str, Any]]],
    request: dict[str, Any],
) -> tuple[Any, ...]:
    [action] = request.values()
    item: Item = action.get("Item") or action["Key"]
    ref = next(ref for ref, _ in piece if calls.names.of(ref.table) == table)
    return _parts(ref, item)


def _parts(ref: Ref[Any], item: Item) -> tuple[Any, ...]:
    return tuple(decode(item[key.name]) for key in ref.table.keys)
