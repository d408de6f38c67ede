"""Put-if-absent of many items: ``put_new_all`` beside a loop of conditional puts.

A turn of either way takes about as long. ``put_new_all`` gets all items at once, since it decides
by what it has seen so far. In the loop one call is as the next, so a tenth of the known items is
enough of it.
"""

from __future__ import annotations

import time
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any, Final, Protocol

from bench.store.measure import Pace
from bench.store.typed.model import ARTICLES, Article, article
from bench.store.typed.readers import ARCHIVE
from gotgan.store import Store
from gotgan.store.costs import Cost
from gotgan.store.schema import schema_of

__all__ = ["Bulk", "ConditionalPuts", "Done", "PutNewAll", "Units", "Writer", "measure_bulk"]

_ROUNDS: Final = 3


@dataclass(frozen=True)
class Units:
    """What is paid for."""

    reads: float
    writes: float

    def times(self, factor: float) -> Units:
        """So many times as much."""
        return Units(self.reads * factor, self.writes * factor)


@dataclass(frozen=True)
class Done:
    """How many items were new, and what became due for all of them."""

    new: int
    units: Units


class Writer(Protocol):
    """One way to write only what is new."""

    @property
    def slices(self) -> int:
        """Into how many turns the known items are cut."""

    def prepared(self, source: str, places: range) -> list[Any]:
        """Articles in the form that this way takes; not timed."""

    def write(self, prepared: list[Any]) -> Done:
        """Write those that are new."""


@dataclass(frozen=True)
class PutNewAll:
    """The typed store, whatever its driver: one call for all."""

    store: Store
    slices: int = 1

    def prepared(self, source: str, places: range) -> list[Any]:
        """Instances."""
        return [article(source, place) for place in places]

    def write(self, prepared: list[Any]) -> Done:
        """Write those that are new."""
        report = self.store.put_new_all(prepared)
        return Done(len(report.new), Units(report.cost.reads, report.cost.writes))


class ConditionalPuts:
    """A loop over boto3's client: one call for each."""

    slices = 10

    def __init__(self, client: Any) -> None:
        self._client = client
        self._new, self._refused = _write_units(client, *self.prepared("tried-out", range(1)))

    def prepared(self, source: str, places: range) -> list[Any]:
        """Requests."""
        return [
            {
                "TableName": ARTICLES.name,
                "Item": schema_of(Article).item(article(source, place)),
                "ConditionExpression": "attribute_not_exists(pk)",
            }
            for place in places
        ]

    def write(self, prepared: list[Any]) -> Done:
        """Write those that are new."""
        new = 0
        for request in prepared:
            try:
                self._client.put_item(**request)
            except self._client.exceptions.ConditionalCheckFailedException:
                continue
            new += 1
        return Done(new, Units(0, new * self._new + (len(prepared) - new) * self._refused))


def _write_units(client: Any, request: dict[str, Any]) -> tuple[float, float]:
    """What a put takes that finds nothing, and one that is refused, where no answer says it."""
    answer = client.put_item(**request, ReturnConsumedCapacity="INDEXES")
    refused = Cost.of_failed_write("put", ARTICLES.name, request["Item"], attempted=request["Item"])
    return Cost.of("put", "PutItem", answer).writes, refused.writes


@dataclass
class Bulk:
    """Items a second, and what an item takes in units, by writer and task: known and new."""

    rates: dict[str, dict[str, float]] = field(default_factory=dict)
    units: dict[str, dict[str, Units]] = field(default_factory=dict)

    def file(self, name: str, task: str, rate: float, units: Units) -> None:
        """Keep the rate of a turn if it was the best so far, and its units."""
        rates = self.rates.setdefault(name, {})
        rates[task] = max(rate, rates.get(task, 0.0))
        self.units.setdefault(name, {})[task] = units


def measure_bulk(writers: Mapping[str, Writer], items: int, pace: Pace) -> Bulk:
    """Let every writer meet known items, then new ones, in turn; the best turn of each counts."""
    bulk = Bulk()
    for number in range(min(_ROUNDS, pace.rounds)):
        for name, writer in writers.items():
            known = writer.prepared(ARCHIVE, range(items // writer.slices))
            bulk.file(name, "known", *_turn(writer, known, new=0))
        for name, writer in writers.items():
            new = writer.prepared(f"{name}-{number}", range(items))
            bulk.file(name, "new", *_turn(writer, new, new=items))
        if pace.over:
            break
    return bulk


def _turn(writer: Writer, prepared: list[Any], *, new: int) -> tuple[float, Units]:
    """Items a second, and the units of one item."""
    started = time.perf_counter()
    done = writer.write(prepared)
    seconds = time.perf_counter() - started
    if done.new != new:
        raise RuntimeError(f"{done.new} of {len(prepared)} items were new, and not {new}")
    return len(prepared) / seconds, done.units.times(1 / len(prepared))
