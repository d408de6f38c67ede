"""The argued list of known differences.

Each entry says why DynamoDB is on our side. "Measured" means: a test of ScyllaDB's Alternator, or
its authors, state it, and they run those tests against DynamoDB itself. Where only another peer
speaks for us, the entry says so: that is the weakest reason, and the first to be doubted.
"""

from __future__ import annotations

from tests.oracle.explained import Explanation
from tests.oracle.known import everybody, faults, legacy, partiql, single

__all__ = ["KNOWN"]

KNOWN: tuple[Explanation, ...] = (
    *everybody.ENTRIES,
    *faults.ENTRIES,
    *legacy.ENTRIES,
    *single.ENTRIES,
    *partiql.ENTRIES,
)
