"""The headers that every answer of the console carries."""

from __future__ import annotations

from typing import Final

from starlette.datastructures import MutableHeaders
from starlette.types import ASGIApp, Message, Receive, Scope, Send

__all__ = ["Headers", "content_policy"]

_COMMON: Final = {
    "X-Content-Type-Options": "nosniff",
    "X-Frame-Options": "DENY",
    "Referrer-Policy": "same-origin",
    "Cross-Origin-Opener-Policy": "same-origin",
    "Cross-Origin-Resource-Policy": "same-origin",
}


def content_policy(*, foreign_images: bool = False) -> str:
    """What a page may load: only what we serve, and pictures of others where it shows them."""
    images = "'self' data: https:" if foreign_images else "'self' data:"
    return (
        f"default-src 'self'; script-src 'self'; style-src 'self'; img-src {images}; "
        "frame-ancestors 'none'; base-uri 'none'; form-action 'self'"
    )


class Headers:
    """The console, with the headers that its pages did not set themselves."""

    def __init__(self, app: ASGIApp) -> None:
        self._app = app

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Answer, and add the headers when the answer starts."""

        async def send_with_headers(message: Message) -> None:
            if message["type"] == "http.response.start":
                _complete(MutableHeaders(scope=message))
            await send(message)

        await self._app(scope, receive, send_with_headers)


def _complete(headers: MutableHeaders) -> None:
    for name, value in _COMMON.items():
        headers[name] = value
    headers.setdefault("Content-Security-Policy", content_policy())
    headers.setdefault("Cache-Control", "no-store")
