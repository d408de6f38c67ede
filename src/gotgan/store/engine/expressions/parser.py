"""From the text of an expression to an object that is ready to run, kept for the next call.

An expression with its names always means the same, so it is parsed once; values come with each
call and are no part of it.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from functools import _lru_cache_wrapper, lru_cache
from typing import NoReturn, TypeAlias, TypeVar

from gotgan.store.engine.expressions.changes import UpdatePlan, plan
from gotgan.store.engine.expressions.checks import ValueCheck, condition_checks, update_checks
from gotgan.store.engine.expressions.conditions import read_condition
from gotgan.store.engine.expressions.evaluation import Test, Values, compile_condition
from gotgan.store.engine.expressions.paths import Branch, branches
from gotgan.store.engine.expressions.projections import pick, read_projection
from gotgan.store.engine.expressions.reader import ExpressionReader
from gotgan.store.engine.expressions.tree import (
    Action,
    ConditionTree,
    Delete,
    Function,
    Path,
    Remove,
)
from gotgan.store.engine.expressions.updates import read_update
from gotgan.store.engine.faults import ValidationException
from gotgan.store.engine.values import AttributeValue, Item

__all__ = [
    "Names",
    "ParsedCondition",
    "ParsedExpression",
    "ParsedProjection",
    "Update",
    "apply_update",
    "check_values",
    "evaluate",
    "parse_condition",
    "parse_key_condition",
    "parse_projection",
    "parse_update",
    "pick_updated",
    "project",
]

T = TypeVar("T")

Names: TypeAlias = Mapping[str, str]
_NameItems: TypeAlias = tuple[tuple[str, str], ...]

_Tree = TypeVar("_Tree")

_CACHED_EXPRESSIONS = 512
_LONGEST_CACHED = 1024  # a text of this length was made for one call, and will not come again


@dataclass(frozen=True, slots=True, kw_only=True)
class ParsedExpression:
    """What every kind of expression tells: the placeholders it uses and what to ask of values."""

    kind: str
    names: frozenset[str]
    values: frozenset[str]
    checks: tuple[ValueCheck, ...] = field(default=(), compare=False, repr=False)
    value_order: tuple[str, ...] = field(default=(), compare=False, repr=False)


@dataclass(frozen=True, slots=True, kw_only=True)
class ParsedCondition(ParsedExpression):
    """A parsed ConditionExpression, FilterExpression or KeyConditionExpression.

    ``absent`` is the attribute that must not be there, where that is all the condition says.
    """

    tree: ConditionTree
    attributes: frozenset[str]
    absent: str | None = field(compare=False, repr=False)
    test: Test = field(compare=False, repr=False)


@dataclass(frozen=True, slots=True, kw_only=True)
class ParsedProjection(ParsedExpression):
    """A parsed ProjectionExpression."""

    paths: tuple[Path, ...]
    root: Branch = field(compare=False, repr=False)


@dataclass(frozen=True, slots=True, kw_only=True)
class Update(ParsedExpression):
    """A parsed UpdateExpression; ``paths`` are where it writes, in the order of its text."""

    actions: tuple[Action, ...]
    paths: tuple[Path, ...]
    plan: UpdatePlan = field(compare=False, repr=False)

    @property
    def only_removes(self) -> bool:
        """Say whether nothing is written, only taken away."""
        return all(isinstance(action, Remove | Delete) for action in self.actions)


def parse_condition(
    text: str,
    names: Names | None = None,
    kind: str = "ConditionExpression",
) -> ParsedCondition:
    """Parse a condition or a filter."""
    return _keeping(_parse_condition, text)(kind, text, _items(names))


def parse_key_condition(text: str, names: Names | None = None) -> ParsedCondition:
    """Parse a key condition; ``key_condition`` then finds the keys in it."""
    return parse_condition(text, names, "KeyConditionExpression")


def parse_projection(text: str, names: Names | None = None) -> ParsedProjection:
    """Parse a projection."""
    return _keeping(_parse_projection, text)(text, _items(names))


def parse_update(text: str, names: Names | None = None) -> Update:
    """Parse an update."""
    return _keeping(_parse_update, text)(text, _items(names))


def check_values(expression: ParsedExpression, values: Values | None) -> None:
    """Refuse values that are missing or that do not fit the expression."""
    given = values or {}
    for name in expression.value_order:
        if name not in given:
            _refuse(
                expression,
                "An expression attribute value used in expression is not defined; "
                f"attribute value: {name}",
            )
    for check in expression.checks:
        if fault := check.fault(given):
            _refuse(expression, fault)


def evaluate(condition: ParsedCondition, item: Item | None, values: Values | None) -> bool:
    """Say whether a condition holds for an item; no item has no attributes."""
    return condition.test(item or _NOTHING, values or _NOTHING)


def project(projection: ParsedProjection, item: Item) -> Item:
    """Give the part of an item that a projection names; lists close up in the order of indexes."""
    return pick(projection.root, item)


def apply_update(update: Update, item: Item, values: Values | None) -> Item:
    """Give the item after an update; the item before stays as it is."""
    return update.plan.run(item, values or _NOTHING)


def pick_updated(update: Update, item: Item) -> Item:
    """Give what stands at the paths of an update, for UPDATED_OLD and UPDATED_NEW."""
    return pick(update.plan.root, item)


@lru_cache(maxsize=_CACHED_EXPRESSIONS)
def _parse_condition(kind: str, text: str, names: _NameItems) -> ParsedCondition:
    reader = ExpressionReader(kind, text, dict(names))
    tree = _read(reader, read_condition)
    return ParsedCondition(
        kind=kind,
        names=frozenset(reader.names_used),
        values=frozenset(reader.values_used),
        value_order=tuple(reader.values_used),
        checks=tuple(condition_checks(tree)),
        tree=tree,
        attributes=frozenset(reader.attributes),
        absent=_absent(tree),
        test=compile_condition(tree),
    )


@lru_cache(maxsize=_CACHED_EXPRESSIONS)
def _parse_projection(text: str, names: _NameItems) -> ParsedProjection:
    reader = ExpressionReader("ProjectionExpression", text, dict(names))
    paths = read_projection(reader)
    return ParsedProjection(
        kind=reader.kind,
        names=frozenset(reader.names_used),
        values=frozenset(),
        paths=paths,
        root=branches(paths),
    )


@lru_cache(maxsize=_CACHED_EXPRESSIONS)
def _parse_update(text: str, names: _NameItems) -> Update:
    reader = ExpressionReader("UpdateExpression", text, dict(names))
    actions = _read(reader, read_update)
    return Update(
        kind=reader.kind,
        names=frozenset(reader.names_used),
        values=frozenset(reader.values_used),
        value_order=tuple(reader.values_used),
        checks=tuple(update_checks(reversed(actions))),
        actions=actions,
        paths=tuple(action.path for action in actions),
        plan=plan(actions),
    )


def _read(reader: ExpressionReader, grammar: Callable[[ExpressionReader], _Tree]) -> _Tree:
    try:
        return grammar(reader)
    except RecursionError:  # nothing that is allowed has so many calls within calls
        reader.refuse_operators()


def _absent(tree: ConditionTree) -> str | None:
    match tree:
        case Function("attribute_not_exists", (Path((str(name),)),)):
            return name
        case _:
            return None


def _keeping(parse: _lru_cache_wrapper[T], text: str) -> Callable[..., T]:
    return parse if len(text) <= _LONGEST_CACHED else parse.__wrapped__


def _items(names: Names | None) -> _NameItems:
    return tuple(sorted(names.items())) if names else ()


def _refuse(expression: ParsedExpression, reason: str) -> NoReturn:
    raise ValidationException(f"Invalid {expression.kind}: {reason}")


_NOTHING: Mapping[str, AttributeValue] = {}
