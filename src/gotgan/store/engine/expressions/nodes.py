"""The syntax tree of an expression: paths are resolved, values stay placeholders."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TypeAlias


@dataclass(frozen=True, slots=True)
class Path:
    """A document path: an attribute's name, then names in maps and indexes of lists."""

    steps: tuple[str | int, ...]

    @property
    def name(self) -> str:
        """The name of the top-level attribute."""
        return str(self.steps[0])

    def __str__(self) -> str:
        shown = (f"[{step}]" if isinstance(step, int) else step for step in self.steps)
        return f"[{', '.join(shown)}]"


@dataclass(frozen=True, slots=True)
class Value:
    """A placeholder such as ``:price``, whose value comes with each call."""

    name: str


@dataclass(frozen=True, slots=True)
class Function:
    """A call such as ``size(a)``; some are conditions, some are operands."""

    name: str
    arguments: tuple[Operand, ...]


Operand: TypeAlias = Path | Value | Function


@dataclass(frozen=True, slots=True)
class Comparison:
    """Two operands and one of =, <>, <, <=, >, >=."""

    operator: str
    left: Operand
    right: Operand


@dataclass(frozen=True, slots=True)
class Between:
    """An operand within two bounds, both included."""

    operand: Operand
    low: Operand
    high: Operand


@dataclass(frozen=True, slots=True)
class In:
    """An operand that equals one of several."""

    operand: Operand
    choices: tuple[Operand, ...]


@dataclass(frozen=True, slots=True)
class Not:
    """The opposite of a condition."""

    condition: ConditionTree


@dataclass(frozen=True, slots=True)
class And:
    """Conditions that must all hold."""

    conditions: tuple[ConditionTree, ...]


@dataclass(frozen=True, slots=True)
class Or:
    """Conditions of which one must hold."""

    conditions: tuple[ConditionTree, ...]


ConditionTree: TypeAlias = Comparison | Between | In | Function | Not | And | Or


@dataclass(frozen=True, slots=True)
class Arithmetic:
    """The sum or the difference of two numbers."""

    operator: str
    left: Operand
    right: Operand


@dataclass(frozen=True, slots=True)
class Set:
    """Write a value at a path."""

    path: Path
    value: Operand | Arithmetic


@dataclass(frozen=True, slots=True)
class Remove:
    """Remove the value at a path."""

    path: Path


@dataclass(frozen=True, slots=True)
class Add:
    """Add a number to a number, or members to a set."""

    path: Path
    value: Value


@dataclass(frozen=True, slots=True)
class Delete:
    """Take members out of a set."""

    path: Path
    value: Value


Action: TypeAlias = Set | Remove | Add | Delete
