"""Conditions made ready to run: each tree becomes one function of an item and its values.

A missing attribute has no value; a comparison with it is false, except that it differs (``<>``)
from everything.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any, TypeAlias

from gotgan.store.engine.expressions.tree import (
    And,
    Between,
    Comparison,
    ConditionTree,
    Function,
    In,
    Not,
    Operand,
    Or,
    Path,
    Value,
)
from gotgan.store.engine.values import AttributeValue, equal, less

__all__ = ["Read", "Test", "Values", "compile_condition", "compile_operand", "compile_path"]

Attributes: TypeAlias = Mapping[str, AttributeValue]
Values: TypeAlias = Mapping[str, AttributeValue]
Read: TypeAlias = Callable[[Attributes, Values], AttributeValue | None]
Test: TypeAlias = Callable[[Attributes, Values], bool]


def compile_condition(tree: ConditionTree) -> Test:
    """Make the function that says whether a condition holds."""
    match tree:
        case And(conditions):
            return _all([compile_condition(each) for each in conditions])
        case Or(conditions):
            return _any([compile_condition(each) for each in conditions])
        case Not(condition):
            return _not(compile_condition(condition))
    return _compile_simple(tree)


def compile_operand(operand: Operand) -> Read:
    """Make the function that reads an operand; it gives None where there is nothing."""
    match operand:
        case Path():
            return compile_path(operand)
        case Value(name):
            return lambda _item, values: values[name]
        case Function(_, (argument,)):
            return _size(compile_operand(argument))
    raise AssertionError(operand)


def compile_path(path: Path) -> Read:
    """Make the function that reads what stands at a path."""
    name, rest = path.name, path.steps[1:]
    if not rest:
        return lambda item, _values: item.get(name)

    def read(item: Attributes, _values: Values) -> AttributeValue | None:
        value = item.get(name)
        for step in rest:
            if value is None:
                return None
            value = _below(value, step)
        return value

    return read


def _compile_simple(tree: Comparison | Between | In | Function) -> Test:
    match tree:
        case Comparison(operator, left, right):
            return _compared(operator, compile_operand(left), compile_operand(right))
        case Between(operand, low, high):
            return _between(*map(compile_operand, (operand, low, high)))
        case In(operand, choices):
            return _in(compile_operand(operand), [compile_operand(each) for each in choices])
        case Function(name, arguments):
            return _FUNCTIONS[name](*map(compile_operand, arguments))


def _below(value: AttributeValue, step: str | int) -> AttributeValue | None:
    if isinstance(step, str):
        members: dict[str, AttributeValue] = value.get("M", {})
        return members.get(step)
    elements: list[AttributeValue] = value.get("L", [])
    return elements[step] if step < len(elements) else None


def _all(tests: list[Test]) -> Test:
    def test(item: Attributes, values: Values) -> bool:
        for each in tests:  # noqa: SIM110 - a generator would cost a third more, and more stack
            if not each(item, values):
                return False
        return True

    return test


def _any(tests: list[Test]) -> Test:
    def test(item: Attributes, values: Values) -> bool:
        for each in tests:  # noqa: SIM110 - as above
            if each(item, values):
                return True
        return False

    return test


def _not(test: Test) -> Test:
    return lambda item, values: not test(item, values)


def _compared(operator: str, left: Read, right: Read) -> Test:
    compare = _COMPARISONS[operator]

    def test(item: Attributes, values: Values) -> bool:
        one, two = left(item, values), right(item, values)
        if one is None or two is None:
            return operator == "<>"
        return compare(one, two)

    return test


def _between(operand: Read, low: Read, high: Read) -> Test:
    def test(item: Attributes, values: Values) -> bool:
        value, lower, upper = operand(item, values), low(item, values), high(item, values)
        if value is None or lower is None or upper is None:
            return False
        return less(value, lower) is False and less(upper, value) is False

    return test


def _in(operand: Read, choices: list[Read]) -> Test:
    def test(item: Attributes, values: Values) -> bool:
        value = operand(item, values)
        if value is None:
            return False
        found = (choice(item, values) for choice in choices)
        return any(other is not None and equal(value, other) for other in found)

    return test


def _exists(operand: Read) -> Test:
    return lambda item, values: operand(item, values) is not None


def _not_exists(operand: Read) -> Test:
    return lambda item, values: operand(item, values) is None


def _of_type(operand: Read, type_name: Read) -> Test:
    def test(item: Attributes, values: Values) -> bool:
        value, wanted = operand(item, values), type_name(item, values)
        return value is not None and wanted is not None and wanted.get("S") in value

    return test


def _begins_with(operand: Read, prefix: Read) -> Test:
    def test(item: Attributes, values: Values) -> bool:
        value, start = operand(item, values), prefix(item, values)
        return value is not None and start is not None and _starts(value, start)

    return test


def _starts(value: AttributeValue, start: AttributeValue) -> bool:
    kind = "S" if "S" in start else "B"
    if kind not in value or kind not in start:
        return False
    return bool(value[kind].startswith(start[kind]))


def _contains(operand: Read, member: Read) -> Test:
    def test(item: Attributes, values: Values) -> bool:
        value, part = operand(item, values), member(item, values)
        return value is not None and part is not None and _holds(value, part)

    return test


def _holds(value: AttributeValue, part: AttributeValue) -> bool:
    [(kind, content)] = value.items()
    [(part_kind, part_content)] = part.items()
    if kind == "L":
        return any(equal(element, part) for element in content)
    if kind in {"SS", "NS", "BS"}:
        return part_kind == kind[0] and part_content in content
    return kind in {"S", "B"} and part_kind == kind and part_content in content


def _size(operand: Read) -> Read:
    def read(item: Attributes, values: Values) -> AttributeValue | None:
        value = operand(item, values)
        if value is None:
            return None
        [(kind, content)] = value.items()
        if kind in {"N", "BOOL", "NULL"}:
            return None
        return {"N": str(_length(content))}

    return read


def _length(content: Any) -> int:
    """A string's length counts UTF-16 units, as Java does; all else counts what it holds."""
    if isinstance(content, str) and not content.isascii():
        return len(content.encode("utf-16-le", "surrogatepass")) // 2
    return len(content)


_COMPARISONS: dict[str, Callable[[AttributeValue, AttributeValue], bool]] = {
    "=": equal,
    "<>": lambda one, two: not equal(one, two),
    "<": lambda one, two: less(one, two) is True,
    ">": lambda one, two: less(two, one) is True,
    "<=": lambda one, two: less(two, one) is False,
    ">=": lambda one, two: less(one, two) is False,
}

_FUNCTIONS: dict[str, Callable[..., Test]] = {
    "attribute_exists": _exists,
    "attribute_not_exists": _not_exists,
    "attribute_type": _of_type,
    "begins_with": _begins_with,
    "contains": _contains,
}
