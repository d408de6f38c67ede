"""The same crawl by Scrapy, as its manual has it; run by the Python that Scrapy is installed for.

``python by_scrapy.py PORT FOLDER AT_ONCE`` follows all links of the site and puts the name, the
price and the availability that JSON-LD states into SQLite. Links are taken by a CSS selector, which
is less work than its ``LinkExtractor``.
"""

from __future__ import annotations

import json
import sqlite3
import sys
import time
from collections.abc import AsyncIterator, Iterator
from importlib import import_module
from pathlib import Path
from typing import Any, Final

__all__ = ["Catalogue", "Shop"]

scrapy: Any = import_module("scrapy")
crawling: Any = import_module("scrapy.crawler")

_KINDS: Final = "CREATE TABLE product (url TEXT PRIMARY KEY, name TEXT, price TEXT, stock TEXT)"
_INSERT: Final = "INSERT INTO product VALUES (:url, :name, :price, :stock)"


class Shop(scrapy.Spider):  # type: ignore[misc]
    """Follows every link, and takes what products say of themselves."""

    name = "shop"
    allowed_domains = ("127.0.0.1",)
    pages = 0

    async def start(self) -> AsyncIterator[Any]:
        """Begin with the front page."""
        yield scrapy.Request(f"http://127.0.0.1:{sys.argv[1]}/")

    def parse(self, response: Any) -> Iterator[Any]:
        """The product of a page, and whatever it leads to."""
        Shop.pages += 1
        for text in response.css('script[type="application/ld+json"]::text').getall():
            facts = json.loads(text)
            if facts.get("@type") == "Product":
                offer = facts["offers"]
                yield {
                    "url": response.url,
                    "name": facts["name"],
                    "price": offer["price"],
                    "stock": offer["availability"],
                }
        yield from response.follow_all(response.css("a::attr(href)").getall())


class Catalogue:
    """Puts every product into a table."""

    def open_spider(self) -> None:
        """Make the table."""
        self._file = sqlite3.connect(Path(sys.argv[2]) / "scrapy.sqlite3")
        self._file.execute(_KINDS)

    def process_item(self, item: dict[str, str]) -> dict[str, str]:
        """Write one product."""
        self._file.execute(_INSERT, item)
        return item

    def close_spider(self) -> None:
        """Keep what was written."""
        self._file.commit()
        self._file.close()


def _settings(at_once: int) -> dict[str, Any]:
    return {
        "ROBOTSTXT_OBEY": True,
        "CONCURRENT_REQUESTS": at_once,
        "CONCURRENT_REQUESTS_PER_DOMAIN": at_once,
        "DOWNLOAD_DELAY": 0,
        "AUTOTHROTTLE_ENABLED": False,
        "LOG_ENABLED": False,
        "TELNETCONSOLE_ENABLED": False,
        "ITEM_PIPELINES": {Catalogue: 100},
    }


def _products() -> int:
    with sqlite3.connect(Path(sys.argv[2]) / "scrapy.sqlite3") as file:
        return int(file.execute("SELECT count(*) FROM product").fetchone()[0])


def _main() -> None:
    began, worked = time.perf_counter(), time.process_time()
    process = crawling.CrawlerProcess(_settings(int(sys.argv[3])))
    process.crawl(Shop)
    process.start()
    taken = {"seconds": time.perf_counter() - began, "worked": time.process_time() - worked}
    print(json.dumps({"pages": Shop.pages, "products": _products(), **taken}))


if __name__ == "__main__":
    _main()
