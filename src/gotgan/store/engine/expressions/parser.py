"""From the text of an expression to an object that is ready to run, cached for the next call.

An expression with its names always means the same, so it is parsed once; values come with each
call and are not part of it.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Collection, Mapping
from dataclasses import dataclass, field
from functools import _lru_cache_wrapper, lru_cache
from typing import Any, TypeAlias, TypeVar

from gotgan.store.engine.expressions import nodes
from gotgan.store.engine.expressions.conditions import read_condition
from gotgan.store.engine.expressions.evaluation import (
    Test,
    ValueCheck,
    Values,
    compile_condition,
    condition_checks,
    update_checks,
)
from gotgan.store.engine.expressions.lexer import ExpressionReader
from gotgan.store.engine.expressions.operands import Branch, path_tree, pick, read_projection
from gotgan.store.engine.expressions.updates import UpdatePlan, plan_update, read_update
from gotgan.store.engine.faults import ValidationException
from gotgan.store.engine.values import Item

T = TypeVar("T")

Names: TypeAlias = Mapping[str, str]
_NameItems: TypeAlias = tuple[tuple[str, str], ...]

MAX_KEY_BYTES = 255
MAX_NAME_BYTES = 65535
_CACHED_EXPRESSIONS = 512
_MAX_CACHED_CHARS = 1024  # a longer text was made for one call, and will not come again
_NAMES, _VALUES = "ExpressionAttributeNames", "ExpressionAttributeValues"
_NAME_KEY = re.compile(r"#[A-Za-z0-9_]+", re.ASCII)
_VALUE_KEY = re.compile(r":[A-Za-z0-9_]+", re.ASCII)


@dataclass(frozen=True, slots=True, kw_only=True)
class ParsedExpression:
    """What every kind of expression has: the placeholders it uses and the checks of values."""

    kind: str
    names: frozenset[str] = frozenset()
    values: frozenset[str] = frozenset()
    checks: tuple[ValueCheck, ...] = field(default=(), compare=False, repr=False)
    value_order: tuple[str, ...] = field(default=(), compare=False, repr=False)


@dataclass(frozen=True, slots=True, kw_only=True)
class ParsedCondition(ParsedExpression):
    """A parsed ConditionExpression, FilterExpression or KeyConditionExpression.

    ``absent`` is the attribute that must not be there, where that is all the condition says.
    """

    tree: nodes.ConditionTree
    attributes: frozenset[str]
    absent: str | None = field(compare=False, repr=False)
    test: Test = field(compare=False, repr=False)


@dataclass(frozen=True, slots=True, kw_only=True)
class ParsedProjection(ParsedExpression):
    """A parsed ProjectionExpression."""

    paths: tuple[nodes.Path, ...]
    root: Branch = field(compare=False, repr=False)

    def pick(self, item: Item) -> Item:
        """Return what it shows of an item."""
        return pick(self.root, item)


@dataclass(frozen=True, slots=True, kw_only=True)
class Update(ParsedExpression):
    """A parsed UpdateExpression; ``paths`` are where it writes, in the order of its text."""

    actions: tuple[nodes.Action, ...]
    paths: tuple[nodes.Path, ...]
    plan: UpdatePlan = field(compare=False, repr=False)

    @property
    def only_removes(self) -> bool:
        """Whether nothing is written, only taken away."""
        return all(isinstance(action, nodes.Remove | nodes.Delete) for action in self.actions)


def parse_condition(
    text: str, names: Names | None = None, kind: str = "ConditionExpression"
) -> ParsedCondition:
    """Parse a condition, a filter or a key condition."""
    return _cached_parser(_parse_condition, text)(kind, text, _name_items(names))


def parse_projection(text: str, names: Names | None = None) -> ParsedProjection:
    """Parse a projection."""
    return _cached_parser(_parse_projection, text)(text, _name_items(names))


def parse_update(text: str, names: Names | None = None) -> Update:
    """Parse an update."""
    return _cached_parser(_parse_update, text)(text, _name_items(names))


@lru_cache(maxsize=_CACHED_EXPRESSIONS)
def _parse_condition(kind: str, text: str, names: _NameItems) -> ParsedCondition:
    reader = ExpressionReader(kind, text, dict(names))
    tree = _read(reader, read_condition)
    return prepare_condition(tree, kind, frozenset(reader.attributes), **_placeholders(reader))


def prepare_condition(
    tree: nodes.ConditionTree,
    kind: str,
    attributes: frozenset[str] = frozenset(),
    **placeholders: Any,
) -> ParsedCondition:
    """Make a condition ready to run; one of a PartiQL statement has no placeholders to check."""
    return ParsedCondition(
        kind=kind,
        checks=tuple(condition_checks(tree)),
        tree=tree,
        attributes=attributes,
        absent=absent_attribute(tree),
        test=compile_condition(tree),
        **placeholders,
    )


def _placeholders(reader: ExpressionReader) -> dict[str, Any]:
    return {
        "names": frozenset(reader.names_used),
        "values": frozenset(reader.values_used),
        "value_order": tuple(reader.values_used),
    }


@lru_cache(maxsize=_CACHED_EXPRESSIONS)
def _parse_projection(text: str, names: _NameItems) -> ParsedProjection:
    reader = ExpressionReader("ProjectionExpression", text, dict(names))
    paths = read_projection(reader)
    return ParsedProjection(
        kind=reader.kind,
        names=frozenset(reader.names_used),
        values=frozenset(),
        paths=paths,
        root=path_tree(paths),
    )


@lru_cache(maxsize=_CACHED_EXPRESSIONS)
def _parse_update(text: str, names: _NameItems) -> Update:
    reader = ExpressionReader("UpdateExpression", text, dict(names))
    return prepare_update(_read(reader, read_update), **_placeholders(reader))


def prepare_update(actions: tuple[nodes.Action, ...], **placeholders: Any) -> Update:
    """Make an update ready to run; placeholders as for a condition."""
    return Update(
        kind="UpdateExpression",
        checks=tuple(update_checks(reversed(actions))),
        actions=actions,
        paths=tuple(action.path for action in actions),
        plan=plan_update(actions),
        **placeholders,
    )


def _read(reader: ExpressionReader, grammar: Callable[[ExpressionReader], T]) -> T:
    try:
        return grammar(reader)
    except RecursionError:  # nothing that is allowed has so many calls within calls
        reader.refuse_operators()


def absent_attribute(tree: nodes.ConditionTree) -> str | None:
    """Return the attribute that must not be there, where that is all that a condition says."""
    match tree:
        case nodes.Function("attribute_not_exists", (nodes.Path((str(name),)),)):
            return name
        case _:
            return None


def _cached_parser(parse: _lru_cache_wrapper[T], text: str) -> Callable[..., T]:
    return parse if len(text) <= _MAX_CACHED_CHARS else parse.__wrapped__


def _name_items(names: Names | None) -> _NameItems:
    return tuple(sorted(names.items())) if names else ()


def check_values(expression: ParsedExpression, values: Values) -> None:
    """Refuse values that are missing or that do not fit the expression."""
    for name in expression.value_order:
        if name not in values:
            raise ValidationException(
                f"Invalid {expression.kind}: An expression attribute value used in expression is "
                f"not defined; attribute value: {name}"
            )
    for check in expression.checks:
        if fault := check(values):
            raise ValidationException(f"Invalid {expression.kind}: {fault}")


def check_placeholders(
    names: Mapping[str, Any] | None,
    values: Mapping[str, Any] | None,
    expressions: Mapping[str, str | None],
) -> None:
    """Refuse placeholders without an expression, empty maps and misspelt keys.

    ``expressions`` has every expression that the operation knows, None where it was not given.
    """
    if names is not None:
        if all(text is None for text in expressions.values()):
            raise ValidationException(f"{_NAMES} can only be specified when using expressions")
        _check_keys(_NAMES, names, _NAME_KEY)
        _check_attribute_names(names)
    if values is not None:
        takers = [label for label in expressions if label != "ProjectionExpression"]
        if all(expressions[label] is None for label in takers):
            verb = "is" if len(takers) == 1 else "are"
            raise ValidationException(
                f"{_VALUES} can only be specified when using expressions: "
                f"{' and '.join(takers)} {verb} null"
            )
        _check_keys(_VALUES, values, _VALUE_KEY)


def _check_keys(label: str, given: Mapping[str, Any], pattern: re.Pattern[str]) -> None:
    if not given:
        raise ValidationException(f"{label} must not be empty")
    for key in given:
        if not pattern.fullmatch(str(key)):
            raise ValidationException(f'{label} contains invalid key: Syntax error; key: "{key}"')
        if len(key) > MAX_KEY_BYTES:
            raise ValidationException(
                f"{label} contains invalid key: The expression attribute map contains a key that "
                f"is too long; size of key: {len(key)}"
            )


def _check_attribute_names(names: Mapping[str, str]) -> None:
    for key, name in names.items():
        if not name:
            raise ValidationException(
                f"{_NAMES} contains invalid value: Empty attribute name for key {key}"
            )
        if len(name.encode("utf-8", "surrogatepass")) > MAX_NAME_BYTES:
            raise ValidationException(
                f"{_NAMES} contains invalid value: Attribute name is too large, must be less than "
                f"{MAX_NAME_BYTES + 1} bytes for key {key}"
            )


def check_unused(
    names: Mapping[str, Any] | None,
    values: Mapping[str, Any] | None,
    expressions: Collection[ParsedExpression],
) -> None:
    """Refuse placeholders that none of a request's expressions uses."""
    _check_used(_NAMES, names, [each.names for each in expressions])
    _check_used(_VALUES, values, [each.values for each in expressions])


def _check_used(label: str, given: Mapping[str, Any] | None, used: list[frozenset[str]]) -> None:
    unused = [key for key in given or () if not any(key in each for each in used)]
    if unused:
        raise ValidationException(
            f"Value provided in {label} unused in expressions: keys: {{{', '.join(unused)}}}"
        )
