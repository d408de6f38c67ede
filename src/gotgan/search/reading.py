"""A page of results: the ids of each tier, their documents, and how many there are of each kind."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from typing import TYPE_CHECKING, Any, Final

from sqlalchemy import func, literal_column, or_, select

from gotgan.search.index import TIERS, SearchRequest, Tier, token_index
from gotgan.search.reports import KindCount, SearchHit
from gotgan.search.snippets import marked, snippet, words_pattern
from gotgan.search.tables import SEARCH_DOCUMENTS

if TYPE_CHECKING:
    from datetime import datetime

    from sqlalchemy import Connection

MAX_COUNT: Final = 100
"""How far documents of a kind are counted."""
_ABOVE_ALL: Final = 2**62
"""Larger than every id."""


def read_hits(
    connection: Connection,
    wanted: SearchRequest,
    now: datetime,
    limit: int,
    place: tuple[Tier, int] | None,
) -> tuple[tuple[SearchHit, ...], str | None]:
    """A page of what is found, and the cursor of the next one."""
    index, (first, below) = token_index(connection), place or (TIERS[0], _ABOVE_ALL)
    found = list[tuple[Tier, int]]()
    for tier in TIERS[first:]:
        missing = limit + 1 - len(found)  # one more tells whether there is another page
        ids = index.ids(connection, wanted, tier, below, missing) if missing else ()
        found += [(tier, each) for each in ids]
        below = _ABOVE_ALL
    shown = found[:limit]
    cursor = "{}-{}".format(*shown[-1]) if found[limit:] else None
    return _hits(connection, wanted, now, [number for _, number in shown]), cursor


def exact_names(
    connection: Connection, wanted: SearchRequest, now: datetime, limit: int
) -> tuple[SearchHit, ...]:
    """The documents of which the words are the name."""
    ids = token_index(connection).ids(connection, wanted, TIERS[0], _ABOVE_ALL, limit)
    return _hits(connection, wanted, now, ids)


def count_all(items: Sequence[SearchHit]) -> tuple[KindCount, ...]:
    """The kinds of what is found, where that is everything, the most first."""
    counts = Counter(each.kind for each in items)
    return tuple(KindCount(kind, count, is_bounded=False) for kind, count in counts.most_common())


def count_kinds(connection: Connection, wanted: SearchRequest) -> tuple[KindCount, ...]:
    """How many there are of each kind that has some, the most first."""
    kinds = _kinds(connection)
    if not kinds:
        return ()
    counts = token_index(connection).counts(connection, wanted, kinds, MAX_COUNT + 1)
    found = [
        KindCount(kind, min(count, MAX_COUNT), is_bounded=count > MAX_COUNT)
        for kind, count in zip(kinds, counts, strict=True)
        if count
    ]
    return tuple(sorted(found, key=lambda each: -each.count))


def _kinds(connection: Connection) -> list[str]:
    """All kinds, each by one step in the index of them."""
    kind = SEARCH_DOCUMENTS.c.kind
    first = select(func.min(kind).label("kind")).cte("kinds", recursive=True)
    following = select(func.min(kind)).where(kind > literal_column("kinds.kind")).scalar_subquery()
    steps = first.union_all(select(following).where(first.c.kind.is_not(None)))
    found = connection.execute(select(steps.c.kind)).scalars()
    return [each for each in found if each is not None]


def _hits(
    connection: Connection, wanted: SearchRequest, now: datetime, ids: Sequence[int]
) -> tuple[SearchHit, ...]:
    """Documents by their ids, without those whose time is over."""
    table = SEARCH_DOCUMENTS.c
    is_there = or_(table.until.is_(None), table.until > now)
    query = select(SEARCH_DOCUMENTS).where(table.id.in_(ids), is_there)
    rows: dict[int, Any] = {row.id: row for row in connection.execute(query)} if ids else {}
    pattern = words_pattern(wanted.query)
    return tuple(
        SearchHit(
            row.domain,
            row.kind,
            row.key,
            marked(row.title, pattern),
            snippet(row.text, pattern),
            row.at,
        )
        for row in (rows[each] for each in ids if each in rows)
    )
