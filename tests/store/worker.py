"""A worker in a process of its own: ``python -m tests.store.worker FILE_OR_URL NAME``.

It reads tasks line by line, as JSON, and answers each with a line.
"""

from __future__ import annotations

import json
import sys

from gotgan.settings import Secret
from gotgan.store import Names, Store
from gotgan.store.drivers.aws import Aws
from gotgan.store.drivers.embedded import Embedded
from gotgan.store.engine import Engine
from tests.store.work import TASKS

__all__ = ["main", "opened"]


def opened(place: str) -> Store:
    """A store on a file, or at an endpoint."""
    is_url = place.startswith("http:")
    driver = Aws(place) if is_url else Embedded(Engine(place, synchronous="normal"))
    return Store(driver, secret=Secret("of these tests"))


def main(place: str, name: str) -> None:
    """Do what stdin says, until it ends."""
    with opened(place) as store:
        _say("ready")
        for line in sys.stdin:
            task, tables, words = json.loads(line)
            _say(json.dumps(TASKS[task](store.named(Names(tables)), name, *words)))


def _say(line: str) -> None:
    sys.stdout.write(f"{line}\n")
    sys.stdout.flush()


if __name__ == "__main__":
    main(*sys.argv[1:])
