"""The amounts that a page shows, and which of them is the price: each is scored by its context."""

from __future__ import annotations

import re
from collections import Counter
from dataclasses import dataclass, replace
from decimal import Decimal
from itertools import islice, pairwise
from typing import Final

from selectolax.lexbor import LexborNode

from gotgan.domains.shops.currency import Home
from gotgan.domains.shops.extract.phrases import FOR_SEVERAL, NET, NO_CHARGE, NOT_PAID, PER_UNIT
from gotgan.domains.shops.extract.prices import SIGNS, Money, declared_amount, iter_money
from gotgan.domains.shops.extract.visible_text import (
    TextContext,
    VisibleText,
    ancestors,
    is_in_card,
)

_NEAR_TEXTS: Final = 8
_BESIDE_TEXTS: Final = 4
"""How many texts may be between an old price and the new one."""
_MIN_DISCOUNT_SHARE: Final = Decimal("0.3")
"""The share of the old price that the new one has at least."""
_CLOSE_SCORE: Final = 2.0
"""How much lower the score of a lower amount may be to win."""
_HEADING_REACH: Final = 100
"""After this many texts the heading has no influence."""
_BEFORE_FACTOR: Final = 5
"""A price before the heading counts as this many times as far away."""
_BUTTON_REACH: Final = 60
_BUTTON_BESIDE: Final = 4
_MAX_OWN_BUTTONS: Final = 2
"""Add to cart, and buy now: more buttons belong to several products."""
_PAGE_REACH: Final = 300
_MAX_CHARS_BESIDE: Final = 12
_MAX_FEW_ALIKE: Final = 2
_MAX_SOME_ALIKE: Final = 5
"""More amounts than these that look alike are some of a kind, or a whole list."""

_PRICED: Final = 3.0
_STRUCK: Final = -8.0
_OLD: Final = -4.0
_OLD_ALONE: Final = -1.0
_UNSEEN: Final = -2.0
_AWAY: Final = -8.0
_OTHER: Final = -3.0
_LINKED: Final = -3.0
_CARDED: Final = -12.0
_NOT_PAID: Final = -4.0
_PER_UNIT: Final = -4.0
_NET: Final = -2.5
_WORDY: Final = -2.0
_AT_HEADING: Final = 4.0
_LONG_BEFORE: Final = -3.0
_NEAR_BUTTON: Final = 2.0
_BESIDE_BUTTON: Final = 1.5
_REPEATED: Final = 0.5
_ONE_OF_SOME: Final = -2.5
_ONE_OF_MANY: Final = -3.0
"""Scores; an amount without a positive score is not the price."""


def visible_price(
    shown: list[VisibleAmount], heading: int | None, buttons: list[int]
) -> VisibleAmount | None:
    """The price of the page's product; of two beside each other the lower one."""
    if not shown:
        return None
    alike = Counter(looks for looks, _ in {(each.looks, each.money.amount) for each in shown})
    amounts = Counter(each.money.amount for each in shown)
    places = ((each.index, each.place) for each in shown)
    current = [
        index
        for index, place in places
        if not (place.is_struck or place.old or place.other or place.is_away)
    ]
    scores = [
        _place_score(each)
        + _age_score(each, current)
        + _distance_score(each, heading, buttons)
        + _count_score(alike[each.looks], amounts[each.money.amount])
        for each in shown
    ]
    most = max(scores)
    if most <= 0:
        return None
    best = shown[scores.index(most)]
    beside = (
        each
        for each, score in zip(shown, scores, strict=True)
        if score > most - _CLOSE_SCORE
        and abs(each.index - best.index) <= _BESIDE_TEXTS
        and each.money.currency == best.money.currency
        and each.money.amount > best.money.amount * _MIN_DISCOUNT_SHARE
    )
    return min(beside, key=lambda each: each.money.amount)


def struck_partner(price: VisibleAmount, shown: list[VisibleAmount]) -> VisibleAmount | None:
    """The old, higher price that is struck through beside the price."""
    return next(
        (
            each
            for each in shown
            if (each.place.is_struck or each.place.old)
            and 0 < abs(each.index - price.index) <= _BESIDE_TEXTS
            and each.money.currency == price.money.currency
            and each.money.amount > price.money.amount
        ),
        None,
    )


