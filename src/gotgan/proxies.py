"""Who asks, when proxies stand in between: believed only from those that are trusted."""

from __future__ import annotations

from collections.abc import Sequence
from ipaddress import ip_address, ip_network

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
    scheme = headers.get("x-forwarded-proto", "").rpartition(",")[2].strip()
    if scheme in {"http", "https"}:
        scope["scheme"] = scheme
    hops = [hop.strip() for line in headers.getlist("x-forwarded-for") for hop in line.split(",")]
    for hop in reversed(hops):
        if not _is_trusted(address, trusted) or not _is_address(hop):
            break
        address = hop
    scope["client"] = (address, port)


def _is_trusted(address: str, trusted: Sequence[str]) -> bool:
    return _is_address(address) and any(
        ip_address(address) in ip_network(network) for network in trusted
    )


def _is_address(text: str) -> bool:
    try:
        ip_address(text)
    except ValueError:
        return False
    return True
