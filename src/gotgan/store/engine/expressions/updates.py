"""The grammar of update expressions, and what an update makes of an item.

Every operand reads the item as it was before the update, and the indexes of a list are those of
the list before it. Nothing is changed in place: what an update does not touch is shared.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import NamedTuple, NoReturn, TypeAlias

from gotgan.store.engine import numbers
from gotgan.store.engine.expressions import nodes
from gotgan.store.engine.expressions.evaluation import Values, compile_path
from gotgan.store.engine.expressions.lexer import ExpressionReader, TokenKind
from gotgan.store.engine.expressions.operands import (
    Branch,
    check_operand,
    check_paths,
    path_tree,
    read_bare_operand,
    read_operand,
    read_path,
    read_value,
)
from gotgan.store.engine.faults import ValidationException
from gotgan.store.engine.values import AttributeValue, Item, size_of, type_of


class OperandMismatch(ValidationException):
    """A value in the item or in the request has another type than the update needs."""


_Grammar: TypeAlias = Callable[[ExpressionReader, nodes.Path], nodes.Action]
# From the whole item before the update, the values of the call and the old value at the path
# to the new value; None removes it.
_Step: TypeAlias = Callable[[Item, Values, AttributeValue | None], AttributeValue | None]
_ValueFunction: TypeAlias = Callable[[Item, Values], AttributeValue]


class _ParsedAction(NamedTuple):
    """An action, with the faults of its path and those of the rest."""

    action: nodes.Action
    path_faults: list[str]
    other_faults: list[str]


def read_update(reader: ExpressionReader) -> tuple[nodes.Action, ...]:
    """Read a whole update, up to the end of the text."""
    sections: list[str] = []
    parsed: list[_ParsedAction] = []
    while not sections or reader.token.kind is not TokenKind.END:
        sections.append(reader.expect(*_SECTIONS))
        parsed.append(_read_action(reader, _SECTIONS[sections[-1]]))
        while reader.accept(","):
            parsed.append(_read_action(reader, _SECTIONS[sections[-1]]))
    reader.finish()
    for section in _SECTIONS:
        if sections.count(section) > 1:
            reader.refuse(f'The "{section}" section can only be used once in an update expression;')
    check_paths(reader, [(each.action.path, each.path_faults) for each in parsed])
    for each in reversed(parsed):
        reader.refuse_first(each.other_faults)
    reader.check_operators()
    return tuple(each.action for each in parsed)


def _read_action(reader: ExpressionReader, read_rest: _Grammar) -> _ParsedAction:
    start = len(reader.faults)
    path = read_path(reader)
    middle = len(reader.faults)
    action = read_rest(reader, path)
    return _ParsedAction(action, reader.faults[start:middle], reader.faults[middle:])


def _read_set(reader: ExpressionReader, path: nodes.Path) -> nodes.Set:
    reader.expect("=")
    return nodes.Set(path, _read_new_value(reader))


def _read_new_value(reader: ExpressionReader) -> nodes.Operand | nodes.Arithmetic:
    left = _read_term(reader)
    if isinstance(left, nodes.Arithmetic):  # it was in parentheses
        return left
    if operator := reader.accept("+", "-"):
        check_operand(reader, left)
        reader.operators += 1
        return nodes.Arithmetic(operator, left, read_operand(reader))
    return left


def _read_term(reader: ExpressionReader) -> nodes.Operand | nodes.Arithmetic:
    opened = reader.open_group()
    if opened is None:
        return read_bare_operand(reader)
    inner = _read_new_value(reader)
    reader.close_group(opened)
    return inner


_SECTIONS: dict[str, _Grammar] = {
    "SET": _read_set,
    "REMOVE": lambda _reader, path: nodes.Remove(path),
    "ADD": lambda reader, path: nodes.Add(path, read_value(reader)),
    "DELETE": lambda reader, path: nodes.Delete(path, read_value(reader)),
}


@dataclass(frozen=True, slots=True)
class UpdatePlan:
    """An update made ready to run: what each action does, and where."""

    steps: tuple[_Step, ...]
    root: Branch

    def run(self, item: Item, values: Values) -> Item:
        """Return the item after the update."""
        return _UpdateRun(self.steps, item, values).change_map(self.root, item)


def plan_update(actions: Sequence[nodes.Action]) -> UpdatePlan:
    """Make an update ready to run."""
    steps = tuple(map(_compile_action, actions))
    return UpdatePlan(steps, path_tree(each.path for each in actions))


@dataclass(frozen=True, slots=True)
class _UpdateRun:
    """One update of one item: the item before, and the values of the call."""

    steps: tuple[_Step, ...]
    item: Item
    values: Values

    def change_map(self, branch: Branch, members: Item) -> Item:
        changed = dict(members)
        for name, below in branch.names.items():
            new = self._change_value(below, members.get(name))
            if new is None:
                changed.pop(name, None)
            else:
                changed[name] = new
        return changed

    def _change_list(self, branch: Branch, elements: list[AttributeValue]) -> list[AttributeValue]:
        changed: dict[int, AttributeValue | None] = dict(enumerate(elements))
        for index, below in branch.indexes.items():
            changed[index] = self._change_value(below, changed.get(index))
        # Past the end of the list there are no gaps: new elements follow in the order of indexes.
        in_order = (changed[index] for index in sorted(changed))
        return [value for value in in_order if value is not None]

    def _change_value(
        self, below: Branch | int, old: AttributeValue | None
    ) -> AttributeValue | None:
        if isinstance(below, int):
            return self.steps[below](self.item, self.values, old)
        if below.names and old is not None and "M" in old:
            return {"M": self.change_map(below, old["M"])}
        if below.indexes and old is not None and "L" in old:
            return {"L": self._change_list(below, old["L"])}
        raise ValidationException(
            "The document path provided in the update expression is invalid for update"
        )


def _compile_action(action: nodes.Action) -> _Step:
    match action:
        case nodes.Set(_, value):
            compute = _compile_value(value)
            return lambda item, values, _old: compute(item, values)
        case nodes.Remove():
            return lambda _item, _values, _old: None
        case nodes.Add(_, nodes.Value(name)):
            return lambda _item, values, old: _add_to(old, values[name])
        case nodes.Delete(_, nodes.Value(name)):
            return lambda _item, values, old: _delete_from(old, values[name])


def _compile_value(value: nodes.Operand | nodes.Arithmetic) -> _ValueFunction:
    match value:
        case nodes.Value(name):
            return lambda _item, values: values[name]
        case nodes.Path():
            return _attribute(value)
        case nodes.Arithmetic(operator, left, right):
            return _arithmetic(operator, _compile_value(left), _compile_value(right))
        case nodes.Function("list_append", (first, second)):
            return _list_append(_compile_value(first), _compile_value(second))
        case nodes.Function("if_not_exists", (nodes.Path() as path, default)):
            return _if_not_exists(path, _compile_value(default))
    raise AssertionError(value)


def _attribute(path: nodes.Path) -> _ValueFunction:
    read = compile_path(path)

    def compute(item: Item, values: Values) -> AttributeValue:
        value = read(item, values)
        if value is None:
            raise ValidationException(
                "The provided expression refers to an attribute that does not exist in the item"
            )
        return value

    return compute


def _if_not_exists(path: nodes.Path, default: _ValueFunction) -> _ValueFunction:
    read = compile_path(path)

    def compute(item: Item, values: Values) -> AttributeValue:
        value = read(item, values)
        return default(item, values) if value is None else value

    return compute


def _list_append(first: _ValueFunction, second: _ValueFunction) -> _ValueFunction:
    def compute(item: Item, values: Values) -> AttributeValue:
        one, two = first(item, values), second(item, values)
        if "L" not in one or "L" not in two:
            _refuse_type()
        return {"L": [*one["L"], *two["L"]]}

    return compute


def _arithmetic(operator: str, left: _ValueFunction, right: _ValueFunction) -> _ValueFunction:
    combine = numbers.add if operator == "+" else numbers.subtract

    def compute(item: Item, values: Values) -> AttributeValue:
        one, two = left(item, values), right(item, values)
        if "N" not in one or "N" not in two:
            _refuse_type()
        return {"N": combine(one["N"], two["N"])}

    return compute


def _add_to(old: AttributeValue | None, value: AttributeValue) -> AttributeValue:
    if old is None:
        return value
    kind = type_of(value)
    if kind not in old:
        _refuse_type()
    if kind == "N":
        return {"N": numbers.add(old["N"], value["N"])}
    return {kind: list(dict.fromkeys([*old[kind], *value[kind]]))}


def _delete_from(old: AttributeValue | None, value: AttributeValue) -> AttributeValue | None:
    if old is None:
        return None
    kind = type_of(value)
    if kind not in old:
        _refuse_type()
    taken = set(value[kind])
    left = [member for member in old[kind] if member not in taken]
    return {kind: left} if left else None


def _refuse_type() -> NoReturn:
    raise OperandMismatch("An operand in the update expression has an incorrect data type")


# What DynamoDB adds for each part of an update when it measures the update itself. Nothing of this
# is documented; it was recorded by the authors of ministack.
_UPDATE_BYTES = 3
_VALUE_ACTION_BYTES = 19
_REMOVAL_BYTES = 1
_TARGET_STEP_BYTES = 4
_PATH_BYTES = 1
_PATH_STEP_BYTES = 14
_OPERATOR_BYTES = {"+": 34, "-": 37, "if_not_exists": 39, "list_append": 37}


def update_size(actions: Sequence[nodes.Action], item: Item, values: Values) -> int:
    """Measure what an update brings, which may be no more than an item may weigh."""
    return _UPDATE_BYTES + sum(_action_size(action, item, values) for action in actions)


def _action_size(action: nodes.Action, item: Item, values: Values) -> int:
    first, *rest = action.path.steps
    target = _step_size(first) + sum(_TARGET_STEP_BYTES + _step_size(step) for step in rest)
    match action:
        case nodes.Set(_, value):
            return _VALUE_ACTION_BYTES + target + _operand_size(value, values)
        case nodes.Add(path, nodes.Value(name)):
            added = _new_members(compile_path(path)(item, values), values[name])
            return _VALUE_ACTION_BYTES + target + size_of(added)
        case _:
            return _REMOVAL_BYTES + target


def _new_members(old: AttributeValue | None, value: AttributeValue) -> AttributeValue:
    """Return a value without the members that a set has already."""
    kind = type_of(value)
    if old is None or kind == "N" or kind not in old:
        return value
    return {kind: [member for member in value[kind] if member not in old[kind]]}


def _operand_size(operand: nodes.Operand | nodes.Arithmetic, values: Values) -> int:
    match operand:
        case nodes.Value(name):
            return size_of(values[name])
        case nodes.Path(steps):
            return _PATH_BYTES + sum(_PATH_STEP_BYTES + _step_size(step) for step in steps)
        case nodes.Function(name, parts):
            return _OPERATOR_BYTES[name] + sum(_operand_size(part, values) for part in parts)
        case nodes.Arithmetic(operator, left, right):
            both = _operand_size(left, values) + _operand_size(right, values)
            return _OPERATOR_BYTES[operator] + both


def _step_size(step: str | int) -> int:
    return len(str(step).encode("utf-8", "surrogatepass"))
