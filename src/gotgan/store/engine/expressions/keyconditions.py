"""The keys that a KeyConditionExpression asks for."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import NoReturn

from gotgan.store.engine.expressions.evaluation import Values
from gotgan.store.engine.expressions.parser import ParsedCondition
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
from gotgan.store.engine.faults import ValidationException
from gotgan.store.engine.values import AttributeValue, type_of

__all__ = ["KeyCondition", "RangeCondition", "key_condition"]

_MIRRORED = {"=": "=", "<": ">", "<=": ">=", ">": "<", ">=": "<="}


@dataclass(frozen=True, slots=True)
class RangeCondition:
    """What is asked of the sort key: =, <, <=, >, >=, BETWEEN or begins_with."""

    operator: str
    operands: tuple[AttributeValue, ...]


@dataclass(frozen=True, slots=True)
class KeyCondition:
    """The partition key's value, and what is asked of the sort key."""

    hash: AttributeValue
    range: RangeCondition | None


@dataclass(frozen=True, slots=True)
class _Asked:
    """One condition on one attribute."""

    attribute: str
    operator: str
    values: tuple[Value, ...]


def key_condition(
    condition: ParsedCondition,
    hash_name: str,
    hash_type: str,
    range_name: str | None,
    range_type: str | None,
    values: Values,
) -> KeyCondition:
    """Find the keys in a key condition, or refuse it; its values have been checked."""
    asked = _by_attribute(_conditions(condition.tree))
    for_hash = _condition_on_hash(asked, hash_name, range_name)
    for_range = asked.get(range_name) if range_name is not None else None
    if for_hash.operator != "=":
        raise ValidationException("Query key condition not supported")
    [partition] = _typed(for_hash, hash_type, values)
    if for_range is None:
        return KeyCondition(partition, None)
    operands = _typed(for_range, str(range_type), values)
    return KeyCondition(partition, RangeCondition(for_range.operator, operands))


def _by_attribute(conditions: Iterator[_Asked]) -> dict[str, _Asked]:
    asked: dict[str, _Asked] = {}
    for each in conditions:
        if each.attribute in asked:
            raise ValidationException(
                "KeyConditionExpressions must only contain one condition per key",
            )
        asked[each.attribute] = each
    return asked


def _condition_on_hash(
    asked: dict[str, _Asked],
    hash_name: str,
    range_name: str | None,
) -> _Asked:
    keys = [hash_name] if range_name is None else [hash_name, range_name]
    if len(asked) > len(keys):
        raise ValidationException(
            f"The number of query conditions ({len(asked)}) exceeds the number of key attributes "
            f"defined in the schema ({len(keys)})",
        )
    for key in keys[: len(asked)]:
        if key not in asked:
            raise ValidationException(f"Query condition missed key schema element: {key}")
    return asked[hash_name]


def _typed(asked: _Asked, wanted: str, values: Values) -> tuple[AttributeValue, ...]:
    found = tuple(values[each.name] for each in asked.values)
    if any(type_of(value) != wanted for value in found):
        raise ValidationException(
            "One or more parameter values were invalid: "
            "Condition parameter type does not match schema type",
        )
    return found


def _conditions(tree: ConditionTree) -> Iterator[_Asked]:
    match tree:
        case And(conditions):
            for condition in conditions:
                yield from _conditions(condition)
        case Or() | Not() | In():
            _refuse_operator(type(tree).__name__.upper())
        case Comparison(operator, left, right) if operator in _MIRRORED:
            yield _compared(operator, left, right)
        case Between(operand, low, high):
            yield _asked("BETWEEN", operand, (low, high))
        case Function("begins_with", (operand, prefix)):
            yield _asked("begins_with", operand, (prefix,))
        case Comparison(operator) | Function(operator):
            _refuse_operator(operator)


def _compared(operator: str, left: Operand, right: Operand) -> _Asked:
    if isinstance(right, Path) and isinstance(left, Value):
        return _asked(_MIRRORED[operator], right, (left,))
    return _asked(operator, left, (right,))


def _asked(operator: str, key: Operand, operands: tuple[Operand, ...]) -> _Asked:
    everything = (key, *operands)
    if any(isinstance(each, Function) for each in everything):
        raise ValidationException("KeyConditionExpressions cannot contain nested operations")
    paths = [each for each in everything if isinstance(each, Path)]
    if not paths:
        _refuse_condition("No key attribute specified")
    if not isinstance(key, Path):
        _refuse_condition(f"{operator} operator must have the key attribute as its first operand")
    if len(paths) > 1:
        _refuse_condition("Multiple attribute names used in one condition")
    if len(key.steps) > 1:
        raise ValidationException(
            "Key attributes must be scalars; list random access '[]' and map lookup '.' are not "
            f"allowed: Key: {key.name}",
        )
    return _Asked(key.name, operator, tuple(each for each in operands if isinstance(each, Value)))


def _refuse_operator(operator: str) -> NoReturn:
    raise ValidationException(f"Invalid operator used in KeyConditionExpression: {operator}")


def _refuse_condition(reason: str) -> NoReturn:
    raise ValidationException(f"Invalid condition in KeyConditionExpression: {reason}")
