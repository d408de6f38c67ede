"""What is answered instead of a page, by those faults that are a whole answer."""

from __future__ import annotations

import json
import struct
import zlib
from collections.abc import Callable, Mapping
from dataclasses import replace
from functools import cache
from typing import Final

from gotgan.world.faults import Fault
from gotgan.world.market import KRX, troubles
from gotgan.world.news.consent import to_consent
from gotgan.world.news.latest import empty_page
from gotgan.world.news.stories import NEWSPAPER
from gotgan.world.scene import HTML, Asked, Page, Scene, moved, plain

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

_Excuse = Callable[[Scene, Asked, Page], Page]


def round_again(asked: Asked) -> Page:
    """A redirect to the same place, under an address that is new each time."""
    turn = int(asked.query) + 1 if asked.query.isdecimal() else 1
    return moved(f"https://{asked.host}{CIRCLE}?{turn}")


def _throttled(scene: Scene, _asked: Asked, _page: Page) -> Page:
    return replace(_said(429), headers={"Retry-After": str(scene.retry_after)})


def _said(status: int) -> Page:
    return plain("Too Many Requests\n" if status == 429 else "Sorry\n", status)  # noqa: PLR2004


def _always(status: int) -> _Excuse:
    return lambda _scene, _asked, _page: _said(status)


def _cut(_scene: Scene, _asked: Asked, page: Page) -> Page:
    return replace(page, body=page.body[: len(page.body) // 2])


def _bomb(_scene: Scene, _asked: Asked, _page: Page) -> Page:
    return Page(_packed(), headers={"Content-Encoding": "gzip"})


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


def _to_loopback(_scene: Scene, asked: Asked, _page: Page) -> Page:
    return moved(f"http://127.0.0.1:{asked.port}/")


def _wrong_type(_scene: Scene, asked: Asked, _page: Page) -> Page:
    answer = {"finance": {"result": None, "error": {"code": "not-found", "path": asked.path}}}
    return Page(json.dumps(answer).encode(), kind="application/json")


def _block(_scene: Scene, asked: Asked, _page: Page) -> Page:
    return troubles.block() if asked.host == KRX else Page(_BLOCK, kind=HTML)


def _empty(scene: Scene, asked: Asked, page: Page) -> Page:
    return troubles.empty(asked, page) if asked.host == KRX else empty_page(scene)


EXCUSES: Final[Mapping[Fault, _Excuse]] = {
    Fault.THROTTLED: _throttled,
    Fault.THROTTLED_SILENTLY: _always(429),
    Fault.FORBIDDEN: _always(403),
    Fault.BROKEN: _always(500),
    Fault.UNAVAILABLE: _always(503),
    Fault.CUT: _cut,
    Fault.GZIP_BOMB: _bomb,
    Fault.REDIRECT_LOOP: lambda _scene, asked, _page: round_again(asked),
    Fault.REDIRECT_METADATA: lambda _scene, _asked, _page: moved(_METADATA),
    Fault.REDIRECT_ELSEWHERE: lambda _scene, _asked, _page: moved(f"https://{NEWSPAPER}/"),
    Fault.REDIRECT_LOOPBACK: _to_loopback,
    Fault.CONSENT: lambda _scene, asked, _page: to_consent(asked),
    Fault.BLOCK: _block,
    Fault.EMPTY: _empty,
    Fault.WRONG_TYPE: _wrong_type,
    Fault.GARBAGE: lambda _scene, _asked, _page: troubles.GARBAGE,
    Fault.HOLIDAY: lambda _scene, asked, page: troubles.holiday(asked, page),
    Fault.HALF: lambda _scene, asked, page: troubles.half(asked, page),
    Fault.LOGOUT: lambda _scene, asked, page: troubles.logout(asked, page),
    Fault.CD010: lambda _scene, asked, page: troubles.password_expired(asked, page),
    Fault.CD011: lambda _scene, asked, page: troubles.duplicate(asked, page),
}
"""Each takes the page that would have been given."""
