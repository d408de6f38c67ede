"""The hour in which the exchange gives half a market: every Wednesday at 17:00 in Seoul.

Prices are asked for then, and are not whole; an hour later they are. Of all that could fail this
costs no waiting: a server that is not there at all is left alone for minutes of real time.
"""

from __future__ import annotations

from datetime import datetime
from typing import Final
from zoneinfo import ZoneInfo

from gotgan.clock import SEOUL
from gotgan.world import Fault, World
from gotgan.world.market import DATA, KRX

__all__ = ["Outage", "is_out"]

_WEDNESDAY: Final = 2
_HOUR: Final = 17


def is_out(moment: datetime) -> bool:
    """Whether the exchange misbehaves at a moment."""
    local = moment.astimezone(ZoneInfo(SEOUL))
    return (local.weekday(), local.hour) == (_WEDNESDAY, _HOUR)


class Outage:
    """The exchange of a world, which misbehaves when it is time."""

    def __init__(self, world: World) -> None:
        self._world = world
        self._is_on = False

    def follow(self, moment: datetime) -> None:
        """Have the world as it is at a moment."""
        if is_out(moment) and not self._is_on:
            self._world.fail(KRX, DATA, Fault.HALF)
        elif self._is_on and not is_out(moment):
            self._world.heal()
        self._is_on = is_out(moment)
