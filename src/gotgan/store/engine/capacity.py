"""The capacity that a call consumes, in DynamoDB's units, by AWS's rules.

Sizes are rounded up: a write unit is 1 KB, a read unit 4 KB, and an eventually consistent read
costs half. In a transaction an item costs double, its index entries do not. A write costs the
larger of the item before and after. An index costs a write for each entry that it must add,
change or remove; a changed index key is a removal and an addition.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

from gotgan.store.engine.values import Item, equal, size_of_item

if TYPE_CHECKING:  # they load the engine, which a caller that counts units need not have
    from gotgan.store.engine.catalog import EngineIndex, EngineTable
    from gotgan.store.engine.writes import Effect, NewRow, StoredRow


WRITE_UNIT_BYTES = 1024
READ_UNIT_BYTES = 4096


def write_units(size: int) -> int:
    """Return the units of writing an item of this size."""
    return max(1, -(-size // WRITE_UNIT_BYTES))


def read_units(size: int, *, consistent: bool) -> float:
    """Return the units of reading so many bytes at once; reading nothing costs as one byte."""
    units = max(1, -(-size // READ_UNIT_BYTES))
    return float(units) if consistent else units / 2


@dataclass
class ConsumedCapacity:
    """The units that one table and its indexes were charged in one call."""

    table: EngineTable
    own: float = 0.0
    indexes: Counter[str] = field(default_factory=Counter)
    kind: str = ""  # "Read" or "Write" in transactions, where AWS reports them separately

    def charge_write(self, effect: Effect, times: int = 1) -> None:
        """Add the units of one write to the table and to every index that it touches.

        A condition check costs what writing the item as it is would cost.
        """
        before = 0 if effect.before is None else effect.before.size
        after = 0 if effect.after is None else effect.after.size
        self.own += write_units(max(before, after)) * times
        if effect.write.change == "check":
            return
        for index in self.table.indexes:
            units = _index_write_units(self.table, index, effect)
            if units:
                self.indexes[index.name] += units

    def charge_read(self, units: float, index: EngineIndex | None = None) -> None:
        """Add read units to the table, or to an index of it."""
        if index is None:
            self.own += units
        else:
            self.indexes[index.name] += units  # type: ignore[assignment]

    def to_dict(self, detail: str) -> dict[str, Any]:
        """Return the bill as ReturnConsumedCapacity asks for it: TOTAL or INDEXES."""
        answer = {
            "TableName": self.table.name,
            **self._units(self.own + sum(self.indexes.values())),
        }
        if detail == "INDEXES":
            answer["Table"] = self._units(self.own)
            for member, indexes in (
                ("LocalSecondaryIndexes", self.table.local_indexes),
                ("GlobalSecondaryIndexes", self.table.global_indexes),
            ):
                charged = [index.name for index in indexes if index.name in self.indexes]
                if charged:
                    answer[member] = {name: self._units(self.indexes[name]) for name in charged}
        return answer

    def _units(self, units: float) -> dict[str, float]:
        report = {"CapacityUnits": float(units)}
        if self.kind:
            report[f"{self.kind}CapacityUnits"] = float(units)
        return report


def write_bills(
    effects: Iterable[Effect], times: int = 1, kind: str = ""
) -> list[ConsumedCapacity]:
    """Bill writes, one bill for each table."""
    bills: dict[int, ConsumedCapacity] = {}
    for effect in effects:
        table = effect.write.table
        bill = bills.setdefault(table.number, ConsumedCapacity(table, kind=kind))
        bill.charge_write(effect, times)
    return list(bills.values())


def capacity_report(
    request: dict[str, Any], bills: Iterable[ConsumedCapacity]
) -> list[dict[str, Any]]:
    """Return the bills in the detail that the request asks for, one a table."""
    detail = request.get("ReturnConsumedCapacity", "NONE")
    return [] if detail == "NONE" else [bill.to_dict(detail) for bill in bills]


def _index_write_units(table: EngineTable, index: EngineIndex, effect: Effect) -> int:
    before = _entry(table, index, effect.before)
    after = _entry(table, index, effect.after)
    if before is not None and after is not None and before[0] == after[0]:
        if equal({"M": before[1]}, {"M": after[1]}):
            return 0
        return max(_entry_units(before), _entry_units(after))
    return _entry_units(before) + _entry_units(after)


def _entry(
    table: EngineTable, index: EngineIndex, row: StoredRow | NewRow | None
) -> tuple[Any, Item] | None:
    """Return a row's key in an index and what the index holds of it; None where it is not in."""
    if row is None:
        return None
    first = table.own_columns.index(index.own_columns[0])
    key = row.own[first : first + len(index.own_columns)]
    return None if key[0] is None else (key, table.project(index, row.item))


def _entry_units(entry: tuple[Any, Item] | None) -> int:
    return 0 if entry is None else write_units(size_of_item(entry[1]))
