"""Where the series of shares stand: all that the next day's indicators are made from."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import date
from typing import Final

import numpy as np

from gotgan.domains.market.indicators.kernels import Floats
from gotgan.domains.market.indicators.periods import LONGEST

__all__ = ["IndicatorState", "States", "is_readable", "pack", "unpack"]

_VERSION: Final = b"\x01"
_AVERAGES: Final = 5
_FLOATS: Final = 1 + _AVERAGES + LONGEST
_BYTES: Final = len(_VERSION) + 8 * _FLOATS


@dataclass(frozen=True)
class States:
    """The states of many series; an average that is not full yet is the sum of what is in it."""

    count: Floats
    """How many closes there were."""
    averages: Floats
    """Wilder's of gains and of losses, the fast, the slow and the signal's: a row for each."""
    window: Floats
    """The last closes of each series, the latest at the end; zeros where there were fewer."""

    @classmethod
    def new(cls, size: int) -> States:
        """The states of so many series before their first close."""
        return cls(np.zeros(size), np.zeros((_AVERAGES, size)), np.zeros((size, LONGEST)))


@dataclass(frozen=True, slots=True)
class IndicatorState:
    """The state of one share as it is stored."""

    ticker: str
    through: date
    """The last session that was taken into account, whether the share was traded or halted."""
    packed: bytes


def pack(states: States) -> list[bytes]:
    """One row of bytes for each series; the first byte says how the others are to be read."""
    table = np.column_stack((states.count, states.averages.T, states.window))
    packed = table.astype("<f8").tobytes()
    width = 8 * _FLOATS
    return [_VERSION + packed[at : at + width] for at in range(0, len(packed), width)]


def is_readable(packed: bytes) -> bool:
    """Whether a row is of this version; any other counts for nothing."""
    return packed[:1] == _VERSION and len(packed) == _BYTES


def unpack(rows: Sequence[bytes]) -> States:
    """The states in rows that are readable, in their order."""
    floats = b"".join(row[1:] for row in rows)
    table = np.frombuffer(floats, "<f8").astype(np.float64).reshape(len(rows), _FLOATS)
    return States(table[:, 0], table[:, 1 : 1 + _AVERAGES].T, table[:, 1 + _AVERAGES :])
