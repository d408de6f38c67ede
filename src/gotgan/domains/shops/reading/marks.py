"""What stands below the heading of a page and speaks of one thing that is sold, price or none."""

from __future__ import annotations

import re
from typing import Final

from gotgan.domains.shops.reading.cards import is_in_card
from gotgan.domains.shops.reading.view import View

__all__ = ["is_of_one_thing", "open_buttons"]

_BELOW: Final = 40
"""How many texts after the heading still speak of what it names."""
_ENOUGH: Final = 2
"""How many marks make a thing: one alone stands on pages of other kinds too."""
_PAIR: Final = 2
"""A thing is put into the cart, or bought at once: more buttons are those of several things."""
_PRICES: Final = 6
"""More prices outside of cards are those of several things as well."""
_KINDS: Final = (("number",), ("request", "ask"), ("sold", "reserved", "later", "available"))
"""What is said of one thing: its number, how to ask for it, and whether it is there."""
_MEASURE: Final = re.compile(
    r"[^\W\d_]\W{1,3}\d[\d.,]* ?(?:cm|mm|kg|inch(?:es)?)(?![^\W\d_])|\d ?[x×] ?\d"
)
"""A measure of something that is named, or several at once: a number alone is one to choose."""
_LONGEST: Final = 100
"""How long a text may be that tells a measure, and not a story."""


def open_buttons(view: View) -> list[int]:
    """The buttons to buy something that are not those of cards."""
    return [each for each in view.buttons if not is_in_card(view.sight, each)]


def is_of_one_thing(view: View) -> bool:
    """Whether a page says below its heading what is only said of one thing."""
    if view.heading is None:
        return False
    below = range(view.heading, min(len(view.sight.texts), view.heading + _BELOW))
    marks = sum(_says(view, below, names) for names in _KINDS) + _has_measure(view, below)
    return marks + _worth_of_buttons(view, below) >= _ENOUGH


def _says(view: View, below: range, names: tuple[str, ...]) -> bool:
    said = (each for name in names for each in view.sight.said[name])
    return any(each in below and _is_open(view, each) for each in said)


def _has_measure(view: View, below: range) -> bool:
    texts = view.sight.texts
    measured = (
        each for each in below if len(texts[each]) < _LONGEST and _MEASURE.search(texts[each])
    )
    return any(_is_open(view, each) for each in measured)


def _worth_of_buttons(view: View, below: range) -> int:
    """A button at the heading is mark enough, where it is not one of several, nor the price."""
    buttons = [each for each in view.buttons if _is_open(view, each)]
    prices = [each for each in view.prices if not (each.place.is_away or each.place.is_carded)]
    is_alone = len(buttons) <= _PAIR and len(prices) <= _PRICES
    is_near = any(each in below for each in buttons)
    return _ENOUGH if is_near and is_alone else int(is_near)


def _is_open(view: View, index: int) -> bool:
    place = view.sight.place(view.sight.nodes[index])
    return place.is_seen and not place.is_away and not is_in_card(view.sight, index)
