"""The pages of a shop, with the menu, the footer and the padding around them."""

from __future__ import annotations

from collections.abc import Iterable
from functools import cache, lru_cache
from html import escape
from typing import Final

from gotgan.world.scene import Scene, seeded_random
from gotgan.world.shops.offers import json_ld_script, offer_markup, price_text
from gotgan.world.shops.platforms import PLATFORM_MARKS
from gotgan.world.shops.registry import HOME, Kind, WorldShop
from gotgan.world.shops.stock import Product, related_products, shop_stock

PAGE_SIZE: Final = 24
"""How many products one page of a category shows."""
_NEW: Final = 8
_LINES: Final = 4_000
_SPREAD: Final = 101
"""Pages weigh from a half to one and a half times the mean, by their numbers."""
_FROM_HOME: Final = "utm_source=home&utm_medium=tile"
_FROM_SEARCH: Final = "srsltid=AfmBOo"
_FROM_RELATED: Final = "ref=related"
_LONG_GONE: Final = 999_999
"""A product that no shop has any more, and that every article links to."""


def page_html(
    scene: Scene, shop: WorldShop, title: str, body: str, head: str = "", number: int = 50
) -> str:
    """A whole page; its weight follows from ``number``, where 50 is the mean."""
    weight = scene.shop_bytes * (50 + number % _SPREAD) // 100
    head += "" if shop.platform is None else PLATFORM_MARKS[shop.platform]
    return f"""\
<!doctype html>
<html lang="{shop.language.code}">
<head><meta charset="utf-8"><title>{escape(title)} | {shop.domain}</title>
<meta name="viewport" content="width=device-width">
{head}
<style>{_padding(weight // 3)}</style></head>
<body>
{_menu(shop)}
{body}
{_footer(shop)}
<script type="text/plain">{_padding(2 * weight // 3)}</script>
</body>
</html>
"""


def link(place: str, text: str, rel: str = "") -> str:
    """A link within a page."""
    rel_attribute = f' rel="{rel}"' if rel else ""
    return f'<a href="{escape(place)}"{rel_attribute}>{escape(text)}</a>'


@lru_cache(maxsize=256)
def _menu(shop: WorldShop) -> str:
    names = enumerate(shop.language.categories[: shop.categories])
    entries = "".join(f"<li>{link(shop.category_path(each), name)}</li>" for each, name in names)
    home = link(HOME, shop.language.home)
    cart = link(shop.info_path("cart"), "0", "nofollow")
    return f"<header><nav><ul><li>{home}</li>{entries}</ul></nav>{cart}</header>"


@lru_cache(maxsize=256)
def _footer(shop: WorldShop) -> str:
    """With links to other sites, and some that lead nowhere."""
    language = shop.language
    journal = link(shop.info_path("journal"), language.journal) if shop.articles else ""
    return f"""\
<footer>{link(shop.info_path("imprint"), language.imprint)}
{link(shop.info_path("contact") + "#form", language.contact)} {journal}
<a href="mailto:info@{shop.domain}">info@{shop.domain}</a> <a href="javascript:void(0)">↑</a>
<a href="https://www.example-news.test/">www.example-news.test</a>
<img src="/logo.svg" alt="{shop.domain}"></footer>"""


def _padding(size: int) -> str:
    return _lines()[:size].rpartition("\n")[0]


@cache
def _lines() -> str:
    """CSS rules, the greater part of a page."""
    return "".join(f".tile-{n} .edge{{margin:{n % 7}rem auto;order:{n}}}\n" for n in range(_LINES))


def home_page(scene: Scene, shop: WorldShop) -> str:
    """The home page: new products, by links with tracking parameters."""
    newest = shop_stock(scene.seed, shop, scene.now.date())[:_NEW]
    cards = "".join(_card(shop, each, _FROM_HOME) for each in newest)
    body = f'<main><h1>{shop.domain}</h1><div class="new">{cards}</div></main>'
    return page_html(scene, shop, shop.language.home, body, _canonical(shop, HOME))


def category_page(scene: Scene, shop: WorldShop, number: int, page: int) -> str | None:
    """A page of a category; None after the last one."""
    stock = shop_stock(scene.seed, shop, scene.now.date())
    all_of_it = [each for each in stock if each.category == number]
    shown = all_of_it[(page - 1) * PAGE_SIZE : page * PAGE_SIZE]
    if number >= shop.categories or page < 1 or (page > 1 and not shown):
        return None
    name = shop.language.categories[number]
    cards = "".join(_card(shop, each, _tracking(each, _FROM_SEARCH)) for each in shown)
    more = page * PAGE_SIZE < len(all_of_it)
    onward = link(shop.category_path(number, page + 1), shop.language.next, "next") if more else ""
    sorting = link(_with_query(shop.category_path(number), "sort=price"), "€ ↓", "nofollow")
    body = f"<main><h1>{name}</h1>{sorting}<ul>{cards}</ul>{onward}</main>"
    head = _canonical(shop, shop.category_path(number, page))
    return page_html(scene, shop, name, body, head)


