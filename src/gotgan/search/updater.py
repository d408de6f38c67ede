"""The updater: a thread of a server that keeps the index, and the tables derived from the store.

It goes by real time, whatever the dates of a demo are.
"""

from __future__ import annotations

import threading
from typing import TYPE_CHECKING, Final

from gotgan.errors import GotganError
from gotgan.retry import Outage

if TYPE_CHECKING:
    from gotgan.search.indexer import Indexer

INTERVAL_S: Final = 20.0


class Updater:
    """Updates the index every 20 seconds, from its start to its stop."""

    def __init__(self, indexer: Indexer, *, interval_s: float = INTERVAL_S) -> None:
        self._indexer = indexer
        self._interval_s = interval_s
        self._stopping = threading.Event()
        self._outage = Outage("search")
        self._thread = threading.Thread(target=self._loop, name="gotgan-search", daemon=True)

    def start(self) -> None:
        """Start the thread."""
        self._thread.start()

    def stop(self) -> None:
        """Stop after the current update, whether it was started or not."""
        self._stopping.set()
        self._indexer.stop()
        if self._thread.is_alive():
            self._thread.join()

    def _loop(self) -> None:
        pause = 0.0
        while not self._stopping.wait(pause):
            pause = self._update()

    def _update(self) -> float:
        """Update once; return how long to wait for the next time."""
        try:
            self._indexer.update()
        except Exception as error:  # noqa: BLE001 - a failed update must not end the loop
            reason = error.message if isinstance(error, GotganError) else repr(error)
            return max(self._interval_s, self._outage.failed(reason))
        self._outage.succeeded()
        return self._interval_s
