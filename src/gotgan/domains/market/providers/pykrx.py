"""The provider pykrx: a wrapper of the library of that name, which asks KRX as its pages do.

The library has neither names nor changes nor numbers of shares with the prices: names come from its
search, and the others follow from its figures. It does not distinguish a logout, a block and an
empty answer, so its session does, which also has time-outs and pauses between requests.

Loading the library logs in over the network and prints the user's name, where the environment has
one; so the environment is hidden from it meanwhile. Only names within its own modules are replaced.
"""

from __future__ import annotations

import contextlib
import importlib
import io
import threading
import time
import warnings
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from datetime import date
from typing import Any, Final, TypeVar
from urllib.parse import urlsplit

import numpy as np

from gotgan.domains.market import messages
from gotgan.domains.market.models import INDICES, IndexValue, SharePrice
from gotgan.domains.market.providers.krx import (
    DUPLICATE_LOGIN,
    LOGIN_PATH,
    RefusedLogins,
    credentials,
    expect_login,
    krx_host,
)
from gotgan.domains.market.providers.krx_responses import expect_answer, parse_object
from gotgan.domains.market.providers.provider import ask_all_markets, expect_unique, traded_shares
from gotgan.errors import BadMarketAnswer, MarketClosed, ProviderError, SessionEnded
from gotgan.fetch.addresses import parse_url
from gotgan.fetch.guard import Guard
from gotgan.messages import Message, text
from gotgan.settings import Secret, Settings, hidden_variables
from gotgan.sql import Leases

T = TypeVar("T")
_TIMEOUT_S: Final = 30.0
_KRX_ADDRESSES: Final = ("https://data.krx.co.kr", "http://data.krx.co.kr")
_AUTH_MODULE: Final = "pykrx.website.comm.auth"
_PRINTING_MODULES: Final = (_AUTH_MODULE, "pykrx.website.comm.util")
_NUMPY_MODULE: Final = "pykrx.website.krx.market.wrap"
_SESSION_LOCK: Final = threading.Lock()
"""pykrx has one session for the whole process."""
_PRICE_STEPS: Final = (1_000, 500, 100, 50, 10, 5, 1)
_RATE_TOLERANCE: Final = 0.000_06
"""How far a base may be off that is calculated from a rate with two digits."""
_INDEX_COLUMNS: Final = ("시가", "고가", "저가", "종가", "거래량", "거래대금")
_PRICE_COLUMNS: Final = (*_INDEX_COLUMNS, "등락률", "시가총액")


def make_session(settings: Settings, seconds: float = _TIMEOUT_S) -> Any:
    """A session for pykrx, whose requests go to the address of KRX in the settings.

    ``seconds`` is the time-out of requests to which pykrx gives none.
    """
    import requests  # noqa: PLC0415 - late, because it binds a socket as soon as it is loaded

    session: Any = requests.Session()
    for place in _KRX_ADDRESSES:
        session.mount(place, _Adapter(session.get_adapter(place), settings, seconds))
    return session


class _Adapter:
    """Sends the requests of pykrx through an adapter of requests."""

    def __init__(self, wire: Any, settings: Settings, seconds: float) -> None:
        self._wire = wire
        self._seconds = seconds
        self._base = settings.krx.rstrip("/")
        self._delay = settings.delay
        self._place = Guard(settings.resolve).place_of(parse_url(self._base))
        self._lock = threading.Lock()
        self._last = -self._delay

    def send(self, request: Any, *_: object, **options: Any) -> Any:
        """Send a request after a pause, and check the answer before pykrx reads it."""
        with self._lock:
            time.sleep(max(0.0, self._last + self._delay - time.monotonic()))
            self._last = time.monotonic()
        if self._place is not None:
            options["proxies"] = None
        options["timeout"] = options.get("timeout") or self._seconds
        try:
            response = self._wire.send(self._to_configured_host(request), **options)
            body = bytes(response.content)
        except OSError as error:  # as all errors of requests are
            cause = text(type(error).__name__)
            raise ProviderError(messages.KRX_UNREACHABLE(cause=cause)) from error
        _expect_valid(request, response.status_code, body)
        return response

    def close(self) -> None:
        """Close connections."""
        self._wire.close()

    def _to_configured_host(self, request: Any) -> Any:
        """A copy to the address in the settings; pykrx's own keeps its host, for cookies."""
        copy = request.copy()
        copy.headers["Host"] = urlsplit(self._base).netloc
        copy.url = (f"http://{self._place}" if self._place else self._base) + request.path_url
        return copy


def _expect_valid(request: Any, status: int, body: bytes) -> None:
    if request.method != "POST":
        return
    expect_answer(status, body)
    answer = parse_object(body)
    if urlsplit(request.url).path == LOGIN_PATH:
        code = str(answer.get("_error_code", ""))
        if code != DUPLICATE_LOGIN or "skipDup=Y" in str(request.body):  # pykrx answers the former
            expect_login(code)
    elif not any(isinstance(part, list) for part in answer.values()):
        raise BadMarketAnswer(messages.KRX_NO_ROWS(name=None))


