"""The grammar of conditions, filters and key conditions.

``OR`` binds loosest, then ``AND``, then ``NOT``. A group may hold a condition or, as in
``(a) = :v``, one operand of a comparison, which shows only after it is closed. Groups are kept on
a stack of their own, so that deep nesting does not exhaust Python's.
"""

from __future__ import annotations

from dataclasses import dataclass, field

from gotgan.store.engine.expressions.operands import (
    check_distinct,
    check_operand,
    note_misuse,
    read_bare_operand,
    read_operand,
)
from gotgan.store.engine.expressions.reader import ExpressionReader
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

__all__ = ["read_condition"]

MAX_CHOICES = 100
COMPARATORS = ("=", "<>", "<", "<=", ">", ">=")


@dataclass(slots=True)
class _Group:
    """What has been read of one group: alternatives, each a chain of conditions, and NOTs."""

    opened: int
    alternatives: list[list[ConditionTree]] = field(default_factory=lambda: [[]])
    negations: int = 0

    @property
    def is_empty(self) -> bool:
        return not self.negations and self.alternatives == [[]]

    def add(self, condition: ConditionTree) -> None:
        """Add a condition to the chain, under the NOTs that stand before it."""
        for _ in range(self.negations):
            condition = Not(condition)
        self.negations = 0
        self.alternatives[-1].append(condition)

    def tree(self) -> ConditionTree:
        """The whole group as one condition."""
        chains = [chain[0] if len(chain) == 1 else And(tuple(chain)) for chain in self.alternatives]
        return chains[0] if len(chains) == 1 else Or(tuple(chains))


def read_condition(reader: ExpressionReader) -> ConditionTree:
    """Read a whole condition, up to the end of the text."""
    groups = [_Group(opened=-1)]
    _open_groups(reader, groups)
    node: ConditionTree | Operand = read_bare_operand(reader)
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
    return _finish(reader, groups)


def _open_groups(reader: ExpressionReader, groups: list[_Group]) -> None:
    """Read the NOTs and parentheses that stand before an operand."""
    while True:
        if reader.accept("NOT"):
            groups[-1].negations += 1
            reader.operators += 1
        elif (opened := reader.open_group()) is not None:
            groups.append(_Group(opened))
        else:
            return


def _close_group(
    reader: ExpressionReader,
    group: _Group,
    node: ConditionTree | Operand,
) -> ConditionTree | Operand:
    if not (group.is_empty and isinstance(node, Path | Value | Function)):
        group.add(_condition(reader, node))
        node = group.tree()
    reader.close_group(group.opened)
    return node


def _finish(reader: ExpressionReader, groups: list[_Group]) -> ConditionTree:
    if len(groups) > 1:
        reader.fail()
    reader.finish()
    reader.refuse_first(reader.faults)
    reader.check_operators()
    return groups[0].tree()


def _read_comparison(
    reader: ExpressionReader, left: ConditionTree | Operand
) -> ConditionTree | Operand:
    if not isinstance(left, Path | Value | Function):
        return left
    operator = reader.accept(*COMPARATORS, "BETWEEN", "IN")
    if operator is None:
        return left
    check_operand(reader, left)
    reader.operators += 1
    if operator == "BETWEEN":
        return _read_between(reader, left)
    if operator == "IN":
        return _read_in(reader, left)
    right = read_operand(reader)
    check_distinct(reader, operator, left, (right,))
    return Comparison(operator, left, right)


def _read_between(reader: ExpressionReader, operand: Operand) -> Between:
    low = read_operand(reader)
    reader.expect("AND")
    high = read_operand(reader)
    check_distinct(reader, "BETWEEN", operand, (low, high))
    return Between(operand, low, high)


def _read_in(reader: ExpressionReader, operand: Operand) -> In:
    reader.expect("(")
    choices = [read_operand(reader)]
    while reader.accept(","):
        choices.append(read_operand(reader))
    reader.expect(")")
    if len(choices) > MAX_CHOICES:
        # AWS counts the operand before IN too.
        reader.faults.append(
            "The IN operator is provided with too many operands; "
            f"number of operands: {1 + len(choices)}",
        )
    check_distinct(reader, "IN", operand, tuple(choices))
    return In(operand, tuple(choices))


def _condition(reader: ExpressionReader, node: ConditionTree | Operand) -> ConditionTree:
    """Insist that what was read is a condition, not a mere operand."""
    if isinstance(node, Path | Value):
        reader.fail()
    if isinstance(node, Function) and node.name == "size":
        note_misuse(reader, node.name)
    return node
