"""The signals of a page: what speaks for its type, each a number from 0 to 1.

They are about structure and meaning, not about a shop system: what is declared, the own price and
button, the items that the page repeats, its prose, its words and its path. One amount gives one
signal, however many marks it has.
"""

from __future__ import annotations

import math
import re
from collections import Counter
from collections.abc import Mapping
from itertools import islice
from typing import Final
from urllib.parse import unquote, urlsplit

from gotgan.domains.shops.extract.document import Document, Elements
from gotgan.domains.shops.extract.items import (
    PROSE_CHARS,
    RepeatedItems,
    dated_texts,
)
from gotgan.domains.shops.extract.phrases import NOT_PAID
from gotgan.domains.shops.extract.products import StructuredData
from gotgan.domains.shops.extract.view import PageView, is_buy_name, is_single_product
from gotgan.domains.shops.extract.visible_price import VisibleAmount
from gotgan.domains.shops.extract.visible_text import VisibleText, ancestors, is_in_card

_COLLECTIONS: Final = frozenset({"collectionpage", "itemlist", "offercatalog", "searchresultspage"})
_TALKS: Final = frozenset({"discussionforumposting", "qapage", "question", "comment"})
_ARTICLES: Final = ("article", "posting")
_CART: Final = re.compile(
    r"/(?:(?:my|your|view|shop|shopping|add-?_?to|open)[-_]?)?(?:cart|basket|bag|checkout|warenkorb"
    r"|einkaufswagen|panier|carrello|carrito|winkelwagen|varukorg|koszyk|kosik)(?:[/?#.]|$)",
    re.MULTILINE,
)
_QUANTITY: Final = re.compile(r"qty|quantit|menge|anzahl|kolicina")
_PRODUCT: Final = (
    r"[-/](?:products?|p|dp|itm|ip|items?|pd|produkte?|produits?|artikel|prod|goods|prodotti"
    r"|producto|상품)(?:/|\.php|\.aspx?)"
)
_PRODUCT_LINK: Final = re.compile(_PRODUCT, re.MULTILINE)
_STATES: Final = ("sold", "reserved", "later", "available", "request")
_MAX_OWN_BUTTONS: Final = 4
_MIN_SEVERAL_PRODUCTS: Final = 3
_MAX_OWN_LOOKS: Final = 2
_BELOW_HEADING_TEXTS: Final = 40
_MAX_CHARS_BESIDE: Final = 20
_STORY_CHARS: Final = 1_500
"""This much prose in one element is one story."""
_MAX_ONE_ARTICLE: Final = 2
"""An article and its teaser, for example."""
_NO_PROSE_TAGS: Final = frozenset({"a", "li", "button"})
_PATH_EXPRESSIONS: Final = {
    "path: product": _PRODUCT,
    "path: number": r"[-/]p?\d{5,}(?:\.html?|\.aspx|\.php|/|$)",
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
        r"|returns?|login|account|register|cart|basket|checkout|warenkorb|panier|carrito|cesta|carrello|carrinho"
        r"|winkelwagen|varukorg|koszyk|kosik|wishlist|faqs?|문의|회사소개)(?:\.\w+)?/?$"
    ),
}
_PATH_PATTERNS: Final = {
    name: re.compile(each, re.IGNORECASE) for name, each in _PATH_EXPRESSIONS.items()
}


def page_signals(document: Document, declared: StructuredData, view: PageView) -> dict[str, float]:
    """The signals that a page gives, by name; those of 0 are left out."""
    found = all_signals(document, declared, view)
    return {name: round(float(value), 3) for name, value in found.items() if value}


def all_signals(document: Document, declared: StructuredData, view: PageView) -> dict[str, float]:
    """Every signal, by name."""
    elements, sight = document.elements, view.sight
    prose = _prose(sight)
    story = max(prose.values(), default=0)
    items = view.items
    try:
        path = unquote(urlsplit(document.address).path)
    except ValueError:
        path = ""
    chars = sum(map(len, sight.texts))
    dated = dated_texts(sight)
    is_one_story = story >= _STORY_CHARS
    found: dict[str, float] = {
        "words: of one product": is_single_product(view),
        "text: prose": _grown(prose.total(), 10_000),
        "text: share of prose": prose.total() / max(1, chars),
        "text: story": _grown(story, 5_000),
        "text: one story": is_one_story,
        **_meta_signals(elements.metas),
        **_declared_signals(declared, is_one_story=is_one_story),
        **_price_signals(view, items, prose),
        **_shop_signals(view, elements),
        **_item_signals(view, items, chars, dated),
        **_layout_signals(sight, elements, dated),
        **{name: bool(pattern.search(path)) for name, pattern in _PATH_PATTERNS.items()},
    }
    if found["price: own for a time"]:
        found["words: of one product"] = 0.0
    return found | _joint_signals(found)