def load_pykrx() -> Any:
    """The part of pykrx that is about shares."""
    try:
        with hidden_variables("KRX_ID", "KRX_PW"), contextlib.redirect_stdout(io.StringIO()):
            stock = _import("pykrx.stock")
    except ImportError as error:
        raise ProviderError(messages.PYKRX_MISSING()) from error
    for name in _PRINTING_MODULES:
        vars(_import(name))["print"] = lambda *_, **__: None  # the user's name, or an error
    vars(_import(_NUMPY_MODULE))["np"] = _WideNumpy()
    return stock


def log_in(name: str, password: Secret, settings: Settings) -> Any:
    """Log in, and have pykrx use the session from now on; load it first."""
    auth, session = _import(_AUTH_MODULE), make_session(settings)
    auth.login_krx(name, password.reveal(), session)
    cookies = {cookie.name: {"value": cookie.value} for cookie in session.cookies}
    known = auth.KRXSession(session=session, is_authenticated=True, cookies=cookies)
    auth.set_auth_session(known)
    return known


def _import(name: str) -> Any:
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # about its internals
        return importlib.import_module(name)


class _WideNumpy:
    """numpy with 64 bits for 32: pykrx would keep volumes in 32, which are larger."""

    int32 = np.int64

    def __getattr__(self, name: str) -> Any:
        return getattr(np, name)


class Pykrx:
    """The provider ``pykrx``."""

    name = "pykrx"

    def __init__(self, settings: Settings, leases: Leases) -> None:
        self.host = krx_host(settings)
        self._settings = settings
        self._refused = RefusedLogins(leases, self.host, settings)
        self._stock: Any = None
        self._session: Any = None

    def prices(self, day: date, markets: Sequence[str]) -> list[SharePrice]:
        """Every share of some markets."""
        found = ask_all_markets(markets, lambda market: self._prices(day, market))
        expect_unique((price.ticker for price in found), "pykrx")
        return found

    def indices(self, day: date, names: Sequence[str]) -> list[IndexValue]:
        """Some indices, by their names."""
        return ask_all_markets(names, lambda name: self._index(day, name))

    def _prices(self, day: date, market: str) -> list[SharePrice]:
        with _SESSION_LOCK, _translated_failures(messages.PRICES_OF_MARKET(market=market, day=day)):
            shares = self._ask(lambda stock: list(_shares(stock, day, market)))
        return traded_shares(shares, day, market)

    def _index(self, day: date, name: str) -> list[IndexValue]:
        when, code = f"{day:%Y%m%d}", INDICES[name]
        with _SESSION_LOCK, _translated_failures(messages.INDEX_OF_DAY(market=name, day=day)):
            frame = self._ask(
                lambda stock: stock.get_index_ohlcv(when, when, code, name_display=False)
            )
            if frame.empty:
                raise MarketClosed(messages.NO_INDEX_TRADED(market=name))
            values = [frame[column].tolist() for column in _INDEX_COLUMNS]
        return [
            # pykrx writes 0 where the exchange has no open, high and low.
            IndexValue(code, name, opened or None, high or None, low or None, *others)
            for opened, high, low, *others in zip(*values, strict=True)
        ]

    def _ask(self, ask: Callable[[Any], T]) -> T:
        """The answer of pykrx; where the session has ended, log in again, once."""
        self._log_in()
        try:
            return ask(self._stock)
        except SessionEnded:
            self._session.is_authenticated = False
            self._log_in()
        return ask(self._stock)

    def _log_in(self) -> None:
        """Log in, unless there is a session that will last."""
        name, password = credentials(self._settings)
        if self._session is not None and self._session.is_valid():
            return
        if self._session is not None:
            self._session.session.close()
        self._stock = self._stock or load_pykrx()
        with self._refused.login_attempt(name, password):
            self._session = log_in(name, password, self._settings)


def _shares(stock: Any, day: date, market: str) -> Iterator[SharePrice]:
    """The shares of a market; a missing number is 0, and an unknown name is the ticker."""
    frame = stock.get_market_ohlcv(f"{day:%Y%m%d}", market=market)
    columns = [frame[name].tolist() for name in _PRICE_COLUMNS]
    for ticker, *numbers in zip(frame.index, *columns, strict=True):
        opened, high, low, close, volume, value, rate, cap = numbers
        name = stock.get_market_ticker_name(ticker)
        yield SharePrice(
            ticker=ticker,
            name=name if isinstance(name, str) else ticker,
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


def base_of(close: int, rate: float) -> int:
    """The base of a close, from its change in per cent.

    The rate has two digits, so many bases would fit; prices have round steps, so the roundest is
    taken.
    """
    near = close / (1 + rate / 100)
    for step in _PRICE_STEPS:
        base = round(near / step) * step
        if abs(base - near) <= near * _RATE_TOLERANCE:
            return base
    return round(near)


@contextmanager
def _translated_failures(what: Message) -> Iterator[None]:
    """Turn the errors of pykrx over unreadable answers into BadMarketAnswer."""
    try:
        yield
    except (ArithmeticError, AttributeError, LookupError, TypeError, ValueError) as error:
        cause = text(type(error).__name__)
        raise BadMarketAnswer(messages.PYKRX_FAILED(what=what, cause=cause)) from error
