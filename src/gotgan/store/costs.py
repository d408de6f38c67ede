"""What calls cost in DynamoDB's read and write units, as a value that adds up exactly."""

from __future__ import annotations

from collections.abc import Callable, Hashable, Iterable, Iterator, Mapping
from contextlib import contextmanager
from contextvars import ContextVar
from dataclasses import asdict, dataclass
from datetime import date
from functools import lru_cache
from threading import Lock
from typing import Any, Final, TypeVar

from gotgan.clock import Clock, SystemClock
from gotgan.store.engine.capacity import write_units
from gotgan.store.engine.values import Item, size_of_item

_READ_OPERATIONS = frozenset({"BatchGetItem", "GetItem", "Query", "Scan", "TransactGetItems"})
_INDEXES = ("GlobalSecondaryIndexes", "LocalSecondaryIndexes")
_MAX_DAYS: Final = 30

_Key = TypeVar("_Key", bound=Hashable)


@dataclass(frozen=True, slots=True)
class CostLine:
    """The units that one verb took of one table, or of one index of it."""

    verb: str
    table: str
    index: str | None
    reads: float
    writes: float


@dataclass(frozen=True, slots=True)
class Cost:
    """What something cost; ``Cost()`` is nothing, and costs can be added."""

    lines: tuple[CostLine, ...] = ()
    """One for each verb, table and index, in that order."""

    @classmethod
    def of(cls, verb: str, operation: str, answer: Mapping[str, Any]) -> Cost:
        """What an operation consumed; one that did not ask for ReturnConsumedCapacity is free."""
        consumed = answer.get("ConsumedCapacity")
        if not consumed:
            return cls()
        if isinstance(consumed, dict):
            return _cost_of_table(verb, operation, consumed)
        costs = [_cost_of_table(verb, operation, each) for each in consumed]
        return costs[0] if len(costs) == 1 else _total(costs)

    @classmethod
    def of_failed_write(
        cls,
        verb: str,
        table: str,
        there: Item | None,
        *,
        attempted: Item | None = None,
    ) -> Cost:
        """Compute what a refused write costs: the larger of both items, nothing for indexes."""
        size = max(size_of_item(item) if item else 0 for item in (there, attempted))
        return _single(verb, table, 0.0, float(write_units(size)))

    @property
    def reads(self) -> float:
        """All read units."""
        return sum(line.reads for line in self.lines)

    @property
    def writes(self) -> float:
        """All write units."""
        return sum(line.writes for line in self.lines)

    def __add__(self, other: Cost) -> Cost:
        if not self.lines:
            return other
        return _total((self, other)) if other.lines else self

    def by_verb(self) -> dict[str, Cost]:
        """The cost of each verb."""
        return self._split(lambda line: line.verb)

    def by_table(self) -> dict[str, Cost]:
        """The cost of each table with its indexes."""
        return self._split(lambda line: line.table)

    def by_index(self) -> dict[tuple[str, str | None], Cost]:
        """The cost of each table alone, under (table, None), and of each index."""
        return self._split(lambda line: (line.table, line.index))

    def _split(self, key: Callable[[CostLine], _Key]) -> dict[_Key, Cost]:
        parts: dict[_Key, list[CostLine]] = {}
        for line in self.lines:
            parts.setdefault(key(line), []).append(line)
        return {name: Cost(tuple(lines)) for name, lines in parts.items()}

    def as_dict(self) -> dict[str, Any]:
        """The cost as JSON can hold it."""
        lines = [asdict(line) for line in self.lines]
        return {"reads": self.reads, "writes": self.writes, "lines": lines}


def _cost_of_table(verb: str, operation: str, consumed: Mapping[str, Any]) -> Cost:
    """Give each index what it took and the rest to the table: moto counts an index twice."""
    table = consumed.get("TableName", "")
    reads, writes = _units(operation, consumed)
    if _INDEXES[0] not in consumed and _INDEXES[1] not in consumed:
        return _single(verb, table, reads, writes)
    took = {
        name: _units(operation, units)
        for kind in _INDEXES
        for name, units in consumed.get(kind, {}).items()
    }
    indexes = [_line(verb, table, name, *took[name]) for name in sorted(took) if any(took[name])]
    for line in indexes:
        reads -= line.reads
        writes -= line.writes
    own = _single(verb, table, max(reads, 0.0), max(writes, 0.0))
    return Cost((*own.lines, *indexes))


