"""What a page shows to its visitors: status, buttons, and marks of a single product."""

from __future__ import annotations

import re
from collections import Counter
from dataclasses import dataclass
from decimal import Decimal
from functools import lru_cache
from itertools import islice
from typing import Final

from selectolax.lexbor import LexborNode

from gotgan.domains.shops.extract.document import Document
from gotgan.domains.shops.extract.facts import MergedFacts, ProductFacts, Status
from gotgan.domains.shops.extract.items import NO_ITEMS, RepeatedItems, repeated_items
from gotgan.domains.shops.extract.phrases import NOT_PAID
from gotgan.domains.shops.extract.products import StructuredData
from gotgan.domains.shops.extract.visible_price import (
    VisibleAmount,
    carded,
    is_net_amount,
    struck_partner,
    visible_amounts,
    visible_price,
)
from gotgan.domains.shops.extract.visible_text import (
    VisibleText,
    ancestors,
    is_in_card,
    text_context,
    texts_after,
    visible_text,
)


@dataclass(frozen=True)
class PageView:
    """The visible texts of a page: amounts, the heading, and buttons to buy."""

    sight: VisibleText
    prices: list[VisibleAmount]
    heading: int | None
    buttons: list[int]
    items: RepeatedItems = NO_ITEMS


def page_view(document: Document) -> PageView:
    """The visible part of a page."""
    heading = _heading_index(document)
    sight = visible_text(document.elements, heading)
    prices, items = visible_amounts(sight, document.home), repeated_items(sight)
    if items.share(each.index for each in prices) >= _MIN_SOLD_SHARE:
        sight.sold_items = items.texts(heading)
        prices = [carded(each) if each.index in sight.sold_items else each for each in prices]
    return PageView(sight, prices, heading, _buy_buttons(sight), items)


_MIN_SOLD_SHARE: Final = 0.5
"""Repeated items are other products if this share of them has a price."""


def _buy_buttons(sight: VisibleText) -> list[int]:
    """The texts of buttons to buy that can be pressed."""
    around = ((each, _button_around(sight.nodes[each])) for each in sight.phrases["buy"])
    return [each for each, button in around if button is not None and not _is_disabled(button)]


def _button_around(node: LexborNode) -> LexborNode | None:
    around = islice(ancestors(node), _MAX_BUTTON_DEPTH)
    return next((each for each in around if each.tag in _BUTTON_TAGS), None)


_DISABLED_NAME: Final = re.compile(r"(?<![\w-])(?:(?:is|btn|button)-)?disabled(?![\w:-])")
_MAX_FORM_DEPTH: Final = 6


def _is_disabled(button: LexborNode) -> bool:
    """Whether a button cannot be pressed: it or the group of fields around it is disabled."""
    attributes = button.attributes
    if "disabled" in attributes or attributes.get("aria-disabled") == "true":
        return True
    if _DISABLED_NAME.search((attributes.get("class") or "").lower()):
        return True
    above = islice(ancestors(button), 1, _MAX_FORM_DEPTH)
    return any(each.tag == "fieldset" and "disabled" in each.attributes for each in above)


_NEAR_HEADING_TEXTS: Final = 40
"""How far below its heading the price of a product is."""


@dataclass(frozen=True)
class Contradiction:
    """A visible price that is more trustworthy than the declared one."""

    price: VisibleAmount
    reason: str


def near_view(document: Document) -> PageView | None:
    """The view of what is at the heading, without the rest of the page."""
    heading = document.heading
    node = heading.node if heading is not None else None
    if heading is None or node is None:
        return None
    texts, nodes, subheadings = texts_after(node, _NEAR_HEADING_TEXTS)
    if not texts:
        return None
    sight = text_context(texts, nodes, subheadings, heading=0)
    return PageView(sight, visible_amounts(sight, document.home), 0, _buy_buttons(sight))


def contradicting_price(
    view: PageView, declared: StructuredData, answer: MergedFacts
) -> Contradiction | None:
    """A visible price that wins over the declared one.

    It is marked as a price, right below the heading, and equal to what another standard or offer
    declares, the lower one of a pair, or the one with tax.
    """
    facts, price = answer.facts, visible_price(view.prices, view.heading, view.buttons)
    if price is None or facts.amount is None or facts.amount == price.money.amount:
        return None
    old = struck_partner(price, view.prices)
    is_same_currency = price.money.currency in (None, facts.currency or price.money.currency)
    if not is_same_currency or not _is_at_heading(price, view) or not (price.place.priced or old):
        return None
    reason = _price_reason(price, view, declared, facts.amount)
    return Contradiction(price, reason) if reason else None