def _joint_signals(found: Mapping[str, float]) -> dict[str, float]:
    """What several signals say together, which none of them says alone."""

    def most(*names: str) -> float:
        return float(max(found[name] for name in names))

    button = most("buttons: own", "buttons: below the heading")
    is_product = most("declared: product", "meta: product", "words: of one product")
    is_shop = most("cart: link", "cart: form", "buttons: own", "buttons: many")
    is_shop = max(is_shop, found["declared: product with a price"])
    is_article = most("words: byline", "meta: article", "declared: article", "path: article")
    for_sale = most("items: with a price", "prices: in a list")
    is_list = found["items: many"] >= _MIN_ITEMS_SHARE and for_sale < _MIN_SOLD_SHARE
    own, story = found["price: own"], found["text: one story"]
    confirmed = max(button, most("form: quantity", "words: of one product"))
    return {
        "shop: signs": is_shop,
        "offer: own": max(own * confirmed, found["declared: product with a price"]),
        "offer: outside a shop": own * (1 - is_shop) * (1 - is_product),
        "offer: none": own < _MIN_OWN_STRENGTH and not button and not is_product,
        "items: for sale": for_sale,
        "items: beside one product": for_sale * found["words: of one product"],
        "items: for sale in a shop": for_sale * is_shop,
        "items: not for sale": (1 - is_shop / 2) * is_list,
        "story: not of a shop": story * (1 - is_shop),
        "story: with marks of an article": story * is_article,
    }


_MIN_SOLD_SHARE: Final = 0.3
_MIN_ITEMS_SHARE: Final = 0.4
_MIN_OWN_STRENGTH: Final = 0.3


def _grown(number: float, most: float) -> float:
    """From 0 to 1 with the logarithm of a number, up to a most."""
    return min(1.0, math.log1p(number) / math.log1p(most))


def _meta_signals(metas: Mapping[str, str]) -> dict[str, bool]:
    kind = metas.get("og:type", "").lower().removeprefix("og:")
    has_product = any(name.startswith("product:") for name in metas)
    is_group = kind.startswith("product.group")
    return {
        "meta: product": (has_product or kind.startswith("product")) and not is_group,
        "meta: group of products": is_group,
        "meta: article": kind == "article" or "article:published_time" in metas,
    }


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


def _price_signals(view: PageView, items: RepeatedItems, prose: Counter[int]) -> dict[str, float]:
    """An amount in a story is not an offer; the best own amount gives one signal."""
    stories = {each for each, chars in prose.items() if chars >= _STORY_CHARS}
    shown = [each for each in view.prices if not (each.place.is_struck or each.place.old)]
    paid = [each for each in shown if not _is_in(view.sight, each.index, stories)]
    alike = Counter(looks for looks, _ in {(each.looks, each.money.amount) for each in paid})
    alone = [each for each in paid if alike[each.looks] <= _MAX_OWN_LOOKS and _is_own(each)]
    own = [each for each in alone if not _is_rate(each)]
    listed = [each for each in paid if not each.place.is_away and each not in own]
    start = view.heading
    strength = max((_strength(each, start) for each in own), default=0.0)
    return {
        "price: own": strength,
        "price: own and no other": strength > 0 and len({each.money.amount for each in own}) == 1,
        "prices: none": not paid,
        "prices: in a list": _grown(len(listed), 40),
        "prices: in a story": _grown(len(shown) - len(paid), 10),
        "prices: for a time": any(map(_is_rate, shown)),
        "price: own for a time": bool(alone) and not own,
        "items: with a price": items.share(each.index for each in shown),
    }


_RATE: Final = re.compile(
    r"/ ?(?:mo|month|visit|session|person|yr|year|user|hour|hr|night|day|week|monat|jahr|mois|an"
    r"|heure|nuit|월|년)\b"
    r"|(?:per|a|each|pro|im|par) (?:month|year|user|hour|night|day|week|person|visit|session|monat"
    r"|jahr|tag|mois|an|heure|nuit|personne)\b|monthly|yearly|annually|monatlich|jährlich|mensuel"
    r"|개월",
    re.IGNORECASE,
)


def _is_rate(each: VisibleAmount) -> bool:
    return _RATE.search(f"{each.text} {each.after}") is not None


_NAMED_SHARE: Final = 0.4
_BELOW_SHARE: Final = 0.6


def _strength(each: VisibleAmount, heading: int | None) -> float:
    """How much an amount looks like the price of the page."""
    distance = each.index - heading if heading is not None else -1
    nearness = 1 - distance / _BELOW_HEADING_TEXTS if 0 < distance < _BELOW_HEADING_TEXTS else 0.0
    return _NAMED_SHARE * bool(each.place.priced) + _BELOW_SHARE * math.sqrt(nearness)


def _is_own(each: VisibleAmount) -> bool:
    place = each.place
    is_elsewhere = place.is_away or place.is_carded or place.is_linked or place.other
    is_wordy = len(each.text) - (each.money.end - each.money.begin) > _MAX_CHARS_BESIDE
    return not (is_elsewhere or is_wordy or NOT_PAID.search(each.text))


