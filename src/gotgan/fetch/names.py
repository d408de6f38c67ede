"""Names of hosts, looked up without holding anybody up."""

from __future__ import annotations

import asyncio
import socket
import threading
from collections.abc import Callable, Sequence
from concurrent.futures import Future
from typing import Any

__all__ = ["addresses_of"]


async def addresses_of(
    host: str, port: int, *, ask: Callable[..., Sequence[Any]] = socket.getaddrinfo
) -> Sequence[str]:
    """The IP addresses of a name, in the order in which to try them.

    The system looks them up in a thread that a program can end without: an executor's threads are
    waited for, and a name server that is silent would keep the program from ending.
    """
    found: Future[Sequence[Any]] = Future()
    found.set_running_or_notify_cancel()  # from here on nobody but the thread settles it

    def look_up() -> None:
        try:
            found.set_result(ask(host, port, type=socket.SOCK_STREAM))
        except (OSError, UnicodeError) as error:
            found.set_exception(error)

    threading.Thread(target=look_up, name="gotgan-names", daemon=True).start()
    return [str(entry[4][0]) for entry in await asyncio.wrap_future(found)]
