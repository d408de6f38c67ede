"""Which tables there are, and where their pages are."""

from __future__ import annotations

from collections.abc import Mapping
from functools import cache
from urllib.parse import quote, urlencode

from fastapi import HTTPException
from starlette.requests import Request

from gotgan.domain import domains
from gotgan.store import Table
from gotgan.store.attributes import Item
from gotgan.store.data.readable import readable

__all__ = [
    "item_path",
    "pattern_path",
    "siblings",
    "table_path",
    "tables_of",
    "the_table",
]


@cache
def _tables() -> Mapping[str, tuple[Table, ...]]:
    """The tables of each domain that is on DynamoDB."""
    return {each.name: tuple(each.declared_tables()) for each in domains() if each.tables}


def tables_of(request: Request) -> list[Table]:
    """The tables of the domains that this server has."""
    chosen = request.app.state.domains
    return [table for name, tables in _tables().items() if name in chosen for table in tables]


def siblings(table: Table) -> tuple[Table, ...]:
    """The tables of a table's domain, with itself."""
    return next(tables for tables in _tables().values() if table in tables)


def the_table(request: Request, name: str) -> Table:
    """The table that an address names."""
    found = next((table for table in tables_of(request) if table.name == name), None)
    if found is None:
        raise HTTPException(404)
    return found


def table_path(table: Table, /, **query: str) -> str:
    """Where a table is queried, and the query."""
    return _path(f"/tables/{quote(table.name)}", query)


def pattern_path(table: Table, pattern: str) -> str:
    """Where an access pattern is tried out."""
    return f"{table_path(table)}/patterns/{quote(pattern)}"


def item_path(table: Table, item: Item) -> str:
    """Where an item is shown whole."""
    shown = readable({key.name: item[key.name] for key in table.keys})
    values = [str(shown[key.name]) for key in table.keys]
    return _path(f"{table_path(table)}/item", dict(zip(("pk", "sk"), values, strict=False)))


def _path(path: str, query: Mapping[str, str]) -> str:
    return f"{path}?{urlencode(query)}" if query else path
