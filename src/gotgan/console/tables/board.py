"""All tables: their keys and indexes, their sizes and costs, and their access patterns."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any, Final

from fastapi import APIRouter
from starlette.requests import Request
from starlette.responses import Response

from gotgan.app import App
from gotgan.console.frame import page, redirect
from gotgan.console.lists import csv_response
from gotgan.console.session import Admin, CurrentApp, SentForm, Viewer
from gotgan.console.tables.query import StorageSize, table_status
from gotgan.console.tables.relational import (
    MAX_COUNTED,
    TableSummary,
    has_relational,
    relational_tables,
    summaries,
)
from gotgan.console.tables.sheets import error_text, pattern_path, table_path, tables_of
from gotgan.errors import DatabaseUnavailable
from gotgan.plain_json import to_json
from gotgan.store import Table, entities_of, patterns_of
from gotgan.store.prices import Price
from gotgan.store.tables import Index

router = APIRouter()
TABLE_KINDS: Final[Mapping[str, str]] = {
    "active": "good",
    "unready": "running",
    "missing": "bad",
    "unreachable": "bad",
}
_SIZE_COLUMNS: Final = ("table", "index", "keys", "items", "bytes", "scan_units")


@router.get("/tables.json")
def tables_json(request: Request, _who: Admin, app: CurrentApp) -> Response:
    """Every table and index with its size as JSON."""
    answer = {"places": list(_records(request, app))}
    return Response(to_json(answer), media_type="application/json")


@router.get("/tables.csv")
def tables_csv(request: Request, _who: Admin, app: CurrentApp) -> Response:
    """The same as a file."""
    return csv_response("tables", _SIZE_COLUMNS, _records(request, app))


@router.post("/tables/create")
def create_tables(request: Request, _who: Admin, _form: SentForm, app: CurrentApp) -> Response:
    """Create the tables that are missing."""
    app.store.create(*tables_of(request))
    return redirect("/tables", notice="tables.board.created")


@router.get("/tables")
def show_tables(request: Request, who: Admin, app: CurrentApp) -> Response:
    """Every table as declared, and as it is in the database."""
    tables = tables_of(request)
    relational, failure = _relational_summaries(request, app, who)
    return page(
        request,
        "tables/board.html",
        tables=tables,
        standings={table.name: table_status(app.store, table) for table in tables},
        called=app.store.calls.names.of,
        driver=app.store.calls.driver.name,
        entities_of=entities_of,
        patterns_of=patterns_of,
        table_path=table_path,
        pattern_path=pattern_path,
        kinds=TABLE_KINDS,
        price=Price.listed(),
        relational=relational,
        most_counted=MAX_COUNTED,
        failure=failure,
    )


def _records(request: Request, app: App) -> Iterator[dict[str, Any]]:
    """Each table with its indexes; missing ones have no numbers."""
    for table in tables_of(request):
        status = table_status(app.store, table)
        yield _record(table, table, status.own if status.is_there else None)
        for index in table.indexes.values():
            yield _record(table, index, (status.indexes or {}).get(index.name))


def _record(table: Table, place: Table | Index, size: StorageSize | None) -> dict[str, Any]:
    keys = ", ".join(f"{key.name} {key.type}" for key in place.keys)
    index = "" if place is table else place.name
    numbers = (None,) * 3 if size is None else (size.items, size.bytes, size.scan_units)
    return dict(zip(_SIZE_COLUMNS, (table.name, index, keys, *numbers), strict=True))


def _relational_summaries(
    request: Request, app: App, who: Viewer
) -> tuple[list[TableSummary], str | None]:
    """The relational tables, or why they cannot be read."""
    domains = request.app.state.domains
    if not has_relational(domains):
        return [], None
    try:
        return summaries(app.database, relational_tables(domains)), None
    except DatabaseUnavailable as error:
        return [], error_text(who, error.message)
