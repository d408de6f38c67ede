"""Reads the answers of KRX: refusals by status, page or word, and rows whose numbers are texts.

A day without trade is answered with every row and no price in any of them; it must never be taken
for prices.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from datetime import date
from http import HTTPStatus
from typing import Any, Final

import orjson

from gotgan.domains.market.messages import NO_INDEX_TRADED
from gotgan.domains.market.models import INDICES, IndexValue, SharePrice
from gotgan.domains.market.providers.provider import expect_unique, traded_shares
from gotgan.errors import (
    BadMarketAnswer,
    BadStatus,
    FetchError,
    MarketClosed,
    ProviderBlocked,
    ProviderError,
    SessionEnded,
)

MARKET_IDS: Final[Mapping[str, str]] = {"KOSPI": "STK", "KOSDAQ": "KSQ", "KONEX": "KNX"}
"""The markets in requests to KRX."""
_LOGOUT: Final = b"LOGOUT"
_TEMPORARY_STATUSES: Final = frozenset({HTTPStatus.TOO_MANY_REQUESTS, *range(500, 600)})
_MAX_PAGE_BYTES: Final = 65_536
"""Pages that refuse are shorter; prices are longer."""
_PAGE: Final = re.compile(r"\s*<")
_DOWN: Final = re.compile(r"service unavailable|서비스가 원활", re.IGNORECASE)
_BLOCK: Final = re.compile(
    r"접속[^.<]{0,40}제한|접근[^.<]{0,40}(?:제한|차단)|차단|대량\s*조회"
    r"|access (?:is |has been )?denied|unusual traffic|are you a robot|captcha",
    re.IGNORECASE,
)
_PRICES, _INDEX = "OutBlock_1", "output"
_EMPTY_VALUES: Final = frozenset({"", "-"})
_WHOLE: Final = re.compile(r"-?[0-9]+")
_DECIMAL: Final = re.compile(r"-?[0-9]+(\.[0-9]+)?")
_TICKER: Final = re.compile(r"[0-9A-Z]{6}")
_MAX_SHOWN: Final = 40
_FIRST_DAY_WITH_RANGE: Final = date(1994, 12, 28)
"""From then on an index has an open, a high and a low; before, KRX answers ``-`` for them."""
_Row = Mapping[str, Any]


def expect_answer(status: int, body: bytes) -> None:
    """Raise the ProviderError that an answer is, if it is one.

    A block comes with 403 as well as with 200, and KRX answers 403 too while it is out of order;
    so the words decide, and the status only where there are none that are known.
    """
    text = body[:_MAX_PAGE_BYTES].decode(errors="replace")
    is_page = len(body) <= _MAX_PAGE_BYTES and _PAGE.match(text) is not None
    if body.strip() == _LOGOUT:
        raise SessionEnded("KRX has forgotten that we logged in; log in again")
    if status in _TEMPORARY_STATUSES or (is_page and _DOWN.search(text)):
        raise ProviderError(f"KRX is out of order ({status}); try again later")
    if status == HTTPStatus.FORBIDDEN or (is_page and _BLOCK.search(text)):
        raise ProviderBlocked(
            "KRX does not answer this network for a day, as it does after too many look-ups; "
            "asking again prolongs it: name another provider in GOTGAN_MARKET_PROVIDERS, or wait"
        )
    if status >= HTTPStatus.BAD_REQUEST:
        raise BadMarketAnswer(f"KRX answered {status}, and does not say why; try again later")
    if is_page:
        raise BadMarketAnswer(
            "KRX answered a page where data was asked for; see in a browser what it says"
        )


@contextmanager
def translated_refusals() -> Iterator[None]:
    """Turn errors of the web into errors of the provider."""
    try:
        yield
    except FetchError as error:
        if isinstance(error, BadStatus) and not error.retry:
            expect_answer(error.status, error.said)
        raise ProviderError(f"KRX could not be asked: {error.message}") from error


def parse_prices(payload: bytes, day: date, market: str) -> list[SharePrice]:
    """The shares of a market on a day."""
    rows = _rows(payload, _PRICES)
    if not rows:
        raise BadMarketAnswer(
            f"KRX answered no share at all for {market} on {day}; ask again later"
        )
    found = [
        _RowReader(row, f"row {number} of {market} on {day}") for number, row in enumerate(rows, 1)
    ]
    expect_unique((row.ticker for row in found), f"KRX's answer for {market} on {day}")
    for row in found:
        row.expect_market(market)
    return traded_shares([row.price(market) for row in found], day, market)


def parse_index(payload: bytes, day: date, market: str) -> IndexValue:
    """The index of a market on a day."""
    rows = _rows(payload, _INDEX)
    if not rows:
        raise MarketClosed(NO_INDEX_TRADED(day=day, market=market))
    found = [_RowReader(row, f"the {market} index of {day}") for row in rows]
    of_day = [row for row in found if row.text("TRD_DD") == f"{day:%Y/%m/%d}"]
    if len(of_day) != 1:
        raise BadMarketAnswer(
            f"KRX answered the {market} index of other days than {day}, or twice of it"
        )
    return of_day[0].index(market, has_close_alone=day < _FIRST_DAY_WITH_RANGE)


def parse_object(payload: bytes) -> dict[str, Any]:
    """The object that an answer is."""
    try:
        document = orjson.loads(payload)
    except orjson.JSONDecodeError as error:
        raise BadMarketAnswer(
            f"KRX answered something that is no JSON ({len(payload):,} bytes); ask again later"
        ) from error
    if not isinstance(document, dict):
        raise BadMarketAnswer("KRX answered JSON that is no object; its shape has changed")
    return document


def _rows(payload: bytes, name: str) -> Sequence[_Row]:
    rows = parse_object(payload).get(name)
    if not isinstance(rows, list) or not all(isinstance(row, dict) for row in rows):
        raise BadMarketAnswer(f"KRX answered no list {name!r} of rows; its shape has changed")
    return rows


class _RowReader:
    """Reads one row; errors name its place."""

    def __init__(self, row: _Row, where: str) -> None:
        self._row = row
        self._where = where

    @property
    def ticker(self) -> str:
        """The code of the share."""
        code = self.text("ISU_SRT_CD")
        if not _TICKER.fullmatch(code):
            raise self._bad("ISU_SRT_CD", "is no ticker")
        return code

    def expect_market(self, market: str) -> None:
        """Refuse a row of another market than was asked for."""
        if self._row.get("MKT_ID", MARKET_IDS[market]) != MARKET_IDS[market]:
            raise self._bad("MKT_ID", "is another market than was asked for")

    def price(self, market: str) -> SharePrice:
        """A share, with 0 for whatever it does not have."""
        return SharePrice(
            ticker=self.ticker,
            name=self.text("ISU_ABBRV"),
            market=market,
            open=self.whole("TDD_OPNPRC"),
            high=self.whole("TDD_HGPRC"),
            low=self.whole("TDD_LWPRC"),
            close=self.whole("TDD_CLSPRC"),
            change=self.whole("CMPPREVDD_PRC", is_signed=True),
            volume=self.whole("ACC_TRDVOL"),
            value=self.whole("ACC_TRDVAL"),
            market_cap=self.whole("MKTCAP"),
            shares=self.whole("LIST_SHRS"),
        )

    def index(self, market: str, *, has_close_alone: bool) -> IndexValue:
        """An index; in its first years it may have a close alone."""
        read = self._decimal_or_none if has_close_alone else self._decimal
        return IndexValue(
            code=INDICES[market],
            name=market,
            open=read("OPNPRC_IDX"),
            high=read("HGPRC_IDX"),
            low=read("LWPRC_IDX"),
            close=self._decimal("CLSPRC_IDX"),
            volume=self.whole("ACC_TRDVOL"),
            value=self.whole("ACC_TRDVAL"),
        )

    def whole(self, field: str, *, is_signed: bool = False) -> int:
        """A whole number; 0 where there is none."""
        digits = self.text(field).replace(",", "")
        if digits in _EMPTY_VALUES:
            return 0
        if not _WHOLE.fullmatch(digits) or (digits.startswith("-") and not is_signed):
            raise self._bad(field, "is no number that can stand there")
        return int(digits)

    def text(self, field: str) -> str:
        """A text without white space around it."""
        value = self._row.get(field)
        if not isinstance(value, str):
            raise self._bad(field, "is missing" if value is None else "is no text")
        return value.strip()

    def _decimal_or_none(self, field: str) -> float | None:
        return None if self.text(field) in _EMPTY_VALUES else self._decimal(field)

    def _decimal(self, field: str) -> float:
        digits = self.text(field).replace(",", "")
        if not _DECIMAL.fullmatch(digits) or float(digits) <= 0:
            raise self._bad(field, "is no value of an index")
        return float(digits)

    def _bad(self, field: str, what: str) -> BadMarketAnswer:
        shown = f"{self._row.get(field)!r}"[:_MAX_SHOWN]
        return BadMarketAnswer(
            f"KRX's answer cannot be read: {field} in {self._where} {what} ({shown})"
        )
