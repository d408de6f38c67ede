"""Whether an item can hold contents, however deep they are: looked at without going deep."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import Any, Final

__all__ = ["DEEPEST", "misfit"]

DEEPEST: Final = 31
"""DynamoDB takes 32 levels, and the item itself is one."""
_EXACT: Final = 2**53
_SMALLEST: Final = 1e-130


def misfit(value: Any) -> tuple[str, str] | None:
    """What no item can hold of a value, by a word and a sentence; None where all of it fits."""
    for depth, part in _parts(value):
        if depth > DEEPEST:
            return "contents_too_deep", "nest contents less deeply"
        if isinstance(part, int | float) and not _is_exact(part):
            return "contents_number", "use whole numbers of less than 2^53, and fractions"
        if isinstance(part, dict) and "" in part:
            return "contents_name", "give every member of contents a name"
    return None


def _is_exact(number: float) -> bool:
    """Whether a number comes back as it went: JSON has no larger whole ones that are exact."""
    return number == 0 or _SMALLEST <= abs(number) < _EXACT


def _parts(value: Any) -> Iterator[tuple[int, Any]]:
    """Every part of a value with its level, down to the first that is too deep."""
    waiting = [(0, value)]
    while waiting:
        depth, part = waiting.pop()
        yield depth, part
        waiting += [(depth + 1, inner) for inner in _within(part)]


def _within(part: Any) -> Iterable[Any]:
    if isinstance(part, dict):
        return part.values()
    return part if isinstance(part, list) else ()
