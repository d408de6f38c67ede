"""Data sets of the market: prices as traded and adjusted, indices, indicators and shares.

The version of a day is made of sums over its rows. That of a day of prices also has the factors of
later days and the delisted shares of the day: a split changes the adjusted prices of all days
before it.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import date, timedelta
from functools import partial
from itertools import accumulate, groupby
from operator import itemgetter, mul
from typing import TYPE_CHECKING, Any, Final

from sqlalchemy import (
    BigInteger,
    Boolean,
    ColumnElement,
    Integer,
    Select,
    Table,
    cast,
    func,
    select,
)
from sqlalchemy import Column as SqlColumn

from gotgan.domains.market.keys import (
    MARKET_INDICES,
    PRICE_FACTORS,
    STOCK_PRICES,
    STOCKS,
    TECHNICAL_INDICATORS,
)
from gotgan.domains.market.models import INDICATORS
from gotgan.exports.data_sets import Column, DataSet, ExportSpan, Kind, Partition, Row, digest
from gotgan.sql import Database

if TYPE_CHECKING:
    from gotgan.domain import Core

LISTED_WITHIN: Final = timedelta(days=14)
"""A share that was not seen for so long counts as delisted; the longest holidays are shorter."""
_ROWS_PER_FETCH: Final = 2_000
_ROUNDING_ERROR: Final = 1e-6
_UNITS_PER_ONE: Final = 10_000
"""The smallest difference of a fraction that counts as a change is one of these."""
_PRICES: Final = ("open", "high", "low", "close")


def _columns(kind: Kind, *names: str) -> tuple[Column, ...]:
    return tuple(Column(name, kind) for name in names)


_STORED_PRICES: Final = (
    *_columns("day", "date"),
    *_columns("text", "ticker", "market"),
    *_columns("integer", *_PRICES, "change", "volume", "value", "market_cap", "shares"),
    *_columns("boolean", "is_halted", "is_final"),
    *_columns("text", "provider"),
)
_PRICE_COLUMNS: Final = (
    *_STORED_PRICES,
    *_columns("boolean", "is_delisted"),
    *_columns("number", "factor", *(f"adjusted_{name}" for name in (*_PRICES, "volume"))),
)
_INDEX_COLUMNS: Final = (
    *_columns("day", "date"),
    *_columns("text", "code", "name"),
    *_columns("number", *_PRICES),
    *_columns("integer", "volume", "value"),
    *_columns("boolean", "is_final"),
    *_columns("text", "provider"),
)
_INDICATOR_COLUMNS: Final = (
    *_columns("day", "date"),
    *_columns("text", "ticker"),
    *_columns("number", *INDICATORS),
)
_STOCK_COLUMNS: Final = (
    *_columns("text", "ticker", "name", "market"),
    *_columns("day", "first_seen", "last_seen"),
    *_columns("boolean", "is_delisted"),
)


def data_sets(core: Core) -> tuple[DataSet, ...]:
    """The data sets of the market."""
    return market_data_sets(core.database)


def market_data_sets(database: Database) -> tuple[DataSet, ...]:
    """The same, on a database."""
    return (
        DataSet("prices", _PRICE_COLUMNS, _Prices(database).partitions),
        _plain(database, "indices", MARKET_INDICES, _INDEX_COLUMNS),
        _plain(database, "indicators", TECHNICAL_INDICATORS, _INDICATOR_COLUMNS),
        DataSet("stocks", _STOCK_COLUMNS, partial(_stock_partitions, database), by=None),
    )


# Shares


def _stock_partitions(database: Database, _span: ExportSpan) -> Iterator[Partition]:
    rows = _stocks(database)
    if rows:
        yield Partition("", digest(rows), partial(iter, rows))


def _stocks(database: Database) -> list[Row]:
    """All shares, with whether they are delisted."""
    query = select(*(STOCKS.c[each.name] for each in _STOCK_COLUMNS[:-1])).order_by(STOCKS.c.ticker)
    with database.read() as connection:
        rows = [tuple(row) for row in connection.execute(query)]
    newest: dict[str, date] = {}
    for *_, market, _, last_seen in rows:
        newest[market] = max(newest.get(market, last_seen), last_seen)
    return [(*row, row[-1] < newest[row[2]] - LISTED_WITHIN) for row in rows]


# Prices


@dataclass(frozen=True)
class _Later:
    """The factors of a share after each of their days."""

    days: tuple[date, ...]
    """The latest first."""
    factors: tuple[float, ...]
    """The product of the factors from the latest to the one of that day."""

    def factor(self, day: date) -> float:
        """What prices of a day are multiplied by."""
        behind = sum(each > day for each in self.days)
        return self.factors[behind - 1] if behind else 1.0


class _Prices:
    """Prices with what later days say about them."""

    def __init__(self, database: Database) -> None:
        self._database = database

    def partitions(self, span: ExportSpan) -> Iterator[Partition]:
        """The days with prices, the latest first."""
        sums = _day_sums(self._database, STOCK_PRICES, span)
        factors, gone = self._factors(), self._delisted()
        later = {
            ticker: _Later(
                tuple(day for day, _, _ in each), tuple(accumulate((row[2] for row in each), mul))
            )
            for ticker, each in _by_ticker(factors).items()
        }
        delisted = frozenset(ticker for _, ticker in gone)
        behind = _Behind(factors), _Behind(gone)
        for day in sorted(sums, reverse=True):
            version = digest([sums[day], behind[0].after(day), behind[1].after(day)])
            yield Partition(str(day), version, partial(self._rows, day, later, delisted))

    def _factors(self) -> list[tuple[date, str, float]]:
        """All factors, the latest first."""
        table = PRICE_FACTORS.c
        query = select(table.date, table.ticker, table.factor)
        query = query.order_by(table.date.desc(), table.ticker)
        with self._database.read() as connection:
            return [(row.date, row.ticker, row.factor) for row in connection.execute(query)]

    def _delisted(self) -> list[tuple[date, str]]:
        """The day after the last day of each delisted share, the latest first."""
        found = _stocks(self._database)
        days = [(row[4] + timedelta(days=1), row[0]) for row in found if row[-1]]
        return sorted(days, reverse=True)

    def _rows(
        self, day: date, later: Mapping[str, _Later], delisted: frozenset[str]
    ) -> Iterator[Row]:
        names = [each.name for each in _STORED_PRICES]
        opened, volume = names.index("open"), names.index("volume")
        for row in _stream(self._database, _day_query(STOCK_PRICES, _STORED_PRICES, day)):
            ticker = row[1]
            factor = later[ticker].factor(day) if ticker in later else 1.0
            prices = (_adjusted(each, factor) for each in row[opened : opened + len(_PRICES)])
            yield (*row, ticker in delisted, factor, *prices, row[volume] / factor)


def _adjusted(price: int | None, factor: float) -> float | None:
    """A price that is comparable with today's; an unchanged one is not moved by rounding."""
    if price is None:
        return None
    adjusted = price * factor
    nearest = round(adjusted)
    return float(nearest) if abs(adjusted - nearest) < _ROUNDING_ERROR else adjusted


