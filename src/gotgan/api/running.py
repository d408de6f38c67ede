"""Where a handler runs: short reads at once, everything else on a thread."""

from __future__ import annotations

from collections.abc import Callable

from starlette.concurrency import run_in_threadpool
from starlette.requests import Request
from starlette.responses import Response

from gotgan.api.who import app_of

__all__ = ["read_at_once"]


async def read_at_once(request: Request, read: Callable[[], Response]) -> Response:
    """Answer with a short read, without a thread where the database is in this process.

    Such a read is mostly Python, of which one thread runs at a time: handing it to another one and
    back takes as long as the read, and lets nobody else run meanwhile.
    """
    if app_of(request).store.is_in_process:
        return read()
    return await run_in_threadpool(read)
