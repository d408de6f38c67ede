"""The shop that is crawled: a site of product pages, served from memory by a process of its own.

``python -m bench.shops.place COUNT KILOBYTES LINKS`` prints its port and serves until it is ended.

Every page has a version, and whoever names it is answered with 304. The front page leads to all
categories, these lead to all products, and each product leads to others. With a hundred links a
page has an element for about every seventy bytes: recorded pages of this size are like that.
"""

from __future__ import annotations

import asyncio
import functools
import json
import sys
from collections.abc import Sequence
from hashlib import sha256
from typing import Final

__all__ = ["pages_of", "serve"]

_IN_A_CATEGORY: Final = 100
_WORDS: Final = "an oak chest from Bremen with two drawers and its old brass, about 1890, "
_STYLE: Final = ".card{display:grid;gap:1rem;color:#333}.card>a{font-weight:600}"
_REVIEW: Final = (
    '<li class="review review--verified"><h4>A fine piece, and honestly described</h4><p>It came '
    "<b>well packed</b> in a crate, on the day that was named, and it is as the pictures show it: "
    "the drawers run, the lock has its key, and the marks of its age were told before. I would buy "
    'there again.</p><span class="stars" aria-label="five of five">five of five</span></li>'
)
_SCRIPT: Final = "window.seen=window.seen||[];window.seen.push({page:'shop',at:Date.now()});"
_ROBOTS: Final = b"User-agent: *\nDisallow: /cart\nDisallow: /search?*sort=\n"
_CONDITION: Final = b"\r\nIf-None-Match: "


def pages_of(count: int, size: int, links: int) -> dict[bytes, bytes]:
    """Every page of the shop by its path: the front page, categories, products."""
    rooms = [f'<li><a href="/category/{n}">Room {n}</a></li>' for n in range(_categories(count))]
    menu = rooms[: links // 2]
    neighbours = max(0, links - len(menu) - 2)
    whole = functools.partial(_page, "".join(menu), size)
    pages = {"/": whole("Antiques", "".join(rooms))}
    for number in range(len(rooms)):
        first = number * _IN_A_CATEGORY
        cards = "".join(map(_card, range(first, min(first + _IN_A_CATEGORY, count))))
        pages[f"/category/{number}"] = whole(f"Room {number}", cards)
    for number in range(count):
        others = [(number * 7 + n * n * 31 + 1) % count for n in range(neighbours)]
        pages[f"/product/{number}"] = whole(*_product(number, others))
    return {path.encode(): page for path, page in pages.items()}


def _categories(count: int) -> int:
    return -(-count // _IN_A_CATEGORY)


def _product(number: int, others: Sequence[int]) -> tuple[str, str]:
    title, price = f"Chest no. {number}", f"{100 + number % 900}.00"
    facts = {
        "@context": "https://schema.org",
        "@type": "Product",
        "name": title,
        "sku": f"C{number}",
        "description": _WORDS * 4,
        "offers": {
            "@type": "Offer",
            "price": price,
            "priceCurrency": "EUR",
            "availability": "https://schema.org/InStock",
        },
    }
    return title, (
        f'<script type="application/ld+json">{json.dumps(facts)}</script>'
        f'<nav><a href="/category/{number // _IN_A_CATEGORY}">Back to the room</a></nav>'
        f"<h1>{title}</h1><p>{_WORDS * 6}</p><p class=price>{price} €</p>"
        f"<form action=/cart method=post><button>Add to cart</button></form>"
        + "".join(map(_card, others))
    )


def _card(number: int) -> str:
    price = 100 + number % 900
    return (
        f'<div class="card"><a href="/product/{number}"><img src="/img/{number}.jpg" alt="">'
        f"Chest no. {number}</a><span>{price}.00 €</span></div>"
    )


def _page(menu: str, size: int, title: str, middle: str) -> bytes:
    """A page of that size: a third of what fills it up is style and script, the rest is text."""
    start = f"<!doctype html><html lang=en><head><meta charset=utf-8><title>{title}</title>"
    body = f"<body><header><a href=/>Home</a><ul>{menu}</ul></header><main>{middle}</main>"
    lacking = max(0, size - len((start + body).encode()))
    style, script = (_up_to(lacking // 6, each) for each in (_STYLE, _SCRIPT))
    return (
        f"{start}<style>{style}</style><script>{script}</script></head>{body}"
        f"<ul>{_up_to(lacking * 2 // 3, _REVIEW)}</ul></body></html>"
    ).encode()


def _up_to(size: int, text: str) -> str:
    return text * (size // len(text))


class _Answers:
    """What is sent for each request, put together before anybody asks."""

    def __init__(self, pages: dict[bytes, bytes]) -> None:
        self._pages = {path: _versions(page) for path, page in pages.items()}
        self._robots = _answer(b"200 OK", b"text/plain", _ROBOTS)
        self._missing = _answer(b"404 Not Found", b"text/plain", b"nothing is here")

    def to(self, head: bytes) -> bytes:
        path = head.split(b" ", 2)[1]
        if path not in self._pages:
            return self._robots if path == b"/robots.txt" else self._missing
        tag, whole, unchanged = self._pages[path]
        return unchanged if _CONDITION in head and tag in head else whole


def _versions(page: bytes) -> tuple[bytes, bytes, bytes]:
    """The tag of a page, all of it, and the answer to those who have it."""
    tag = b'"%s"' % sha256(page).hexdigest()[:16].encode()
    version = b"ETag: " + tag
    whole = _answer(b"200 OK", b"text/html; charset=utf-8", page, version)
    return tag, whole, b"HTTP/1.1 304 Not Modified\r\n%s\r\n\r\n" % version


def _answer(status: bytes, kind: bytes, body: bytes, *more: bytes) -> bytes:
    said = (b"Content-Type: " + kind, b"Content-Length: %d" % len(body), *more)
    return b"\r\n".join([b"HTTP/1.1 " + status, *said, b"", body])


class _Connection(asyncio.Protocol):
    """One connection: requests without bodies, answered in their order."""

    def __init__(self, answers: _Answers) -> None:
        self._answers = answers
        self._received = b""

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        assert isinstance(transport, asyncio.Transport)  # noqa: S101 - of a TCP connection
        self._transport = transport

    def data_received(self, data: bytes) -> None:
        *heads, self._received = (self._received + data).split(b"\r\n\r\n")
        for head in heads:
            self._transport.write(self._answers.to(head))


async def serve(pages: dict[bytes, bytes]) -> None:
    """Serve pages on a free port of this machine, and print which one that is."""
    answers = _Answers(pages)
    loop = asyncio.get_running_loop()
    server = await loop.create_server(lambda: _Connection(answers), "127.0.0.1", 0)
    print(server.sockets[0].getsockname()[1], flush=True)
    await server.serve_forever()


if __name__ == "__main__":
    asyncio.run(serve(pages_of(int(sys.argv[1]), int(sys.argv[2]) * 1_000, int(sys.argv[3]))))
