"""Writes windows of entries, replacing existing items or keeping them; both are repeatable."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from concurrent.futures import Executor
from dataclasses import dataclass, field
from functools import reduce
from operator import add
from typing import Any, Final

from gotgan.errors import StoreUnreachable
from gotgan.messages import text
from gotgan.store.attributes import Item
from gotgan.store.costs import Cost, CostMeter
from gotgan.store.data import messages
from gotgan.store.data.load_sources import BadLine, LoadEntry
from gotgan.store.drivers.retries import RetryingDriver
from gotgan.store.engine.faults import ConditionalCheckFailedException, ValidationException
from gotgan.store.engine.values import equal
from gotgan.store.tables import Table

_VERB: Final = "load"
_BATCH_WRITE_SIZE: Final = 25
_BATCH_GET_SIZE: Final = 100
_MAX_BATCH_BYTES: Final = 12 << 20
"""Of a batch's lines: AWS takes 16 MB, and the request around them needs some."""
_PROBE_SHARE: Final = 0.1
"""From this share of duplicates on it is cheaper to look before writing."""


@dataclass(frozen=True, slots=True)
class LoadOutcome:
    """The outcomes of some entries."""

    new: int = 0
    written: int = 0
    """Over whatever was there; DynamoDB does not say what that was."""
    duplicates: int = 0
    refused: tuple[BadLine, ...] = ()

    def __add__(self, other: LoadOutcome) -> LoadOutcome:
        return LoadOutcome(
            self.new + other.new,
            self.written + other.written,
            self.duplicates + other.duplicates,
            self.refused + other.refused,
        )


@dataclass
class WindowWriter:
    """Writes the entries of a load into its table; the costs go to the meter."""

    driver: RetryingDriver
    table: Table
    pool: Executor
    meter: CostMeter
    _duplicate_share: float = field(default=0.0, init=False)
    """Of the window before."""

    def overwrite(self, entries: list[LoadEntry]) -> LoadOutcome:
        """Write in batches, over what is there; of lines with one key the last one counts."""
        last = {self._key(entry.item): entry for entry in entries}
        repeated = LoadOutcome(duplicates=len(entries) - len(last))
        return self._each(self._write_batch, _batches(last.values())) + repeated

    def insert(self, entries: list[LoadEntry]) -> LoadOutcome:
        """Write what is not there; keys are looked up first after a window with many duplicates."""
        first: dict[tuple[Any, ...], LoadEntry] = {}
        for entry in entries:
            first.setdefault(self._key(entry.item), entry)
        stored = self._stored_keys(first) if self._duplicate_share >= _PROBE_SHARE else set()
        unknown = [entry for key, entry in first.items() if key not in stored]
        done = self._each(self._put_new, unknown)
        done += LoadOutcome(duplicates=len(entries) - len(unknown))
        self._duplicate_share = done.duplicates / max(1, len(entries))
        return done

    def _call(self, operation: str, request: dict[str, Any]) -> dict[str, Any]:
        answer = self.driver.call(operation, request | {"ReturnConsumedCapacity": "INDEXES"})
        self.meter.record(Cost.of(_VERB, operation, answer))
        return answer

    def _each(self, work: Callable[[Any], LoadOutcome], pieces: Iterable[Any]) -> LoadOutcome:
        return reduce(add, self.pool.map(work, pieces), LoadOutcome())

    def _key(self, item: Item) -> tuple[Any, ...]:
        """The canonical values of an item's key: the same for the same item."""
        return tuple(item[key.name][key.type] for key in self.table.keys)

    def _write_batch(self, batch: list[LoadEntry]) -> LoadOutcome:
        try:
            self._write_until_done([{"PutRequest": {"Item": entry.item}} for entry in batch])
        except ValidationException:
            # One of them is in the way of all: alone, each is written or says what is wrong.
            return reduce(add, map(self._overwrite_one, batch), LoadOutcome())
        return LoadOutcome(written=len(batch))

    def _write_until_done(self, puts: list[dict[str, Any]]) -> None:
        """Send what the database leaves undone again, with pauses, as long as it does some."""
        name, attempts = self.table.name, self.driver.attempts("BatchWriteItem")
        while True:
            answer = self._call("BatchWriteItem", {"RequestItems": {name: puts}})
            left = answer.get("UnprocessedItems", {}).get(name, [])
            if not left:
                return
            if not attempts.unfinished(len(left), progressed=len(left) < len(puts)):
                raise StoreUnreachable(messages.NO_MORE_WRITES(table=name))
            puts = left

    def _overwrite_one(self, entry: LoadEntry) -> LoadOutcome:
        try:
            self._call("PutItem", {"TableName": self.table.name, "Item": entry.item})
        except ValidationException as fault:
            return LoadOutcome(refused=(BadLine(entry.line, text(fault.message)),))
        return LoadOutcome(written=1)

    def _stored_keys(self, entries: dict[tuple[Any, ...], LoadEntry]) -> set[tuple[Any, ...]]:
        """The keys that are there already; one that the database did not get to is left out."""
        names = [key.name for key in self.table.keys]
        keys = [{name: entry.item[name] for name in names} for entry in entries.values()]
        starts = range(0, len(keys), _BATCH_GET_SIZE)
        pages = self.pool.map(self._look_up, [keys[n : n + _BATCH_GET_SIZE] for n in starts])
        return {self._key(item) for page in pages for item in page}

    def _look_up(self, keys: list[Item]) -> list[Item]:
        names = {f"#k{number}": key.name for number, key in enumerate(self.table.keys)}
        wanted = {
            "Keys": keys,
            "ProjectionExpression": ", ".join(names),
            "ExpressionAttributeNames": names,
        }
        answer = self._call("BatchGetItem", {"RequestItems": {self.table.name: wanted}})
        found: list[Item] = answer.get("Responses", {}).get(self.table.name, [])
        return found

    def _put_new(self, entry: LoadEntry) -> LoadOutcome:
        request = {
            "TableName": self.table.name,
            "Item": entry.item,
            "ConditionExpression": "attribute_not_exists(#pk)",
            "ExpressionAttributeNames": {"#pk": self.table.pk.name},
            "ReturnValuesOnConditionCheckFailure": "ALL_OLD",
        }
        try:
            self._call("PutItem", request)
        except ConditionalCheckFailedException as fault:
            there: Item | None = fault.members.get("Item")
            name = self.table.name
            self.meter.record(Cost.of_failed_write(_VERB, name, there, attempted=entry.item))
            # It may be our own write, when the answer to an earlier attempt was lost.
            ours = fault.maybe_done and there is not None and equal({"M": there}, {"M": entry.item})
            return LoadOutcome(new=1) if ours else LoadOutcome(duplicates=1)
        except ValidationException as fault:
            return LoadOutcome(refused=(BadLine(entry.line, text(fault.message)),))
        return LoadOutcome(new=1)


def _batches(entries: Iterable[LoadEntry]) -> Iterator[list[LoadEntry]]:
    batch: list[LoadEntry] = []
    size = 0
    for entry in entries:
        length = len(entry.line.raw)
        if batch and (len(batch) == _BATCH_WRITE_SIZE or size + length > _MAX_BATCH_BYTES):
            yield batch
            batch, size = [], 0
        batch.append(entry)
        size += length
    if batch:
        yield batch
