"""What is answered instead of a page, by those faults that are a whole answer."""

from __future__ import annotations

import json
import struct
import zlib
from collections.abc import Callable, Mapping
from dataclasses import replace
from functools import cache
from typing import Final

from gotgan.world.faults import OF_MAIL, FaultKind
from gotgan.world.market import KRX, troubles
from gotgan.world.news.consent import to_consent
from gotgan.world.news.latest import empty_page
from gotgan.world.news.stories import NEWSPAPER
from gotgan.world.scene import HTML, Scene, SceneRequest, SceneResponse, moved, plain
from gotgan.world.videos import GEMINI, OPENAI, YOUTUBE, refusals
from gotgan.world.videos import troubles as of_videos

__all__ = ["CIRCLE", "EXCUSES", "round_again"]

CIRCLE: Final = "/round-and-round"
_METADATA: Final = "http://169.254.169.254/latest/meta-data/"
_GZIP: Final = bytes.fromhex("1f8b08000000000002ff")
_BLOCKS: Final = 100
_BLOCK_SIZE: Final = 1_000_000
_BLOCK: Final = b"""\
<!doctype html>
<html lang="en"><head><meta charset="utf-8">
<title>Access to this page has been denied</title></head>
<body><h1>Are you a robot?</h1>
<p>We have detected unusual traffic from your network. Please verify that you are a human.</p>
<div id="captcha" class="g-recaptcha"></div></body></html>
"""

_OF_VIDEOS: Final = frozenset({YOUTUBE, GEMINI, OPENAI})

_Excuse = Callable[[Scene, SceneRequest, SceneResponse], SceneResponse]


def round_again(asked: SceneRequest) -> SceneResponse:
    """A redirect to the same place, under an address that is new each time."""
    turn = int(asked.query) + 1 if asked.query.isdecimal() else 1
    return moved(f"https://{asked.host}{CIRCLE}?{turn}")


def _always(status: int, *, says_when: bool = False) -> _Excuse:
    """An error of that status: in the host's own words where it has some."""

    def excuse(scene: Scene, asked: SceneRequest, _page: SceneResponse) -> SceneResponse:
        worded = of_videos.status_of(scene, asked.host, status, says_when=says_when)
        if worded is not None:
            return worded
        headers = {"Retry-After": str(scene.retry_after)} if says_when else {}
        return replace(_said(status), headers=headers)

    return excuse


def _said(status: int) -> SceneResponse:
    return plain("Too Many Requests\n" if status == 429 else "Sorry\n", status)  # noqa: PLR2004


def _instead(change: Callable[[SceneRequest, SceneResponse], SceneResponse]) -> _Excuse:
    return lambda _scene, asked, page: change(asked, page)


def _cut(_scene: Scene, _asked: SceneRequest, page: SceneResponse) -> SceneResponse:
    return replace(page, body=page.body[: len(page.body) // 2])


def _bomb(_scene: Scene, _asked: SceneRequest, _page: SceneResponse) -> SceneResponse:
    return SceneResponse(_packed(), headers={"Content-Encoding": "gzip"})


@cache
def _packed() -> bytes:
    """Blanks, packed: one block stands on its own, so it is made once and repeated."""
    blanks = b" " * _BLOCK_SIZE
    packer = zlib.compressobj(9, zlib.DEFLATED, -zlib.MAX_WBITS)
    block = packer.compress(blanks) + packer.flush(zlib.Z_FULL_FLUSH)
    checksum = 0
    for _ in range(_BLOCKS):
        checksum = zlib.crc32(blanks, checksum)
    size = struct.pack("<II", checksum, _BLOCKS * _BLOCK_SIZE)
    return _GZIP + block * _BLOCKS + packer.flush() + size


def _to_loopback(_scene: Scene, asked: SceneRequest, _page: SceneResponse) -> SceneResponse:
    return moved(f"http://127.0.0.1:{asked.port}/")


def _wrong_type(_scene: Scene, asked: SceneRequest, _page: SceneResponse) -> SceneResponse:
    answer = {"finance": {"result": None, "error": {"code": "not-found", "path": asked.path}}}
    return SceneResponse(json.dumps(answer).encode(), kind="application/json")


def _block(_scene: Scene, asked: SceneRequest, _page: SceneResponse) -> SceneResponse:
    return troubles.block() if asked.host == KRX else SceneResponse(_BLOCK, kind=HTML)


def _empty(scene: Scene, asked: SceneRequest, page: SceneResponse) -> SceneResponse:
    if asked.host == KRX:
        return troubles.empty(asked, page)
    return of_videos.empty(asked, page) if asked.host in _OF_VIDEOS else empty_page(scene)


EXCUSES: Final[Mapping[FaultKind, _Excuse]] = {
    FaultKind.THROTTLED: _always(429, says_when=True),
    FaultKind.THROTTLED_SILENTLY: _always(429),
    FaultKind.FORBIDDEN: _always(403),
    FaultKind.BROKEN: _always(500),
    FaultKind.UNAVAILABLE: _always(503),
    FaultKind.CUT: _cut,
    FaultKind.GZIP_BOMB: _bomb,
    FaultKind.REDIRECT_LOOP: lambda _scene, asked, _page: round_again(asked),
    FaultKind.REDIRECT_METADATA: lambda _scene, _asked, _page: moved(_METADATA),
    FaultKind.REDIRECT_ELSEWHERE: lambda _scene, _asked, _page: moved(f"https://{NEWSPAPER}/"),
    FaultKind.REDIRECT_LOOPBACK: _to_loopback,
    FaultKind.CONSENT: lambda _scene, asked, _page: to_consent(asked),
    FaultKind.BLOCK: _block,
    FaultKind.EMPTY: _empty,
    FaultKind.WRONG_TYPE: _wrong_type,
    FaultKind.GARBAGE: lambda _scene, _asked, _page: troubles.GARBAGE,
    FaultKind.HOLIDAY: _instead(troubles.holiday),
    FaultKind.HALF: _instead(troubles.half),
    FaultKind.LOGOUT: _instead(troubles.logout),
    FaultKind.CD010: _instead(troubles.password_expired),
    FaultKind.CD011: _instead(troubles.duplicate),
    FaultKind.COMMENTS_DISABLED: _instead(of_videos.comments_disabled),
    FaultKind.QUOTA_EXCEEDED: lambda _scene, _asked, _page: refusals.quota_exceeded(),
    FaultKind.RATE_LIMITED: lambda _scene, _asked, _page: refusals.rate_limited(),
    FaultKind.PROCESSING_FAILURE: lambda _scene, _asked, _page: refusals.processing_failure(),
    FaultKind.PAGE_TOKEN_INVALID: _instead(of_videos.page_token_invalid),
    FaultKind.KEY_INVALID: lambda _scene, asked, _page: of_videos.key_invalid(asked),
    FaultKind.FENCED: _instead(of_videos.fenced),
    FaultKind.CUT_JSON: _instead(of_videos.cut_json),
    FaultKind.WRONG_SCHEMA: _instead(of_videos.wrong_schema),
    FaultKind.REFUSED: _instead(of_videos.refused),
    **dict.fromkeys(OF_MAIL, lambda _scene, _asked, page: page),  # they are told by SMTP
}
"""Each takes the page that would have been given."""
