"""The grammar of values, paths and WHERE clauses: PartiQL's words for the trees of conditions."""

from __future__ import annotations

from collections.abc import Callable
from typing import TypeAlias, TypeGuard, TypeVar

from gotgan.store.engine.expressions import nodes
from gotgan.store.engine.expressions.conditions import MAX_CHOICES
from gotgan.store.engine.expressions.operands import MAX_DEPTH, MAX_INDEX
from gotgan.store.engine.faults import ValidationException
from gotgan.store.engine.partiql.lexer import StatementReader, StatementTokenKind, malformed
from gotgan.store.engine.partiql.statements import (
    BagLiteral,
    ListLiteral,
    Literal,
    MapLiteral,
    ScalarLiteral,
    StatementParameter,
)

T = TypeVar("T")

_Node: TypeAlias = nodes.ConditionTree | nodes.Operand

_MIRRORED = {"=": "=", "<>": "<>", "<": ">", "<=": ">=", ">": "<", ">=": "<="}
_ARITIES = {"attribute_type": 2, "begins_with": 2, "contains": 2, "size": 1}
_TYPES = {
    "BLOB": "B",
    "BOOLEAN": "BOOL",
    "LIST": "L",
    "NULL": "NULL",
    "NUMERIC": "N",
    "STRING": "S",
    "STRUCT": "M",
    "TUPLE": "M",
}
_WORDS: dict[str, ScalarLiteral] = {
    "TRUE": ScalarLiteral("BOOL", True),  # noqa: FBT003 - the content of a literal
    "FALSE": ScalarLiteral("BOOL", False),  # noqa: FBT003 - as above
    "NULL": ScalarLiteral("NULL", True),  # noqa: FBT003 - as above
}


