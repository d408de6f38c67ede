"""Uploaded stories: all are checked before the first is stored."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping
from typing import Any, Final
from urllib.parse import urlsplit

import orjson

from gotgan.domains.news import messages
from gotgan.domains.news.models import Story
from gotgan.errors import BadUpload
from gotgan.messages import Message

_FIELDS: Final = {"title", "url", "tickers"}
_MAX_ERRORS_SHOWN: Final = 5
_MAX_CHARS: Final = {"title": 2_000, "url": 4_000}
_MAX_TICKERS: Final = 200
_MAX_TICKER_CHARS: Final = 32
_CONTROL: Final = re.compile(r"[\x00-\x1f\x7f]")
_BOM: Final = b"\xef\xbb\xbf"


def parse_stories(document: bytes) -> list[Story]:
    """The stories of a JSON list or of JSON lines; if one is wrong, none is taken."""
    return check_stories(_parse_document(document))


def check_stories(entries: Iterable[Any]) -> list[Story]:
    """The stories of a parsed list; if one is wrong, none is taken."""
    stories: list[Story] = []
    wrong: list[Message] = []
    for number, entry in enumerate(entries, start=1):
        try:
            stories.append(check_story(entry))
        except BadUpload as error:
            wrong.append(messages.OF_STORY(number=number, why=error.message))
    if (left := len(wrong) - _MAX_ERRORS_SHOWN) > 0:
        raise BadUpload(messages.NOT_STORED_MORE(errors=wrong[:_MAX_ERRORS_SHOWN], left=left))
    if wrong:
        raise BadUpload(messages.NOT_STORED(errors=wrong))
    return stories


def check_story(entry: Any) -> Story:
    """One story, checked."""
    if not isinstance(entry, Mapping):
        raise BadUpload(messages.NOT_AN_OBJECT())
    if unknown := sorted(str(name) for name in entry.keys() - _FIELDS):
        raise BadUpload(messages.UNKNOWN_FIELDS(names=unknown))
    return Story(title=_text(entry, "title"), url=_address(entry), tickers=tuple(_tickers(entry)))


def _parse_document(document: bytes) -> Iterable[Any]:
    """The elements of the list, or one object per line."""
    plain = document.removeprefix(_BOM)
    try:
        plain.decode()
    except UnicodeDecodeError as error:
        shape = messages.STORIES_SHAPE()
        raise BadUpload(messages.NOT_UTF8(byte=error.start, shape=shape)) from None
    if plain.lstrip()[:1] != b"[":
        return _parse_lines(plain)
    try:
        entries: list[Any] = orjson.loads(plain)
    except orjson.JSONDecodeError as error:
        shape = messages.STORIES_SHAPE()
        raise BadUpload(messages.NOT_JSON(cause=error, shape=shape)) from None
    return entries


def _parse_lines(document: bytes) -> Iterator[Any]:
    for number, line in enumerate(document.splitlines(), start=1):
        if line.strip():
            try:
                yield orjson.loads(line)
            except orjson.JSONDecodeError:
                shape = messages.STORIES_SHAPE()
                raise BadUpload(messages.LINE_NOT_JSON(number=number, shape=shape)) from None


def _text(entry: Mapping[str, Any], name: str) -> str:
    value = entry.get(name)
    if not isinstance(value, str) or not value.strip():
        raise BadUpload(messages.FIELD_MISSING(field=name))
    if len(value) > _MAX_CHARS[name]:
        raise BadUpload(messages.FIELD_TOO_LONG(field=name, count=_MAX_CHARS[name]))
    try:
        value.encode()
    except UnicodeEncodeError:  # half of a pair of surrogates cannot be stored
        raise BadUpload(messages.FIELD_NOT_UNICODE(field=name)) from None
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
        raise BadUpload(messages.NOT_A_URL(url=repr(url[:100])))
    return url


def _tickers(entry: Mapping[str, Any]) -> list[str]:
    tickers = entry.get("tickers")
    if tickers is None:
        return []
    if not isinstance(tickers, list | tuple) or not all(isinstance(each, str) for each in tickers):
        raise BadUpload(messages.TICKERS_NOT_TEXTS())
    if len(tickers) > _MAX_TICKERS or any(len(each) > _MAX_TICKER_CHARS for each in tickers):
        raise BadUpload(messages.TOO_MANY_TICKERS(count=_MAX_TICKERS, most=_MAX_TICKER_CHARS))
    return list(tickers)
