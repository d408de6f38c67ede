"""A page as a tree of elements, unless it is too deep to be read."""

from __future__ import annotations

import re
from collections import Counter
from typing import Final

from selectolax.lexbor import LexborHTMLParser

from gotgan.errors import UnknownShape

__all__ = ["tree_of"]

_TAG: Final = re.compile(r"<(/?)([a-zA-Z][^\s/>]*)")
_NEVER_DEEP: Final = frozenset(
    {"area", "base", "br", "col", "embed", "hr", "img", "input", "link", "meta", "source", "wbr"}
    | {"dd", "dt", "li", "option", "p", "td", "th", "tr"}
)
"""Elements that have no content, or that the next one of their kind closes."""
_DEEPEST: Final = 10_000
"""The parser's time grows with the square of the depth: 100,000 levels take half a minute."""


def tree_of(page: str) -> LexborHTMLParser:
    """The elements of a page; raises UnknownShape where they are nested beyond all measure."""
    if page.count("<") > _DEEPEST and _is_bottomless(page):
        raise UnknownShape(
            f"the page has more than {_DEEPEST:,} elements inside one another, as no article has; "
            "look at it in a browser"
        )
    return LexborHTMLParser(page)


def _is_bottomless(page: str) -> bool:
    opened: Counter[str] = Counter()
    depth = 0
    for closing, name in _TAG.findall(page):
        tag = name.lower()
        step = _step(opened[tag], is_closing=bool(closing)) if tag not in _NEVER_DEEP else 0
        opened[tag] += step
        depth += step
        if depth > _DEEPEST:
            return True
    return False


def _step(opened: int, *, is_closing: bool) -> int:
    """How much deeper a tag leads; one that closes nothing leads nowhere."""
    if is_closing:
        return -1 if opened else 0
    return 1
