"""Two changes of one record: which fields they touch, and how these differ, line by line."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace
from difflib import unified_diff
from itertools import islice
from typing import Final, Literal

from gotgan.console.site.filled import Filled, marked

__all__ = ["Clash", "Line", "clashes", "lines", "merged"]

By = Literal["both", "mine", "theirs"]

_MOST_LINES: Final = 4_000
"""Of longer texts the whole is shown: to compare them takes too long."""
_AROUND: Final = 3


@dataclass(frozen=True)
class Line:
    """A line of a difference; a gap leaves out what is the same."""

    kind: Literal["old", "new", "same", "gap"]
    text: str = ""


@dataclass(frozen=True)
class Clash:
    """A field that is not the same in both, and who changed it."""

    name: str
    by: By
    lines: tuple[Line, ...]


def clashes(
    mine: Filled, theirs: Filled, words: Mapping[str, Mapping[str, str]] | None = None
) -> list[Clash]:
    """The fields that differ: from theirs to mine, or what only they did.

    ``words`` says how the values of a field are called.
    """
    found = []
    for name in _differing(mine, theirs):
        by, known = _by(mine, theirs, name), (words or {}).get(name, {})
        old, new = theirs.text(name), mine.text(name)
        if by == "theirs":  # mine is as it was before: show what they did to it
            old, new = new, old
        found.append(Clash(name, by, tuple(lines(known.get(old, old), known.get(new, new)))))
    return found


def merged(mine: Filled, theirs: Filled) -> Filled:
    """Mine over theirs, begun anew from theirs; what only they touched stays as they have it."""
    kept = {
        name: theirs.text(name) if _by(mine, theirs, name) == "theirs" else mine.text(name)
        for name in mine.texts
    }
    return replace(mine, texts=kept, version=theirs.version, marks=theirs.marks)


def lines(old: str, new: str) -> Iterator[Line]:
    """How one text becomes the other."""
    before, after = old.splitlines(), new.splitlines()
    if len(before) + len(after) > _MOST_LINES:
        yield from (Line("old", text) for text in before)
        yield from (Line("new", text) for text in after)
        return
    told = islice(unified_diff(before, after, n=_AROUND, lineterm=""), 2, None)
    yield from islice(map(_line, told), 1, None)


def _line(told: str) -> Line:
    if told.startswith("@@"):
        return Line("gap")
    kind: Literal["old", "new", "same"] = (
        "old" if told[0] == "-" else "new" if told[0] == "+" else "same"
    )
    return Line(kind, told[1:])


def _differing(mine: Filled, theirs: Filled) -> list[str]:
    return [name for name, text in mine.texts.items() if text != theirs.text(name)]


def _by(mine: Filled, theirs: Filled, name: str) -> By:
    """Who changed a field since the form was begun; without a mark nobody can tell."""
    mark = mine.marks.get(name)
    if mark == marked(mine.text(name)):
        return "theirs"
    return "mine" if mark == marked(theirs.text(name)) else "both"
