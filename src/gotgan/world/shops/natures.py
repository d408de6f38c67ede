"""Shops that misbehave by themselves, whatever is asked of them."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from dataclasses import replace
from http import HTTPStatus
from typing import Final
from urllib.parse import quote

from gotgan.world.excuses import EXCUSES
from gotgan.world.faults import FaultKind
from gotgan.world.scene import Scene, SceneRequest, SceneResponse, moved
from gotgan.world.shops.layout import PageContent, framed, link
from gotgan.world.shops.places import place_of
from gotgan.world.shops.registry import Nature, WorldShop

__all__ = ["NATURES"]

_HEAVY: Final = 30_000_000
_MONTH: Final = re.compile(r"/kalender/([0-9]{1,6})")
_LOGIN: Final = "/login"
_FORM: Final = """\
<!doctype html>
<html lang="{code}"><head><meta charset="utf-8"><title>{login}</title></head>
<body><h1>{login}</h1><form method="post" action="/login"><input name="user">
<input name="password" type="password"><button>OK</button></form></body></html>
"""
_BURST: Final = range(7, 10)
"""In which seconds of each quarter of a minute a hasty shop wants to be left alone."""
_QUARTER: Final = 15
_SLOPPY: Final = (
    (re.compile(r"</(?:li|p|nav|ul|main)>"), ""),
    (re.compile(r' class="([a-z]+)"'), r" class=\1"),
    (re.compile(r"<h1"), "<center><font size=5><h1"),
    (re.compile(r"(<a [^>]*)>"), r'\1 target="_top" target="_top">'),
    (re.compile(r"<!doctype html>\n<html([^>]*)>"), r"<HTML\1><P>"),
    (re.compile(r"\}</script>"), ",}\n</script>"),
)
"""What goes wrong where pages are written by hand: ends that are missing, quotes, commas."""

_Habit = Callable[[Scene, WorldShop, SceneRequest, SceneResponse], SceneResponse]


def _tame(
    _scene: Scene, _shop: WorldShop, _asked: SceneRequest, page: SceneResponse
) -> SceneResponse:
    return page


def _endless(
    scene: Scene, shop: WorldShop, asked: SceneRequest, page: SceneResponse
) -> SceneResponse:
    """Every month has a next one, and every page a link to the first."""
    month = _MONTH.fullmatch(asked.path)
    if month is None:
        first = f"<footer>{link('/kalender/0', 'Kalender')}"
        return replace(page, body=page.body.replace(b"<footer>", first.encode()))
    number = int(month[1])
    days = "".join(link(f"/kalender/{number}?tag={day}", str(day)) for day in range(1, 29))
    onward = link(f"/kalender/{number + 1}", "Nächster Monat", "next")
    body = f"<main><h1>Kalender, Monat {number}</h1>{days}{onward}</main>"
    return SceneResponse(framed(scene, shop, PageContent("Kalender", body)).encode())


def _walled(
    _scene: Scene, shop: WorldShop, asked: SceneRequest, _page: SceneResponse
) -> SceneResponse:
    """Whatever is asked for: first one must log in."""
    if asked.path != _LOGIN:
        return moved(f"https://{shop.domain}{_LOGIN}?next={quote(asked.path)}")
    return SceneResponse(_FORM.format(code=shop.tongue.code, login=shop.tongue.login).encode())


def _heavy(
    _scene: Scene, shop: WorldShop, asked: SceneRequest, page: SceneResponse
) -> SceneResponse:
    """Products come with all their pictures in the page itself."""
    place = place_of(shop, asked)
    if place is None or place.kind != "product" or page.status != HTTPStatus.OK:
        return page
    picture = b'<img alt="" src="data:image/png;base64,' + b"A" * _HEAVY + b'"></body>'
    return replace(page, body=page.body.replace(b"</body>", picture))


def _broken(
    _scene: Scene, _shop: WorldShop, _asked: SceneRequest, page: SceneResponse
) -> SceneResponse:
    """Browsers show it nevertheless."""
    if not page.kind.startswith("text/html") or not page.body:
        return page
    text = page.body.decode()
    for right, wrong in _SLOPPY:
        text = right.sub(wrong, text)
    return replace(page, body=text.encode() + b"\xa0\xff<!-- </table>")


def _hasty(
    scene: Scene, _shop: WorldShop, asked: SceneRequest, page: SceneResponse
) -> SceneResponse:
    """429 to everybody for some seconds, again and again."""
    if scene.now.second % _QUARTER not in _BURST:
        return page
    return EXCUSES[FaultKind.THROTTLED](scene, asked, page)


NATURES: Final[Mapping[Nature, _Habit]] = {
    "tame": _tame,
    "endless": _endless,
    "walled": _walled,
    "heavy": _heavy,
    "broken": _broken,
    "hasty": _hasty,
}
"""Each takes the page that a tame shop would have given."""
