"""The second step: write what was calculated, in the transaction of whoever calls."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from itertools import islice
from typing import Any, Final

from sqlalchemy import Connection, Table, delete

from gotgan.domains.market.indicators.calculated import NAMES, IndicatorBatch
from gotgan.domains.market.indicators.loading import chunks
from gotgan.domains.market.tables import INDICATOR_STATES, TECHNICAL_INDICATORS
from gotgan.sql import upsert

__all__ = ["forget", "save"]

_AT_ONCE: Final = 20_000
"""So many rows are made ready at a time: enough for the fast way of each database."""


def save(connection: Connection, part: IndicatorBatch) -> None:
    """Write the rows and the states; of shares that were worked through anew no other row stays."""
    _delete(connection, TECHNICAL_INDICATORS, part.replaced)
    lines = (line for rows in part.rows for line in rows.lines())
    for some in _batches(lines):
        records = [dict(zip(NAMES, line, strict=True)) for line in some]
        upsert(connection, TECHNICAL_INDICATORS, records)
    upsert(connection, INDICATOR_STATES, _states(part))


def forget(connection: Connection, tickers: Sequence[str]) -> None:
    """Drop the states of shares whose past has changed: they are worked through anew next time."""
    _delete(connection, INDICATOR_STATES, tickers)


def _states(part: IndicatorBatch) -> list[dict[str, Any]]:
    return [
        {"ticker": kept.ticker, "through": kept.through, "state": kept.packed}
        for kept in part.states
    ]


def _delete(connection: Connection, table: Table, tickers: Sequence[str]) -> None:
    for some in chunks(tickers):
        connection.execute(delete(table).where(table.c.ticker.in_(some)))


def _batches(lines: Iterable[tuple[Any, ...]]) -> Iterator[list[tuple[Any, ...]]]:
    remaining = iter(lines)
    while some := list(islice(remaining, _AT_ONCE)):
        yield some
