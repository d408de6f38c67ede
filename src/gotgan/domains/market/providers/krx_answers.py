"""What KRX answers, read strictly: rows whose numbers are texts, or what is wrong with them.

A day without trade is answered with every row and no price in any of them; it must never be taken
for prices.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from datetime import date
from typing import Any, Final

import orjson

from gotgan.domains.market.models import INDICES, IndexValue, SharePrice
from gotgan.domains.market.providers.provider import as_traded, expect_each_once
from gotgan.errors import BadMarketAnswer, MarketClosed

__all__ = ["MARKET_IDS", "document_of", "index_of", "prices_of"]

MARKET_IDS: Final[Mapping[str, str]] = {"KOSPI": "STK", "KOSDAQ": "KSQ", "KONEX": "KNX"}
"""What KRX calls the markets."""

_PRICES, _INDEX = "OutBlock_1", "output"
_NOTHING: Final = frozenset({"", "-"})
_WHOLE: Final = re.compile(r"-?[0-9]+")
_DECIMAL: Final = re.compile(r"-?[0-9]+(\.[0-9]+)?")
_TICKER: Final = re.compile(r"[0-9A-Z]{6}")
_LONGEST_SHOWN: Final = 40
_FIRST_RANGE: Final = date(1994, 12, 28)
"""From then on an index has an open, a high and a low; before, KRX answers ``-`` for them."""

_Row = Mapping[str, Any]


def prices_of(payload: bytes, day: date, market: str) -> list[SharePrice]:
    """The shares of a market on a day."""
    rows = _rows(payload, _PRICES)
    if not rows:
        raise BadMarketAnswer(
            f"KRX answered no share at all for {market} on {day}; ask again later"
        )
    found = [
        _Reading(row, f"row {number} of {market} on {day}") for number, row in enumerate(rows, 1)
    ]
    expect_each_once((row.ticker for row in found), f"KRX's answer for {market} on {day}")
    for row in found:
        row.expect_market(market)
    return as_traded([row.price(market) for row in found], day, market)


def index_of(payload: bytes, day: date, market: str) -> IndexValue:
    """The index of a market on a day."""
    rows = _rows(payload, _INDEX)
    if not rows:
        raise MarketClosed(f"there was no trade on {day}: KRX has no {market} index of it")
    found = [_Reading(row, f"the {market} index of {day}") for row in rows]
    of_day = [row for row in found if row.text("TRD_DD") == f"{day:%Y/%m/%d}"]
    if len(of_day) != 1:
        raise BadMarketAnswer(
            f"KRX answered the {market} index of other days than {day}, or twice of it"
        )
    return of_day[0].index(market, has_close_alone=day < _FIRST_RANGE)


def document_of(payload: bytes) -> dict[str, Any]:
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
    rows = document_of(payload).get(name)
    if not isinstance(rows, list) or not all(isinstance(row, dict) for row in rows):
        raise BadMarketAnswer(f"KRX answered no list {name!r} of rows; its shape has changed")
    return rows


class _Reading:
    """One row, and where it stands."""

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
        if digits in _NOTHING:
            return 0
        if not _WHOLE.fullmatch(digits) or (digits.startswith("-") and not is_signed):
            raise self._bad(field, "is no number that can stand there")
        return int(digits)

    def text(self, field: str) -> str:
        """A text, without what stands around it."""
        value = self._row.get(field)
        if not isinstance(value, str):
            raise self._bad(field, "is missing" if value is None else "is no text")
        return value.strip()

    def _decimal_or_none(self, field: str) -> float | None:
        return None if self.text(field) in _NOTHING else self._decimal(field)

    def _decimal(self, field: str) -> float:
        digits = self.text(field).replace(",", "")
        if not _DECIMAL.fullmatch(digits) or float(digits) <= 0:
            raise self._bad(field, "is no value of an index")
        return float(digits)

    def _bad(self, field: str, what: str) -> BadMarketAnswer:
        shown = f"{self._row.get(field)!r}"[:_LONGEST_SHOWN]
        return BadMarketAnswer(
            f"KRX's answer cannot be read: {field} in {self._where} {what} ({shown})"
        )
