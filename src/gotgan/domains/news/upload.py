"""Uploaded stories: all are checked before the first is stored."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping
from typing import Any, Final
from urllib.parse import urlsplit

import orjson

from gotgan.domains.news.models import Story
from gotgan.errors import BadUpload

_FIELDS: Final = {"title", "url", "tickers"}
_MAX_ERRORS_SHOWN: Final = 5
_MAX_CHARS: Final = {"title": 2_000, "url": 4_000}
_MAX_TICKERS: Final = 200
_MAX_TICKER_CHARS: Final = 32
_CONTROL: Final = re.compile(r"[\x00-\x1f\x7f]")
_BOM: Final = b"\xef\xbb\xbf"
_SHAPE: Final = '[{"title": …, "url": …, "tickers": […]}, …], or one such object per line'


def parse_stories(document: bytes) -> list[Story]:
    """The stories of a JSON list or of JSON lines; if one is wrong, none is taken."""
    return check_stories(_parse_document(document))


def check_stories(entries: Iterable[Any]) -> list[Story]:
    """The stories of a parsed list; if one is wrong, none is taken."""
    stories: list[Story] = []
    wrong: list[str] = []
    for number, entry in enumerate(entries, start=1):
        try:
            stories.append(check_story(entry))
        except BadUpload as error:
            wrong.append(f"story {number}: {error.message}")
    if wrong:
        left = len(wrong) - _MAX_ERRORS_SHOWN
        more = f"; and {left} more" if left > 0 else ""
        raise BadUpload(f"nothing was stored: {'; '.join(wrong[:_MAX_ERRORS_SHOWN])}{more}")
    return stories


def check_story(entry: Any) -> Story:
    """One story, checked."""
    if not isinstance(entry, Mapping):
        raise BadUpload("it is no object with title, url and tickers")
    if unknown := sorted(str(name) for name in entry.keys() - _FIELDS):
        raise BadUpload(f"it has {', '.join(unknown)}; there are only title, url and tickers")
    return Story(title=_text(entry, "title"), url=_address(entry), tickers=tuple(_tickers(entry)))


def _parse_document(document: bytes) -> Iterable[Any]:
    """The elements of the list, or one object per line."""
    plain = document.removeprefix(_BOM)
    try:
        plain.decode()
    except UnicodeDecodeError as error:
        raise BadUpload(f"byte {error.start} is no UTF-8; hand over {_SHAPE}, in UTF-8") from None
    if plain.lstrip()[:1] != b"[":
        return _parse_lines(plain)
    try:
        entries: list[Any] = orjson.loads(plain)
    except orjson.JSONDecodeError as error:
        raise BadUpload(f"this is no JSON: {error}; hand over {_SHAPE}") from None
    return entries


def _parse_lines(document: bytes) -> Iterator[Any]:
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
    if len(value) > _MAX_CHARS[name]:
        raise BadUpload(f"its {name} has more than {_MAX_CHARS[name]:,} letters")
    try:
        value.encode()
    except UnicodeEncodeError:  # half of a pair of surrogates cannot be stored
        raise BadUpload(f"its {name} is no Unicode text") from None
    return value


def _address(entry: Mapping[str, Any]) -> str:
    url = _text(entry, "url")
    try:
        address = urlsplit(url)
        is_web = (
            address.scheme in {"http", "https"} and bool(address.hostname) and address.port != 0
        )
    except ValueError:
        is_web = False
    if not is_web or url != url.strip() or _CONTROL.search(url):
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
    if len(tickers) > _MAX_TICKERS or any(len(each) > _MAX_TICKER_CHARS for each in tickers):
        raise BadUpload(
            f"its tickers are more than {_MAX_TICKERS}, or longer than {_MAX_TICKER_CHARS} letters"
        )
    return list(tickers)
