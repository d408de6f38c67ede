"""Walking the rows of a table or an index in key order, a page at a time: what SQL that takes."""

from __future__ import annotations

import operator
import sqlite3
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any, Final, TypeAlias

from gotgan.store.engine.expressions import RangeCondition
from gotgan.store.engine.keys import encode_range, prefix_end
from gotgan.store.engine.tables import EngineIndex, EngineTable

__all__ = ["Walk"]

_Term: TypeAlias = tuple[str, tuple[bytes, ...]]

_LOWER: Final = (">", ">=")
_UPPER: Final = ("<", "<=")
_COMPARE: Final = {
    "=": operator.eq,
    "<": operator.lt,
    "<=": operator.le,
    ">": operator.gt,
    ">=": operator.ge,
}


@dataclass
class Walk:
    """A range of rows in the order of the table's key or of an index.

    SQLite searches a B-tree by one bound on each side. So a position takes the place of the bound
    that it lies behind, and a sort key that is fixed is no part of what is compared with it: a page
    then costs the same wherever it begins.
    """

    table: EngineTable
    index: EngineIndex | None
    forward: bool = True
    _partition: bytes | None = None
    _hashes: tuple[bytes, bytes] | None = None
    _bounds: tuple[tuple[str, bytes], ...] = ()
    _position: tuple[bytes, ...] | None = None

    @property
    def columns(self) -> tuple[str, ...]:
        """The columns that give the order."""
        return ("pk", "sk") if self.index is None else self.index.order

    def within(self, partition: bytes) -> None:
        """Keep to one partition."""
        self._partition = partition

    def between_hashes(self, low: bytes, high: bytes) -> None:
        """Keep to one segment of a parallel scan."""
        self._hashes = (low, high)

    def restrict(self, condition: RangeCondition) -> None:
        """Keep to the sort keys that a key condition allows."""
        self._bounds = tuple(_bounds(condition))

    def allows(self, sort_key: bytes) -> bool:
        """Say whether a sort key is within what ``restrict`` keeps to."""
        return all(_COMPARE[sign](sort_key, bound) for sign, bound in self._bounds)

    def after(self, position: tuple[bytes, ...]) -> None:
        """Begin behind a position: the values of all columns of the order."""
        self._position = position

    def rows(self, connection: sqlite3.Connection, limit: int | None) -> Iterator[Any]:
        """Yield (item, size) of each row."""
        terms = [*self._within(), *self._between(), *self._behind()]
        if self.index is not None:
            terms.append((self.index.presence, ()))
        where = f" WHERE {' AND '.join(term for term, _ in terms)}" if terms else ""
        way = "" if self.forward else " DESC"
        order = ", ".join(column + way for column in self.columns)
        sql = f"SELECT item, size FROM {self.table.rows}{where} ORDER BY {order} LIMIT ?"
        parameters = [value for _, values in terms for value in values]
        return connection.execute(sql, (*parameters, -1 if limit is None else limit))

    def _within(self) -> Iterator[_Term]:
        column = self.columns[0]
        if self._partition is not None:
            yield f"{column} = ?", (self._partition,)
        if self._hashes is not None and self._position is None:
            yield f"{column} >= ?", self._hashes[:1]
        if self._hashes is not None:
            yield f"{column} < ?", self._hashes[1:]

    def _between(self) -> Iterator[_Term]:
        replaced = () if self._position is None else _LOWER if self.forward else _UPPER
        for sign, bound in self._bounds:
            if sign not in replaced:
                yield f"{self.columns[1]} {sign} ?", (bound,)

    def _behind(self) -> Iterator[_Term]:
        if self._position is None:
            return
        fixed = 0 if self._partition is None else 2 if self._is_one_sort_key() else 1
        columns, position = self.columns[fixed:], self._position[fixed:]
        if not columns:  # the one row that there can be lies before the position
            yield "0", ()
            return
        marks = ", ".join("?" * len(columns))
        yield f"({', '.join(columns)}) {'>' if self.forward else '<'} ({marks})", position

    def _is_one_sort_key(self) -> bool:
        return any(sign == "=" for sign, _ in self._bounds)


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
