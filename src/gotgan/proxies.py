"""Who asks, when proxies stand in between: believed only from those that are trusted."""

from __future__ import annotations

from collections.abc import Sequence
from ipaddress import IPv6Address, ip_address, ip_network

from starlette.datastructures import Headers
from starlette.types import Scope

__all__ = ["seen_through"]


def seen_through(scope: Scope, headers: Headers, trusted: Sequence[str]) -> None:
    """Give a request the address and the scheme that it had before the proxies.

    ``X-Forwarded-For`` is read from its end, as long as those who wrote it are trusted: what a
    visitor put there before the first trusted proxy is never believed.
    """
    address, port = scope.get("client") or ("", 0)
    if not _is_trusted(address, trusted):
        return
    scope.setdefault("state", {})["is_proxied"] = True
    scheme = headers.get("x-forwarded-proto", "").rpartition(",")[2].strip()
    if scheme in {"http", "https"}:
        scope["scheme"] = scheme
    hops = [hop.strip() for line in headers.getlist("x-forwarded-for") for hop in line.split(",")]
    for hop in reversed(hops):
        sender = _bare(hop)
        if sender is None or not _is_trusted(address, trusted):
            break
        address = sender
    scope["client"] = (address, port)


def _is_trusted(address: str, trusted: Sequence[str]) -> bool:
    bare = _bare(address)
    return bare is not None and any(ip_address(bare) in ip_network(each) for each in trusted)


def _bare(text: str) -> str | None:
    """An address alone, of one that may have a port or be IPv4 in the form of IPv6."""
    if text.startswith("[") or text.count(":") == 1:
        text = text.removeprefix("[").partition("]" if text.startswith("[") else ":")[0]
    try:
        address = ip_address(text)
    except ValueError:
        return None
    mapped = address.ipv4_mapped if isinstance(address, IPv6Address) else None
    return str(mapped or address)
