"""Where a crawl begins: the front page of a shop, and what its sitemaps list."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from functools import partial
from typing import Final

from gotgan.domains.shops.canonical import canonical
from gotgan.domains.shops.sitemaps import Sitemap, read_sitemap, walked
from gotgan.domains.shops.sites import is_same_site
from gotgan.errors import FetchError, PageMissing
from gotgan.fetch import Web

__all__ = ["front_page", "seeds", "sitemaps_in"]

_TEXT: Final = "text/plain,*/*;q=0.5"
_XML: Final = "application/xml,text/xml;q=0.9,*/*;q=0.5"
_WORD: Final = "sitemap:"
_LARGEST: Final = 50_000_000
"""As large as the protocol of sitemaps lets one be."""


def front_page(domain: str) -> str:
    """Where a shop is entered."""
    return f"https://{domain}/"


def seeds(
    web: Web, domain: str, *, on_file: Callable[[], None], on_flaw: Callable[[str], None]
) -> Iterator[str]:
    """The front page, then the pages of all sitemaps.

    ``on_file`` is called before each file is asked for, ``on_flaw`` is told what cannot be had.
    """
    home = front_page(domain)
    yield home

    def read(url: str) -> Sitemap:
        if not is_same_site(url, domain):
            return Sitemap()
        on_file()
        return _read(web, url, domain, on_flaw)

    on_file()
    for listed in walked(_sitemaps(web, home, domain, on_flaw), read, on_flaw=on_flaw):
        page = canonical(listed.url)
        if page is not None and is_same_site(page, domain):
            yield page


def sitemaps_in(robots: str) -> list[str]:
    """The sitemaps that a robots.txt names."""
    lines = (line.partition("#")[0].strip() for line in robots.splitlines())
    named = (line[len(_WORD) :].strip() for line in lines if line.lower().startswith(_WORD))
    return list(dict.fromkeys(filter(None, named)))


def _sitemaps(web: Web, home: str, domain: str, on_flaw: Callable[[str], None]) -> list[str]:
    try:
        robots = web.get(f"{home}robots.txt", accept=_TEXT).body.decode(errors="replace")
    except PageMissing:
        robots = ""
    except FetchError as error:
        on_flaw(error.message)
        robots = ""
    named = [url for url in sitemaps_in(robots) if is_same_site(url, domain)]
    return named or [f"{home}sitemap.xml"]


def _read(web: Web, url: str, domain: str, on_flaw: Callable[[str], None]) -> Sitemap:
    try:
        answer = web.get(
            url, accept=_XML, most_bytes=_LARGEST, within=partial(is_same_site, domain=domain)
        )
    except PageMissing:
        return Sitemap()
    except FetchError as error:
        on_flaw(error.message)
        return Sitemap(flaw=error.message)
    read = read_sitemap(answer.body, url)
    if read.flaw is not None:
        on_flaw(read.flaw)
    return read
