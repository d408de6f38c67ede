"""Several document paths at once: whether they get in each other's way, and their common tree."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from typing import TypeAlias

from gotgan.store.engine.expressions.reader import ExpressionReader
from gotgan.store.engine.expressions.tree import Path

__all__ = ["Branch", "branches", "check_paths"]

_Tail: TypeAlias = tuple[Sequence[str | int], int]  # the rest of a path, and its number


@dataclass(frozen=True, slots=True)
class Branch:
    """Where several paths go on from here; a leaf is the number of the path that ends in it."""

    names: dict[str, Branch | int]
    indexes: dict[int, Branch | int]


def branches(paths: Iterable[Path]) -> Branch:
    """Join paths that do not overlap into one tree."""
    return _branch([(path.steps, number) for number, path in enumerate(paths)])


def check_paths(reader: ExpressionReader, paths: Sequence[tuple[Path, list[str]]]) -> None:
    """Refuse paths that overlap or conflict, and the faults noted with each.

    AWS walks the list from its end, so of several faults it names the last.
    """
    seen: list[Path] = []
    for path, faults in reversed(paths):
        reader.refuse_first(faults)
        reader.refuse_first(_clashes(path, seen))
        seen.append(path)


def _branch(tails: list[_Tail]) -> Branch:
    grouped: dict[str | int, list[_Tail]] = {}
    for (step, *rest), number in tails:
        grouped.setdefault(step, []).append((rest, number))
    return Branch(
        names={step: _below(group) for step, group in grouped.items() if isinstance(step, str)},
        indexes={step: _below(group) for step, group in grouped.items() if isinstance(step, int)},
    )


def _below(tails: list[_Tail]) -> Branch | int:
    steps, number = tails[0]
    return _branch(tails) if steps else number


def _clashes(path: Path, others: Iterable[Path]) -> Iterator[str]:
    for other in others:
        if verb := _clash(path, other):
            yield (
                f"Two document paths {verb} with each other; must remove or rewrite one of these"
                f" paths; path one: {path}, path two: {other}"
            )


def _clash(one: Path, two: Path) -> str | None:
    for mine, theirs in zip(one.steps, two.steps, strict=False):
        if type(mine) is not type(theirs):
            return "conflict"
        if mine != theirs:
            return None
    return "overlap"
