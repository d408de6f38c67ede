"""The functions that AWS Lambda calls: the server behind API Gateway, and the sender of mails.

A container opens the app on its first call and keeps it for those that follow. Nothing is written
to disk: the tables are elsewhere, and the secret is given. Events go to the log that Lambda has
for its functions, from the level of ``GOTGAN_LOG`` on.
"""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Mapping
from functools import cached_property
from typing import TYPE_CHECKING, Any, Final, Self

from gotgan.app import App
from gotgan.errors import SettingsError
from gotgan.messages import Template
from gotgan.settings import Settings

if TYPE_CHECKING:
    from fastapi import FastAPI
    from mangum import Mangum


_NO_MANGUM: Final = Template(
    "functions.no_mangum",
    "A function behind API Gateway needs an extra package. Run pip install 'gotgan[aws]'.",
)
_OWN_ADDRESS: Final = ".execute-api."
"""Part of every address of API Gateway, and of no custom domain."""
_NO_STAGE: Final = "$default"


class Container:
    """What is kept between the calls of one container; opened on first use."""

    def __init__(self, environment: Mapping[str, str] | None = None) -> None:
        """``environment`` replaces the variables of the process."""
        self._environment = environment

    def web(self, event: dict[str, Any], context: Any) -> dict[str, Any]:
        """Answer a request of API Gateway, in either of its formats, or of a function URL."""
        asyncio.set_event_loop(self._loop)
        adapt = _mangum()
        answer = adapt(self._server, lifespan="off", api_gateway_base_path=_base_path(event))
        return answer(event, context)

    def send_mails(self) -> dict[str, Any]:
        """Send the mails that are due; returns the counts."""
        round_ = self._app.site.mails.send_due()
        return {
            "sent": round_.sent,
            "failed": round_.failed,
            "lost": round_.lost,
            "waiting": round_.waiting,
        }

    def close(self) -> None:
        """Close everything that was opened; Lambda ends containers without calling this."""
        opened = vars(self)
        if "_app" in opened:
            self._app.close()
        if "_loop" in opened:
            asyncio.set_event_loop(None)
            self._loop.close()
        for name in ("_app", "_loop", "_server"):
            opened.pop(name, None)

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    @cached_property
    def _app(self) -> App:
        settings = Settings.from_env(self._environment)
        logging.getLogger(__package__).setLevel(settings.log.upper())
        return App.open(settings)

    @cached_property
    def _server(self) -> FastAPI:
        from gotgan.server import create_server  # noqa: PLC0415 - who sends mails needs no server

        # The template makes the tables of the site alone, and a function has no time for runs.
        return create_server(self._app, domains=("site",))

    @cached_property
    def _loop(self) -> asyncio.AbstractEventLoop:
        return asyncio.new_event_loop()


_CONTAINER: Final = Container()


def web(event: dict[str, Any], context: Any) -> dict[str, Any]:
    """Answer one request for the API or the console."""
    return _CONTAINER.web(event, context)


def send_mails(event: Any, context: Any) -> dict[str, Any]:  # noqa: ARG001 - Lambda's signature
    """Send the mails that are due; a schedule calls this."""
    return _CONTAINER.send_mails()


def _mangum() -> type[Mangum]:
    try:
        from mangum import Mangum  # noqa: PLC0415 - an extra
    except ImportError as error:
        raise SettingsError(_NO_MANGUM()) from error
    return Mangum


def _base_path(event: Mapping[str, Any]) -> str:
    """What precedes our paths: an HTTP API at its own address puts its stage there."""
    context = event.get("requestContext", {})
    stage = context.get("stage", _NO_STAGE)
    is_http_api = "version" in event and _OWN_ADDRESS in context.get("domainName", "")
    return f"/{stage}" if is_http_api and stage != _NO_STAGE else "/"
