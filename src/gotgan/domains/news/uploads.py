"""Stories that somebody hands over: checked before the first of them is stored."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping
from typing import Any, Final
from urllib.parse import urlsplit

import orjson

from gotgan.domains.news.stories import Story
from gotgan.errors import BadUpload

__all__ = ["stories_from", "story_of", "uploaded_stories"]

_FIELDS: Final = {"title", "url", "tickers"}
_MOST_TOLD: Final = 5
_LONGEST: Final = {"title": 2_000, "url": 4_000}
_MOST_TICKERS: Final = 200
_LONGEST_TICKER: Final = 32
_CONTROL: Final = re.compile(r"[\x00-\x1f\x7f]")
_BOM: Final = b"\xef\xbb\xbf"
_SHAPE: Final = '[{"title": …, "url": …, "tickers": […]}, …], or one such object per line'


def stories_from(document: bytes) -> list[Story]:
    """The stories of a JSON list, or of JSON lines; all of them are right, or none is taken."""
    return uploaded_stories(_entries(document))


def uploaded_stories(entries: Iterable[Any]) -> list[Story]:
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
    plain = document.removeprefix(_BOM)
    try:
        plain.decode()
    except UnicodeDecodeError as error:
        raise BadUpload(f"byte {error.start} is no UTF-8; hand over {_SHAPE}, in UTF-8") from None
    return _list(plain) if plain.lstrip()[:1] == b"[" else _lines(plain)


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
            except orjson.JSONDecodeError:
                raise BadUpload(f"line {number} is no JSON; hand over {_SHAPE}") from None


def _text(entry: Mapping[str, Any], name: str) -> str:
    value = entry.get(name)
    if not isinstance(value, str) or not value.strip():
        raise BadUpload(f"its {name} is missing, empty or no text")
    if len(value) > _LONGEST[name]:
        raise BadUpload(f"its {name} has more than {_LONGEST[name]:,} letters")
    if not _is_unicode(value):
        raise BadUpload(f"its {name} is no Unicode text")
    return value


def _address(entry: Mapping[str, Any]) -> str:
    """The address as it stands; one that nobody could open is refused."""
    url = _text(entry, "url")
    try:
        address = urlsplit(url)
        is_one = address.scheme in {"http", "https"} and bool(address.hostname)
        is_one = is_one and address.port != 0
    except ValueError:
        is_one = False
    if not is_one or url != url.strip() or _CONTROL.search(url):
        raise BadUpload(
            f"its url {url[:100]!r} is no address of a page, with http:// or https:// and a host"
        )
    return url


def _tickers(entry: Mapping[str, Any]) -> list[str]:
    tickers = entry.get("tickers")
    if tickers is None:
        return []
    if not isinstance(tickers, list | tuple) or not all(isinstance(each, str) for each in tickers):
        raise BadUpload("its tickers are no list of texts")
    if len(tickers) > _MOST_TICKERS or any(len(each) > _LONGEST_TICKER for each in tickers):
        raise BadUpload(
            f"its tickers are more than {_MOST_TICKERS}, or longer than {_LONGEST_TICKER} letters"
        )
    return list(tickers)


def _is_unicode(text: str) -> bool:
    """Whether a text can be stored at all: half of a pair of surrogates cannot."""
    try:
        text.encode()
    except UnicodeEncodeError:
        return False
    return True