_SALE_LABEL: Final = re.compile(
    r"\W*(?:our |your )?(?:sale|special|promo(?:tion(?:al)?)?|discount(?:ed)?|reduced|now(?: only)?"
    r"|aktion|angebot|sonderangebot|jetzt(?: nur)?|soldé|en promotion|en oferta|oferta|ahora"
    r"|in offerta|offerta|scontato|promocja|kampanj|rea|tilbud|할인|특가|판매|セール|特価|特價)"
    r"[ -]?(?:price|preis|prix|precio|prezzo|cena|pris|가)?\W*",
    re.IGNORECASE,
)


def _price_reason(
    price: VisibleAmount, view: PageView, declared: StructuredData, amount: Decimal
) -> str | None:
    """Why a visible price is more trustworthy than the declared amount, if it is."""
    others = {**declared.products, "opengraph": declared.meta}
    for name, each in others.items():
        if each.amount == price.money.amount:
            return f"equal to {name}"
    if any(price.money.amount in each.amounts for each in declared.products.values()):
        return "equal to another offer"
    if amount < price.money.amount:
        is_net = any(each.money.amount == amount and is_net_amount(each) for each in view.prices)
        return "declared without tax" if is_net and not is_net_amount(price) else None
    if struck_partner(price, view.prices) is not None:
        return "lower one of a struck-through pair"
    is_shown = any(
        each.money.amount == amount and abs(each.index - price.index) <= _NEAR_PRICE_TEXTS
        for each in view.prices
    )
    return (
        "labelled as the sale price" if is_shown and _SALE_LABEL.fullmatch(price.before) else None
    )


_NEAR_PRICE_TEXTS: Final = 4
"""How far apart an old price and the new one are."""


def contradicting_status(view: PageView, answer: MergedFacts) -> tuple[Status, str] | None:
    """A visible status that wins over the declared one, with the reason.

    Shops that declare all products as in stock mark sold ones in the title, or where the button to
    buy would be.
    """
    if answer.facts.status is not Status.AVAILABLE or view.heading is None:
        return None
    marked = _title_status(view.sight, view.heading)
    if marked is not None:
        return marked, "marked in the title"
    if _has_own_button(view) or _has_open_button(view.sight, view.heading):
        return None
    is_sold = _nearby_status(view, view.heading, most=1) is Status.SOLD
    return (Status.SOLD, "says so and has no button to buy") if is_sold else None


def _is_at_heading(price: VisibleAmount, view: PageView) -> bool:
    place = price.place
    is_elsewhere = place.is_away or place.is_carded or place.is_linked or place.other
    if view.heading is None or is_elsewhere or NOT_PAID.match(price.after):
        return False
    return 0 < price.index - view.heading <= _NEAR_HEADING_TEXTS


def _heading_index(document: Document) -> int | None:
    """The index of the heading among the visible texts."""
    heading = None if document.heading is None else document.heading.index
    return heading if heading is None or heading < len(document.elements.visible.texts) else None


def visible_facts(view: PageView) -> ProductFacts:
    """What a page shows about its product."""
    price = visible_price(view.prices, view.heading, view.buttons)
    if price is not None:  # after "price on request" it is the price of another product
        requests = view.sight.phrases["request"]
        is_other = any((view.heading or 0) <= index < price.index for index in requests)
        price = None if is_other else price
    status = visible_status(view, price.index if price else None)
    if price is None:
        return ProductFacts(status=status)
    return ProductFacts(amount=price.money.amount, currency=price.money.currency, status=status)


