"""How a window of entries gets into a table: over what is there, or only beside it.

Both ways may be repeated: a load that was stopped writes its last window again.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from concurrent.futures import Executor
from dataclasses import dataclass
from functools import reduce
from operator import add
from typing import Any, Final, Protocol

from gotgan.errors import StoreUnreachable
from gotgan.store.attributes import Item
from gotgan.store.costs import Cost, CostMeter
from gotgan.store.data.described import key_of
from gotgan.store.data.load_windows import Bad, LoadEntry
from gotgan.store.drivers.retrying import Retrying
from gotgan.store.engine.faults import (
    ConditionalCheckFailedException,
    DynamoDBError,
    ValidationException,
)
from gotgan.store.engine.values import equal
from gotgan.store.tables import Table

__all__ = ["Desk", "LoadOutcome", "Writer", "new_only", "overwriting"]

_VERB: Final = "load"
_MOST_WRITES: Final = 25
_MOST_GETS: Final = 100
_MOST_BYTES: Final = 12 << 20
"""Of a batch's lines: AWS takes 16 MB, and the request around them needs some."""
_WORTH_A_LOOK: Final = 0.1
"""From this share of duplicates on it is cheaper to look before writing."""


@dataclass(frozen=True, slots=True)
class LoadOutcome:
    """What became of some entries."""

    new: int = 0
    written: int = 0
    """Over whatever was there; DynamoDB does not say what that was."""
    duplicates: int = 0
    refused: tuple[Bad, ...] = ()

    def __add__(self, other: LoadOutcome) -> LoadOutcome:
        return LoadOutcome(
            self.new + other.new,
            self.written + other.written,
            self.duplicates + other.duplicates,
            self.refused + other.refused,
        )


class Writer(Protocol):
    """One of the two ways."""

    def __call__(self, entries: list[LoadEntry]) -> LoadOutcome:
        """Write entries, and come back when all of them are written or refused."""


@dataclass(frozen=True)
class Desk:
    """What both ways work with."""

    driver: Retrying
    table: Table
    pool: Executor
    meter: CostMeter

    def call(self, operation: str, request: dict[str, Any]) -> dict[str, Any]:
        """Call, and note the cost."""
        answer = self.driver.call(operation, request | {"ReturnConsumedCapacity": "INDEXES"})
        self.meter.record(Cost.of(_VERB, operation, answer))
        return answer

    def each(self, work: Callable[[Any], LoadOutcome], pieces: Iterable[Any]) -> LoadOutcome:
        """Do pieces of work at once, and add up what became of them."""
        return reduce(add, self.pool.map(work, pieces), LoadOutcome())

    def marks(self, entry: LoadEntry) -> tuple[Any, ...]:
        """The canonical values of an entry's key: the same for the same item."""
        return _marks(self.table, entry.item)


def overwriting(desk: Desk) -> Writer:
    """Write in batches, over what is there; of lines with one key the last one counts."""

    def write(entries: list[LoadEntry]) -> LoadOutcome:
        last = {desk.marks(entry): entry for entry in entries}
        repeated = LoadOutcome(duplicates=len(entries) - len(last))
        return (
            desk.each(lambda batch: _write_batch(desk, batch), _batches(last.values())) + repeated
        )

    return write


def _batches(entries: Iterable[LoadEntry]) -> Iterator[list[LoadEntry]]:
    batch: list[LoadEntry] = []
    size = 0
    for entry in entries:
        length = len(entry.line.raw)
        if batch and (len(batch) == _MOST_WRITES or size + length > _MOST_BYTES):
            yield batch
            batch, size = [], 0
        batch.append(entry)
        size += length
    if batch:
        yield batch


def _write_batch(desk: Desk, batch: list[LoadEntry]) -> LoadOutcome:
    puts = [{"PutRequest": {"Item": entry.item}} for entry in batch]
    try:
        _write_until_done(desk, puts)
    except ValidationException:
        # One of them is in the way of all: alone, each is written or says what is wrong with it.
        return reduce(add, (_overwrite_one(desk, entry) for entry in batch), LoadOutcome())
    return LoadOutcome(written=len(batch))


