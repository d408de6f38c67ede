"""The amounts that a page shows to its visitors, and where each stands."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass, replace
from itertools import islice
from typing import Final

from selectolax.lexbor import LexborNode

from gotgan.domains.shops.reading.cards import is_in_card
from gotgan.domains.shops.reading.prices import SIGNS, Money, money_in, monies_in
from gotgan.domains.shops.reading.sight import Sight, TextContext, around

__all__ = ["VisibleAmount", "shown_prices"]

_DIGIT: Final = re.compile(r"\d")
_DIGITS: Final = re.compile(r"\d+")
_CENTS: Final = re.compile(r"[.,]?\d\d")
_SIGN: Final = re.compile(
    rf"[{SIGNS}]|(?<![^\W\d_])(?:[A-Z]{{3}}|kr|zł|kč|lei|ft|fr|rs|грн|R|\u0440|đ)\b"
)
_SIGNS: Final = frozenset(SIGNS)
_CODE: Final = re.compile(r"\d\W{0,3}[^\W\d_]{1,5}\b|\b[^\W\d_]{1,5}\W{0,3}\d")
_NUMBER: Final = re.compile(r"[^\w]{0,3}\d[\d.,'\u2019\s–-]{0,14}[^\w]{0,2}")
_PART: Final = 20
"""How long the parts of a price are."""
_JOINT: Final = "\x1f"
_LONGEST: Final = 60
"""How long a text may be that tells a price, and not a story."""
_TOO_LONG: Final = 1_000
"""So much markup is no price, however it is indented."""
_MOST: Final = 400
_CLIMB: Final = 4
"""How many elements a price may be spread over, one inside the other."""

_AROUND: Final = 5
"""How many elements make up the looks of a price."""
_LABEL: Final = 30
_PIECES: Final = 3
"""How long a label is, and how many pieces of a price may stand between it and the number."""
_COLONS: Final = (":", "\uff1a")
_KIN: Final = 3
"""How far up a label and its price have something in common."""


@dataclass(frozen=True)
class VisibleAmount:
    """An amount that a page shows, and where."""

    money: Money
    text: str
    index: int
    place: TextContext
    looks: str
    """How its element is marked up: those of a list look alike."""
    before: str = ""
    after: str = ""
    """The labels right before and after it."""


def shown_prices(sight: Sight, home: str | None) -> list[VisibleAmount]:
    """The amounts with a currency that a page shows, each once."""
    return list(islice(_Search(sight, home).found(), _MOST))


class _Search:
    """Looks for amounts in the texts of a page, and in the elements around parts of them."""

    def __init__(self, sight: Sight, home: str | None) -> None:
        self._sight = sight
        self._home = home
        self._done: set[int] = set()
        """The elements that were looked at."""

    def found(self) -> Iterator[VisibleAmount]:
        for index, text in enumerate(self._sight.texts):
            if len(text) <= _LONGEST and _DIGIT.search(text):
                shown = self._in_text(index, text) or self._around(index, text)
                if shown is not None:
                    yield shown

    def _in_text(self, index: int, text: str) -> VisibleAmount | None:
        money = money_in(text, self._home) if _may_be_money(text) else None
        if money is None or self._has_cents_after(index, text):
            return None
        return self._shown(money, text, index, self._sight.nodes[index])

    def _has_cents_after(self, index: int, text: str) -> bool:
        """Whether the next text is the rest of the number."""
        after = self._sight.texts[index + 1 : index + 2]
        return bool(after and _CENTS.fullmatch(after[0]) and text[-1].isdigit())

    def _around(self, index: int, text: str) -> VisibleAmount | None:
        """The amount that a text is a part of: signs and cents often have elements of their own."""
        if not _NUMBER.fullmatch(text) or not self._has_sign_near(index):
            return None
        node: LexborNode | None = self._sight.nodes[index]
        for _ in range(_CLIMB):
            if node is None or node.mem_id in self._done:
                return None
            self._done.add(node.mem_id)
            whole = _joined(node.text(separator=_JOINT))
            if len(whole) > _LONGEST:
                return None
            monies = list(monies_in(whole, self._home)) if whole != text else []
            if monies:
                is_one = len(monies) == 1
                return self._shown(monies[0], whole, index, node) if is_one else None
            node = node.parent
        return None

    def _has_sign_near(self, index: int) -> bool:
        near = self._sight.texts[max(0, index - 2) : index + 4]
        return any(_SIGN.search(each[-_PART:]) for each in near)

    def _shown(self, money: Money, text: str, index: int, node: LexborNode) -> VisibleAmount:
        place, looks = self._sight.place(node), _looks(node)
        if is_in_card(self._sight, index):
            place = replace(place, is_carded=True)
        before, after = self._before(index, text, node), self._after(index, text, node)
        return VisibleAmount(money, text, index, place, looks, before, after)

    def _before(self, index: int, text: str, node: LexborNode) -> str:
        """The label that stands before an amount, unless it stands after another."""
        at = self._label(range(index - 1, max(-1, index - 1 - _PIECES), -1), text, node)
        if at is None:
            return ""
        label = self._sight.texts[at]
        return label if label.endswith(_COLONS) or not self._is_of_other(at, node) else ""

    def _is_of_other(self, label: int, node: LexborNode) -> bool:
        """Whether a label is no further from the amount before it than from an element."""
        if label == 0 or not _DIGIT.search(self._sight.texts[label - 1]):
            return False
        other, own = self._sight.nodes[label - 1], self._sight.nodes[label]
        return _way_between(own, other) <= _way_between(own, node)

    def _after(self, index: int, text: str, node: LexborNode) -> str:
        """The label that stands after an amount, unless it leads to another."""
        most = min(len(self._sight.texts), index + 1 + _PIECES)
        at = self._label(range(index + 1, most), text, node)
        label = self._sight.texts[at] if at is not None else ""
        return label if not label.endswith(_COLONS) else ""

    def _label(self, near: range, text: str, node: LexborNode) -> int | None:
        """Which of some texts is the first that is no piece of the price, if it is a label."""
        at = next((each for each in near if self._sight.texts[each] not in text), None)
        if at is None:
            return None
        label = self._sight.texts[at]
        is_label = len(label) <= _LABEL and not _DIGIT.search(label)
        return at if is_label and _way_between(self._sight.nodes[at], node) < _KIN else None


def _may_be_money(text: str) -> bool:
    """Whether it is worth while to look closer."""
    return not _SIGNS.isdisjoint(text) or bool(_CODE.search(text))


def _way_between(node: LexborNode, other: LexborNode) -> int:
    """How far up one element is that stands around another one too."""
    others = {each.mem_id for each in islice(around(other), _KIN)}
    above = enumerate(islice(around(node), _KIN))
    return next((up for up, each in above if each.mem_id in others), _KIN)


def _joined(text: str) -> str:
    """The pieces of a text side by side; two digits by themselves after others are cents."""
    if len(text) > _TOO_LONG:
        return text
    whole = ""
    for piece in filter(None, (each.strip() for each in text.split(_JOINT))):
        if whole and whole[-1].isdigit() and _CENTS.fullmatch(piece):
            whole += f".{piece[-2:]}"
        elif whole and (whole[-1] in ".," or piece[0] in ".,"):
            whole += piece
        else:
            whole += f" {piece}" if whole else piece
    return whole


def _looks(node: LexborNode | None) -> str:
    """How an element and those around it are marked up, without what numbers tell apart."""
    found: list[str] = []
    while node is not None and len(found) < _AROUND:
        found.append(f"{node.tag}.{node.attributes.get('class') or ''}")
        node = node.parent
    return _DIGITS.sub("", " ".join(found))
