"""Pieces of Markdown in which nothing but our own marks means anything."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from typing import Final
from urllib.parse import quote, urlsplit

__all__ = ["link", "listed", "plain", "section", "table"]

_MEANT: Final = re.compile(r"([\\`*\[\]<>&|~]|(?<![^\W_])_|_(?![^\W_]))")
"""What means something within a line; a low line between two letters does not."""
_AT_THE_START: Final = re.compile(r"^(\d{0,9})([#+\-=.)])(?=[\s#+\-=]|$)")
"""And what does only where a line begins, such as the sign behind the number of a list."""
_UNSEEN: Final = re.compile(r"[\x00-\x1f\x7f\u202a-\u202e\u2066-\u2069]")
"""Control characters, and those that turn round what follows them."""
_ENTITY: Final = re.compile(r"&(?=#?\w+;)")
_KEPT: Final = "%/:?#@!$&'*+,;=~-._"
"""What stays as it is in an address; brackets and blanks would end it."""


def plain(text: str) -> str:
    """Somebody's words as they are, in one line, without a meaning to Markdown."""
    line = _MEANT.sub(r"\\\1", " ".join(_UNSEEN.sub(" ", text).split()))
    return _AT_THE_START.sub(r"\1\\\2", line)


def link(text: str, url: str) -> str:
    """Words that lead somewhere; the words alone where the address is none of the web."""
    if not _is_of_the_web(url):
        return plain(text)
    address = _ENTITY.sub(r"\&", quote(url, safe=_KEPT))
    return f"[{plain(text)}]({address})"


def _is_of_the_web(url: str) -> bool:
    try:
        parts = urlsplit(url)
    except ValueError:
        return False
    return parts.scheme in {"http", "https"} and bool(parts.netloc)


def listed(lines: Iterable[str]) -> str:
    """A list; nothing where there are no lines."""
    return "\n".join(f"- {line}" for line in lines)


def table(head: Sequence[str], rows: Iterable[Sequence[str]], *, numbers: int = 0) -> str:
    """A table whose last columns are numbers; nothing where it has no rows."""
    body = [f"| {' | '.join(row)} |" for row in rows]
    if not body:
        return ""
    rules = [*["---"] * (len(head) - numbers), *["---:"] * numbers]
    return "\n".join([f"| {' | '.join(head)} |", f"| {' | '.join(rules)} |", *body])


def section(title: str, *parts: str) -> str:
    """A heading and what stands under it; nothing where that is nothing."""
    told = [part for part in parts if part]
    return "\n\n".join([f"## {title}", *told]) if told else ""