def _place_score(each: VisibleAmount) -> float:
    place = each.place
    beside = len(each.text) - (each.money.end - each.money.begin)
    label = "" if NO_CHARGE.search(each.before) else each.before
    return 1.0 + sum(
        (
            _PRICED * bool(place.priced),
            _STRUCK * place.is_struck,
            _UNSEEN * (not place.is_seen),
            _AWAY * place.is_away,
            _OTHER * bool(place.other),
            _LINKED * place.is_linked,
            _CARDED * place.is_carded,
            _NOT_PAID * bool(NOT_PAID.search(each.text) or _is_unpaid(label)),
            _NOT_PAID * bool(FOR_SEVERAL.match(each.text)),
            _PER_UNIT * is_per_unit(each),
            _NET * is_net_amount(each),
            _WORDY * (beside > _MAX_CHARS_BESIDE),
        )
    )


_LABEL_WORDS: Final = re.compile(r"\W*(?:you|your|the|est\.?|estimated|sie|ihre?|vous|votre)\W")


def _is_unpaid(label: str) -> bool:
    """Whether a label begins with a word for an amount that is not the price."""
    lead = _LABEL_WORDS.match(label.lower())
    return NOT_PAID.match(label, lead.end() if lead else 0) is not None


def is_per_unit(each: VisibleAmount) -> bool:
    """Whether an amount is the price of a measure, as of 100 g."""
    rest = each.text[each.money.end :] or f" {each.after}"
    return PER_UNIT.match(rest) is not None


def carded(each: VisibleAmount) -> VisibleAmount:
    """The same amount as one in a card."""
    return replace(each, place=replace(each.place, is_carded=True))


def is_net_amount(each: VisibleAmount) -> bool:
    """Whether an amount is called one without tax."""
    return any(map(NET.search, (each.text, each.before, each.after)))


def _age_score(each: VisibleAmount, current: list[int]) -> float:
    """A price that is named old is the price if there is no newer one."""
    if not each.place.old:
        return 0.0
    has_newer = any(abs(each.index - index) <= _NEAR_TEXTS for index in current)
    return _OLD if has_newer else _OLD_ALONE


def _distance_score(each: VisibleAmount, heading: int | None, buttons: list[int]) -> float:
    """A price is near a button, and below the heading or right above it."""
    nearest = min((abs(each.index - button) for button in buttons), default=_BUTTON_REACH)
    beside = _NEAR_BUTTON * max(0.0, 1 - nearest / _BUTTON_REACH)
    if nearest <= _BUTTON_BESIDE and len(buttons) <= _MAX_OWN_BUTTONS:
        beside += _BESIDE_BUTTON
    if heading is None:
        return beside + max(0.0, 1 - each.index / _PAGE_REACH)
    distance = each.index - heading
    if distance >= 0:
        return beside + _AT_HEADING * max(0.0, 1 - distance / _HEADING_REACH)
    before = _AT_HEADING * (1 + _BEFORE_FACTOR * distance / _HEADING_REACH)
    return beside + max(_LONG_BEFORE, before)


def _count_score(alike: int, same: int) -> float:
    """A repeated amount is meant; one that looks like many is one of a list."""
    of_list = _ONE_OF_SOME if alike > _MAX_FEW_ALIKE else 0.0
    of_list = _ONE_OF_MANY if alike > _MAX_SOME_ALIKE else of_list
    return of_list + min(2 * _REPEATED, _REPEATED * (same - 1))


_DIGIT: Final = re.compile(r"\d")
_DIGITS: Final = re.compile(r"\d+")
_WITH_CENTS: Final = re.compile(r"[.,]\d\d$")
_CENTS: Final = re.compile(r"[.,]?\d\d")
_SIGN: Final = re.compile(
    rf"[{SIGNS}]|(?<![^\W\d_])(?:[A-Z]{{3}}|(?i:kr|zł|kč|lei|ft|fr|rs|rm|rp|грн|\u0440|đ)|R)\b"
)
_SIGNS: Final = frozenset(SIGNS)
_CODE: Final = re.compile(r"\d\W{0,3}[^\W\d_]{1,5}\b|\b[^\W\d_]{1,5}\W{0,3}\d|\d[.,:]\s?[-–—]")
"""A word beside a number, or a dash for its decimals."""
_NUMBER: Final = re.compile(r"[^\w]{0,3}\d[\d.,'\u2019\s–-]{0,14}[^\w]{0,2}")
_BARE: Final = re.compile(r"\d{1,3}(?:[.,'\u2019\s]\d{3})*[.,]\d\d|\d{1,3}(?:[.,'\u2019\s]\d{3})+")
"""A number that looks like an amount, in an element that is named a price."""
_PART_CHARS: Final = 20
_JOINT: Final = "\x1f"
_MAX_PRICE_CHARS: Final = 60
"""Longer texts are not prices."""
_MAX_MARKUP_CHARS: Final = 1_000
_MAX_AMOUNTS: Final = 400
_MAX_CLIMB: Final = 4
_MAX_MONIES: Final = 4
_LOOKS_DEPTH: Final = 5
_MAX_LABEL_CHARS: Final = 30
_MAX_PIECES: Final = 3
"""Pieces of a price that may be between its label and the number."""
_LABEL_TAGS: Final = frozenset({"dt", "th"})
"""Elements with the label of what follows, as close as what comes before may be."""
_TIER: Final = re.compile(
    r"\W*(?:(?:from|ab|dès|à partir de|desde|da) )?\d+ ?(?:\+|[-–—] ?\d+)?"
    r" ?(?:pcs?\.?|pieces?|units?|stk\.?|stück|pièces?|개)?(?: (?:or more|and up))?\W*",
    re.IGNORECASE,
)
"""A quantity before an amount in its row, which is then the price for so many."""
_MIN_TIER_CHARS: Final = 2
_COLONS: Final = (":", "\uff1a")
_MAX_LABEL_DISTANCE: Final = 3
"""How far up a label and its price have a common element."""


