"""The type of a page, from signals that count for some types and against others."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Mapping
from functools import lru_cache
from itertools import islice
from typing import Final, get_args
from urllib.parse import unquote, urlsplit

from gotgan.domains.shops.extract.document import Document, Elements
from gotgan.domains.shops.extract.phrases import NOT_PAID
from gotgan.domains.shops.extract.products import StructuredData
from gotgan.domains.shops.extract.view import PageView, is_single_product
from gotgan.domains.shops.extract.visible_price import VisibleAmount
from gotgan.domains.shops.extract.visible_text import (
    VisibleText,
    ancestors,
    is_in_card,
    is_linked_title,
)
from gotgan.domains.shops.models import PageType

_TYPES: Final[tuple[PageType, ...]] = get_args(PageType)

_BIAS: Final = (-0.1, 0.0, 0.0, -0.4, 0.6)

_MULTI_PRODUCT_TYPES: Final = frozenset({"category", "listing"})
_PRODUCT_MARGIN: Final = 1.0
"""How much lower than the best score that of a possible product may be."""

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
"""The weight of each signal for each type.

Set by judgement, then adjusted to 138 labelled pages of the open web (a logistic regression that is
pulled back to the start), and rounded.
"""


def page_type(signals: frozenset[str]) -> PageType:
    """The type with the highest score."""
    scores = _scores(signals)
    return max(scores, key=lambda each: scores[each])


def may_be_product(signals: frozenset[str]) -> bool:
    """Whether a page is a product, or nearly so and not a list."""
    scores = _scores(signals)
    is_close = scores["product"] >= max(scores.values()) - _PRODUCT_MARGIN
    return is_close and page_type(signals) not in _MULTI_PRODUCT_TYPES


def _scores(signals: frozenset[str]) -> dict[PageType, float]:
    rows = (_BIAS, *(WEIGHTS[name] for name in sorted(signals)))
    return dict(zip(_TYPES, map(sum, zip(*rows, strict=True)), strict=True))


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
_MAX_OWN_BUTTONS: Final = 4

# From how many on (of prices, cards, words, characters) a page gives a signal.
_MIN_SEVERAL_PRODUCTS: Final = 3
_MIN_MANY_PRICES: Final = 10
_MIN_ALIKE_PRICES: Final = 8
_MAX_OWN_LOOKS: Final = 2
_BELOW_HEADING_TEXTS: Final = 40
_AT_HEADING_TEXTS: Final = 12
_MAX_WORDS_BESIDE: Final = 8
_MIN_PRODUCT_LINKS: Final = 12
_LITTLE_CHARS: Final = 700
_LONG_CHARS: Final = 6_000
_MIN_CARD_HEADINGS: Final = 8
_MIN_CARD_TITLES: Final = 15
_MAX_ONE_ARTICLE: Final = 2
_MIN_MANY_ARTICLES: Final = 5
_MIN_DENSE_SHARE: Final = 0.6
_MIN_CHOOSING: Final = 2
_MIN_MUCH_CHOOSING: Final = 6
_MIN_DETAIL: Final = 4
_MIN_TALK: Final = 5
_MIN_DATES: Final = 10
_PATH_EXPRESSIONS: Final = {
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
_PATH_PATTERNS: Final = {
    name: re.compile(each, re.IGNORECASE) for name, each in _PATH_EXPRESSIONS.items()
}


def page_signals(document: Document, declared: StructuredData, view: PageView) -> frozenset[str]:
    """The names of the signals that a page gives."""
    elements = document.elements
    prose = _prose(view.sight)
    is_one_story = max(prose.values(), default=0) >= _STORY_CHARS
    is_one = is_single_product(view)
    metas = elements.metas
    og_type = metas.get("og:type", "").lower()
    has_product = any(name.startswith("product:") for name in metas)
    try:
        path = unquote(urlsplit(document.address).path)
    except ValueError:
        path = ""
    found = {
        "meta: product": has_product or og_type.removeprefix("og:").startswith("product"),
        "meta: article": og_type == "article" or "article:published_time" in metas,
        "words: of one thing": is_one,
        "text: little": prose.total() < _LITTLE_CHARS,
        "text: long": prose.total() >= _LONG_CHARS,
        "text: one story": is_one_story,
        **_declared_signals(declared, is_one_story=is_one_story),
        **_price_signals(view, is_one=is_one),
        **_shop_signals(view, elements),
        **_layout_signals(view.sight, elements),
        **{name: bool(pattern.search(path)) for name, pattern in _PATH_PATTERNS.items()},
    }
    return frozenset(name for name, is_given in found.items() if is_given)


def _declared_signals(declared: StructuredData, *, is_one_story: bool) -> dict[str, bool]:
    kinds = declared.kinds
    has_product = bool(declared.products)
    has_talk = any(kind in kinds for kind in _TALKS)
    has_article = any(kind.endswith(_ARTICLES) for kind in kinds)
    return {
        "declared: product": has_product,
        "declared: product with a price": any(each.amount for each in declared.products.values()),
        "declared: several products": kinds["product"] >= _MIN_SEVERAL_PRODUCTS and not has_product,
        "declared: collection": any(kind in kinds for kind in _COLLECTIONS) and not has_product,
        "declared: article": has_article and not has_talk and not has_product,
        "declared: talk": has_talk and not has_product and not is_one_story,
    }


def _price_signals(view: PageView, *, is_one: bool) -> dict[str, bool]:
    """Prices in cards beside a single product belong to other products."""
    paid = [each for each in view.prices if not each.place.is_struck and not each.place.old]
    alike = Counter(looks for looks, _ in {(each.looks, each.money.amount) for each in paid})
    start = len(view.sight.texts) if view.heading is None else view.heading
    below = range(start + 1, start + _BELOW_HEADING_TEXTS + 1)
    return {
        "prices: none": not paid,
        "prices: many": len(paid) >= _MIN_MANY_PRICES,
        "prices: alike": max(alike.values(), default=0) >= _MIN_ALIKE_PRICES,
        "prices: only alike": bool(paid)
        and all(alike[each.looks] > _MAX_OWN_LOOKS for each in paid)
        and not (is_one and _are_of_cards(paid)),
        "prices: only in cards": _are_of_cards(paid) and not is_one,
        "prices: named so": any(each.place.priced for each in paid),
        "prices: under the heading": any(
            each.index in below
            and alike[each.looks] <= _MAX_OWN_LOOKS
            and not (at.is_away or at.is_linked or at.is_carded or at.other)
            and not NOT_PAID.search(each.text)
            for each, at in ((each, each.place) for each in paid)
        ),
        "prices: one at the heading": _is_single_amount(paid, view.heading),
    }


def _is_single_amount(paid: list[VisibleAmount], heading: int | None) -> bool:
    """Whether there is a single amount outside of cards, right at the heading."""
    places = ((each, each.place) for each in paid)
    own = [each for each, at in places if not (at.is_away or at.is_carded or at.is_linked)]
    is_near = any(
        heading is not None
        and 0 < each.index - heading <= _AT_HEADING_TEXTS
        and len(each.text) - (each.money.end - each.money.begin) < _MAX_WORDS_BESIDE
        for each in own
    )
    return is_near and len({each.money.amount for each in own}) == 1


def _are_of_cards(paid: list[VisibleAmount]) -> bool:
    places = [each.place for each in paid if not each.place.is_away]
    return bool(places) and all(each.is_carded or each.is_linked for each in places)


def _shop_signals(view: PageView, elements: Elements) -> dict[str, bool]:
    buttons = sum(not is_in_card(view.sight, each) for each in view.buttons)
    few = range(1, _MAX_OWN_BUTTONS + 1)
    hrefs = "\n".join({each.get("href") or "" for each in elements.anchors}).lower()
    clickable = (*elements.buttons, *elements.anchors)
    names = (f"{each.get('class')} {each.get('id')} {each.get('name')}" for each in clickable)
    named = sum(map(_is_buy, names))
    heading, said = view.heading, view.sight.said
    below = range(0) if heading is None else range(heading, heading + _BELOW_HEADING_TEXTS + 1)
    states = sum(index in below for name in _STATES for index in said[name])
    return {
        "buttons: a few": buttons in few,
        "buttons: many": (buttons or len(view.buttons)) > _MAX_OWN_BUTTONS,
        "buttons: a few named so": named in few,
        "buttons: many named so": named > _MAX_OWN_BUTTONS,
        "form: quantity": bool(_QUANTITY.search("\n".join(elements.fields).lower())),
        "cart: form": bool(_CART.search("\n".join(elements.forms).lower())),
        "cart: link": bool(_CART.search(hrefs)),
        "words: state": states in few,
        "links: to products": len(_PRODUCT_LINK.findall(hrefs)) >= _MIN_PRODUCT_LINKS,
    }


@lru_cache(maxsize=8_192)
def _is_buy(names: str) -> bool:
    """Cached, because a shop uses the same names on all its pages."""
    return _BUY.search(names) is not None


def _layout_signals(sight: VisibleText, elements: Elements) -> dict[str, bool]:
    articles, said = elements.articles, sight.said
    choosing = len(said["choose"])
    link_share = len(elements.anchors) / max(1, len(sight.texts))
    headings = sum(map(is_linked_title, elements.subheadings))
    short = (text for text in sight.texts if len(text) < _DATE_CHARS and _DIGIT.search(text))
    dates = elements.times + sum(_DATE.search(text) is not None for text in short)
    return {
        "cards: headings": headings >= _MIN_CARD_HEADINGS,
        "cards: titles": _linked_titles(sight) >= _MIN_CARD_TITLES,
        "cards: articles": articles >= _MIN_MANY_ARTICLES,
        "cards: one article": 1 <= articles <= _MAX_ONE_ARTICLE,
        "links: dense": link_share >= _MIN_DENSE_SHARE,
        "words: choosing": choosing >= _MIN_CHOOSING,
        "words: choosing much": choosing >= _MIN_MUCH_CHOOSING,
        "words: detail": len(said["detail"]) >= _MIN_DETAIL,
        "words: byline": bool(said["byline"]),
        "words: talk": len(said["talk"]) >= _MIN_TALK,
        "dates: many": dates >= _MIN_DATES,
        "next page": any("next" in (each.get("rel") or "") for each in elements.relations),
    }


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
_PROSE_CHARS: Final = 100
_DATE_CHARS: Final = 50
_TITLE_CHARS: Final = range(25, 151)
_STORY_CHARS: Final = 1_500
"""This much prose in one element is one story."""
_MAX_LINK_DEPTH: Final = 3
_NO_PROSE_TAGS: Final = frozenset({"a", "li", "button"})


def _prose(sight: VisibleText) -> Counter[int]:
    """Characters of prose by element."""
    found: Counter[int] = Counter()
    for text, node in zip(sight.texts, sight.nodes, strict=True):
        if len(text) > _PROSE_CHARS and node.tag not in _NO_PROSE_TAGS and node.parent is not None:
            found[node.parent.mem_id] += len(text)
    return found


def _linked_titles(sight: VisibleText) -> int:
    """How many linked texts of the length of a title look alike."""
    looks = Counter(
        f"{node.tag}.{node.attributes.get('class')}"
        for text, node in zip(sight.texts, sight.nodes, strict=True)
        if len(text) in _TITLE_CHARS
        and any(each.tag == "a" for each in islice(ancestors(node), _MAX_LINK_DEPTH))
    )
    return max(looks.values(), default=0)
