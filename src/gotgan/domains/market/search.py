"""The market as documents: shares and indices, by their names."""

from __future__ import annotations

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
    """All indices and shares, if there are prices of another day or of other shares.

    A share never leaves the list, and its name changes only on a day on which it is traded.
    """
    known, _, ticker = (mark or "").partition("/")
    with database.read() as connection:
        state = _state(connection)
        if known == state and not ticker:
            return DocumentBatch(mark=mark)
        table = STOCKS.c
        query = select(table.ticker, table.name, table.market).where(table.ticker > ticker)
        rows = connection.execute(query.order_by(table.ticker).limit(_BATCH_SIZE)).all()
        shares = [
            SearchDocument("share", row.ticker, row.name, row.market, (row.ticker,)) for row in rows
        ]
        if len(rows) == _BATCH_SIZE:
            return DocumentBatch(shares, mark=f"{known}/{rows[-1].ticker}", is_last=False)
        return DocumentBatch([*shares, *_indices(connection)], mark=state)


def _state(connection: Connection) -> str:
    """The last days of shares and indices, and how many shares there are."""
    query = select(func.max(STOCKS.c.last_seen), func.count())
    last, count = connection.execute(query).one()
    last_index = connection.execute(select(func.max(MARKET_INDICES.c.date))).scalar()
    return f"{last} {last_index} {count}"


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
