"""What fails on purpose, in one hour of the week each, and is over soon.

On Mondays from 10:00 in Seoul on, the mail server wants one mail to come again later. On Wednesdays
at 17:00 the exchange gives half a market: prices are not whole then, and an hour later they are. Of
all that could fail this costs no waiting: a server that is not there at all is left alone for
minutes of real time.
"""

from __future__ import annotations

from datetime import datetime
from typing import Final
from zoneinfo import ZoneInfo

from gotgan.clock import SEOUL
from gotgan.world import MAIL, FaultKind, World
from gotgan.world.market import DATA, KRX

__all__ = ["Outages", "is_half", "is_wary"]

_MONDAY: Final = 0
_WEDNESDAY: Final = 2
_WARY, _HALF = (_MONDAY, 10), (_WEDNESDAY, 17)
"""Days of the week, and their hours."""


def is_wary(moment: datetime) -> bool:
    """Whether the mail server does not take the next mail at once."""
    return _hour(moment) == _WARY


def is_half(moment: datetime) -> bool:
    """Whether the exchange has half a market."""
    return _hour(moment) == _HALF


def _hour(moment: datetime) -> tuple[int, int]:
    local = moment.astimezone(ZoneInfo(SEOUL))
    return local.weekday(), local.hour


class Outages:
    """A world that misbehaves when it is time."""

    def __init__(self, world: World) -> None:
        self._world = world
        self._was_wary = self._was_half = False

    def follow(self, moment: datetime) -> None:
        """Have the world as it is at a moment."""
        if is_wary(moment) and not self._was_wary:
            self._world.fail(MAIL, "*", FaultKind.GREYLISTED, times=1)
        if is_half(moment) and not self._was_half:
            self._world.fail(KRX, DATA, FaultKind.HALF)
        elif self._was_half and not is_half(moment):
            self._world.heal()
        self._was_wary, self._was_half = is_wary(moment), is_half(moment)
