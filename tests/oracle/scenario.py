"""What is asked: steps, and scenarios that bring their own tables and leave nothing behind."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from typing import Any

__all__ = ["ANY_ORDER", "EXACT_ORDER", "WRITES", "Scenario", "Step", "each", "together"]

EXACT_ORDER = ""
ANY_ORDER = "*"
WRITES = frozenset(
    {
        "BatchExecuteStatement",
        "BatchWriteItem",
        "CreateTable",
        "DeleteItem",
        "DeleteTable",
        "ExecuteTransaction",
        "PutItem",
        "TransactWriteItems",
        "UpdateItem",
        "UpdateTable",
        "UpdateTimeToLive",
    }
)


@dataclass(frozen=True)
class Step:
    """One request, and how its answer is read.

    ``order`` says which order of items counts: the exact one, any, or that of one attribute
    (ties are free in an index). ``follow`` reads on to the last page, in ``segments`` if given.
    """

    operation: str
    payload: Any
    note: str = ""
    order: str = EXACT_ORDER
    follow: bool = False
    segments: int = 0

    @property
    def writes(self) -> bool:
        """Whether the step may change what later steps see."""
        if self.operation == "ExecuteStatement":
            return not self.payload["Statement"].lower().startswith("select")
        return self.operation in WRITES


@dataclass(frozen=True)
class Scenario:
    """Steps on tables of their own: the ``setup`` is sent, the ``steps`` are compared.

    In a ``chain`` every step builds on those before it, so a peer leaves it at its first
    difference that is not explained.
    """

    name: str
    setup: tuple[Step, ...]
    steps: tuple[Step, ...]
    chain: bool = False


def each(group: str, setup: Iterable[Step], steps: Iterable[Step]) -> Iterator[Scenario]:
    """One scenario for each step, so that no step sees what another did."""
    prepared = tuple(setup)
    for step in steps:
        yield Scenario(f"{group}: {step.note}", prepared, (step,))


def together(group: str, setup: Iterable[Step], steps: Iterable[Step]) -> Iterator[Scenario]:
    """One scenario of steps that build on each other, or that only read."""
    yield Scenario(group, tuple(setup), tuple(steps))
