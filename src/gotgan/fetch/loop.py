"""An event loop in a thread of its own, for code that has none."""

from __future__ import annotations

import asyncio
import threading
from collections.abc import Awaitable, Callable, Coroutine
from concurrent.futures import Future
from typing import Any, TypeVar

__all__ = ["Loop"]

T = TypeVar("T")


class Loop:
    """A daemon thread that runs coroutines; it never keeps a program from ending."""

    def __init__(self, name: str, *, last: Callable[[], Awaitable[None]]) -> None:
        """``last`` is awaited when all coroutines have ended."""
        self._last = last
        self._ready = threading.Event()
        self._thread = threading.Thread(target=self._run, name=name, daemon=True)
        self._thread.start()
        self._ready.wait()

    def submit(self, work: Coroutine[Any, Any, T]) -> Future[T]:
        """Start a coroutine; cancelling what this gives cancels the coroutine."""
        return asyncio.run_coroutine_threadsafe(work, self._loop)

    def close(self) -> None:
        """Cancel what is under way, and wait until the thread has ended; once."""
        self._loop.call_soon_threadsafe(self._end.set)
        self._thread.join()

    def _run(self) -> None:
        asyncio.run(self._live())

    async def _live(self) -> None:
        self._loop = asyncio.get_running_loop()
        self._end = asyncio.Event()
        self._ready.set()
        await self._end.wait()
        others = asyncio.all_tasks() - {asyncio.current_task()}
        for task in others:
            task.cancel()
        await asyncio.gather(*others, return_exceptions=True)
        await self._last()