_TEXTS_BEFORE: Final = 8
_TEXTS_AFTER: Final = 80
_MIN_CHOICES: Final = 3
"""What is repeated this often is said of each colour or size."""
_MAX_BUTTON_DEPTH: Final = 5
_BUTTON_TAGS: Final = frozenset({"a", "button", "input"})
_TITLE_STATUS: Final = re.compile(
    r"(?:^\W*|[-–—:|/(\[*!]\s*)"
    r"(?:(sold(?: out)?|(?:aus)?verkauft|vendue?|épuisée?|판매 ?완료|품절|vendid[oa]|agotad[oa]"
    r"|esgotad[oa]|vendut[oa]|esaurit[oa]|(?:uit)?verkocht|(?:slut)?såld|(?:ud)?solgt|売り切れ|完売)"
    r"|(reserved|reserviert|réservée?|예약 ?중|reservad[oa]|riservat[oa]|gereserveerd))"
    r"\W*(?:$|[-–—:|/)\]*!])",
    re.IGNORECASE,
)
"""Marks of dealers in titles: ``SOLD - A Georgian chair``, ``Stuhl (reserviert)``."""
_BUY_NAMES: Final = re.compile(
    r"(?:add|put)-?_?(?:product-?_?)?to-?_?(?:cart|basket|bag|trolley)|buy-?_?(?:now|btn|button|box)"
    r"|(?:cart|basket|buy|purchase)-?_?(?:btn|button|add)|btn-?_?(?:cart|buy|basket|warenkorb)",
    re.IGNORECASE,
)
_CART_ADDRESS: Final = re.compile(
    r"(?<![a-z])(?:add-?_?to-?_?)?(?:cart|basket|warenkorb|panier|carrito|carrello|carrinho|koszyk"
    r"|kosik|kundvagn|varukorg|winkelwagen|winkelmand|sepet)(?![a-z])",
    re.IGNORECASE,
)
"""The address that a form to buy is sent to."""
_CLASS_STATUSES: Final = (
    (re.compile(r"(?<![a-z])(?:out-?of-?stock|sold-?out)(?![a-z])", re.IGNORECASE), Status.SOLD),
    (re.compile(r"(?<![a-z])in-?stock(?![a-z])", re.IGNORECASE), Status.AVAILABLE),
)
_TABLE_STATUSES: Final = {
    "reserved": Status.RESERVED,
    "sold": Status.SOLD,
    "later": Status.LISTED,
    "available": Status.AVAILABLE,
    "delivery": Status.AVAILABLE,
}
"""What the tables of phrases mean, the most important first."""


def visible_status(view: PageView, price: int | None) -> Status | None:
    """What the title says, else a button, else the words around title and price."""
    marked = _title_status(view.sight, view.heading)
    if marked is not None:
        return marked
    if _has_own_button(view):
        return Status.AVAILABLE
    around = view.heading if view.heading is not None else price
    if around is None:
        return None
    named = _nearby_status(view, around) or _class_status(view.sight.nodes[around])
    return named or (Status.AVAILABLE if _has_purchase_form(view.sight, around) else None)


def _has_own_button(view: PageView) -> bool:
    """Whether a button to buy is neither that of another product nor a link to the cart."""
    first = view.heading or 0
    places = ((each, view.sight.place(view.sight.nodes[each])) for each in view.buttons)
    return any(
        _is_own_text(view, each) and not (place.is_linked and each < first)
        for each, place in places
    )


def _title_status(sight: VisibleText, heading: int | None) -> Status | None:
    marked = _TITLE_STATUS.search(sight.texts[heading]) if heading is not None else None
    if marked is None:
        return None
    return Status.SOLD if marked[1] else Status.RESERVED


def _nearby_status(view: PageView, index: int, most: int = _MIN_CHOICES - 1) -> Status | None:
    """The most important words, wherever they are: a product that is called sold is sold.

    What is said more often than ``most`` times in the same way is said of each choice.
    """
    window = range(index - _TEXTS_BEFORE, index + _TEXTS_AFTER)
    for name, status in _TABLE_STATUSES.items():
        said = [each for each in view.sight.phrases[name] if each in window]
        looks = Counter(_looks(view.sight.nodes[each]) for each in said if _is_own_text(view, each))
        if looks and max(looks.values()) <= most:
            return status
    return None


def _looks(node: LexborNode) -> tuple[str | None, ...]:
    """What is alike in the elements of choices: their tags and first classes, without numbers."""
    around = islice(ancestors(node), 2)
    return tuple(
        text
        for each in around
        for text in (each.tag, _DIGITS.sub("", (each.attributes.get("class") or "").split(" ")[0]))
    )


_DIGITS: Final = re.compile(r"\d+")


@lru_cache(maxsize=8_192)
def is_buy_name(names: str) -> bool:
    """Whether an element is named a button to buy; cached, because a shop repeats its names."""
    return _BUY_NAMES.search(names) is not None


def _has_purchase_form(sight: VisibleText, index: int) -> bool:
    """Whether something around a product is made to buy it, whatever is written on it.

    A button of such a name, a form that is sent to a cart, or a field for the quantity.
    """
    quantities = frozenset(sight.phrases["quantity"])
    for each in range(index, min(len(sight.texts), index + _TEXTS_AFTER)):
        node = sight.nodes[each]
        near = islice(ancestors(node), _MAX_BUTTON_DEPTH)
        is_field = each in quantities and _has_field(node)
        found = node if is_field else next(filter(_is_to_buy, near), None)
        if found is not None:
            place = sight.place(found)
            return place.is_seen and not (place.is_away or place.is_carded)
    return False


