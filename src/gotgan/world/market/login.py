"""How one comes in: a page that gives a guest a number, and a form that makes it count.

Nothing is kept: a session says itself until when it lasts, in a way that only the world can.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Mapping
from datetime import timedelta
from http.cookies import CookieError, SimpleCookie
from typing import Final
from urllib.parse import parse_qs

from gotgan.world.scene import Scene, SceneRequest, SceneResponse

__all__ = ["LOGIN", "LOGIN_PAGE", "fields_of", "is_logged_in", "login", "login_page", "refused"]

LOGIN_PAGE: Final = "/contents/MDC/COMS/client/MDCCOMS001.cmd"
LOGIN: Final = "/contents/MDC/COMS/client/MDCCOMS001D1.cmd"

_COOKIE: Final = "JSESSIONID"
_BESIDE: Final = "mdc.client_session=true; Path=/"
_LASTS: Final = timedelta(minutes=30)
_WRONG: Final = "wrong"
"""The one password that is not taken."""
_PAGE: Final = """\
<!doctype html>
<html lang="ko"><head><meta charset="utf-8"><title>로그인 - KRX</title></head>
<body><form method="post" action="MDCCOMS001D1.cmd">
<input name="mbrId"><input name="pw" type="password"></form></body></html>
"""


def login_page(scene: Scene, asked: SceneRequest) -> SceneResponse:
    """The form, with a number for whoever has none."""
    del asked
    guest = _signed(scene, "guest", f"{scene.now.timestamp()}")
    return SceneResponse(_PAGE.encode(), headers={"Set-Cookie": _cookies(guest)})


def login(scene: Scene, asked: SceneRequest) -> SceneResponse:
    """What becomes of a name and a password: everybody is let in who has seen the form."""
    fields = fields_of(asked)
    if _COOKIE not in _carried(asked):
        return refused("CD099", "no session; open the login page first")
    if not fields.get("mbrId") or fields.get("pw", _WRONG) == _WRONG:
        return refused("CD003", "the name and the password do not belong together")
    until = int((scene.now + _LASTS).timestamp())
    number = f"{until}.{_signed(scene, 'member', str(until))}"
    page = _said("CD001", "ok")
    return SceneResponse(page.body, kind=page.kind, headers={"Set-Cookie": _cookies(number)})


def is_logged_in(scene: Scene, asked: SceneRequest) -> bool:
    """Whether a request comes from somebody who was let in, and not too long ago."""
    until, _, signature = _carried(asked).get(_COOKIE, "").partition(".")
    if not until.isdecimal() or signature != _signed(scene, "member", until):
        return False
    return scene.now.timestamp() < int(until)


def refused(code: str, words: str) -> SceneResponse:
    """A form that was not taken."""
    return _said(code, words)


def fields_of(asked: SceneRequest) -> Mapping[str, str]:
    """What stands in a form."""
    body = asked.body.decode("utf-8", "replace")
    return {name: values[-1] for name, values in parse_qs(body, keep_blank_values=True).items()}


def _said(code: str, words: str) -> SceneResponse:
    body = json.dumps({"_error_code": code, "_error_message": words})
    return SceneResponse(body.encode(), kind="application/json")


def _cookies(number: str) -> str:
    return f"{_COOKIE}={number}; Path=/; HttpOnly\n{_BESIDE}"


def _carried(asked: SceneRequest) -> Mapping[str, str]:
    try:
        found = SimpleCookie(asked.headers.get("cookie", ""))
    except CookieError:
        return {}
    return {name: morsel.value for name, morsel in found.items()}


def _signed(scene: Scene, *parts: str) -> str:
    return hashlib.sha256("/".join([str(scene.seed), *parts]).encode()).hexdigest()[:32]
