"""Rows of a relational table in the order of its key, a page at a time.

Rows are chosen by the beginning of the key alone: that is an index, and reads no row in vain.
"""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import datetime
from typing import TYPE_CHECKING, Annotated, Any, Final

from pydantic import Field, TypeAdapter, ValidationError

from gotgan.errors import BadCursor
from gotgan.plain_json import encoded

if TYPE_CHECKING:
    from sqlalchemy import Column, ColumnElement, Select, Table

    from gotgan.sql import Database

__all__ = ["LONGEST", "RowPage", "RowQuery", "cell", "chosen", "page_of", "statement_text"]

LONGEST: Final = 2_000
"""How many letters of a text a page reads; a file has them all."""
_WHOLE: Final = Annotated[int, Field(ge=-(2**31), lt=2**31)]
"""A number of a key: larger ones no database takes."""


@dataclass(frozen=True)
class RowQuery:
    """Which rows of a table are asked for."""

    limit: int
    chosen: Mapping[str, Any] = field(default_factory=dict)
    """The values of the first columns of the key."""
    cursor: str | None = None


@dataclass(frozen=True)
class RowPage:
    """Some rows of a table."""

    columns: tuple[str, ...]
    records: tuple[Mapping[str, Any], ...]
    cursor: str | None
    sized: frozenset[str]
    """The columns of bytes, of which there is only how many."""


def chosen(table: Table, texts: Mapping[str, str]) -> tuple[dict[str, Any], dict[str, str]]:
    """The values that columns of the key are to have, and what is wrong with others."""
    values: dict[str, Any] = {}
    wrong: dict[str, str] = {}
    is_gap = False
    for column in table.primary_key.columns:
        text = texts.get(column.name, "")
        if text and is_gap:
            wrong[column.name] = "tables.wrong.leading"
        elif text:
            try:
                values[column.name] = _value(column, text)
            except ValidationError as error:
                wrong[column.name] = error.errors(include_url=False)[0]["msg"]
        is_gap = is_gap or not text
    return values, wrong


def page_of(database: Database, table: Table, rows: RowQuery, *, is_whole: bool = False) -> RowPage:
    """Rows in the order of the primary key; of bytes how many there are, of long texts a part."""
    key = list(table.primary_key.columns)
    columns = [_column(each, is_whole=is_whole) for each in table.columns]
    with database.read() as connection:
        found = connection.execute(_statement(table, rows, columns, 1)).mappings().all()
    shown = found[: rows.limit]
    last = [cell(shown[-1][each.name]) for each in key] if len(found) > rows.limit else None
    return RowPage(
        columns=tuple(column.name for column in table.columns),
        # SQLAlchemy's names are a kind of text that the fast way of writing JSON does not know.
        records=tuple({str(name): value for name, value in row.items()} for row in shown),
        cursor=None if last is None else encoded(last).decode(),
        sized=frozenset(column.name for column in table.columns if _is_bytes(column)),
    )


def statement_text(database: Database, table: Table, rows: RowQuery) -> str:
    """The same rows in SQL, as the database reads it."""
    from sqlalchemy import literal_column  # noqa: PLC0415 - heavy

    statement = _statement(table, rows, [literal_column("*")]).select_from(table)
    written = statement.compile(
        dialect=database.engine.dialect, compile_kwargs={"literal_binds": True}
    )
    return " ".join(str(written).split())


def cell(value: Any) -> str:
    """A value as a cell has it, and as a cursor gives it back."""
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
    conditions = [table.c[name] == value for name, value in rows.chosen.items()]
    if rows.cursor is not None:
        conditions += _behind(key, len(rows.chosen), rows.cursor)
    return select(*columns).where(*conditions).order_by(*key).limit(rows.limit + more)


def _column(column: Column[Any], *, is_whole: bool) -> ColumnElement[Any]:
    """A column as it is shown: nobody wants a megabyte of it."""
    from sqlalchemy import JSON, Text, cast, func  # noqa: PLC0415 - heavy

    if _is_bytes(column):
        return func.length(column).label(column.name)
    if is_whole or not isinstance(column.type, JSON | Text):
        return column
    return func.substr(cast(column, Text), 1, LONGEST).label(column.name)


def _is_bytes(column: Column[Any]) -> bool:
    from sqlalchemy import LargeBinary  # noqa: PLC0415 - heavy

    return isinstance(column.type, LargeBinary)


def _behind(key: Sequence[Column[Any]], settled: int, cursor: str) -> Iterator[ColumnElement[bool]]:
    """Behind the key that a cursor names; of columns whose values are settled nothing is asked."""
    from sqlalchemy import tuple_  # noqa: PLC0415 - heavy

    place = _place(key, cursor)[settled:]
    if place:
        yield tuple_(*key[settled:]) > tuple_(*place)


def _place(key: Sequence[Column[Any]], cursor: str) -> list[Any]:
    """The key that a cursor stands behind, in the types of its columns."""
    from sqlalchemy import bindparam  # noqa: PLC0415 - heavy

    try:
        texts = TypeAdapter(list[str]).validate_json(cursor)
        pairs = list(zip(key, texts, strict=True))
        return [bindparam(None, _value(each, text), each.type) for each, text in pairs]
    except ValueError:
        raise BadCursor("this is no cursor of this table; begin again without one") from None


def _value(column: Column[Any], text: str) -> Any:
    kind = column.type.python_type
    return TypeAdapter(_WHOLE if kind is int else kind).validate_python(text)
