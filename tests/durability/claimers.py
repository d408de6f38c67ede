"""Four workers in a process of their own who want the same shops.

``python -m tests.durability.claimers FILE NAME``: each tries to claim every shop for a crawl and
for a scrape, all from the same moment on; then a line of JSON says what each of them won.
"""

from __future__ import annotations

import json
import sys
from contextlib import suppress
from functools import partial

from gotgan.domains.shops.models import STAGES, Shop, lifecycle_of
from gotgan.errors import LostRace
from gotgan.settings import Secret
from gotgan.store import Store
from gotgan.store.drivers.embedded import Embedded
from gotgan.store.engine import Engine
from tests.durability.crowd import at_once

__all__ = ["WORKERS", "main", "opened"]

WORKERS = 4


def opened(path: str) -> Store:
    """The store of a file."""
    return Store(Embedded(Engine(path, synchronous="normal")), secret=Secret("of these tests"))


def main(path: str, name: str) -> None:
    """Read the shops, wait for the word, and claim what can be had."""
    with opened(path) as store:
        shops = list(store.scan(Shop))
        _say("ready")
        sys.stdin.readline()
        names = [f"{name}-{number}" for number in range(WORKERS)]
        won = at_once([partial(_claimed, store, shops, each) for each in names])
        _say(json.dumps(dict(zip(names, won, strict=True))))


def _claimed(store: Store, shops: list[Shop], owner: str) -> list[tuple[str, str, int]]:
    won: list[tuple[str, str, int]] = []
    for shop in shops:
        for stage in STAGES:
            with suppress(LostRace):
                claim = lifecycle_of(stage).claim(store, shop, owner=owner)
                won.append((stage, shop.domain, claim.fence))
    return won


def _say(line: str) -> None:
    sys.stdout.write(f"{line}\n")
    sys.stdout.flush()


if __name__ == "__main__":
    main(*sys.argv[1:])
