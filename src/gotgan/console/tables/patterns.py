"""The access patterns of a table: what they read, and each of them tried out."""

from __future__ import annotations

from typing import Any

from fastapi import APIRouter, HTTPException
from starlette.requests import Request
from starlette.responses import Response

from gotgan.app import App
from gotgan.console.frame import page
from gotgan.console.given import Admin, Gotgan
from gotgan.console.listing import as_csv
from gotgan.console.tables.arguments import PREFIX, arguments_of, parameters_of
from gotgan.console.tables.places import pattern_path, table_path, the_table
from gotgan.console.tables.reading import Got, read_pattern
from gotgan.console.tables.same import Same, same_pattern
from gotgan.console.tables.sheets import columns_of, records_of, sheet_of
from gotgan.console.tables.typed import Piece
from gotgan.console.tables.wording import REFUSED, refusal, worded_all
from gotgan.plain_json import encoded
from gotgan.store import Table, patterns_of
from gotgan.store.outputs.sheets import key_condition
from gotgan.store.patterns import AnyPattern
from gotgan.store.prices import Price, money

__all__ = ["list_patterns", "pattern_csv", "pattern_json", "router", "try_pattern"]

router = APIRouter()
_A_PAGE = 50
_MILLION = 1_000_000


@router.get("/tables/{name}/patterns")
def list_patterns(request: Request, _who: Admin, name: str) -> Response:
    """All of them, with what they read."""
    table = the_table(request, name)
    return page(
        request,
        "tables/patterns.html",
        table=table,
        patterns=patterns_of(table),
        key_condition=key_condition,
        home=table_path(table),
        pattern_path=pattern_path,
    )


@router.get("/tables/{name}/patterns/{pattern}.json")
def pattern_json(
    request: Request, _who: Admin, app: Gotgan, name: str, pattern: str, cursor: str = ""
) -> Response:
    """What a pattern finds, for programs."""
    table = the_table(request, name)
    got = _read_for_file(request, app, _named(table, pattern), cursor)
    answer = {
        "items": records_of(table, got.items),
        "read": got.read,
        "cursor": got.cursor,
        "cost": got.cost.shown(),
        "usd": f"{Price.listed().on_demand(got.cost).normalize():f}",
    }
    return Response(encoded(answer), media_type="application/json")


@router.get("/tables/{name}/patterns/{pattern}.csv")
def pattern_csv(
    request: Request, _who: Admin, app: Gotgan, name: str, pattern: str, cursor: str = ""
) -> Response:
    """The same as a file."""
    table = the_table(request, name)
    chosen = _named(table, pattern)
    got = _read_for_file(request, app, chosen, cursor)
    columns = columns_of(table, chosen.reads[0].index, got.items)
    return as_csv(pattern, columns, records_of(table, got.items))


@router.get("/tables/{name}/patterns/{pattern}")
def try_pattern(
    request: Request, who: Admin, app: Gotgan, name: str, pattern: str, cursor: str = ""
) -> Response:
    """A pattern with its arguments, and what it finds with them."""
    table = the_table(request, name)
    chosen = _named(table, pattern)
    texts = _texts(request)
    values, wrong = arguments_of(chosen, texts)
    got, same, failure = None, None, None
    if not wrong:
        try:
            got, same = _tried(app, chosen, values, cursor)
        except REFUSED as error:
            failure = refusal(who, error)
    return page(
        request,
        "tables/pattern.html",
        status=422 if failure or (wrong and texts) else 200,
        table=table,
        pattern=chosen,
        parameters=parameters_of(chosen),
        texts=texts,
        wrong=worded_all(who, wrong) if texts else {},
        failure=failure,
        key_condition=key_condition,
        home=table_path(table),
        pattern_path=pattern_path(table, pattern),
        query=request.url.query,
        cursor=cursor,
        found=got,
        sheet=sheet_of(table, chosen.reads[0].index, got.items) if got else None,
        same=same,
        million=money(Price.listed().on_demand(got.cost) * _MILLION) if got else None,
    )


def _named(table: Table, name: str) -> AnyPattern:
    found = next((each for each in patterns_of(table) if each.name == name), None)
    if found is None:
        raise HTTPException(404)
    return found


def _texts(request: Request) -> dict[str, str]:
    """The arguments in an address, without the blanks that a form sends for what is left empty."""
    given = request.query_params.items()
    return {name: text for name, text in given if name.startswith(PREFIX) and text}


def _tried(app: App, pattern: AnyPattern, values: dict[str, Any], cursor: str) -> tuple[Got, Same]:
    read = pattern(**values)
    got = read_pattern(app.store, read, _A_PAGE, cursor or None)
    return got, same_pattern(app.store, pattern, values, read, Piece(_A_PAGE, cursor or None))


def _read_for_file(request: Request, app: App, pattern: AnyPattern, cursor: str) -> Got:
    values, wrong = arguments_of(pattern, _texts(request))
    if wrong:
        raise HTTPException(422, "tables.wrong.file")
    try:
        return read_pattern(app.store, pattern(**values), _A_PAGE, cursor or None)
    except REFUSED:
        raise HTTPException(422, "tables.wrong.file") from None
