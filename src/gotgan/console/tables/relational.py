"""Relational tables: how many rows they have, and the rows by page.

Rows are chosen by the first columns of the key, which are an index. A table that is small can be
sorted by any column, and filtered by columns with few values.
"""

from __future__ import annotations

import json
from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from datetime import datetime
from typing import TYPE_CHECKING, Annotated, Any, Final
from urllib.parse import quote

from fastapi import APIRouter, HTTPException
from pydantic import Field, TypeAdapter, ValidationError
from starlette.requests import Request
from starlette.responses import Response

from gotgan.app import App
from gotgan.console.frame import page
from gotgan.console.lists import Sort, csv_response
from gotgan.console.session import Admin, CurrentApp, Viewer
from gotgan.console.tables.sheets import TableCell, error_texts, refusal_text, shortened
from gotgan.errors import BadCursor
from gotgan.messages import Message, render
from gotgan.plain_json import to_json
from gotgan.store.data.messages import NOT_A_CURSOR
from gotgan.validation import problem

if TYPE_CHECKING:
    from sqlalchemy import Column, ColumnElement, Select, Table

    from gotgan.sql import Database


MAX_COUNTED: Final = 10_000
"""Counting reads all rows, and a table of prices has millions."""
_SECRET_COLUMNS: Final = frozenset({"key_hash"})
"""Columns that are never shown; a cursor would contain one that is a part of the key."""
_TABLE_MODULES: Final[Mapping[str, str]] = {
    "market": "gotgan.domains.market.keys",
    "videos": "gotgan.domains.videos.tables",
}


@dataclass(frozen=True)
class TableSummary:
    """A table in the list of all tables."""

    name: str
    columns: int
    key: tuple[str, ...]
    rows: int
    """Up to ``MAX_COUNTED``."""
    path: str | None
    """The page of its rows; None if its key is secret."""


def has_relational(domains: Collection[str]) -> bool:
    """Whether one of the domains uses the relational database."""
    return not _TABLE_MODULES.keys().isdisjoint(domains)


def relational_tables(domains: Collection[str]) -> dict[str, Table]:
    """The tables of some domains, by their names."""
    from importlib import import_module  # noqa: PLC0415 - they load SQLAlchemy

    from sqlalchemy import Table  # noqa: PLC0415 - see above

    modules = [import_module(path) for name, path in _TABLE_MODULES.items() if name in domains]
    found = [each for module in modules for each in vars(module).values()]
    return {each.name: each for each in found if isinstance(each, Table)}


def is_secret(table: Table) -> bool:
    """Whether a table has a secret column."""
    return not _SECRET_COLUMNS.isdisjoint(column.name for column in table.columns)


def rows_path(table: Table) -> str:
    """The page of the rows of a table."""
    return f"/tables/sql/{quote(table.name)}"


def summaries(database: Database, tables: Mapping[str, Table]) -> list[TableSummary]:
    """The tables with the number of their rows."""
    from sqlalchemy import func, literal, select  # noqa: PLC0415 - see above

    found: list[TableSummary] = []
    with database.read() as connection:
        for table in tables.values():
            some = select(literal(1)).select_from(table).limit(MAX_COUNTED).subquery()
            rows = int(connection.execute(select(func.count()).select_from(some)).scalar_one())
            key = tuple(column.name for column in table.primary_key.columns)
            path = None if is_secret(table) else rows_path(table)
            found.append(TableSummary(table.name, len(table.columns), key, rows, path))
    return found


# Rows

MAX_TEXT_LENGTH: Final = 2_000
"""A page reads only the start of longer texts; a file has them whole."""
_Offset: Final = Annotated[int, Field(ge=0, le=MAX_COUNTED)]
_MAX_FACET_VALUES: Final = 8
_LONG_TEXT: Final = 41
"""Columns of longer texts have too many values."""
_KeyNumber: Final = Annotated[int, Field(ge=-(2**31), lt=2**31)]
"""A number of a key, which databases store in 32 bits."""


