"""What an access pattern reads, found out by calling it with placeholders.

It is called twice, with different ones: what differs between the calls, though every placeholder
was put back to its name, was computed from the arguments, and only its place can be told.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, Literal

from gotgan.errors import BadKeyPart, DeclarationError, UsageError
from gotgan.store.attributes import AttributeValue, decode
from gotgan.store.conditions import Expression
from gotgan.store.keys import Ref
from gotgan.store.placeholders import NUMBERS, TRYING, Back, alternatives, placeholders
from gotgan.store.queries import Leg, Query, Sort
from gotgan.store.scopes import ScopeOf
from gotgan.store.tables import Index, Table

__all__ = ["Read", "trace"]


@dataclass(frozen=True)
class Read:
    """One read of a pattern, with ``{parameter}`` where a value will stand."""

    operation: Literal["GetItem", "Query"]
    table: Table
    index: Index | None
    pk: str
    """The partition key, such as ``CATEGORY#{category_id}``."""
    sort: str
    """The condition on the sort key, such as ``begins_with(SK, "POST#")``; empty without one."""
    filter: str
    newest_first: bool
    entities: tuple[str, ...]


def trace(function: Callable[..., Any]) -> tuple[Read, ...]:
    """The reads that an access pattern makes."""
    reads, again = _call(function, again=False), _call(function, again=True)
    if len(reads) != len(again):
        raise _branching(function)
    for other in alternatives(function):
        found = _call_otherwise(function, other)
        if found is not None and _shape(found) != _shape(reads):
            raise _branching(function)
    return tuple(_agreed(*pair) for pair in zip(reads, again, strict=True))


def _branching(function: Callable[..., Any]) -> DeclarationError:
    return DeclarationError(
        f"what the access pattern {function.__name__} reads depends on its arguments, so that "
        "pages and policies could not tell it; make one pattern of each"
    )


def _shape(reads: list[_Traced]) -> list[tuple[Any, ...]]:
    """Where the reads go."""
    return [(read.operation, read.leg.table.name, read.leg.index) for read in reads]


def _call_otherwise(function: Callable[..., Any], other: dict[str, Any]) -> list[_Traced] | None:
    """The reads with another argument; None where the pattern does not take it."""
    arguments = placeholders(function, start=NUMBERS[0], again=False)
    try:
        return _call_with(function, {**arguments, **other})
    except (BadKeyPart, UsageError):
        return None


@dataclass(frozen=True)
class _Traced:
    """One read of one call, in texts with names in them."""

    operation: Literal["GetItem", "Query"]
    leg: Leg
    pk: str
    bounds: tuple[str, ...]
    """Of the condition on the sort key."""
    filter: str
    """With the placeholders of its values."""
    values: dict[str, str]


def _call(function: Callable[..., Any], *, again: bool) -> list[_Traced]:
    """Call with large numbers, or with smaller ones where a key has no room for them."""
    for start in NUMBERS[:-1]:
        try:
            return _call_with(function, placeholders(function, start=start, again=again))
        except BadKeyPart:
            continue
    return _call_with(function, placeholders(function, start=NUMBERS[-1], again=again))


def _call_with(function: Callable[..., Any], arguments: dict[str, Any]) -> list[_Traced]:
    found, back = _tried(function, arguments), Back(arguments)
    if isinstance(found, Ref):
        sort = None if found.sk is None else Sort("=", found.sk)
        leg = Leg(found.table, None, (found.entity,), found.pk, sort=sort)
        return [_traced("GetItem", leg, back)]
    if isinstance(found, Query):
        return [_traced("Query", leg, back) for leg in found.legs]
    raise DeclarationError(
        f"the access pattern {function.__name__} gives {type(found).__name__}; "
        "it must return a Query or a Ref"
    )


def _tried(function: Callable[..., Any], arguments: dict[str, Any]) -> Any:
    token = TRYING.set(True)
    try:
        return function(**arguments)
    finally:
        TRYING.reset(token)


def _traced(operation: Literal["GetItem", "Query"], leg: Leg, back: Back) -> _Traced:
    expression = Expression(ScopeOf.of(leg.entities))
    text = "" if leg.filter is None else leg.filter.write(expression)
    for name, mark in sorted(expression.names.items(), key=lambda pair: -len(pair[1])):
        text = text.replace(mark, name)
    bounds = () if leg.sort is None else (leg.sort.low, leg.sort.high)
    return _Traced(
        operation=operation,
        leg=leg,
        pk=back.text(leg.pk),
        bounds=tuple(back.quoted(bound) for bound in bounds if bound is not None),
        filter=text,
        values={mark: _shown(value, back) for mark, value in expression.values.items()},
    )


def _shown(value: AttributeValue, back: Back) -> str:
    return back.quoted(decode(value))


def _agreed(one: _Traced, other: _Traced) -> Read:
    leg = one.leg
    place = leg.table if leg.index is None else leg.index
    return Read(
        operation=one.operation,
        table=leg.table,
        index=leg.index,
        pk=_same(place.pk.name, one.pk, other.pk),
        sort=_sort(place, one, other),
        filter=_filter(one, other),
        newest_first=leg.newest_first,
        entities=tuple(entity.__name__ for entity in leg.entities),
    )


def _sort(place: Table | Index, one: _Traced, other: _Traced) -> str:
    if one.leg.sort is None or place.sk is None:
        return ""
    name, word = place.sk.name, one.leg.sort.word
    low, *high = (_same(name, *pair) for pair in zip(one.bounds, other.bounds, strict=True))
    if word == "begins_with":
        return f"begins_with({name}, {low})"
    return " AND ".join([f"{name} {word} {low}", *high])


def _filter(one: _Traced, other: _Traced) -> str:
    text = one.filter
    for mark in sorted(one.values, key=len, reverse=True):
        text = text.replace(mark, _same("value", one.values[mark], other.values.get(mark, "")))
    return text


def _same(name: str, one: str, other: str) -> str:
    """What both calls gave, or where it goes; in quotes where it is in quotes."""
    if one == other:
        return one
    return f'"{{{name}}}"' if one.startswith('"') else f"{{{name}}}"
