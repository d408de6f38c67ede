"""A shop over HTTP: robots.txt, sitemaps, pages, and how some shops misbehave."""

from __future__ import annotations

import gzip
import re
from collections.abc import Iterable
from dataclasses import replace
from datetime import UTC, datetime, time
from email.utils import format_datetime
from html import escape
from http import HTTPStatus
from typing import Final
from urllib.parse import quote

from gotgan.world.fault_responses import FAULT_RESPONSES
from gotgan.world.faults import FaultKind
from gotgan.world.scene import NOT_FOUND, Scene, SceneRequest, SceneResponse, plain_text, redirect
from gotgan.world.shops import pages
from gotgan.world.shops.platforms import product_list
from gotgan.world.shops.registry import HOME, SHOPS, ShopRoute, WorldShop
from gotgan.world.shops.stock import find_product, shop_stock

_SITEMAP: Final = "/sitemap.xml"
_INFO_SITEMAP: Final = "/sitemap-pages.xml"
_PRODUCTS_PER_FILE: Final = 2_000
_XMLNS: Final = 'xmlns="http://www.sitemaps.org/schemas/sitemap/0.9"'
_HEAVY: Final = 30_000_000
_MONTH: Final = re.compile(r"/kalender/([0-9]{1,6})")
_LOGIN: Final = "/login"
_FORM: Final = """\
<!doctype html>
<html lang="{code}"><head><meta charset="utf-8"><title>{login}</title></head>
<body><h1>{login}</h1><form method="post" action="/login"><input name="user">
<input name="password" type="password"><button>OK</button></form></body></html>
"""
_BURST: Final = range(7, 10)
"""The seconds of each quarter of a minute in which a rate-limiting shop refuses requests."""
_QUARTER: Final = 15
_BROKEN_MARKUP: Final = (
    (re.compile(r"</(?:li|p|nav|ul|main)>"), ""),
    (re.compile(r' class="([a-z]+)"'), r" class=\1"),
    (re.compile(r"<h1"), "<center><font size=5><h1"),
    (re.compile(r"(<a [^>]*)>"), r'\1 target="_top" target="_top">'),
    (re.compile(r"<!doctype html>\n<html([^>]*)>"), r"<HTML\1><P>"),
    (re.compile(r"\}</script>"), ",}\n</script>"),
)
"""What goes wrong where pages are written by hand: ends that are missing, quotes, commas."""


def shop_site(scene: Scene, request: SceneRequest) -> SceneResponse:
    """The response of a shop."""
    shop = SHOPS.get(request.host)
    if shop is None:
        return plain_text(f"the world has no shop {request.host}\n", 404)
    if request.path == "/robots.txt":
        return _robots_txt(shop)
    listed = product_list(scene, shop, request)
    page = listed or _sitemap(scene, shop, request.path) or _page(scene, shop, request)
    return _misbehave(scene, shop, request, page)


def _misbehave(
    scene: Scene, shop: WorldShop, request: SceneRequest, page: SceneResponse
) -> SceneResponse:
    """The page as a shop of that behaviour sends it."""
    match shop.behaviour:
        case "endless":
            return _with_calendar(scene, shop, request, page)
        case "walled":
            return _behind_login(shop, request)
        case "heavy":
            return _with_pictures(shop, request, page)
        case "broken":
            return _with_broken_markup(page)
        case "hasty" if scene.now.second % _QUARTER in _BURST:
            return FAULT_RESPONSES[FaultKind.THROTTLED](scene, request, page)
    return page


def _robots_txt(shop: WorldShop) -> SceneResponse:
    rules = f"User-agent: *\nDisallow: {shop.info_path('cart')}\n"
    if shop.sitemaps != "none":
        rules += f"Sitemap: {shop.url(_SITEMAP)}\n"
    return plain_text(rules)


def _sitemap(scene: Scene, shop: WorldShop, path: str) -> SceneResponse | None:
    if shop.sitemaps == "none" or not path.startswith("/sitemap"):
        return None
    stock = shop_stock(scene.seed, shop, scene.now.date())
    products = [_entry("url", each.url, f"{each.changed:%Y-%m-%d}") for each in stock]
    if shop.sitemaps == "one":
        entries = [*_info_entries(scene, shop), *products]
        return _sitemap_file("urlset", entries) if path == _SITEMAP else None
    begins = range(0, len(products), _PRODUCTS_PER_FILE)
    files = {f"/sitemap-products-{n}.xml.gz": begin for n, begin in enumerate(begins, 1)}
    if path == _SITEMAP:
        urls = map(shop.url, [_INFO_SITEMAP, *files])
        return _sitemap_file("sitemapindex", (_entry("sitemap", url) for url in urls))
    if path == _INFO_SITEMAP:
        return _sitemap_file("urlset", _info_entries(scene, shop))
    if path not in files:
        return None
    file = _sitemap_file("urlset", products[files[path] : files[path] + _PRODUCTS_PER_FILE])
    return SceneResponse(gzip.compress(file.body, mtime=0), kind="application/gzip")


