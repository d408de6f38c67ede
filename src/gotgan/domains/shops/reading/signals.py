"""What about a page tells of its kind, each signal by its name."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Mapping
from functools import lru_cache
from typing import Final
from urllib.parse import unquote, urlsplit

from gotgan.domains.shops.reading.declared import StructuredData
from gotgan.domains.shops.reading.document import Document
from gotgan.domains.shops.reading.elements import Attributes, Elements
from gotgan.domains.shops.reading.marks import is_of_one_thing, open_buttons
from gotgan.domains.shops.reading.shape import Shape
from gotgan.domains.shops.reading.view import View
from gotgan.domains.shops.reading.visible_amounts import VisibleAmount
from gotgan.domains.shops.reading.words import NOT_PAID

__all__ = ["signals_of"]

_COLLECTIONS: Final = frozenset({"collectionpage", "itemlist", "offercatalog", "searchresultspage"})
_TALKS: Final = frozenset({"discussionforumposting", "qapage", "question", "comment"})
_ARTICLES: Final = ("article", "posting")
_CART: Final = re.compile(
    r"/(?:[a-z]+[-_]?)?(?:cart|basket|checkout|warenkorb|panier|carrello|carrito|bag)\b|/shopping"
)
_BUY: Final = re.compile(
    r"(?:add|put)-?_?(?:product-?_?)?to-?_?(?:cart|basket|bag|trolley)|buy-?_?(?:now|btn|button|box)"
    r"|(?:cart|basket|buy|purchase)-?_?(?:btn|button|add)|btn-?_?(?:cart|buy|basket|warenkorb)",
    re.IGNORECASE,
)
_QUANTITY: Final = re.compile(r"qty|quantit|menge|anzahl|kolicina")
_PRODUCT: Final = (
    r"[-/](?:(?:products?|p|dp|itm|ip|items?|pd|produkte?|produits?|artikel|prod|listing|goods"
    r"|detail|prodotti|producto|상품)(?:/|\.php|\.aspx?)|p?\d{5,}(?:\.html?|\.aspx|\.php|/|$))"
)
_PRODUCT_LINK: Final = re.compile(_PRODUCT, re.MULTILINE)
_STATES: Final = ("sold", "reserved", "later", "available", "request")
_FEW: Final = 4
"""More buttons to buy something are those of several things."""

# From how many on (of prices, cards, words, characters) a page gives a signal.
_SEVERAL: Final = 3
_MANY_PRICES: Final = 10
_ALIKE: Final = 8
_OWN_LOOKS: Final = 2
_BELOW: Final = 40
_AT: Final = 12
_WORDY: Final = 8
_MANY_PRODUCTS: Final = 12
_LITTLE: Final = 700
_LONG: Final = 6_000
_CARDS: Final = 8
_TITLES: Final = 15
_ONE_ARTICLE: Final = 2
_MANY_ARTICLES: Final = 5
_DENSE: Final = 0.6
_CHOOSING: Final = 2
_MUCH_CHOOSING: Final = 6
_DETAIL: Final = 4
_TALK: Final = 5
_DATES: Final = 10
_PATHS: Final = {
    "path: product": _PRODUCT,
    "path: category": (
        r"/(?:collections?|categor(?:y|ies)|c|cat|b|cp|shop|browse|product-category|kategorie"
        r"|katalog|catalog|rayon|w|s|search|store|parts|분류|카테고리)(?:/|\.php|\.aspx?|$)|/\d+-[a-z-]+$"
    ),
    "path: article": (
        r"/(?:blog|news|articles?|stor(?:y|ies)|posts?|magazine?|resource-center|knowledge"
        r"|guides?|learn|faq|insights)/.|/20\d\d/"
    ),
    "path: listing": (
        r"/(?:news|topics?|tags?|list|directory|events|jobs|awards|podcasts|archive|category"
        r"|rankings?|magazine)(?:/[\w-]*)?/?$"
    ),
    "path: talk": r"/(?:forums?|threads?|t|boards?|viewtopic|discussion|questions|r|comments)[/.]",
    "path: manual": r"/(?:docs?|documentation|api|reference|manual|help|support|wiki)/",
    "path: root": r"^/?(?:[a-z]{2}(?:[-_][a-z]{2})?/?)?(?:(?:index|home|default)(?:\.\w+)?/?)?$",
    "path: house": (
        r"/(?:about|about-us|ueber-uns|a-propos|contact|contact-us|kontakt|impressum|imprint|agb"
        r"|datenschutz\w*|privacy\S*|terms\S*|mentions-legales|cgv|widerruf\w*|versand\S*|shipping\S*"
        r"|returns?|login|account|register|cart|checkout|warenkorb|wishlist|faqs?|문의|회사소개)(?:\.\w+)?/?$"
    ),
}
_PATH: Final = {name: re.compile(each, re.IGNORECASE) for name, each in _PATHS.items()}


def signals_of(document: Document, declared: StructuredData, view: View) -> frozenset[str]:
    """The names of the signals that a page gives."""
    elements = document.elements
    shape = Shape.of(view.sight, elements)
    is_one = is_of_one_thing(view)
    found = {
        "words: of one thing": is_one,
        **_declared(declared, shape),
        **_meta(elements.metas),
        **_prices(view, is_one=is_one),
        **_shop(view, elements),
        **_looks(shape, elements),
        **_path(document.address),
    }
    return frozenset(name for name, is_given in found.items() if is_given)


def _declared(declared: StructuredData, shape: Shape) -> dict[str, bool]:
    kinds = declared.kinds
    has_product = bool(declared.products)
    has_talk = any(kind in kinds for kind in _TALKS)
    has_article = any(kind.endswith(_ARTICLES) for kind in kinds)
    return {
        "declared: product": has_product,
        "declared: product with a price": any(each.amount for each in declared.products.values()),
        "declared: several products": kinds["product"] >= _SEVERAL and not has_product,
        "declared: collection": any(kind in kinds for kind in _COLLECTIONS) and not has_product,
        "declared: article": has_article and not has_talk and not has_product,
        "declared: talk": has_talk and not has_product and not shape.is_one_story,
    }


def _meta(metas: Mapping[str, str]) -> dict[str, bool]:
    kind = metas.get("og:type", "").lower()
    has_product = any(name.startswith("product:") for name in metas)
    return {
        "meta: product": has_product or kind.removeprefix("og:").startswith("product"),
        "meta: article": kind == "article" or "article:published_time" in metas,
    }


def _prices(view: View, *, is_one: bool) -> dict[str, bool]:
    """What the prices tell; those of cards beside one thing are those of others."""
    paid = [each for each in view.prices if not each.place.is_struck and not each.place.is_old]
    alike = Counter(looks for looks, _ in {(each.looks, each.money.amount) for each in paid})
    return {
        "prices: none": not paid,
        "prices: many": len(paid) >= _MANY_PRICES,
        "prices: alike": max(alike.values(), default=0) >= _ALIKE,
        "prices: only alike": bool(paid)
        and all(alike[each.looks] > _OWN_LOOKS for each in paid)
        and not (is_one and _are_of_cards(paid)),
        "prices: only in cards": _are_of_cards(paid) and not is_one,
        "prices: named so": any(each.place.is_priced for each in paid),
        "prices: under the heading": any(
            _is_under(each, view.heading) and alike[each.looks] <= _OWN_LOOKS for each in paid
        ),
        "prices: one at the heading": _is_one(paid, view.heading),
    }


def _is_one(paid: list[VisibleAmount], heading: int | None) -> bool:
    """Whether the page names a single amount, apart from those of cards, right at its heading."""
    places = ((each, each.place) for each in paid)
    own = [each for each, at in places if not (at.is_away or at.is_carded or at.is_linked)]
    bare = (each for each in own if len(each.text) - (each.money.end - each.money.begin) < _WORDY)
    is_near = any(heading is not None and 0 < each.index - heading <= _AT for each in bare)
    return is_near and len({each.money.amount for each in own}) == 1


def _are_of_cards(paid: list[VisibleAmount]) -> bool:
    places = [each.place for each in paid if not each.place.is_away]
    return bool(places) and all(each.is_carded or each.is_linked for each in places)


def _is_under(shown: VisibleAmount, heading: int | None) -> bool:
    is_near = heading is not None and 0 < shown.index - heading <= _BELOW
    place = shown.place
    is_else = place.is_away or place.is_linked or place.is_carded or place.is_other
    return is_near and not is_else and not NOT_PAID.search(shown.text)


def _shop(view: View, elements: Elements) -> dict[str, bool]:
    buttons = len(open_buttons(view))
    hrefs = "\n".join({each.get("href") or "" for each in elements.anchors}).lower()
    named = sum(_is_buy(_names(each)) for each in (*elements.buttons, *elements.anchors))
    return {
        "buttons: a few": 1 <= buttons <= _FEW,
        "buttons: many": buttons > _FEW or (not buttons and len(view.buttons) > _FEW),
        "buttons: a few named so": 1 <= named <= _FEW,
        "buttons: many named so": named > _FEW,
        "form: quantity": bool(_QUANTITY.search("\n".join(elements.fields).lower())),
        "cart: form": bool(_CART.search("\n".join(elements.forms).lower())),
        "cart: link": bool(_CART.search(hrefs)),
        "words: state": 1 <= _states(view) <= _FEW,
        "links: to products": len(_PRODUCT_LINK.findall(hrefs)) >= _MANY_PRODUCTS,
    }


def _states(view: View) -> int:
    """How many texts shortly after the heading say whether, or how, the thing can be had."""
    begin = view.heading
    if begin is None:
        return 0
    said = view.sight.said
    return sum(begin <= index <= begin + _BELOW for name in _STATES for index in said[name])


def _names(attributes: Attributes) -> str:
    return f"{attributes.get('class')} {attributes.get('id')} {attributes.get('name')}"


@lru_cache(maxsize=8_192)
def _is_buy(names: str) -> bool:
    """Kept, because a shop names the same things on all its pages."""
    return _BUY.search(names) is not None


def _looks(shape: Shape, elements: Elements) -> dict[str, bool]:
    articles = elements.articles
    return {
        "text: little": shape.prose < _LITTLE,
        "text: long": shape.prose >= _LONG,
        "text: one story": shape.is_one_story,
        "cards: headings": shape.linked_headings >= _CARDS,
        "cards: titles": shape.linked_titles >= _TITLES,
        "cards: articles": articles >= _MANY_ARTICLES,
        "cards: one article": 1 <= articles <= _ONE_ARTICLE,
        "links: dense": shape.link_share >= _DENSE,
        "words: choosing": shape.choosing >= _CHOOSING,
        "words: choosing much": shape.choosing >= _MUCH_CHOOSING,
        "words: detail": shape.detail >= _DETAIL,
        "words: byline": shape.byline > 0,
        "words: talk": shape.talk >= _TALK,
        "dates: many": shape.dates + elements.times >= _DATES,
        "next page": any("next" in (each.get("rel") or "") for each in elements.relations),
    }


def _path(address: str) -> dict[str, bool]:
    try:
        path = unquote(urlsplit(address).path)
    except ValueError:
        path = ""
    return {name: bool(pattern.search(path)) for name, pattern in _PATH.items()}
