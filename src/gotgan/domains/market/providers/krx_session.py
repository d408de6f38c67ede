"""Our login at KRX: the form, the name and the password, and the cookies that it is known by."""

from __future__ import annotations

import threading
from collections.abc import Mapping
from typing import Final
from urllib.parse import urlencode, urlsplit

from gotgan.domains.market.providers.krx_answers import document_of
from gotgan.domains.market.providers.krx_refusals import expect_answer, refusals_told
from gotgan.domains.market.providers.refused_logins import RefusedLogins
from gotgan.errors import LoginRefused, PasswordExpired
from gotgan.events import emit
from gotgan.fetch import Ask, FetchResponse, Web
from gotgan.settings import Secret, Settings
from gotgan.sql import Leases

__all__ = [
    "FORM",
    "LOGIN",
    "KrxSession",
    "credentials",
    "expect_welcome",
    "has_credentials",
    "host_of",
]

LOGIN: Final = "/contents/MDC/COMS/client/MDCCOMS001D1.cmd"
FORM: Final[Mapping[str, str]] = {
    "Content-Type": "application/x-www-form-urlencoded; charset=UTF-8",
    "X-Requested-With": "XMLHttpRequest",
}

_PAGE: Final = "/contents/MDC/COMS/client/MDCCOMS001.cmd"
_WELCOME, _EXPIRED, _TWICE = "CD001", "CD010", "CD011"


class KrxSession:
    """A login that lasts until KRX forgets it; share one among threads."""

    def __init__(self, web: Web, settings: Settings, leases: Leases) -> None:
        self._web = web
        self._settings = settings
        self._base = settings.krx.rstrip("/")
        self._refused = RefusedLogins(leases, host_of(settings), settings)
        self._lock = threading.Lock()
        self._cookie: str | None = None

    def cookie(self) -> str:
        """What says who we are; log in where nothing does."""
        with self._lock:
            if self._cookie is None:
                self._cookie = self._log_in()
            return self._cookie

    def forget(self, cookie: str) -> None:
        """Log in anew next time, unless somebody has done so since."""
        with self._lock:
            if self._cookie == cookie:
                self._cookie = None

    def _log_in(self) -> str:
        name, password = credentials(self._settings)
        with self._refused.remembered(name, password):
            cookies = self._let_in(name, password)
        emit("market.krx.logged_in", level="debug")
        return _said(cookies)

    def _let_in(self, name: str, password: Secret) -> Mapping[str, str]:
        """The cookies that count, once KRX has taken a name and a password."""
        fields = {"mbrNm": "", "telNo": "", "di": "", "certType": ""}
        fields |= {"mbrId": name, "pw": password.reveal()}
        with refusals_told():
            cookies = dict(self._open_form().cookies)
            code = self._hand_over(fields, cookies)
            if code == _TWICE:
                code = self._hand_over({**fields, "skipDup": "Y"}, cookies)
        expect_welcome(code)
        return cookies

    def _open_form(self) -> FetchResponse:
        """Get the page that gives us a number; the login counts for that number."""
        url = f"{self._base}{_PAGE}"
        return self._web.one(Ask(url, None, from_settings=True, is_personal=True))

    def _hand_over(self, fields: Mapping[str, str], cookies: dict[str, str]) -> str:
        """What KRX says to a name and a password, as a code; its new cookies are taken over."""
        headers = {**FORM, "Referer": f"{self._base}{_PAGE}", "Cookie": _said(cookies)}
        answer = self._web.one(
            Ask(
                f"{self._base}{LOGIN}",
                None,
                "*/*",
                from_settings=True,
                body=urlencode(fields).encode(),
                headers=headers,
                is_personal=True,
            )
        )
        expect_answer(answer.status, answer.body)
        cookies.update(answer.cookies)
        return str(document_of(answer.body).get("_error_code", ""))


def host_of(settings: Settings) -> str:
    """The host that KRX is, whoever asks it."""
    return urlsplit(settings.krx).netloc.lower()


def has_credentials(settings: Settings) -> bool:
    """Whether a name and a password at KRX are set."""
    return bool(settings.krx_id) and settings.krx_password is not None


def credentials(settings: Settings) -> tuple[str, Secret]:
    """The name and the password at KRX; LoginRefused where there are none."""
    if not settings.krx_id or settings.krx_password is None:
        raise LoginRefused(
            "KRX gives prices only to those who log in; make a free account at "
            "https://data.krx.co.kr and set KRX_ID and KRX_PW"
        )
    return settings.krx_id, settings.krx_password


def expect_welcome(code: str) -> None:
    """Raise LoginRefused unless we were let in."""
    if code == _EXPIRED:
        raise PasswordExpired(
            "the password at KRX is too old: it has to be changed every three months; log in at "
            "https://data.krx.co.kr, change it there, and set KRX_PW to the new one"
        )
    if code != _WELCOME:
        raise LoginRefused(
            f"KRX does not let us in ({code[:20] or 'without a code'}); see at "
            "https://data.krx.co.kr whether KRX_ID and KRX_PW are right, before too many wrong "
            "tries lock the account"
        )


def _said(cookies: Mapping[str, str]) -> str:
    return "; ".join(f"{name}={value}" for name, value in cookies.items())
