"""The provider krx: a thin client of the address that KRX's own pages use, and the login to it.

KRX locks an account after too many wrong logins, so a name and password that were refused are not
tried again for some hours, by any process. Only a keyed hash of them is stored.
"""

from __future__ import annotations

import hashlib
import hmac
import threading
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from datetime import date, timedelta
from typing import Final
from urllib.parse import urlencode, urlsplit

from gotgan.domains.market import messages
from gotgan.domains.market.models import INDICES, IndexValue, SharePrice
from gotgan.domains.market.providers.krx_responses import (
    MARKET_IDS,
    expect_answer,
    parse_index,
    parse_object,
    parse_prices,
    translated_refusals,
)
from gotgan.domains.market.providers.provider import ask_all_markets, expect_unique
from gotgan.errors import LoginRefused, PasswordExpired, SessionEnded
from gotgan.events import emit
from gotgan.fetch import FetchRequest, Web
from gotgan.messages import dump, load, text
from gotgan.settings import Secret, Settings
from gotgan.sql import Leases

REFUSAL_DURATION: Final = timedelta(hours=6)
"""How long a name and a password are not tried again."""
LOGIN_PATH: Final = "/contents/MDC/COMS/client/MDCCOMS001D1.cmd"
FORM_HEADERS: Final[Mapping[str, str]] = {
    "Content-Type": "application/x-www-form-urlencoded; charset=UTF-8",
    "X-Requested-With": "XMLHttpRequest",
}
_LOGIN_PAGE: Final = "/contents/MDC/COMS/client/MDCCOMS001.cmd"
_DATA_PATH: Final = "/comm/bldAttendant/getJsonData.cmd"
_REFERER_PATH: Final = "/contents/MDC/MDI/outerLoader/index.cmd"
_PRICES_QUERY: Final = "dbms/MDC/STAT/standard/MDCSTAT01501"
_INDEX_QUERY: Final = "dbms/MDC/STAT/standard/MDCSTAT00301"
DUPLICATE_LOGIN: Final = "CD011"
_WELCOME, _EXPIRED = "CD001", "CD010"
_DIGEST_LENGTH: Final = 32


class RefusedLogins:
    """Refused names and passwords of one host."""

    def __init__(self, leases: Leases, host: str, settings: Settings) -> None:
        self._leases = leases
        self._settings = settings
        self._prefix = f"breaker:login:{host}:"

    @contextmanager
    def login_attempt(self, name: str, password: Secret) -> Iterator[None]:
        """Log in within this: it refuses what was refused before, and remembers a refusal."""
        for known in self._leases.find_all(self._prefix):  # the secret is needed only for these
            if known.key == self._key(name, password):
                code, _, reason = known.owner.partition(" ")
                kind = PasswordExpired if code == PasswordExpired.code else LoginRefused
                raise kind(messages.KRX_LOGIN_PAUSED(reason=text(load(reason)), until=known.until))
        try:
            yield
        except LoginRefused as refusal:
            owner = f"{refusal.code} {dump(refusal.message)}"
            self._leases.take(self._key(name, password), REFUSAL_DURATION, owner=owner)
            raise

    def _key(self, name: str, password: Secret) -> str:
        secret = self._settings.secret().reveal().encode()
        said = f"{self._prefix}\0{name}\0{password.reveal()}".encode()
        return self._prefix + hmac.new(secret, said, hashlib.sha256).hexdigest()[:_DIGEST_LENGTH]


