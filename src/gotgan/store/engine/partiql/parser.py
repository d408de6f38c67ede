"""The grammar of statements: SELECT, INSERT, UPDATE, DELETE and EXISTS, parsed once and cached."""

from __future__ import annotations

from collections.abc import Callable
from functools import lru_cache
from typing import Any

from gotgan.store.engine.expressions import nodes
from gotgan.store.engine.faults import ValidationException
from gotgan.store.engine.partiql.conditions import ConditionReader
from gotgan.store.engine.partiql.lexer import malformed
from gotgan.store.engine.partiql.statements import (
    DeleteStatement,
    ExistsStatement,
    InsertStatement,
    SelectStatement,
    Statement,
    UpdateStatement,
)

_CACHED_STATEMENTS = 512
_MAX_CACHED_CHARS = 1024  # a longer text was made for one call, and will not come again
_RETURNS = {
    "ALL OLD": "ALL_OLD",
    "ALL NEW": "ALL_NEW",
    "MODIFIED OLD": "UPDATED_OLD",
    "MODIFIED NEW": "UPDATED_NEW",
}
_SET_FUNCTIONS: dict[str, type[nodes.Add | nodes.Delete]] = {
    "set_add": nodes.Add,
    "set_delete": nodes.Delete,
}


def parse_statement(text: str) -> Statement:
    """Parse one statement."""
    return _cached_statement(text) if len(text) <= _MAX_CACHED_CHARS else _parse(text)


@lru_cache(maxsize=_CACHED_STATEMENTS)
def _cached_statement(text: str) -> Statement:
    return _parse(text)


def _parse(text: str) -> Statement:
    reader = ConditionReader(text)
    verb = reader.accept(*_GRAMMARS)
    if verb is None:
        raise malformed("Expected data manipulation")
    statement = _GRAMMARS[verb](reader)
    reader.finish()
    return statement


def _select(reader: ConditionReader) -> SelectStatement:
    paths: list[nodes.Path] = []
    if not reader.accept("*"):
        paths.append(_projected_path(reader))
        while reader.accept(","):
            paths.append(_projected_path(reader))
    reader.expect("FROM")
    table = reader.identifier()
    index = reader.identifier() if reader.accept(".") else None
    if reader.token.is_identifier or reader.accept("AS"):
        raise ValidationException("Aliasing is not supported")
    where = reader.where()
    return SelectStatement(
        index=index, paths=tuple(paths), where=where, order=_order(reader), **_common(reader, table)
    )


def _projected_path(reader: ConditionReader) -> nodes.Path:
    path = reader.path()
    if reader.accept("AS"):
        raise ValidationException("Aliasing is not supported")
    return path


def _order(reader: ConditionReader) -> tuple[tuple[str, bool], ...]:
    if not reader.accept("ORDER"):
        return ()
    reader.expect("BY")
    keys = [_order_key(reader)]
    while reader.accept(","):
        keys.append(_order_key(reader))
    return tuple(keys)


def _order_key(reader: ConditionReader) -> tuple[str, bool]:
    return reader.identifier(), reader.accept("ASC", "DESC") == "DESC"


def _exists(reader: ConditionReader) -> ExistsStatement:
    reader.expect("(")
    reader.expect("SELECT")
    selected = _select(reader)
    reader.expect(")")
    if selected.index is not None or selected.order:
        raise ValidationException("EXISTS reads one item of a table, without an index or an order")
    return ExistsStatement(where=selected.where, **_common(reader, selected.table))


def _insert(reader: ConditionReader) -> InsertStatement:
    reader.expect("INTO")
    table = _written_table(reader)
    reader.expect("VALUE")
    item = reader.map_literal()
    return InsertStatement(item=item, **_common(reader, table))


def _update(reader: ConditionReader) -> UpdateStatement:
    table = _written_table(reader)
    actions: list[nodes.Action] = []
    section = reader.expect("SET", "REMOVE")
    while section:
        actions.append(_assignment(reader) if section == "SET" else nodes.Remove(reader.path()))
        if not reader.accept(","):
            section = reader.accept("SET", "REMOVE") or ""
    where = reader.where()
    return UpdateStatement(
        actions=tuple(actions),
        where=where,
        returning=_returning(reader),
        **_common(reader, table),
    )


def _assignment(reader: ConditionReader) -> nodes.Action:
    path = reader.path()
    reader.expect("=")
    name = reader.token.text.lower()
    if not (reader.token.is_identifier and reader.follows("(")):
        return nodes.Set(path, _sum(reader))
    if name == "list_append":
        first, second = _arguments(reader)
        return nodes.Set(path, nodes.Function(name, (first, second)))
    if name not in _SET_FUNCTIONS:
        raise ValidationException(f"Unsupported operation: {name}")
    first, second = _arguments(reader)
    if first != path:
        raise ValidationException(
            f"The first argument to {name.upper()} must equal the assignment value"
        )
    if not isinstance(second, nodes.Value):
        raise malformed(f"The second argument of {name} must be a value")
    return _SET_FUNCTIONS[name](path, second)


def _arguments(
    reader: ConditionReader,
) -> tuple[nodes.Path | nodes.Value, nodes.Path | nodes.Value]:
    reader.take()
    reader.expect("(")
    first = _term(reader)
    reader.expect(",")
    second = _term(reader)
    reader.expect(")")
    return first, second


def _sum(reader: ConditionReader) -> nodes.Operand | nodes.Arithmetic:
    left = _term(reader)
    operator = reader.accept("+", "-")
    return nodes.Arithmetic(operator, left, _term(reader)) if operator else left


def _term(reader: ConditionReader) -> nodes.Path | nodes.Value:
    return reader.path() if reader.token.is_identifier else reader.value()


def _delete(reader: ConditionReader) -> DeleteStatement:
    reader.expect("FROM")
    table = _written_table(reader)
    where = reader.where()
    returning = _returning(reader)
    if returning not in {"NONE", "ALL_OLD"}:
        words = next(words for words, value in _RETURNS.items() if value == returning)
        raise ValidationException(
            f"Invalid returning clause: RETURNING {words} *. Only RETURNING ALL OLD * is allowed"
            " in DELETE statements."
        )
    return DeleteStatement(where=where, returning=returning, **_common(reader, table))


def _written_table(reader: ConditionReader) -> str:
    table = reader.identifier()
    if reader.accept("."):
        raise ValidationException(
            "FROM clause may only contain a single table name in data manipulation statements"
        )
    return table


def _returning(reader: ConditionReader) -> str:
    if not reader.accept("RETURNING"):
        return "NONE"
    words = f"{reader.take().text} {reader.take().text}".upper()
    if words not in _RETURNS or not reader.accept("*"):
        raise malformed("RETURNING takes ALL or MODIFIED, OLD or NEW, and *")
    return _RETURNS[words]


def _common(reader: ConditionReader, table: str) -> dict[str, Any]:
    return {
        "table": table,
        "literals": tuple(reader.literals),
        "parameters": reader.parameters,
    }


_GRAMMARS: dict[str, Callable[[ConditionReader], Statement]] = {
    "SELECT": _select,
    "EXISTS": _exists,
    "INSERT": _insert,
    "UPDATE": _update,
    "DELETE": _delete,
}
