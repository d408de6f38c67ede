"""Expressions by chance: correct ones, whose outcome depends on the item they meet."""

from __future__ import annotations

from random import Random
from typing import Any

from tests.oracle.random_values import NAMES, of_type, value

__all__ = ["Drawn", "condition", "projection", "update"]

_COMPARISONS = ("=", "<>", "<", "<=", ">", ">=")
_TYPES = ("S", "N", "B", "SS", "NS", "BS", "L", "M", "BOOL", "NULL")


class Drawn:
    """What is drawn for one request: its placeholders are collected here."""

    def __init__(self, dice: Random) -> None:
        self.dice = dice
        self.names: dict[str, str] = {}
        self.values: dict[str, Any] = {}

    def constant(self, content: dict[str, Any]) -> str:
        """A placeholder for a value."""
        name = f":v{len(self.values)}"
        self.values[name] = content
        return name

    def top(self) -> str:
        """A top-level attribute, by its name or by a placeholder."""
        name = self.dice.choice(NAMES)
        if self.dice.random() < 0.3:
            self.names[f"#{name}"] = name
            return f"#{name}"
        return name

    def path(self) -> str:
        """A document path, mostly short."""
        inner = ("", "", "", f".{self.dice.choice(NAMES)}", f"[{self.dice.randrange(3)}]")
        return self.top() + self.dice.choice(inner)

    def members(self) -> dict[str, Any]:
        """The members of the request which hold the placeholders."""
        members: dict[str, Any] = {}
        if self.names:
            members["ExpressionAttributeNames"] = self.names
        if self.values:
            members["ExpressionAttributeValues"] = self.values
        return members


def condition(drawn: Drawn, depth: int = 2) -> str:
    """A condition or filter."""
    dice = drawn.dice
    if depth and dice.random() < 0.4:
        joined = f"{condition(drawn, depth - 1)} {dice.choice(('AND', 'OR'))} "
        return f"({joined}{condition(drawn, depth - 1)})"
    plain = dice.choice((_comparison, _between, _among, _existence, _function, _size))(drawn)
    return f"NOT {plain}" if dice.random() < 0.2 else plain


def update(drawn: Drawn) -> str:
    """An update expression on distinct top-level attributes; it always sets one."""
    dice = drawn.dice
    first, *rest = dice.sample(NAMES, dice.randint(1, 4))
    clauses: dict[str, list[str]] = {"SET": [_assignment(drawn, first)]}
    for name in rest:
        clause, action = dice.choice((_set, _remove, _add, _delete))(drawn, name)
        clauses.setdefault(clause, []).append(action)
    return " ".join(f"{clause} {', '.join(actions)}" for clause, actions in clauses.items())


def projection(drawn: Drawn) -> str:
    """A projection on distinct top-level attributes."""
    dice = drawn.dice
    names = dice.sample(NAMES, dice.randint(1, 3))
    inner = ("", "", ".a", "[0]", "[1]", ".b.c", "[0].a")
    return ", ".join(name + dice.choice(inner) for name in names)


def _comparison(drawn: Drawn) -> str:
    dice = drawn.dice
    operator = dice.choice(_COMPARISONS)
    ordered = operator not in ("=", "<>")
    content = of_type(dice, dice.choice("SNB")) if ordered else value(dice)
    return f"{drawn.path()} {operator} {drawn.constant(content)}"


def _between(drawn: Drawn) -> str:
    low, high = sorted(drawn.dice.sample(range(-3, 12), 2))
    bounds = [drawn.constant({"N": str(bound)}) for bound in (low, high)]
    return f"{drawn.path()} BETWEEN {bounds[0]} AND {bounds[1]}"


def _among(drawn: Drawn) -> str:
    options = [drawn.constant(value(drawn.dice, 0)) for _ in range(drawn.dice.randint(1, 3))]
    return f"{drawn.path()} IN ({', '.join(options)})"


def _existence(drawn: Drawn) -> str:
    return f"{drawn.dice.choice(('attribute_exists', 'attribute_not_exists'))}({drawn.path()})"


def _function(drawn: Drawn) -> str:
    dice = drawn.dice
    name = dice.choice(("begins_with", "contains", "attribute_type"))
    if name == "attribute_type":
        content = {"S": dice.choice(_TYPES)}
    else:
        content = of_type(dice, "S" if name == "begins_with" else dice.choice("SN"))
    return f"{name}({drawn.path()}, {drawn.constant(content)})"


def _size(drawn: Drawn) -> str:
    bound = drawn.constant({"N": str(drawn.dice.randrange(5))})
    return f"size({drawn.path()}) {drawn.dice.choice(_COMPARISONS)} {bound}"


def _assignment(drawn: Drawn, name: str) -> str:
    kept = drawn.constant(value(drawn.dice))
    return drawn.dice.choice((f"{name} = {kept}", f"{name} = if_not_exists({name}, {kept})"))


def _set(drawn: Drawn, name: str) -> tuple[str, str]:
    dice = drawn.dice
    number, items = {"N": str(dice.randrange(5))}, {"L": [value(dice, 0)]}
    forms = (
        lambda: f"{name} = {name} {dice.choice('+-')} {drawn.constant(number)}",
        lambda: f"{name} = list_append({name}, {drawn.constant(items)})",
        lambda: f"{name} = list_append({drawn.constant(items)}, {name})",
        lambda: f"{name}.a = {drawn.constant(value(dice, 0))}",
        lambda: f"{name}[0] = {drawn.constant(value(dice, 0))}",
        lambda: f"{name} = {drawn.constant(value(dice))}",
    )
    return "SET", dice.choice(forms)()


def _remove(drawn: Drawn, name: str) -> tuple[str, str]:
    return "REMOVE", name + drawn.dice.choice(("", "", ".a", "[0]"))


def _add(drawn: Drawn, name: str) -> tuple[str, str]:
    kind = drawn.dice.choice(("N", "SS", "NS"))
    return "ADD", f"{name} {drawn.constant(of_type(drawn.dice, kind))}"


def _delete(drawn: Drawn, name: str) -> tuple[str, str]:
    kind = drawn.dice.choice(("SS", "NS"))
    return "DELETE", f"{name} {drawn.constant(of_type(drawn.dice, kind))}"