@dataclass(frozen=True)
class RowQuery:
    """A page of the rows of a table."""

    limit: int
    chosen: Mapping[str, Any] = field(default_factory=dict)
    """The values of the first columns of the key."""
    cursor: str | None = None
    filters: Mapping[str, str] = field(default_factory=dict)
    """The values of columns with few values."""
    sort: Sort | None = None
    """By default the order of the key."""


@dataclass(frozen=True)
class Facet:
    """A column with few values."""

    name: str
    values: tuple[tuple[str, int], ...]
    """Each value with the number of its rows."""


@dataclass(frozen=True)
class RowPage:
    """The rows of a page."""

    columns: tuple[str, ...]
    records: tuple[Mapping[str, Any], ...]
    cursor: str | None
    sized: frozenset[str]
    """The columns of bytes, of which only the length is read."""


def key_values(table: Table, texts: Mapping[str, str]) -> tuple[dict[str, Any], dict[str, str]]:
    """The values of the first columns of the key, and the errors of the others."""
    values: dict[str, Any] = {}
    wrong: dict[str, str] = {}
    is_gap = False
    for column in table.primary_key.columns:
        text = texts.get(column.name, "")
        if text and is_gap:
            wrong[column.name] = "tables.wrong.leading"
        elif text:
            try:
                values[column.name] = _key_value(column, text)
            except ValidationError as error:
                wrong[column.name] = problem(error.errors(include_url=False)[0])
        is_gap = is_gap or not text
    return values, wrong


def read_rows(
    database: Database, table: Table, rows: RowQuery, *, is_whole: bool = False
) -> RowPage:
    """Rows in the order of the primary key; of bytes the length, of long texts a part."""
    columns = [_column(each, is_whole=is_whole) for each in table.columns]
    with database.read() as connection:
        found = connection.execute(_statement(table, rows, columns, 1)).mappings().all()
    shown, cursor = found[: rows.limit], None
    if len(found) > rows.limit:
        key = table.primary_key.columns
        last_key = to_json([row_cell_text(shown[-1][each.name]) for each in key]).decode()
        cursor = str(_offset(rows) + rows.limit) if rows.sort else last_key
    return RowPage(
        columns=tuple(column.name for column in table.columns),
        # SQLAlchemy's names are a subclass of str, which orjson does not accept
        records=tuple({str(name): value for name, value in row.items()} for row in shown),
        cursor=cursor,
        sized=frozenset(column.name for column in table.columns if _is_bytes(column)),
    )


def is_small(database: Database, table: Table) -> bool:
    """Whether a table can be sorted and counted by values."""
    from sqlalchemy import literal, select  # noqa: PLC0415 - heavy

    beyond = select(literal(1)).select_from(table).offset(MAX_COUNTED).limit(1)
    with database.read() as connection:
        return connection.execute(beyond).first() is None


def facets(database: Database, table: Table, rows: RowQuery) -> list[Facet]:
    """The columns with few values among the chosen rows; those that are filtered are always in."""
    from sqlalchemy import func, select  # noqa: PLC0415 - heavy

    found: list[Facet] = []
    with database.read() as connection:
        for column in _facet_columns(table):
            others = {name: text for name, text in rows.filters.items() if name != column.name}
            count = func.count().label("count")
            counted = (
                select(column, count)
                .where(column.is_not(None), *_conditions(table, replace(rows, filters=others)))
                .group_by(column)
                .order_by(count.desc(), column)
                .limit(_MAX_FACET_VALUES + 1)
            )
            values = [(row_cell_text(value), n) for value, n in connection.execute(counted)]
            if 1 < len(values) <= _MAX_FACET_VALUES or column.name in rows.filters:
                found.append(Facet(column.name, tuple(values)))
    return found


def _facet_columns(table: Table) -> list[Column[Any]]:
    """The columns that may have few values: short texts and booleans outside the key."""
    from sqlalchemy import Boolean, String  # noqa: PLC0415 - heavy

    def is_short(column: Column[Any]) -> bool:
        kind = column.type
        if isinstance(kind, Boolean):
            return True
        return type(kind) is String and (kind.length or _LONG_TEXT) < _LONG_TEXT

    return [each for each in table.columns if is_short(each) and not each.primary_key]


