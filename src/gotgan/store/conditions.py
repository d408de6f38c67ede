"""Conditions of writes, filters of reads: ``attr("x") == 1``, joined with ``&``, ``|``, ``~``."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, Literal

from gotgan.store.attributes import AttributeValue, encode

if TYPE_CHECKING:
    from gotgan.store.schema import EntityScope

Comparator = Literal["=", "<>", "<", "<=", ">", ">="]


@dataclass
class Expression:
    """The names and values of one request's expressions, behind placeholders."""

    scope: EntityScope
    names: dict[str, str] = field(default_factory=dict)
    values: dict[str, AttributeValue] = field(default_factory=dict)

    def name(self, attribute: str) -> str:
        """The placeholder of an attribute, or of a path into it such as ``prices.now``."""
        steps = attribute.split(".")
        return ".".join(self.names.setdefault(s, f"#n{len(self.names)}") for s in steps)

    def value(self, value: AttributeValue) -> str:
        """The placeholder of a value."""
        placeholder = f":v{len(self.values)}"
        self.values[placeholder] = value
        return placeholder

    def members(self) -> dict[str, Any]:
        """The members of a request that define the placeholders."""
        members: dict[str, Any] = {}
        if self.names:
            members["ExpressionAttributeNames"] = {mark: name for name, mark in self.names.items()}
        if self.values:
            members["ExpressionAttributeValues"] = self.values
        return members


@dataclass(frozen=True)
class Condition:
    """Something that is true of an item, or not."""

    write: Callable[[Expression], str]
    """Gives the condition as DynamoDB reads it, with placeholders of an expression."""

    def __and__(self, other: Condition) -> Condition:
        return Condition(lambda into: f"({self.write(into)} AND {other.write(into)})")

    def __or__(self, other: Condition) -> Condition:
        return Condition(lambda into: f"({self.write(into)} OR {other.write(into)})")

    def __invert__(self) -> Condition:
        return Condition(lambda into: f"(NOT {self.write(into)})")

    def __bool__(self) -> bool:
        raise TypeError("join conditions with & and |; and, or and not cannot be overloaded")


@dataclass(frozen=True, eq=False)
class Attr:
    """An attribute, by the name of its field; comparing it gives a condition."""

    name: str
    is_raw: bool = False
    """Whether the name is that of the attribute itself."""

    __hash__ = object.__hash__

    def __eq__(self, other: object) -> Condition:  # type: ignore[override]
        return self._compare("=", other)

    def __ne__(self, other: object) -> Condition:  # type: ignore[override]
        return self._compare("<>", other)

    def __lt__(self, other: object) -> Condition:
        return self._compare("<", other)

    def __le__(self, other: object) -> Condition:
        return self._compare("<=", other)

    def __gt__(self, other: object) -> Condition:
        return self._compare(">", other)

    def __ge__(self, other: object) -> Condition:
        return self._compare(">=", other)

    def between(self, low: object, high: object) -> Condition:
        """Both bounds included."""
        return Condition(
            lambda into: (
                f"{self.place(into)} BETWEEN {self.operand(low, into)} AND "
                f"{self.operand(high, into)}"
            )
        )

    def is_in(self, *values: object) -> Condition:
        """One of these values."""
        return Condition(
            lambda into: (
                f"{self.place(into)} IN ({', '.join(self.operand(each, into) for each in values)})"
            )
        )

    def begins_with(self, text: str) -> Condition:
        """Text that begins so."""
        return Condition(
            lambda into: f"begins_with({self.place(into)}, {self.operand(text, into)})"
        )

    def contains(self, value: object) -> Condition:
        """Text that has this in it, or a list or set that has this member."""
        return Condition(lambda into: f"contains({self.place(into)}, {into.value(encode(value))})")

    def exists(self) -> Condition:
        """The item has the attribute."""
        return Condition(lambda into: f"attribute_exists({self.place(into)})")

    def missing(self) -> Condition:
        """The item does not have the attribute."""
        return Condition(lambda into: f"attribute_not_exists({self.place(into)})")

    def place(self, into: Expression) -> str:
        """The attribute's placeholder in an expression."""
        return into.name(self.name if self.is_raw else into.scope.attribute(self.name))

    def operand(self, value: object, into: Expression) -> str:
        """What it is compared with: another attribute's placeholder, or a value's."""
        if isinstance(value, Attr):
            return value.place(into)
        stored = value if self.is_raw else into.scope.dump(self.name, value)
        return into.value(encode(stored))

    def _compare(self, sign: Comparator, other: object) -> Condition:
        return Condition(lambda into: f"{self.place(into)} {sign} {self.operand(other, into)}")


def attr(name: str) -> Attr:
    """An attribute, by the name of an entity's field, or a path into it such as ``prices.now``."""
    return Attr(name)


def raw(name: str) -> Attr:
    """An attribute by the name that it is stored under, whether or not an entity knows it."""
    return Attr(name, is_raw=True)
