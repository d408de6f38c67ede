"""A data set for tests, whose days and rows are set by hand."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field
from datetime import date
from functools import partial

from gotgan.exports import Column, DataSet, ExportSpan, Partition
from gotgan.exports.data_sets import Row, digest

__all__ = ["Goods"]

_COLUMNS = (Column("name"), Column("price", "integer"))


@dataclass
class Goods:
    """The goods of some days."""

    days: dict[str, list[Row]] = field(default_factory=dict)
    columns: tuple[Column, ...] = _COLUMNS
    forgets: bool = False
    stops_at: str | None = None
    """The day whose rows end in an error."""
    read: list[str] = field(default_factory=list)
    """The days whose rows were read."""

    def data_set(self) -> DataSet:
        return DataSet("goods", self.columns, self._partitions, forgets=self.forgets)

    def _partitions(self, span: ExportSpan) -> Iterator[Partition]:
        for day, rows in self.days.items():
            if date.fromisoformat(day) in span:
                yield Partition(day, digest(rows), partial(self._rows, day))

    def _rows(self, day: str) -> Iterator[Row]:
        self.read.append(day)
        yield from self.days[day]
        if day == self.stops_at:
            raise KeyboardInterrupt
