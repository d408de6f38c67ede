"""Serving the world on loopback, under all its names at once."""

from __future__ import annotations

import contextlib
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from typing import Final

from starlette.datastructures import Headers
from starlette.types import Receive, Scope, Send

from gotgan import listening
from gotgan.world.desk import at_desk, is_for_desk
from gotgan.world.hosts import named
from gotgan.world.scene import SceneRequest
from gotgan.world.wire import Exchange, WorldConnection, deliver
from gotgan.world.world import World

__all__ = ["ServedWorld", "serve_world", "serving_world"]

_LOOPBACK: Final = "127.0.0.1"


@dataclass(frozen=True)
class ServedWorld:
    """A world that can be reached."""

    world: World
    url: str
    """Where it says what it is."""

    @property
    def place(self) -> str:
        """Its host and port."""
        return self.url.removeprefix("http://")

    @property
    def resolve(self) -> Mapping[str, str]:
        """What leads every name to it, for the setting ``resolve``."""
        return {"*": self.place}


@contextlib.contextmanager
def serving_world(world: World, port: int = 0) -> Iterator[ServedWorld]:
    """Serve from a thread for as long as the block runs; port 0 takes a free one."""
    application = _Application(world)
    with listening.serving(application, _LOOPBACK, port, connection=WorldConnection) as url:
        yield ServedWorld(world, url)


def serve_world(world: World, port: int, on_listening: Callable[[ServedWorld], None]) -> None:
    """Serve until SIGTERM or SIGINT."""
    listening.serve(
        _Application(world),
        _LOOPBACK,
        port,
        connection=WorldConnection,
        on_listening=lambda url: on_listening(ServedWorld(world, url)),
    )


class _Application:
    """The world over HTTP."""

    def __init__(self, world: World) -> None:
        self._world = world

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Answer one request."""
        asked = named(await _asked(scope, receive))
        if is_for_desk(asked):
            page, fault = at_desk(self._world, asked), None
        else:
            page, fault = self._world.answer(asked)
        await deliver(Exchange(scope, receive, send), asked, page, fault)


async def _asked(scope: Scope, receive: Receive) -> SceneRequest:
    headers = Headers(scope=scope)
    return SceneRequest(
        host=headers.get("host", "").partition(":")[0].lower(),
        path=scope["path"],
        query=scope["query_string"].decode("latin-1"),
        method=scope["method"],
        headers=dict(headers),
        body=await _body(receive),
        port=scope["server"][1],
    )


async def _body(receive: Receive) -> bytes:
    parts = []
    more = True
    while more:
        message = await receive()
        parts.append(message.get("body", b""))
        more = message.get("more_body", False)
    return b"".join(parts)
