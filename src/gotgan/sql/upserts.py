"""Inserting or updating many rows at once, by the fastest way of each database."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from operator import itemgetter
from typing import Any, Final

from sqlalchemy import Column, Connection, Dialect, MetaData, Select, Table, select
from sqlalchemy.dialects import postgresql, sqlite
from sqlalchemy.exc import DBAPIError, IntegrityError

from gotgan.errors import UsageError

Row = Mapping[str, Any]

_MIN_COPY_ROWS: Final = 500
"""From so many rows on COPY is faster in PostgreSQL: three times for a day's rows."""


def upsert(connection: Connection, table: Table, rows: Sequence[Row]) -> None:
    """Write rows by their primary key; existing ones are updated in the columns that are given.

    All rows have the same columns, and of two with one key the last one counts.
    """
    if not rows:
        return
    _check_columns(table, rows)
    if connection.dialect.name == "postgresql" and len(rows) >= _MIN_COPY_ROWS:
        _copy(connection, table, rows)
    else:
        _execute_many(connection, table, rows)


def insert_into(connection: Connection, table: Table) -> postgresql.Insert | sqlite.Insert:
    """An INSERT that supports ON CONFLICT, which each dialect has for itself."""
    is_postgres = connection.dialect.name == "postgresql"
    return postgresql.insert(table) if is_postgres else sqlite.insert(table)


def _check_columns(table: Table, rows: Sequence[Row]) -> None:
    columns = rows[0].keys()
    unknown, missing = columns - table.c.keys(), set(_keys(table)) - columns
    if unknown or missing:
        named = ", ".join(sorted(unknown or missing))
        fault = f"{table.name} has no such columns" if unknown else "the key is not whole"
        raise UsageError(f"rows of {table.name} cannot be written: {fault}: {named}")
    for number, row in enumerate(rows):
        if row.keys() != columns:
            raise UsageError(
                f"rows of {table.name} cannot be written: number {number + 1} has other columns "
                "than the first one; give all of them the same"
            )


def _upsert_statement(
    connection: Connection, table: Table, columns: Sequence[str], given: Select[Any] | None = None
) -> postgresql.Insert | sqlite.Insert:
    insert, keys = insert_into(connection, table), _keys(table)
    if given is not None:
        insert = insert.from_select(columns, given)
    changed = {name: insert.excluded[name] for name in columns if name not in keys}
    if not changed:
        return insert.on_conflict_do_nothing(index_elements=keys)
    return insert.on_conflict_do_update(index_elements=keys, set_=changed)


def _execute_many(connection: Connection, table: Table, rows: Sequence[Row]) -> None:
    """Pass the rows to the driver directly: SQLAlchemy would take most of the time."""
    statement = _upsert_statement(connection, table, list(rows[0]))
    compiled = statement.compile(connection, column_keys=list(rows[0]))
    if not compiled.positiontup:  # a driver that wants names
        connection.execute(statement, list(rows))
        return
    columns = [table.c[name] for name in compiled.positiontup]
    values = [tuple(each) for each in _bound_rows(columns, rows, connection.dialect)]
    connection.exec_driver_sql(str(compiled), values)


def _copy(connection: Connection, table: Table, rows: Sequence[Row]) -> None:
    """Copy the rows into a temporary table, and let the server move them from there."""
    staged = Table(
        f"{table.name}_staged",
        MetaData(),
        *(Column(name, table.c[name].type) for name in rows[0]),
        prefixes=["TEMPORARY"],
        postgresql_on_commit="DROP",
    )
    staged.create(connection)
    last = dict(zip(map(_row_getter(_keys(table)), rows), rows, strict=True))
    _fill(connection, staged, last.values())
    columns, given = [each.name for each in staged.c], select(staged)
    try:  # as if all rows were new, which takes half the time
        with connection.begin_nested():
            connection.execute(insert_into(connection, table).from_select(columns, given))
    except IntegrityError:
        connection.execute(_upsert_statement(connection, table, columns, given))
    staged.drop(connection)


def _fill(connection: Connection, staged: Table, rows: Iterable[Row]) -> None:
    """Pass the rows to psycopg; its errors are raised as SQLAlchemy would raise them."""
    quoted = connection.dialect.identifier_preparer.quote_identifier
    names = ", ".join(quoted(each.name) for each in staged.c)
    statement = f"COPY {quoted(staged.name)} ({names}) FROM STDIN (FORMAT binary)"
    driver: Any = connection.dialect.loaded_dbapi
    cursor: Any = connection.connection.cursor()
    try:
        with cursor, cursor.copy(statement) as copy:
            types = [each.type.compile(connection.dialect).lower() for each in staged.c]
            copy.set_types([each.partition("(")[0] for each in types])  # without their lengths
            for values in _bound_rows(list(staged.c), rows, connection.dialect):
                copy.write_row(values)
    except driver.Error as error:
        raise DBAPIError.instance(statement, None, error, driver.Error) from error


def _bound_rows(
    columns: Sequence[Column[Any]], rows: Iterable[Row], dialect: Dialect
) -> Iterator[Sequence[Any]]:
    """The values of each row as the driver takes them; most need no change."""
    pick = _row_getter([each.name for each in columns])
    binds = [each.type.dialect_impl(dialect).bind_processor(dialect) for each in columns]
    changing = [(place, bind) for place, bind in enumerate(binds) if bind is not None]
    for row in rows:
        values = list(pick(row))
        for place, bind in changing:
            values[place] = bind(values[place])
        yield values


def _row_getter(names: Sequence[str]) -> Callable[[Row], tuple[Any, ...]]:
    if len(names) == 1:
        return lambda row: (row[names[0]],)
    return itemgetter(*names)


def _keys(table: Table) -> list[str]:
    return [column.name for column in table.primary_key]