def statement_text(database: Database, table: Table, rows: RowQuery) -> str:
    """The query of the same rows in SQL."""
    from sqlalchemy import literal_column  # noqa: PLC0415 - heavy

    statement = _statement(table, rows, [literal_column("*")]).select_from(table)
    written = statement.compile(
        dialect=database.engine.dialect, compile_kwargs={"literal_binds": True}
    )
    return " ".join(str(written).split())


def row_cell_text(value: Any) -> str:
    """A value in a cell or a cursor."""
    if value is None:
        return ""
    if isinstance(value, bool | dict | list):
        return json.dumps(value, ensure_ascii=False)
    return value.isoformat() if isinstance(value, datetime) else str(value)


def _statement(
    table: Table, rows: RowQuery, columns: Sequence[ColumnElement[Any]], more: int = 0
) -> Select[Any]:
    from sqlalchemy import select  # noqa: PLC0415 - heavy

    key = list(table.primary_key.columns)
    found = select(*columns).where(*_conditions(table, rows)).limit(rows.limit + more)
    if rows.sort is not None:
        column = table.c[rows.sort.by]
        order = column.desc() if rows.sort.is_descending else column.asc()
        return found.order_by(order.nulls_last(), *key).offset(_offset(rows))
    if rows.cursor is not None:
        found = found.where(*_after_cursor(key, len(rows.chosen), rows.cursor))
    return found.order_by(*key)


def _conditions(table: Table, rows: RowQuery) -> list[ColumnElement[bool]]:
    given = {name: _facet_value(table.c[name], text) for name, text in rows.filters.items()}
    return [table.c[name] == value for name, value in {**rows.chosen, **given}.items()]


def _facet_value(column: Column[Any], text: str) -> Any:
    return text == "true" if column.type.python_type is bool else text


def _offset(rows: RowQuery) -> int:
    """The position of a page in a list that is not in the order of its key."""
    try:
        return TypeAdapter(_Offset).validate_python(rows.cursor or 0)
    except ValidationError:
        raise BadCursor(NOT_A_CURSOR()) from None


def _column(column: Column[Any], *, is_whole: bool) -> ColumnElement[Any]:
    """A column as it is read, without long contents."""
    from sqlalchemy import JSON, Text, cast, func  # noqa: PLC0415 - heavy

    if _is_bytes(column):
        return func.length(column).label(column.name)
    if is_whole or not isinstance(column.type, JSON | Text):
        return column
    return func.substr(cast(column, Text), 1, MAX_TEXT_LENGTH).label(column.name)


def _is_bytes(column: Column[Any]) -> bool:
    from sqlalchemy import LargeBinary  # noqa: PLC0415 - heavy

    return isinstance(column.type, LargeBinary)


def _after_cursor(
    key: Sequence[Column[Any]], settled: int, cursor: str
) -> Iterator[ColumnElement[bool]]:
    """The condition that rows follow the key of a cursor, without the columns that are chosen."""
    from sqlalchemy import bindparam, tuple_  # noqa: PLC0415 - heavy

    try:
        texts = TypeAdapter(list[str]).validate_json(cursor)
        pairs = list(zip(key, texts, strict=True))
        last = [bindparam(None, _key_value(each, text), each.type) for each, text in pairs]
    except ValueError:
        raise BadCursor(NOT_A_CURSOR()) from None
    if last[settled:]:
        yield tuple_(*key[settled:]) > tuple_(*last[settled:])


def _key_value(column: Column[Any], text: str) -> Any:
    kind = column.type.python_type
    return TypeAdapter(_KeyNumber if kind is int else kind).validate_python(text)


# Pages

router = APIRouter()
_PAGE_SIZE: Final = 50
_KEY_PREFIX: Final = "key."
"""The prefix of columns of the key in an address."""
_FILTER_PREFIX: Final = "is."
"""The prefix of columns with few values in an address."""
_MAX_CELL_LENGTH: Final = 96


@router.get("/tables/sql/{name}.json")
def rows_json(
    request: Request, _who: Admin, app: CurrentApp, name: str, cursor: str = ""
) -> Response:
    """A page of rows as JSON."""
    found = _read_for_file(request, app, name, cursor)
    return Response(
        to_json({"rows": found.records, "cursor": found.cursor}), media_type="application/json"
    )