def _write_until_done(desk: Desk, puts: list[dict[str, Any]]) -> None:
    """Send what the database leaves undone again, with pauses, as long as it does some of it."""
    name, patience = desk.table.name, desk.driver.patience("BatchWriteItem")
    while True:
        answer = desk.call("BatchWriteItem", {"RequestItems": {name: puts}})
        left = answer.get("UnprocessedItems", {}).get(name, [])
        if not left:
            return
        if not patience.unfinished(len(left), progressed=len(left) < len(puts)):
            raise StoreUnreachable(
                f"{name} takes no more writes for now; run the same command again to go on"
            )
        puts = left


def _overwrite_one(desk: Desk, entry: LoadEntry) -> LoadOutcome:
    try:
        desk.call("PutItem", {"TableName": desk.table.name, "Item": entry.item})
    except ValidationException as fault:
        return LoadOutcome(refused=(Bad(entry.line, fault.message),))
    return LoadOutcome(written=1)


def new_only(desk: Desk) -> Writer:
    """Write what is not there; of lines with one key the first one counts.

    A duplicate costs a whole write to find out. So when the window before had many, the keys of
    this one are looked up first; the condition still decides.
    """
    share = 0.0

    def write(entries: list[LoadEntry]) -> LoadOutcome:
        nonlocal share
        first: dict[tuple[Any, ...], LoadEntry] = {}
        for entry in entries:
            first.setdefault(desk.marks(entry), entry)
        known = _known(desk, first) if share >= _WORTH_A_LOOK else set()
        unknown = [entry for marks, entry in first.items() if marks not in known]
        done = desk.each(lambda entry: _put_new(desk, entry), unknown)
        done += LoadOutcome(duplicates=len(entries) - len(unknown))
        share = done.duplicates / max(1, len(entries))
        return done

    return write


def _known(desk: Desk, entries: dict[tuple[Any, ...], LoadEntry]) -> set[tuple[Any, ...]]:
    """The keys that are there already; a key that the database did not get to is left out."""
    keys = [key_of(desk.table, entry.item) for entry in entries.values()]
    chunks = [keys[start : start + _MOST_GETS] for start in range(0, len(keys), _MOST_GETS)]
    return {
        _marks(desk.table, key)
        for found in desk.pool.map(lambda chunk: _look_up(desk, chunk), chunks)
        for key in found
    }


def _look_up(desk: Desk, keys: list[Item]) -> list[Item]:
    names = {f"#k{number}": key.name for number, key in enumerate(desk.table.keys)}
    wanted = {
        "Keys": keys,
        "ProjectionExpression": ", ".join(names),
        "ExpressionAttributeNames": names,
    }
    answer = desk.call("BatchGetItem", {"RequestItems": {desk.table.name: wanted}})
    found: list[Item] = answer.get("Responses", {}).get(desk.table.name, [])
    return found


def _marks(table: Table, item: Item) -> tuple[Any, ...]:
    return tuple(item[key.name][key.type] for key in table.keys)


def _put_new(desk: Desk, entry: LoadEntry) -> LoadOutcome:
    request = {
        "TableName": desk.table.name,
        "Item": entry.item,
        "ConditionExpression": "attribute_not_exists(#pk)",
        "ExpressionAttributeNames": {"#pk": desk.table.pk.name},
        "ReturnValuesOnConditionCheckFailure": "ALL_OLD",
    }
    try:
        desk.call("PutItem", request)
    except ConditionalCheckFailedException as fault:
        return _lost(desk, entry, fault)
    except ValidationException as fault:
        return LoadOutcome(refused=(Bad(entry.line, fault.message),))
    return LoadOutcome(new=1)


def _lost(desk: Desk, entry: LoadEntry, fault: DynamoDBError) -> LoadOutcome:
    """A duplicate; or our own write, when the answer to an earlier attempt was lost."""
    there: Item | None = fault.members.get("Item")
    desk.meter.record(Cost.of_failed_write(_VERB, desk.table.name, there, attempted=entry.item))
    ours = fault.maybe_done and there is not None and equal({"M": there}, {"M": entry.item})
    return LoadOutcome(new=1) if ours else LoadOutcome(duplicates=1)
