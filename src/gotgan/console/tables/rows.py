"""The rows of a relational table, a page at a time."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, Any, Final

from fastapi import APIRouter, HTTPException
from starlette.requests import Request
from starlette.responses import Response

from gotgan.app import App
from gotgan.console.frame import page
from gotgan.console.given import Admin, Gotgan
from gotgan.console.listing import as_csv
from gotgan.console.tables.relational import is_secret, relational_tables, rows_path
from gotgan.console.tables.row_pages import RowPage, RowQuery, cell, chosen, page_of, statement_text
from gotgan.console.tables.sheets import TableCell, cut
from gotgan.console.tables.wording import refusal, worded_all
from gotgan.console.viewer import Viewer
from gotgan.errors import BadCursor
from gotgan.plain_json import encoded

if TYPE_CHECKING:
    from sqlalchemy import Table

__all__ = ["router", "rows_csv", "rows_json", "show_rows"]

router = APIRouter()
_A_PAGE: Final = 50
_PREFIX: Final = "key."
"""What the names of columns begin with in an address."""
_FOLDED: Final = 96


@router.get("/tables/sql/{name}.json")
def rows_json(request: Request, _who: Admin, app: Gotgan, name: str, cursor: str = "") -> Response:
    """A page of rows for programs."""
    found = _read_for_file(request, app, name, cursor)
    return Response(
        encoded({"rows": found.records, "cursor": found.cursor}), media_type="application/json"
    )


@router.get("/tables/sql/{name}.csv")
def rows_csv(request: Request, _who: Admin, app: Gotgan, name: str, cursor: str = "") -> Response:
    """The same as a file."""
    found = _read_for_file(request, app, name, cursor)
    records = [{name: cell(value) for name, value in row.items()} for row in found.records]
    return as_csv(name, found.columns, records)


@router.get("/tables/sql/{name}")
def show_rows(request: Request, who: Admin, app: Gotgan, name: str, cursor: str = "") -> Response:
    """A page of rows, in the order of the primary key."""
    table = _named(request, name)
    texts = _texts(request)
    values, wrong = chosen(table, texts)
    rows = RowQuery(_A_PAGE, values, cursor or None)
    found, failure = None, None
    if not wrong:
        try:
            found = page_of(app.database, table, rows)
        except BadCursor as error:
            failure, rows = refusal(who, error), replace(rows, cursor=None)
    return page(
        request,
        "tables/rows.html",
        status=422 if wrong or failure else 200,
        table=table,
        key=[column.name for column in table.primary_key.columns],
        texts=texts,
        prefix=_PREFIX,
        wrong=worded_all(who, wrong),
        failure=failure,
        found=found,
        headings=_headings(who, found) if found else [],
        cells=_cells(found) if found else [],
        cursor=cursor,
        home=rows_path(table),
        query=request.url.query,
        statement=None if wrong else statement_text(app.database, table, rows),
    )


def _named(request: Request, name: str) -> Table:
    table = relational_tables(request.app.state.domains).get(name)
    if table is None or is_secret(table):
        raise HTTPException(404)
    return table


def _texts(request: Request) -> dict[str, str]:
    """What the columns of the key are to be, by the names of the columns."""
    given = request.query_params.items()
    return {name.removeprefix(_PREFIX): text for name, text in given if name.startswith(_PREFIX)}


def _headings(who: Viewer, found: RowPage) -> list[str]:
    return [
        who.t("tables.sql.sized", name=name) if name in found.sized else name
        for name in found.columns
    ]


def _cells(found: RowPage) -> list[list[TableCell]]:
    """Every row in short; a long text can be unfolded as far as it was read."""
    return [[_cell(value) for value in row.values()] for row in found.records]


def _cell(value: Any) -> TableCell:
    text = cell(value)
    is_number = isinstance(value, int | float) and not isinstance(value, bool)
    whole = text if len(text) > _FOLDED else ""
    return TableCell(cut(text, _FOLDED), "N" if is_number else "S", whole)


def _read_for_file(request: Request, app: App, name: str, cursor: str) -> RowPage:
    table = _named(request, name)
    values, wrong = chosen(table, _texts(request))
    if wrong:
        raise HTTPException(422, "tables.wrong.file")
    return page_of(app.database, table, RowQuery(_A_PAGE, values, cursor or None), is_whole=True)
