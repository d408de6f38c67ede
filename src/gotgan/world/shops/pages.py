"""The pages of a shop."""

from __future__ import annotations

from collections.abc import Iterable
from html import escape
from typing import Final

from gotgan.world.scene import Scene, chance
from gotgan.world.shops.layout import PageContent, framed, link
from gotgan.world.shops.offers import marked, script, shown_price
from gotgan.world.shops.places import (
    HOME,
    Kind,
    article_at,
    category_at,
    house_at,
    product_at,
    url_of,
)
from gotgan.world.shops.prose import sentences, title
from gotgan.world.shops.registry import WorldShop
from gotgan.world.shops.stock import Product, beside, stock_of

__all__ = [
    "PAGE_SIZE",
    "article",
    "article_title",
    "category",
    "home",
    "house",
    "journal",
    "product",
]

PAGE_SIZE: Final = 24
"""How many products one page of a category shows."""
_NEW: Final = 8
_FROM_HOME: Final = "utm_source=home&utm_medium=tile"
_FROM_SEARCH: Final = "srsltid=AfmBOo"
_FROM_RELATED: Final = "ref=related"
_LONG_GONE: Final = 999_999
"""The number of something that no shop has any more, and that every article still links to."""


def home(scene: Scene, shop: WorldShop) -> str:
    """The first page: what is new, by links that say where they were clicked."""
    newest = stock_of(scene.seed, shop, scene.now.date())[:_NEW]
    cards = "".join(_card(shop, each, _FROM_HOME) for each in newest)
    body = f'<main><h1>{shop.domain}</h1><div class="new">{cards}</div></main>'
    return framed(scene, shop, PageContent(shop.tongue.home, body, _canonical(shop, HOME)))


def category(scene: Scene, shop: WorldShop, number: int, page: int) -> str | None:
    """A page of a category, while there are products on it."""
    stock = stock_of(scene.seed, shop, scene.now.date())
    all_of_it = [each for each in stock if each.category == number]
    shown = all_of_it[(page - 1) * PAGE_SIZE : page * PAGE_SIZE]
    if number >= shop.categories or page < 1 or (page > 1 and not shown):
        return None
    name = shop.tongue.categories[number]
    cards = "".join(_card(shop, each, _twin(each, _FROM_SEARCH)) for each in shown)
    more = page * PAGE_SIZE < len(all_of_it)
    onward = link(category_at(shop, number, page + 1), shop.tongue.next, "next") if more else ""
    sorting = link(_with(category_at(shop, number), "sort=price"), "€ ↓", "nofollow")
    body = f"<main><h1>{name}</h1>{sorting}<ul>{cards}</ul>{onward}</main>"
    head = _canonical(shop, category_at(shop, number, page))
    return framed(scene, shop, PageContent(name, body, head))


def product(scene: Scene, shop: WorldShop, thing: Product) -> str:
    """A product's page; it changes only when the product does."""
    marks = marked(shop, thing)
    tongue, name = shop.tongue, shop.tongue.categories[thing.category]
    dice = chance(scene.seed, shop.domain, thing.number, "text")
    body = f"""\
<nav class="trail">{link(HOME, tongue.home)} / {link(category_at(shop, thing.category), name)}</nav>
<main class="product"{marks.scope}><h1{marks.name}>{escape(thing.title)}</h1>
<img src="/media/{thing.number:06}.jpg" alt="{escape(thing.title)}">
<div class="offer"{marks.offer}>{marks.price}{marks.status}</div>
{_buying(shop, thing)}
<p>{sentences(dice, tongue.code, 4)}</p><p>{sentences(dice, tongue.code, 3)}</p></main>
{_related(scene, shop, thing)}"""
    head = _canonical(shop, thing.place) + marks.head
    return framed(scene, shop, PageContent(thing.title, body, head, thing.number))


def journal(scene: Scene, shop: WorldShop) -> str:
    """What was written, all on one page."""
    titles = ((number, article_title(scene, shop, number)) for number in _articles(shop))
    items = "".join(f"<li>{link(article_at(shop, each, name), name)}</li>" for each, name in titles)
    body = f"<main><h1>{shop.tongue.journal}</h1><ul>{items}</ul></main>"
    return framed(scene, shop, PageContent(shop.tongue.journal, body))


def article(scene: Scene, shop: WorldShop, number: int) -> str | None:
    """Something to read."""
    if number not in _articles(shop):
        return None
    name = article_title(scene, shop, number)
    dice = chance(scene.seed, shop.domain, number, "article")
    texts = "".join(f"<p>{sentences(dice, shop.tongue.code, 5)}</p>" for _ in range(8))
    long_gone = link(product_at(shop, _LONG_GONE, name), name)
    said = {"@context": "https://schema.org", "@type": "Article", "headline": name}
    head = script(said) if shop.standard == "json-ld" else ""
    body = f"<main><article><h1>{escape(name)}</h1>{texts}{long_gone}</article></main>"
    return framed(scene, shop, PageContent(name, body, head))


def article_title(scene: Scene, shop: WorldShop, number: int) -> str:
    """What an article is called."""
    dice = chance(scene.seed, shop.domain, number, "journal")
    return title(dice, shop.tongue.code, number % len(shop.tongue.categories))


def house(scene: Scene, shop: WorldShop, kind: Kind) -> str:
    """The imprint, the contact, the cart."""
    tongue = shop.tongue
    name = {"imprint": tongue.imprint, "contact": tongue.contact}.get(kind, tongue.add)
    body = f"<main><h1>{name}</h1><p>{shop.domain}, {shop.country}</p></main>"
    return framed(scene, shop, PageContent(name, body))


def _articles(shop: WorldShop) -> Iterable[int]:
    return range(1, shop.articles + 1)


def _card(shop: WorldShop, each: Product, twin: str) -> str:
    word = "" if each.status == "AVAILABLE" else f"<em>{shop.tongue.statuses[each.status]}</em>"
    return (
        f'<li class="card"><img src="/media/{each.number:06}-s.jpg" alt="">'
        f"{link(_with(each.place, twin), each.title)}"
        f'<span class="price">{shown_price(shop, each)}</span>{word}</li>\n'
    )


def _twin(each: Product, query: str) -> str:
    """What every fifth link has behind its address, and means nothing."""
    return query if each.number // 100 % 5 == 0 else ""


def _buying(shop: WorldShop, thing: Product) -> str:
    if thing.status != "AVAILABLE" or thing.price is None:
        return ""
    place = f"{house_at(shop, 'cart')}?add={thing.number:06}"
    return f'<p class="buy">{link(place, shop.tongue.add, "nofollow")}</p>'


def _related(scene: Scene, shop: WorldShop, thing: Product) -> str:
    """Always the same things, so that the page stays as it is."""
    links = "".join(
        f"<li>{link(_with(each.place, _twin(each, _FROM_RELATED)), each.title)}</li>"
        for each in beside(scene.seed, shop, thing)
    )
    return f"<aside><h2>{shop.tongue.related}</h2><ul>{links}</ul></aside>"


def _with(place: str, query: str) -> str:
    if not query:
        return place
    return f"{place}{'&' if '?' in place else '?'}{query}"


def _canonical(shop: WorldShop, place: str) -> str:
    return f'<link rel="canonical" href="{escape(url_of(shop, place))}">\n'
