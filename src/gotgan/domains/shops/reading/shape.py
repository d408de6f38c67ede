"""The shape of a page: how much prose stands on it, how many cards, and which words."""

from __future__ import annotations

import re
from collections import Counter
from dataclasses import dataclass
from typing import Final

from selectolax.lexbor import LexborNode

from gotgan.domains.shops.reading.elements import Elements
from gotgan.domains.shops.reading.sight import Sight, is_linked

__all__ = ["Shape"]

_MONTHS: Final = (
    r"(?:jan|feb|mar|apr|may|jun|jul|aug|sep|oct|nov|dec|mär|mai|okt|dez|fév|avr|jui|aoû|déc)"
)
_DATE: Final = re.compile(
    rf"\d{{1,4}}(?:\.? {_MONTHS}|[-./]\s?\d{{1,2}}[-./]\s?\d{{1,4}}(?!\d)"
    r"| (?:hour|day|week|month|year|minute)s? ago|(?:시간|분|일) 전)"
    rf"|{_MONTHS}[a-zéû]*\.? \d|vor \d+ (?:tag|stund|minut)|il y a \d",
    re.IGNORECASE,
)
_DIGIT: Final = re.compile(r"\d")
_LONG: Final = 100
"""A text of so many characters is prose."""
_SHORT: Final = 50
_TITLE: Final = range(25, 151)
"""How long the titles in a list are."""
_STORY: Final = 1_500
"""So much prose side by side is told in one go."""
_LINK_DEPTH: Final = 3
"""How deep in a link its title may stand."""
_NO_PROSE: Final = frozenset({"a", "li", "button"})


@dataclass(frozen=True)
class Shape:
    """Counts of what a page is made of."""

    prose: int
    """How many characters of prose there are."""
    is_one_story: bool
    """Whether much of it stands in one place."""
    linked_headings: int
    linked_titles: int
    """How many texts that look alike lead to other pages."""
    link_share: float
    dates: int
    choosing: int
    detail: int
    byline: int
    talk: int

    @classmethod
    def of(cls, sight: Sight, elements: Elements) -> Shape:
        """Count on a page."""
        prose = _prose(sight)
        return cls(
            prose=prose.total(),
            is_one_story=max(prose.values(), default=0) >= _STORY,
            linked_headings=sum(map(is_linked, elements.subheadings)),
            linked_titles=_linked_titles(sight),
            link_share=len(elements.anchors) / max(1, len(sight.texts)),
            dates=sum(1 for text in sight.texts if _is_date(text)),
            choosing=len(sight.said["choose"]),
            detail=len(sight.said["detail"]),
            byline=len(sight.said["byline"]),
            talk=len(sight.said["talk"]),
        )


def _is_date(text: str) -> bool:
    is_long = len(text) >= _SHORT
    return not is_long and bool(_DIGIT.search(text)) and bool(_DATE.search(text))


def _prose(sight: Sight) -> Counter[int]:
    """How much prose stands in each place."""
    found: Counter[int] = Counter()
    for text, node in zip(sight.texts, sight.nodes, strict=True):
        if len(text) > _LONG and node.tag not in _NO_PROSE and node.parent is not None:
            found[node.parent.mem_id] += len(text)
    return found


def _linked_titles(sight: Sight) -> int:
    looks = Counter(
        f"{node.tag}.{node.attributes.get('class')}"
        for text, node in zip(sight.texts, sight.nodes, strict=True)
        if len(text) in _TITLE and _is_in_link(node)
    )
    return max(looks.values(), default=0)


def _is_in_link(node: LexborNode | None) -> bool:
    for _ in range(_LINK_DEPTH):
        if node is None:
            return False
        if node.tag == "a":
            return True
        node = node.parent
    return False
