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

from gotgan.domains.market import messages
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
from gotgan.messages import text as as_message

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
        raise SessionEnded(messages.KRX_SESSION_ENDED())
    if status in _TEMPORARY_STATUSES or (is_page and _DOWN.search(text)):
        raise ProviderError(messages.KRX_UNAVAILABLE(status=status))
    if status == HTTPStatus.FORBIDDEN or (is_page and _BLOCK.search(text)):
        raise ProviderBlocked(messages.KRX_BLOCKED())
    if status >= HTTPStatus.BAD_REQUEST:
        raise BadMarketAnswer(messages.KRX_BAD_STATUS(status=status))
    if is_page:
        raise BadMarketAnswer(messages.KRX_PAGE())


@contextmanager
def translated_refusals() -> Iterator[None]:
    """Turn errors of the web into errors of the provider."""
    try:
        yield
    except FetchError as error:
        if isinstance(error, BadStatus) and not error.retry:
            expect_answer(error.status, error.body)
        raise ProviderError(messages.KRX_UNREACHABLE(cause=as_message(error.message))) from error


def parse_prices(payload: bytes, day: date, market: str) -> list[SharePrice]:
    """The shares of a market on a day."""
    rows = _rows(payload, _PRICES)
    if not rows:
        raise BadMarketAnswer(messages.KRX_NO_SHARES(market=market, day=day))
    found = [_RowReader(row, number, market, day) for number, row in enumerate(rows, 1)]
    expect_unique((row.ticker for row in found), "KRX")
    for row in found:
        row.expect_market()
    return traded_shares([row.price() for row in found], day, market)


def parse_index(payload: bytes, day: date, market: str) -> IndexValue:
    """The index of a market on a day."""
    rows = _rows(payload, _INDEX)
    if not rows:
        raise MarketClosed(messages.NO_INDEX_TRADED(market=market))
    found = [_RowReader(row, number, market, day) for number, row in enumerate(rows, 1)]
    of_day = [row for row in found if row.text("TRD_DD") == f"{day:%Y/%m/%d}"]
    if len(of_day) != 1:
        raise BadMarketAnswer(messages.KRX_OTHER_DAYS(market=market, day=day))
    return of_day[0].index(has_close_alone=day < _FIRST_DAY_WITH_RANGE)


def parse_object(payload: bytes) -> dict[str, Any]:
    """The object that an answer is."""
    try:
        document = orjson.loads(payload)
    except orjson.JSONDecodeError as error:
        raise BadMarketAnswer(messages.KRX_NOT_JSON(size=len(payload))) from error
    if not isinstance(document, dict):
        raise BadMarketAnswer(messages.KRX_NOT_OBJECT())
    return document


def _rows(payload: bytes, name: str) -> Sequence[_Row]:
    rows = parse_object(payload).get(name)
    if not isinstance(rows, list) or not all(isinstance(row, dict) for row in rows):
        raise BadMarketAnswer(messages.KRX_NO_ROWS(name=name))
    return rows


class _RowReader:
    """Reads one row; errors name its place."""

    def __init__(self, row: _Row, number: int, market: str, day: date) -> None:
        self._row = row
        self._number = number
        self._market = market
        self._day = day

    @property
    def ticker(self) -> str:
        """The code of the share."""
        code = self.text("ISU_SRT_CD")
        if not _TICKER.fullmatch(code):
            raise self._bad("ISU_SRT_CD")
        return code

    def expect_market(self) -> None:
        """Refuse a row of another market than was asked for."""
        expected = MARKET_IDS[self._market]
        if self._row.get("MKT_ID", expected) != expected:
            raise self._bad("MKT_ID")

    def price(self) -> SharePrice:
        """A share, with 0 for whatever it does not have."""
        return SharePrice(
            ticker=self.ticker,
            name=self.text("ISU_ABBRV"),
            market=self._market,
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

    def index(self, *, has_close_alone: bool) -> IndexValue:
        """An index; in its first years it may have a close alone."""
        read = self._decimal_or_none if has_close_alone else self._decimal
        return IndexValue(
            code=INDICES[self._market],
            name=self._market,
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
            raise self._bad(field)
        return int(digits)

    def text(self, field: str) -> str:
        """A text without white space around it."""
        value = self._row.get(field)
        if not isinstance(value, str):
            raise self._bad(field)
        return value.strip()

    def _decimal_or_none(self, field: str) -> float | None:
        return None if self.text(field) in _EMPTY_VALUES else self._decimal(field)

    def _decimal(self, field: str) -> float:
        digits = self.text(field).replace(",", "")
        if not _DECIMAL.fullmatch(digits) or float(digits) <= 0:
            raise self._bad(field)
        return float(digits)

    def _bad(self, field: str) -> BadMarketAnswer:
        row = messages.KRX_ROW(market=self._market, day=self._day, number=str(self._number))
        if self._row.get(field) is None:
            return BadMarketAnswer(messages.KRX_FIELD_MISSING(field=field, row=row))
        value = repr(self._row[field])[:_MAX_SHOWN]
        return BadMarketAnswer(messages.KRX_BAD_FIELD(field=field, value=value, row=row))
