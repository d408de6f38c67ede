"""The progress of a long operation."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import TypeAlias

from gotgan.store.costs import Cost


@dataclass(frozen=True, slots=True)
class TransferProgress:
    """What one run has done so far."""

    items: int
    bytes: int
    """Of the lines as they are in the file."""
    seconds: float
    cost: Cost

    @property
    def rate(self) -> float:
        """Items a second."""
        return self.items / self.seconds if self.seconds else 0.0


OnProgress: TypeAlias = Callable[[TransferProgress], None]


def no_progress(_progress: TransferProgress) -> None:
    """Report nothing."""
