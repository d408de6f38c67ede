"""Where a page spends its time: what the server's threads are doing, looked at very often."""

from __future__ import annotations

import sys
import threading
from collections import Counter
from collections.abc import Iterator
from contextlib import contextmanager
from types import FrameType
from typing import Final

__all__ = ["Samples", "sampling"]

_EVERY: Final = 0.0005
_WORKERS: Final = "AnyIO worker thread"
_OURS: Final = "gotgan"


class Samples:
    """How often each function was seen at work, itself or in what it called."""

    def __init__(self) -> None:
        self.looked = 0
        self.seen: Counter[str] = Counter()

    def look(self) -> None:
        """Look at all threads that answer requests."""
        workers = {each.ident for each in threading.enumerate() if each.name == _WORKERS}
        for ident, frame in sys._current_frames().items():  # noqa: SLF001 - there is no other way
            names = set(_names(frame)) if ident in workers else set()
            self.looked += bool(names)
            self.seen.update(names)

    def text(self, most: int = 40) -> str:
        """The functions that were seen most often, with their share."""
        lines = [
            f"{count / self.looked:>5.0%}  {name}" for name, count in self.seen.most_common(most)
        ]
        return "\n".join(lines)


@contextmanager
def sampling() -> Iterator[Samples]:
    """Look, for as long as the block runs."""
    samples, ended = Samples(), threading.Event()

    def watch() -> None:
        while not ended.wait(_EVERY):
            samples.look()

    thread = threading.Thread(target=watch, daemon=True)
    thread.start()
    try:
        yield samples
    finally:
        ended.set()
        thread.join()


def _names(frame: FrameType | None) -> Iterator[str]:
    """The functions of Gotgan, and of its templates, that a thread is in."""
    while frame is not None:
        code = frame.f_code
        module = frame.f_globals.get("__name__", "")
        if module.partition(".")[0] == _OURS:
            yield f"{module}.{code.co_qualname if hasattr(code, 'co_qualname') else code.co_name}"
        elif code.co_filename.endswith(".html"):
            yield f"{code.co_filename.rpartition('/templates/')[2]}:{code.co_name}"
        frame = frame.f_back
