"""The guard: what is found in data never leads to this machine or its network.

An address that stands in the settings is trusted, as an exact host and port, and so is what the
resolver map names. Everything else must be a public address at the moment of the connection: the
addresses that are checked are those that are connected to, so a name cannot change in between.
"""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Mapping, Sequence
from ipaddress import IPv4Address, IPv4Network, IPv6Address, IPv6Network, ip_address
from typing import Final, TypeAlias

from gotgan.errors import AddressRefused, PrivateName
from gotgan.fetch.addresses import Address
from gotgan.fetch.names import addresses_of

__all__ = ["Guard", "Lookup", "is_public"]

Lookup: TypeAlias = Callable[[str, int], Awaitable[Sequence[str]]]
"""Whatever can say which IP addresses a name has; raises OSError where it has none."""

_LOCALHOST: Final = "localhost"
_NOT_PUBLIC: Final = tuple(
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
        "192.88.99.0/24",  # relays that are no more
        "192.168.0.0/16",  # private
        "198.18.0.0/15",  # measurements
        "198.51.100.0/24",  # examples
        "203.0.113.0/24",  # examples
        "224.0.0.0/4",  # multicast
        "240.0.0.0/4",  # reserved, and broadcast
    )
)
_PUBLIC_SIX: Final = IPv6Network("2000::/3")
"""All that is given out; outside of it lie loopback, private, link-local, multicast, mapped."""
_NOT_PUBLIC_SIX: Final = tuple(
    IPv6Network(network)
    for network in (
        "2001::/23",  # protocols, Teredo among them
        "2001:db8::/32",  # examples
        "2002::/16",  # IPv4 in disguise, by relays that are no more
        "3fff::/20",  # examples
    )
)
_NAT64: Final = IPv6Network("64:ff9b::/96")
"""How networks without IPv4 write addresses that have no other; the last 32 bits are theirs."""


class Guard:
    """Who may be asked, and where they are."""

    def __init__(self, resolve: Mapping[str, str], lookup: Lookup = addresses_of) -> None:
        self._resolve = resolve
        self._lookup = lookup

    def place_of(self, address: Address) -> str | None:
        """Where the resolver map sends a name, as ``host:port``; IP addresses stay themselves."""
        if address.ip is not None or address.host == _LOCALHOST:
            return None
        labels = address.host.split(".")
        suffixes = [".".join(["*", *labels[taken:]]) for taken in range(1, len(labels) + 1)]
        names = [address.host, *suffixes]
        return next((self._resolve[name] for name in names if name in self._resolve), None)

    def admit(self, address: Address, *, is_trusted: bool) -> None:
        """Raise AddressRefused where an address says by itself that it is not public."""
        if is_trusted:
            return
        if address.ip is not None and not is_public(address.ip):
            raise _refused(address.host)
        if address.host == _LOCALHOST or address.host.endswith(f".{_LOCALHOST}"):
            raise _refused(address.host)

    async def addresses(self, host: str, port: int, *, is_trusted: bool) -> Sequence[str]:
        """The addresses to connect to; all of them are public, or none is given."""
        found = await self._lookup(host, port)
        if not found:
            raise OSError(f"{host} has no address")
        if not (is_trusted or all(is_public(ip_address(each)) for each in found)):
            raise PrivateName(
                f"{host} leads into this machine or its network at this moment, and a link must "
                "not; nothing was asked. If it should be public, look at the name server"
            )
        return found


def is_public(ip: IPv4Address | IPv6Address) -> bool:
    """Whether an address belongs to one host that everybody can reach."""
    if isinstance(ip, IPv4Address):
        return not any(ip in network for network in _NOT_PUBLIC)
    if ip in _NAT64:
        return is_public(IPv4Address(int(ip) & 0xFFFFFFFF))
    return ip in _PUBLIC_SIX and not any(ip in network for network in _NOT_PUBLIC_SIX)


def _refused(host: str) -> AddressRefused:
    return AddressRefused(
        f"{host} is not a public address, and a link must not lead into this machine or its "
        "network; nothing was asked. If it is meant, put it in the settings"
    )