class ConditionReader(StatementReader):
    """Reads values, paths and conditions; ``literals`` are those that a tree refers to."""

    def __init__(self, text: str) -> None:
        super().__init__(text)
        self.literals: list[Literal] = []
        self.parameters = 0

    def literal(self) -> Literal:
        """Read a value: a scalar, a list, a map, a set or a parameter."""
        token = self.token
        if token.kind is StatementTokenKind.STRING:
            return ScalarLiteral("S", self.take().text)
        if word := self.accept(*_WORDS):
            return _WORDS[word]
        if self.accept("?"):
            self.parameters += 1
            return StatementParameter(self.parameters - 1)
        if self.accept("["):
            return ListLiteral(self._members("]", self.literal))
        if self.accept("<<"):
            return BagLiteral(self._members(">>", self.literal))
        return self.map_literal() if token.text == "{" else self._number()

    def map_literal(self) -> MapLiteral:
        """Read ``{'a': 1}``."""
        self.expect("{")
        members = self._members("}", self._pair)
        names = [name for name, _ in members]
        if len(set(names)) < len(names):
            raise malformed("A name occurs twice in one map")
        return MapLiteral(members)

    def _pair(self) -> tuple[str, Literal]:
        if self.token.kind is not StatementTokenKind.STRING:
            self.fail()
        name = self.take().text
        self.expect(":")
        return name, self.literal()

    def _members(self, end: str, read: Callable[[], T]) -> tuple[T, ...]:
        if self.accept(end):
            return ()
        with self.nested():
            members = [read()]
            while self.accept(","):
                members.append(read())
        self.expect(end)
        return tuple(members)

    def _number(self) -> ScalarLiteral:
        sign = self.accept("-", "+")
        if self.token.kind is not StatementTokenKind.NUMBER:
            self.fail()
        return ScalarLiteral("N", f"{'-' if sign == '-' else ''}{self.take().text}")

    def value(self) -> nodes.Value:
        """Read a value of an expression."""
        self.literals.append(self.literal())
        return nodes.Value(f":{len(self.literals) - 1}")

    def path(self) -> nodes.Path:
        """Read a document path such as ``a."b"[0]``."""
        steps: list[str | int] = [self.identifier()]
        while sign := self.accept(".", "["):
            if sign == ".":
                if not self.token.is_identifier:
                    raise malformed("Invalid path dot component")
                steps.append(self.identifier())
            else:
                steps.append(self._index())
                self.expect("]")
        if len(steps) > MAX_DEPTH:
            raise ValidationException(
                f"The document path has too many nesting levels; nesting levels: {len(steps)}"
            )
        return nodes.Path(tuple(steps))

    def _index(self) -> int:
        text = self.token.text
        if self.token.kind is not StatementTokenKind.NUMBER or not text.isdecimal():
            self.fail()
        self.take()
        if len(text) > len(str(MAX_INDEX)) or int(text) > MAX_INDEX:
            raise ValidationException(
                f"List index is not within the allowable range; index: [{text}]"
            )
        return int(text)

    def where(self) -> nodes.ConditionTree | None:
        """Read a WHERE clause, if there is one."""
        return _condition(self, self._alternatives()) if self.accept("WHERE") else None

    def _alternatives(self) -> _Node:
        first = self._chain()
        if not self.accept("OR"):
            return first
        parts = [_condition(self, first), _condition(self, self._chain())]
        while self.accept("OR"):
            parts.append(_condition(self, self._chain()))
        return nodes.Or(tuple(parts))

    def _chain(self) -> _Node:
        first = self._negation()
        if not self.accept("AND"):
            return first
        parts = [_condition(self, first), _condition(self, self._negation())]
        while self.accept("AND"):
            parts.append(_condition(self, self._negation()))
        return nodes.And(tuple(parts))

    def _negation(self) -> _Node:
        if self.accept("NOT"):
            with self.nested():
                return nodes.Not(_condition(self, self._negation()))
        node = self._group()
        return self._predicate(node) if _is_operand(node) else node

    def _group(self) -> _Node:
        """Read an operand, or what is in parentheses: it shows later which of the two it is."""
        if not self.accept("("):
            return self.operand()
        with self.nested():
            node = self._alternatives()
            self.expect(")")
        return node

    def operand(self) -> nodes.Operand:
        """Read a path, a value or a call."""
        token = self.token
        if token.kind is StatementTokenKind.NAME and self.follows("("):
            return self._call()
        return self.path() if token.is_identifier else self.value()

    def _call(self) -> nodes.Function:
        name = self.identifier().lower()
        if name not in _ARITIES:
            raise ValidationException(f"Unsupported operation: {name}")
        self.expect("(")
        arguments = self._members(")", self._compared_operand)
        if len(arguments) != _ARITIES[name]:
            raise malformed(f"{name} takes {_ARITIES[name]} operands")
        return nodes.Function(name, arguments)

    def _compared_operand(self) -> nodes.Operand:
        """Read an operand, perhaps in parentheses."""
        node = self._group()
        return node if _is_operand(node) else self.fail()

    def _predicate(self, left: nodes.Operand) -> _Node:
        operator = self.accept(*_MIRRORED, "!=")
        if operator:
            return _comparison(
                "<>" if operator == "!=" else operator, left, self._compared_operand()
            )
        if self.accept("IS"):
            return self._type_test(left)
        if self.accept("NOT"):
            return nodes.Not(self._choice(left, self.expect("BETWEEN", "IN")))
        operator = self.accept("BETWEEN", "IN")
        return self._choice(left, operator) if operator else left

    def _choice(self, left: nodes.Operand, operator: str) -> nodes.ConditionTree:
        if operator == "BETWEEN":
            low = self._compared_operand()
            self.expect("AND")
            return nodes.Between(left, low, self._compared_operand())
        end = {"[": "]", "(": ")"}[self.expect("[", "(")]
        choices = self._members(end, self._compared_operand)
        if not 0 < len(choices) <= MAX_CHOICES:
            raise ValidationException(f"IN takes 1 to {MAX_CHOICES} values, not {len(choices)}")
        return nodes.In(left, choices)

    def _type_test(self, left: nodes.Operand) -> nodes.ConditionTree:
        negated = self.accept("NOT") is not None
        word = self.take().text.upper()
        if word == "MISSING":
            return nodes.Function(
                "attribute_exists" if negated else "attribute_not_exists", (left,)
            )
        if word not in _TYPES:
            raise ValidationException(
                f"IS is followed by MISSING or the name of a type, not by {word}"
            )
        self.literals.append(ScalarLiteral("S", _TYPES[word]))
        wanted = nodes.Value(f":{len(self.literals) - 1}")
        test = nodes.Function("attribute_type", (left, wanted))
        return nodes.Not(test) if negated else test


def _comparison(operator: str, left: nodes.Operand, right: nodes.Operand) -> nodes.Comparison:
    """Put the path first, where only one side is one: that is where keys are looked for."""
    if isinstance(left, nodes.Value) and not isinstance(right, nodes.Value):
        return nodes.Comparison(_MIRRORED[operator], right, left)
    return nodes.Comparison(operator, left, right)


def _is_operand(node: _Node) -> TypeGuard[nodes.Operand]:
    is_value = isinstance(node, nodes.Path | nodes.Value)
    return is_value or (isinstance(node, nodes.Function) and node.name == "size")


def _condition(reader: StatementReader, node: _Node) -> nodes.ConditionTree:
    """Refuse what is an operand, not a condition."""
    if isinstance(node, nodes.Path | nodes.Value) or _is_operand(node):
        reader.fail()
    return node
