"""What somebody fills in to query a table, as its address has it, and what is wrong with it."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from typing import Annotated, Final

from fastapi import Depends

from gotgan.console.tables.masks import secret_attributes
from gotgan.errors import UsageError
from gotgan.store import Table
from gotgan.store.data.browse import Look
from gotgan.store.data.browse_terms import (
    filter_of,
    given_mark,
    key_value,
    path_of,
    sort_condition,
)
from gotgan.store.engine.expressions import parse_condition
from gotgan.store.engine.faults import ValidationException
from gotgan.store.tables import Index

__all__ = ["MOST_READ", "MOST_SHOWN", "OPERATORS", "BrowseParams", "TheAsked", "look_of", "wrongs"]

MOST_SHOWN: Final = 500
MOST_READ: Final = 2_000
"""How many items are read at most to find those that are shown."""
_SHOWN: Final = "50"
OPERATORS: Final = ("=", "<", "<=", ">", ">=", "between", "begins_with")


@dataclass(frozen=True)
class BrowseParams:
    """The fields of the form; all of them are text, so that any mistake can be shown again."""

    index: str = ""
    pk: str = ""
    op: str = "="
    sk: str = ""
    to: str = ""
    """The upper bound of a sort key that lies between two."""
    filters: str = ""
    expression: str = ""
    values: str = ""
    only: str = ""
    order: str = ""
    limit: str = _SHOWN
    consistent: str = ""
    scan: str = ""
    cursor: str = ""

    @property
    def is_scan(self) -> bool:
        """Whether all partitions are read."""
        return not self.pk

    @property
    def is_blank(self) -> bool:
        """Whether nothing was asked yet."""
        return self == BrowseParams(index=self.index)

    def place(self, table: Table) -> Table | Index:
        """What is read: the table, or the index that was chosen."""
        return table.indexes.get(self.index, table)

    def sort_terms(self) -> tuple[str, ...]:
        """The condition on the sort key, as it is typed on a command line."""
        if not self.sk:
            return ()
        if self.op == "between":
            return (f">={self.sk}", f"<={self.to}")
        return (f"^{self.sk}" if self.op == "begins_with" else f"{self.op}{self.sk}",)


TheAsked = Annotated[BrowseParams, Depends()]


def look_of(asked: BrowseParams) -> Look:
    """The same as a look into a table."""
    is_sieved = bool(asked.filters.strip() or asked.expression.strip())
    return Look(
        index=asked.index or None,
        pk=asked.pk or None,
        sk=asked.sort_terms(),
        filters=_lines(asked.filters),
        expression=asked.expression.strip() or None,
        values=_lines(asked.values),
        only=_lines(asked.only.replace(",", "\n")),
        limit=int(asked.limit),
        most_read=MOST_READ if is_sieved else Look.most_read,
        newest_first=asked.order == "newest",
        consistent=bool(asked.consistent),
        cursor=asked.cursor or None,
    )


def wrongs(table: Table, asked: BrowseParams) -> dict[str, str]:
    """What is wrong with each field: a sentence, or the key of a text."""
    if asked.index and asked.index not in table.indexes:
        return {"index": "tables.wrong.index"}
    return {name: told for name, check in _CHECKS.items() if (told := _told(check, table, asked))}


_Check = Callable[[Table, BrowseParams], str | None]


def _told(check: _Check, table: Table, asked: BrowseParams) -> str | None:
    try:
        return check(table, asked)
    except (UsageError, ValidationException) as error:
        return error.message


def _pk(table: Table, asked: BrowseParams) -> str | None:
    if asked.pk:
        key_value(asked.pk, asked.place(table).pk)
    return None


def _sk(table: Table, asked: BrowseParams) -> str | None:
    place = asked.place(table)
    if not asked.sk:
        return "tables.wrong.low" if asked.to else None
    if asked.is_scan:
        return "tables.wrong.sk_alone"
    if place.sk is None:
        return "tables.wrong.no_sk"
    if asked.op in {"<", ">"} and asked.sk.startswith("="):
        return "tables.wrong.sign"
    if asked.op == "between" and not asked.to:
        return None
    sort_condition(asked.sort_terms(), place.sk)
    return None


def _to(_table: Table, asked: BrowseParams) -> str | None:
    is_needed = asked.op == "between" and bool(asked.sk)
    return "tables.wrong.high" if is_needed and not asked.to else None


def _op(_table: Table, asked: BrowseParams) -> str | None:
    return None if asked.op in OPERATORS else "tables.wrong.op"


def _filters(table: Table, asked: BrowseParams) -> str | None:
    types = table.attribute_types()
    found = [filter_of(text, types) for text in _lines(asked.filters)]
    return _secret(table, (str(each.steps[0]) for each in found))


def _expression(table: Table, asked: BrowseParams) -> str | None:
    text = asked.expression.strip()
    if not text:
        return "tables.wrong.no_expression" if asked.values.strip() else None
    if asked.filters.strip():
        return "tables.wrong.both"
    names = {mark: name for mark, name in _marks(asked) if isinstance(name, str)}
    return _secret(table, parse_condition(text, names, "FilterExpression").attributes)


def _values(_table: Table, asked: BrowseParams) -> str | None:
    for text in _lines(asked.values):
        given_mark(text)
    return None


def _marks(asked: BrowseParams) -> Iterator[tuple[str, object]]:
    """The placeholders that are right; what is wrong with others is told at their own field."""
    for text in _lines(asked.values):
        try:
            yield given_mark(text)
        except UsageError:
            continue


def _only(_table: Table, asked: BrowseParams) -> str | None:
    for text in _lines(asked.only.replace(",", "\n")):
        path_of(text)
    return None


def _order(_table: Table, asked: BrowseParams) -> str | None:
    return "tables.wrong.order" if asked.order and asked.is_scan else None


def _limit(_table: Table, asked: BrowseParams) -> str | None:
    is_number = (
        asked.limit.isascii() and asked.limit.isdecimal() and len(asked.limit) < len(_SHOWN) * 2
    )
    return None if is_number and 1 <= int(asked.limit) <= MOST_SHOWN else "tables.wrong.limit"


def _consistent(table: Table, asked: BrowseParams) -> str | None:
    place = asked.place(table)
    is_global = isinstance(place, Index) and not place.local
    return "tables.wrong.consistent" if asked.consistent and is_global else None


def _secret(table: Table, attributes: Iterator[str] | frozenset[str]) -> str | None:
    """Whoever could filter by a secret could guess it letter by letter."""
    return "tables.wrong.secret" if secret_attributes(table).intersection(attributes) else None


def _lines(text: str) -> tuple[str, ...]:
    return tuple(line.strip() for line in text.splitlines() if line.strip())


_CHECKS: Final[Mapping[str, _Check]] = {
    "pk": _pk,
    "op": _op,
    "sk": _sk,
    "to": _to,
    "filters": _filters,
    "expression": _expression,
    "values": _values,
    "only": _only,
    "order": _order,
    "limit": _limit,
    "consistent": _consistent,
}
