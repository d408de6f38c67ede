"""What a gate answers: whether a job runs now, and why in words."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final, Protocol

from gotgan.errors import GotganError
from gotgan.events import emit

__all__ = ["GO", "GateDecision", "SimpleDecision", "failed", "skipped"]


class GateDecision(Protocol):
    """What every gate answers with; only the status ``run`` lets the job run."""

    @property
    def status(self) -> str:
        """``run``, or what is written down instead."""

    @property
    def reason(self) -> str:
        """The one word for it."""

    @property
    def words(self) -> str:
        """The same as a sentence."""


@dataclass(frozen=True)
class SimpleDecision:
    """The answer of a gate that has no more to say than this."""

    status: str
    reason: str
    words: str


GO: Final = SimpleDecision("run", "due", "its time has come")


def skipped(reason: str, words: str) -> SimpleDecision:
    """Not now."""
    return SimpleDecision("skipped", reason, words)


def failed(error: Exception) -> SimpleDecision:
    """The gate, or the way to its job, is broken."""
    if isinstance(error, GotganError):
        return SimpleDecision("failed", error.code, error.message)
    emit("schedule.fault", level="error", reason=repr(error))
    return SimpleDecision(
        "failed", GotganError.code, "something went wrong here; the log says what"
    )
