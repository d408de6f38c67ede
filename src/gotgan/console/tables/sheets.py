"""Items as a sheet: the columns that were found, and in each cell something short to read."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Final

from gotgan.console.tables.links import entity_of, follow
from gotgan.console.tables.masks import has_secret_key, masked
from gotgan.console.tables.places import item_path
from gotgan.plain_json import encoded
from gotgan.store import Table
from gotgan.store.attributes import AttributeValue, Item
from gotgan.store.data.readable import readable
from gotgan.store.tables import Index

__all__ = ["Sheet", "TableCell", "TableRow", "columns_of", "cut", "records_of", "sheet_of"]

_LONGEST: Final = 96
"""How many letters a cell has at most."""
_UNFOLDED: Final = 2_000
"""How many it has when it is unfolded; the page of the item has the rest."""
_NESTED: Final = frozenset({"L", "M", "SS", "NS", "BS"})


@dataclass(frozen=True)
class TableCell:
    """A value of an item."""

    text: str = ""
    type: str = ""
    """As DynamoDB writes it; empty where the item has no such attribute."""
    whole: str = ""
    """More of the text, where the cell has only the beginning of it."""
    path: str | None = None
    """Where it leads."""

    @property
    def is_nested(self) -> bool:
        """Whether there are values within it."""
        return self.type in _NESTED


@dataclass(frozen=True)
class TableRow:
    """An item."""

    kind: str
    """The entity that it is; empty where nobody declared it."""
    cells: tuple[TableCell, ...]


@dataclass(frozen=True)
class Sheet:
    """Items with the columns that they have between them."""

    columns: tuple[str, ...]
    rows: tuple[TableRow, ...]

    @property
    def has_kinds(self) -> bool:
        """Whether it is worth telling what each item is."""
        return len({row.kind for row in self.rows}) > 1 or any(not row.kind for row in self.rows)


def columns_of(table: Table, index: Index | None, items: Iterable[Item]) -> tuple[str, ...]:
    """Every attribute of some items: the keys that were read by first, then as they were found."""
    keys = [key.name for key in (*(index.keys if index else ()), *table.keys)]
    found = dict.fromkeys(name for item in items for name in sorted(item))
    return tuple(dict.fromkeys([*(name for name in keys if name in found), *found]))


def sheet_of(table: Table, index: Index | None, items: Sequence[Item]) -> Sheet:
    """Items as a sheet, without their secrets."""
    columns = columns_of(table, index, items)
    return Sheet(columns, tuple(_row(table, columns, item) for item in items))


def records_of(table: Table, items: Iterable[Item]) -> list[dict[str, Any]]:
    """Items as plain values, without their secrets."""
    return [readable(masked(table, item)) for item in items]


def cut(text: str, longest: int) -> str:
    """A text, or the beginning of a long one."""
    return text if len(text) <= longest else f"{text[:longest]}…"


def _row(table: Table, columns: Sequence[str], item: Item) -> TableRow:
    entity, paths, shown = entity_of(table, item), _paths(table, item), masked(table, item)
    return TableRow(
        kind=entity.__name__ if entity else "",
        cells=tuple(_cell(shown.get(name), paths.get(name)) for name in columns),
    )


def _paths(table: Table, item: Item) -> dict[str, str]:
    """Where each value leads: the last part of the key to the whole item, others as they can."""
    if has_secret_key(table, item):
        return {}
    followed = {name: links[0].path for name, links in follow(table, item).items()}
    return {**followed, table.keys[-1].name: item_path(table, item)}


def _cell(value: AttributeValue | None, path: str | None) -> TableCell:
    if value is None:
        return TableCell()
    [kind] = value
    text = _text(readable({"value": value}))
    whole = cut(text, _UNFOLDED) if len(text) > _LONGEST else ""
    return TableCell(cut(text, _LONGEST), kind, whole, path)


def _text(shown: Mapping[str, Any]) -> str:
    value = shown["value"]
    return value if isinstance(value, str) else encoded(value).decode()