@dataclass(frozen=True)
class VisibleAmount:
    """An amount that a page shows, and where."""

    money: Money
    text: str
    index: int
    place: TextContext
    looks: str
    """The markup of its element: amounts of a list look alike."""
    before: str = ""
    after: str = ""
    """The labels before and after it."""


def visible_amounts(sight: VisibleText, home: Home) -> list[VisibleAmount]:
    """The amounts with a currency that a page shows, each once."""
    finder = _AmountFinder(sight, home)
    found = (
        finder.in_text(index, text) or finder.around(index, text)
        for index, text in enumerate(sight.texts)
        if len(text) <= _MAX_PRICE_CHARS and _DIGIT.search(text)
    )
    return _with_known_currency(list(islice(filter(None, found), _MAX_AMOUNTS)))


def _with_known_currency(shown: list[VisibleAmount]) -> list[VisibleAmount]:
    """The amounts; bare ones have the currency of all others, or none if they have decimals."""
    known = {each.money.currency for each in shown if each.money.currency}
    currency = next(iter(known)) if len(known) == 1 else None
    return [
        replace(each, money=replace(each.money, currency=currency)) if is_bare else each
        for each in shown
        for is_bare in [each.money.currency is None and _BARE.fullmatch(each.text) is not None]
        if currency or not is_bare or _WITH_CENTS.search(each.text)
    ]


