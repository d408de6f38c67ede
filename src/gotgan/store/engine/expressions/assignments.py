"""What each action of an update makes of the value at its path."""

from __future__ import annotations

from collections.abc import Callable
from typing import NoReturn, TypeAlias

from gotgan.store.engine import numbers
from gotgan.store.engine.expressions.evaluation import Values, compile_path
from gotgan.store.engine.expressions.tree import (
    Action,
    Add,
    Arithmetic,
    Delete,
    Function,
    Operand,
    Path,
    Remove,
    Set,
    Value,
)
from gotgan.store.engine.faults import ValidationException
from gotgan.store.engine.values import AttributeValue, Item, type_of

__all__ = ["Step", "compile_action"]

# From the whole item before the update, the values of the call and the old value at the path
# to the new value; None is no value.
Step: TypeAlias = Callable[[Item, Values, AttributeValue | None], AttributeValue | None]
_Compute: TypeAlias = Callable[[Item, Values], AttributeValue]


def compile_action(action: Action) -> Step:
    """Make the function that carries out one action."""
    match action:
        case Set(_, value):
            compute = _compile_value(value)
            return lambda item, values, _old: compute(item, values)
        case Remove():
            return lambda _item, _values, _old: None
        case Add(_, Value(name)):
            return lambda _item, values, old: _added(old, values[name])
        case Delete(_, Value(name)):
            return lambda _item, values, old: _deleted(old, values[name])


def _compile_value(value: Operand | Arithmetic) -> _Compute:
    match value:
        case Value(name):
            return lambda _item, values: values[name]
        case Path():
            return _attribute(value)
        case Arithmetic(operator, left, right):
            return _arithmetic(operator, _compile_value(left), _compile_value(right))
        case Function("list_append", (first, second)):
            return _list_append(_compile_value(first), _compile_value(second))
        case Function("if_not_exists", (Path() as path, default)):
            return _if_not_exists(path, _compile_value(default))
    raise AssertionError(value)


def _attribute(path: Path) -> _Compute:
    read = compile_path(path)

    def compute(item: Item, values: Values) -> AttributeValue:
        value = read(item, values)
        if value is None:
            raise ValidationException(
                "The provided expression refers to an attribute that does not exist in the item",
            )
        return value

    return compute


def _if_not_exists(path: Path, default: _Compute) -> _Compute:
    read = compile_path(path)

    def compute(item: Item, values: Values) -> AttributeValue:
        value = read(item, values)
        return default(item, values) if value is None else value

    return compute


def _list_append(first: _Compute, second: _Compute) -> _Compute:
    def compute(item: Item, values: Values) -> AttributeValue:
        one, two = first(item, values), second(item, values)
        if "L" not in one or "L" not in two:
            _refuse_type()
        return {"L": [*one["L"], *two["L"]]}

    return compute


def _arithmetic(operator: str, left: _Compute, right: _Compute) -> _Compute:
    combine = numbers.add if operator == "+" else numbers.subtract

    def compute(item: Item, values: Values) -> AttributeValue:
        one, two = left(item, values), right(item, values)
        if "N" not in one or "N" not in two:
            _refuse_type()
        return {"N": combine(one["N"], two["N"])}

    return compute


def _added(old: AttributeValue | None, value: AttributeValue) -> AttributeValue:
    if old is None:
        return value
    kind = type_of(value)
    if kind not in old:
        _refuse_type()
    if kind == "N":
        return {"N": numbers.add(old["N"], value["N"])}
    return {kind: list(dict.fromkeys([*old[kind], *value[kind]]))}


def _deleted(old: AttributeValue | None, value: AttributeValue) -> AttributeValue | None:
    if old is None:
        return None
    kind = type_of(value)
    if kind not in old:
        _refuse_type()
    taken = set(value[kind])
    left = [member for member in old[kind] if member not in taken]
    return {kind: left} if left else None


def _refuse_type() -> NoReturn:
    raise ValidationException("An operand in the update expression has an incorrect data type")
