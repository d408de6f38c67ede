"""A table queried: by key, by an index or by a scan, with what was found and what it cost."""

from __future__ import annotations

from typing import Any, Final

from fastapi import APIRouter, HTTPException
from starlette.requests import Request
from starlette.responses import Response

from gotgan.app import App
from gotgan.console.frame import here, page
from gotgan.console.given import Admin, Gotgan
from gotgan.console.listing import as_csv
from gotgan.console.tables.asked import OPERATORS, BrowseParams, TheAsked, look_of, wrongs
from gotgan.console.tables.forecasts import scan_forecast, standing_of
from gotgan.console.tables.places import table_path, the_table
from gotgan.console.tables.reading import look_into
from gotgan.console.tables.same import same_look
from gotgan.console.tables.sheets import columns_of, records_of, sheet_of
from gotgan.console.tables.wording import REFUSED, refusal, worded_all
from gotgan.console.viewer import Viewer
from gotgan.errors import GotganError
from gotgan.plain_json import encoded
from gotgan.store import Table
from gotgan.store.data.aws_cli import command_line
from gotgan.store.data.browse import Browsed
from gotgan.store.engine.faults import ValidationException
from gotgan.store.prices import Price, money

__all__ = ["query_csv", "query_json", "query_table", "router"]

router = APIRouter()
_YES: Final = "yes"
_MILLION: Final = 1_000_000


@router.get("/tables/{name}.json")
def query_json(request: Request, _who: Admin, app: Gotgan, name: str, asked: TheAsked) -> Response:
    """What a query finds, for programs: one page, with its cursor and its cost."""
    table = the_table(request, name)
    found = _read_for_file(app, table, asked)
    answer = {
        "items": records_of(table, found.items),
        "read": found.read,
        "cursor": found.cursor,
        "cost": found.cost.shown(),
        "usd": f"{Price.listed().on_demand(found.cost).normalize():f}",
        "aws_cli": command_line(found.command),
    }
    return Response(encoded(answer), media_type="application/json")


@router.get("/tables/{name}.csv")
def query_csv(request: Request, _who: Admin, app: Gotgan, name: str, asked: TheAsked) -> Response:
    """The same as a file."""
    table = the_table(request, name)
    found = _read_for_file(app, table, asked)
    columns = columns_of(table, table.indexes.get(asked.index), found.items)
    return as_csv(table.name, columns, records_of(table, found.items))


@router.get("/tables/{name}")
def query_table(request: Request, who: Admin, app: Gotgan, name: str, asked: TheAsked) -> Response:
    """The form, and what it finds; a scan says first what it will cost."""
    table = the_table(request, name)
    wrong = wrongs(table, asked)
    found: Browsed | None = None
    failure = None
    if not (wrong or asked.is_blank or _waits(asked)):
        try:
            found = look_into(app.store, table, look_of(asked))
        except REFUSED as error:
            field = _field_of(asked, error)
            wrong |= {field: error.message} if field else {}
            failure = None if field else refusal(who, error)
    return page(
        request,
        "tables/query.html",
        status=422 if wrong or failure else 200,
        table=table,
        asked=asked,
        place=asked.place(table),
        wrong=worded_all(who, wrong),
        failure=failure,
        home=table_path(table),
        query=request.url.query,
        index_options=_index_options(table, who),
        operators=[(word, who.t(f"tables.op.{number}")) for number, word in enumerate(OPERATORS)],
        order_options=[("", who.t("tables.order.first")), ("newest", who.t("tables.order.last"))],
        forecast=_forecast(app, table, asked) if not wrong and _waits(asked) else None,
        confirmed=here(request, scan=_YES),
        **_shown(table, asked, found),
    )


def _field_of(asked: BrowseParams, error: GotganError) -> str | None:
    """The field that the database found a mistake in, as far as its sentence tells."""
    if not isinstance(error, ValidationException):
        return None
    if "Filter" in error.message:
        return "expression" if asked.expression else "filters"
    return "values" if asked.values and "ExpressionAttribute" in error.message else None


def _waits(asked: BrowseParams) -> bool:
    """Whether it is a scan that nobody has agreed to yet."""
    return asked.is_scan and not asked.is_blank and asked.scan != _YES


def _forecast(app: App, table: Table, asked: BrowseParams) -> Any:
    return scan_forecast(standing_of(app.store, table), look_of(asked))


def _shown(table: Table, asked: BrowseParams, found: Browsed | None) -> dict[str, Any]:
    if found is None:
        return {"found": None}
    look = look_of(asked)
    return {
        "found": found,
        "sheet": sheet_of(table, table.indexes.get(asked.index), found.items),
        "same": same_look(table, look, found.command),
        "is_early": found.cursor is not None and len(found.items) < look.limit,
        "million": money(Price.listed().on_demand(found.cost) * _MILLION),
    }


def _read_for_file(app: App, table: Table, asked: BrowseParams) -> Browsed:
    """What a query finds; whoever asks for a file saw its page before."""
    if wrongs(table, asked) or (asked.is_scan and asked.scan != _YES):
        raise HTTPException(422, "tables.wrong.file")
    try:
        return look_into(app.store, table, look_of(asked))
    except REFUSED:
        raise HTTPException(422, "tables.wrong.file") from None


def _index_options(table: Table, who: Viewer) -> list[tuple[str, str]]:
    """What can be read: the table and its indexes, each with its keys."""
    places = [("", who.t("tables.query.itself"), table), *_indexes(table)]
    return [
        (name, f"{label}: {', '.join(key.name for key in place.keys)}")
        for name, label, place in places
    ]


def _indexes(table: Table) -> list[tuple[str, str, Any]]:
    return [(index.name, index.name, index) for index in table.indexes.values()]
