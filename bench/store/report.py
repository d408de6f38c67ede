"""The results as tables, which read the same in a terminal and in the documentation."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import asdict, dataclass, field
from typing import Any

from bench.store.goals import outcomes, verdict
from bench.store.growth import Growth

__all__ = ["BEGIN", "END", "Results", "as_json", "as_text", "inserted", "table"]

BEGIN, END = "<!-- numbers: begin -->", "<!-- numbers: end -->"
_GROWTH_AIM, _GROWTH_FLOOR = 1 / 1.25, 1 / 2


@dataclass
class Results:
    """Everything that one run has found out."""

    machine: str
    pace: str
    contestants: dict[str, str]
    tasks: dict[str, str]
    rates: dict[str, dict[str, float]] = field(default_factory=dict)
    skipped: dict[str, str] = field(default_factory=dict)
    startup: dict[str, float] = field(default_factory=dict)
    writers: dict[int, float] = field(default_factory=dict)
    growth: Growth | None = None


def as_json(results: Results) -> dict[str, Any]:
    """The results with their ratios, for programs."""
    ratios = [
        {**asdict(outcome.goal), "ratio": outcome.ratio, "verdict": outcome.verdict}
        for outcome in outcomes(results.rates)
    ]
    return {**asdict(results), "ratios": ratios if results.rates else []}


def as_text(results: Results) -> str:
    """The results as tables, each under its sentence; parts that were not run are left out."""
    parts = [f"{results.machine}\n{results.pace}"]
    if results.rates:
        parts += [_rates(results), _ratios(results)]
    if results.growth is not None:
        parts.append(_growth(results.growth))
    if results.writers:
        parts.append(_writers(results.writers))
    if results.startup:
        parts.append(_startup(results))
    parts += [f"{_label(results, name)}: left out, {why}" for name, why in results.skipped.items()]
    return "\n\n".join(parts)


def inserted(document: str, text: str) -> str:
    """The document with this text between its markers, instead of what was there."""
    before, begin, rest = document.partition(BEGIN)
    _, end, after = rest.partition(END)
    if not (begin and end):
        raise ValueError(f"the document has no {BEGIN} followed by {END}")
    return f"{before}{BEGIN}\n\n{text}\n\n{END}{after}"


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


def _rates(results: Results) -> str:
    rows = [
        [_label(results, name), *(_number(rates.get(task)) for task in results.tasks)]
        for name, rates in results.rates.items()
    ]
    return "A second:\n\n" + table(["", *results.tasks.values()], rows)


def _ratios(results: Results) -> str:
    rows = [
        [
            f"{results.tasks.get(outcome.goal.task, outcome.goal.task)}: {outcome.goal.label}",
            "–" if outcome.ratio is None else f"{outcome.ratio:.2f} ×",
            f"{outcome.goal.aim:g} ×",
            f"{outcome.goal.floor:g} ×",
            outcome.verdict,
        ]
        for outcome in outcomes(results.rates)
    ]
    return "Ratios within this run:\n\n" + table(["", "ratio", "aim", "floor", ""], rows)


def _growth(growth: Growth) -> str:
    judged = verdict(1 / growth.cost, _GROWTH_AIM, _GROWTH_FLOOR)
    rows = [
        [f"{growth.small_items:,} items", _number(growth.small), "1.00 ×", ""],
        [
            f"{growth.large_items:,} items, the same {growth.small_items:,} keys",
            _number(growth.large),
            f"{growth.cost:.2f} ×",
            judged,
        ],
        [
            f"{growth.large_items:,} items, keys from everywhere",
            _number(growth.large_everywhere),
            f"{growth.cost_everywhere:.2f} ×",
            "",
        ],
    ]
    sentence = (
        "A get in a small table and in a large one, which took"
        f" {growth.build_seconds:.0f} s to build (at most 1.25 × is met, 2 × is the floor):"
    )
    return f"{sentence}\n\n" + table(["", "gets a second", "cost", ""], rows)


def _writers(writers: dict[int, float]) -> str:
    rows = [
        [f"{threads} thread{'s' if threads > 1 else ''}", _number(rate)]
        for threads, rate in writers.items()
    ]
    sentence = "Threads that share one client in process, FULL:"
    return f"{sentence}\n\n" + table(["", "put if absent a second"], rows)


def _startup(results: Results) -> str:
    rows = [
        [_label(results, name), f"{seconds * 1000:.0f} ms"]
        for name, seconds in results.startup.items()
    ]
    return "From the start of the process to the first answer:\n\n" + table(["", "ready"], rows)


def _label(results: Results, name: str) -> str:
    return results.contestants.get(name, name)


def _number(rate: float | None) -> str:
    return "–" if rate is None else f"{rate:,.0f}"
