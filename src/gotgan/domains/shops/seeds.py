"""Where a crawl begins: the front page of a shop, and what its sitemaps list."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

from gotgan.domains.shops.canonical import canonical
from gotgan.domains.shops.sitemaps import Sitemap, read_sitemap, walked
from gotgan.domains.shops.sites import is_same_site
from gotgan.errors import FetchError
from gotgan.events import emit
from gotgan.fetch import Web

__all__ = ["seeds", "sitemaps_in"]

_TEXT: Final = "text/plain,*/*;q=0.5"
_XML: Final = "application/xml,text/xml;q=0.9,*/*;q=0.5"
_WORD: Final = "sitemap:"
_LARGEST: Final = 50_000_000
"""As large as the protocol of sitemaps lets one be."""


def seeds(web: Web, domain: str) -> Iterator[str]:
    """The front page, then the pages of all sitemaps; what cannot be had is left out."""
    home = f"https://{domain}/"
    yield home
    for listed in walked(_sitemaps(web, home, domain), lambda url: _read(web, url)):
        page = canonical(listed.url)
        if page is not None and is_same_site(page, domain):
            yield page


def sitemaps_in(robots: str) -> list[str]:
    """The sitemaps that a robots.txt names."""
    lines = (line.partition("#")[0].strip() for line in robots.splitlines())
    named = (line[len(_WORD) :].strip() for line in lines if line.lower().startswith(_WORD))
    return list(dict.fromkeys(filter(None, named)))


def _sitemaps(web: Web, home: str, domain: str) -> list[str]:
    try:
        robots = web.get(f"{home}robots.txt", accept=_TEXT).body.decode(errors="replace")
    except FetchError:
        robots = ""
    named = [url for url in sitemaps_in(robots) if is_same_site(url, domain)]
    return named or [f"{home}sitemap.xml"]


def _read(web: Web, url: str) -> Sitemap:
    try:
        answer = web.get(url, accept=_XML, most_bytes=_LARGEST)
    except FetchError as error:
        emit("shops.sitemap.missing", url=url, reason=error.message)
        return Sitemap(flaw=error.message)
    return read_sitemap(answer.body, url)
