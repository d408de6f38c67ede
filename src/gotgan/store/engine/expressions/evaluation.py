"""Conditions made ready to run: each tree becomes one function of an item and its values.

A missing attribute has no value; a comparison with it is false, except that it differs (``<>``)
from everything.

Whether the values of a call fit an expression is checked before it runs. The checks are found once,
when an expression is parsed; an expression that any values fit has none.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from typing import Any, TypeAlias

from gotgan.store.engine.expressions import nodes
from gotgan.store.engine.values import AttributeValue, equal, less, type_of

Attributes: TypeAlias = Mapping[str, AttributeValue]
Values: TypeAlias = Mapping[str, AttributeValue]
Read: TypeAlias = Callable[[Attributes, Values], AttributeValue | None]
Test: TypeAlias = Callable[[Attributes, Values], bool]
ValueCheck: TypeAlias = Callable[[Values], str | None]
"""Returns what is wrong with the values of a call; None where nothing is."""

_ORDERED_TYPES = frozenset({"S", "N", "B"})
_SET_TYPES = frozenset({"SS", "NS", "BS"})
_ARGUMENT_TYPES = {
    "begins_with": frozenset({"S", "B"}),
    "size": frozenset({"S", "B", "SS", "NS", "BS", "L", "M"}),
    "list_append": frozenset({"L"}),
}
_TYPE_NAMES = ("B", "NULL", "SS", "BOOL", "L", "BS", "N", "NS", "S", "M")
_LONG_TYPE_NAMES = {
    "S": "STRING",
    "N": "NUMBER",
    "B": "BINARY",
    "M": "MAP",
    "L": "LIST",
    "BOOL": "BOOLEAN",
    "NULL": "NULL",
}


def compile_condition(tree: nodes.ConditionTree) -> Test:
    """Make the function that says whether a condition holds."""
    match tree:
        case nodes.And(conditions) | nodes.Or(conditions):
            join = _all if isinstance(tree, nodes.And) else _any
            return join([compile_condition(each) for each in conditions])
        case nodes.Not(condition):
            test = compile_condition(condition)
            return lambda item, values: not test(item, values)
        case nodes.Comparison(operator, left, right):
            return _compare(operator, _compile_operand(left), _compile_operand(right))
        case nodes.Between(operand, low, high):
            return _between(*map(_compile_operand, (operand, low, high)))
        case nodes.In(operand, choices):
            return _in(_compile_operand(operand), [_compile_operand(each) for each in choices])
        case nodes.Function(name, arguments):
            return _FUNCTIONS[name](*map(_compile_operand, arguments))


def _compile_operand(operand: nodes.Operand) -> Read:
    match operand:
        case nodes.Path():
            return compile_path(operand)
        case nodes.Value(name):
            return lambda _item, values: values[name]
        case nodes.Function(_, (argument,)):
            return _size(_compile_operand(argument))
    raise AssertionError(operand)


def compile_path(path: nodes.Path) -> Read:
    """Return a function that reads the value at a path, or None."""
    name, rest = path.name, path.steps[1:]
    if not rest:
        return lambda item, _values: item.get(name)

    def read(item: Attributes, _values: Values) -> AttributeValue | None:
        value = item.get(name)
        for step in rest:
            if value is None:
                return None
            value = _member(value, step)
        return value

    return read


def _member(value: AttributeValue, step: str | int) -> AttributeValue | None:
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


def _compare(operator: str, left: Read, right: Read) -> Test:
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


def _both(holds: Callable[[AttributeValue, AttributeValue], bool]) -> Callable[[Read, Read], Test]:
    """Make a function of two operands, which is false where one of them is missing."""

    def compiled(first: Read, second: Read) -> Test:
        def test(item: Attributes, values: Values) -> bool:
            one, two = first(item, values), second(item, values)
            return one is not None and two is not None and holds(one, two)

        return test

    return compiled


def _starts_with(value: AttributeValue, start: AttributeValue) -> bool:
    kind = "S" if "S" in start else "B"
    if kind not in value or kind not in start:
        return False
    return bool(value[kind].startswith(start[kind]))


def _contains(value: AttributeValue, part: AttributeValue) -> bool:
    [(kind, content)] = value.items()
    [(part_kind, part_content)] = part.items()
    if kind == "L":
        return any(equal(element, part) for element in content)
    if kind in _SET_TYPES:
        return part_kind == kind[0] and part_content in content
    return kind in {"S", "B"} and part_kind == kind and part_content in content


def _size(operand: Read) -> Read:
    def read(item: Attributes, values: Values) -> AttributeValue | None:
        value = operand(item, values)
        if value is None:
            return None
        [(kind, content)] = value.items()
        return None if kind in {"N", "BOOL", "NULL"} else {"N": str(_length(content))}

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
    "attribute_exists": lambda read: lambda item, values: read(item, values) is not None,
    "attribute_not_exists": lambda read: lambda item, values: read(item, values) is None,
    "attribute_type": _both(lambda value, wanted: wanted.get("S") in value),
    "begins_with": _both(_starts_with),
    "contains": _both(_contains),
}


def condition_checks(tree: nodes.ConditionTree) -> Iterator[ValueCheck]:
    """Find the checks of a condition, in the order of its text."""
    match tree:
        case nodes.And(conditions) | nodes.Or(conditions):
            for condition in conditions:
                yield from condition_checks(condition)
        case nodes.Not(condition):
            yield from condition_checks(condition)
        case nodes.Comparison(operator, left, right):
            yield from _operand_checks(left, right)
            if operator not in {"=", "<>"}:
                yield _types_check(operator, _ORDERED_TYPES, (left, right))
        case nodes.Between(operand, low, high):
            yield from _operand_checks(operand, low, high)
            yield _types_check("BETWEEN", _ORDERED_TYPES, (operand, low, high))
            if isinstance(low, nodes.Value) and isinstance(high, nodes.Value):
                yield _bounds_check(low.name, high.name)
        case nodes.In(operand, choices):
            yield from _operand_checks(operand, *choices)
        case nodes.Function():
            yield from _operand_checks(tree)


def update_checks(actions: Iterable[nodes.Action]) -> Iterator[ValueCheck]:
    """Find the checks of an update."""
    for action in actions:
        match action:
            case nodes.Set(_, nodes.Arithmetic(operator, left, right)):
                yield from _operand_checks(left, right)
                yield _types_check(operator, frozenset({"N"}), (left, right))
            case nodes.Set(_, nodes.Function() as function):
                yield from _operand_checks(function)
            case nodes.Add(_, value):
                yield _action_check("ADD", _SET_TYPES | {"N"}, value.name)
            case nodes.Delete(_, value):
                yield _action_check("DELETE", _SET_TYPES, value.name)


def _operand_checks(*operands: nodes.Operand) -> Iterator[ValueCheck]:
    for operand in operands:
        match operand:
            case nodes.Function("attribute_type", (first, second)):
                yield from _operand_checks(first, second)
                yield _type_name_check(second)
            case nodes.Function(name, arguments):
                yield from _operand_checks(*arguments)
                if name in _ARGUMENT_TYPES:
                    yield _types_check(name, _ARGUMENT_TYPES[name], arguments)


def _types_check(
    operator: str, allowed: frozenset[str], operands: tuple[nodes.Operand, ...]
) -> ValueCheck:
    """The operands of an operator or function must be of certain types."""

    def check(values: Values) -> str | None:
        for operand in operands:
            kind = _known_type(operand, values)
            if kind is not None and kind not in allowed:
                return _wrong_type(operator, kind)
        return None

    return check


def _bounds_check(low: str, high: str) -> ValueCheck:
    """The bounds of BETWEEN must be of one type and in order."""

    def check(values: Values) -> str | None:
        lower, upper = values[low], values[high]
        if type_of(lower) != type_of(upper):
            rule = "same data type for lower and upper bounds"
        elif less(upper, lower):
            rule = "upper bound to be greater than or equal to lower bound"
        else:
            return None
        return (
            f"The BETWEEN operator requires {rule}; lower bound operand: "
            f"{_value_text(lower)}, upper bound operand: {_value_text(upper)}"
        )

    return check


def _type_name_check(operand: nodes.Operand) -> ValueCheck:
    """The second operand of attribute_type must be the name of a type."""

    def check(values: Values) -> str | None:
        kind = _known_type(operand, values)
        if not isinstance(operand, nodes.Value) or kind != "S":
            return _wrong_type("attribute_type", kind or "{NS,SS,L,BS,N,M,B,BOOL,NULL,S}")
        name = values[operand.name]["S"]
        if name not in _TYPE_NAMES:
            valid = ",".join(_TYPE_NAMES)
            return f"Invalid attribute type name found; type: {name}, valid types: {{{valid}}}"
        return None

    return check


def _action_check(section: str, allowed: frozenset[str], name: str) -> ValueCheck:
    """The value of ADD or DELETE must be of certain types."""

    def check(values: Values) -> str | None:
        kind = type_of(values[name])
        if kind in allowed:
            return None
        return (
            "Incorrect operand type for operator or function; "
            f"operator: {section}, operand type: {_LONG_TYPE_NAMES[kind]}, "
            f"typeSet: ALLOWED_FOR_{section}_OPERAND"
        )

    return check


def _known_type(operand: nodes.Operand, values: Values) -> str | None:
    """The type that an operand has in every item, if there is one."""
    if isinstance(operand, nodes.Value):
        return type_of(values[operand.name])
    return "N" if isinstance(operand, nodes.Function) and operand.name == "size" else None


def _wrong_type(operator: str, kind: str) -> str:
    return (
        "Incorrect operand type for operator or function; "
        f"operator or function: {operator}, operand type: {kind}"
    )


def _value_text(value: AttributeValue) -> str:
    [(kind, content)] = value.items()
    return f"AttributeValue: {{{kind}:{content}}}"