class Krx:
    """The provider ``krx``; share one among threads, and with it the login."""

    name = "krx"

    def __init__(self, web: Web, settings: Settings, leases: Leases) -> None:
        self.host = krx_host(settings)
        self._web = web
        self._settings = settings
        self._base = settings.krx.rstrip("/")
        self._refused = RefusedLogins(leases, self.host, settings)
        self._lock = threading.Lock()
        self._cookie: str | None = None

    def prices(self, day: date, markets: Sequence[str]) -> list[SharePrice]:
        """Every share of some markets."""
        found = ask_all_markets(markets, lambda market: self._prices(day, market))
        expect_unique((price.ticker for price in found), "KRX")
        return found

    def indices(self, day: date, names: Sequence[str]) -> list[IndexValue]:
        """Some indices, by their names."""
        return ask_all_markets(names, lambda name: [self._index(day, name)])

    def log_in(self) -> None:
        """Log in, unless that was done."""
        self._session_cookie()

    def _prices(self, day: date, market: str) -> list[SharePrice]:
        fields = {"bld": _PRICES_QUERY, "mktId": MARKET_IDS[market], "trdDd": f"{day:%Y%m%d}"}
        return parse_prices(self._look_up(fields), day, market)

    def _index(self, day: date, name: str) -> IndexValue:
        code, when = INDICES[name], f"{day:%Y%m%d}"
        fields = {"bld": _INDEX_QUERY, "indIdx": code[0], "indIdx2": code[1:]}
        return parse_index(self._look_up({**fields, "strtDd": when, "endDd": when}), day, name)

    def _look_up(self, fields: Mapping[str, str]) -> bytes:
        """Ask; where the session has ended meanwhile, log in again, once."""
        cookie = self._session_cookie()
        try:
            return self._ask(fields, cookie)
        except SessionEnded:
            with self._lock:
                if self._cookie == cookie:  # else another thread has logged in since
                    self._cookie = None
        return self._ask(fields, self._session_cookie())

    def _ask(self, fields: Mapping[str, str], cookie: str) -> bytes:
        headers = {**FORM_HEADERS, "Referer": f"{self._base}{_REFERER_PATH}", "Cookie": cookie}
        url, body = f"{self._base}{_DATA_PATH}", urlencode(fields).encode()
        with translated_refusals():
            answer = self._web.post(url, body, headers=headers, from_settings=True)
        expect_answer(answer.status, answer.body)
        return answer.body

    def _session_cookie(self) -> str:
        with self._lock:
            if self._cookie is None:
                name, password = credentials(self._settings)
                with self._refused.login_attempt(name, password):
                    self._cookie = _cookie_header(self._log_in(name, password))
                emit("market.krx.logged_in", level="debug")
            return self._cookie

    def _log_in(self, name: str, password: Secret) -> Mapping[str, str]:
        """The cookies of the session; the form's page gives the first one, which is needed."""
        fields = {"mbrNm": "", "telNo": "", "di": "", "certType": ""}
        fields |= {"mbrId": name, "pw": password.reveal()}
        page = FetchRequest(
            f"{self._base}{_LOGIN_PAGE}", None, from_settings=True, is_personal=True
        )
        with translated_refusals():
            cookies = dict(self._web.one(page).cookies)
            code = self._post_login(fields, cookies)
            if code == DUPLICATE_LOGIN:
                code = self._post_login({**fields, "skipDup": "Y"}, cookies)
        expect_login(code)
        return cookies

    def _post_login(self, fields: Mapping[str, str], cookies: dict[str, str]) -> str:
        """The code that KRX answers; its new cookies are added."""
        referer, cookie = f"{self._base}{_LOGIN_PAGE}", _cookie_header(cookies)
        answer = self._web.one(
            FetchRequest(
                f"{self._base}{LOGIN_PATH}",
                None,
                "*/*",
                from_settings=True,
                body=urlencode(fields).encode(),
                headers={**FORM_HEADERS, "Referer": referer, "Cookie": cookie},
                is_personal=True,
            )
        )
        expect_answer(answer.status, answer.body)
        cookies.update(answer.cookies)
        return str(parse_object(answer.body).get("_error_code", ""))


def krx_host(settings: Settings) -> str:
    """The host of KRX, for all providers that ask it."""
    return urlsplit(settings.krx).netloc.lower()


def credentials(settings: Settings) -> tuple[str, Secret]:
    """The name and the password at KRX; LoginRefused where there are none."""
    if not settings.krx_id or settings.krx_password is None:
        raise LoginRefused(messages.KRX_NO_LOGIN())
    return settings.krx_id, settings.krx_password


def expect_login(code: str) -> None:
    """Raise LoginRefused unless the login succeeded."""
    if code == _EXPIRED:
        raise PasswordExpired(messages.KRX_PASSWORD_EXPIRED())
    if code != _WELCOME:
        raise LoginRefused(messages.KRX_LOGIN_REFUSED(code=code[:20] or None))


def _cookie_header(cookies: Mapping[str, str]) -> str:
    return "; ".join(f"{name}={value}" for name, value in cookies.items())
