"""The endpoint: the engine over HTTP, until it is told to stop."""

from __future__ import annotations

from collections.abc import Callable
from contextlib import AbstractContextManager

from gotgan import listening
from gotgan.store.engine.asgi import Application
from gotgan.store.engine.protocol import Executor

__all__ = ["serve", "serving"]


def serve(
    engine: Executor,
    host: str = "127.0.0.1",
    port: int = 8000,
    *,
    on_listening: Callable[[str], None] = lambda _url: None,
) -> None:
    """Serve until SIGTERM or SIGINT; the engine stays open, for the caller to close."""
    application = Application(engine)
    listening.serve(
        application, host, port, on_listening=on_listening, on_stopped=application.close
    )


def serving(
    engine: Executor, host: str = "127.0.0.1", port: int = 0
) -> AbstractContextManager[str]:
    """Serve from a thread for as long as the block runs; the block is given the endpoint's URL."""
    application = Application(engine)
    return listening.serving(application, host, port, on_stopped=application.close)
