"""Whether to try again, and when: decisions as values, without a clock and without waiting.

A ``Policy`` decides about one call, a ``Budget`` about all calls of a program together: when most
of them fail, trying again makes it worse.
"""

from __future__ import annotations

import threading
from dataclasses import dataclass
from typing import TypeAlias

__all__ = ["Again", "Budget", "Decision", "GiveUp", "Policy"]


@dataclass(frozen=True, slots=True)
class Again:
    """Try again, after so many seconds."""

    after: float


@dataclass(frozen=True, slots=True)
class GiveUp:
    """Let the failure be one, for this reason."""

    reason: str


Decision: TypeAlias = Again | GiveUp


@dataclass(frozen=True, slots=True)
class Policy:
    """How often and how patiently one call is repeated.

    The longest pause doubles with every attempt up to ``cap``; the pause itself is anything between
    nothing and that (full jitter), so that callers who failed together do not return together.
    """

    attempts: int = 8
    """How many times at most, the first one included."""
    base: float = 0.05
    """The longest pause after the first attempt, in seconds."""
    cap: float = 5.0
    """The longest pause of all, in seconds."""
    deadline: float = 60.0
    """How many seconds after the first attempt began another may still begin."""

    def __post_init__(self) -> None:
        if self.attempts < 1:
            raise ValueError("a policy allows at least one attempt")
        if not 0 <= self.base <= self.cap:
            raise ValueError(
                "the pauses of a policy grow from base to cap, and neither is negative"
            )

    def decide(self, attempt: int, *, worth: bool, elapsed: float, chance: float) -> Decision:
        """What to do after this attempt, the first being 1, has failed.

        ``worth`` says whether this kind of failure can pass by itself, ``elapsed`` how many seconds
        ago the first attempt began, and ``chance`` is a random number from 0 to below 1.
        """
        if not worth:
            return GiveUp("it would fail again")
        if attempt >= self.attempts:
            return GiveUp(f"{self.attempts} attempts are enough")
        pause = chance * self.longest(attempt)
        if elapsed + pause > self.deadline:
            return GiveUp(f"{self.deadline:g} seconds are enough")
        return Again(pause)

    def longest(self, attempt: int) -> float:
        """The longest pause after this attempt."""
        doublings = min(attempt - 1, 64)  # beyond that a float would overflow, and cap has won
        return min(self.cap, self.base * 2.0**doublings)


class Budget:
    """What a program can spend on trying again: a retry costs, a success brings some back.

    A few failures among many successes are always retried. When everything fails, the budget is
    soon empty, and the program sends each call once instead of as often as the policy allows.
    """

    def __init__(self, capacity: int = 500, *, cost: int = 5, income: int = 1) -> None:
        if not 0 < income <= cost <= capacity:
            raise ValueError("a budget needs 0 < income <= cost <= capacity")
        self.capacity = capacity
        self._cost = cost
        self._income = income
        self._left = capacity
        self._lock = threading.Lock()

    @property
    def left(self) -> int:
        """What has not been spent."""
        return self._left

    def spend(self) -> bool:
        """Pay for one retry; False where the budget does not allow it."""
        with self._lock:
            if self._left < self._cost:
                return False
            self._left -= self._cost
            return True

    def earn(self, *, retried: bool = False) -> None:
        """Take the income of a success; one that a retry brought pays for that retry."""
        with self._lock:
            income = self._cost if retried else self._income
            self._left = min(self.capacity, self._left + income)
