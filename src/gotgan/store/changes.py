"""A change of one item in the making: what is set, removed, added, and what must still hold."""

from __future__ import annotations

from dataclasses import dataclass, field
from decimal import Decimal
from typing import Any

from gotgan.store.attributes import AttributeValue, Item, encode, same
from gotgan.store.conditions import Condition, Expression, Scope

__all__ = [
    "Append",
    "Increment",
    "RemoveAttribute",
    "UpdateBuilder",
    "append",
    "increment",
    "remove",
]


@dataclass(frozen=True)
class Increment:
    """Add to a number, whatever it is; a missing one counts as the field's default, or as 0."""

    amount: int | Decimal


@dataclass(frozen=True)
class Append:
    """Add to the end of a list; a missing one counts as empty."""

    values: tuple[Any, ...]


@dataclass(frozen=True)
class RemoveAttribute:
    """Take the attribute away."""


def increment(amount: int | Decimal = 1) -> Increment:
    """In ``patch`` and ``update``: add to a number, whatever it is."""
    return Increment(amount)


def append(*values: Any) -> Append:
    """In ``patch`` and ``update``: add to the end of a list."""
    return Append(values)


def remove() -> RemoveAttribute:
    """In ``patch`` and ``update``: take an attribute away."""
    return RemoveAttribute()


@dataclass
class UpdateBuilder:
    """Collects the parts of an UpdateItem request."""

    scope: Scope
    sets: Item = field(default_factory=dict)
    removes: list[str] = field(default_factory=list)
    adds: dict[str, tuple[AttributeValue, AttributeValue]] = field(default_factory=dict)
    """What is added, and to what where there is nothing yet."""
    appends: Item = field(default_factory=dict)
    guards: list[Condition] = field(default_factory=list)
    texts: list[tuple[str, AttributeValue | None]] = field(default_factory=list)
    """Attributes that must still have a value, or must still be missing."""

    def put(self, attribute: str, value: AttributeValue | None) -> None:
        """Set an attribute, or remove it."""
        if value is None:
            self.removes.append(attribute)
        else:
            self.sets[attribute] = value

    def add(self, attribute: str, amount: int | Decimal, start: int | Decimal = 0) -> None:
        """Add to a number, counted by the database."""
        self.adds[attribute] = encode(amount), encode(start)

    def expect(self, attribute: str, value: AttributeValue | None) -> None:
        """Only if an attribute still has this value, or is still missing."""
        if (attribute, value) not in self.texts:
            self.texts.append((attribute, value))

    @property
    def is_empty(self) -> bool:
        """Whether there is nothing to write and nothing to ask."""
        return not (self.sets or self.removes or self.adds or self.appends or self.guards)

    @property
    def is_repeatable(self) -> bool:
        """Whether doing it twice is the same as once."""
        return not (self.adds or self.appends)

    def body(self, exists: str | None) -> dict[str, Any]:
        """The members of the request; ``exists`` is an attribute that the item must have."""
        into = Expression(self.scope)
        clauses = " ".join(self._clauses(into))
        request = {"UpdateExpression": clauses} if clauses else {}
        conditions = self._conditions(into, exists)
        if conditions:
            request["ConditionExpression"] = " AND ".join(conditions)
        return {**request, **into.members()}

    def is_done(self, item: Item | None) -> bool:
        """Whether an item is as the change would leave it."""
        return (
            item is not None
            and all(name in item and same(item[name], value) for name, value in self.sets.items())
            and not any(name in item for name in self.removes)
        )

    def _clauses(self, into: Expression) -> list[str]:
        sets = [f"{into.name(name)} = {into.value(value)}" for name, value in self.sets.items()]
        for name, values in self.appends.items():
            place, empty = into.name(name), into.value(encode([]))
            tail = into.value(values)
            sets.append(f"{place} = list_append(if_not_exists({place}, {empty}), {tail})")
        for name, (amount, start) in self.adds.items():
            place = into.name(name)
            now = f"if_not_exists({place}, {into.value(start)})"
            sets.append(f"{place} = {now} + {into.value(amount)}")
        removes = [into.name(name) for name in self.removes]
        clauses = {"SET": sets, "REMOVE": removes}
        return [f"{word} {', '.join(parts)}" for word, parts in clauses.items() if parts]

    def _conditions(self, into: Expression, exists: str | None) -> list[str]:
        conditions = [] if exists is None else [f"attribute_exists({into.name(exists)})"]
        for name, value in self.texts:
            place = into.name(name)
            if value is None:
                conditions.append(f"attribute_not_exists({place})")
            else:
                conditions.append(f"{place} = {into.value(value)}")
        return [*conditions, *(guard.write(into) for guard in self.guards)]
