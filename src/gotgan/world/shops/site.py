"""A shop over HTTP: which page is asked for, and whether the client has it already."""

from __future__ import annotations

from dataclasses import replace
from datetime import UTC, date, datetime, time
from email.utils import format_datetime
from http import HTTPStatus
from typing import Final

from gotgan.world.scene import MISSING, Scene, SceneRequest, SceneResponse, plain
from gotgan.world.shops import pages
from gotgan.world.shops.natures import NATURES
from gotgan.world.shops.places import ShopRoute, place_of
from gotgan.world.shops.registry import SHOPS, WorldShop
from gotgan.world.shops.sitemaps import robots, sitemap
from gotgan.world.shops.stock import product_of

__all__ = ["shop"]

_ROBOTS: Final = "/robots.txt"


def shop(scene: Scene, asked: SceneRequest) -> SceneResponse:
    """What the shop of that name answers."""
    it = SHOPS.get(asked.host)
    if it is None:
        return plain(f"the world has no shop {asked.host}\n", 404)
    if asked.path == _ROBOTS:
        return robots(it)
    page = sitemap(scene, it, asked.path) or _page(scene, it, asked)
    return NATURES[it.nature](scene, it, asked, page)


def _page(scene: Scene, it: WorldShop, asked: SceneRequest) -> SceneResponse:
    place = place_of(it, asked)
    if place is None:
        return MISSING
    if place.kind == "product":
        return _product(scene, it, asked, place.number)
    text = _text(scene, it, place)
    return MISSING if text is None else SceneResponse(text.encode())


def _text(scene: Scene, it: WorldShop, place: ShopRoute) -> str | None:
    match place.kind:
        case "home":
            return pages.home(scene, it)
        case "category":
            return pages.category(scene, it, place.number, place.page)
        case "journal" if place.number:
            return pages.article(scene, it, place.number)
        case "journal":
            return pages.journal(scene, it) if it.articles else None
        case _:
            return pages.house(scene, it, place.kind)


def _product(scene: Scene, it: WorldShop, asked: SceneRequest, number: int) -> SceneResponse:
    thing = product_of(scene.seed, it, number, scene.now.date())
    if thing is None:
        return replace(MISSING, status=(HTTPStatus.NOT_FOUND, HTTPStatus.GONE)[number % 2])
    since = _http_date(thing.changed)
    headers = {"Last-Modified": since}
    if asked.headers.get("if-modified-since") == since and "if-none-match" not in asked.headers:
        return SceneResponse(status=HTTPStatus.NOT_MODIFIED, headers=headers)
    return SceneResponse(pages.product(scene, it, thing).encode(), headers=headers)


def _http_date(day: date) -> str:
    return format_datetime(datetime.combine(day, time(), UTC), usegmt=True)
