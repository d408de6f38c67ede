"""The URLs of a crawl: seeds from the front page and the sitemaps, and those still to visit."""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Callable, Iterable, Iterator
from functools import partial
from typing import Any, Final

from gotgan.domains.shops.canonical import canonical_url
from gotgan.domains.shops.journal import CrawlLog
from gotgan.domains.shops.sitemaps import Sitemap, parse_sitemap, walk_sitemaps
from gotgan.domains.shops.sites import is_same_site
from gotgan.errors import FetchError, PageMissing
from gotgan.fetch import Web


class Frontier:
    """URLs in the order in which they were found, each once."""

    def __init__(self, budget: int, log: CrawlLog) -> None:
        self.budget = budget
        self._found = set(log.found)
        self._queue = OrderedDict.fromkeys(url for url in log.found if url not in log.visits)
        self.taken = sum(each.state != "listed" for each in log.visits.values())

    def add(self, urls: Iterable[str], *, within: Callable[[str], bool]) -> list[str]:
        """Queue and return those that are new and within the shop."""
        new = [url for url in dict.fromkeys(urls) if url not in self._found and within(url)]
        self._found.update(new)
        self._queue.update(dict.fromkeys(new))
        return new

    def drop(self, url: str) -> bool:
        """Take a URL out of the queue that needs no visit; False if it is not in it."""
        is_queued = url in self._queue
        self._queue.pop(url, None)
        return is_queued

    def take_early(self, url: str) -> bool:
        """Take a URL before those that were found earlier; False if it is not in the queue."""
        is_taken = not self.is_spent and self.drop(url)
        self.taken += is_taken
        return is_taken

    def take(self) -> str | None:
        """The next URL; None if there is none, or if the budget is spent."""
        if self.is_spent or not self._queue:
            return None
        self.taken += 1
        url, _ = self._queue.popitem(last=False)
        return url

    @property
    def is_spent(self) -> bool:
        """Whether the page budget is used."""
        return self.taken >= self.budget

    @property
    def left(self) -> int:
        """How many URLs wait."""
        return len(self._queue)


_ACCEPT_TEXT: Final = "text/plain,*/*;q=0.5"
_ACCEPT_XML: Final = "application/xml,text/xml;q=0.9,*/*;q=0.5"
_MAX_SITEMAP_BYTES: Final = 50_000_000
"""The limit of the sitemap protocol."""


def front_page_url(domain: str) -> str:
    """The URL of the front page."""
    return f"https://{domain}/"


def seed_urls(
    web: Web, domain: str, *, on_file: Callable[[], None], on_flaw: Callable[[str], None]
) -> Iterator[str]:
    """The front page, then the pages of all sitemaps.

    ``on_file`` is called before each file is fetched, ``on_flaw`` with what cannot be fetched.
    """
    home = front_page_url(domain)
    yield home
    is_ours = partial(is_same_site, domain=domain)

    def fetch(url: str, **options: Any) -> bytes | None:
        on_file()
        try:
            return web.get(url, **options).body
        except PageMissing:
            return None
        except FetchError as error:
            on_flaw(error.message)
            return None

    def read(url: str) -> Sitemap:
        if not is_ours(url):
            return Sitemap()
        body = fetch(url, accept=_ACCEPT_XML, most_bytes=_MAX_SITEMAP_BYTES, within=is_ours)
        if body is None:
            return Sitemap()
        sitemap = parse_sitemap(body, url)
        if sitemap.flaw is not None:
            on_flaw(sitemap.flaw)
        return sitemap

    robots = (fetch(f"{home}robots.txt", accept=_ACCEPT_TEXT) or b"").decode(errors="replace")
    named = list(filter(is_ours, robots_sitemaps(robots)))
    for listed in walk_sitemaps(named or [f"{home}sitemap.xml"], read, on_flaw=on_flaw):
        page = canonical_url(listed.url)
        if page is not None and is_ours(page):
            yield page


def robots_sitemaps(robots: str) -> list[str]:
    """The sitemaps that a robots.txt names."""
    lines = (line.partition("#")[0].strip() for line in robots.splitlines())
    fields = (line.partition(":") for line in lines)
    urls = (url.strip() for name, _, url in fields if name.lower() == "sitemap")
    return list(dict.fromkeys(filter(None, urls)))
