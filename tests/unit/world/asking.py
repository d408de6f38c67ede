"""A client that knows nothing but HTTP: what a served world sends is seen as it is."""

from __future__ import annotations

import json
from collections.abc import Iterator
from contextlib import closing, contextmanager
from dataclasses import dataclass
from email.message import Message
from http.client import HTTPConnection, HTTPResponse
from typing import Any

from gotgan.world import ServedWorld

__all__ = ["HOST", "LIST", "Got", "answering", "ask"]

HOST = "finance.yahoo.com"
LIST = "/topic/latest-news/"


@dataclass(frozen=True)
class Got:
    """An answer that came whole."""

    status: int
    headers: Message
    body: bytes

    @property
    def text(self) -> str:
        return self.body.decode()

    @property
    def json(self) -> Any:
        return json.loads(self.body)


def ask(served: ServedWorld, path: str, host: str = HOST, **options: Any) -> Got:
    """Ask for something under a name, and read the answer to its end."""
    with answering(served, path, host, **options) as answer:
        body = answer.read()
        return Got(answer.status, answer.headers, body)


@contextmanager
def answering(
    served: ServedWorld,
    path: str,
    host: str = HOST,
    *,
    method: str = "GET",
    headers: dict[str, str] | None = None,
    body: Any = None,
    timeout: float = 30,
) -> Iterator[HTTPResponse]:
    """Ask for something, and read no more than the head of the answer."""
    with closing(HTTPConnection(served.place, timeout=timeout)) as connection:
        sent = None if body is None else json.dumps(body)
        connection.request(method, path, sent, {"Host": host, **(headers or {})})
        yield connection.getresponse()
