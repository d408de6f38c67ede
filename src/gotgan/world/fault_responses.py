"""The responses of faults that replace or change a page, in the words of each host."""

from __future__ import annotations

import json
import struct
import zlib
from collections.abc import Callable, Mapping
from dataclasses import replace
from functools import cache, partial
from http import HTTPStatus
from typing import Any, Final
from urllib.parse import parse_qs

import orjson

from gotgan.world.faults import MAIL_FAULTS, FaultKind
from gotgan.world.market.site import DATA, KRX, LOGIN, blank_row, form_fields, login_answer
from gotgan.world.news.latest import empty_page
from gotgan.world.news.sites import consent_redirect
from gotgan.world.news.stories import NEWSPAPER
from gotgan.world.scene import Scene, SceneRequest, SceneResponse, plain_text, redirect
from gotgan.world.videos import google
from gotgan.world.videos.language_models import (
    GEMINI,
    GEMINI_KEY_INVALID,
    OPENAI,
    OPENAI_KEY_INVALID,
    gemini_refusal,
    openai_refusal,
    reword_gemini,
    reword_openai,
)
from gotgan.world.videos.youtube import THREADS, YOUTUBE

LOOP_PATH: Final = "/round-and-round"
_METADATA: Final = "http://169.254.169.254/latest/meta-data/"
_GZIP: Final = bytes.fromhex("1f8b08000000000002ff")
_BLOCKS: Final = 100
_BLOCK_SIZE: Final = 1_000_000
_BLOCK_PAGE: Final = SceneResponse(
    b"""\
<!doctype html>
<html lang="en"><head><meta charset="utf-8">
<title>Access to this page has been denied</title></head>
<body><h1>Are you a robot?</h1>
<p>We have detected unusual traffic from your network. Please verify that you are a human.</p>
<div id="captcha" class="g-recaptcha"></div></body></html>
"""
)
_KRX_BLOCK_PAGE: Final = SceneResponse(
    """\
<!doctype html>
<html lang="ko"><head><meta charset="utf-8"><title>에러페이지 - 한국거래소</title></head>
<body><h1>접속이 제한되었습니다</h1>
<p>자동화된 대량 조회가 감지되어 이 IP의 접속을 1일간 제한합니다.</p></body></html>
""".encode()
)
"""It comes with 200 as well as with 403."""
_GARBAGE: Final = SceneResponse(
    b"\x1f\xfe{{%$ <OutBlock_1> 0,0,0 \x00\xff", kind="application/json"
)
_PRICES, _INDEX = "OutBlock_1", "output"
_REFUSAL: Final = "I'm sorry, but I can't help with that."
_OTHER_SHAPE: Final = orjson.dumps({"result": "ok", "summary": "a text", "score": 5}).decode()

_Rows = list[dict[str, str]]
_FaultResponse = Callable[[Scene, SceneRequest, SceneResponse], SceneResponse]


def loop_redirect(request: SceneRequest) -> SceneResponse:
    """A redirect to the same path, with a query that is new each time."""
    turn = int(request.query) + 1 if request.query.isdecimal() else 1
    return redirect(f"https://{request.host}{LOOP_PATH}?{turn}")


def _always(response: SceneResponse) -> _FaultResponse:
    return lambda _scene, _request, _page: response


def _at(path: str, response: SceneResponse) -> _FaultResponse:
    return lambda _scene, request, page: response if request.path == path else page


def _status(status: int, *, says_when: bool = False) -> _FaultResponse:
    def response(scene: Scene, request: SceneRequest, _page: SceneResponse) -> SceneResponse:
        if request.host == GEMINI:
            return gemini_refusal(scene, status, says_when=says_when)
        if request.host == OPENAI:
            return openai_refusal(scene, status, says_when=says_when)
        page = _youtube_refusal(status) if request.host == YOUTUBE else _refusal(status)
        headers = {"Retry-After": str(scene.retry_after)} if says_when else {}
        return replace(page, headers=headers)

    return response


def _refusal(status: int) -> SceneResponse:
    is_throttled = status == HTTPStatus.TOO_MANY_REQUESTS
    return plain_text("Too Many Requests\n" if is_throttled else "Sorry\n", status)