def _units(operation: str, consumed: Mapping[str, Any]) -> tuple[float, float]:
    """Reads and writes; where both can be (a repeated transaction reads), DynamoDB names them."""
    if "ReadCapacityUnits" in consumed or "WriteCapacityUnits" in consumed:
        reads = consumed.get("ReadCapacityUnits") or 0.0
        return reads, consumed.get("WriteCapacityUnits") or 0.0
    units = consumed.get("CapacityUnits") or 0.0
    return (units, 0.0) if operation in _READ_OPERATIONS else (0.0, units)


@lru_cache(maxsize=1024)  # the same few amounts come again and again, and no line changes
def _line(verb: str, table: str, index: str | None, reads: float, writes: float) -> CostLine:
    return CostLine(verb, table, index, float(reads), float(writes))


@lru_cache(maxsize=1024)
def _single(verb: str, table: str, reads: float, writes: float) -> Cost:
    return Cost((_line(verb, table, None, reads, writes),)) if reads or writes else Cost()


def _total(costs: Iterable[Cost]) -> Cost:
    tally = _Tally()
    for cost in costs:
        tally.add(cost)
    return tally.cost()


class _Tally:
    def __init__(self) -> None:
        self._units: dict[tuple[str, str, str | None], tuple[float, float]] = {}

    def add(self, cost: Cost) -> None:
        units = self._units
        for line in cost.lines:
            key = (line.verb, line.table, line.index)
            reads, writes = units.get(key, (0.0, 0.0))
            units[key] = (reads + line.reads, writes + line.writes)

    def cost(self) -> Cost:
        """The sum, in an order that does not depend on what came first."""
        keys = sorted(self._units, key=lambda key: (key[0], key[1], key[2] or ""))
        return Cost(tuple(CostLine(*key, *self._units[key]) for key in keys))


class MeteredBlock:
    """What one block has cost so far; when the block has ended, what it cost."""

    def __init__(self, meter: CostMeter) -> None:
        self._meter = meter
        self._tally = _Tally()
        self._ended = False

    @property
    def cost(self) -> Cost:
        """What was recorded within the block."""
        with self._meter.lock:
            return self._tally.cost()

    def add(self, meter: CostMeter, cost: Cost) -> None:
        """Count what a meter records, if it is the one that this block listens to."""
        if meter is self._meter and not self._ended:
            self._tally.add(cost)

    def end(self) -> None:
        """Count no more, whatever a thread may still record that outlives the block."""
        with self._meter.lock:
            self._ended = True


_open_blocks: ContextVar[tuple[MeteredBlock, ...]] = ContextVar("gotgan_measured", default=())


class CostMeter:
    """Running totals of what was recorded, by all threads; and of single blocks, by their own.

    A block counts what its own thread (or task) records. A thread starts with an empty context, so
    code that gives a part of the work to other threads passes a copy of the context for each piece:
    ``pool.submit(copy_context().run, function, argument)``. ``asyncio.to_thread`` does so already.
    """

    def __init__(self, clock: Clock | None = None) -> None:
        self.lock = Lock()
        self._clock = clock or SystemClock()
        self.since = self._clock.now()
        self._before = _Tally()
        """What the days cost that are no longer listed."""
        self._days: dict[date, _Tally] = {}

    def record(self, cost: Cost) -> None:
        """Add a cost to the totals and to every block that is open here."""
        if not cost.lines:
            return
        blocks = _open_blocks.get()
        today = self._clock.now().date()
        with self.lock:
            if today not in self._days and len(self._days) >= _MAX_DAYS:
                # The oldest day counts in the total alone from now on.
                self._before.add(self._days.pop(min(self._days)).cost())
            self._days.setdefault(today, _Tally()).add(cost)
            for block in blocks:
                block.add(self, cost)

    def total(self) -> Cost:
        """Everything that was recorded."""
        with self.lock:
            return _total(tally.cost() for tally in (self._before, *self._days.values()))

    def days(self) -> dict[date, Cost]:
        """What was recorded on each of the last thirty days that have any, in UTC and in order."""
        with self.lock:
            return {day: self._days[day].cost() for day in sorted(self._days)}

    @contextmanager
    def measured(self) -> Iterator[MeteredBlock]:
        """Measure a block; blocks within blocks each count for themselves."""
        block = MeteredBlock(self)
        _open_blocks.set((*_open_blocks.get(), block))
        try:
            yield block
        finally:
            block.end()
            # Taken out by name, not by token: a block may end in another context than it began.
            _open_blocks.set(tuple(other for other in _open_blocks.get() if other is not block))
