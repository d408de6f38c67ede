"""What an access pattern reads, found out by calling it with placeholders.

A placeholder is a value of the parameter's own type that nobody uses, so that the pattern runs as
it always does; where it turns up in a key, the parameter's name is put in its place.
"""

from __future__ import annotations

import inspect
import types
from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from datetime import UTC, date, datetime, timedelta
from decimal import Decimal
from enum import Enum
from typing import Annotated, Any, Final, Literal, Union, get_args, get_origin, get_type_hints
from uuid import UUID

from gotgan.clock import utc_stamp
from gotgan.errors import DeclarationError
from gotgan.store.attributes import AttributeValue, KeyValue, decode
from gotgan.store.conditions import Condition, Expression
from gotgan.store.keys import Ref
from gotgan.store.queries import Leg, Query, Sort
from gotgan.store.schema import ScopeOf
from gotgan.store.tables import Index, KeyAttribute, Table

__all__ = ["Read", "trace"]

_FAR: Final = datetime(9000, 1, 1, tzinfo=UTC)
_MANY: Final = 90_000_000


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
    first, second = _traced(function, 0), _traced(function, 50)
    return tuple(_agreed(one, other) for one, other in zip(first, second, strict=True))


def _traced(function: Callable[..., Any], seed: int) -> tuple[Read, ...]:
    stand_ins = _stand_ins(function, seed)
    found = function(**stand_ins)
    back = _Back(stand_ins)
    if isinstance(found, Ref):
        return (_get(found, back),)
    if isinstance(found, Query):
        return tuple(_query(leg, back) for leg in found.legs)
    raise DeclarationError(
        f"the access pattern {function.__name__} gives {type(found).__name__}; "
        "it must return a Query or a Ref"
    )


def _agreed(one: Read, other: Read) -> Read:
    """A read whose keys hold more than names, such as hashes of values, says only where they go."""
    place = one.table if one.index is None else one.index
    agreed = one
    if one.pk != other.pk:
        agreed = replace(agreed, pk=f"{{{place.pk.name}}}")
    if one.sort != other.sort and place.sk is not None:
        agreed = replace(agreed, sort=f"{place.sk.name} = {{{place.sk.name}}}")
    return agreed


def _stand_ins(function: Callable[..., Any], seed: int) -> dict[str, Any]:
    hints = get_type_hints(function, include_extras=True)
    stand_ins = {}
    for number, name in enumerate(inspect.signature(function).parameters, start=seed):
        if name not in hints:
            raise DeclarationError(
                f"{name} of the access pattern {function.__name__} needs a type annotation"
            )
        stand_ins[name] = _stand_in(function, name, hints[name], number)
    return stand_ins


def _stand_in(function: Callable[..., Any], name: str, hint: Any, number: int) -> Any:
    kind = _plain_type(hint)
    if get_origin(kind) is Literal:
        return _marked(name, number)
    makers: Mapping[Any, Any] = {
        str: _marked(name, number),
        datetime: _FAR + timedelta(days=number),
        date: (_FAR + timedelta(days=number)).date(),
        int: _MANY + number,
        Decimal: Decimal(_MANY + number),
        UUID: UUID(int=_MANY + number),
        bytes: _marked(name, number).encode(),
        bool: True,
    }
    if kind in makers:
        return makers[kind]
    if isinstance(kind, type) and issubclass(kind, Enum):
        return next(iter(kind))
    raise DeclarationError(
        f"{name} of the access pattern {function.__name__} is a {kind}; use str, int, Decimal, "
        "bool, date, datetime, UUID, bytes, an Enum or a Literal"
    )


def _marked(name: str, number: int) -> str:
    """A text that nobody writes: characters that Unicode leaves to private use."""
    return f"\ue000{name}{number}\ue001"


def _plain_type(hint: Any) -> Any:
    """The type behind annotations and ``| None``."""
    if get_origin(hint) is Annotated:
        return _plain_type(get_args(hint)[0])
    if get_origin(hint) in (Union, types.UnionType):
        options = [option for option in get_args(hint) if option is not type(None)]
        return _plain_type(options[0])
    return hint


class _Back:
    """From placeholders back to the names of parameters."""

    def __init__(self, stand_ins: Mapping[str, Any]) -> None:
        self._written = [
            (written, f"{{{name}}}")
            for name, value in stand_ins.items()
            for written in _writings(value)
        ]

    def text(self, value: object) -> str:
        """A value with names in it."""
        text = value.decode() if isinstance(value, bytes) else str(value)
        for written, name in self._written:
            text = text.replace(written, name)
        return text

    def quoted(self, value: KeyValue) -> str:
        """A value as a condition shows it."""
        return f'"{self.text(value)}"' if isinstance(value, str) else self.text(value)


def _writings(value: Any) -> list[str]:
    """The texts that a placeholder can turn into, the longest first."""
    if isinstance(value, bool | Enum):
        return []
    if isinstance(value, datetime):
        seconds = int(value.timestamp())
        return [utc_stamp(value).iso, str(seconds * 1000), str(seconds), utc_stamp(value).day]
    if isinstance(value, bytes):
        return [value.decode()]
    return [str(value)]


def _get(ref: Ref[Any], back: _Back) -> Read:
    sort = "" if ref.sk is None else _sort(ref.table.sk, Sort("=", ref.sk), back)
    kinds = (ref.entity.__name__,)
    return Read("GetItem", ref.table, None, back.text(ref.pk), sort, "", False, kinds)  # noqa: FBT003


def _query(leg: Leg, back: _Back) -> Read:
    place = leg.table if leg.index is None else leg.index
    return Read(
        operation="Query",
        table=leg.table,
        index=leg.index,
        pk=back.text(leg.pk),
        sort="" if leg.sort is None else _sort(place.sk, leg.sort, back),
        filter="" if leg.filter is None else _filter(leg, leg.filter, back),
        newest_first=leg.newest_first,
        entities=tuple(entity.__name__ for entity in leg.entities),
    )


def _sort(key: KeyAttribute | None, sort: Sort, back: _Back) -> str:
    name = "" if key is None else key.name
    low = back.quoted(sort.low)
    if sort.word == "begins_with":
        return f"begins_with({name}, {low})"
    if sort.word == "BETWEEN" and sort.high is not None:
        return f"{name} BETWEEN {low} AND {back.quoted(sort.high)}"
    return f"{name} {sort.word} {low}"


def _filter(leg: Leg, condition: Condition, back: _Back) -> str:
    expression = Expression(ScopeOf.of(leg.entities))
    text = condition.write(expression)
    for name, mark in sorted(expression.names.items(), key=lambda pair: -len(pair[1])):
        text = text.replace(mark, name)
    for mark in sorted(expression.values, key=len, reverse=True):
        text = text.replace(mark, _shown(expression.values[mark], back))
    return text


def _shown(value: AttributeValue, back: _Back) -> str:
    plain = decode(value)
    return back.quoted(plain) if isinstance(plain, str | int | Decimal | bytes) else str(plain)
