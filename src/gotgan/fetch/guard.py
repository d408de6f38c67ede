"""The SSRF guard: a URL from data never reaches this machine or its network.

A URL in the settings is trusted, as an exact host and port, and so is the resolver map. Everything
else must be public when it is connected to: the addresses that are checked are those that are
used, so a name cannot change in between.
"""

from __future__ import annotations

import asyncio
import socket
import threading
from collections.abc import Awaitable, Callable, Mapping, Sequence
from concurrent.futures import Future
from ipaddress import IPv4Address, IPv4Network, IPv6Address, IPv6Network, ip_address
from typing import Any, Final, TypeAlias

from gotgan.errors import AddressRefused, PrivateName
from gotgan.fetch import messages
from gotgan.fetch.addresses import Address


async def resolve_host(
    host: str, port: int, *, ask: Callable[..., Sequence[Any]] = socket.getaddrinfo
) -> Sequence[str]:
    """The IP addresses of a host name, in the order in which to try them.

    A daemon thread looks them up: a program would wait for an executor's threads at its end, and
    so for a name server that does not answer.
    """
    found: Future[Sequence[Any]] = Future()
    found.set_running_or_notify_cancel()

    def look_up() -> None:
        try:
            found.set_result(ask(host, port, type=socket.SOCK_STREAM))
        except (OSError, UnicodeError) as error:
            found.set_exception(error)

    threading.Thread(target=look_up, name="gotgan-names", daemon=True).start()
    return [str(entry[4][0]) for entry in await asyncio.wrap_future(found)]


Lookup: TypeAlias = Callable[[str, int], Awaitable[Sequence[str]]]
"""Returns the IP addresses of a name; raises OSError if it has none."""

_LOCALHOST: Final = "localhost"
_PRIVATE_IPV4: Final = tuple(
    IPv4Network(network)
    for network in (
        "0.0.0.0/8",  # this network
        "10.0.0.0/8",  # private
        "100.64.0.0/10",  # carriers' own, and a cloud's metadata
        "127.0.0.0/8",  # loopback
        "168.63.129.16/32",  # a cloud's metadata, though it looks public
        "169.254.0.0/16",  # link-local, and most clouds' metadata
        "172.16.0.0/12",  # private
        "192.0.0.0/24",  # protocols, and a cloud's metadata
        "192.0.2.0/24",  # examples
        "192.88.99.0/24",  # relays that were shut down
        "192.168.0.0/16",  # private
        "198.18.0.0/15",  # measurements
        "198.51.100.0/24",  # examples
        "203.0.113.0/24",  # examples
        "224.0.0.0/4",  # multicast
        "240.0.0.0/4",  # reserved, and broadcast
    )
)
_PUBLIC_IPV6: Final = IPv6Network("2000::/3")
"""Global unicast; outside are loopback, private, link-local, multicast, mapped."""
_PRIVATE_IPV6: Final = tuple(
    IPv6Network(network)
    for network in (
        "2001::/23",  # protocols, Teredo among them
        "2001:db8::/32",  # examples
        "2002::/16",  # embedded IPv4 addresses of relays that were shut down
        "3fff::/20",  # examples
    )
)
_NAT64: Final = IPv6Network("64:ff9b::/96")
"""IPv4 addresses in networks without IPv4, in the last 32 bits."""


class Guard:
    """Which hosts may be connected to, and their addresses."""

    def __init__(self, resolve: Mapping[str, str], lookup: Lookup = resolve_host) -> None:
        self._resolve = resolve
        self._lookup = lookup

    def place_of(self, address: Address) -> str | None:
        """The entry of the resolver map for a name, as ``host:port``; never for IP addresses."""
        if address.ip is not None or address.host == _LOCALHOST:
            return None
        labels = address.host.split(".")
        suffixes = [".".join(["*", *labels[taken:]]) for taken in range(1, len(labels) + 1)]
        names = [address.host, *suffixes]
        return next((self._resolve[name] for name in names if name in self._resolve), None)

    def admit(self, address: Address, *, is_trusted: bool) -> None:
        """Raise AddressRefused if the URL itself is not public."""
        if is_trusted:
            return
        if address.ip is not None and not is_public(address.ip):
            raise _private_address(address.host)
        if address.host == _LOCALHOST or address.host.endswith(f".{_LOCALHOST}"):
            raise _private_address(address.host)

    async def addresses(self, host: str, port: int, *, is_trusted: bool) -> Sequence[str]:
        """The addresses to connect to; raise PrivateName if any of them is not public."""
        found = await self._lookup(host, port)
        if not found:
            raise OSError(f"{host} has no address")
        if not (is_trusted or all(is_public(ip_address(each)) for each in found)):
            raise PrivateName(messages.PRIVATE_NAME(host=host))
        return found


def is_public(ip: IPv4Address | IPv6Address) -> bool:
    """Whether an address is one host on the public internet."""
    if isinstance(ip, IPv4Address):
        return not any(ip in network for network in _PRIVATE_IPV4)
    if ip in _NAT64:
        return is_public(IPv4Address(int(ip) & 0xFFFFFFFF))
    return ip in _PUBLIC_IPV6 and not any(ip in network for network in _PRIVATE_IPV6)


def _private_address(host: str) -> AddressRefused:
    return AddressRefused(messages.PRIVATE_ADDRESS(host=host))
