"""Whether the elements of a document are nested beyond all measure."""

from __future__ import annotations

import re
from collections import Counter
from typing import Final

__all__ = ["DEEPEST", "is_bottomless"]

DEEPEST: Final = 1_000
"""Pages have a few dozen levels. A parser may have to look through all of them for every tag."""
_TAG: Final = re.compile(r"<(/?)([a-zA-Z][^\s/>]*)")
_NEVER_DEEP: Final = frozenset(
    {"area", "base", "br", "col", "embed", "hr", "img", "input", "link", "meta", "source", "wbr"}
    | {"circle", "ellipse", "line", "path", "polygon", "polyline", "rect", "stop", "track", "use"}
    | {"dd", "dt", "li", "option", "p", "td", "th", "tr"}
)
"""Elements that have no content, or that the next one of their kind closes."""


def is_bottomless(page: str) -> bool:
    """Whether a page has more elements inside one another than can be parsed in time."""
    opened: Counter[str] = Counter()
    depth = 0
    for closing, name in _TAG.findall(page):
        tag = name.lower()
        step = _step(opened[tag], is_closing=bool(closing)) if tag not in _NEVER_DEEP else 0
        opened[tag] += step
        depth += step
        if depth > DEEPEST:
            return True
    return False


def _step(opened: int, *, is_closing: bool) -> int:
    """How much deeper a tag leads; one that closes nothing leads nowhere."""
    if is_closing:
        return -1 if opened else 0
    return 1
