"""Threads that do jobs as they come, for as long as a program runs."""

from __future__ import annotations

import threading
import time
from typing import Final, Self

from gotgan.domains.videos.working import Working
from gotgan.errors import GotganError
from gotgan.retry import Outage

__all__ = ["Workers"]

_LOOK_EVERY: Final = 1.0
"""Seconds between two looks at the jobs: other processes ask for some too."""
_LAST_WORDS: Final = 5.0
"""How long threads may take to give their jobs back; after that the leases see to it."""


class Workers:
    """Some threads over one ``Working``; wake them where a job was added in this process."""

    def __init__(self, working: Working, *, at_once: int = 2) -> None:
        self._working = working
        self._outage = Outage("videos.work")
        self._woken = threading.Condition()
        self._is_stopping = False
        self._threads = [
            threading.Thread(target=self._loop, name=f"gotgan-videos-{number}", daemon=True)
            for number in range(at_once)
        ]

    def __enter__(self) -> Self:
        self.start()
        return self

    def __exit__(self, *_: object) -> None:
        self.stop()

    def start(self) -> None:
        """Do jobs from now on."""
        for thread in self._threads:
            thread.start()

    def stop(self) -> None:
        """Do no more jobs; those under way are given back, or left to their leases."""
        self._working.stop()
        with self._woken:
            self._is_stopping = True
            self._woken.notify_all()
        ends = time.monotonic() + _LAST_WORDS
        for thread in self._threads:
            if thread.is_alive():
                thread.join(max(0.0, ends - time.monotonic()))

    def wake(self) -> None:
        """Look at the jobs now."""
        with self._woken:
            self._woken.notify()

    def _loop(self) -> None:
        while not self._is_stopping:
            pause = self._work()
            with self._woken:
                if pause and not self._is_stopping:
                    self._woken.wait(pause)

    def _work(self) -> float:
        """Do a job; returns how many seconds to wait for the next one."""
        try:
            has_worked = self._working.work()
        except Exception as error:  # noqa: BLE001 - the next look may find the database again
            reason = error.message if isinstance(error, GotganError) else repr(error)
            return self._outage.failed(reason)
        self._outage.succeeded()
        return 0.0 if has_worked else _LOOK_EVERY
