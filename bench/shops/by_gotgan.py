"""One crawl by us, with everything on, in a process of its own that prints what it took.

``python -m bench.shops.by_gotgan PORT FOLDER AT_ONCE`` keeps its table in the folder: where one is
there already, it crawls the shop again. The clock runs from the claim on, not from registration.
"""

from __future__ import annotations

import json
import sys
import time
from pathlib import Path
from typing import Any, Final

from gotgan.clock import SystemClock
from gotgan.domains.shops.crawl import Crawl, crawl_shop
from gotgan.domains.shops.models import Shop
from gotgan.domains.shops.service import Shops
from gotgan.fetch import FetchRules, Web
from gotgan.settings import Secret, Settings
from gotgan.sql import Database
from gotgan.store import Store

__all__ = ["crawl"]

_DOMAIN: Final = "antiques.shop.test"
_BUDGET: Final = 1_000_000


def crawl(port: int, folder: Path, at_once: int) -> dict[str, Any]:
    """Crawl the shop behind a port, as fast as it answers; what came of it, and what it took."""
    settings = Settings(data=folder, given_secret=Secret("a secret that guards a benchmark only"))
    rules = FetchRules(delay=0, at_once=at_once, resolve={_DOMAIN: f"127.0.0.1:{port}"})
    with Store.open(settings) as store, Web(rules, clock=SystemClock()) as web:
        shops = Shops(store, web, settings, lambda: Database.open(settings))
        shops.prepare()
        shops.add(_DOMAIN, country="DE")
        return _measured(store, web, shops.get(_DOMAIN))


def _measured(store: Store, web: Web, shop: Shop) -> dict[str, Any]:
    began, worked = time.perf_counter(), time.process_time()
    report = crawl_shop(Crawl(store, web, Shop.crawl.claim(store, shop), budget=_BUDGET))
    return {
        "pages": report.pages,
        "products": report.products,
        "unchanged": report.unchanged,
        "seconds": time.perf_counter() - began,
        "worked": time.process_time() - worked,
        "reads": report.cost.reads,
        "writes": report.cost.writes,
    }


if __name__ == "__main__":
    print(json.dumps(crawl(int(sys.argv[1]), Path(sys.argv[2]), int(sys.argv[3]))))
