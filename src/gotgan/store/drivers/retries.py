"""Retries calls where that can help and cannot do harm.

A failure is of one of three kinds. Some would fail again: they are raised at once. Some were surely
not carried out (throttled, a conflict, connection refused): they are repeated, with pauses. Of some
the answer was lost (a timeout, a broken connection, a failing server): a call that can be repeated
is, and whatever it is answered then says ``maybe_done``; any other raises ``OutcomeUnknown``.
"""

from __future__ import annotations

import random
import time
from collections.abc import Callable
from typing import Any, Final

from gotgan.clock import Clock, SystemClock
from gotgan.errors import OutcomeUnknown, StoreError, StoreFileError
from gotgan.events import emit
from gotgan.retry import Again, Budget, Decision, NoRetry, Policy
from gotgan.store import messages
from gotgan.store.drivers import Driver, InProcess
from gotgan.store.engine.faults import TransactionCanceledException

_POLICY: Final = Policy()
_TRANSIENT_CODES: Final = frozenset(
    {"None", "ProvisionedThroughputExceeded", "ThrottlingError", "TransactionConflict"}
)


class RetryingDriver:
    """A driver that repeats the calls of another."""

    def __init__(
        self,
        driver: Driver,
        policy: Policy = _POLICY,
        budget: Budget | None = None,
        *,
        sleep: Callable[[float], None] = time.sleep,
        random: Callable[[], float] = random.random,
        clock: Clock | None = None,
    ) -> None:
        self.name = driver.name
        self.parallel = driver.parallel
        self.in_process = driver if isinstance(driver, InProcess) else None
        self.policy = policy
        self.budget = budget or Budget()
        self.sleep = sleep
        self.random = random
        self.clock = clock or SystemClock()
        self._driver = driver

    def call(
        self, operation: str, request: dict[str, Any], *, repeatable: bool = True
    ) -> dict[str, Any]:
        """Carry out one operation, such as ``PutItem``; ``repeatable`` means that twice is as once.

        A fault with ``maybe_done`` may be the call's own doing: a conditional put whose answer was
        lost fails its condition when it is repeated.
        """
        attempts = RetryAttempts(self, operation)
        lost = False
        while True:
            try:
                answer = self._driver.call(operation, request)
            except StoreError as error:
                if error.maybe_done and not repeatable:
                    raise OutcomeUnknown(
                        messages.OUTCOME_UNKNOWN(operation=operation, cause=error.message)
                    ) from error
                lost = error.maybe_done = lost or error.maybe_done
                if not attempts.after(error):
                    raise
            else:
                attempts.succeeded()
                return answer

    def attempts(self, operation: str) -> RetryAttempts:
        """The attempts at one piece of work; batches count with them what is still to do."""
        return RetryAttempts(self, operation)

    def close(self) -> None:
        """Let go of files and connections."""
        self._driver.close()


class RetryAttempts:
    """The attempts at one piece of work: how many there were, and whether there is another."""

    def __init__(self, retrying: RetryingDriver, operation: str) -> None:
        self._retrying = retrying
        self._operation = operation
        self._attempt = 1
        self._began = retrying.clock.monotonic()

    def after(self, error: StoreError) -> bool:
        """Wait for the next attempt; False where there should be none."""
        return is_transient(error) and self._go_on(self._decide(), error.code, error.message)

    def unfinished(self, left: int, *, progressed: bool) -> bool:
        """Wait before asking for the rest of a batch; after progress the attempts start afresh."""
        if progressed:
            self._attempt = 1
            self._began = self._retrying.clock.monotonic()
        return self._go_on(self._decide(free=progressed), "unprocessed", f"{left} are left over")

    def succeeded(self) -> None:
        """Let the budget know."""
        self._retrying.budget.earn(retried=self._attempt > 1)

    def _decide(self, *, free: bool = False) -> Decision:
        elapsed = self._retrying.clock.monotonic() - self._began
        chance = self._retrying.random()
        policy, budget = self._retrying.policy, self._retrying.budget
        decision = policy.decide(self._attempt, worth=True, elapsed=elapsed, chance=chance)
        if isinstance(decision, Again) and not free and not budget.spend():
            return NoRetry("too much else fails")
        return decision

    def _go_on(self, decision: Decision, code: str, reason: str) -> bool:
        about: dict[str, Any] = {"operation": self._operation, "attempt": self._attempt}
        about |= {"code": code, "reason": reason}
        if isinstance(decision, NoRetry):
            emit("store.gave_up", level="warning", **about, because=decision.reason)
            return False
        emit("store.retried", **about, after=round(decision.after, 3))
        self._attempt += 1
        self._retrying.sleep(decision.after)
        return True


def is_transient(error: StoreError) -> bool:
    """Whether the failure can pass soon; for a locked or full file the engine has waited."""
    if isinstance(error, TransactionCanceledException):
        codes = {reason.get("Code") for reason in error.members.get("CancellationReasons", ())}
        return bool(codes) and codes <= _TRANSIENT_CODES
    return error.retry and not isinstance(error, StoreFileError)
