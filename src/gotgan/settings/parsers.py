"""How the text of each setting is parsed; a ValueError says what to write instead."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from datetime import timedelta
from ipaddress import ip_network
from typing import Final, TypeVar
from urllib.parse import urlsplit
from zoneinfo import ZoneInfo, ZoneInfoNotFoundError

from gotgan.settings.secret import Secret

_NAME: Final = re.compile(r"[A-Za-z0-9_.-]{3,255}")
_NAMED: Final = re.compile(rf"{_NAME.pattern}(:{_NAME.pattern})?")
_MAILBOX: Final = re.compile(r"[^@\s<>\"]+@[^@\s<>\"]+")
_CONTACT: Final = re.compile(r"(?=[!-~]{3,200}$)(https?://[^()<>\"]+|[^@()<>\"]+@[^@()<>\"]+)")
_HOST: Final = re.compile(r"\*|(\*\.)?[a-z0-9_-]+(\.[a-z0-9_-]+)*")
_PLACE: Final = re.compile(r"[a-z0-9._-]+|\[[0-9a-f:.]+\]")
_MAX_DELAY_S: Final = 3600
_HIGHEST_PORT: Final = 65535
_TTL: Final = re.compile(r"(\d{1,2})\s*h\s*(?::\s*(\S.*))?", re.DOTALL)
_DAY_HOURS: Final = 24
_MAX_REASON_LENGTH: Final = 200
_Word = TypeVar("_Word", bound=str)


def one_of(*words: _Word) -> Callable[[str], _Word]:
    """One of these words, in capitals or not."""

    def parse(text: str) -> _Word:
        for word in words:
            if word == text.lower():
                return word
        raise ValueError(f"use one of {', '.join(words)}")

    return parse


def some_of(*words: str) -> Callable[[str], tuple[str, ...]]:
    """One or more of these words, separated by commas; their order is kept."""
    known = {word.lower(): word for word in words}

    def parse(text: str) -> tuple[str, ...]:
        given = [each.strip().lower() for each in text.split(",") if each.strip()]
        if not given or not known.keys() >= set(given):
            raise ValueError(f"use one or more of {', '.join(words)}, separated by commas")
        return tuple(known[each] for each in dict.fromkeys(given))

    return parse


def database(text: str) -> Secret | None:
    """``sqlite``, or a server's address; secret as a whole, because a password may be in it."""
    if text.lower() == "sqlite":
        return None
    address = urlsplit(text)
    if address.scheme not in {"postgresql", "postgres"} or not address.path.strip("/"):
        raise ValueError("use sqlite, or postgresql://user:password@host/name")
    return Secret(text)


def zone(text: str) -> str:
    """The name of a zone that this machine knows."""
    try:
        return ZoneInfo(text).key
    except (ZoneInfoNotFoundError, ValueError, OSError):
        raise ValueError("use the name of a zone, such as Asia/Seoul or UTC") from None


def dynamodb(text: str) -> str:
    """``embedded``, ``aws``, or the address of an endpoint and nothing more."""
    if text.lower() in {"embedded", "aws"}:
        return text.lower()
    address = urlsplit(text)
    if address.scheme not in {"http", "https"} or not address.hostname or address.port == 0:
        raise ValueError("use embedded, aws, or an endpoint such as http://127.0.0.1:8000")
    if address.path not in {"", "/"} or address.query or address.fragment or "@" in address.netloc:
        raise ValueError("an endpoint is a scheme, a host and a port; leave out the rest")
    return f"{address.scheme}://{address.netloc}"


def names(text: str) -> Mapping[str, str]:
    """``declared=name`` pairs; an index is declared as ``table:index``."""
    pairs = [pair.strip().partition("=") for pair in text.split(",") if pair.strip()]
    for word, sign, name in pairs:
        if not (_NAMED.fullmatch(word) and _NAME.fullmatch(name)):
            raise ValueError(
                f"{word}{sign}{name} names nothing; use pairs such as FMWebAppTable=site-prod, or "
                "table:index=name, with names of 3 to 255 letters, digits, dots, hyphens and "
                "underscores"
            )
    names = {word: name for word, _, name in pairs}
    if len(names) < len(pairs):
        raise ValueError("something is named twice")
    return names


def table(text: str) -> str:
    """What DynamoDB takes as the name of a table."""
    if not _NAME.fullmatch(text):
        raise ValueError("use 3 to 255 letters, digits, dots, hyphens and underscores")
    return text


