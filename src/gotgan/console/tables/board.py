"""All tables: their keys and indexes, their sizes and what these cost, and how they are read."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any, Final

from fastapi import APIRouter
from starlette.requests import Request
from starlette.responses import Response

from gotgan.app import App
from gotgan.console.frame import page
from gotgan.console.given import Admin, Gotgan
from gotgan.console.listing import as_csv
from gotgan.console.tables.forecasts import StorageSize, standing_of
from gotgan.console.tables.places import pattern_path, table_path, tables_of
from gotgan.console.tables.relational import (
    MOST_COUNTED,
    TableSummary,
    has_relational,
    relational_tables,
    summaries,
)
from gotgan.console.tables.states import KINDS
from gotgan.console.tables.wording import worded
from gotgan.console.viewer import Viewer
from gotgan.errors import DatabaseUnavailable
from gotgan.plain_json import encoded
from gotgan.store import Table, entities_of, patterns_of
from gotgan.store.prices import Price
from gotgan.store.tables import Index

__all__ = ["router", "show_tables", "tables_csv", "tables_json"]

router = APIRouter()
_COLUMNS: Final = ("table", "index", "keys", "items", "bytes", "scan_units")


@router.get("/tables.json")
def tables_json(request: Request, _who: Admin, app: Gotgan) -> Response:
    """Every table and index with its size, for programs."""
    answer = {"places": list(_records(request, app))}
    return Response(encoded(answer), media_type="application/json")


@router.get("/tables.csv")
def tables_csv(request: Request, _who: Admin, app: Gotgan) -> Response:
    """The same as a file."""
    return as_csv("tables", _COLUMNS, _records(request, app))


@router.get("/tables")
def show_tables(request: Request, who: Admin, app: Gotgan) -> Response:
    """Every table as it was declared, and as the database has it."""
    tables = tables_of(request)
    relational, failure = _relational(request, app, who)
    return page(
        request,
        "tables/board.html",
        tables=tables,
        standings={table.name: standing_of(app.store, table) for table in tables},
        called=app.store.calls.names.of,
        driver=app.store.calls.driver.name,
        entities_of=entities_of,
        patterns_of=patterns_of,
        table_path=table_path,
        pattern_path=pattern_path,
        kinds=KINDS,
        price=Price.listed(),
        relational=relational,
        most_counted=MOST_COUNTED,
        failure=failure,
    )


def _records(request: Request, app: App) -> Iterator[dict[str, Any]]:
    """Tables, and behind each its indexes; one that is not there has no numbers."""
    for table in tables_of(request):
        standing = standing_of(app.store, table)
        yield _record(table, table, standing.own if standing.is_there else None)
        for index in table.indexes.values():
            yield _record(table, index, (standing.indexes or {}).get(index.name))


def _record(table: Table, place: Table | Index, size: StorageSize | None) -> dict[str, Any]:
    keys = ", ".join(f"{key.name} {key.type}" for key in place.keys)
    index = "" if place is table else place.name
    numbers = (None,) * 3 if size is None else (size.items, size.bytes, size.scan_units)
    return dict(zip(_COLUMNS, (table.name, index, keys, *numbers), strict=True))


def _relational(request: Request, app: App, who: Viewer) -> tuple[list[TableSummary], str | None]:
    """The relational tables; a database that does not answer is no reason to show nothing."""
    domains = request.app.state.domains
    if not has_relational(domains):
        return [], None
    try:
        return summaries(app.database, relational_tables(domains)), None
    except DatabaseUnavailable as error:
        return [], worded(who, error.message)
