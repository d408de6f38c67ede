"""The grammar of paths, values and calls, which conditions and updates share."""

from __future__ import annotations

from gotgan.store.engine.expressions.reader import ExpressionReader
from gotgan.store.engine.expressions.reserved import is_reserved
from gotgan.store.engine.expressions.tokens import TokenKind
from gotgan.store.engine.expressions.tree import Function, Operand, Path, Value

__all__ = [
    "check_distinct",
    "check_operand",
    "note_misuse",
    "read_bare_operand",
    "read_operand",
    "read_path",
    "read_value",
]

MAX_DEPTH = 32
MAX_INDEX = 2**31 - 1

_CONDITION_FUNCTIONS = {
    "attribute_exists": 1,
    "attribute_not_exists": 1,
    "attribute_type": 2,
    "begins_with": 2,
    "contains": 2,
    "size": 1,
}
_UPDATE_FUNCTIONS = {"if_not_exists": 2, "list_append": 2}
_ARITIES = _CONDITION_FUNCTIONS | _UPDATE_FUNCTIONS
_NEEDS_PATH = frozenset({"attribute_exists", "attribute_not_exists", "if_not_exists"})
_WANTS_DISTINCT = frozenset({"attribute_type", "begins_with", "contains", "if_not_exists"})
# The calls that may stand inside another operation; the others are whole conditions or values.
_OPERAND_FUNCTIONS = frozenset({"if_not_exists", "size"})


def read_path(reader: ExpressionReader) -> Path:
    """Read a document path such as ``a.#b[0]``."""
    name = _read_name(reader)
    reader.attributes.add(name)
    steps: list[str | int] = [name]
    while sign := reader.accept(".", "["):
        if sign == ".":
            steps.append(_read_name(reader))
        else:
            steps.append(_read_index(reader))
            reader.expect("]")
    if len(steps) > MAX_DEPTH:
        reader.faults.append(
            f"The document path has too many nesting levels; nesting levels: {len(steps)}",
        )
    return Path(tuple(steps))


def read_value(reader: ExpressionReader) -> Value:
    """Read a placeholder such as ``:v``."""
    if reader.token.kind is not TokenKind.VALUE:
        reader.fail()
    name = reader.take().text
    reader.values_used[name] = None
    return Value(name)


def read_operand(reader: ExpressionReader) -> Operand:
    """Read a path, a value or a call that yields a value, perhaps in parentheses."""
    groups: list[int] = []
    while (opened := reader.open_group()) is not None:
        groups.append(opened)
    operand = read_bare_operand(reader)
    check_operand(reader, operand)
    while groups:
        reader.close_group(groups.pop())
    return operand


def read_bare_operand(reader: ExpressionReader) -> Operand:
    """Read a path, a value or any call, without parentheses around it."""
    if reader.token.kind is TokenKind.VALUE:
        return read_value(reader)
    if reader.token.kind is TokenKind.NAME and reader.follows("("):
        return _read_call(reader)
    return read_path(reader)


def check_operand(reader: ExpressionReader, operand: object) -> None:
    """Note a function that gives no value to compare or to compute with."""
    if isinstance(operand, Function) and operand.name not in _OPERAND_FUNCTIONS:
        note_misuse(reader, operand.name)


def note_misuse(reader: ExpressionReader, function: str) -> None:
    """Note a function that stands where it may not."""
    reader.misuses.append(
        f"The function is not allowed to be used this way in an expression; function: {function}",
    )


def check_distinct(
    reader: ExpressionReader,
    operator: str,
    first: Operand,
    rest: tuple[Operand, ...],
) -> None:
    """Note a path that is compared with itself."""
    if isinstance(first, Path) and first in rest:
        reader.faults.append(
            "The first operand must be distinct from the remaining operands for this operator or "
            f"function; operator: {operator}, first operand: {first}",
        )


def _read_name(reader: ExpressionReader) -> str:
    if reader.token.kind not in {TokenKind.NAME, TokenKind.ALIAS}:
        reader.fail()
    token = reader.take()
    if token.kind is TokenKind.ALIAS:
        return _resolve(reader, token.text)
    if is_reserved(token.text):
        reader.misuses.append(
            f"Attribute name is a reserved keyword; reserved keyword: {token.text}",
        )
    return token.text


def _resolve(reader: ExpressionReader, alias: str) -> str:
    reader.names_used.add(alias)
    if alias not in reader.names:
        reader.faults.append(
            "An expression attribute name used in the document path is not defined; "
            f"attribute name: {alias}",
        )
    return reader.names.get(alias, alias)


def _read_index(reader: ExpressionReader) -> int:
    if reader.token.kind is not TokenKind.INDEX:
        reader.fail()
    index = int(reader.take().text)
    if index > MAX_INDEX:
        reader.misuses.append(
            f"List index is not within the allowable range; index: [{index}]",
        )
    return index


def _read_call(reader: ExpressionReader) -> Function:
    name = reader.take().text
    _check_function(reader, name)
    reader.expect("(")
    arguments = [read_operand(reader)]
    while reader.accept(","):
        arguments.append(read_operand(reader))
    reader.expect(")")
    function = Function(name, tuple(arguments))
    reader.operators += 1
    _check_arguments(reader, function)
    return function


def _check_function(reader: ExpressionReader, name: str) -> None:
    in_update = reader.kind == "UpdateExpression"
    if name not in _ARITIES:
        reader.misuses.append(f"Invalid function name; function: {name}")
    elif in_update != (name in _UPDATE_FUNCTIONS):
        where = "an update" if in_update else "a condition"
        reader.misuses.append(
            f"The function is not allowed in {where} expression; function: {name}",
        )


def _check_arguments(reader: ExpressionReader, function: Function) -> None:
    name, arguments = function.name, function.arguments
    if len(arguments) != _ARITIES.get(name):
        reader.faults.append(
            "Incorrect number of operands for operator or function; "
            f"operator or function: {name}, number of operands: {len(arguments)}",
        )
    elif name in _NEEDS_PATH and not isinstance(arguments[0], Path):
        reader.faults.append(
            f"Operator or function requires a document path; operator or function: {name}",
        )
    elif name in _WANTS_DISTINCT:
        check_distinct(reader, name, arguments[0], arguments[1:])