def smtp(text: str) -> Secret:
    """A mail server's address; secret as a whole, because a password may be in it."""
    address = urlsplit(text)
    try:
        port = address.port
    except ValueError:
        port = 0
    if address.scheme not in {"smtp", "smtps"} or not address.hostname or port == 0:
        raise ValueError("use smtp://user:password@host:587 or smtps://user:password@host:465")
    if address.path not in {"", "/"} or address.query or address.fragment:
        raise ValueError("leave out what follows the host and the port")
    return Secret(text)


def mailbox(text: str) -> str:
    """The address of a mailbox."""
    if not _MAILBOX.fullmatch(text):
        raise ValueError("use an address such as site@example.com")
    return text


def networks(text: str) -> tuple[str, ...]:
    """Addresses and networks, separated by commas."""
    given = [each.strip() for each in text.split(",") if each.strip()]
    return tuple(str(ip_network(each, strict=False)) for each in given)


def hosts(text: str) -> tuple[str, ...]:
    """Host names, also with ``*.`` before them, separated by commas."""
    given = [each.strip().rstrip(".").lower() for each in text.split(",") if each.strip()]
    for each in given:
        if not _HOST.fullmatch(each):
            raise ValueError("use host names such as gotgan.example.com, without scheme and port")
    return tuple(given)


def origins(text: str) -> tuple[str, ...]:
    """Schemes and hosts of sites, separated by commas."""
    given = [each.strip().rstrip("/").lower() for each in text.split(",") if each.strip()]
    for each in given:
        address = urlsplit(each)
        if (
            address.scheme not in {"http", "https"}
            or each != f"{address.scheme}://{address.netloc}"
        ):
            raise ValueError("use origins such as https://www.example.com, separated by commas")
    return tuple(given)


def contact(text: str) -> str:
    """A page or a mailbox, in letters that a header can carry."""
    if not _CONTACT.fullmatch(text):
        raise ValueError(
            "use an address such as https://example.com/bot or bot@example.com, in plain letters"
        )
    return text


def seconds(text: str) -> float:
    """How long to wait."""
    wrong = ValueError(f"use a number of seconds from 0 to {_MAX_DELAY_S}")
    try:
        seconds = float(text)
    except ValueError:
        raise wrong from None
    if not 0 <= seconds <= _MAX_DELAY_S:
        raise wrong
    return seconds


def whole_number(text: str) -> int:
    """A number of things, one at least."""
    if not (text.isascii() and text.isdigit() and int(text)):
        raise ValueError("use a whole number, 1 or more")
    return int(text)


def places(text: str) -> Mapping[str, str]:
    """``name=host:port`` pairs; a name may begin with ``*.``, and ``*`` is every name."""
    pairs = [pair.strip().lower().partition("=") for pair in text.split(",") if pair.strip()]
    for name, sign, place in pairs:
        host, _, port = place.rpartition(":")
        is_place = _PLACE.fullmatch(host) and port.isascii() and port.isdigit()
        if not (_HOST.fullmatch(name) and is_place):
            raise ValueError(
                f"{name}{sign}{place} leads nowhere; use pairs such as shop.test=127.0.0.1:8099"
            )
        if not 0 < int(port) <= _HIGHEST_PORT:
            raise ValueError(f"{port} is no port; use 1 to {_HIGHEST_PORT}")
    places = {name: place for name, _, place in pairs}
    if len(places) < len(pairs):
        raise ValueError("a host is named twice")
    return places


def page(text: str) -> str:
    """The address of a page."""
    address = urlsplit(text)
    if address.scheme not in {"http", "https"} or not address.hostname or "@" in address.netloc:
        raise ValueError("use the address of a page, such as https://example.com/list")
    return text


@dataclass(frozen=True)
class Ttl:
    """How long an analysis is reused; less than a day needs a reason."""

    hours: int = _DAY_HOURS
    reason: str | None = None

    @property
    def span(self) -> timedelta:
        """The time to live."""
        return timedelta(hours=self.hours)


def parse_ttl(text: str) -> Ttl:
    """``24h``, or fewer hours with a reason, such as ``6h: YouTube answers badly``."""
    found = _TTL.fullmatch(text.strip())
    if found is None or not 1 <= int(found[1]) <= _DAY_HOURS:
        raise ValueError("use 1h to 23h and a reason, such as 6h: YouTube answers badly; or 24h")
    hours, reason = int(found[1]), found[2]
    if hours == _DAY_HOURS:
        return Ttl()
    if reason is None:
        raise ValueError(f"less than 24h needs a reason, such as {hours}h: YouTube answers badly")
    if len(reason) > _MAX_REASON_LENGTH:
        raise ValueError(f"give the reason in {_MAX_REASON_LENGTH} characters or fewer")
    return Ttl(hours, " ".join(reason.split()))
