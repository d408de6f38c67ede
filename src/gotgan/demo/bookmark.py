"""How far the demo has come, in a file of its folder: the next start goes on from there."""

from __future__ import annotations

import json
from contextlib import AbstractContextManager
from dataclasses import dataclass
from datetime import datetime, time, timedelta
from pathlib import Path
from typing import Final
from zoneinfo import ZoneInfo

from gotgan.clock import SEOUL
from gotgan.errors import UsageError
from gotgan.store.data.crashproof import hold, usable, write_whole

__all__ = ["Bookmark", "Reached", "begun"]

_FILE: Final = "demo.json"


@dataclass(frozen=True)
class Reached:
    """When a demo began, and where its next start goes on, both by its own clock."""

    begins: datetime
    goes_on: datetime


def begun(now: datetime, days: int) -> Reached:
    """A demo that begins so many days before today, at midnight in Seoul."""
    seoul = ZoneInfo(SEOUL)
    first = now.astimezone(seoul).date() - timedelta(days=days)
    begins = datetime.combine(first, time.min, seoul)
    return Reached(begins, begins)


class Bookmark:
    """The file of one folder; what is written to it is there as a whole, or not at all."""

    def __init__(self, folder: Path) -> None:
        self._path = folder / _FILE

    def held(self) -> AbstractContextManager[None]:
        """Keep other demos out of the folder, for as long as a block runs."""
        return hold(self._path, f"a demo in the folder {self._path.parent}")

    def read(self) -> Reached | None:
        """How far the demo has come; None where it has not begun."""
        with usable(self._path):
            if not self._path.exists():
                return None
            text = self._path.read_text(encoding="utf-8")
        try:
            told = json.loads(text)
            reached = Reached(
                *(datetime.fromisoformat(told[name]) for name in ("begins", "goesOn"))
            )
        except (ValueError, KeyError, TypeError):
            reached = None
        if reached is None or reached.begins.tzinfo is None or reached.goes_on.tzinfo is None:
            raise UsageError(
                f"{self._path} does not say how far the demo has come; remove the folder "
                f"{self._path.parent} to begin anew"
            )
        return reached

    def write(self, reached: Reached) -> None:
        """Note how far it has come."""
        told = {"begins": reached.begins.isoformat(), "goesOn": reached.goes_on.isoformat()}
        with usable(self._path):
            write_whole(self._path, json.dumps(told).encode())
