"""Reads of the code as somebody would type them on a command line."""

from __future__ import annotations

import json
import re
from base64 import b64encode
from dataclasses import dataclass
from typing import Final

from gotgan.store.attributes import AttributeValue, KeyValue
from gotgan.store.conditions import Expression
from gotgan.store.data.browse import Look
from gotgan.store.queries import Leg, Sort
from gotgan.store.scopes import ScopeOf

__all__ = ["Piece", "key_text", "look_of"]

_OWN_MARK: Final = re.compile(r"([#:])[nv](\d+)")
"""Placeholders of a filter, which the command line gives to keys."""


@dataclass(frozen=True)
class Piece:
    """How much of a query is read, and behind which cursor of the store."""

    limit: int
    cursor: str | None = None


def look_of(leg: Leg, part: Piece) -> Look:
    """A leg of a query, as somebody would type it."""
    expression, values = _filter(leg)
    return Look(
        index=leg.index.name if leg.index else None,
        pk=key_text(leg.pk),
        sk=_sort_terms(leg.sort),
        expression=expression,
        values=values,
        limit=part.limit,
        newest_first=leg.newest_first,
        consistent=leg.consistent,
        cursor=part.cursor,
    )


def key_text(value: KeyValue) -> str:
    """The value of a key, as it is typed."""
    return b64encode(value).decode("ascii") if isinstance(value, bytes) else str(value)


def _sort_terms(sort: Sort | None) -> tuple[str, ...]:
    if sort is None:
        return ()
    low = key_text(sort.low)
    if sort.word == "BETWEEN" and sort.high is not None:
        return (f">={low}", f"<={key_text(sort.high)}")
    return (f"^{low}" if sort.word == "begins_with" else f"{sort.word}{low}",)


def _filter(leg: Leg) -> tuple[str | None, tuple[str, ...]]:
    if leg.filter is None:
        return None, ()
    written = Expression(ScopeOf.of(leg.entities))
    text = _renamed(leg.filter.write(written))
    names = [f"{_renamed(mark)}={name}" for name, mark in written.names.items()]
    values = [f"{_renamed(mark)}{_typed(value)}" for mark, value in written.values.items()]
    return text, (*names, *values)


def _renamed(text: str) -> str:
    return _OWN_MARK.sub(r"\1f\2", text)


def _typed(value: AttributeValue) -> str:
    """A value as the command line reads it, so that it cannot be taken for another."""
    [(kind, content)] = value.items()
    if kind == "S":
        return f"={json.dumps(content, ensure_ascii=False)}"
    return f":{kind}={str(content).lower() if kind == 'BOOL' else key_text(content)}"
