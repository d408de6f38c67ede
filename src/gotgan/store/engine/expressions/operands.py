"""The grammar of paths, values and calls, which conditions and updates share, and projections."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import TypeAlias

from gotgan.store.engine.expressions.lexer import ExpressionReader, TokenKind, is_reserved
from gotgan.store.engine.expressions.nodes import Function, Operand, Path, Value
from gotgan.store.engine.values import AttributeValue, Item

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
# The calls that may be part of another operation; the others are whole conditions or values.
_OPERAND_FUNCTIONS = frozenset({"if_not_exists", "size"})

_Tail: TypeAlias = tuple[Sequence[str | int], int]  # the rest of a path, and its number


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
            f"The document path has too many nesting levels; nesting levels: {len(steps)}"
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


def read_operands(reader: ExpressionReader) -> tuple[Operand, ...]:
    """Read operands between parentheses, with commas between them."""
    reader.expect("(")
    operands = [read_operand(reader)]
    while reader.accept(","):
        operands.append(read_operand(reader))
    reader.expect(")")
    return tuple(operands)


def check_operand(reader: ExpressionReader, operand: object) -> None:
    """Note a function that yields no value to compare or to compute with."""
    if isinstance(operand, Function) and operand.name not in _OPERAND_FUNCTIONS:
        note_misuse(reader, operand.name)


def note_misuse(reader: ExpressionReader, function: str) -> None:
    """Note a function in a place where it is not allowed."""
    reader.misuses.append(
        f"The function is not allowed to be used this way in an expression; function: {function}"
    )


def check_distinct(
    reader: ExpressionReader, operator: str, first: Operand, rest: tuple[Operand, ...]
) -> None:
    """Note a path that is compared with itself."""
    if isinstance(first, Path) and first in rest:
        reader.faults.append(
            "The first operand must be distinct from the remaining operands for this operator or "
            f"function; operator: {operator}, first operand: {first}"
        )


def _read_name(reader: ExpressionReader) -> str:
    if reader.token.kind not in {TokenKind.NAME, TokenKind.ALIAS}:
        reader.fail()
    token = reader.take()
    if token.kind is TokenKind.ALIAS:
        return _resolve(reader, token.text)
    if is_reserved(token.text):
        reader.misuses.append(
            f"Attribute name is a reserved keyword; reserved keyword: {token.text}"
        )
    return token.text


def _resolve(reader: ExpressionReader, alias: str) -> str:
    reader.names_used.add(alias)
    if alias not in reader.names:
        reader.faults.append(
            "An expression attribute name used in the document path is not defined; "
            f"attribute name: {alias}"
        )
    return reader.names.get(alias, alias)


def _read_index(reader: ExpressionReader) -> int:
    if reader.token.kind is not TokenKind.INDEX:
        reader.fail()
    index = int(reader.take().text)
    if index > MAX_INDEX:
        reader.misuses.append(f"List index is not within the allowable range; index: [{index}]")
    return index


def _read_call(reader: ExpressionReader) -> Function:
    name = reader.take().text
    in_update = reader.kind == "UpdateExpression"
    if name not in _ARITIES:
        reader.misuses.append(f"Invalid function name; function: {name}")
    elif in_update != (name in _UPDATE_FUNCTIONS):
        where = "an update" if in_update else "a condition"
        reader.misuses.append(
            f"The function is not allowed in {where} expression; function: {name}"
        )
    arguments = read_operands(reader)
    reader.operators += 1
    _check_arguments(reader, name, arguments)
    return Function(name, arguments)


def _check_arguments(reader: ExpressionReader, name: str, arguments: tuple[Operand, ...]) -> None:
    if len(arguments) != _ARITIES.get(name):
        reader.faults.append(
            "Incorrect number of operands for operator or function; "
            f"operator or function: {name}, number of operands: {len(arguments)}"
        )
    elif name in _NEEDS_PATH and not isinstance(arguments[0], Path):
        reader.faults.append(
            f"Operator or function requires a document path; operator or function: {name}"
        )
    elif name in _WANTS_DISTINCT:
        check_distinct(reader, name, arguments[0], arguments[1:])


@dataclass(frozen=True, slots=True)
class Branch:
    """A node of the tree of several paths; a leaf is the number of the path that ends in it."""

    names: dict[str, Branch | int]
    indexes: dict[int, Branch | int]


def path_tree(paths: Iterable[Path]) -> Branch:
    """Join paths that do not overlap into one tree."""
    return _branch([(path.steps, number) for number, path in enumerate(paths)])


def _branch(tails: list[_Tail]) -> Branch:
    grouped: dict[str | int, list[_Tail]] = {}
    for (step, *rest), number in tails:
        grouped.setdefault(step, []).append((rest, number))
    return Branch(
        names={step: _subtree(group) for step, group in grouped.items() if isinstance(step, str)},
        indexes={step: _subtree(group) for step, group in grouped.items() if isinstance(step, int)},
    )


def _subtree(tails: list[_Tail]) -> Branch | int:
    steps, number = tails[0]
    return _branch(tails) if steps else number


def check_paths(reader: ExpressionReader, paths: Sequence[tuple[Path, list[str]]]) -> None:
    """Refuse paths that overlap or conflict, and the faults noted with each.

    AWS walks the list from its end, so of several faults it names the last.
    """
    seen: list[Path] = []
    for path, faults in reversed(paths):
        reader.refuse_first(faults)
        reader.refuse_first(path_conflicts(path, seen))
        seen.append(path)


def path_conflicts(path: Path, others: Iterable[Path]) -> Iterator[str]:
    """Find the paths that cannot be written, or shown, together with a path."""
    for other in others:
        if verb := _path_conflict(path, other):
            yield (
                f"Two document paths {verb} with each other; must remove or rewrite one of these"
                f" paths; path one: {path}, path two: {other}"
            )


def _path_conflict(one: Path, two: Path) -> str | None:
    for mine, theirs in zip(one.steps, two.steps, strict=False):
        if type(mine) is not type(theirs):
            return "conflict"
        if mine != theirs:
            return None
    return "overlap"


def read_projection(reader: ExpressionReader) -> tuple[Path, ...]:
    """Read a whole projection, up to the end of the text."""
    paths: list[tuple[Path, list[str]]] = []
    while not paths or reader.accept(","):
        start = len(reader.faults)
        paths.append((read_path(reader), reader.faults[start:]))
    reader.finish()
    check_paths(reader, paths)
    return tuple(path for path, _ in paths)


def pick(branch: Branch, members: Mapping[str, AttributeValue]) -> Item:
    """Pick the values at the paths out of a map, in the shape that leads there.

    Lists close up in the order of indexes.
    """
    picked: Item = {}
    for name, below in branch.names.items():
        value = members.get(name)
        if value is not None and not isinstance(below, int):
            value = _pick_below(below, value)
        if value is not None:
            picked[name] = value
    return picked


def _pick_below(branch: Branch, value: AttributeValue) -> AttributeValue | None:
    if "M" in value:
        members = pick(branch, value["M"])
        return {"M": members} if members else None
    elements: list[AttributeValue] = value.get("L", [])
    picked: list[AttributeValue] = []
    for index in sorted(branch.indexes):
        below = branch.indexes[index]
        element = elements[index] if index < len(elements) else None
        if element is not None and not isinstance(below, int):
            element = _pick_below(below, element)
        if element is not None:
            picked.append(element)
    return {"L": picked} if picked else None
