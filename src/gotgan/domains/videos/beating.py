"""Signs of life while a step takes long: a model may think for longer than a lease holds."""

from __future__ import annotations

import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Final

from gotgan.errors import GotganError, LostRace
from gotgan.retry import Outage

__all__ = ["beating"]

_EVERY: Final = 20.0
"""Seconds between two; three of them fit into a lease."""


@contextmanager
def beating(renew: Callable[[], None], *, seconds: float, every: float = _EVERY) -> Iterator[None]:
    """Call ``renew`` now and then while a block runs, for so many seconds at most.

    After that the lease runs out, whatever the block does: so a worker that hangs is replaced.
    """
    done = threading.Event()
    outage = Outage("videos.job.renewal", level="warning")

    def beat() -> None:
        for _ in range(int(seconds / every)):
            if done.wait(every) or not _has_renewed(renew, outage):
                return

    thread = threading.Thread(target=beat, name="gotgan-videos-beat", daemon=True)
    thread.start()
    try:
        yield
    finally:
        done.set()
        thread.join()


def _has_renewed(renew: Callable[[], None], outage: Outage) -> bool:
    try:
        renew()
    except LostRace:
        return False  # the block finds out when it next writes
    except Exception as error:  # noqa: BLE001 - the next one may get through
        outage.failed(error.message if isinstance(error, GotganError) else repr(error))
    else:
        outage.succeeded()
    return True
