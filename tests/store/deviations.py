"""In what the peers are not as AWS is, so far as the store's contract notices.

A test asks ``where.lacks(feature)`` and asserts what must hold all the same.
"""

from __future__ import annotations

from dataclasses import dataclass
from enum import Enum

__all__ = ["DEVIATIONS", "Deviation", "Feature", "Where"]


class Feature(Enum):
    """Something that DynamoDB has and a peer may do without."""

    ATOMICITY = "changes of one item that never overwrite each other"
    CAPACITY = "the capacity that AWS would bill"
    EMPTY_UPDATE = "UpdateItem with a condition and nothing to change"
    OLD_ITEM = "the item as it is, with a refused condition"
    SCALE = "a thousand items in the time of a test"
    TRANSACTIONS = "TransactWriteItems"


@dataclass(frozen=True)
class Deviation:
    """What one peer does otherwise, and what that comes to."""

    peer: str
    feature: Feature
    reason: str


DEVIATIONS: tuple[Deviation, ...] = (
    Deviation(
        "moto",
        Feature.ATOMICITY,
        "answers on several threads without a lock: of two updates at once one may be lost",
    ),
    Deviation("moto", Feature.SCALE, "takes 3 ms for a conditional put"),
    Deviation("dynalite", Feature.SCALE, "takes 1 ms for a conditional put"),
    Deviation("dynoxide", Feature.SCALE, "takes 1 ms for a conditional put"),
    Deviation(
        "moto",
        Feature.CAPACITY,
        "bills a batch write as one unit, an update as half of one, and no read as consistent",
    ),
    Deviation("moto", Feature.EMPTY_UPDATE, "fails with HTTP 500"),
    Deviation(
        "dynalite",
        Feature.OLD_ITEM,
        "does not know ReturnValuesOnConditionCheckFailure: the store reads the item itself, at "
        "the price of a consistent read",
    ),
    Deviation(
        "dynalite",
        Feature.TRANSACTIONS,
        "does not know the operation: the store raises the fault and writes nothing",
    ),
)


@dataclass(frozen=True)
class Where:
    """The database under test, and what is known of it."""

    name: str

    def lacks(self, feature: Feature) -> bool:
        """Whether it is known to do without."""
        return any(one.peer == self.name and one.feature is feature for one in DEVIATIONS)

    @property
    def many(self) -> int:
        """How many items are many here; on the peers a sample, because they are slow."""
        return 150 if self.lacks(Feature.SCALE) else 1000
