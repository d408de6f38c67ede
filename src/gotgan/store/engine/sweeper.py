"""The thread that removes expired items from time to time."""

from __future__ import annotations

import threading
import weakref
from collections.abc import Callable

from gotgan.errors import StoreClosed, StoreError
from gotgan.events import emit

__all__ = ["Sweeper"]

SECONDS_BEFORE_THE_FIRST = 1.0
SECONDS_BETWEEN = 60.0


class Sweeper:
    """Sweeps a second after it is started, then every minute; holds its owner only weakly."""

    def __init__(self, sweep: Callable[[], int], seconds: float = SECONDS_BETWEEN) -> None:
        self._sweep = weakref.WeakMethod(sweep)
        self._seconds = seconds
        self._stopped = threading.Event()
        self._lock = threading.Lock()
        self._thread: threading.Thread | None = None

    def start(self) -> None:
        """Start, unless it runs already."""
        with self._lock:
            if self._thread is None or not self._thread.is_alive():  # a fork leaves it behind
                self._thread = threading.Thread(target=self._run, name="gotgan-ttl", daemon=True)
                self._thread.start()

    def stop(self) -> None:
        """Stop, and wait for a sweep that is under way."""
        self._stopped.set()
        if self._thread is not None and self._thread is not threading.current_thread():
            self._thread.join()

    def _run(self) -> None:
        # The first sweep comes soon: a process that lives for seconds must do its share, too.
        pause = min(self._seconds, SECONDS_BEFORE_THE_FIRST)
        while not self._stopped.wait(pause) and self._sweep_once():
            pause = self._seconds

    def _sweep_once(self) -> bool:
        """Sweep; say whether there is somebody to sweep for the next time."""
        sweep = self._sweep()
        if sweep is None:  # the engine was dropped without being closed
            return False
        try:
            removed = sweep()
        except StoreClosed:
            return False
        except StoreError as error:
            emit("engine.sweep_failed", level="warning", error=str(error))
        else:
            if removed:
                emit("engine.swept", removed=removed)
        return True
