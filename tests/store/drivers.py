"""The databases that the store is asked on, and how each is opened."""

from __future__ import annotations

from collections.abc import Callable
from contextlib import ExitStack
from pathlib import Path

from gotgan.store.drivers import Driver
from gotgan.store.drivers.aws import Aws
from gotgan.store.drivers.embedded import Embedded
from gotgan.store.engine import Engine
from gotgan.store.engine.http import background_server
from tests.oracle.peers import PEERS, running

__all__ = ["DRIVERS", "OURS"]

Open = Callable[[ExitStack, Path], Driver]


def _embedded(stack: ExitStack, folder: Path) -> Driver:
    # What a crash leaves is asked elsewhere; here the disk would only make every test slower.
    engine = Engine(folder / "embedded.sqlite3", synchronous="normal")
    return _closed(stack, Embedded(engine))


def _over_http(stack: ExitStack, folder: Path) -> Driver:
    engine = stack.enter_context(Engine(folder / "served.sqlite3", synchronous="normal"))
    return _closed(stack, Aws(stack.enter_context(background_server(engine))))


def _peer(name: str) -> Open:
    def open_peer(stack: ExitStack, _folder: Path) -> Driver:
        peer = stack.enter_context(running(PEERS[name]))
        return _closed(stack, Aws(f"http://127.0.0.1:{peer.port}"))

    return open_peer


def _closed(stack: ExitStack, driver: Driver) -> Driver:
    stack.callback(driver.close)
    return driver


OURS: dict[str, Open] = {"embedded": _embedded, "http": _over_http}
DRIVERS: dict[str, Open] = {
    **OURS,
    **{name: _peer(name) for name in ("moto", "dynalite", "dynoxide")},
}
