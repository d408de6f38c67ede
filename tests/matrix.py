"""Which cases ``make test`` runs, and which are left to ``make test-matrix``.

The same tests run on several fronts and databases. In ``make test`` all of them run in process, on
SQLite and in Seoul's time zone. On the others, which are in ``SAMPLED``, it runs the first case of
each test function or of each file. ``make test-matrix`` runs all other cases. Without the option
``--matrix`` everything runs.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Final, Literal

import pytest

__all__ = ["Case", "add_option", "sample", "select"]

SAMPLED: Final[dict[tuple[str, str], Literal["function", "file", "nothing"]]] = {
    ("driver", "attached"): "function",
    ("driver", "http"): "function",
    ("where", "http"): "function",
    ("place", "http"): "file",
    ("scene", "http"): "file",
    ("scene", "UTC"): "file",
    ("database_settings", "postgres"): "file",
    ("empty_settings", "postgres"): "file",
    **{
        (fixture, peer): "nothing"  # so that it need not be started
        for fixture in ("where", "server")
        for peer in ("moto", "dynalite", "dynoxide")
    },
}
"""Of what one case is taken where a fixture has this value."""


@dataclass(frozen=True)
class Case:
    """A collected test: where it is defined, on which fronts of ``SAMPLED``, with which values."""

    id: str
    file: str
    line: int
    fronts: tuple[tuple[str, str], ...] = ()
    indices: tuple[int, ...] = ()

    @property
    def is_left_out(self) -> bool:
        """Whether it needs a server of which nothing is taken."""
        return any(SAMPLED[front] == "nothing" for front in self.fronts)

    @property
    def group(self) -> tuple[object, ...]:
        """What one case is taken of: a file or a function, on the same fronts."""
        of_file = any(SAMPLED[front] == "file" for front in self.fronts)
        return self.file, None if of_file else self.line, self.fronts

    @property
    def order(self) -> tuple[object, ...]:
        """Its place in the file, in whichever order tests run."""
        return self.line, self.indices, self.id


def sample(cases: Iterable[Case]) -> set[str]:
    """The ids of the cases that ``make test`` runs."""
    chosen: set[str] = set()
    first: dict[tuple[object, ...], Case] = {}
    for case in cases:
        if not case.fronts:
            chosen.add(case.id)
        elif not case.is_left_out:
            first[case.group] = min(case, first.get(case.group, case), key=lambda one: one.order)
    return chosen | {case.id for case in first.values()}


def add_option(parser: pytest.Parser) -> None:
    """Add ``--matrix``."""
    parser.addoption(
        "--matrix",
        choices=["sample", "rest"],
        help="run a sample of the cases on other fronts and databases, or only the rest",
    )


def select(config: pytest.Config, items: list[pytest.Item]) -> None:
    """Deselect what belongs to the other half."""
    half = config.getoption("matrix")
    if half is None:
        return
    chosen = sample([_case(item) for item in items])
    left_out = [item for item in items if (item.nodeid in chosen) is (half == "rest")]
    items[:] = [item for item in items if (item.nodeid in chosen) is (half == "sample")]
    config.hook.pytest_deselected(items=left_out)


def _case(item: pytest.Item) -> Case:
    where = (item.nodeid, str(item.path), item.location[1] or 0)
    if not (called := getattr(item, "callspec", None)):
        return Case(*where)
    named = [(name, value) for name, value in called.params.items() if isinstance(value, str)]
    fronts = tuple(sorted(front for front in named if front in SAMPLED))
    return Case(*where, fronts, tuple(called.indices.values()))
