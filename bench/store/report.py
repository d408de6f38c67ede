"""The results as tables, which read the same in a terminal and in the documentation."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import asdict, dataclass, field, replace
from typing import Any

from bench.store.boards import Board, number, table
from bench.store.goals import GOALS, verdict
from bench.store.growth import Growth
from bench.store.typed.contest import Typed
from bench.store.typed.report import typed_as_json, typed_as_text

__all__ = ["Results", "as_json", "as_text", "inserted", "sections"]

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
    typed: Typed | None = None

    @property
    def board(self) -> Board:
        """The rates of the engine and its peers, with their goals."""
        return Board(self.contestants, self.tasks, self.rates, GOALS)


def as_json(results: Results) -> dict[str, Any]:
    """The results with their ratios, for programs."""
    return {
        **asdict(replace(results, typed=None)),
        "ratios": results.board.ratios() if results.rates else [],
        "typed": None if results.typed is None else typed_as_json(results.typed),
    }


def as_text(results: Results) -> str:
    """The results as tables, each under its sentence; parts that were not run are left out."""
    return "\n\n".join([_head(results), *_parts(results).values()])


def sections(results: Results) -> dict[str, str]:
    """The same cut in two, for a document: the engine, and the typed store."""
    return {name: f"{_head(results)}\n\n{text}" for name, text in _parts(results).items()}


def inserted(document: str, texts: Mapping[str, str]) -> str:
    """The document with each text between the markers of its name, instead of what was there."""
    for name, text in texts.items():
        opening, closing = f"<!-- {name}: begin -->", f"<!-- {name}: end -->"
        before, begin, rest = document.partition(opening)
        _, end, after = rest.partition(closing)
        if not (begin and end):
            raise ValueError(f"the document has no {opening} followed by {closing}")
        document = f"{before}{opening}\n\n{text}\n\n{closing}{after}"
    return document


def _head(results: Results) -> str:
    return f"{results.machine}\n{results.pace}"


def _parts(results: Results) -> dict[str, str]:
    typed = "" if results.typed is None else typed_as_text(results.typed)
    found = {"engine": _engine(results), "typed": typed}
    return {name: text for name, text in found.items() if text}


def _engine(results: Results) -> str:
    parts = [results.board.as_text()] if results.rates else []
    if results.growth is not None:
        parts.append(_growth(results.growth))
    if results.writers:
        parts.append(_writers(results.writers))
    if results.startup:
        parts.append(_startup(results))
    parts += [f"{_label(results, name)}: left out, {why}" for name, why in results.skipped.items()]
    return "\n\n".join(parts)


def _growth(growth: Growth) -> str:
    judged = verdict(1 / growth.cost, _GROWTH_AIM, _GROWTH_FLOOR)
    rows = [
        [f"{growth.small_items:,} items", number(growth.small), "1.00 ×", ""],
        [
            f"{growth.large_items:,} items, the same {growth.small_items:,} keys",
            number(growth.large),
            f"{growth.cost:.2f} ×",
            judged,
        ],
        [
            f"{growth.large_items:,} items, keys from everywhere",
            number(growth.large_everywhere),
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
        [f"{threads} thread{'s' if threads > 1 else ''}", number(rate)]
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
