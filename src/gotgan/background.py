"""Verbs that are repeated in the background for as long as a server runs."""

from __future__ import annotations

import threading
from collections.abc import Callable
from typing import Any, Self

from gotgan.errors import GotganError
from gotgan.events import emit

__all__ = ["Repeating"]


class Repeating:
    """A thread that calls a verb again and again; one that fails is called again all the same."""

    def __init__(self, name: str, verb: Callable[[], Any], *, every: float) -> None:
        """``name`` is told in events; ``every`` is how many seconds lie between two calls."""
        self._name = name
        self._verb = verb
        self._every = every
        self._stopped = threading.Event()
        self._thread = threading.Thread(target=self._run, name=f"gotgan-{name}", daemon=True)

    def __enter__(self) -> Self:
        self._thread.start()
        return self

    def __exit__(self, *_: object) -> None:
        """Stop after the call that is under way."""
        self._stopped.set()
        self._thread.join()

    def _run(self) -> None:
        while not self._stopped.is_set():
            try:
                self._verb()
            except GotganError as error:
                emit("background.failed", level="error", verb=self._name, reason=error.message)
            except Exception as error:  # noqa: BLE001 - the next round must come
                emit("background.failed", level="error", verb=self._name, reason=repr(error))
            self._stopped.wait(self._every)
