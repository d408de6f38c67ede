"""The parameters from before expressions, translated into expressions.

``Expected``, ``QueryFilter``, ``ScanFilter`` and ``KeyConditions`` become conditions,
``AttributeUpdates`` an update and ``AttributesToGet`` a projection. The translated request has them
under the names of the expressions, parsed, so everything behind it knows one notation.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, Final

from gotgan.store.engine.expressions import nodes
from gotgan.store.engine.expressions.evaluation import Values, compile_condition
from gotgan.store.engine.expressions.operands import path_tree
from gotgan.store.engine.expressions.parser import (
    ParsedCondition,
    ParsedProjection,
    Update,
    absent_attribute,
    check_placeholders,
)
from gotgan.store.engine.expressions.updates import OperandMismatch, UpdatePlan, plan_update
from gotgan.store.engine.faults import ValidationException, invalid_value
from gotgan.store.engine.values import AttributeValue, Item, clean, less, type_of

LEGACY: Final = frozenset(
    {
        "AttributeUpdates",
        "AttributesToGet",
        "ConditionalOperator",
        "Expected",
        "KeyConditions",
        "QueryFilter",
        "ScanFilter",
    }
)

_CONDITION: Final = (("ConditionExpression",), ("Expected", "ConditionalOperator"))
# The expressions of each operation and what was there before them, in the order of AWS's messages.
_NOTATIONS: Final[Mapping[str, tuple[tuple[str, ...], tuple[str, ...]]]] = {
    "GetItem": (("ProjectionExpression",), ("AttributesToGet",)),
    "PutItem": _CONDITION,
    "DeleteItem": _CONDITION,
    "UpdateItem": (
        ("UpdateExpression", "ConditionExpression"),
        ("AttributeUpdates", "Expected", "ConditionalOperator"),
    ),
    "Query": (
        ("ProjectionExpression", "FilterExpression", "KeyConditionExpression"),
        ("AttributesToGet", "QueryFilter", "ConditionalOperator", "KeyConditions"),
    ),
    "Scan": (
        ("ProjectionExpression", "FilterExpression"),
        ("AttributesToGet", "ScanFilter", "ConditionalOperator"),
    ),
}
_CONDITIONS: Final = {
    "Expected": "ConditionExpression",
    "QueryFilter": "FilterExpression",
    "ScanFilter": "FilterExpression",
}

_COMPARISONS: Final = {"EQ": "=", "NE": "<>", "LE": "<=", "LT": "<", "GE": ">=", "GT": ">"}
_FUNCTIONS: Final = {
    "NULL": "attribute_not_exists",
    "NOT_NULL": "attribute_exists",
    "BEGINS_WITH": "begins_with",
    "CONTAINS": "contains",
    "NOT_CONTAINS": "contains",
}
_NOT_INDEXABLE: Final = frozenset({"CONTAINS", "IN", "NE", "NOT_CONTAINS", "NOT_NULL", "NULL"})
_OPERAND_COUNTS: Final = {"NULL": 0, "NOT_NULL": 0, "BETWEEN": 2}
_SCALARS: Final = frozenset({"S", "N", "B"})
_OPERAND_TYPES: Final = {
    **dict.fromkeys(("LE", "LT", "GE", "GT", "BETWEEN", "IN"), _SCALARS),
    **dict.fromkeys(("CONTAINS", "NOT_CONTAINS"), _SCALARS),
    "BEGINS_WITH": frozenset({"S", "B"}),
}
_SETS: Final = frozenset({"SS", "NS", "BS"})
_MAX_KEY_CONDITIONS: Final = 2


def translate(operation: str, request: Mapping[str, Any]) -> dict[str, Any]:
    """Return the request with expressions; one that mixes both notations is refused."""
    expressions, others = _NOTATIONS[operation]
    given = [name for name in expressions if request.get(name) is not None]
    legacy = [name for name in others if request.get(name) is not None]
    _refuse_mixture(given, legacy)
    names, values = (request.get(f"ExpressionAttribute{kind}") for kind in ("Names", "Values"))
    check_placeholders(names, values, {name: request.get(name) for name in expressions})
    translated = {name: member for name, member in request.items() if name not in LEGACY}
    constants = _Constants(values or {})
    for name in legacy:
        if (target := _CONDITIONS.get(name)) is not None:
            operator = request.get("ConditionalOperator")
            translated[target] = _condition(name, request[name], operator, constants)
        elif name == "AttributesToGet":
            translated["ProjectionExpression"] = _projection(request[name])
        elif name == "AttributeUpdates":
            translated["UpdateExpression"] = _update(request[name], constants)
        elif name == "KeyConditions":
            translated["KeyConditionExpression"] = _key_condition(request[name], constants)
    _check_operator(request, legacy)
    if constants.added:
        translated["ExpressionAttributeValues"] = {**constants.given, **constants.added}
    return translated


def _refuse_mixture(given: Sequence[str], legacy: Iterable[str]) -> None:
    """Refuse both notations in one request; only KeyConditions may stand beside a filter."""
    if "KeyConditionExpression" not in given:
        legacy = [name for name in legacy if name != "KeyConditions"]
    if given and (mixed := ", ".join(legacy)):
        raise ValidationException(
            "Can not use both expression and non-expression parameters in the same request:"
            f" Non-expression parameters: {{{mixed}}}"
            f" Expression parameters: {{{', '.join(given)}}}"
        )


def _check_operator(request: Mapping[str, Any], legacy: Iterable[str]) -> None:
    if "ConditionalOperator" not in legacy:
        return
    count = max((len(request[name]) for name in legacy if name in _CONDITIONS), default=0)
    if count == 0:
        raise ValidationException("ConditionalOperator cannot be used without Filter or Expected")
    if count == 1:
        raise ValidationException(
            "ConditionalOperator can only be used when Filter or Expected has two or more elements"
        )


@dataclass(frozen=True, slots=True)
class _Constants:
    """The values that a request brought under placeholders, and those that it now has as well."""

    given: Mapping[str, Any]
    added: Item = field(default_factory=dict)

    def add(self, value: AttributeValue) -> nodes.Value:
        """Return the placeholder of a value."""
        number = len(self.added)
        while (name := f":{number}") in self.given or name in self.added:
            number += 1
        self.added[name] = value
        return nodes.Value(name)


def _condition(
    kind: str, given: Mapping[str, Mapping[str, Any]], operator: str | None, constants: _Constants
) -> ParsedCondition | None:
    """Translate Expected or a filter; an empty one is none."""
    read = _expected_comparison if kind == "Expected" else _comparison
    terms = tuple(_tree(name, *read(name, entry), constants) for name, entry in given.items())
    if not terms:
        return None
    joined = nodes.Or(terms) if operator == "OR" else nodes.And(terms)
    return _parsed(kind, terms[0] if len(terms) == 1 else joined, given, constants)


def _parsed(
    kind: str, tree: nodes.ConditionTree, attributes: Iterable[str], constants: _Constants
) -> ParsedCondition:
    return ParsedCondition(
        kind=kind,
        names=frozenset(),
        values=frozenset(constants.added),
        tree=tree,
        attributes=frozenset(attributes),
        absent=absent_attribute(tree),
        test=compile_condition(tree),
    )


def _tree(
    name: str, operator: str, operands: Sequence[AttributeValue], constants: _Constants
) -> nodes.ConditionTree:
    """Return the condition that a comparison operator stands for."""
    path = nodes.Path((name,))
    values = tuple(map(constants.add, operands))
    if operator == "BETWEEN":
        return nodes.Between(path, *values)
    if operator == "IN":
        return nodes.In(path, values)
    if operator in _COMPARISONS:
        return nodes.Comparison(_COMPARISONS[operator], path, *values)
    function = nodes.Function(_FUNCTIONS[operator], (path, *values))
    return nodes.Not(function) if operator == "NOT_CONTAINS" else function


def _comparison(_name: str, entry: Mapping[str, Any]) -> tuple[str, list[AttributeValue]]:
    """Read one condition of a filter or of KeyConditions."""
    operator: str = entry["ComparisonOperator"]
    operands = [clean(value)[0] for value in entry.get("AttributeValueList") or ()]
    _check_operands(operator, operands)
    return operator, operands


def _expected_comparison(name: str, entry: Mapping[str, Any]) -> tuple[str, list[AttributeValue]]:
    """Read one condition of Expected: a comparison, or a value that is there or is not."""
    operator: str | None = entry.get("ComparisonOperator")
    value, values = entry.get("Value"), entry.get("AttributeValueList")
    if value is not None and values is not None:
        raise _expected_error("Value and AttributeValueList cannot be used together", name)
    if operator is None:
        if values is not None:
            raise _expected_error(
                "AttributeValueList can only be used with a ComparisonOperator", name
            )
        return _existence(name, entry)
    if entry.get("Exists") is not None:
        raise _expected_error("Exists and ComparisonOperator cannot be used together", name)
    if value is None and values is None and _OPERAND_COUNTS.get(operator) != 0:
        raise _expected_error(
            f"Value or AttributeValueList must be used with ComparisonOperator: {operator}", name
        )
    operands = [value] if value is not None else values
    return _comparison(name, {"ComparisonOperator": operator, "AttributeValueList": operands})


def _existence(name: str, entry: Mapping[str, Any]) -> tuple[str, list[AttributeValue]]:
    value, exists = entry.get("Value"), entry.get("Exists")
    if exists is False:
        if value is not None:
            raise _expected_error("Value cannot be used when Exists is false", name)
        return "NULL", []
    if value is None:
        state = "null" if exists is None else "true"
        raise _expected_error(f"Value must be provided when Exists is {state}", name)
    return "EQ", [clean(value)[0]]


def _expected_error(reason: str, name: str) -> ValidationException:
    return invalid_value(f"{reason} for Attribute: {name}")


def _check_operands(operator: str, operands: Sequence[AttributeValue]) -> None:
    """Refuse a wrong number of values, or values of wrong or several types."""
    count = len(operands)
    if count != (max(count, 1) if operator == "IN" else _OPERAND_COUNTS.get(operator, 1)):
        raise invalid_value(f"Invalid number of argument(s) for the {operator} ComparisonOperator")
    kinds = {type_of(operand) for operand in operands}
    if len(kinds) > 1:
        raise invalid_value("AttributeValues inside AttributeValueList must be of same type")
    for kind in kinds - _OPERAND_TYPES.get(operator, kinds):
        raise invalid_value(
            f"ComparisonOperator {operator} is not valid for {kind} AttributeValue type"
        )
    if operator == "BETWEEN" and less(operands[1], operands[0]):
        raise ValidationException(
            "The BETWEEN condition was provided a range where the lower bound is greater than the"
            " upper bound"
        )


def _key_condition(
    given: Mapping[str, Mapping[str, Any]], constants: _Constants
) -> ParsedCondition:
    """Translate KeyConditions; whether they fit the key is judged as for the expression."""
    read = {name: _comparison(name, entry) for name, entry in given.items()}
    if not 1 <= len(read) <= _MAX_KEY_CONDITIONS:
        raise ValidationException("Conditions can be of length 1 or 2 only")
    if any(operator in _NOT_INDEXABLE for operator, _ in read.values()):
        raise ValidationException("Attempted conditional constraint is not an indexable operation")
    terms = tuple(_tree(name, *term, constants) for name, term in read.items())
    return _parsed("KeyConditions", nodes.And(terms), given, constants)


def _projection(names: Sequence[str]) -> ParsedProjection:
    for place, name in enumerate(names):
        if name in names[:place]:
            raise invalid_value(f"Duplicate value in attribute name: {name}")
    paths = tuple(nodes.Path((name,)) for name in names)
    return ParsedProjection(
        kind="AttributesToGet",
        names=frozenset(),
        values=frozenset(),
        paths=paths,
        root=path_tree(paths),
    )


@dataclass(frozen=True, slots=True)
class _LegacyPlan(UpdatePlan):
    """An update whose refusals are those of AttributeUpdates."""

    def run(self, item: Item, values: Values) -> Item:
        """Return the item after the update."""
        try:
            return UpdatePlan.run(self, item, values)
        except OperandMismatch as error:
            raise ValidationException("Type mismatch for attribute to update") from error


def _update(given: Mapping[str, Mapping[str, Any]], constants: _Constants) -> Update | None:
    """Translate AttributeUpdates; without any, the item is only made."""
    actions = tuple(_action(name, entry, constants) for name, entry in given.items())
    if not actions:
        return None
    plan = plan_update(actions)
    return Update(
        kind="AttributeUpdates",
        names=frozenset(),
        values=frozenset(constants.added),
        actions=actions,
        paths=tuple(action.path for action in actions),
        plan=_LegacyPlan(plan.steps, plan.root),
    )


def _action(name: str, entry: Mapping[str, Any], constants: _Constants) -> nodes.Action:
    path = nodes.Path((name,))
    action = entry.get("Action") or "PUT"
    if entry.get("Value") is None:
        if action != "DELETE":
            raise invalid_value(
                "Only DELETE action is allowed when no attribute value is specified"
            )
        return nodes.Remove(path)
    value = clean(entry["Value"])[0]
    kind = type_of(value)
    if action == "PUT":
        return nodes.Set(path, constants.add(value))
    if action == "DELETE":
        if kind not in _SETS:
            raise invalid_value(f"DELETE action with value is not supported for the type {kind}")
        return nodes.Delete(path, constants.add(value))
    if kind == "L":  # the ADD of an expression takes no lists
        old = nodes.Function("if_not_exists", (path, constants.add({"L": []})))
        return nodes.Set(path, nodes.Function("list_append", (old, constants.add(value))))
    if kind != "N" and kind not in _SETS:
        raise invalid_value(f"ADD action is not supported for the type {kind}")
    return nodes.Add(path, constants.add(value))