@router.get("/tables/sql/{name}.csv")
def rows_csv(
    request: Request, _who: Admin, app: CurrentApp, name: str, cursor: str = ""
) -> Response:
    """The same as a file."""
    found = _read_for_file(request, app, name, cursor)
    return csv_response(name, found.columns, found.records, cell=row_cell_text)


@router.get("/tables/sql/{name}")
def show_rows(
    request: Request, who: Admin, app: CurrentApp, name: str, cursor: str = ""
) -> Response:
    """A page of rows, by default in the order of the primary key."""
    table = _find_relational_table(request, name)
    texts = _prefixed_values(request, _KEY_PREFIX)
    values, wrong = key_values(table, texts)
    small = is_small(app.database, table)
    rows = _requested_rows(request, table, values, cursor, is_sortable=small)
    found, failure = None, None
    if not wrong:
        try:
            found = read_rows(app.database, table, rows)
        except BadCursor as error:
            failure, rows = refusal_text(who, error), replace(rows, cursor=None)
    return page(
        request,
        "tables/rows.html",
        status=422 if wrong or failure else 200,
        table=table,
        key=[column.name for column in table.primary_key.columns],
        texts=texts,
        prefix=_KEY_PREFIX,
        filter_prefix=_FILTER_PREFIX,
        filters=rows.filters,
        facets=facets(app.database, table, rows) if small and not wrong else [],
        sort=(rows.sort or Sort("")) if small else None,
        wrong=error_texts(who, wrong),
        failure=failure,
        found=found,
        headings=_headings(who, found) if found else [],
        cells=[[_row_cell(who, each) for each in row.values()] for row in found.records]
        if found
        else [],
        cursor=cursor,
        home=rows_path(table),
        query=request.url.query,
        statement=None if wrong else statement_text(app.database, table, rows),
    )


def _find_relational_table(request: Request, name: str) -> Table:
    table = relational_tables(request.app.state.domains).get(name)
    if table is None or is_secret(table):
        raise HTTPException(404)
    return table


def _requested_rows(
    request: Request, table: Table, values: Mapping[str, Any], cursor: str, *, is_sortable: bool
) -> RowQuery:
    """The rows that an address names."""
    filters = _prefixed_values(request, _FILTER_PREFIX)
    if not filters.keys() <= {column.name for column in _facet_columns(table)}:
        raise HTTPException(422)
    word = request.query_params.get("sort", "")
    names = [column.name for column in table.columns] if is_sortable else []
    sort = Sort.of(word, names, "") if word else None
    return RowQuery(_PAGE_SIZE, values, cursor or None, filters, sort)


def _prefixed_values(request: Request, prefix: str) -> dict[str, str]:
    """The values of an address by the names behind a prefix."""
    given = request.query_params.items()
    return {name.removeprefix(prefix): text for name, text in given if name.startswith(prefix)}


def _headings(who: Viewer, found: RowPage) -> list[tuple[str, str, str] | str]:
    return [
        who.t("tables.sql.sized", name=name) if name in found.sized else (name, "", name)
        for name in found.columns
    ]


def _row_cell(who: Viewer, value: Any) -> TableCell:
    is_message = isinstance(value, Message)
    text = render(value, who.language, who.place) if is_message else row_cell_text(value)
    is_number = isinstance(value, int | float) and not isinstance(value, bool)
    whole = text if len(text) > _MAX_CELL_LENGTH else ""
    return TableCell(shortened(text, _MAX_CELL_LENGTH), "N" if is_number else "S", whole)


def _read_for_file(request: Request, app: App, name: str, cursor: str) -> RowPage:
    table = _find_relational_table(request, name)
    values, wrong = key_values(table, _prefixed_values(request, _KEY_PREFIX))
    if wrong:
        raise HTTPException(422, "tables.wrong.file")
    small = is_small(app.database, table)
    rows = _requested_rows(request, table, values, cursor, is_sortable=small)
    return read_rows(app.database, table, rows, is_whole=True)
