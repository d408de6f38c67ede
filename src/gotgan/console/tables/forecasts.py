"""What a read will cost, before it is made: by the sizes that the database last counted."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from decimal import Decimal
from typing import Any, Final, Literal

from gotgan.console.tables.asked import MOST_READ
from gotgan.errors import StoreUnreachable
from gotgan.store import Store, Table
from gotgan.store.data.browse import Look
from gotgan.store.engine.capacity import read_units
from gotgan.store.outputs.live import describe
from gotgan.store.prices import Price, money

__all__ = ["ScanForecast", "StorageSize", "TableStatus", "scan_forecast", "standing_of"]

_GIGABYTE: Final = 1 << 30
_INDEXES: Final = ("GlobalSecondaryIndexes", "LocalSecondaryIndexes")


@dataclass(frozen=True)
class StorageSize:
    """How many items a table or an index has, and what it takes to keep and to read them all."""

    items: int
    bytes: int

    @property
    def scan_units(self) -> float:
        """The read units of a scan from its beginning to its end."""
        return read_units(self.bytes, consistent=False)

    @property
    def scan_money(self) -> str:
        """What such a scan comes to on demand."""
        return _money(self.scan_units)

    @property
    def month_money(self) -> str:
        """What it comes to to keep it for a month."""
        return money(Price.listed().storage(Decimal(self.bytes) / _GIGABYTE))


@dataclass(frozen=True)
class TableStatus:
    """A table as the database has it."""

    status: Literal["active", "missing", "unready", "unreachable"]
    own: StorageSize = StorageSize(0, 0)
    indexes: Mapping[str, StorageSize] | None = None

    @property
    def is_there(self) -> bool:
        """Whether its numbers are known."""
        return self.status in {"active", "unready"}


@dataclass(frozen=True)
class ScanForecast:
    """What a scan will take, and what all of its pages would."""

    read: int
    """How many items are read at most for one page."""
    units: float
    whole: StorageSize

    @property
    def money(self) -> str:
        """What one page comes to on demand."""
        return _money(self.units)


def standing_of(store: Store, table: Table) -> TableStatus:
    """Ask the database for a table; one that does not answer is no reason to show nothing."""
    names = store.calls.names
    try:
        described = describe(store.calls.driver, names.of(table))
    except StoreUnreachable:
        return TableStatus("unreachable")
    if described is None:
        return TableStatus("missing")
    counted = dict(_counted(described))
    indexes = {
        index.name: counted.get(names.of(index), StorageSize(0, 0))
        for index in table.indexes.values()
    }
    is_active = described["TableStatus"] == "ACTIVE"
    own = StorageSize(int(described.get("ItemCount", 0)), int(described.get("TableSizeBytes", 0)))
    return TableStatus("active" if is_active else "unready", own, indexes)


def scan_forecast(standing: TableStatus, look: Look) -> ScanForecast:
    """What a scan will take, if its items are as large as the others."""
    known = (standing.indexes or {}).get(look.index or "", standing.own)
    read = min(known.items, MOST_READ if look.is_sieved else look.limit)
    size = known.bytes * read // known.items if known.items else 0
    return ScanForecast(read, read_units(size, consistent=look.consistent), known)


def _counted(described: Mapping[str, Any]) -> Iterator[tuple[str, StorageSize]]:
    for index in (each for kind in _INDEXES for each in described.get(kind) or ()):
        size = int(index.get("IndexSizeBytes", 0))
        yield index["IndexName"], StorageSize(int(index.get("ItemCount", 0)), size)


def _money(units: float) -> str:
    return money(Price.listed().million_reads * Decimal(units) / 1_000_000)
