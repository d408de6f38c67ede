"""Somebody who is signed in and opens pages, one after the other, on one connection."""

from __future__ import annotations

import time
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from http.client import HTTPConnection
from statistics import median
from typing import Final
from urllib.parse import urlsplit

from gotgan.app import App
from gotgan.domains.site.auth import SESSION_COOKIE
from gotgan.listener import serve_in_thread
from gotgan.server import create_server

__all__ = ["Answer", "Times", "Visitor", "times_of", "visiting"]

_SECONDS: Final = 600


@dataclass(frozen=True)
class Answer:
    """What came for an address."""

    status: int
    kind: str
    """Its type, without its character set."""
    body: bytes
    encoding: str | None


@dataclass(frozen=True)
class Times:
    """How long an address takes, in milliseconds, as the median of some visits."""

    waited: float
    """From the question to the last byte of the answer."""
    worked: float
    """What of it was work of this process, whoever else kept the machine busy."""


class Visitor:
    """An admin with a browser that keeps nothing."""

    def __init__(self, address: str, session: str) -> None:
        place = urlsplit(address)
        self._connection = HTTPConnection(place.hostname or "", place.port, timeout=_SECONDS)
        self._headers = {"Cookie": f"{SESSION_COOKIE}={session}", "Accept-Encoding": "gzip"}

    def get(self, path: str) -> Answer:
        """Open an address."""
        self._connection.request("GET", path, headers=self._headers)
        response = self._connection.getresponse()
        body = response.read()
        kind = (response.headers.get_content_type() or "").lower()
        return Answer(response.status, kind, body, response.headers["Content-Encoding"])

    def times(self, path: str, rounds: int) -> Times:
        """Open an address some times, after once for nothing."""
        [times] = times_of([(self, path)], rounds)
        return times

    def timed(self, path: str) -> tuple[float, float]:
        """Open an address; how long that took, and how long this process worked on it."""
        began, busy = time.perf_counter(), time.process_time()
        self.get(path)
        return time.perf_counter() - began, time.process_time() - busy


def times_of(visits: Sequence[tuple[Visitor, str]], rounds: int) -> list[Times]:
    """Open some addresses in turns, so that each has its share of what the machine does besides."""
    for visitor, path in visits:
        visitor.get(path)
    turns = [[visitor.timed(path) for visitor, path in visits] for _ in range(rounds)]
    return [
        Times(*(1000 * median(each) for each in zip(*turn, strict=True)))
        for turn in zip(*turns, strict=True)
    ]


@contextmanager
def visiting(app: App) -> Iterator[Visitor]:
    """Serve an app to one visitor, for as long as the block runs."""
    owner = app.site.users.owner()
    session = app.site.tokens.redeem(app.site.tokens.sign_in_code(owner.id)).text
    with serve_in_thread(create_server(app)) as address:
        yield Visitor(address, session)
