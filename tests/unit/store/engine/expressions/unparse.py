"""From a tree back to text, in one canonical spelling."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field

from gotgan.store.engine.expressions.lexer import KEYWORDS, is_reserved
from gotgan.store.engine.expressions.nodes import (
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
    Path,
    Remove,
    Set,
    Value,
)

__all__ = ["Unparsed", "unparse_condition", "unparse_paths", "unparse_update"]

_PLAIN_NAME = re.compile(r"[A-Za-z][A-Za-z0-9_]*", re.ASCII)
_SECTIONS = (Set, Remove, Add, Delete)


@dataclass(frozen=True, slots=True)
class Unparsed:
    """An expression's text, and the placeholders for names that cannot stand in it."""

    text: str
    names: dict[str, str]


def unparse_condition(tree: ConditionTree) -> Unparsed:
    """Write a condition."""
    writer = _Writer()
    return Unparsed(writer.condition(tree), writer.names)


def unparse_paths(paths: Iterable[Path]) -> Unparsed:
    """Write a projection."""
    writer = _Writer()
    return Unparsed(", ".join(map(writer.operand, paths)), writer.names)


def unparse_update(actions: Sequence[Action]) -> Unparsed:
    """Write an update, its sections in the order SET, REMOVE, ADD, DELETE."""
    writer = _Writer()
    sections = []
    for section in _SECTIONS:
        written = [writer.action(action) for action in actions if isinstance(action, section)]
        if written:
            sections.append(f"{section.__name__.upper()} {', '.join(written)}")
    return Unparsed(" ".join(sections), writer.names)


@dataclass(slots=True)
class _Writer:
    """Writes nodes, and gives a placeholder to each name that needs one."""

    names: dict[str, str] = field(default_factory=dict)

    def condition(self, tree: ConditionTree) -> str:
        match tree:
            case And(conditions):
                return " AND ".join(self._inner(each, (And, Or)) for each in conditions)
            case Or(conditions):
                return " OR ".join(self._inner(each, (Or,)) for each in conditions)
            case Not(condition):
                return f"NOT {self._inner(condition, (And, Or))}"
        return self._simple(tree)

    def _simple(self, tree: Comparison | Between | In | Function) -> str:
        match tree:
            case Comparison(operator, left, right):
                return f"{self.operand(left)} {operator} {self.operand(right)}"
            case Between(operand, low, high):
                bounds = f"{self.operand(low)} AND {self.operand(high)}"
                return f"{self.operand(operand)} BETWEEN {bounds}"
            case In(operand, choices):
                return f"{self.operand(operand)} IN ({', '.join(map(self.operand, choices))})"
            case Function():
                return self.operand(tree)

    def operand(self, operand: Operand | Arithmetic) -> str:
        match operand:
            case Path(steps):
                return "".join(map(self._step, steps)).removeprefix(".")
            case Value(name):
                return name
            case Function(name, arguments):
                return f"{name}({', '.join(map(self.operand, arguments))})"
            case Arithmetic(operator, left, right):
                return f"{self.operand(left)} {operator} {self.operand(right)}"

    def action(self, action: Action) -> str:
        path = self.operand(action.path)
        match action:
            case Set(_, value):
                return f"{path} = {self.operand(value)}"
            case Remove():
                return path
            case Add(_, value) | Delete(_, value):
                return f"{path} {self.operand(value)}"

    def _inner(self, tree: ConditionTree, looser: tuple[type, ...]) -> str:
        written = self.condition(tree)
        return f"({written})" if isinstance(tree, looser) else written

    def _step(self, step: str | int) -> str:
        return f"[{step}]" if isinstance(step, int) else f".{self._name(step)}"

    def _name(self, name: str) -> str:
        plain = _PLAIN_NAME.fullmatch(name) and not is_reserved(name)
        if plain and name.upper() not in KEYWORDS:
            return name
        for alias, known in self.names.items():
            if known == name:
                return alias
        alias = f"#n{len(self.names)}"
        self.names[alias] = name
        return alias
