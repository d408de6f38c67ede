"""How the text of each setting is parsed; a ValueError says what to write instead."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from contextlib import suppress
from dataclasses import dataclass
from datetime import timedelta
from ipaddress import ip_network
from pathlib import Path
from typing import Final, TypeVar
from urllib.parse import SplitResult, urlsplit
from zoneinfo import ZoneInfo, ZoneInfoNotFoundError

from gotgan.settings import messages
from gotgan.settings.secret import Secret

_NAME: Final = re.compile(r"[A-Za-z0-9_.-]{3,255}")
_NAMED: Final = re.compile(rf"{_NAME.pattern}(:{_NAME.pattern})?")
_MAILBOX: Final = re.compile(r"[^@\s<>\"]+@[^@\s<>\"]+")
_CONTACT: Final = re.compile(r"(?=[!-~]{3,200}$)(https?://[^()<>\"]+|[^@()<>\"]+@[^@()<>\"]+)")
_HOST: Final = re.compile(r"\*|(\*\.)?[a-z0-9_-]+(\.[a-z0-9_-]+)*")
_PLACE: Final = re.compile(r"[a-z0-9._-]+|\[[0-9a-f:.]+\]")
_WHOLE_NUMBER: Final = re.compile(r"0*[1-9][0-9]{0,17}")
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
        raise ValueError(messages.ONE_OF(words=words))

    return parse


def some_of(*words: str) -> Callable[[str], tuple[str, ...]]:
    """One or more of these words, separated by commas; their order is kept."""
    known = {word.lower(): word for word in words}

    def parse(text: str) -> tuple[str, ...]:
        given = [each.strip().lower() for each in text.split(",") if each.strip()]
        if not given or not known.keys() >= set(given):
            raise ValueError(messages.SOME_OF(words=words))
        return tuple(known[each] for each in dict.fromkeys(given))

    return parse


def file_path(text: str) -> Path:
    """A path, in which ``~`` is the home folder, as in a shell."""
    try:
        return Path(text).expanduser()
    except RuntimeError:  # the user does not exist
        return Path(text)


def _url(text: str) -> SplitResult:
    """The parts of a URL; all empty where it is none."""
    try:
        return urlsplit(text)
    except ValueError:
        return SplitResult("", "", "", "", "")


def _port(address: SplitResult) -> int | None:
    """The port of an address; 0 where it is none."""
    try:
        return address.port
    except ValueError:
        return 0


def database(text: str) -> Secret | None:
    """``sqlite``, or a server's address; secret as a whole, because a password may be in it."""
    if text.lower() == "sqlite":
        return None
    address = _url(text)
    if address.scheme not in {"postgresql", "postgres"} or not address.path.strip("/"):
        raise ValueError(messages.DATABASE())
    return Secret(text)


def zone(text: str) -> str:
    """The name of a zone that this machine knows."""
    try:
        return ZoneInfo(text).key
    except (ZoneInfoNotFoundError, ValueError, OSError):
        raise ValueError(messages.ZONE()) from None


def dynamodb(text: str) -> str:
    """``embedded``, ``aws``, or the address of an endpoint and nothing more."""
    if text.lower() in {"embedded", "aws"}:
        return text.lower()
    address = _url(text)
    if address.scheme not in {"http", "https"} or not address.hostname or _port(address) == 0:
        raise ValueError(messages.DYNAMODB())
    if address.path not in {"", "/"} or address.query or address.fragment or "@" in address.netloc:
        raise ValueError(messages.ENDPOINT_ONLY())
    return f"{address.scheme}://{address.netloc}"


def names(text: str) -> Mapping[str, str]:
    """``declared=name`` pairs; an index is declared as ``table:index``."""
    pairs = [pair.strip().partition("=") for pair in text.split(",") if pair.strip()]
    for word, sign, name in pairs:
        if not (_NAMED.fullmatch(word) and _NAME.fullmatch(name)):
            raise ValueError(messages.NAMES(pair=f"{word}{sign}{name}"))
    names = {word: name for word, _, name in pairs}
    if len(names) < len(pairs):
        raise ValueError(messages.DUPLICATE_NAME())
    return names


def table(text: str) -> str:
    """What DynamoDB takes as the name of a table."""
    if not _NAME.fullmatch(text):
        raise ValueError(messages.TABLE_NAME())
    return text


