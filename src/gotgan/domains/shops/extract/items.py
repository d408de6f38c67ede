"""The items that a page repeats: linked titles that look alike, and what stands around each."""

from __future__ import annotations

import re
from bisect import bisect_left
from collections import Counter, defaultdict
from collections.abc import Iterable
from dataclasses import dataclass
from itertools import pairwise
from typing import Final

from selectolax.lexbor import LexborNode

from gotgan.domains.shops.extract.visible_text import VisibleText

_TITLE_CHARS: Final = range(8, 151)
_NAVIGATION_CHARS: Final = 10
"""So many characters of a linked text do not speak for a title: menus have short ones."""
_MIN_ITEMS: Final = 4
_MAX_GROUPS: Final = 6
_MAX_ITEM_TEXTS: Final = 25
_DIGITS: Final = re.compile(r"\d+")
_MAX_STRETCH: Final = 2
"""How much longer than most an item may be, as with an old price or a badge."""
PROSE_CHARS: Final = 100
DATE_CHARS: Final = 50
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


@dataclass(frozen=True)
class RepeatedItems:
    """The items of a page; without any, everything is empty."""

    starts: tuple[int, ...] = ()
    """The index of each title."""
    hrefs: tuple[str, ...] = ()
    length: int = 1
    """How many texts an item has at most."""
    chars: int = 0
    """The characters of all of them."""

    @property
    def count(self) -> int:
        """How many items there are."""
        return len(self.starts)

    def share(self, indexes: Iterable[int]) -> float:
        """The share of the items in which one of some texts is."""
        ordered = sorted(indexes)
        if not self.starts or not ordered:
            return 0.0
        found = 0
        for start, end in self._ranges():
            at = bisect_left(ordered, start)
            found += at < len(ordered) and ordered[at] < end
        return found / len(self.starts)

    def texts(self, heading: int | None) -> frozenset[int]:
        """The indexes of all texts in the items; none reaches the heading of the page."""
        found: set[int] = set()
        for start, after in pairwise((*self.starts, self._end) if self.starts else ()):
            end = min(after, start + _MAX_STRETCH * self.length)
            if heading is not None and start <= heading:
                end = min(end, heading)
            found.update(range(start, end))
        return frozenset(found)

    @property
    def _end(self) -> int:
        return self.starts[-1] + self.length

    def _ranges(self) -> Iterable[tuple[int, int]]:
        for start, after in pairwise((*self.starts, self._end)):
            yield start, min(after, start + self.length)


NO_ITEMS: Final = RepeatedItems()


def repeated_items(sight: VisibleText) -> RepeatedItems:
    """The largest group of linked titles that look alike, apart from menus."""
    groups: dict[str, dict[str, int]] = defaultdict(dict)
    sizes: Counter[str] = Counter()
    for index, href in sight.hrefs.items():
        text = sight.texts[index]
        if href and len(text) in _TITLE_CHARS:
            looks = _looks(sight.nodes[index])
            if href not in groups[looks]:
                groups[looks][href] = index
                sizes[looks] += max(0, len(text) - _NAVIGATION_CHARS)
    for looks, _ in sizes.most_common(_MAX_GROUPS):
        found = groups[looks]
        first = next(iter(found.values()))
        if len(found) >= _MIN_ITEMS and not sight.place(sight.nodes[first]).is_away:
            return _items(sight, found)
    return NO_ITEMS


def _items(sight: VisibleText, found: dict[str, int]) -> RepeatedItems:
    starts = tuple(found.values())
    gaps = sorted(after - start for start, after in pairwise(starts))
    length = max(1, min(_MAX_ITEM_TEXTS, gaps[len(gaps) // 2] if gaps else 1))
    chars = sum(len(text) for start in starts for text in sight.texts[start : start + length])
    return RepeatedItems(starts, tuple(found), length, chars)


def _looks(node: LexborNode) -> str:
    above = node.parent
    own, around = node.attributes.get("class"), above.attributes.get("class") if above else None
    names = f"{node.tag}.{own} {above.tag if above else ''}.{around}"
    return _DIGITS.sub("", names)


def dated_texts(sight: VisibleText) -> list[int]:
    """The short texts with a date."""
    return [
        index
        for index, text in enumerate(sight.texts)
        if len(text) < DATE_CHARS and _DIGIT.search(text) and _DATE.search(text)
    ]
