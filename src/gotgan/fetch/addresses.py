"""Addresses of the web, read in one way only: what is checked is what is connected to."""

from __future__ import annotations

import re
from dataclasses import dataclass
from functools import lru_cache
from ipaddress import IPv4Address, IPv6Address
from typing import Final
from urllib.parse import SplitResult, quote, urljoin, urlsplit

from yarl import URL

from gotgan.errors import AddressRefused

__all__ = ["Address", "parse", "shown"]

_PORTS: Final = {"http": 80, "https": 443}
_LABEL: Final = r"[a-z0-9_]([a-z0-9_-]{0,61}[a-z0-9_])?"
_NAME: Final = re.compile(rf"{_LABEL}(\.{_LABEL})*")
_LONGEST_NAME: Final = 253
_ENDS_IN_A_NUMBER: Final = re.compile(r"(.*\.)?([0-9]+|0x[0-9a-f]*)")
_BRACKETED: Final = re.compile(r"\[[^\]]*\](:[0-9]*)?")
_CONTROL: Final = re.compile(r"[\x00-\x1f\x7f]")
_AS_THEY_ARE: Final = "/%:@!$&'()*+,;=~-._?[]|^\\"
"""What stays as it is written in a path and a query: what is encoded already, above all."""
_LONGEST_SHOWN: Final = 200


@dataclass(frozen=True)
class Address:
    """Where to go, taken apart."""

    scheme: str
    host: str
    """A name in lower case and in ASCII, or an IP address without brackets."""
    port: int
    target: str
    """The path and the query, as they are sent."""

    @property
    def ip(self) -> IPv4Address | IPv6Address | None:
        """The IP address, where there is no name."""
        if ":" in self.host:
            return IPv6Address(self.host)
        return IPv4Address(self.host) if _ENDS_IN_A_NUMBER.fullmatch(self.host) else None

    @property
    def authority(self) -> tuple[str, int]:
        """The exact host and port."""
        return self.host, self.port

    @property
    def host_header(self) -> str:
        """The host as requests and URLs name it, with a port that does not go without saying."""
        host = f"[{self.host}]" if ":" in self.host else self.host
        return host if self.port == _PORTS[self.scheme] else f"{host}:{self.port}"

    @property
    def url(self) -> str:
        """The address in one piece."""
        return f"{self.scheme}://{self.host_header}{self.target}"

    def joined(self, location: str) -> Address:
        """Where a redirect from here leads."""
        try:
            return parse(urljoin(self.url, location.strip()))
        except ValueError as error:
            raise _no_address(location) from error


@lru_cache(maxsize=1_024)
def parse(url: str) -> Address:
    """Read an address; raise AddressRefused where it is none that can be fetched.

    Kept, because everybody on the way of a request reads its address anew.
    """
    text = url.strip()
    if _CONTROL.search(text):
        raise _no_address(url)
    try:
        parts = urlsplit(text)
        port = parts.port
        target = _target(parts)
    except ValueError as error:
        raise _no_address(url) from error
    if parts.scheme not in _PORTS:
        raise AddressRefused(f"{shown(url)} is not of the web; only http and https are fetched")
    if "@" in parts.netloc:
        raise AddressRefused(
            f"{shown(url)} has a user or a password in it; nothing is fetched in anybody's name"
        )
    if port == 0:
        raise AddressRefused(f"{shown(url)} names port 0, which is none")
    return Address(parts.scheme, _host(parts, url), port or _PORTS[parts.scheme], target)


def shown(url: str) -> str:
    """An address as sentences and events show it: without its query, which may be private."""
    bare = url.partition("#")[0].partition("?")[0]
    scheme, sign, rest = bare.partition("://")
    authority, slash, path = rest.partition("/")
    bare = f"{scheme}{sign}{authority.rpartition('@')[2]}{slash}{path}" if sign else bare
    if not bare.isprintable():
        bare = "".join(c if c.isprintable() else " " for c in bare)
    return bare[:_LONGEST_SHOWN]


def _target(parts: SplitResult) -> str:
    path = quote(parts.path, safe=_AS_THEY_ARE, errors="surrogateescape") or "/"
    query = quote(parts.query, safe=_AS_THEY_ARE, errors="surrogateescape")
    return f"{path}?{query}" if query else path


def _host(parts: SplitResult, url: str) -> str:
    host = (parts.hostname or "").removesuffix(".")
    if _BRACKETED.fullmatch(parts.netloc):
        return _six(host, url)
    name = _in_ascii(host, url)
    if _ENDS_IN_A_NUMBER.fullmatch(name):
        return _four(name, url)
    if len(name) > _LONGEST_NAME or not _NAME.fullmatch(name):
        raise _no_address(url)
    return name


def _in_ascii(host: str, url: str) -> str:
    """The name as it is asked for; digits and dots of other scripts become plain ones."""
    if host.isascii():
        return host
    try:
        return (URL.build(scheme="http", host=host).raw_host or "").removesuffix(".")
    except ValueError as error:
        raise _no_address(url) from error


def _four(host: str, url: str) -> str:
    """Four numbers: the system would take 127.1, 0x7f000001 and 2130706433 for 127.0.0.1 too."""
    try:
        return str(IPv4Address(host))
    except ValueError as error:
        raise AddressRefused(
            f"{shown(url)} spells an IP address in an odd way; write it as four plain numbers"
        ) from error


def _six(host: str, url: str) -> str:
    try:
        address = IPv6Address(host)
    except ValueError as error:
        raise _no_address(url) from error
    if address.scope_id:
        raise AddressRefused(
            f"{shown(url)} is an address on a link of this machine, not of the web"
        )
    return str(address)


def _no_address(url: str) -> AddressRefused:
    return AddressRefused(f"{shown(url)!r} is no address that can be fetched; look at the link")
