"""The third step: read the day back, and see that it is what was calculated.

Where another process has calculated, there is nothing to compare with: a few shares are worked
through once more from their first day on, and stand for the others.
"""

from __future__ import annotations

from collections.abc import Sequence
from datetime import date
from typing import Final

import numpy as np
from sqlalchemy import Connection, select

from gotgan.domains.market.indicators.calculated import NAMES, Calculated
from gotgan.domains.market.indicators.kernels import COLUMNS, Floats, indicators_of
from gotgan.domains.market.indicators.loading import histories_of
from gotgan.domains.market.tables import INDICATOR_STATES, STOCK_PRICES, TECHNICAL_INDICATORS
from gotgan.errors import VerifyFailed

__all__ = ["verify", "verify_sample"]

_SAMPLE: Final = 20
_SLIP: Final = 1e-6
"""By so much, of the value or of a won, may differ what was taken day by day and all at once."""
_NOTHING: Final[Floats] = np.full(len(COLUMNS), np.nan)


def verify(connection: Connection, calculated: Calculated) -> int:
    """How many indicators the day has; VerifyFailed where they are not those calculated."""
    day, wanted = calculated.day, calculated.of_day
    columns = (TECHNICAL_INDICATORS.c[name] for name in NAMES)
    query = select(*columns).where(TECHNICAL_INDICATORS.c.date == day)
    found = {row.ticker: tuple(row) for row in connection.execute(query)}
    count = len(wanted) + calculated.settled
    if len(found) != count:
        raise VerifyFailed(
            f"{len(found)} rows of indicators are stored for {day} where {count} should be; "
            "calculate the day again"
        )
    wrong = [line[1] for line in wanted if found.get(line[1]) != line]
    if wrong:
        raise VerifyFailed(
            f"the indicators stored for {wrong[0]} on {day} are not those calculated "
            f"(and so for {len(wrong)} in all); calculate the day again"
        )
    return count


def verify_sample(connection: Connection, day: date) -> int:
    """Work a few shares of a day through once more; how many, where all are as they are stored."""
    sample = _sampled(connection, day)
    found, through = _stored(connection, day), _through(connection, sample)
    for ticker in sample:
        wanted = _by_the_book(connection, ticker, day, through.get(ticker, day))
        is_alike = np.allclose(
            found.get(ticker, _NOTHING), wanted, rtol=_SLIP, atol=_SLIP, equal_nan=True
        )
        if not is_alike:
            raise VerifyFailed(
                f"the indicators stored for {ticker} on {day} are not those of its prices; "
                "calculate the day again"
            )
    return len(sample)


def _sampled(connection: Connection, day: date) -> Sequence[str]:
    """A few of the shares that have a price on a day, spread over all of them."""
    prices = STOCK_PRICES.c
    query = select(prices.ticker).where(prices.date == day).order_by(prices.ticker)
    tickers = connection.scalars(query).all()
    return tickers[:: max(len(tickers) // _SAMPLE, 1)]


def _stored(connection: Connection, day: date) -> dict[str, Floats]:
    table = TECHNICAL_INDICATORS
    query = select(table.c.ticker, *(table.c[name] for name in COLUMNS)).where(table.c.date == day)
    return {row[0]: np.array(row[1:], dtype=np.float64) for row in connection.execute(query)}


def _through(connection: Connection, tickers: Sequence[str]) -> dict[str, date]:
    """Up to which day shares were taken into account: later splits are not in their rows yet."""
    states = INDICATOR_STATES.c
    query = select(states.ticker, states.through).where(states.ticker.in_(tickers))
    return {row.ticker: row.through for row in connection.execute(query)}


def _by_the_book(connection: Connection, ticker: str, day: date, through: date) -> Floats:
    """The indicators that the whole history of a share gives for a day; none without a price."""
    [history] = histories_of(connection, [ticker], through)
    if day not in history.days:
        return _NOTHING
    indicators = indicators_of(history.closes)
    at = history.days.index(day)
    return np.array([indicators[name][at] for name in COLUMNS])
