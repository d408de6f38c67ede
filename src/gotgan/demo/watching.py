"""The demo at a pace that people can watch, in a thread beside the server."""

from __future__ import annotations

import threading
from collections.abc import Callable
from typing import Self

from gotgan.demo.opening import Demo
from gotgan.demo.stops import Stop, is_midnight, pause_before
from gotgan.demo.tally import Happened
from gotgan.errors import GotganError
from gotgan.retry import Outage

__all__ = ["Watching"]


class Watching:
    """The demo going on, for as long as a block runs; each day is told when it is over."""

    def __init__(self, demo: Demo, on_day: Callable[[Happened], None]) -> None:
        self._demo = demo
        self._on_day = on_day
        self._outage = Outage("demo")
        self._thread = threading.Thread(target=self._loop, name="gotgan-demo", daemon=True)

    def __enter__(self) -> Self:
        self.start()
        return self

    def __exit__(self, *_: object) -> None:
        self.stop()

    def start(self) -> None:
        """Go on from now on."""
        self._thread.start()

    def stop(self) -> None:
        """Go no further; what is under way comes to an end first."""
        self._demo.walk.stopping.set()
        self._demo.app.runs.stop()
        if self._thread.is_alive():
            self._thread.join()

    def _loop(self) -> None:
        walk, clock = self._demo.walk, self._demo.app.clock
        while not walk.stopping.is_set():
            stop = walk.next_stop()
            walk.stopping.wait(pause_before(stop, clock.now()))
            if not walk.stopping.is_set():
                self._go_to(stop)

    def _go_to(self, stop: Stop) -> None:
        try:
            if is_midnight(stop.at) and self._demo.walk.tally.begins < stop.at:
                self._on_day(self._demo.taken_stock(stop.at))
            self._demo.go_to(stop)
        except Exception as error:  # noqa: BLE001 - days go by, whatever one of them brings
            reason = error.message if isinstance(error, GotganError) else repr(error)
            self._demo.walk.stopping.wait(self._outage.failed(reason))
        else:
            self._outage.succeeded()
