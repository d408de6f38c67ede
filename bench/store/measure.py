"""How time is taken: short slices, everybody in turn, round after round, the best one counts.

The best, because whatever else the machine does can only make a slice slower.
"""

from __future__ import annotations

import gc
import time
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any

from bench.store.contestants import Contestant
from bench.store.workload import Task

__all__ = ["Pace", "best_rates", "rate"]


@dataclass(frozen=True)
class Pace:
    """How long and how often is measured, and when at the latest the rounds end."""

    rounds: int
    slice_seconds: float
    deadline: float

    @property
    def over(self) -> bool:
        """Whether the time is up."""
        return time.monotonic() > self.deadline


def best_rates(
    contestants: Mapping[str, Contestant],
    tasks: Mapping[str, Task],
    pace: Pace,
) -> dict[str, dict[str, float]]:
    """Everybody's best rate in every task; who starts changes from round to round."""
    best: dict[str, dict[str, float]] = {name: {} for name in contestants}
    order = list(contestants)
    _forget_what_is_open()
    for _ in range(pace.rounds):
        for task in tasks.values():
            for name in order:
                if task.name in contestants[name].tasks:
                    measured = _slice(contestants[name], task, pace.slice_seconds)
                    best[name][task.name] = max(measured, best[name].get(task.name, 0.0))
            order.append(order.pop(0))
        if pace.over:
            break
    return best


def _forget_what_is_open() -> None:
    """Take what exists by now out of the garbage collector's sight: nobody is to pay for it."""
    gc.collect()
    gc.freeze()


def _slice(contestant: Contestant, task: Task, seconds: float) -> float:
    return rate(lambda: contestant.calls(task), task.counted, seconds)


def rate(
    prepared: Callable[[], list[Callable[[], Any]]],
    counted: Callable[[Any], int],
    seconds: float,
) -> float:
    """Things done a second; only the calls are timed, not their preparation or the counting."""
    done = 0
    spent = 0.0
    while spent < seconds:
        calls = prepared()
        started = time.perf_counter()
        answers = [call() for call in calls]
        spent += time.perf_counter() - started
        done += sum(map(counted, answers))
    return done / spent
