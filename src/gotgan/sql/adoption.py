"""Adopts existing tables: adds what is missing and keeps every row.

A table of the same name may come from another program, with fewer columns, with more, or with
other types. It is compared with the declared table. Columns, unique keys and indexes that it lacks
are added. Where it cannot be used, TableUnusable says why and nothing is changed: all of it happens
in the transaction of the given connection.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, replace
from typing import Any, Final

from sqlalchemy import (
    Boolean,
    Column,
    Connection,
    Date,
    DateTime,
    Float,
    Index,
    Inspector,
    Integer,
    LargeBinary,
    Numeric,
    String,
    Table,
    UniqueConstraint,
    and_,
    func,
    inspect,
    select,
    text,
    types,
)
from sqlalchemy.exc import DataError, IntegrityError, InternalError, ProgrammingError
from sqlalchemy.schema import CreateColumn, CreateIndex

from gotgan.errors import TableUnusable
from gotgan.events import emit
from gotgan.messages import Message
from gotgan.messages import text as foreign
from gotgan.sql import messages
from gotgan.sql.metadata import JsonText


@dataclass(frozen=True)
class AdoptedTable:
    """An existing table, the number of its rows, and what was added to it."""

    name: str
    rows: int
    columns: tuple[str, ...] = ()
    indexes: tuple[str, ...] = ()
    """Unique keys and indexes, by their names."""

    def after(self, earlier: AdoptedTable | None) -> AdoptedTable:
        """The same with what was added before."""
        if earlier is None:
            return self
        columns, indexes = earlier.columns + self.columns, earlier.indexes + self.indexes
        return replace(self, columns=columns, indexes=indexes)


def create_or_complete(connection: Connection, table: Table) -> AdoptedTable | None:
    """Create a table, or add what an existing one lacks; None where it was created."""
    found = inspect(connection)
    if not found.has_table(table.name):
        table.create(connection)
        return None
    if table.name in found.get_view_names():
        raise TableUnusable(messages.IS_VIEW(table=table.name, advice=messages.CHANGE_TABLE()))
    _expect_usable(connection, table, found)
    adopted = add_missing(connection, table)
    if adopted.columns or adopted.indexes:
        emit(
            "database.adopted",
            table=adopted.name,
            rows=adopted.rows,
            columns=list(adopted.columns),
            indexes=list(adopted.indexes),
        )
    return adopted


def add_missing(connection: Connection, table: Table) -> AdoptedTable:
    """Add the columns, unique keys and indexes that an existing table lacks."""
    found = inspect(connection)
    rows = connection.execute(select(func.count()).select_from(table)).scalar_one()
    there = {each["name"] for each in found.get_columns(table.name)}
    columns = [each for each in table.columns if each.name not in there]
    for column in columns:
        _add_column(connection, column, rows)
    indexes = [*_missing_keys(table, found), *_missing_indexes(table, found)]
    for index in indexes:
        if index.unique:
            _expect_unique(connection, index)
        connection.execute(CreateIndex(index))
    return AdoptedTable(
        table.name,
        rows,
        tuple(each.name for each in columns),
        tuple(str(each.name) for each in indexes),
    )


def _add_column(connection: Connection, column: Column[Any], rows: int) -> None:
    """Add a column; rows that are there get its default, or no value where it may be missing."""
    is_required = not column.nullable and column.server_default is None
    if is_required and rows and not column.primary_key:
        raise TableUnusable(
            messages.MISSING_COLUMN(
                table=column.table.name,
                count=rows,
                column=column.name,
                advice=messages.CHANGE_TABLE(),
            )
        )
    added = column._copy()  # noqa: SLF001 - the one way to have it without its table
    added.primary_key = False
    if is_required and rows:
        added.nullable = True
    spec = CreateColumn(added).compile(dialect=connection.dialect)
    name = connection.dialect.identifier_preparer.format_table(column.table)
    connection.exec_driver_sql(f"ALTER TABLE {name} ADD COLUMN {spec}")


def _missing_keys(table: Table, found: Inspector) -> Iterator[Index]:
    """A unique index for each key that does not hold yet, which both databases can add."""
    known = _existing_keys(table, found)
    keys = [table.primary_key.columns.values()]
    keys += [list(each.columns) for each in table.constraints if isinstance(each, UniqueConstraint)]
    for columns in keys:
        names = [each.name for each in columns]
        if names and frozenset(names) not in known:
            index = Index(f"uq_{table.name}_{'_'.join(names)}", *columns, unique=True)
            table.indexes.discard(index)  # to which creating it has added it
            yield index


def _existing_keys(table: Table, found: Inspector) -> set[frozenset[str | None]]:
    keys: list[Sequence[str | None]] = [found.get_pk_constraint(table.name)["constrained_columns"]]
    keys += [each["column_names"] for each in found.get_unique_constraints(table.name)]
    keys += [
        each["column_names"]
        for each in found.get_indexes(table.name)
        if each["unique"] and not _is_partial(each)
    ]
    return {frozenset(each) for each in keys}


def _is_partial(index: Mapping[str, Any]) -> bool:
    return any(name.endswith("_where") for name in index.get("dialect_options", {}))


def _missing_indexes(table: Table, found: Inspector) -> Iterator[Index]:
    """Indexes that are not there: by their names or, where they are plain, by their columns."""
    there = found.get_indexes(table.name)
    names = {each["name"] for each in there}
    plain = {tuple(each["column_names"]) for each in there if not _is_partial(each)}
    for index in sorted(table.indexes, key=lambda index: str(index.name)):
        columns = tuple(column.name for column in index.columns)
        is_plain = index.dialect_options["sqlite"]["where"] is None
        if index.name not in names and not (is_plain and columns in plain):
            yield index


def _expect_unique(connection: Connection, index: Index) -> None:
    columns = list(index.columns)
    where = index.dialect_options["sqlite"]["where"]
    conditions = [column.is_not(None) for column in columns]
    query = select(*columns).where(and_(*conditions, *([] if where is None else [where])))
    twice = query.group_by(*columns).having(func.count() > 1).limit(1)
    row = connection.execute(twice).first()
    if row is not None:
        values = [
            messages.COLUMN_VALUE(column=column.name, value=str(value))
            for column, value in zip(columns, row, strict=True)
        ]
        raise TableUnusable(messages.NOT_UNIQUE(table=columns[0].table.name, values=values))


def _expect_usable(connection: Connection, table: Table, found: Inspector) -> None:
    columns = {each["name"]: each for each in found.get_columns(table.name)}
    keys = found.get_pk_constraint(table.name)["constrained_columns"]
    for column in table.columns:
        if column.name in columns:
            _expect_fit(connection, column, columns[column.name])
            _expect_values(connection, column, columns[column.name])
            _expect_numbered(connection, column, columns[column.name])
    for name in columns.keys() - table.columns.keys():
        if _needs_value(connection, columns[name], is_key=keys == [name]):
            raise TableUnusable(messages.NOT_FILLED(column=name, table=table.name))


def _needs_value(connection: Connection, column: Mapping[str, Any], *, is_key: bool) -> bool:
    """Whether an INSERT has to name a column."""
    if is_key and connection.dialect.name == "sqlite" and _is_rowid(column):
        return False
    is_filled = column.get("default") is not None or column.get("identity")
    return not (column["nullable"] or is_filled or column.get("computed"))


def _is_rowid(column: Mapping[str, Any]) -> bool:
    """Whether SQLite numbers the rows of such a key: only where its type is exactly INTEGER."""
    return type(column["type"]).__name__ == "INTEGER"


def _expect_numbered(connection: Connection, column: Column[Any], found: Mapping[str, Any]) -> None:
    """Refuse a key that the database does not number, where Gotgan relies on that."""
    if column is not column.table.autoincrement_column:
        return
    if connection.dialect.name == "sqlite":
        is_numbered = _is_rowid(found) and bool(found["primary_key"])
    else:
        is_numbered = found.get("default") is not None or bool(found.get("identity"))
    if not is_numbered:
        raise TableUnusable(
            messages.NOT_NUMBERED(
                column=column.name, table=column.table.name, advice=messages.CHANGE_TABLE()
            )
        )


def _expect_fit(connection: Connection, column: Column[Any], found: Mapping[str, Any]) -> None:
    declared = _base_type(column.type)
    fits = _FITS_SQLITE if connection.dialect.name == "sqlite" else _FITS
    check = next(check for kind, check in fits if isinstance(declared, kind))
    if not check(declared, found["type"]):
        needed, is_now = (
            "unknown" if isinstance(each, types.NullType) else each.compile(connection.dialect)
            for each in (column.type, found["type"])
        )
        raise TableUnusable(
            messages.WRONG_TYPE(
                column=column.name,
                table=column.table.name,
                found=is_now,
                needed=needed,
                advice=messages.CHANGE_TABLE(),
            )
        )


def _expect_values(connection: Connection, column: Column[Any], found: Mapping[str, Any]) -> None:
    """Refuse rows without a value that is needed, and values of SQLite that are no dates."""
    table = column.table
    if not column.nullable and found["nullable"] and not column.primary_key:
        missing = select(func.count()).select_from(table).where(column.is_(None))
        number = connection.execute(missing).scalar_one()
        if number and column.server_default is None:
            raise TableUnusable(
                messages.MISSING_VALUES(table=table.name, count=number, column=column.name)
            )
    if connection.dialect.name == "sqlite" and isinstance(_base_type(column.type), Date | DateTime):
        try:
            connection.execute(select(column)).all()
        except (TypeError, ValueError) as error:
            raise TableUnusable(
                messages.NOT_A_DATE(column=column.name, table=table.name, cause=foreign(str(error)))
            ) from error


@contextmanager
def dry_run(connection: Connection, tables: Iterable[Table]) -> Iterator[None]:
    """Roll back what a block writes; raise TableUnusable where a constraint refuses it."""
    is_sqlite = connection.dialect.name == "sqlite"
    before = _dangling_references(connection, tables) if is_sqlite else set()
    attempt = connection.begin_nested()
    try:
        yield
        if is_sqlite:
            for table, parent in _dangling_references(connection, tables) - before:
                raise _refused_rows(table, messages.FOREIGN_KEY(table=parent))
        else:
            connection.execute(text("SET CONSTRAINTS ALL IMMEDIATE"))
    except (DataError, IntegrityError, InternalError, ProgrammingError) as error:
        statement = error.statement or ""
        named = re.match(r'\s*(?:INSERT INTO|UPDATE|DELETE FROM)\s+"?(\w+)', statement)
        cause = foreign(str(error.orig).partition("\n")[0])
        raise _refused_rows(named[1] if named else "unknown", cause) from error
    finally:
        attempt.rollback()


def _dangling_references(connection: Connection, tables: Iterable[Table]) -> set[tuple[str, str]]:
    """Tables with rows that reference missing rows, which connections to SQLite do not check."""
    checks = (f"PRAGMA foreign_key_check({each.name})" for each in tables)
    found = (row for check in checks for row in connection.exec_driver_sql(check))
    return {(table, parent) for table, _row, parent, _key in found}


def _refused_rows(table: str, cause: Message) -> TableUnusable:
    return TableUnusable(messages.REFUSES_ROWS(table=table, cause=cause))


def _base_type(kind: types.TypeEngine[Any]) -> types.TypeEngine[Any]:
    return kind.impl_instance if isinstance(kind, types.TypeDecorator) else kind


Fit = Callable[[Any, Any], bool]


def _is(*kinds: type[types.TypeEngine[Any]]) -> Fit:
    return lambda _declared, found: isinstance(found, kinds)


def _is_integer(declared: Any, found: Any) -> bool:
    sizes = {types.SmallInteger: 2, types.BigInteger: 8}

    def size(kind: Any) -> int:
        return next((size for each, size in sizes.items() if isinstance(kind, each)), 4)

    return isinstance(found, Integer) and size(found) >= size(declared)


def _is_text(declared: Any, found: Any) -> bool:
    if not isinstance(found, String) or isinstance(found, types.CHAR):
        return False
    return found.length is None or (declared.length or float("inf")) <= found.length


_FITS: Final[Sequence[tuple[type[Any], Fit]]] = (
    (JsonText, _is(types.JSON, types.Text)),
    (types.JSON, _is(types.JSON)),
    (Boolean, _is(Boolean)),
    (Integer, _is_integer),
    (Float, lambda _, found: isinstance(found, Float) and not isinstance(found, types.REAL)),
    (DateTime, _is(DateTime)),
    (Date, _is(Date)),
    (LargeBinary, _is(LargeBinary)),
    (String, _is_text),
)
"""By the declared type, what may be found instead; the first that matches decides."""
_TEXT: Final = String
_FITS_SQLITE: Final[Sequence[tuple[type[Any], Fit]]] = (
    (JsonText, _is(types.JSON, _TEXT)),
    (types.JSON, _is(types.JSON, _TEXT)),
    (Boolean, _is(Boolean, Integer)),
    (Integer, _is(Integer)),
    (Float, _is(Float, Numeric, Integer)),
    (DateTime, _is(DateTime, _TEXT)),
    (Date, _is(Date, _TEXT)),
    (LargeBinary, _is(LargeBinary)),
    (String, _is(_TEXT)),
)
"""SQLite has no type for dates, and does not enforce lengths."""
