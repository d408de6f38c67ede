"""The demo's data: a week in all domains, made once by the demo itself."""

from __future__ import annotations

import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Final

from gotgan.demo import Demo, open_demo
from gotgan.verbs import silent

__all__ = ["DAYS", "HISTORY", "demo_data"]

DAYS: Final = 7
HISTORY: Final = 90


@contextmanager
def demo_data(folder: Path | None) -> Iterator[Demo]:
    """The demo of a folder, or one that is made for this and goes again."""
    with tempfile.TemporaryDirectory() as made, open_demo(folder or Path(made), DAYS) as demo:
        if demo.progress.goes_on < demo.ends(DAYS):
            demo.set_up(HISTORY, silent)
            demo.hurry_until(demo.ends(DAYS), lambda _moment, _happened: None)
        yield demo
