"""Who did how much a second, held against the goals: as tables and as JSON."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import asdict, dataclass
from typing import Any

from bench.store.goals import Goal, Rates, outcomes

__all__ = ["Board", "number", "table"]


@dataclass(frozen=True)
class Board:
    """What some contestants reached in some tasks, all in turn, and what they had to reach."""

    contestants: Mapping[str, str]
    """Their labels, by their names."""
    tasks: Mapping[str, str]
    """The same of the tasks."""
    rates: Rates
    goals: tuple[Goal, ...]
    title: str = "A second"

    def as_text(self) -> str:
        """A table of rates and one of ratios."""
        return f"{self._shown_rates()}\n\n{self._shown_ratios()}"

    def ratios(self) -> list[dict[str, Any]]:
        """Every goal with what was reached, for programs."""
        return [
            {**asdict(outcome.goal), "ratio": outcome.ratio, "verdict": outcome.verdict}
            for outcome in outcomes(self.rates, self.goals)
        ]

    def _shown_rates(self) -> str:
        rows = [
            [self.contestants.get(name, name), *(number(rates.get(task)) for task in self.tasks)]
            for name, rates in self.rates.items()
        ]
        return f"{self.title}:\n\n" + table(["", *self.tasks.values()], rows)

    def _shown_ratios(self) -> str:
        rows = [
            [
                f"{self.tasks.get(outcome.goal.task, outcome.goal.task)}: {outcome.goal.label}",
                "–" if outcome.ratio is None else f"{outcome.ratio:.2f} ×",
                f"{outcome.goal.aim:g} ×",
                f"{outcome.goal.floor:g} ×",
                outcome.verdict,
            ]
            for outcome in outcomes(self.rates, self.goals)
        ]
        return "Ratios within this run:\n\n" + table(["", "ratio", "aim", "floor", ""], rows)


def number(rate: float | None) -> str:
    """A rate as people read it; a dash where there is none."""
    return "–" if rate is None else f"{rate:,.0f}"


def table(head: Sequence[str], rows: Iterable[Sequence[str]]) -> str:
    """A Markdown table: the first column to the left, numbers to the right, all of equal width."""
    lines = [list(head), *map(list, rows)]
    widths = [max(map(len, column)) for column in zip(*lines, strict=True)]
    rule = ["-" * widths[0], *("-" * (width - 1) + ":" for width in widths[1:])]
    return "\n".join(_line(line, widths) for line in [lines[0], rule, *lines[1:]])


def _line(cells: Sequence[str], widths: Sequence[int]) -> str:
    first = cells[0].ljust(widths[0])
    others = [cell.rjust(width) for cell, width in zip(cells[1:], widths[1:], strict=True)]
    return f"| {' | '.join([first, *others])} |"
