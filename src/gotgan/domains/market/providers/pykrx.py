"""pykrx as a provider: many know it, and it asks KRX in the same way as our own client.

It gives neither names nor changes nor numbers of shares with the prices: names come from its own
search, and the others follow from what it gives.
"""

from __future__ import annotations

import threading
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from datetime import date
from typing import Any, Final, TypeVar

from gotgan.domains.market.models import INDICES, IndexValue, SharePrice
from gotgan.domains.market.providers.krx_session import credentials, host_of
from gotgan.domains.market.providers.provider import as_traded, expect_each_once, of_all_markets
from gotgan.domains.market.providers.pykrx_loading import loaded_pykrx, logged_in
from gotgan.domains.market.providers.refused_logins import RefusedLogins
from gotgan.errors import BadMarketAnswer, MarketClosed, SessionEnded
from gotgan.settings import Settings
from gotgan.sql import Leases

__all__ = ["Pykrx", "base_of"]

T = TypeVar("T")

_TURN: Final = threading.Lock()
"""pykrx has one session for everybody."""
_STEPS: Final = (1_000, 500, 100, 50, 10, 5, 1)
_INEXACT: Final = 0.000_06
"""How far a base may be off that is calculated from a rate with two digits."""


class Pykrx:
    """The provider ``pykrx``."""

    name = "pykrx"

    def __init__(self, settings: Settings, leases: Leases) -> None:
        self.host = host_of(settings)
        self._settings = settings
        self._refused = RefusedLogins(leases, self.host, settings)
        self._stock: Any = None
        self._session: Any = None

    def prices(self, day: date, markets: Sequence[str]) -> list[SharePrice]:
        """Every share of some markets."""
        found = of_all_markets(markets, lambda market: self._prices(day, market))
        expect_each_once((price.ticker for price in found), f"pykrx's answer for {day}")
        return found

    def indices(self, day: date, names: Sequence[str]) -> list[IndexValue]:
        """Some indices, by their names."""
        return of_all_markets(names, lambda name: self._index(day, name))

    def _prices(self, day: date, market: str) -> list[SharePrice]:
        with _TURN, _failures_told(f"the prices of {market} on {day}"):
            shares = self._asked(lambda stock: list(_shares(stock, day, market)))
        return as_traded(shares, day, market)

    def _index(self, day: date, name: str) -> list[IndexValue]:
        when, code = f"{day:%Y%m%d}", INDICES[name]
        with _TURN, _failures_told(f"the {name} index of {day}"):
            frame = self._asked(
                lambda stock: stock.get_index_ohlcv(when, when, code, name_display=False)
            )
            if frame.empty:
                raise MarketClosed(f"there was no trade on {day}: there is no {name} index of it")
            values = [frame[column].tolist() for column in _INDEX]
        return [
            # pykrx writes 0 where the exchange has no open, high and low.
            IndexValue(code, name, opened or None, high or None, low or None, *others)
            for opened, high, low, *others in zip(*values, strict=True)
        ]

    def _asked(self, ask: Callable[[Any], T]) -> T:
        """What pykrx answers; where KRX has forgotten us, log in again, once."""
        self._log_in()
        try:
            return ask(self._stock)
        except SessionEnded:
            self._session.is_authenticated = False
            self._log_in()
        return ask(self._stock)

    def _log_in(self) -> None:
        """Give pykrx a session of ours, unless it has one that will last."""
        name, password = credentials(self._settings)
        if self._session is not None and self._session.is_valid():
            return
        if self._session is not None:
            self._session.session.close()
        self._stock = self._stock or loaded_pykrx()
        with self._refused.remembered(name, password):
            self._session = logged_in(name, password, self._settings)


_PRICE: Final = ("시가", "고가", "저가", "종가", "거래량", "거래대금", "등락률", "시가총액")
_INDEX: Final = ("시가", "고가", "저가", "종가", "거래량", "거래대금")


def _shares(stock: Any, day: date, market: str) -> Iterator[SharePrice]:
    """All that pykrx knows of a market, with 0 for whatever a share does not have."""
    frame = stock.get_market_ohlcv(f"{day:%Y%m%d}", market=market)
    columns = [frame[name].tolist() for name in _PRICE]
    for ticker, *numbers in zip(frame.index, *columns, strict=True):
        opened, high, low, close, volume, value, rate, cap = numbers
        yield SharePrice(
            ticker=ticker,
            name=_name(stock, ticker),
            market=market,
            open=opened,
            high=high,
            low=low,
            close=close,
            change=close - base_of(close, rate),
            volume=volume,
            value=value,
            market_cap=cap,
            shares=cap // close if close else 0,
        )


def _name(stock: Any, ticker: str) -> str:
    """What pykrx calls a share; its ticker where the search does not know it."""
    name = stock.get_market_ticker_name(ticker)
    return name if isinstance(name, str) else ticker


def base_of(close: int, rate: float) -> int:
    """What a close is compared with, from the change in per cent.

    The rate has two digits, so that many bases would fit; prices go in round steps, and the
    roundest that fits is the one.
    """
    near = close / (1 + rate / 100)
    for step in _STEPS:
        base = round(near / step) * step
        if abs(base - near) <= near * _INEXACT:
            return base
    return round(near)


@contextmanager
def _failures_told(what: str) -> Iterator[None]:
    """Whatever pykrx raises over an answer that it cannot read, in our words."""
    try:
        yield
    except (ArithmeticError, AttributeError, LookupError, TypeError, ValueError) as error:
        raise BadMarketAnswer(
            f"pykrx cannot read {what}, and does not say why ({type(error).__name__}); the "
            "provider krx tells more"
        ) from error