def _by_ticker(
    factors: Sequence[tuple[date, str, float]],
) -> dict[str, list[tuple[date, str, float]]]:
    ordered = sorted(factors, key=itemgetter(1))  # stable: of a share, the latest stays first
    return {ticker: list(each) for ticker, each in groupby(ordered, key=itemgetter(1))}


class _Behind:
    """A text for what lies behind a day, of entries whose first value is their day.

    The latest entry comes first, and days are asked for from the latest to the first.
    """

    def __init__(self, entries: Sequence[tuple[Any, ...]]) -> None:
        self._entries = iter(entries)
        self._next = next(self._entries, None)
        self._text = ""

    def after(self, day: date) -> str:
        """A text that differs where an entry after a day does."""
        while self._next is not None and self._next[0] > day:
            self._text = digest([self._text, self._next])
            self._next = next(self._entries, None)
        return self._text


# Tables whose rows are exported as they are


def _plain(database: Database, name: str, table: Table, columns: tuple[Column, ...]) -> DataSet:
    def partitions(span: ExportSpan) -> Iterator[Partition]:
        for day, sums in _day_sums(database, table, span).items():
            query = _day_query(table, columns, day)
            yield Partition(str(day), digest([sums]), partial(_stream, database, query))

    return DataSet(name, columns, partitions)


def _day_query(table: Table, columns: Sequence[Column], day: date) -> Select[Any]:
    key = list(table.primary_key)[1]
    query = select(*(table.c[each.name] for each in columns)).where(table.c.date == day)
    return query.order_by(key)


def _day_sums(database: Database, table: Table, span: ExportSpan) -> dict[date, tuple[str, ...]]:
    """The days of a table, each with texts that change with its rows."""
    figures = [_sum(each) for each in table.c if each.type.python_type in (int, float, bool)]
    latest = [func.max(table.c.updated_at)] if "updated_at" in table.c else []
    query = select(table.c.date, func.count(), *latest, *figures).group_by(table.c.date)
    if span.since is not None:
        query = query.where(table.c.date >= span.since)
    if span.until is not None:
        query = query.where(table.c.date <= span.until)
    with database.read() as connection:
        return {row[0]: tuple(map(str, row[1:])) for row in connection.execute(query)}


def _sum(column: SqlColumn[Any]) -> ColumnElement[Any]:
    """A sum in whole numbers: that of fractions depends on the order of the rows."""
    if isinstance(column.type, Boolean):
        return func.sum(cast(column, Integer))
    if column.type.python_type is float:
        return func.sum(cast(func.round(column * _UNITS_PER_ONE), BigInteger))
    return func.sum(column)


def _stream(database: Database, query: Select[Any]) -> Iterator[Row]:
    """The rows of a query, some at a time."""
    with database.read() as connection:
        for row in connection.execution_options(yield_per=_ROWS_PER_FETCH).execute(query):
            yield tuple(row)
