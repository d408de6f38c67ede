"""Writing a side of a day, and noticing what that changes of days before and after it."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import date, datetime
from typing import Any

from sqlalchemy import ColumnElement, Connection, case, delete, exists, or_, select, update

from gotgan.domains.market.calendar import Calendar
from gotgan.domains.market.factors import renew_factors
from gotgan.domains.market.indicators import forget
from gotgan.domains.market.keys import INDICATORS_KEY
from gotgan.domains.market.models import Fetch, IndexValue, SharePrice
from gotgan.domains.market.tables import (
    INDICATOR_LOG,
    INDICATOR_STATES,
    MARKET_INDICES,
    STOCK_PRICES,
    STOCKS,
)
from gotgan.sql import insert_into, lock, revoke, upsert

__all__ = ["Added", "Saved", "add", "add_indices", "close", "is_stored_final", "save"]


@dataclass(frozen=True)
class Saved:
    """What was written."""

    rows: int
    changed: int
    """How many rows were there already, and are others now."""
    factors: int
    """How many shares have to be adjusted for another factor than before."""


@dataclass(frozen=True)
class Added:
    """What was added to a day, without touching its other rows."""

    new: int = 0
    changed: int = 0
    duplicates: int = 0
    """How many rows were there already, with the same numbers."""
    kept: int = 0
    """How many shares have a row of another provider, which stays."""


def save(connection: Connection, fetch: Fetch, calendar: Calendar, now: datetime) -> Saved:
    """Write what was fetched, whether it is there or not."""
    if fetch.side == "indices":
        return _save_indices(connection, fetch, now)
    return _save_prices(connection, fetch, calendar, now)


def add(
    connection: Connection, fetches: Sequence[Fetch], calendar: Calendar, now: datetime
) -> Added:
    """Write prices of some shares on some days, which are in order.

    Rows of other shares and of other providers stay as they are.
    """
    lock(connection, INDICATORS_KEY)
    stored, written = _stored_prices(connection, fetches), list[Fetch]()
    known = defaultdict[date, dict[str, tuple[Any, ...]]](dict)
    new = changed = duplicates = kept = 0
    for fetch in fetches:
        others = list[SharePrice]()
        for price in fetch.prices:
            provider, *facts = stored.get((fetch.day, price.ticker), (None,))
            if provider is None:
                new += 1
            elif provider != fetch.provider:
                kept += 1
                continue
            elif (before := tuple(facts)) == _all_facts(price):
                duplicates += 1
                continue
            else:
                changed += 1
                known[fetch.day][price.ticker] = before
            others.append(price)
        if others:
            written.append(replace(fetch, prices=tuple(others)))
    if written:
        _write_prices(connection, written, known, calendar, now)
    return Added(new, changed, duplicates, kept)


def add_indices(connection: Connection, fetches: Sequence[Fetch], now: datetime) -> Added:
    """Write indices of some days; rows of other providers stay as they are."""
    table, names = MARKET_INDICES.c, ("open", "high", "low", "close", "volume", "value")
    query = select(table.date, table.code, table.provider, *(table[name] for name in names))
    query = query.where(table.date.in_([fetch.day for fetch in fetches]))
    stored = {(row[0], row[1]): row[2:] for row in connection.execute(query)}
    rows, new, changed, duplicates, kept = list[dict[str, Any]](), 0, 0, 0, 0
    for fetch, index in [(each, index) for each in fetches for index in each.indices]:
        provider, *facts = stored.get((fetch.day, index.code), (None,))
        if provider is not None and provider != fetch.provider:
            kept += 1
        elif facts == [getattr(index, name) for name in names]:
            duplicates += 1
        else:
            new, changed = new + (provider is None), changed + (provider is not None)
            rows.append(_index_row(fetch, index, now))
    upsert(connection, MARKET_INDICES, rows)
    return Added(new, changed, duplicates, kept)


def close(connection: Connection, day: date, calendar: Calendar) -> None:
    """Let the sessions around a day that was none be neighbours; ``calendar`` knows of it."""
    lock(connection, INDICATORS_KEY)
    earlier, later = calendar.previous_session(day), calendar.next_session(day)
    if _is_stored(connection, earlier) and _is_stored(connection, later):
        adjusted = renew_factors(connection, earlier, later)
        _outdate_indicators(connection, {later: adjusted})
        if adjusted:
            revoke(connection, INDICATORS_KEY)


def is_stored_final(connection: Connection, day: date) -> bool:
    """Whether no row of a day is expected to change any more."""
    tables = (STOCK_PRICES, MARKET_INDICES)
    waiting = [exists().where(table.c.date == day, ~table.c.is_final) for table in tables]
    return not connection.execute(select(or_(*waiting))).scalar()


def _save_indices(connection: Connection, fetch: Fetch, now: datetime) -> Saved:
    known = _index_closes(connection, fetch.day)
    upsert(connection, MARKET_INDICES, [_index_row(fetch, each, now) for each in fetch.indices])
    changed = sum(known.get(each.code, each.close) != each.close for each in fetch.indices)
    return Saved(fetch.count, changed, 0)


def _save_prices(connection: Connection, fetch: Fetch, calendar: Calendar, now: datetime) -> Saved:
    lock(connection, INDICATORS_KEY)  # first of all: whoever calculates now ends before us
    known = {fetch.day: _known_prices(connection, fetch)}
    return _write_prices(connection, [fetch], known, calendar, now)


def _write_prices(
    connection: Connection,
    fetches: Sequence[Fetch],
    known: Mapping[date, Mapping[str, tuple[Any, ...]]],
    calendar: Calendar,
    now: datetime,
) -> Saved:
    """Replace what is ``known`` of some days by what was fetched, and notice what follows."""
    rows = [_price_row(fetch, each, now) for fetch in fetches for each in fetch.prices]
    upsert(connection, STOCK_PRICES, rows)
    moved, revised, changed = dict[date, set[str]](), False, 0
    for fetch in fetches:
        before = known.get(fetch.day, {})
        given = {price.ticker: _facts(price) for price in fetch.prices}
        _delete_prices(connection, fetch.day, before.keys() - given.keys())
        tickers = before.keys() | given.keys()
        moves = {ticker for ticker in tickers if _moves(before.get(ticker), given.get(ticker))}
        moved[fetch.day], revised = moves, revised or not moves.isdisjoint(before)
        changed += sum(given.get(ticker) != facts for ticker, facts in before.items())
    _save_stocks(connection, fetches)
    adjusted = _renew_neighbours(connection, list(moved), calendar)
    _outdate_indicators(connection, {day: moved[day] | adjusted[day] for day in moved})
    factors = len(set[str]().union(*adjusted.values()))
    if factors or revised:  # whoever calculates now has read what was before
        revoke(connection, INDICATORS_KEY)
    return Saved(len(rows), changed, factors)


_COMPARED = ("open", "high", "low", "close", "change", "volume", "value", "is_halted")


def _known_prices(connection: Connection, fetch: Fetch) -> dict[str, tuple[Any, ...]]:
    """What is stored of the markets that the answer is about."""
    table, markets = STOCK_PRICES, {price.market for price in fetch.prices}
    query = select(table.c.ticker, *(table.c[name] for name in _COMPARED))
    query = query.where(table.c.date == fetch.day, table.c.market.in_(markets))
    return {row[0]: tuple(row[1:]) for row in connection.execute(query)}


def _facts(price: SharePrice) -> tuple[Any, ...]:
    return tuple(getattr(price, name) for name in _COMPARED)


_ALL = (*_COMPARED, "market", "market_cap", "shares")


def _stored_prices(
    connection: Connection, fetches: Sequence[Fetch]
) -> dict[tuple[date, str], Sequence[Any]]:
    """Who wrote each row of these days and shares, and what is in it."""
    columns = STOCK_PRICES.c
    query = select(
        columns.date, columns.ticker, columns.provider, *(columns[name] for name in _ALL)
    )
    tickers = {price.ticker for fetch in fetches for price in fetch.prices}
    query = query.where(
        columns.date.in_([fetch.day for fetch in fetches]), columns.ticker.in_(tickers)
    )
    return {(row[0], row[1]): row[2:] for row in connection.execute(query)}


def _all_facts(price: SharePrice) -> tuple[Any, ...]:
    return tuple(getattr(price, name) for name in _ALL)


def _moves(before: tuple[Any, ...] | None, after: tuple[Any, ...] | None) -> bool:
    """Whether an indicator may come out otherwise: another close, or traded now and not before."""
    close, opened = _COMPARED.index("close"), _COMPARED.index("open")
    if before is None or after is None:
        return True
    was_traded, is_traded = before[opened] is not None, after[opened] is not None
    return (before[close], was_traded) != (after[close], is_traded)


def _delete_prices(connection: Connection, day: date, tickers: Collection[str]) -> None:
    """Take back what a later answer about the same day no longer has."""
    table = STOCK_PRICES
    if tickers:
        connection.execute(delete(table).where(table.c.date == day, table.c.ticker.in_(tickers)))


def _save_stocks(connection: Connection, fetches: Sequence[Fetch]) -> None:
    """Note which shares there are; their latest name counts, whichever day is written last."""
    adding = insert_into(connection, STOCKS)
    new, known = adding.excluded, STOCKS.c
    is_later = new.last_seen >= known.last_seen
    statement = adding.on_conflict_do_update(
        index_elements=["ticker"],
        set_={
            "name": case((is_later, new.name), else_=known.name),
            "market": case((is_later, new.market), else_=known.market),
            "last_seen": case((is_later, new.last_seen), else_=known.last_seen),
            "first_seen": case(
                (new.first_seen < known.first_seen, new.first_seen), else_=known.first_seen
            ),
        },
    )
    first = {each.ticker: fetch.day for fetch in reversed(fetches) for each in fetch.prices}
    last = {each.ticker: (each, fetch.day) for fetch in fetches for each in fetch.prices}
    rows = [
        {
            "ticker": ticker,
            "name": price.name,
            "market": price.market,
            "first_seen": first[ticker],
            "last_seen": day,
        }
        for ticker, (price, day) in last.items()
    ]
    connection.execute(statement, rows)


def _renew_neighbours(
    connection: Connection, days: Sequence[date], calendar: Calendar
) -> dict[date, set[str]]:
    """A day decides on its own factors, and on those of the session after it."""
    changed, written, renewed = dict[date, set[str]](), set(days), set[tuple[date, date]]()
    for day in days:
        pairs = {(calendar.previous_session(day), day), (day, calendar.next_session(day))} - renewed
        changed[day] = set[str]().union(
            *(
                renew_factors(connection, earlier, later)
                for earlier, later in sorted(pairs)
                if all(each in written or _is_stored(connection, each) for each in (earlier, later))
            )
        )
        renewed |= pairs
    return changed


def _is_stored(connection: Connection, day: date) -> bool:
    return bool(connection.execute(select(exists().where(STOCK_PRICES.c.date == day))).scalar())


def _outdate_indicators(connection: Connection, moved: Mapping[date, set[str]]) -> None:
    """Let indicators that rest on what is no longer true be calculated again, with the next run."""
    states, log = INDICATOR_STATES.c, INDICATOR_LOG
    since = {ticker: day for day in sorted(moved, reverse=True) for ticker in moved[day]}
    if not since:
        return
    stale = select(states.ticker, states.through).where(states.through >= min(since.values()))
    outdated = {
        ticker
        for ticker, through in connection.execute(stale)
        if ticker in since and through >= since[ticker]
    }
    days: list[ColumnElement[bool]] = [
        log.c.date.in_([day for day, tickers in moved.items() if tickers])
    ]
    if outdated:
        forget(connection, sorted(outdated))
        days.append(log.c.date >= min(since[ticker] for ticker in outdated))
    again = {"status": "pending", "attempts": 0, "retry_count": 0}
    again |= {"indicators_count": None, "error_message": None}
    connection.execute(update(log).where(or_(*days)).values(**again))


def _price_row(fetch: Fetch, price: SharePrice, now: datetime) -> dict[str, Any]:
    return {
        "date": fetch.day,
        "ticker": price.ticker,
        "market": price.market,
        "open": price.open,
        "high": price.high,
        "low": price.low,
        "close": price.close,
        "change": price.change,
        "volume": price.volume,
        "value": price.value,
        "market_cap": price.market_cap,
        "shares": price.shares,
        "is_halted": price.is_halted,
        **_origin(fetch, now),
    }


def _index_row(fetch: Fetch, index: IndexValue, now: datetime) -> dict[str, Any]:
    return {
        "date": fetch.day,
        "code": index.code,
        "name": index.name,
        "open": index.open,
        "high": index.high,
        "low": index.low,
        "close": index.close,
        "volume": index.volume,
        "value": index.value,
        **_origin(fetch, now),
    }


def _origin(fetch: Fetch, now: datetime) -> dict[str, Any]:
    return {"provider": fetch.provider, "is_final": fetch.is_final, "updated_at": now}


def _index_closes(connection: Connection, day: date) -> dict[str, float]:
    table = MARKET_INDICES
    query = select(table.c.code, table.c.close).where(table.c.date == day)
    return {row.code: row.close for row in connection.execute(query)}
