"""Writes a side of a day, its corporate actions, and what follows for days before and after it.

A split, a merger or an issue of shares shows in the exchange's own answer: the close less its
change is the base of the day, and where that is not the close before, earlier prices are
multiplied by the quotient of both, the factor.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import date, datetime
from typing import Any, Final

from sqlalchemy import (
    Column,
    ColumnElement,
    Connection,
    Select,
    and_,
    bindparam,
    case,
    delete,
    exists,
    or_,
    select,
    update,
)

from gotgan.domains.market.calendar import Calendar
from gotgan.domains.market.indicators.calculator import delete_states
from gotgan.domains.market.keys import (
    INDICATOR_LOG,
    INDICATOR_STATES,
    INDICATORS_KEY,
    MARKET_INDICES,
    PRICE_FACTORS,
    STOCK_PRICES,
    STOCKS,
)
from gotgan.domains.market.models import Fetch, IndexValue, SharePrice
from gotgan.sql import insert_into, lock, revoke, upsert

_COMPARED: Final = ("open", "high", "low", "close", "change", "volume", "value", "is_halted")
PRICE_COLUMNS: Final = (*_COMPARED, "market", "market_cap", "shares")
INDEX_COLUMNS: Final = ("open", "high", "low", "close", "volume", "value")
_Values = tuple[Any, ...]


@dataclass(frozen=True)
class SaveResult:
    """What was written."""

    rows: int
    changed: int
    """Stored rows that have other values now."""
    factors: int
    """Shares whose factor changed."""


def save(connection: Connection, fetch: Fetch, calendar: Calendar, now: datetime) -> SaveResult:
    """Write what was fetched, over what is stored of the same markets or indices."""
    if fetch.side == "indices":
        query = select(MARKET_INDICES.c.code, MARKET_INDICES.c.close)
        found = connection.execute(query.where(MARKET_INDICES.c.date == fetch.day))
        closes = {row.code: row.close for row in found}
        upsert(connection, MARKET_INDICES, [_index_row(fetch, each, now) for each in fetch.indices])
        changed = sum(closes.get(each.code, each.close) != each.close for each in fetch.indices)
        return SaveResult(fetch.count, changed, 0)
    lock(connection, INDICATORS_KEY)  # first of all: a running calculation ends before this
    table, markets = STOCK_PRICES.c, {price.market for price in fetch.prices}
    prices = select(table.ticker, *(table[name] for name in _COMPARED))
    prices = prices.where(table.date == fetch.day, table.market.in_(markets))
    known = {fetch.day: {row[0]: tuple(row[1:]) for row in connection.execute(prices)}}
    return _write_prices(connection, [fetch], known, calendar, now)


def add_prices(
    connection: Connection, fetches: Sequence[Fetch], calendar: Calendar, now: datetime
) -> Counter[str]:
    """Write prices of some shares on some days, which are in order.

    Rows of other shares and of other providers are kept. Returns the number of ``new``,
    ``changed``, ``duplicates`` and ``kept`` rows.
    """
    lock(connection, INDICATORS_KEY)
    tickers = {price.ticker for fetch in fetches for price in fetch.prices}
    stored = _stored_rows(connection, STOCK_PRICES.c.ticker, PRICE_COLUMNS, fetches, tickers)
    counts, written = Counter[str](), list[Fetch]()
    known = defaultdict[date, dict[str, _Values]](dict)
    for fetch in fetches:
        prices = list[SharePrice]()
        for price in fetch.prices:
            before = stored.get((fetch.day, price.ticker))
            outcome = _compare(before, fetch.provider, column_values(price, PRICE_COLUMNS))
            counts[outcome] += 1
            if before is not None and outcome == "changed":
                known[fetch.day][price.ticker] = before[1 : len(_COMPARED) + 1]
            if outcome in {"new", "changed"}:
                prices.append(price)
        if prices:
            written.append(replace(fetch, prices=tuple(prices)))
    if written:
        _write_prices(connection, written, known, calendar, now)
    return counts


def add_indices(connection: Connection, fetches: Sequence[Fetch], now: datetime) -> Counter[str]:
    """Write indices of some days, counted in the same way; rows of other providers are kept."""
    codes = {index.code for fetch in fetches for index in fetch.indices}
    stored = _stored_rows(connection, MARKET_INDICES.c.code, INDEX_COLUMNS, fetches, codes)
    counts, rows = Counter[str](), list[dict[str, Any]]()
    for fetch, index in [(each, index) for each in fetches for index in each.indices]:
        before = stored.get((fetch.day, index.code))
        outcome = _compare(before, fetch.provider, column_values(index, INDEX_COLUMNS))
        counts[outcome] += 1
        if outcome in {"new", "changed"}:
            rows.append(_index_row(fetch, index, now))
    upsert(connection, MARKET_INDICES, rows)
    return counts


def close_day(connection: Connection, day: date, calendar: Calendar) -> None:
    """Make the sessions around a closed day neighbours; ``calendar`` knows that it was closed."""
    lock(connection, INDICATORS_KEY)
    earlier, later = calendar.previous_session(day), calendar.next_session(day)
    if _is_stored(connection, earlier) and _is_stored(connection, later):
        adjusted = update_factors(connection, earlier, later)
        _invalidate_indicators(connection, {later: adjusted})
        if adjusted:
            revoke(connection, INDICATORS_KEY)


def is_stored_final(connection: Connection, day: date) -> bool:
    """Whether no row of a day is expected to change any more."""
    tables = (STOCK_PRICES, MARKET_INDICES)
    waiting = [exists().where(table.c.date == day, ~table.c.is_final) for table in tables]
    return not connection.execute(select(or_(*waiting))).scalar()


def column_values(row: SharePrice | IndexValue, names: Sequence[str]) -> _Values:
    """Some values of a row."""
    return tuple(getattr(row, name) for name in names)


def _stored_rows(
    connection: Connection,
    key: Column[Any],
    names: Sequence[str],
    fetches: Sequence[Fetch],
    keys: Collection[str],
) -> dict[tuple[date, str], _Values]:
    """The provider and the values of the rows that are stored of these days and keys."""
    table = key.table.c
    query = select(table.date, key, table.provider, *(table[name] for name in names))
    query = query.where(table.date.in_([fetch.day for fetch in fetches]), key.in_(keys))
    return {(row[0], row[1]): tuple(row[2:]) for row in connection.execute(query)}


def _compare(before: _Values | None, provider: str, values: _Values) -> str:
    if before is None:
        return "new"
    if before[0] != provider:
        return "kept"
    return "duplicates" if before[1:] == values else "changed"


def _write_prices(
    connection: Connection,
    fetches: Sequence[Fetch],
    known: Mapping[date, Mapping[str, _Values]],
    calendar: Calendar,
    now: datetime,
) -> SaveResult:
    """Replace what is ``known`` of some days by what was fetched, and update what follows."""
    rows = [_price_row(fetch, each, now) for fetch in fetches for each in fetch.prices]
    upsert(connection, STOCK_PRICES, rows)
    moved, revised, changed = dict[date, set[str]](), False, 0
    for fetch in fetches:
        before = known.get(fetch.day, {})
        given = {price.ticker: column_values(price, _COMPARED) for price in fetch.prices}
        gone = before.keys() - given.keys()  # a later answer no longer has them
        if gone:
            table = STOCK_PRICES.c
            is_gone = and_(table.date == fetch.day, table.ticker.in_(gone))
            connection.execute(delete(STOCK_PRICES).where(is_gone))
        tickers = before.keys() | given.keys()
        moves = {
            ticker
            for ticker in tickers
            if _affects_indicators(before.get(ticker), given.get(ticker))
        }
        moved[fetch.day], revised = moves, revised or not moves.isdisjoint(before)
        changed += sum(given.get(ticker) != values for ticker, values in before.items())
    _save_stocks(connection, fetches)
    adjusted = _update_neighbour_factors(connection, list(moved), calendar)
    _invalidate_indicators(connection, {day: moved[day] | adjusted[day] for day in moved})
    factors = len(set[str]().union(*adjusted.values()))
    if factors or revised:  # a running calculation has read the old prices
        revoke(connection, INDICATORS_KEY)
    return SaveResult(len(rows), changed, factors)


def _affects_indicators(before: _Values | None, after: _Values | None) -> bool:
    """Whether there is another close, or the share was traded now and not before."""
    close, opened = _COMPARED.index("close"), _COMPARED.index("open")
    if before is None or after is None:
        return True
    was_traded, is_traded = before[opened] is not None, after[opened] is not None
    return (before[close], was_traded) != (after[close], is_traded)


def _save_stocks(connection: Connection, fetches: Sequence[Fetch]) -> None:
    """Note which shares there are; their latest name counts, whichever day is written last."""
    adding = insert_into(connection, STOCKS)
    new, known = adding.excluded, STOCKS.c
    is_later = new.last_seen >= known.last_seen
    is_earlier = new.first_seen < known.first_seen
    latest = {
        name: case((is_later, new[name]), else_=known[name])
        for name in ("name", "market", "last_seen")
    }
    first_seen = case((is_earlier, new.first_seen), else_=known.first_seen)
    statement = adding.on_conflict_do_update(
        index_elements=["ticker"], set_={**latest, "first_seen": first_seen}
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


def _is_stored(connection: Connection, day: date) -> bool:
    return bool(connection.execute(select(exists().where(STOCK_PRICES.c.date == day))).scalar())


def _price_row(fetch: Fetch, price: SharePrice, now: datetime) -> dict[str, Any]:
    values = {name: getattr(price, name) for name in PRICE_COLUMNS}
    return {"ticker": price.ticker, **values, **_origin(fetch, now)}


def _index_row(fetch: Fetch, index: IndexValue, now: datetime) -> dict[str, Any]:
    values = {name: getattr(index, name) for name in ("code", "name", *INDEX_COLUMNS)}
    return {**values, **_origin(fetch, now)}


def _origin(fetch: Fetch, now: datetime) -> dict[str, Any]:
    return {
        "date": fetch.day,
        "provider": fetch.provider,
        "is_final": fetch.is_final,
        "updated_at": now,
    }


# Factors; both queries are built once, because building them takes longer than running them


def _factors_query() -> Select[tuple[str, int, int]]:
    now, then = STOCK_PRICES.alias("now"), STOCK_PRICES.alias("then")
    base = now.c.close - now.c.change
    return (
        select(now.c.ticker, then.c.close, base.label("base"))
        .join(then, and_(then.c.ticker == now.c.ticker, then.c.date == bindparam("earlier")))
        .where(now.c.date == bindparam("later"), base != then.c.close, base > 0, then.c.close > 0)
    )


_FACTORS_QUERY: Final = _factors_query()
_STORED_FACTORS_QUERY: Final = select(PRICE_FACTORS.c.ticker, PRICE_FACTORS.c.factor).where(
    PRICE_FACTORS.c.date == bindparam("later")
)


def update_factors(connection: Connection, earlier: date, later: date) -> set[str]:
    """Update the factors of a day, and return the tickers whose factor changed.

    ``earlier`` is the session before it, and must be stored.
    """
    days = {"earlier": earlier, "later": later}
    found = {
        row.ticker: {
            "date": later,
            "ticker": row.ticker,
            "factor": row.base / row.close,
            "previous_close": row.close,
            "base": row.base,
        }
        for row in connection.execute(_FACTORS_QUERY, days)
    }
    stored = connection.execute(_STORED_FACTORS_QUERY, {"later": later})
    known = {row.ticker: row.factor for row in stored}
    changed = {ticker for ticker, row in found.items() if known.get(ticker) != row["factor"]}
    gone = known.keys() - found.keys()
    table = PRICE_FACTORS
    if gone:
        connection.execute(delete(table).where(table.c.date == later, table.c.ticker.in_(gone)))
    upsert(connection, table, [found[ticker] for ticker in sorted(changed)])
    return changed | gone


def _update_neighbour_factors(
    connection: Connection, days: Sequence[date], calendar: Calendar
) -> dict[date, set[str]]:
    """Update the factors of some days and of the sessions after them."""
    changed, written, done = dict[date, set[str]](), set(days), set[tuple[date, date]]()
    for day in days:
        pairs = {(calendar.previous_session(day), day), (day, calendar.next_session(day))} - done
        changed[day] = set[str]().union(
            *(
                update_factors(connection, earlier, later)
                for earlier, later in sorted(pairs)
                if all(each in written or _is_stored(connection, each) for each in (earlier, later))
            )
        )
        done |= pairs
    return changed


def _invalidate_indicators(connection: Connection, moved: Mapping[date, set[str]]) -> None:
    """Have the next run calculate indicators again that rest on changed prices."""
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
        delete_states(connection, sorted(outdated))
        days.append(log.c.date >= min(since[ticker] for ticker in outdated))
    again = {"status": "pending", "attempts": 0, "retry_count": 0}
    again |= {"indicators_count": None, "error_message": None}
    connection.execute(update(log).where(or_(*days)).values(**again))