class _AmountFinder:
    """Finds amounts in texts, and in elements around parts of them."""

    def __init__(self, sight: VisibleText, home: Home) -> None:
        self._sight = sight
        self._home = home
        self._done: set[int] = set()

    def in_text(self, index: int, text: str) -> VisibleAmount | None:
        may_be_money = not _SIGNS.isdisjoint(text) or _CODE.search(text)
        found = _paid_money(text, self._home) if may_be_money else None
        after = self._sight.texts[index + 1 : index + 2]
        has_cents_after = after and _CENTS.fullmatch(after[0]) and text[-1].isdigit()
        if found is None or has_cents_after:
            return None
        return self._visible_amount(*found, index, self._sight.nodes[index])

    def around(self, index: int, text: str) -> VisibleAmount | None:
        """The amount that a text is part of: signs and cents often have their own elements."""
        if not _NUMBER.fullmatch(text) or text.endswith("+"):
            return None
        near = self._sight.texts[max(0, index - 2) : index + 4]
        if not any(_SIGN.search(each[-_PART_CHARS:]) for each in near):
            return self._bare(index, text)
        return self._joined(index, text) or self._bare(index, text)

    def _joined(self, index: int, text: str) -> VisibleAmount | None:
        """The only amount in the smallest element with one, if the text is a piece of it."""
        for node in islice(ancestors(self._sight.nodes[index]), _MAX_CLIMB):
            if node.mem_id in self._done:
                return None
            self._done.add(node.mem_id)
            whole = _join_pieces(node.text(separator=_JOINT))
            if len(whole) > _MAX_PRICE_CHARS:
                return None
            monies = list(iter_money(whole, self._home)) if whole != text else []
            if monies:
                written = "".join(filter(str.isdigit, whole[monies[0].begin : monies[0].end]))
                is_piece = "".join(filter(str.isdigit, text)) in written
                if not is_piece:
                    self._done.discard(node.mem_id)  # it is the amount of a text that follows
                is_one = len(monies) == 1 and is_piece
                return self._visible_amount(monies[0], whole, index, node) if is_one else None
        return None

    def _bare(self, index: int, text: str) -> VisibleAmount | None:
        """A number without a mark in an element that is named a price."""
        node = self._sight.nodes[index]
        place = self._sight.place(node)
        is_price = place.is_price and not (place.old or place.other)
        if not is_price or not _BARE.fullmatch(text):
            return None
        currency = self._home.currency
        amount = declared_amount(text, currency)
        money = Money(amount, currency, 0, len(text)) if amount is not None else None
        return self._visible_amount(money, text, index, node) if money is not None else None

    def _visible_amount(
        self, money: Money, text: str, index: int, node: LexborNode
    ) -> VisibleAmount:
        place, around = self._sight.place(node), islice(ancestors(node), _LOOKS_DEPTH)
        tags = (f"{each.tag}.{each.attributes.get('class') or ''}" for each in around)
        looks = _DIGITS.sub("", " ".join(tags))
        if is_in_card(self._sight, index):
            place = replace(place, is_carded=True)
        if self._is_tier(index, node):
            place = replace(place, other=1)
        before, after = self._before(index, text, node), self._after(index, text, node)
        return VisibleAmount(money, text, index, place, looks, before, after)

    def _is_tier(self, index: int, node: LexborNode) -> bool:
        """Whether an amount is for several: a quantity is before it, as in its row of a table."""
        if index and FOR_SEVERAL.fullmatch(self._sight.texts[index - 1]):
            return True
        row = next((each for each in islice(ancestors(node), _MAX_CLIMB) if each.tag == "tr"), None)
        before = self._sight.texts[index - 1] if row is not None and index else ""
        if len(before) < _MIN_TIER_CHARS or not _TIER.fullmatch(before):
            return False
        around = islice(ancestors(self._sight.nodes[index - 1]), _MAX_CLIMB)
        return any(row is not None and each.mem_id == row.mem_id for each in around)

    def _before(self, index: int, text: str, node: LexborNode) -> str:
        """The label before an amount, unless it is as close to the amount before it."""
        at = self._label(range(index - 1, max(-1, index - 1 - _MAX_PIECES), -1), text, node)
        if at is None:
            return ""
        label, own = self._sight.texts[at], self._sight.nodes[at]
        is_named = label.endswith(_COLONS) or own.tag in _LABEL_TAGS
        if at == 0 or is_named or not _DIGIT.search(self._sight.texts[at - 1]):
            return label
        is_of_other = _distance(own, self._sight.nodes[at - 1]) <= _distance(own, node)
        return "" if is_of_other else label

    def _after(self, index: int, text: str, node: LexborNode) -> str:
        """The label after an amount, unless it leads to another."""
        most = min(len(self._sight.texts), index + 1 + _MAX_PIECES)
        at = self._label(range(index + 1, most), text, node)
        label = self._sight.texts[at] if at is not None else ""
        return label if not label.endswith(_COLONS) else ""

    def _label(self, near: range, text: str, node: LexborNode) -> int | None:
        """The first of some texts that is no piece of the price, if it is a label."""
        at = next((each for each in near if self._sight.texts[each] not in text), None)
        if at is None:
            return None
        label = self._sight.texts[at]
        if len(label) > _MAX_LABEL_CHARS or _DIGIT.search(label):
            return None
        return at if _distance(self._sight.nodes[at], node) < _MAX_LABEL_DISTANCE else None


def _paid_money(text: str, home: Home) -> tuple[Money, str] | None:
    """The amount of a text and what is said of it; of several the first that is to be paid."""
    monies = list(islice(iter_money(text, home), _MAX_MONIES))
    if not monies:
        return None
    ends = (0, *(each.end for each in monies[:-1]), len(text))
    parts = [text[begin:end] for begin, end in pairwise(ends)]
    paid = (at for at, part in enumerate(parts) if not NOT_PAID.search(part))
    at = next(paid, 0) if len(monies) > 1 else 0
    if at == 0 and (len(monies) == 1 or NOT_PAID.search(parts[0])):
        return monies[0], text
    begin, money = ends[at], monies[at]
    return replace(money, begin=money.begin - begin, end=money.end - begin), parts[at]


def _distance(node: LexborNode, other: LexborNode) -> int:
    """How far up the first common element of two elements is."""
    others = {each.mem_id for each in islice(ancestors(other), _MAX_LABEL_DISTANCE)}
    above = enumerate(islice(ancestors(node), _MAX_LABEL_DISTANCE))
    return next((up for up, each in above if each.mem_id in others), _MAX_LABEL_DISTANCE)


def _join_pieces(text: str) -> str:
    """The pieces of a text side by side; two digits after others are cents."""
    if len(text) > _MAX_MARKUP_CHARS or len("".join(text.split())) > _MAX_PRICE_CHARS:
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
