"""What a PartiQL statement says, and its literals, which parameters complete at each call."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, TypeAlias

from gotgan.store.engine.expressions import nodes
from gotgan.store.engine.faults import ValidationException
from gotgan.store.engine.values import AttributeValue, Item, clean, type_of

_SET_TYPES = {"S": "SS", "N": "NS", "B": "BS"}


@dataclass(frozen=True, slots=True)
class StatementParameter:
    """A ``?``, by its place among all of a statement."""

    number: int


@dataclass(frozen=True, slots=True)
class ScalarLiteral:
    """A string, a number, a boolean or NULL."""

    type: str
    content: Any


@dataclass(frozen=True, slots=True)
class ListLiteral:
    """``[1, 'a']``."""

    members: tuple[Literal, ...]


@dataclass(frozen=True, slots=True)
class BagLiteral:
    """``<<1, 2>>``: a set."""

    members: tuple[Literal, ...]


@dataclass(frozen=True, slots=True)
class MapLiteral:
    """``{'a': 1}``."""

    members: tuple[tuple[str, Literal], ...]


Literal: TypeAlias = StatementParameter | ScalarLiteral | ListLiteral | BagLiteral | MapLiteral


def literal_value(literal: Literal, parameters: Sequence[AttributeValue]) -> AttributeValue:
    """Return the attribute value of a literal; it shares nothing with the statement."""
    match literal:
        case StatementParameter(number):
            return parameters[number]
        case ScalarLiteral(kind, content):
            return {kind: content}
        case ListLiteral(members):
            return {"L": [literal_value(member, parameters) for member in members]}
        case MapLiteral(pairs):
            return {"M": {name: literal_value(member, parameters) for name, member in pairs}}
        case BagLiteral(members):
            return _set_value([literal_value(member, parameters) for member in members])


def _set_value(members: list[AttributeValue]) -> AttributeValue:
    if not members:
        raise ValidationException("Empty bags are not supported")
    kind = type_of(members[0])
    if kind not in _SET_TYPES or any(type_of(member) != kind for member in members):
        raise ValidationException("The members of a set must be all strings or all numbers")
    return {_SET_TYPES[kind]: [member[kind] for member in members]}


@dataclass(frozen=True, slots=True, kw_only=True)
class PartiQLStatement:
    """What all statements have.

    Expressions name the ``literals`` by their places: ``:0`` is the first. ``returning`` is a
    ReturnValues of UpdateItem.
    """

    table: str
    literals: tuple[Literal, ...]
    parameters: int
    returning: str = "NONE"

    def values(self, given: Sequence[AttributeValue]) -> Item:
        """Return the values of the expressions, with the parameters of a call in their places."""
        return {
            f":{number}": clean(literal_value(literal, given))[0]
            for number, literal in enumerate(self.literals)
        }


@dataclass(frozen=True, slots=True, kw_only=True)
class SelectStatement(PartiQLStatement):
    """SELECT; without ``paths`` it shows whole items. ``order`` has (attribute, descending)."""

    index: str | None
    paths: tuple[nodes.Path, ...]
    where: nodes.ConditionTree | None
    order: tuple[tuple[str, bool], ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class ExistsStatement(PartiQLStatement):
    """EXISTS (SELECT …): the condition check of a transaction."""

    where: nodes.ConditionTree | None


@dataclass(frozen=True, slots=True, kw_only=True)
class InsertStatement(PartiQLStatement):
    """INSERT INTO … VALUE."""

    item: MapLiteral


@dataclass(frozen=True, slots=True, kw_only=True)
class UpdateStatement(PartiQLStatement):
    """UPDATE … SET … REMOVE."""

    actions: tuple[nodes.Action, ...]
    where: nodes.ConditionTree | None


@dataclass(frozen=True, slots=True, kw_only=True)
class DeleteStatement(PartiQLStatement):
    """DELETE FROM."""

    where: nodes.ConditionTree | None


Statement: TypeAlias = (
    SelectStatement | ExistsStatement | InsertStatement | UpdateStatement | DeleteStatement
)