def _has_field(label: LexborNode) -> bool:
    around = islice(ancestors(label), 1, _MAX_FIELD_DEPTH)
    return any(each.css_first("input, select") is not None for each in around)


_MAX_FIELD_DEPTH: Final = 3


def _is_to_buy(node: LexborNode) -> bool:
    return _is_named_button(node) or (node.tag == "form" and _is_cart_form(node))


def _is_named_button(node: LexborNode) -> bool:
    attributes = node.attributes
    names = f"{attributes.get('class')} {attributes.get('id')} {attributes.get('name')}"
    return node.tag in _BUTTON_TAGS and is_buy_name(names) and not _is_disabled(node)


def _is_cart_form(form: LexborNode) -> bool:
    address = _HOST.sub("", form.attributes.get("action") or "")
    return _CART_ADDRESS.search(address) is not None


_HOST: Final = re.compile(r"^(?:https?:)?//[^/]*")


def _has_open_button(sight: VisibleText, index: int) -> bool:
    """Whether a button below the heading can be pressed that may be one to buy.

    It is named so, is in a form that is sent to a cart, or asks for a choice first.
    """
    chosen = frozenset(sight.phrases["options"])
    for each in range(index, min(len(sight.texts), index + _TEXTS_AFTER)):
        button = _button_around(sight.nodes[each])
        if button is None or _is_disabled(button) or not _is_in_sight(sight, button):
            continue
        above = islice(ancestors(button), _MAX_FORM_DEPTH)
        is_sent = button.tag != "a" and any(up.tag == "form" and _is_cart_form(up) for up in above)
        is_said = each not in sight.phrases["sold"]
        if each in chosen or _is_named_button(button) or (is_sent and is_said):
            return True
    return False


def _is_in_sight(sight: VisibleText, node: LexborNode) -> bool:
    place = sight.place(node)
    return place.is_seen and not (place.is_away or place.is_carded)


def _class_status(node: LexborNode) -> Status | None:
    """Class names of shop systems around a product."""
    for each in ancestors(node):
        names = each.attributes.get("class") or ""
        for pattern, status in _CLASS_STATUSES:
            if pattern.search(names):
                return status
    return None


_BELOW_HEADING_TEXTS: Final = 40
_MIN_MARKS: Final = 2
"""Marks that make a product: one alone is on pages of other kinds too."""
_MAX_OWN_BUTTONS: Final = 2
"""Add to cart, and buy now: more buttons belong to several products."""
_MAX_OWN_PRICES: Final = 6
_MARK_TABLES: Final = (("number",), ("request", "ask"), ("sold", "reserved", "later", "available"))
"""Phrases about one product: its number, how to ask for it, and its availability."""
_MEASURE: Final = re.compile(
    r"[^\W\d_]\W{1,3}\d[\d.,]* ?(?:cm|mm|kg|inch(?:es)?)(?![^\W\d_])|\d ?[x×] ?\d"
)
"""A named measure, or several at once: a number alone may be a choice."""
_MAX_MEASURE_CHARS: Final = 100


def is_single_product(view: PageView) -> bool:
    """Whether a page says below its heading what is only said of one product."""
    if view.heading is None:
        return False
    texts, phrases = view.sight.texts, view.sight.phrases
    below = range(view.heading, min(len(texts), view.heading + _BELOW_HEADING_TEXTS))
    tables = ([each for name in names for each in phrases[name]] for names in _MARK_TABLES)
    marks = sum(
        any(each in below and _is_own_text(view, each) for each in indexes) for indexes in tables
    )
    marks += any(
        len(texts[each]) < _MAX_MEASURE_CHARS
        and _MEASURE.search(texts[each]) is not None
        and _is_own_text(view, each)
        for each in below
    )
    buttons = [each for each in view.buttons if _is_own_text(view, each)]
    prices = [each for each in view.prices if not (each.place.is_away or each.place.is_carded)]
    if any(each in below for each in buttons):  # enough, unless there are several
        is_alone = len(buttons) <= _MAX_OWN_BUTTONS and len(prices) <= _MAX_OWN_PRICES
        marks += _MIN_MARKS if is_alone else 1
    return marks >= _MIN_MARKS


def _is_own_text(view: PageView, index: int) -> bool:
    place = view.sight.place(view.sight.nodes[index])
    return place.is_seen and not place.is_away and not is_in_card(view.sight, index)
