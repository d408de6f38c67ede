"""The tickers that a list page carries as JSON, beside the stories that it shows.

The page keeps what its server fetched for it: answers whose body is JSON, often as a string in
JSON. Nothing about them is promised, so whatever is not as expected is passed over.
"""

from __future__ import annotations

import json
from collections.abc import Iterator
from dataclasses import dataclass, field
from http import HTTPStatus
from typing import Any, Final

import orjson
from selectolax.lexbor import LexborHTMLParser

from gotgan.domains.news.links import resolved, without_query

__all__ = ["StoryTickers", "known_tickers"]

Tickers = tuple[str, ...]

_SCRIPTS: Final = 'script[type="application/json"]'
_TELLTALE: Final = "stockTickers"
_LINKS: Final = ("clickThroughUrl", "canonicalUrl")


@dataclass(frozen=True)
class StoryTickers:
    """Tickers by whatever a story on the page can be recognised by."""

    by_url: dict[str, Tickers] = field(default_factory=dict)
    by_uuid: dict[str, Tickers] = field(default_factory=dict)
    by_path: dict[str, Tickers] = field(default_factory=dict)
    """By the address without its query; nothing where two stories differ only in that."""

    def of(self, url: str, uuids: list[str]) -> Tickers:
        """The tickers of a story, from what is surest to what is least sure."""
        by_uuid = (self.by_uuid[uuid] for uuid in uuids if uuid in self.by_uuid)
        return self.by_url.get(url) or next(by_uuid, ()) or self.by_path.get(without_query(url), ())

    def learn(self, urls: list[str], uuid: str, tickers: Tickers) -> None:
        """Note the tickers of a story; what was noted first stays."""
        self.by_uuid.setdefault(uuid, tickers)
        for url in urls:
            self.by_url.setdefault(url, tickers)
            path = without_query(url)
            if self.by_path.setdefault(path, tickers) != tickers:
                self.by_path[path] = ()


def known_tickers(page: LexborHTMLParser, address: str) -> StoryTickers:
    """What the scripts of a page say about the tickers of its stories."""
    known = StoryTickers()
    for script in page.css(_SCRIPTS):
        text = script.text()
        if _TELLTALE in text:
            for each in _objects(_body(_parsed(text))):
                _learn(known, each, address)
    return known


def _learn(known: StoryTickers, entry: dict[str, Any], address: str) -> None:
    """Take what an entry of a stream says, or its content, which comes by on its own as well."""
    content = entry.get("content")
    if not isinstance(content, dict):
        content = entry
    tickers = _tickers(content)
    if tickers:
        known.learn(_urls(content, address), _uuid(entry), tickers)


def _uuid(entry: dict[str, Any]) -> str:
    uuid = entry.get("id")
    return uuid.lower() if isinstance(uuid, str) else ""


def _tickers(content: dict[str, Any]) -> Tickers:
    finance = content.get("finance")
    listed = finance.get(_TELLTALE) if isinstance(finance, dict) else None
    if not isinstance(listed, list):
        return ()
    symbols = (each.get("symbol") if isinstance(each, dict) else each for each in listed)
    # Half of a pair of surrogates cannot be stored, and is not printable either.
    return tuple(each for each in symbols if isinstance(each, str) and each.isprintable())


def _urls(content: dict[str, Any], address: str) -> list[str]:
    held = (content.get(name) for name in _LINKS)
    links = (each.get("url") if isinstance(each, dict) else each for each in held)
    found = (resolved(link, address) for link in links if isinstance(link, str))
    return [url for url in found if url is not None]


def _objects(value: Any) -> Iterator[dict[str, Any]]:
    """Every object in a document, from its beginning to its end, however deep."""
    waiting = [value]
    while waiting:
        each = waiting.pop()
        if isinstance(each, dict):
            yield each
            waiting.extend(reversed(each.values()))
        elif isinstance(each, list):
            waiting.extend(reversed(each))


def _body(answer: Any) -> Any:
    """What an answer carries; nothing of one that failed."""
    if not isinstance(answer, dict):
        return answer
    status = answer.get("status")
    if isinstance(status, int) and status != HTTPStatus.OK:
        return None
    body = answer.get("body", answer)
    return _parsed(body) if isinstance(body, str) else body


def _parsed(text: str) -> Any:
    try:
        return orjson.loads(text)
    except ValueError:
        return _parsed_leniently(text)


def _parsed_leniently(text: str) -> Any:
    """JavaScript cuts texts in the middle of a character, which only Python's own parser takes."""
    try:
        return json.loads(text)
    except (ValueError, RecursionError):
        return None
