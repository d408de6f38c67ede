"""The grammar of update expressions."""

from __future__ import annotations

from collections.abc import Callable
from typing import NamedTuple

from gotgan.store.engine.expressions.operands import (
    check_operand,
    read_bare_operand,
    read_operand,
    read_path,
    read_value,
)
from gotgan.store.engine.expressions.paths import check_paths
from gotgan.store.engine.expressions.reader import ExpressionReader
from gotgan.store.engine.expressions.tokens import TokenKind
from gotgan.store.engine.expressions.tree import (
    Action,
    Add,
    Arithmetic,
    Delete,
    Operand,
    Path,
    Remove,
    Set,
)

__all__ = ["read_update"]


class _Noted(NamedTuple):
    """An action, with the faults of its path and those of the rest."""

    action: Action
    path_faults: list[str]
    other_faults: list[str]


def read_update(reader: ExpressionReader) -> tuple[Action, ...]:
    """Read a whole update, up to the end of the text."""
    sections: list[str] = []
    noted: list[_Noted] = []
    while not sections or reader.token.kind is not TokenKind.END:
        sections.append(reader.expect(*_SECTIONS))
        noted += _read_section(reader, _SECTIONS[sections[-1]])
    reader.finish()
    _check_sections(reader, sections)
    check_paths(reader, [(each.action.path, each.path_faults) for each in noted])
    for each in reversed(noted):
        reader.refuse_first(each.other_faults)
    reader.check_operators()
    return tuple(each.action for each in noted)


def _read_section(
    reader: ExpressionReader, read_rest: Callable[[ExpressionReader, Path], Action]
) -> list[_Noted]:
    noted = [_read_action(reader, read_rest)]
    while reader.accept(","):
        noted.append(_read_action(reader, read_rest))
    return noted


def _read_action(
    reader: ExpressionReader, read_rest: Callable[[ExpressionReader, Path], Action]
) -> _Noted:
    start = len(reader.faults)
    path = read_path(reader)
    middle = len(reader.faults)
    action = read_rest(reader, path)
    return _Noted(action, reader.faults[start:middle], reader.faults[middle:])


def _read_set(reader: ExpressionReader, path: Path) -> Set:
    reader.expect("=")
    return Set(path, _read_new_value(reader))


def _read_remove(_reader: ExpressionReader, path: Path) -> Remove:
    return Remove(path)


def _read_add(reader: ExpressionReader, path: Path) -> Add:
    return Add(path, read_value(reader))


def _read_delete(reader: ExpressionReader, path: Path) -> Delete:
    return Delete(path, read_value(reader))


def _read_new_value(reader: ExpressionReader) -> Operand | Arithmetic:
    left = _read_term(reader)
    if isinstance(left, Arithmetic):  # it stood in parentheses
        return left
    if operator := reader.accept("+", "-"):
        check_operand(reader, left)
        reader.operators += 1
        return Arithmetic(operator, left, read_operand(reader))
    return left


def _read_term(reader: ExpressionReader) -> Operand | Arithmetic:
    opened = reader.open_group()
    if opened is None:
        return read_bare_operand(reader)
    inner = _read_new_value(reader)
    reader.close_group(opened)
    return inner


def _check_sections(reader: ExpressionReader, sections: list[str]) -> None:
    for section in _SECTIONS:
        if sections.count(section) > 1:
            reader.refuse(
                f'The "{section}" section can only be used once in an update expression;',
            )


_SECTIONS: dict[str, Callable[[ExpressionReader, Path], Action]] = {
    "SET": _read_set,
    "REMOVE": _read_remove,
    "ADD": _read_add,
    "DELETE": _read_delete,
}
