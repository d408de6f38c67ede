"""The relational tables: which there are, and how many rows they have."""

from __future__ import annotations

from collections.abc import Collection, Mapping
from dataclasses import dataclass
from types import MappingProxyType
from typing import TYPE_CHECKING, Final
from urllib.parse import quote

if TYPE_CHECKING:
    from sqlalchemy import Connection, Table

    from gotgan.sql import Database

__all__ = [
    "MOST_COUNTED",
    "TableSummary",
    "has_relational",
    "is_secret",
    "relational_tables",
    "rows_path",
    "summaries",
]

MOST_COUNTED: Final = 10_000
"""How far rows are counted: a table of prices has millions, and counting reads them all."""
_SECRET: Final = frozenset({"key_hash"})
"""Columns that nobody is shown. A cursor would tell one that is a part of the key."""
_MODULES: Final[Mapping[str, str]] = MappingProxyType(
    {"market": "gotgan.domains.market.tables", "videos": "gotgan.domains.videos.tables"}
)


@dataclass(frozen=True)
class TableSummary:
    """A table as the list of all tables shows it."""

    name: str
    columns: int
    key: tuple[str, ...]
    rows: int
    """As far as they were counted."""
    path: str | None
    """Where its rows are; None where its key is a secret."""


def has_relational(domains: Collection[str]) -> bool:
    """Whether any of some domains is on a relational database."""
    return not _MODULES.keys().isdisjoint(domains)


def relational_tables(domains: Collection[str]) -> dict[str, Table]:
    """The tables of some domains, by their names."""
    from importlib import import_module  # noqa: PLC0415 - they load SQLAlchemy

    from sqlalchemy import Table  # noqa: PLC0415 - see above

    modules = [import_module(path) for name, path in _MODULES.items() if name in domains]
    found = [each for module in modules for each in vars(module).values()]
    return {each.name: each for each in found if isinstance(each, Table)}


def is_secret(table: Table) -> bool:
    """Whether a table has a column that nobody is shown."""
    return not _SECRET.isdisjoint(column.name for column in table.columns)


def rows_path(table: Table) -> str:
    """Where the rows of a table are."""
    return f"/tables/sql/{quote(table.name)}"


def summaries(database: Database, tables: Mapping[str, Table]) -> list[TableSummary]:
    """All of them, with how many rows they have."""
    with database.read() as connection:
        return [_summary(connection, table) for table in tables.values()]


def _summary(connection: Connection, table: Table) -> TableSummary:
    from sqlalchemy import func, literal, select  # noqa: PLC0415 - see above

    some = select(literal(1)).select_from(table).limit(MOST_COUNTED).subquery()
    rows = connection.execute(select(func.count()).select_from(some)).scalar_one()
    key = tuple(column.name for column in table.primary_key.columns)
    path = None if is_secret(table) else rows_path(table)
    return TableSummary(table.name, len(table.columns), key, int(rows), path)