def smtp(text: str) -> Secret:
    """A mail server's address; secret as a whole, because a password may be in it."""
    address = _url(text)
    if address.scheme not in {"smtp", "smtps"} or not address.hostname or _port(address) == 0:
        raise ValueError(messages.SMTP())
    if address.path not in {"", "/"} or address.query or address.fragment:
        raise ValueError(messages.ENDPOINT_ONLY())
    return Secret(text)


def mailbox(text: str) -> str:
    """The address of a mailbox."""
    if not _MAILBOX.fullmatch(text):
        raise ValueError(messages.MAILBOX())
    return text


def networks(text: str) -> tuple[str, ...]:
    """Addresses and networks, separated by commas."""
    given = [each.strip() for each in text.split(",") if each.strip()]
    try:
        return tuple(str(ip_network(each, strict=False)) for each in given)
    except ValueError:
        raise ValueError(messages.NETWORKS()) from None


def hosts(text: str) -> tuple[str, ...]:
    """Host names, also with ``*.`` before them, separated by commas."""
    given = [each.strip().rstrip(".").lower() for each in text.split(",") if each.strip()]
    for each in given:
        if not _HOST.fullmatch(each):
            raise ValueError(messages.HOSTS())
    return tuple(given)


def origins(text: str) -> tuple[str, ...]:
    """Schemes and hosts of sites, separated by commas."""
    given = [each.strip().rstrip("/").lower() for each in text.split(",") if each.strip()]
    for each in given:
        address = _url(each)
        if (
            address.scheme not in {"http", "https"}
            or each != f"{address.scheme}://{address.netloc}"
        ):
            raise ValueError(messages.ORIGINS())
    return tuple(given)


def contact(text: str) -> str:
    """A page or a mailbox, in letters that a header can carry."""
    if not _CONTACT.fullmatch(text):
        raise ValueError(messages.CONTACT())
    return text


def seconds(text: str) -> float:
    """How long to wait."""
    with suppress(ValueError):
        if 0 <= (seconds := float(text)) <= _MAX_DELAY_S:
            return seconds
    raise ValueError(messages.SECONDS(maximum=_MAX_DELAY_S))


def whole_number(text: str) -> int:
    """A number of things, one at least."""
    if not _WHOLE_NUMBER.fullmatch(text):
        raise ValueError(messages.WHOLE_NUMBER())
    return int(text)


def places(text: str) -> Mapping[str, str]:
    """``name=host:port`` pairs; a name may begin with ``*.``, and ``*`` is every name."""
    pairs = [pair.strip().lower().partition("=") for pair in text.split(",") if pair.strip()]
    for name, sign, place in pairs:
        host, _, port = place.rpartition(":")
        is_place = _PLACE.fullmatch(host) and port.isascii() and port.isdigit()
        if not (_HOST.fullmatch(name) and is_place):
            raise ValueError(messages.PLACES(pair=f"{name}{sign}{place}"))
        if not 0 < int(port) <= _HIGHEST_PORT:
            raise ValueError(messages.PORT(port=port, maximum=str(_HIGHEST_PORT)))
    places = {name: place for name, _, place in pairs}
    if len(places) < len(pairs):
        raise ValueError(messages.DUPLICATE_NAME())
    return places


def page(text: str) -> str:
    """The address of a page."""
    address = _url(text)
    if address.scheme not in {"http", "https"} or not address.hostname or "@" in address.netloc:
        raise ValueError(messages.PAGE())
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
    """``24h``, or fewer hours with a reason, such as ``6h: YouTube is unreliable``."""
    found = _TTL.fullmatch(text.strip())
    if found is None or not 1 <= int(found[1]) <= _DAY_HOURS:
        raise ValueError(messages.TTL())
    hours, reason = int(found[1]), found[2]
    if hours == _DAY_HOURS:
        return Ttl()
    if reason is None:
        raise ValueError(messages.TTL_REASON(hours=hours))
    if len(reason) > _MAX_REASON_LENGTH:
        raise ValueError(messages.TTL_REASON_LENGTH(maximum=_MAX_REASON_LENGTH))
    return Ttl(hours, " ".join(reason.split()))
