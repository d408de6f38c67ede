"""Stories that somebody hands over: checked before the first of them is stored."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from typing import Any, Final
from urllib.parse import urlsplit

import orjson

from gotgan.domains.news.stories import Story
from gotgan.errors import BadUpload

__all__ = ["stories_from", "stories_of", "story_of"]

_FIELDS: Final = {"title", "url", "tickers"}
_MOST_TOLD: Final = 5
_SHAPE: Final = '[{"title": …, "url": …, "tickers": […]}, …], or one such object per line'


def stories_from(document: bytes) -> list[Story]:
    """The stories of a JSON list, or of JSON lines; all of them are right, or none is taken."""
    return stories_of(_entries(document))


def stories_of(entries: Iterable[Any]) -> list[Story]:
    """The stories of a list that was read already; all of them are right, or none is taken."""
    stories: list[Story] = []
    wrong: list[str] = []
    for number, entry in enumerate(entries, start=1):
        try:
            stories.append(story_of(entry))
        except BadUpload as error:
            wrong.append(f"story {number}: {error.message}")
    if wrong:
        more = f"; and {len(wrong) - _MOST_TOLD} more" if len(wrong) > _MOST_TOLD else ""
        raise BadUpload(f"nothing was stored: {'; '.join(wrong[:_MOST_TOLD])}{more}")
    return stories


def story_of(entry: Any) -> Story:
    """One story, as it was handed over."""
    if not isinstance(entry, Mapping):
        raise BadUpload("it is no object with title, url and tickers")
    if unknown := sorted(str(name) for name in entry.keys() - _FIELDS):
        raise BadUpload(f"it has {', '.join(unknown)}; there are only title, url and tickers")
    return Story(title=_text(entry, "title"), url=_address(entry), tickers=tuple(_tickers(entry)))


def _entries(document: bytes) -> Iterable[Any]:
    """What stands in the document: the elements of its list, or of each line one."""
    if not document.strip():
        raise BadUpload(f"there is nothing in it; hand over {_SHAPE}")
    if document.lstrip()[:1] == b"[":
        return _list(document)
    return _lines(document)


def _list(document: bytes) -> list[Any]:
    try:
        entries: list[Any] = orjson.loads(document)
    except orjson.JSONDecodeError as error:
        raise BadUpload(f"this is no JSON: {error}; hand over {_SHAPE}") from None
    return entries


def _lines(document: bytes) -> Iterator[Any]:
    for number, line in enumerate(document.splitlines(), start=1):
        if line.strip():
            try:
                yield orjson.loads(line)
            except orjson.JSONDecodeError as error:
                raise BadUpload(f"line {number} is no JSON: {error}; hand over {_SHAPE}") from None


def _text(entry: Mapping[str, Any], name: str) -> str:
    value = entry.get(name)
    if not isinstance(value, str) or not value.strip():
        raise BadUpload(f"its {name} is missing, empty or no text")
    return value


def _address(entry: Mapping[str, Any]) -> str:
    """The address as it stands; one that nobody could open is refused."""
    url = _text(entry, "url")
    try:
        address = urlsplit(url)
        is_one = address.scheme in {"http", "https"} and bool(address.hostname)
    except ValueError:
        is_one = False
    if not is_one or url != url.strip():
        raise BadUpload(f"its url {url[:100]!r} is no address that begins with http:// or https://")
    return url


def _tickers(entry: Mapping[str, Any]) -> list[str]:
    tickers = entry.get("tickers")
    if tickers is None:
        return []
    if not isinstance(tickers, list) or not all(isinstance(each, str) for each in tickers):
        raise BadUpload("its tickers are no list of texts")
    return tickers
