"""How the exchange misbehaves: what is answered instead, by those faults that are its own."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import replace
from http import HTTPStatus
from typing import Any, Final

import orjson

from gotgan.world.market.answers import blanked
from gotgan.world.market.login import LOGIN, fields_of, refused
from gotgan.world.market.site import DATA
from gotgan.world.scene import HTML, SceneRequest, SceneResponse, plain

__all__ = [
    "GARBAGE",
    "block",
    "duplicate",
    "empty",
    "half",
    "holiday",
    "logout",
    "password_expired",
]

GARBAGE: Final = SceneResponse(b"\x1f\xfe{{%$ <OutBlock_1> 0,0,0 \x00\xff", kind="application/json")
_PRICES, _INDEX = "OutBlock_1", "output"
_LIMITED: Final = """\
<!doctype html>
<html lang="ko"><head><meta charset="utf-8"><title>에러페이지 - 한국거래소</title></head>
<body><h1>접속이 제한되었습니다</h1>
<p>자동화된 대량 조회가 감지되어 이 IP의 접속을 1일간 제한합니다.</p></body></html>
"""

_Rows = list[dict[str, str]]


def block() -> SceneResponse:
    """The page for an address that asked for too much; it comes with 200 as well as with 403."""
    return SceneResponse(_LIMITED.encode(), kind=HTML)


def holiday(asked: SceneRequest, page: SceneResponse) -> SceneResponse:
    """All rows without a price, an index without a day: as if there were no trade."""
    return _changed(asked, page, {_PRICES: lambda rows: [*map(blanked, rows)], _INDEX: _none})


def empty(asked: SceneRequest, page: SceneResponse) -> SceneResponse:
    """No row at all."""
    return _changed(asked, page, {_PRICES: _none, _INDEX: _none})


def half(asked: SceneRequest, page: SceneResponse) -> SceneResponse:
    """The first half of a market."""
    return _changed(asked, page, {_PRICES: lambda rows: rows[: len(rows) // 2]})


def logout(asked: SceneRequest, page: SceneResponse) -> SceneResponse:
    """As to somebody who never logged in."""
    return plain("LOGOUT", HTTPStatus.BAD_REQUEST) if asked.path == DATA else page


def password_expired(asked: SceneRequest, page: SceneResponse) -> SceneResponse:
    """Nobody comes in whose password is three months old."""
    return refused("CD010", "change the password") if asked.path == LOGIN else page


def duplicate(asked: SceneRequest, page: SceneResponse) -> SceneResponse:
    """Somebody is in already, and stays unless it is said that they may go."""
    insists = fields_of(asked).get("skipDup") == "Y"
    return refused("CD011", "logged in already") if asked.path == LOGIN and not insists else page


def _none(_rows: _Rows) -> _Rows:
    return []


def _changed(
    asked: SceneRequest, page: SceneResponse, changes: Mapping[str, Callable[[_Rows], _Rows]]
) -> SceneResponse:
    """An answer with other rows; whatever is no list of rows stays."""
    if asked.path != DATA or page.status != HTTPStatus.OK:
        return page
    said: dict[str, Any] = orjson.loads(page.body)
    rows = {name: change(said[name]) for name, change in changes.items() if name in said}
    return replace(page, body=orjson.dumps({**said, **rows}))
