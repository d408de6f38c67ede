"""KRX itself, by a thin client of the address that its own pages ask: one request per market."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from datetime import date
from typing import Final
from urllib.parse import urlencode

from gotgan.domains.market.models import INDICES, IndexValue, SharePrice
from gotgan.domains.market.providers.krx_answers import MARKET_IDS, index_of, prices_of
from gotgan.domains.market.providers.krx_refusals import expect_answer, refusals_told
from gotgan.domains.market.providers.krx_session import FORM, KrxSession, host_of
from gotgan.domains.market.providers.provider import expect_each_once, of_all_markets
from gotgan.errors import SessionEnded
from gotgan.fetch import Web
from gotgan.settings import Settings
from gotgan.sql import Leases

__all__ = ["Krx"]

_DATA: Final = "/comm/bldAttendant/getJsonData.cmd"
_FROM: Final = "/contents/MDC/MDI/outerLoader/index.cmd"
_PRICES: Final = "dbms/MDC/STAT/standard/MDCSTAT01501"
_INDEX: Final = "dbms/MDC/STAT/standard/MDCSTAT00301"


class Krx:
    """The provider ``krx``; share one among threads."""

    name = "krx"

    def __init__(self, web: Web, settings: Settings, leases: Leases) -> None:
        self.host = host_of(settings)
        self._web = web
        self._base = settings.krx.rstrip("/")
        self._session = KrxSession(web, settings, leases)

    def prices(self, day: date, markets: Sequence[str]) -> list[SharePrice]:
        """Every share of some markets."""
        found = of_all_markets(markets, lambda market: self._prices(day, market))
        expect_each_once((price.ticker for price in found), f"KRX's answer for {day}")
        return found

    def indices(self, day: date, names: Sequence[str]) -> list[IndexValue]:
        """Some indices, by their names."""
        return of_all_markets(names, lambda name: [self._index(day, name)])

    def _prices(self, day: date, market: str) -> list[SharePrice]:
        fields = {"bld": _PRICES, "mktId": MARKET_IDS[market], "trdDd": f"{day:%Y%m%d}"}
        return prices_of(self._look_up(fields), day, market)

    def _index(self, day: date, name: str) -> IndexValue:
        code, when = INDICES[name], f"{day:%Y%m%d}"
        fields = {"bld": _INDEX, "indIdx": code[0], "indIdx2": code[1:]}
        return index_of(self._look_up({**fields, "strtDd": when, "endDd": when}), day, name)

    def _look_up(self, fields: Mapping[str, str]) -> bytes:
        """Ask; where KRX has forgotten us meanwhile, log in again, once."""
        cookie = self._session.cookie()
        try:
            return self._asked(fields, cookie)
        except SessionEnded:
            self._session.forget(cookie)
        return self._asked(fields, self._session.cookie())

    def _asked(self, fields: Mapping[str, str], cookie: str) -> bytes:
        headers = {**FORM, "Referer": f"{self._base}{_FROM}", "Cookie": cookie}
        with refusals_told():
            answer = self._web.post(
                f"{self._base}{_DATA}",
                urlencode(fields).encode(),
                headers=headers,
                from_settings=True,
            )
        expect_answer(answer.status, answer.body)
        return answer.body
