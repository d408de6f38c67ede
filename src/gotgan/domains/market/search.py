"""The market as documents: shares and indices, by their names."""

from __future__ import annotations

from datetime import date
from typing import TYPE_CHECKING, Final

from sqlalchemy import func, select

from gotgan.documents import DocumentBatch, SearchDocument
from gotgan.domains.market.keys import MARKET_INDICES, STOCKS
from gotgan.domains.market.models import INDICES

if TYPE_CHECKING:
    from sqlalchemy import Connection

    from gotgan.sql import Database

_BATCH_SIZE: Final = 500
_CODES: Final = {code: name for name, code in INDICES.items()}


def market_documents(database: Database, mark: str | None) -> DocumentBatch:
    """The indices, and the shares that were traded on the day of the mark or later.

    A share never leaves the list, and its name can change only on a day on which it is traded.
    """
    day, _, ticker = (mark or f"{date.min}/").partition("/")
    with database.read() as connection:
        if not ticker and mark is not None and _last_day(connection) <= date.fromisoformat(day):
            return DocumentBatch(mark=mark)
        query = select(STOCKS.c.ticker, STOCKS.c.name, STOCKS.c.market, STOCKS.c.last_seen).where(
            STOCKS.c.last_seen >= date.fromisoformat(day), STOCKS.c.ticker > ticker
        )
        rows = connection.execute(query.order_by(STOCKS.c.ticker).limit(_BATCH_SIZE)).all()
        shares = [
            SearchDocument("share", row.ticker, row.name, row.market, (row.ticker,)) for row in rows
        ]
        if len(rows) == _BATCH_SIZE:
            return DocumentBatch(shares, mark=f"{day}/{rows[-1].ticker}", is_last=False)
        documents = [*shares, *_indices(connection)]
        return DocumentBatch(documents, mark=f"{_last_day(connection)}/")


def _last_day(connection: Connection) -> date:
    """The last day with prices or indices."""
    days = (
        connection.execute(select(func.max(column))).scalar()
        for column in (STOCKS.c.last_seen, MARKET_INDICES.c.date)
    )
    return max((each for each in days if each is not None), default=date.min)


def _indices(connection: Connection) -> list[SearchDocument]:
    table = MARKET_INDICES.c
    last = select(func.max(table.date)).scalar_subquery()
    rows = connection.execute(select(table.code, table.name).where(table.date == last))
    return [
        SearchDocument(
            "index", row.code, row.name, names=(row.code, _CODES.get(row.code, row.name))
        )
        for row in rows
    ]