def _info_entries(scene: Scene, shop: WorldShop) -> Iterable[str]:
    """Everything but the products; of a category only its first page, as shops do it."""
    paths = [HOME, shop.info_path("imprint"), shop.info_path("contact")]
    paths += [shop.category_path(number) for number in range(shop.categories)]
    paths += [
        shop.article_path(number, pages.article_title(scene, shop, number))
        for number in range(1, shop.articles + 1)
    ]
    return (_entry("url", shop.url(path)) for path in paths)


def _entry(kind: str, url: str, lastmod: str = "") -> str:
    time = f"<lastmod>{lastmod}</lastmod>" if lastmod else ""
    return f"<{kind}><loc>{escape(url)}</loc>{time}</{kind}>\n"


def _sitemap_file(root: str, entries: Iterable[str]) -> SceneResponse:
    text = f'<?xml version="1.0" encoding="UTF-8"?>\n<{root} {_XMLNS}>\n{"".join(entries)}</{root}>'
    return SceneResponse(text.encode(), kind="application/xml")


def _page(scene: Scene, shop: WorldShop, request: SceneRequest) -> SceneResponse:
    route = shop.route(request)
    if route is None:
        return NOT_FOUND
    if route.kind == "product":
        return _product(scene, shop, request, route.number)
    text = _text(scene, shop, route)
    return NOT_FOUND if text is None else SceneResponse(text.encode())


def _text(scene: Scene, shop: WorldShop, route: ShopRoute) -> str | None:
    match route.kind:
        case "home":
            return pages.home_page(scene, shop)
        case "category":
            return pages.category_page(scene, shop, route.number, route.page)
        case "journal" if route.number:
            return pages.article_page(scene, shop, route.number)
        case "journal":
            return pages.journal_page(scene, shop) if shop.articles else None
        case _:
            return pages.info_page(scene, shop, route.kind)


def _product(scene: Scene, shop: WorldShop, request: SceneRequest, number: int) -> SceneResponse:
    product = find_product(scene.seed, shop, number, scene.now.date())
    if product is None:
        return replace(NOT_FOUND, status=(HTTPStatus.NOT_FOUND, HTTPStatus.GONE)[number % 2])
    since = format_datetime(datetime.combine(product.changed, time(), UTC), usegmt=True)
    headers = {"Last-Modified": since}
    if request.headers.get("if-modified-since") == since and "if-none-match" not in request.headers:
        return SceneResponse(status=HTTPStatus.NOT_MODIFIED, headers=headers)
    return SceneResponse(pages.product_page(scene, shop, product).encode(), headers=headers)


def _with_calendar(
    scene: Scene, shop: WorldShop, request: SceneRequest, page: SceneResponse
) -> SceneResponse:
    """Every month has a next one, and every page a link to the first."""
    month = _MONTH.fullmatch(request.path)
    if month is None:
        first = f"<footer>{pages.link('/kalender/0', 'Kalender')}"
        return replace(page, body=page.body.replace(b"<footer>", first.encode()))
    number = int(month[1])
    days = "".join(pages.link(f"/kalender/{number}?tag={day}", str(day)) for day in range(1, 29))
    onward = pages.link(f"/kalender/{number + 1}", "Nächster Monat", "next")
    body = f"<main><h1>Kalender, Monat {number}</h1>{days}{onward}</main>"
    return SceneResponse(pages.page_html(scene, shop, "Kalender", body).encode())


def _behind_login(shop: WorldShop, request: SceneRequest) -> SceneResponse:
    if request.path != _LOGIN:
        return redirect(f"https://{shop.domain}{_LOGIN}?next={quote(request.path)}")
    return SceneResponse(_FORM.format(code=shop.language.code, login=shop.language.login).encode())


def _with_pictures(shop: WorldShop, request: SceneRequest, page: SceneResponse) -> SceneResponse:
    route = shop.route(request)
    if route is None or route.kind != "product" or page.status != HTTPStatus.OK:
        return page
    picture = b'<img alt="" src="data:image/png;base64,' + b"A" * _HEAVY + b'"></body>'
    return replace(page, body=page.body.replace(b"</body>", picture))


def _with_broken_markup(page: SceneResponse) -> SceneResponse:
    """Browsers show it nevertheless."""
    if not page.kind.startswith("text/html") or not page.body:
        return page
    text = page.body.decode()
    for right, wrong in _BROKEN_MARKUP:
        text = right.sub(wrong, text)
    return replace(page, body=text.encode() + b"\xa0\xff<!-- </table>")
