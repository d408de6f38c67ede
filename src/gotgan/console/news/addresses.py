"""Addresses of articles, taken apart for people: what names the site, the id, what differs."""

from __future__ import annotations

import re
from dataclasses import dataclass
from itertools import takewhile
from typing import Final
from urllib.parse import urlsplit

from gotgan.domains.news.keys import article_id

__all__ = ["AddressParts", "compared", "host_of", "marked_id"]

_BEHIND: Final = re.compile(r"[?#]")


@dataclass(frozen=True)
class AddressParts:
    """An address with the part of it that matters."""

    before: str
    part: str
    after: str


def host_of(url: str) -> str:
    """The site of an address; an address that is none has none."""
    try:
        return urlsplit(url).hostname or ""
    except ValueError:
        return ""


def marked_id(url: str) -> AddressParts | None:
    """An address with its article id marked, where it has one."""
    digits = article_id(url)
    if digits is None:
        return None
    path = _BEHIND.split(url, maxsplit=1)[0]
    start = path.rindex(digits)
    return AddressParts(url[:start], digits, url[start + len(digits) :])


def compared(one: str, other: str) -> tuple[AddressParts, AddressParts]:
    """Two addresses, each with the part marked in which it differs from the other."""
    head = _alike(one, other)
    tail = _alike(one[head:][::-1], other[head:][::-1])
    return _marked(one, head, tail), _marked(other, head, tail)


def _alike(one: str, other: str) -> int:
    """How many letters two texts begin with in common."""
    pairs = zip(one, other, strict=False)
    return sum(1 for _ in takewhile(lambda pair: pair[0] == pair[1], pairs))


def _marked(url: str, head: int, tail: int) -> AddressParts:
    end = len(url) - tail
    return AddressParts(url[:head], url[head:end], url[end:])
