"""What came of catching up; light, for those who only show it."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import ClassVar, Literal

from gotgan.domains.market.reports import CollectReport, IndicatorReport

__all__ = ["CaughtUp"]


@dataclass
class CaughtUp:
    """What was done about the last sessions."""

    shown: ClassVar = ("outcome", "words", "days", "final", "indicators", "stopped")

    days: list[CollectReport] = field(default_factory=list)
    final: list[CollectReport] = field(default_factory=list)
    """Days whose final figures were fetched."""
    indicators: list[IndicatorReport] = field(default_factory=list)
    stopped: str | None = None
    """Why it ended early."""

    @property
    def outcome(self) -> Literal["success", "failed"]:
        """Whether all that could be done was."""
        return "failed" if self._failed else "success"

    @property
    def words(self) -> str:
        """What came of it, and what failed."""
        done = {
            "collected": _count(self.days),
            "made final": _count(self.final),
            "indicators calculated": _count(self.indicators),
            "failed": len(self._failed),
        }
        told = ", ".join(f"{word}: {count}" for word, count in done.items() if count)
        reasons = [f"{each.day}: {each.words}" for each in self._failed[:1]]
        stopped = [f"it ended early: {self.stopped}"] if self.stopped else []
        words = [*filter(None, [told]), *(stopped or reasons)]
        return "; ".join(words or ["nothing was missing"])

    @property
    def _failed(self) -> list[CollectReport | IndicatorReport]:
        collected = [each for each in (*self.days, *self.final) if _has_failed(each)]
        return [*collected, *(each for each in self.indicators if each.outcome == "failed")]


def _count(reports: list[CollectReport] | list[IndicatorReport]) -> int:
    return sum(each.outcome == "success" for each in reports if not _has_failed(each))


def _has_failed(report: CollectReport | IndicatorReport) -> bool:
    """A day that was there stays a success when its last numbers are not to be had."""
    sides = report.sides if isinstance(report, CollectReport) else ()
    return report.outcome in {"failed", "partial"} or any(side.error for side in sides)
