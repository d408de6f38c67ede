"""Which of the amounts that a page shows is the price: each is weighed by where it stands."""

from __future__ import annotations

from collections import Counter
from decimal import Decimal
from typing import Final

from gotgan.domains.shops.reading.sight import TextContext
from gotgan.domains.shops.reading.visible_amounts import VisibleAmount
from gotgan.domains.shops.reading.words import NET, NO_CHARGE, NOT_PAID

__all__ = ["shown_price"]

_NEAR: Final = 8
_BESIDE: Final = 4
"""How many texts lie between an old price and the new one, at most."""
_LOWEST: Final = Decimal("0.3")
"""Which share of the old price the new one is at least."""
_CLOSE: Final = 2.0
"""How much less another amount may be worth to be the price instead, if it is lower."""

_FAR: Final = 100
"""After how many texts a price has nothing to do with the heading any more."""
_STEEP: Final = 5
"""How many times as far a price is that stands before the heading."""

_BUTTON_REACH: Final = 60
_PAGE_REACH: Final = 300
"""The same for a button, and for the begin of a page without a heading."""

_WORDS: Final = 12
"""How many letters may stand beside an amount that stands for itself."""
_SOME: Final = 2
_LIST: Final = 5
"""More amounts than these that look alike are some of a kind, or a whole list."""

_PRICED: Final = 3.0
_STRUCK: Final = -8.0
_OLD: Final = -4.0
_OLD_ALONE: Final = -1.0
_UNSEEN: Final = -2.0
_AWAY: Final = -5.0
_OTHER: Final = -3.0
_LINKED: Final = -3.0
_CARDED: Final = -12.0
_NOT_PAID: Final = -4.0
_NET: Final = -2.5
_WORDY: Final = -2.0
_AT_HEADING: Final = 4.0
_LONG_BEFORE: Final = -3.0
_NEAR_BUTTON: Final = 2.0
_REPEATED: Final = 0.5
_ONE_OF_SOME: Final = -2.5
_ONE_OF_MANY: Final = -3.0
"""What each thing about an amount is worth; nothing is the price that is worth nothing."""


def shown_price(
    shown: list[VisibleAmount], heading: int | None, buttons: list[int]
) -> VisibleAmount | None:
    """The price of the thing that the page is about; of two beside each other the lower one."""
    if not shown:
        return None
    alike = Counter(looks for looks, _ in {(each.looks, each.money.amount) for each in shown})
    amounts = Counter(each.money.amount for each in shown)
    current = [each.index for each in shown if _is_current(each.place)]
    scores = [
        _worth_of_place(each)
        + _worth_of_age(each, current)
        + _worth_of_distance(each, heading, buttons)
        + _worth_of_number(alike[each.looks], amounts[each.money.amount])
        for each in shown
    ]
    most = max(scores)
    if most <= 0:
        return None
    best = shown[scores.index(most)]
    rivals = [each for each, score in zip(shown, scores, strict=True) if score > most - _CLOSE]
    beside = (each for each in rivals if _is_beside(each, best))
    return min(beside, key=lambda each: each.money.amount)


def _is_current(place: TextContext) -> bool:
    return not (place.is_struck or place.is_old or place.is_other or place.is_away)


def _is_beside(each: VisibleAmount, best: VisibleAmount) -> bool:
    """Whether an amount may be what the other one was lowered to."""
    is_near = abs(each.index - best.index) <= _BESIDE
    is_alike = each.money.currency == best.money.currency
    return is_near and is_alike and each.money.amount > best.money.amount * _LOWEST


def _worth_of_place(each: VisibleAmount) -> float:
    place = each.place
    beside = len(each.text) - (each.money.end - each.money.begin)
    return 1.0 + sum(
        (
            _PRICED * place.is_priced,
            _STRUCK * place.is_struck,
            _UNSEEN * (not place.is_seen),
            _AWAY * place.is_away,
            _OTHER * place.is_other,
            _LINKED * place.is_linked,
            _CARDED * place.is_carded,
            _NOT_PAID * _is_not_paid(each),
            _NET * any(map(NET.search, (each.text, each.before, each.after))),
            _WORDY * (beside > _WORDS),
        )
    )


def _is_not_paid(each: VisibleAmount) -> bool:
    """Whether its text, or the label before it, names what is not the amount to be paid."""
    label = "" if NO_CHARGE.search(each.before) else each.before
    return bool(NOT_PAID.search(each.text) or NOT_PAID.match(label))


def _worth_of_age(each: VisibleAmount, current: list[int]) -> float:
    """A price that is named an old one is the price all the same where there is no newer one."""
    if not each.place.is_old:
        return 0.0
    has_newer = any(abs(each.index - index) <= _NEAR for index in current)
    return _OLD if has_newer else _OLD_ALONE


def _worth_of_distance(each: VisibleAmount, heading: int | None, buttons: list[int]) -> float:
    nearest = min((abs(each.index - button) for button in buttons), default=_BUTTON_REACH)
    beside = _NEAR_BUTTON * max(0.0, 1 - nearest / _BUTTON_REACH)
    if heading is None:
        return beside + max(0.0, 1 - each.index / _PAGE_REACH)
    return beside + _worth_after(each.index - heading)


def _worth_after(distance: int) -> float:
    """A price stands below the heading, or right above it."""
    if distance >= 0:
        return _AT_HEADING * max(0.0, 1 - distance / _FAR)
    return max(_LONG_BEFORE, _AT_HEADING * (1 + _STEEP * distance / _FAR))


def _worth_of_number(alike: int, same: int) -> float:
    """An amount that is shown repeatedly is meant; one that looks like many is one of a list."""
    of_list = _ONE_OF_MANY if alike > _LIST else _ONE_OF_SOME if alike > _SOME else 0.0
    return of_list + min(2 * _REPEATED, _REPEATED * (same - 1))
