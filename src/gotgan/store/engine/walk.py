"""Walking the rows of a table or an index in key order, a page at a time: what SQL that takes."""

from __future__ import annotations

import operator
import sqlite3
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from typing import Any, Final

from gotgan.store.engine.expressions import RangeCondition
from gotgan.store.engine.keys import encode_range, prefix_end
from gotgan.store.engine.tables import Index, Table

__all__ = ["Walk"]

_COMPARE: Final = {
    "=": operator.eq,
    "<": operator.lt,
    "<=": operator.le,
    ">": operator.gt,
    ">=": operator.ge,
}


@dataclass
class Walk:
    """A range of rows in the order of the table's key or of an index."""

    table: Table
    index: Index | None
    forward: bool = True
    _conditions: list[str] = field(default_factory=list)
    _parameters: list[Any] = field(default_factory=list)
    _allowed: list[tuple[Callable[[bytes, bytes], bool], bytes]] = field(default_factory=list)

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
        for sign, bound in _bounds(condition):
            self._where(f"{column} {sign} ?", bound)
            self._allowed.append((_COMPARE[sign], bound))

    def allows(self, position: bytes) -> bool:
        """Say whether a sort key is within what ``restrict`` keeps to."""
        return all(compare(position, bound) for compare, bound in self._allowed)

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


def _bounds(condition: RangeCondition) -> Iterator[tuple[str, bytes]]:
    """Give a key condition as comparisons with stored sort keys."""
    low, *high = (encode_range(*next(iter(operand.items()))) for operand in condition.operands)
    match condition.operator:
        case "BETWEEN":
            yield from ((">=", low), ("<=", high[0]))
        case "begins_with":
            yield ">=", low
            end = prefix_end(low)
            if end is not None:
                yield "<", end
        case sign:
            yield sign, low
