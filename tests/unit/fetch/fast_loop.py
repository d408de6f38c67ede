"""An event loop whose clock is moved by nobody but itself: it never waits, it goes to the hour."""

from __future__ import annotations

import asyncio
import selectors
from collections.abc import Coroutine
from typing import Any, TypeVar

T = TypeVar("T")


class FastLoop(asyncio.SelectorEventLoop):
    """A loop that, where another would sleep, sets its own clock to the end of the sleep."""

    def __init__(self) -> None:
        self.moment = 0.0
        super().__init__(_Sleepless(self))

    def time(self) -> float:
        return self.moment


class _Sleepless(selectors.DefaultSelector):
    def __init__(self, loop: FastLoop) -> None:
        super().__init__()
        self._loop = loop

    def select(self, timeout: float | None = None) -> list[tuple[selectors.SelectorKey, int]]:
        if timeout is None:
            raise AssertionError("everybody waits, and nothing will ever happen")
        self._loop.moment += timeout
        return super().select(0)


def run(story: Coroutine[Any, Any, T]) -> T:
    """Run a coroutine to its end, without waiting for the time that it takes."""
    with asyncio.Runner(loop_factory=FastLoop) as runner:
        return runner.run(story)