def product_page(scene: Scene, shop: WorldShop, product: Product) -> str:
    """A product's page; it changes only when the product does."""
    marks = offer_markup(shop, product)
    language = shop.language
    category = link(shop.category_path(product.category), language.categories[product.category])
    dice = seeded_random(scene.seed, shop.domain, product.number, "text")
    texts = [language.make_text(dice, count) for count in (4, 3)]
    body = f"""\
<nav class="trail">{link(HOME, language.home)} / {category}</nav>
<main class="product"{marks.scope}><h1{marks.name}>{escape(product.title)}</h1>
<img src="/media/{product.number:06}.jpg" alt="{escape(product.title)}">
<div class="offer"{marks.offer}>{marks.price}{marks.status}</div>
{_buying(shop, product)}
<p>{texts[0]}</p><p>{texts[1]}</p></main>
{_related(scene, shop, product)}"""
    head = _canonical(shop, product.place) + marks.head
    return page_html(scene, shop, product.title, body, head, product.number)


def journal_page(scene: Scene, shop: WorldShop) -> str:
    """The list of articles."""
    titles = enumerate((article_title(scene, shop, each) for each in _articles(shop)), 1)
    items = "".join(f"<li>{link(shop.article_path(n, name), name)}</li>" for n, name in titles)
    body = f"<main><h1>{shop.language.journal}</h1><ul>{items}</ul></main>"
    return page_html(scene, shop, shop.language.journal, body)


def article_page(scene: Scene, shop: WorldShop, number: int) -> str | None:
    """An article."""
    if number not in _articles(shop):
        return None
    name = article_title(scene, shop, number)
    dice = seeded_random(scene.seed, shop.domain, number, "article")
    texts = "".join(f"<p>{shop.language.make_text(dice, 5)}</p>" for _ in range(8))
    long_gone = link(shop.product_path(_LONG_GONE, name), name)
    about = {"@context": "https://schema.org", "@type": "Article", "headline": name}
    head = json_ld_script(about) if shop.standard == "json-ld" else ""
    body = f"<main><article><h1>{escape(name)}</h1>{texts}{long_gone}</article></main>"
    return page_html(scene, shop, name, body, head)


def article_title(scene: Scene, shop: WorldShop, number: int) -> str:
    """The title of an article."""
    dice = seeded_random(scene.seed, shop.domain, number, "journal")
    return shop.language.make_title(dice, number % len(shop.language.categories))


def info_page(scene: Scene, shop: WorldShop, kind: Kind) -> str:
    """The imprint, the contact, the cart."""
    language = shop.language
    name = {"imprint": language.imprint, "contact": language.contact}.get(kind, language.add)
    body = f"<main><h1>{name}</h1><p>{shop.domain}, {shop.country}</p></main>"
    return page_html(scene, shop, name, body)


def _articles(shop: WorldShop) -> Iterable[int]:
    return range(1, shop.articles + 1)


def _card(shop: WorldShop, each: Product, twin: str) -> str:
    word = "" if each.status == "AVAILABLE" else f"<em>{shop.language.statuses[each.status]}</em>"
    return (
        f'<li class="card"><img src="/media/{each.number:06}-s.jpg" alt="">'
        f"{link(_with_query(each.place, twin), each.title)}"
        f'<span class="price">{price_text(shop, each)}</span>{word}</li>\n'
    )


def _tracking(each: Product, query: str) -> str:
    """What every fifth link has behind its address, and means noproduct."""
    return query if each.number // 100 % 5 == 0 else ""


def _buying(shop: WorldShop, product: Product) -> str:
    if product.status != "AVAILABLE" or product.price is None:
        return ""
    place = f"{shop.info_path('cart')}?add={product.number:06}"
    return f'<p class="buy">{link(place, shop.language.add, "nofollow")}</p>'


def _related(scene: Scene, shop: WorldShop, product: Product) -> str:
    """Always the same products, so that the page does not change."""
    links = "".join(
        f"<li>{link(_with_query(each.place, _tracking(each, _FROM_RELATED)), each.title)}</li>"
        for each in related_products(scene.seed, shop, product)
    )
    return f"<aside><h2>{shop.language.related}</h2><ul>{links}</ul></aside>"


def _with_query(place: str, query: str) -> str:
    if not query:
        return place
    return f"{place}{'&' if '?' in place else '?'}{query}"


def _canonical(shop: WorldShop, place: str) -> str:
    return f'<link rel="canonical" href="{escape(shop.url(place))}">\n'
