"""The grammar of conditions, filters and key conditions, and the keys that the latter ask for.

``OR`` binds loosest, then ``AND``, then ``NOT``. A group may hold a condition or, as in
``(a) = :v``, one operand of a comparison, which shows only after it is closed. Groups are kept on
an explicit stack, so that deep nesting does not exhaust Python's.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import NamedTuple, NoReturn, TypeAlias

from gotgan.store.engine.expressions import nodes
from gotgan.store.engine.expressions.evaluation import Values
from gotgan.store.engine.expressions.lexer import ExpressionReader
from gotgan.store.engine.expressions.operands import (
    check_distinct,
    check_operand,
    note_misuse,
    read_bare_operand,
    read_operand,
    read_operands,
)
from gotgan.store.engine.faults import ValidationException, invalid_value
from gotgan.store.engine.keys import KeySchema
from gotgan.store.engine.values import AttributeValue

MAX_CHOICES = 100
_COMPARATORS = ("=", "<>", "<", "<=", ">", ">=")
_Node: TypeAlias = nodes.ConditionTree | nodes.Operand
_MIRRORED = {"=": "=", "<": ">", "<=": ">=", ">": "<", ">=": "<="}


@dataclass(slots=True)
class _Group:
    """What has been read of one group: alternatives, each a chain of conditions, and NOTs."""

    opened: int
    alternatives: list[list[nodes.ConditionTree]] = field(default_factory=lambda: [[]])
    negations: int = 0

    def add(self, condition: nodes.ConditionTree) -> None:
        """Add a condition to the chain, under the NOTs before it."""
        for _ in range(self.negations):
            condition = nodes.Not(condition)
        self.negations = 0
        self.alternatives[-1].append(condition)

    def tree(self) -> nodes.ConditionTree:
        """The whole group as one condition."""
        chains = [
            chain[0] if len(chain) == 1 else nodes.And(tuple(chain)) for chain in self.alternatives
        ]
        return chains[0] if len(chains) == 1 else nodes.Or(tuple(chains))


def read_condition(reader: ExpressionReader) -> nodes.ConditionTree:
    """Read a whole condition, up to the end of the text."""
    groups = [_Group(opened=-1)]
    _open_groups(reader, groups)
    node: _Node = read_bare_operand(reader)
    while True:
        node = _read_comparison(reader, node)
        if len(groups) > 1 and reader.token.text == ")":
            node = _close_group(reader, groups.pop(), node)
            continue
        groups[-1].add(_condition(reader, node))
        word = reader.accept("AND", "OR")
        if word is None:
            break
        reader.operators += 1
        if word == "OR":
            groups[-1].alternatives.append([])
        _open_groups(reader, groups)
        node = read_bare_operand(reader)
    if len(groups) > 1:
        reader.fail()
    reader.finish()
    reader.refuse_first(reader.faults)
    reader.check_operators()
    return groups[0].tree()


def _open_groups(reader: ExpressionReader, groups: list[_Group]) -> None:
    """Read the NOTs and parentheses before an operand."""
    while True:
        if reader.accept("NOT"):
            groups[-1].negations += 1
            reader.operators += 1
        elif (opened := reader.open_group()) is not None:
            groups.append(_Group(opened))
        else:
            return


def _close_group(reader: ExpressionReader, group: _Group, node: _Node) -> _Node:
    is_empty = not group.negations and group.alternatives == [[]]
    if not (is_empty and isinstance(node, nodes.Path | nodes.Value | nodes.Function)):
        group.add(_condition(reader, node))
        node = group.tree()
    reader.close_group(group.opened)
    return node


def _read_comparison(reader: ExpressionReader, left: _Node) -> _Node:
    if not isinstance(left, nodes.Path | nodes.Value | nodes.Function):
        return left
    operator = reader.accept(*_COMPARATORS, "BETWEEN", "IN")
    if operator is None:
        return left
    check_operand(reader, left)
    reader.operators += 1
    if operator == "BETWEEN":
        low = read_operand(reader)
        reader.expect("AND")
        high = read_operand(reader)
        check_distinct(reader, operator, left, (low, high))
        return nodes.Between(left, low, high)
    if operator == "IN":
        return _read_in(reader, left)
    right = read_operand(reader)
    check_distinct(reader, operator, left, (right,))
    return nodes.Comparison(operator, left, right)


def _read_in(reader: ExpressionReader, operand: nodes.Operand) -> nodes.In:
    choices = read_operands(reader)
    if len(choices) > MAX_CHOICES:
        # AWS counts the operand before IN too.
        reader.faults.append(
            "The IN operator is provided with too many operands; "
            f"number of operands: {1 + len(choices)}"
        )
    check_distinct(reader, "IN", operand, choices)
    return nodes.In(operand, choices)


def _condition(reader: ExpressionReader, node: _Node) -> nodes.ConditionTree:
    """Refuse what is an operand, not a condition."""
    if isinstance(node, nodes.Path | nodes.Value):
        reader.fail()
    if isinstance(node, nodes.Function) and node.name == "size":
        note_misuse(reader, node.name)
    return node


class RangeCondition(NamedTuple):
    """A condition on an attribute of a sort key: =, <, <=, >, >=, BETWEEN or begins_with."""

    operator: str
    operands: tuple[AttributeValue, ...]


class KeyCondition(NamedTuple):
    """The values of the partition key's attributes, and what is asked of the sort key's.

    These are used from the left: ``range`` is the last condition, ``fixed`` the values before it.
    """

    partition: tuple[AttributeValue, ...]
    range: RangeCondition | None = None
    fixed: tuple[AttributeValue, ...] = ()


class _KeyTerm(NamedTuple):
    """One condition on one attribute."""

    attribute: str
    operator: str
    values: tuple[nodes.Value, ...]


def key_condition(tree: nodes.ConditionTree, schema: KeySchema, values: Values) -> KeyCondition:
    """Find the keys in a key condition, or refuse it; its values have been checked."""
    terms: dict[str, _KeyTerm] = {}
    for term in _key_terms(tree):
        if terms.setdefault(term.attribute, term) is not term:
            raise ValidationException(
                "KeyConditionExpressions must only contain one condition per key"
            )
    keys = schema.attributes
    if len(terms) > len(keys):
        raise ValidationException(
            f"The number of query conditions ({len(terms)}) exceeds the number of key attributes "
            f"defined in the schema ({len(keys)})"
        )
    count = len(schema.partition)
    used = keys[: max(len(terms), count)]
    for key in used:
        if key.name not in terms:
            raise ValidationException(f"Query condition missed key schema element: {key.name}")
    exact: list[AttributeValue] = []
    for key in used if len(used) == count else used[:-1]:
        term = terms[key.name]
        # Only the last attribute of the sort key that is used may have another operator.
        if term.operator != "=":
            raise ValidationException("Query key condition not supported")
        exact += _typed_values(term, key.type, values)
    if len(used) == count:
        return KeyCondition(tuple(exact))
    key, term = used[-1], terms[used[-1].name]
    last = RangeCondition(term.operator, _typed_values(term, key.type, values))
    return KeyCondition(tuple(exact[:count]), last, tuple(exact[count:]))


def _typed_values(term: _KeyTerm, wanted: str, values: Values) -> tuple[AttributeValue, ...]:
    found = tuple([values[each.name] for each in term.values])
    for value in found:
        if wanted not in value:
            raise invalid_value("Condition parameter type does not match schema type")
    return found


def _key_terms(tree: nodes.ConditionTree) -> Iterator[_KeyTerm]:
    match tree:
        case nodes.And(conditions):
            for condition in conditions:
                yield from _key_terms(condition)
        case nodes.Or() | nodes.Not() | nodes.In():
            _refuse_operator(type(tree).__name__.upper())
        case nodes.Comparison(operator, left, right) if operator in _MIRRORED:
            if isinstance(left, nodes.Value) and isinstance(right, nodes.Path):
                left, right, operator = right, left, _MIRRORED[operator]
            yield _key_term(operator, left, (right,))
        case nodes.Between(operand, low, high):
            yield _key_term("BETWEEN", operand, (low, high))
        case nodes.Function("begins_with", (operand, prefix)):
            yield _key_term("begins_with", operand, (prefix,))
        case nodes.Comparison(operator) | nodes.Function(operator):
            _refuse_operator(operator)


def _key_term(operator: str, key: nodes.Operand, operands: tuple[nodes.Operand, ...]) -> _KeyTerm:
    everything = (key, *operands)
    if any(isinstance(each, nodes.Function) for each in everything):
        raise ValidationException("KeyConditionExpressions cannot contain nested operations")
    paths = [each for each in everything if isinstance(each, nodes.Path)]
    if not paths:
        _refuse_condition("No key attribute specified")
    if not isinstance(key, nodes.Path):
        _refuse_condition(f"{operator} operator must have the key attribute as its first operand")
    if len(paths) > 1:
        _refuse_condition("Multiple attribute names used in one condition")
    if len(key.steps) > 1:
        raise ValidationException(
            "KeyConditionExpressions cannot have conditions on nested attributes"
        )
    return _KeyTerm(
        key.name, operator, tuple(each for each in operands if isinstance(each, nodes.Value))
    )


def _refuse_operator(operator: str) -> NoReturn:
    raise ValidationException(f"Invalid operator used in KeyConditionExpression: {operator}")


def _refuse_condition(reason: str) -> NoReturn:
    raise ValidationException(f"Invalid condition in KeyConditionExpression: {reason}")
