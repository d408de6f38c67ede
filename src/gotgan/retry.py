"""Whether to try again, and when: decisions as values, without waiting.

A ``Policy`` decides about one call, a ``Budget`` about all calls of a program together: when most
of them fail, trying again makes it worse. An ``Outage`` is for loops that never give up.
"""

from __future__ import annotations

import threading
import time
from collections.abc import Callable
from dataclasses import dataclass
from typing import TYPE_CHECKING, Final, TypeAlias

from gotgan.events import emit

if TYPE_CHECKING:
    from gotgan.settings import LogLevel


_SECONDS_BETWEEN_LINES: Final = 60.0


@dataclass(frozen=True, slots=True)
class Again:
    """Try again, after so many seconds."""

    after: float


@dataclass(frozen=True, slots=True)
class NoRetry:
    """Give up, for this reason."""

    reason: str


Decision: TypeAlias = Again | NoRetry


@dataclass(frozen=True, slots=True)
class Policy:
    """How often one call is repeated, and after which pauses.

    The longest pause grows by ``factor`` with every attempt, up to ``cap``; the pause itself is
    anything between nothing and that (full jitter), so that callers who failed together do not
    return together.
    """

    attempts: int = 8
    """How many times at most, the first one included."""
    base: float = 0.05
    """The longest pause after the first attempt, in seconds."""
    cap: float = 5.0
    """The longest pause of all, in seconds."""
    factor: float = 2.0
    """How many times as long the longest pause is after the next attempt."""
    deadline: float = 60.0
    """How many seconds after the first attempt began another may still begin."""

    def __post_init__(self) -> None:
        if self.attempts < 1:
            raise ValueError("a policy allows at least one attempt")
        if not 0 <= self.base <= self.cap:
            raise ValueError(
                "the pauses of a policy grow from base to cap, and neither is negative"
            )
        if self.factor < 1:
            raise ValueError("the factor of a policy is at least 1: its pauses never shrink")

    def decide(self, attempt: int, *, worth: bool, elapsed: float, chance: float) -> Decision:
        """What to do after this attempt, the first being 1, has failed.

        ``worth`` says whether this kind of failure can be temporary, ``elapsed`` how many seconds
        ago the first attempt started, and ``chance`` is a random number from 0 to below 1.
        """
        if not worth:
            return NoRetry("it would fail again")
        if attempt >= self.attempts:
            return NoRetry(f"{self.attempts} attempts are enough")
        pause = chance * self.longest(attempt)
        if elapsed + pause > self.deadline:
            return NoRetry(f"{self.deadline:g} seconds are enough")
        return Again(pause)

    def longest(self, attempt: int) -> float:
        """The longest pause after this attempt."""
        steps = min(max(attempt, 1) - 1, 64)  # beyond that a float would overflow, and cap has won
        return min(self.cap, self.base * self.factor**steps)


class Budget:
    """What a program can spend on retries: a retry costs, a success brings some back.

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


class Outage:
    """A loop whose rounds fail for a while: longer pauses, and at most one log line a minute.

    The first failure is logged at once as ``<name>.failed``; later lines say in ``repeated`` how
    many failed since the line before. The first round that succeeds after such a line is logged as
    ``<name>.recovered``. The threads of one loop share one outage.
    """

    def __init__(
        self,
        name: str,
        *,
        level: LogLevel = "error",
        shortest: float = 1.0,
        longest: float = 30.0,
        monotonic: Callable[[], float] = time.monotonic,
    ) -> None:
        self._name = name
        self._level = level
        self._shortest = shortest
        self._longest = longest
        self._monotonic = monotonic
        self._lock = threading.Lock()
        self._since: float | None = None
        self._logged_at: float | None = None
        self._repeated = 0
        self._is_logged = False

    def failed(self, reason: str) -> float:
        """Count a failed round; returns how many seconds to wait before the next one.

        A pause is as long as the outage has lasted, so pauses double, whatever the threads.
        """
        with self._lock:
            now = self._monotonic()
            self._since = now if self._since is None else self._since
            repeated = self._count(now)
            pause = min(self._longest, max(self._shortest, now - self._since))
        if repeated is not None:
            more = {"repeated": repeated} if repeated else {}
            emit(f"{self._name}.failed", level=self._level, reason=reason, **more)
        return pause

    def succeeded(self) -> None:
        """End the outage, if there is one."""
        with self._lock:
            if self._since is None:
                return
            since, self._since = self._since, None
            is_logged, self._is_logged = self._is_logged, False
        if is_logged:
            seconds = round(self._monotonic() - since, 1)
            emit(f"{self._name}.recovered", level="warning", seconds=seconds)

    def _count(self, now: float) -> int | None:
        """How many failures a log line covers besides its own; None if it is too soon for one."""
        if self._logged_at is not None and now - self._logged_at < _SECONDS_BETWEEN_LINES:
            self._repeated += 1
            return None
        repeated, self._repeated = self._repeated, 0
        self._logged_at, self._is_logged = now, True
        return repeated
