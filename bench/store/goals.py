"""What the engine's speed has to be, as ratios within one run, and whether it is."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass

__all__ = ["GOALS", "Goal", "Outcome", "Rates", "outcomes", "verdict"]

Rates = Mapping[str, Mapping[str, float]]


@dataclass(frozen=True)
class Goal:
    """Ours must be so many times theirs: the aim, and the floor below which it is a fault."""

    label: str
    task: str
    ours: str
    theirs: str
    aim: float
    floor: float


@dataclass(frozen=True)
class Outcome:
    """A goal and the ratio that was reached; None where one side was not measured."""

    goal: Goal
    ratio: float | None

    @property
    def verdict(self) -> str:
        """The ratio in a word."""
        return verdict(self.ratio, self.goal.aim, self.goal.floor)


def verdict(ratio: float | None, aim: float, floor: float) -> str:
    """Say met, floor (the aim is missed, the floor is kept), missed or not measured."""
    if ratio is None:
        return "not measured"
    if ratio >= aim:
        return "met"
    return "floor" if ratio >= floor else "missed"


def outcomes(rates: Rates, goals: Iterable[Goal]) -> list[Outcome]:
    """Hold what was measured against every goal."""
    return [Outcome(goal, _ratio(rates, goal)) for goal in goals]


def _ratio(rates: Rates, goal: Goal) -> float | None:
    ours = rates.get(goal.ours, {}).get(goal.task)
    theirs = rates.get(goal.theirs, {}).get(goal.task)
    return ours / theirs if ours and theirs else None


_QUERIES = ("table_100", "table_mb", "index_100", "index_mb")
_ALL = ("put", "get", "batch", *_QUERIES)
_DYNOXIDE = "in process against dynoxide"

GOALS: tuple[Goal, ...] = (
    Goal(f"FULL {_DYNOXIDE}", "put", "full", "dynoxide", 5, 4),
    Goal(f"NORMAL {_DYNOXIDE}", "put", "normal", "dynoxide", 15, 8),
    Goal(f"FULL {_DYNOXIDE}", "get", "full", "dynoxide", 50, 35),
    *(Goal(f"FULL {_DYNOXIDE}", task, "full", "dynoxide", 12, 8) for task in _QUERIES),
    Goal("FULL in process against raw sqlite3", "batch", "full", "raw_full", 0.5, 0.5),
    Goal("NORMAL in process against raw sqlite3", "batch", "normal", "raw_normal", 0.5, 0.5),
    *(Goal("over HTTP against dynalite", task, "http", "dynalite", 1, 1) for task in _ALL),
)
