"""What can be said of an expression only with the values of a call: whether they fit it.

The checks are found once, when an expression is parsed; an expression whose values fit whatever
they are has none.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from typing import Protocol

from gotgan.store.engine.expressions.evaluation import Values
from gotgan.store.engine.expressions.tree import (
    Action,
    Add,
    And,
    Arithmetic,
    Between,
    Comparison,
    ConditionTree,
    Delete,
    Function,
    In,
    Not,
    Operand,
    Or,
    Set,
    Value,
)
from gotgan.store.engine.values import AttributeValue, less, type_of

__all__ = ["ValueCheck", "condition_checks", "update_checks"]

_ORDERED = frozenset({"S", "N", "B"})
_TEXTS = frozenset({"S", "B"})
_MEASURED = frozenset({"S", "B", "SS", "NS", "BS", "L", "M"})
_SETS = frozenset({"SS", "NS", "BS"})
_TYPE_NAMES = ("B", "NULL", "SS", "BOOL", "L", "BS", "N", "NS", "S", "M")
_SPELT_OUT = {
    "S": "STRING",
    "N": "NUMBER",
    "B": "BINARY",
    "M": "MAP",
    "L": "LIST",
    "BOOL": "BOOLEAN",
    "NULL": "NULL",
}


class ValueCheck(Protocol):
    """Something to ask of the values of a call."""

    def fault(self, values: Values) -> str | None:
        """Say what is wrong, if anything is."""


@dataclass(frozen=True, slots=True)
class _Types:
    """The operands of an operator or function must be of certain types."""

    operator: str
    allowed: frozenset[str]
    operands: tuple[Operand, ...]

    def fault(self, values: Values) -> str | None:
        for operand in self.operands:
            kind = _known_type(operand, values)
            if kind is not None and kind not in self.allowed:
                return _wrong_type(self.operator, kind)
        return None


@dataclass(frozen=True, slots=True)
class _Bounds:
    """The bounds of BETWEEN must be of one type and in order."""

    low: Value
    high: Value

    def fault(self, values: Values) -> str | None:
        low, high = values[self.low.name], values[self.high.name]
        if type_of(low) != type_of(high):
            rule = "same data type for lower and upper bounds"
        elif less(high, low):
            rule = "upper bound to be greater than or equal to lower bound"
        else:
            return None
        return (
            f"The BETWEEN operator requires {rule}; "
            f"lower bound operand: {_shown(low)}, upper bound operand: {_shown(high)}"
        )


@dataclass(frozen=True, slots=True)
class _TypeName:
    """The second operand of attribute_type must be the name of a type."""

    operand: Operand

    def fault(self, values: Values) -> str | None:
        kind = _known_type(self.operand, values)
        if not isinstance(self.operand, Value) or kind != "S":
            return _wrong_type("attribute_type", kind or "{NS,SS,L,BS,N,M,B,BOOL,NULL,S}")
        name = values[self.operand.name]["S"]
        if name not in _TYPE_NAMES:
            valid = ",".join(_TYPE_NAMES)
            return f"Invalid attribute type name found; type: {name}, valid types: {{{valid}}}"
        return None


@dataclass(frozen=True, slots=True)
class _ActionType:
    """The value of ADD or DELETE must be of certain types."""

    section: str
    allowed: frozenset[str]
    value: Value

    def fault(self, values: Values) -> str | None:
        kind = type_of(values[self.value.name])
        if kind in self.allowed:
            return None
        return (
            "Incorrect operand type for operator or function; "
            f"operator: {self.section}, operand type: {_SPELT_OUT[kind]}, "
            f"typeSet: ALLOWED_FOR_{self.section}_OPERAND"
        )


def condition_checks(tree: ConditionTree) -> Iterator[ValueCheck]:
    """Find the checks of a condition, in the order of its text."""
    match tree:
        case And(conditions) | Or(conditions):
            for condition in conditions:
                yield from condition_checks(condition)
        case Not(condition):
            yield from condition_checks(condition)
        case Comparison(operator, left, right):
            yield from _operand_checks(left, right)
            if operator not in {"=", "<>"}:
                yield _Types(operator, _ORDERED, (left, right))
        case Between(operand, low, high):
            yield from _operand_checks(operand, low, high)
            yield _Types("BETWEEN", _ORDERED, (operand, low, high))
            if isinstance(low, Value) and isinstance(high, Value):
                yield _Bounds(low, high)
        case In(operand, choices):
            yield from _operand_checks(operand, *choices)
        case Function():
            yield from _operand_checks(tree)


def update_checks(actions: Iterable[Action]) -> Iterator[ValueCheck]:
    """Find the checks of an update."""
    for action in actions:
        match action:
            case Set(_, Arithmetic(operator, left, right)):
                yield from _operand_checks(left, right)
                yield _Types(operator, frozenset({"N"}), (left, right))
            case Set(_, Function() as function):
                yield from _operand_checks(function)
            case Add(_, value):
                yield _ActionType("ADD", _SETS | {"N"}, value)
            case Delete(_, value):
                yield _ActionType("DELETE", _SETS, value)


def _operand_checks(*operands: Operand) -> Iterator[ValueCheck]:
    for operand in operands:
        match operand:
            case Function("attribute_type", (first, second)):
                yield from _operand_checks(first, second)
                yield _TypeName(second)
            case Function(name, arguments):
                yield from _operand_checks(*arguments)
                if name in _ARGUMENT_TYPES:
                    yield _Types(name, _ARGUMENT_TYPES[name], arguments)


def _known_type(operand: Operand, values: Values) -> str | None:
    """The type that an operand has in every item, if there is one."""
    if isinstance(operand, Value):
        return type_of(values[operand.name])
    if isinstance(operand, Function) and operand.name == "size":
        return "N"
    return None


def _wrong_type(operator: str, kind: str) -> str:
    return (
        "Incorrect operand type for operator or function; "
        f"operator or function: {operator}, operand type: {kind}"
    )


def _shown(value: AttributeValue) -> str:
    [(kind, content)] = value.items()
    return f"AttributeValue: {{{kind}:{content}}}"


_ARGUMENT_TYPES = {
    "begins_with": _TEXTS,
    "list_append": frozenset({"L"}),
    "size": _MEASURED,
}
