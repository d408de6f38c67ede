"""Where a visitor is sent who has not agreed yet."""

from __future__ import annotations

from html import escape
from typing import Final
from urllib.parse import quote
from uuid import UUID

from gotgan.world.scene import MISSING, Scene, SceneRequest, SceneResponse, chance, moved

__all__ = ["consent", "guce", "to_consent"]

_PARTNERS: Final = 180
"""So many that the page has the size of a real one."""


def to_consent(asked: SceneRequest) -> SceneResponse:
    """The redirect that is sent instead of a page."""
    done = quote(asked.address, safe="")
    return moved(f"https://guce.yahoo.com/consent?brandType=eu&done={done}", 307)


def guce(scene: Scene, asked: SceneRequest) -> SceneResponse:
    """What guce.yahoo.com answers: it only passes visitors on."""
    if asked.path != "/consent":
        return MISSING
    return moved(f"https://consent.yahoo.com/v2/collectConsent?sessionId={_session(scene)}")


def consent(scene: Scene, asked: SceneRequest) -> SceneResponse:
    """What consent.yahoo.com answers: the form, with status 200."""
    return _form(scene) if asked.path == "/v2/collectConsent" else MISSING


def _session(scene: Scene) -> str:
    number = chance(scene.seed, scene.now.date(), "consent").getrandbits(128)
    return f"3_cc-session_{UUID(int=number, version=4)}"


def _form(scene: Scene) -> SceneResponse:
    session = escape(_session(scene))
    partners = "\n".join(_partner(number) for number in range(1, _PARTNERS))
    text = f"""\
<!doctype html>
<html lang="en-US"><head><meta charset="utf-8"><title>Your privacy choices</title></head>
<body><div id="consent-page"><h1>Before you continue</h1>
<form method="post" class="consent-form" action="/v2/collectConsent?sessionId={session}">
<input type="hidden" name="csrfToken" value="{session[-8:]}">
<input type="hidden" name="sessionId" value="{session}">
<p>We and our partners store information on a device and read it.</p>
<ul>
{partners}
</ul>
<button type="submit" class="accept-all" name="agree" value="agree">Accept all</button>
<button type="submit" class="reject-all" name="reject" value="reject">Reject all</button>
</form></div></body></html>
"""
    return SceneResponse(text.encode())


def _partner(number: int) -> str:
    return f"<li>Partner {number}: storing and reading information, measuring, personal choice</li>"