def _is_in(sight: VisibleText, index: int, stories: set[int]) -> bool:
    node = sight.nodes[index]
    return bool(stories) and any(each.mem_id in stories for each in islice(ancestors(node), 4))


def _shop_signals(view: PageView, elements: Elements) -> dict[str, float]:
    sight, phrases = view.sight, view.sight.phrases
    shown = [each for each in view.buttons if not sight.place(sight.nodes[each]).is_away]
    own = [each for each in shown if not is_in_card(sight, each)]
    hrefs = "\n".join({each.get("href") or "" for each in elements.anchors}).lower()
    clickable = (*elements.buttons, *elements.anchors)
    names = (f"{each.get('class')} {each.get('id')} {each.get('name')}" for each in clickable)
    named = sum(map(is_buy_name, names))
    heading = view.heading
    below = range(0) if heading is None else range(heading, heading + _BELOW_HEADING_TEXTS + 1)
    states = sum(index in below for name in _STATES for index in phrases[name])
    few = range(1, _MAX_OWN_BUTTONS + 1)
    return {
        "buttons: own": len(own) in few,
        "buttons: below the heading": any(each in below for each in own),
        "buttons: many": len(shown) > _MAX_OWN_BUTTONS,
        "buttons: a few named so": named in few,
        "buttons: many named so": named > _MAX_OWN_BUTTONS,
        "form: quantity": bool(_QUANTITY.search("\n".join(elements.fields).lower())),
        "cart: form": bool(_CART.search("\n".join(elements.forms).lower())),
        "cart: link": bool(_CART.search(hrefs)),
        "words: state": states in few,
        "links: to products": _grown(len(_PRODUCT_LINK.findall(hrefs)), 60),
    }


def _item_signals(
    view: PageView, items: RepeatedItems, chars: int, dated: list[int]
) -> dict[str, float]:
    """What the items of a page have, and where they lead."""
    sight = view.sight
    paths = [_path(each) for each in items.hrefs]
    count = max(1, items.count)
    first = items.starts[0] if items.starts else len(sight.texts)
    start = view.heading if view.heading is not None and view.heading < first else 0
    ahead = sum(len(text) for text in sight.texts[start:first] if len(text) > PROSE_CHARS)
    lengths = [index for index, text in enumerate(sight.texts) if len(text) > PROSE_CHARS]
    buttons = [*sight.phrases["buy"], *sight.phrases["choose"]]
    return {
        "items: many": _grown(items.count, 50),
        "items: share of the text": min(1.0, items.chars / max(1, chars)),
        "items: after prose": _grown(ahead, 5_000) if items.count else 0.0,
        "items: with a date": items.share(dated),
        "items: with prose": items.share(lengths),
        "items: with a button": items.share(buttons),
        "items: to products": sum(map(_is_product_path, paths)) / count,
        "items: to articles": sum(map(_is_article_path, paths)) / count,
    }


def _path(href: str) -> str:
    return href.partition("#")[0].partition("?")[0].lower()


def _is_product_path(path: str) -> bool:
    return _PRODUCT_LINK.search(path) is not None


def _is_article_path(path: str) -> bool:
    return _PATH_PATTERNS["path: article"].search(path) is not None


def _layout_signals(sight: VisibleText, elements: Elements, dated: list[int]) -> dict[str, float]:
    phrases = sight.phrases
    counts = elements.counts
    articles = counts["article"]
    return {
        "layout: articles": _grown(articles * (articles > _MAX_ONE_ARTICLE), 30),
        "layout: one article": 1 <= articles <= _MAX_ONE_ARTICLE,
        "layout: code": _grown(counts["code"] + counts["pre"], 20),
        "links: dense": min(1.0, len(elements.anchors) / max(1, len(sight.texts))),
        "form: message": bool(counts["textarea"]),
        "words: choosing": _grown(len(phrases["choose"]), 12),
        "words: detail": _grown(len(phrases["detail"]), 12),
        "words: byline": bool(phrases["byline"]),
        "words: talk": _grown(len(phrases["talk"]), 20),
        "words: service": _grown(len(phrases["service"]), 8),
        "words: elsewhere": _grown(len(phrases["elsewhere"]), 8),
        "dates: many": _grown(counts["time"] + len(dated), 30),
        "next page": any("next" in (each.get("rel") or "") for each in elements.relations),
        "heading: none": not elements.headings,
    }


def _prose(sight: VisibleText) -> Counter[int]:
    """Characters of prose by element."""
    found: Counter[int] = Counter()
    for text, node in zip(sight.texts, sight.nodes, strict=True):
        if len(text) > PROSE_CHARS and node.tag not in _NO_PROSE_TAGS and node.parent is not None:
            found[node.parent.mem_id] += len(text)
    return found
