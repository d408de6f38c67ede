"""Walking the rows of a table or an index in key order, a page at a time: what SQL that takes."""

from __future__ import annotations

import sqlite3
from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Any

from gotgan.store.engine.expressions import RangeCondition
from gotgan.store.engine.keys import encode_range, prefix_end
from gotgan.store.engine.tables import Index, Table

__all__ = ["Walk"]


@dataclass
class Walk:
    """A range of rows in the order of the table's key or of an index."""

    table: Table
    index: Index | None
    forward: bool = True
    _conditions: list[str] = field(default_factory=list)
    _parameters: list[Any] = field(default_factory=list)

    @property
    def columns(self) -> tuple[str, ...]:
        """The columns that give the order."""
        return ("pk", "sk") if self.index is None else self.index.order

    def within(self, partition: bytes) -> None:
        """Keep to one partition."""
        self._where(f"{self.columns[0]} = ?", partition)

    def between_hashes(self, low: bytes, high: bytes) -> None:
        """Keep to one segment of a parallel scan."""
        self._where(f"{self.columns[0]} >= ? AND {self.columns[0]} < ?", low, high)

    def restrict(self, condition: RangeCondition) -> None:
        """Keep to the sort keys that a key condition allows."""
        column = self.columns[1]
        operands = [encode_range(kind, content) for [(kind, content)] in _items(condition)]
        if condition.operator == "BETWEEN":
            self._where(f"{column} BETWEEN ? AND ?", *operands)
        elif condition.operator == "begins_with":
            self._begin_with(column, operands[0])
        else:
            self._where(f"{column} {condition.operator} ?", operands[0])

    def _begin_with(self, column: str, prefix: bytes) -> None:
        self._where(f"{column} >= ?", prefix)
        end = prefix_end(prefix)
        if end is not None:
            self._where(f"{column} < ?", end)

    def after(self, position: tuple[bytes, ...]) -> None:
        """Begin behind a position: the values of the order's columns, or of its last ones."""
        columns = ", ".join(self.columns[-len(position) :])
        marks = ", ".join("?" * len(position))
        self._where(f"({columns}) {'>' if self.forward else '<'} ({marks})", *position)

    def rows(self, connection: sqlite3.Connection, limit: int | None) -> Iterator[Any]:
        """Yield (item, size) of each row."""
        if self.index is not None:
            self._where(self.index.presence)
        where = f" WHERE {' AND '.join(self._conditions)}" if self._conditions else ""
        way = "" if self.forward else " DESC"
        order = ", ".join(column + way for column in self.columns)
        sql = f"SELECT item, size FROM {self.table.rows}{where} ORDER BY {order} LIMIT ?"
        return connection.execute(sql, (*self._parameters, -1 if limit is None else limit))

    def _where(self, condition: str, *parameters: Any) -> None:
        self._conditions.append(condition)
        self._parameters.extend(parameters)


def _items(condition: RangeCondition) -> Iterator[Any]:
    return (operand.items() for operand in condition.operands)
