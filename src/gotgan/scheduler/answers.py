"""What is written down when a gate, or the way to its job, is broken."""

from __future__ import annotations

from gotgan.domain import SimpleDecision
from gotgan.errors import GotganError
from gotgan.events import emit

__all__ = ["failed"]


def failed(error: Exception) -> SimpleDecision:
    """The gate, or the way to its job, is broken."""
    if isinstance(error, GotganError):
        return SimpleDecision("failed", error.code, error.message)
    emit("schedule.fault", level="error", reason=repr(error))
    return SimpleDecision(
        "failed", GotganError.code, "something went wrong here; the log says what"
    )