def _youtube_refusal(status: int) -> SceneResponse:
    if status == HTTPStatus.TOO_MANY_REQUESTS:
        return google.TOO_MANY_REQUESTS
    return google.FORBIDDEN if status == HTTPStatus.FORBIDDEN else google.backend_error(status)


def _cut(_scene: Scene, _request: SceneRequest, page: SceneResponse) -> SceneResponse:
    return replace(page, body=page.body[: len(page.body) // 2])


@cache
def _bomb() -> SceneResponse:
    """Blanks, compressed: a block does not depend on those before it, so it is repeated."""
    blanks = b" " * _BLOCK_SIZE
    packer = zlib.compressobj(9, zlib.DEFLATED, -zlib.MAX_WBITS)
    block = packer.compress(blanks) + packer.flush(zlib.Z_FULL_FLUSH)
    checksum = 0
    for _ in range(_BLOCKS):
        checksum = zlib.crc32(blanks, checksum)
    size = struct.pack("<II", checksum, _BLOCKS * _BLOCK_SIZE)
    body = _GZIP + block * _BLOCKS + packer.flush() + size
    return SceneResponse(body, headers={"Content-Encoding": "gzip"})


def _wrong_type(_scene: Scene, request: SceneRequest, _page: SceneResponse) -> SceneResponse:
    answer = {"finance": {"result": None, "error": {"code": "not-found", "path": request.path}}}
    return SceneResponse(json.dumps(answer).encode(), kind="application/json")


def _empty(scene: Scene, request: SceneRequest, page: SceneResponse) -> SceneResponse:
    """A list without a story, a market without a row, a model without a word."""
    if request.host == KRX:
        return _with_rows({_PRICES: _no_rows, _INDEX: _no_rows}, scene, request, page)
    if request.host in _REWORDERS:
        return _reword(lambda _text: None, scene, request, page)
    if request.host != YOUTUBE:
        return empty_page(scene)
    if page.status != HTTPStatus.OK:
        return page
    answer: dict[str, Any] = orjson.loads(page.body)
    answer.pop("nextPageToken", None)
    return replace(page, body=orjson.dumps({**answer, "items": []}))


# The exchange


def _duplicate_login(_scene: Scene, request: SceneRequest, page: SceneResponse) -> SceneResponse:
    if request.path != LOGIN or form_fields(request).get("skipDup") == "Y":
        return page
    return login_answer("CD011", "logged in already")


def _no_rows(_rows: _Rows) -> _Rows:
    return []


def _with_rows(
    changes: Mapping[str, Callable[[_Rows], _Rows]],
    _scene: Scene,
    request: SceneRequest,
    page: SceneResponse,
) -> SceneResponse:
    """An answer with other rows; one without rows stays as it is."""
    if request.path != DATA or page.status != HTTPStatus.OK:
        return page
    answer: dict[str, Any] = orjson.loads(page.body)
    rows = {name: change(answer[name]) for name, change in changes.items() if name in answer}
    return replace(page, body=orjson.dumps({**answer, **rows}))


# YouTube and the models


def _key_invalid(_scene: Scene, request: SceneRequest, _page: SceneResponse) -> SceneResponse:
    errors = {GEMINI: GEMINI_KEY_INVALID, OPENAI: OPENAI_KEY_INVALID}
    return errors.get(request.host, google.KEY_INVALID)


def _page_token_invalid(_scene: Scene, request: SceneRequest, page: SceneResponse) -> SceneResponse:
    return google.PAGE_TOKEN_INVALID if "pageToken" in parse_qs(request.query) else page


def _model_refusal(_scene: Scene, request: SceneRequest, page: SceneResponse) -> SceneResponse:
    if not _is_model_answer(request, page):
        return page
    answer: dict[str, Any] = orjson.loads(page.body)
    if request.host == GEMINI:
        usage = {**answer["usageMetadata"], "candidatesTokenCount": 0}
        blocked = {"promptFeedback": {"blockReason": "PROHIBITED_CONTENT"}, "usageMetadata": usage}
        return replace(page, body=orjson.dumps({**blocked, "modelVersion": answer["modelVersion"]}))
    answer["choices"][0]["message"] |= {"content": None, "refusal": _REFUSAL}
    return replace(page, body=orjson.dumps(answer))


_REWORDERS: Final[Mapping[str, Callable[..., SceneResponse]]] = {
    GEMINI: reword_gemini,
    OPENAI: reword_openai,
}


def _reword(
    change: Callable[[str], str | None],
    _scene: Scene,
    request: SceneRequest,
    page: SceneResponse,
    *,
    is_cut: bool = False,
) -> SceneResponse:
    if not _is_model_answer(request, page):
        return page
    return _REWORDERS[request.host](page, change, is_cut=is_cut)


def _is_model_answer(request: SceneRequest, page: SceneResponse) -> bool:
    is_reply = request.method == "POST" and page.status == HTTPStatus.OK
    return is_reply and request.host in _REWORDERS


FAULT_RESPONSES: Final[Mapping[FaultKind, _FaultResponse]] = {
    FaultKind.THROTTLED: _status(429, says_when=True),
    FaultKind.THROTTLED_SILENTLY: _status(429),
    FaultKind.FORBIDDEN: _status(403),
    FaultKind.BROKEN: _status(500),
    FaultKind.UNAVAILABLE: _status(503),
    FaultKind.CUT: _cut,
    FaultKind.GZIP_BOMB: lambda _scene, _request, _page: _bomb(),
    FaultKind.REDIRECT_LOOP: lambda _scene, request, _page: loop_redirect(request),
    FaultKind.REDIRECT_METADATA: _always(redirect(_METADATA)),
    FaultKind.REDIRECT_ELSEWHERE: _always(redirect(f"https://{NEWSPAPER}/")),
    FaultKind.REDIRECT_LOOPBACK: lambda _, request, _page: redirect(
        f"http://127.0.0.1:{request.port}/"
    ),
    FaultKind.CONSENT: lambda _scene, request, _page: consent_redirect(request),
    FaultKind.BLOCK: lambda _, request, _page: (
        _KRX_BLOCK_PAGE if request.host == KRX else _BLOCK_PAGE
    ),
    FaultKind.EMPTY: _empty,
    FaultKind.WRONG_TYPE: _wrong_type,
    FaultKind.GARBAGE: _always(_GARBAGE),
    FaultKind.HOLIDAY: partial(
        _with_rows, {_PRICES: lambda rows: [*map(blank_row, rows)], _INDEX: _no_rows}
    ),
    FaultKind.HALF: partial(_with_rows, {_PRICES: lambda rows: rows[: len(rows) // 2]}),
    FaultKind.LOGOUT: _at(DATA, plain_text("LOGOUT", HTTPStatus.BAD_REQUEST)),
    FaultKind.CD010: _at(LOGIN, login_answer("CD010", "change the password")),
    FaultKind.CD011: _duplicate_login,
    FaultKind.COMMENTS_DISABLED: _at(THREADS, google.COMMENTS_DISABLED),
    FaultKind.QUOTA_EXCEEDED: _always(google.QUOTA_EXCEEDED),
    FaultKind.RATE_LIMITED: _always(google.RATE_LIMITED),
    FaultKind.PROCESSING_FAILURE: _always(google.PROCESSING_FAILURE),
    FaultKind.PAGE_TOKEN_INVALID: _page_token_invalid,
    FaultKind.KEY_INVALID: _key_invalid,
    FaultKind.FENCED: partial(_reword, lambda text: f"Here you are:\n```json\n{text}\n```"),
    FaultKind.CUT_JSON: partial(_reword, lambda text: text[: 3 * len(text) // 5], is_cut=True),
    FaultKind.WRONG_SCHEMA: partial(_reword, lambda _text: _OTHER_SHAPE),
    FaultKind.REFUSED: _model_refusal,
    **dict.fromkeys(MAIL_FAULTS, lambda _scene, _request, page: page),  # the SMTP server has them
}
"""Each takes the page that would have been sent."""
