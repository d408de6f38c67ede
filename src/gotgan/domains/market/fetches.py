"""What was fetched and is not verified yet, kept so that another process can go on with it."""

from __future__ import annotations

import zlib
from datetime import date
from typing import Any

import orjson
from sqlalchemy import Connection, delete, select

from gotgan.domains.market.models import Fetch, IndexValue, SharePrice, Side
from gotgan.domains.market.tables import MARKET_FETCHES
from gotgan.errors import LostRace
from gotgan.sql import upsert

__all__ = ["forget", "keep", "kept"]


def keep(connection: Connection, fetch: Fetch, *, fence: int) -> None:
    """Keep what a provider gave; what another attempt kept is replaced."""
    rows = [*map(_values, fetch.prices), *map(_values, fetch.indices)]
    row = {
        "date": fetch.day,
        "side": fetch.side,
        "fence": fence,
        "provider": fetch.provider,
        "fetched_at": fetch.fetched_at,
        "is_final": fetch.is_final,
        "rows": zlib.compress(orjson.dumps(rows), 1),
    }
    upsert(connection, MARKET_FETCHES, [row])


def kept(connection: Connection, day: date, side: Side, *, fence: int) -> Fetch:
    """What this attempt has fetched; LostRace where another attempt has taken its place."""
    query = select(MARKET_FETCHES).where(
        MARKET_FETCHES.c.date == day, MARKET_FETCHES.c.side == side, MARKET_FETCHES.c.fence == fence
    )
    row = connection.execute(query).one_or_none()
    if row is None:
        raise LostRace(f"{side} of {day} were fetched by somebody else; leave it to them")
    rows = orjson.loads(zlib.decompress(row.rows))
    known: dict[str, Any] = {"day": day, "side": side, "provider": row.provider}
    known |= {"fetched_at": row.fetched_at, "is_final": row.is_final}
    if side == "prices":
        return Fetch(**known, prices=tuple(SharePrice(*each) for each in rows))
    return Fetch(**known, indices=tuple(IndexValue(*each) for each in rows))


def forget(connection: Connection, day: date, side: Side) -> None:
    """Let go of what is stored and verified by now."""
    table = MARKET_FETCHES
    connection.execute(delete(table).where(table.c.date == day, table.c.side == side))


def _values(row: SharePrice | IndexValue) -> list[Any]:
    return [getattr(row, name) for name in row.__slots__]
