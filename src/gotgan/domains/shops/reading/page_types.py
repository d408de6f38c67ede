"""Which kind of page it is: every signal speaks for some kinds and against others."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final, get_args

from gotgan.domains.shops.reading.facts import PageType

__all__ = ["WEIGHTS", "may_be_product", "page_type"]

_TYPES: Final[tuple[PageType, ...]] = get_args(PageType)

_WITHOUT: Final = (-0.1, 0.0, 0.0, -0.4, 0.6)
"""What a page is worth that gives no signal at all."""

_OF_SEVERAL: Final = frozenset({"category", "listing"})
_DOUBT: Final = 1.0
"""By how much a kind may be worth less than another and still be the right one."""

WEIGHTS: Final[Mapping[str, tuple[float, float, float, float, float]]] = {
    # product, category, listing, article, other
    "declared: product": (2.9, -0.9, -1.0, -1.0, -1.0),
    "declared: product with a price": (0.9, -0.4, 0.0, 0.0, 0.0),
    "declared: several products": (-1.0, 2.5, 0.0, -0.5, -0.5),
    "declared: collection": (-0.5, 0.9, 1.1, -0.5, -0.5),
    "declared: article": (-0.5, -0.5, 0.0, 2.0, 0.0),
    "declared: talk": (0.0, -0.5, -0.1, -0.5, 1.2),
    "meta: product": (1.4, 0.7, -0.6, -0.5, -0.6),
    "meta: article": (-0.5, -0.5, -0.3, 1.0, 0.1),
    "prices: none": (-1.1, -0.5, 0.5, 0.3, 0.5),
    "prices: many": (0.1, 0.4, 0.0, -0.3, 0.0),
    "prices: alike": (-0.5, 0.6, 0.1, 0.1, -0.1),
    "prices: only alike": (-0.8, 0.8, -0.1, 0.0, 0.0),
    "prices: only in cards": (-1.2, 0.8, 0.0, 0.0, 0.0),
    "prices: named so": (0.6, 0.5, -0.6, -0.5, -0.3),
    "prices: under the heading": (1.4, -0.6, 0.1, -0.1, -0.2),
    "prices: one at the heading": (0.6, -0.4, -0.2, -0.1, -0.4),
    "buttons: a few": (1.0, 0.1, -0.3, -0.3, 0.0),
    "buttons: many": (-0.2, 0.9, 0.1, -0.3, 0.1),
    "buttons: a few named so": (0.7, -0.1, -0.1, -0.3, -0.2),
    "buttons: many named so": (0.0, 0.8, -0.1, -0.3, -0.2),
    "form: quantity": (0.8, 0.0, -0.2, -0.3, -0.2),
    "cart: form": (0.7, 0.2, -0.3, -0.3, -0.3),
    "cart: link": (0.6, 0.9, -0.3, -0.7, -0.7),
    "links: to products": (0.2, 0.4, -0.1, -0.3, -0.4),
    "links: dense": (0.1, 0.2, 0.6, -0.4, -0.4),
    "text: little": (0.3, 0.2, 0.3, -1.0, 0.0),
    "text: long": (-0.4, -0.3, -0.4, 0.4, 0.6),
    "text: one story": (-0.4, -0.1, -0.4, 1.1, 0.3),
    "cards: headings": (-0.4, 0.4, 0.5, -0.1, 0.1),
    "cards: titles": (-0.4, 0.3, 0.6, 0.0, 0.0),
    "cards: articles": (-0.4, 0.7, 0.4, -0.3, 0.0),
    "cards: one article": (0.0, -0.4, -0.4, 1.0, 0.0),
    "words: choosing": (-0.5, 0.8, 0.4, -0.2, -0.2),
    "words: choosing much": (-0.4, 0.7, 0.0, -0.2, -0.2),
    "words: detail": (0.7, 0.0, -0.3, -0.3, 0.0),
    "words: byline": (-0.3, -0.3, -0.1, 0.7, 0.0),
    "words: talk": (-0.3, -0.3, 0.0, -0.3, 1.0),
    "words: state": (0.7, 0.0, -0.2, -0.2, -0.2),
    "words: of one thing": (1.8, -0.8, -0.8, -0.3, -0.3),
    "dates: many": (-0.2, -0.4, 0.8, -0.3, 0.4),
    "next page": (-0.3, 0.6, 0.3, -0.2, 0.1),
    "path: product": (1.2, -0.6, -0.4, -0.3, -0.3),
    "path: category": (-0.6, 1.1, 0.5, -0.4, -0.4),
    "path: article": (-0.3, -0.3, 0.0, 1.1, -0.3),
    "path: listing": (-0.3, 0.3, 0.9, -0.2, -0.3),
    "path: talk": (-0.3, -0.3, 0.0, -0.2, 1.1),
    "path: manual": (-0.3, -0.2, 0.0, -0.3, 1.1),
    "path: root": (-2.0, 0.6, 0.2, -1.0, 0.8),
    "path: house": (-1.5, -1.0, -0.7, 0.0, 1.8),
}
"""What each signal is worth for each kind.

They were written down by judgement, then moved a little towards what 138 labelled pages of the
open web say (a logistic regression that is drawn back to where it began), and rounded.
"""


def page_type(signals: frozenset[str]) -> PageType:
    """The kind of page that the signals speak for most."""
    scores = _scores(signals)
    return max(scores, key=lambda each: scores[each])


def may_be_product(signals: frozenset[str]) -> bool:
    """Whether a page is that of a product, or nearly so and not of several things."""
    scores = _scores(signals)
    is_close = scores["product"] >= max(scores.values()) - _DOUBT
    return is_close and page_type(signals) not in _OF_SEVERAL


def _scores(signals: frozenset[str]) -> dict[PageType, float]:
    rows = (_WITHOUT, *(WEIGHTS[name] for name in sorted(signals)))
    return dict(zip(_TYPES, map(sum, zip(*rows, strict=True)), strict=True))
