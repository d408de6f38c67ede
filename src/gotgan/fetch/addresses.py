"""The only URL parser: the host that is checked is the one that is connected to."""

from __future__ import annotations

import re
from dataclasses import dataclass
from functools import lru_cache
from ipaddress import IPv4Address, IPv6Address
from typing import Final
from urllib.parse import SplitResult, quote, urljoin, urlsplit

from yarl import URL

from gotgan.errors import AddressRefused
from gotgan.fetch import messages

_PORTS: Final = {"http": 80, "https": 443}
_LABEL: Final = r"[a-z0-9_]([a-z0-9_-]{0,61}[a-z0-9_])?"
_NAME: Final = re.compile(rf"{_LABEL}(\.{_LABEL})*")
_MAX_NAME_LENGTH: Final = 253
_ENDS_IN_A_NUMBER: Final = re.compile(r"(.*\.)?([0-9]+|0x[0-9a-f]*)")
_BRACKETED: Final = re.compile(r"\[[^\]]*\](:[0-9]*)?")
_CONTROL: Final = re.compile(r"[\x00-\x1f\x7f]")
_SAFE_CHARACTERS: Final = "/%:@!$&'()*+,;=~-._?[]|^\\"
"""Kept as written in a path and a query, above all what is encoded already."""
_MAX_DISPLAY_LENGTH: Final = 200


@dataclass(frozen=True)
class Address:
    """A parsed URL."""

    scheme: str
    host: str
    """A name in lower case and in ASCII, or an IP address without brackets."""
    port: int
    target: str
    """The path and the query, as they are sent."""

    @property
    def ip(self) -> IPv4Address | IPv6Address | None:
        """The IP address, if the host is one."""
        if ":" in self.host:
            return IPv6Address(self.host)
        return IPv4Address(self.host) if _ENDS_IN_A_NUMBER.fullmatch(self.host) else None

    @property
    def authority(self) -> tuple[str, int]:
        """The exact host and port."""
        return self.host, self.port

    @property
    def host_header(self) -> str:
        """The host as requests and URLs have it, with a port that is not the default."""
        host = f"[{self.host}]" if ":" in self.host else self.host
        return host if self.port == _PORTS[self.scheme] else f"{host}:{self.port}"

    @property
    def url(self) -> str:
        """The whole URL."""
        return f"{self.scheme}://{self.host_header}{self.target}"

    def join(self, location: str) -> Address:
        """The target of a redirect from here."""
        try:
            return parse_url(urljoin(self.url, location.strip()))
        except ValueError as error:
            raise _invalid_url(location) from error


@lru_cache(maxsize=1_024)
def parse_url(url: str) -> Address:
    """Parse a URL; raise AddressRefused if it cannot be fetched.

    Cached, because a request is parsed at every step.
    """
    text = url.strip()
    if _CONTROL.search(text):
        raise _invalid_url(url)
    try:
        parts = urlsplit(text)
        port = parts.port
        target = _target(parts)
    except ValueError as error:
        raise _invalid_url(url) from error
    if parts.scheme not in _PORTS:
        raise AddressRefused(messages.NOT_WEB(url=display_url(url)))
    if "@" in parts.netloc:
        raise AddressRefused(messages.HAS_PASSWORD(url=display_url(url)))
    if port == 0:
        raise AddressRefused(messages.PORT_0(url=display_url(url)))
    return Address(parts.scheme, _host(parts, url), port or _PORTS[parts.scheme], target)


def display_url(url: str) -> str:
    """A URL for messages and events: without its query, which may be private."""
    bare = url.partition("#")[0].partition("?")[0]
    scheme, sign, rest = bare.partition("://")
    authority, slash, path = rest.partition("/")
    bare = f"{scheme}{sign}{authority.rpartition('@')[2]}{slash}{path}" if sign else bare
    if not bare.isprintable():
        bare = "".join(c if c.isprintable() else " " for c in bare)
    return bare[:_MAX_DISPLAY_LENGTH]


def _target(parts: SplitResult) -> str:
    path = quote(parts.path, safe=_SAFE_CHARACTERS, errors="surrogateescape") or "/"
    query = quote(parts.query, safe=_SAFE_CHARACTERS, errors="surrogateescape")
    return f"{path}?{query}" if query else path


def _host(parts: SplitResult, url: str) -> str:
    host = (parts.hostname or "").removesuffix(".")
    if _BRACKETED.fullmatch(parts.netloc):
        return _ipv6_host(host, url)
    name = _ascii_host(host, url)
    if _ENDS_IN_A_NUMBER.fullmatch(name):
        return _ipv4_host(name, url)
    if len(name) > _MAX_NAME_LENGTH or not _NAME.fullmatch(name):
        raise _invalid_url(url)
    return name


def _ascii_host(host: str, url: str) -> str:
    """The name in punycode; digits and dots of other scripts become ASCII."""
    if host.isascii():
        return host
    try:
        return (URL.build(scheme="http", host=host).raw_host or "").removesuffix(".")
    except ValueError as error:
        raise _invalid_url(url) from error


def _ipv4_host(host: str, url: str) -> str:
    """Four numbers only: the system would read 127.1 and 2130706433 as 127.0.0.1 too."""
    try:
        return str(IPv4Address(host))
    except ValueError as error:
        raise AddressRefused(messages.ODD_IP(url=display_url(url))) from error


def _ipv6_host(host: str, url: str) -> str:
    try:
        address = IPv6Address(host)
    except ValueError as error:
        raise _invalid_url(url) from error
    if address.scope_id:
        raise AddressRefused(messages.LINK_LOCAL(url=display_url(url)))
    return str(address)


def _invalid_url(url: str) -> AddressRefused:
    return AddressRefused(messages.BAD_URL(url=repr(display_url(url))))
