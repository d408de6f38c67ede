"""What a page shows to its visitors, as far as it matters here."""

from __future__ import annotations

from dataclasses import dataclass

from gotgan.domains.shops.reading.document import Document
from gotgan.domains.shops.reading.facts import ProductFacts
from gotgan.domains.shops.reading.sight import Sight, sight_of
from gotgan.domains.shops.reading.visible_amounts import VisibleAmount, shown_prices
from gotgan.domains.shops.reading.visible_price import shown_price
from gotgan.domains.shops.reading.visible_status import buy_buttons, shown_status

__all__ = ["View", "said_by_view", "view_of"]


@dataclass(frozen=True)
class View:
    """The texts of a page, and which of them are amounts, the heading, and buttons to buy."""

    sight: Sight
    prices: list[VisibleAmount]
    heading: int | None
    buttons: list[int]


def view_of(document: Document) -> View:
    """Look at a page."""
    found = document.heading
    is_there = found is not None and found.index < len(document.elements.texts)
    heading = found.index if found is not None and is_there else None
    sight = sight_of(document.elements, heading)
    return View(
        sight=sight,
        prices=shown_prices(sight, document.home),
        heading=heading,
        buttons=buy_buttons(sight),
    )


def said_by_view(view: View) -> ProductFacts:
    """What a page shows about the product that it is about."""
    shown = shown_price(view.prices, view.heading, view.buttons)
    if shown is not None and _is_on_request(view, shown.index):
        shown = None
    status = shown_status(view.sight, view.heading, shown.index if shown else None, view.buttons)
    if shown is None:
        return ProductFacts(status=status)
    return ProductFacts(amount=shown.money.amount, currency=shown.money.currency, status=status)


def _is_on_request(view: View, price: int) -> bool:
    """Whether the page tells to ask for the price before it shows one, which is another thing's."""
    begin = view.heading or 0
    return any(begin <= index < price for index in view.sight.said["request"])
