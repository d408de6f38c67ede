"""What stands around everything in a shop: menus, the foot of the page, and what only weighs."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cache, lru_cache
from html import escape
from typing import Final

from gotgan.world.scene import Scene
from gotgan.world.shops.places import HOME, category_at, house_at
from gotgan.world.shops.registry import WorldShop

__all__ = ["PageContent", "framed", "link"]

_LINES: Final = 4_000
_SPREAD: Final = 101
"""Pages weigh from a half to one and a half times the mean, by their numbers."""


@dataclass(frozen=True)
class PageContent:
    """What one page has of its own."""

    title: str
    body: str
    head: str = ""
    number: int = 50
    """What its weight follows from; 50 is the mean."""


def framed(scene: Scene, shop: WorldShop, sheet: PageContent) -> str:
    """A whole page."""
    weight = scene.shop_bytes * (50 + sheet.number % _SPREAD) // 100
    return f"""\
<!doctype html>
<html lang="{shop.tongue.code}">
<head><meta charset="utf-8"><title>{escape(sheet.title)} | {shop.domain}</title>
<meta name="viewport" content="width=device-width">
{sheet.head}
<style>{_ballast(weight // 3)}</style></head>
<body>
{_menu(shop)}
{sheet.body}
{_foot(shop)}
<script type="text/plain">{_ballast(2 * weight // 3)}</script>
</body>
</html>
"""


def link(place: str, text: str, rel: str = "") -> str:
    """A link within a page."""
    said = f' rel="{rel}"' if rel else ""
    return f'<a href="{escape(place)}"{said}>{escape(text)}</a>'


@lru_cache(maxsize=256)
def _menu(shop: WorldShop) -> str:
    names = enumerate(shop.tongue.categories[: shop.categories])
    entries = "".join(f"<li>{link(category_at(shop, each), name)}</li>" for each, name in names)
    home = link(HOME, shop.tongue.home)
    cart = link(house_at(shop, "cart"), "0", "nofollow")
    return f"<header><nav><ul><li>{home}</li>{entries}</ul></nav>{cart}</header>"


@lru_cache(maxsize=256)
def _foot(shop: WorldShop) -> str:
    """Its links lead to the house itself, to other sites, and nowhere."""
    tongue = shop.tongue
    journal = link(house_at(shop, "journal"), tongue.journal) if shop.articles else ""
    return f"""\
<footer>{link(house_at(shop, "imprint"), tongue.imprint)}
{link(house_at(shop, "contact") + "#form", tongue.contact)} {journal}
<a href="mailto:info@{shop.domain}">info@{shop.domain}</a> <a href="javascript:void(0)">↑</a>
<a href="https://www.example-news.test/">www.example-news.test</a>
<img src="/logo.svg" alt="{shop.domain}"></footer>"""


def _ballast(size: int) -> str:
    return _lines()[:size].rpartition("\n")[0]


@cache
def _lines() -> str:
    """Rules of style: the greater part of what a page of today weighs."""
    return "".join(f".tile-{n} .edge{{margin:{n % 7}rem auto;order:{n}}}\n" for n in range(_LINES))
