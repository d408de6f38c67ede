"""Whose page an address is: the domain of a shop, and the name that it shares with others."""

from __future__ import annotations

from functools import cache, lru_cache
from typing import TYPE_CHECKING, Final

from gotgan.errors import AddressRefused, UsageError

if TYPE_CHECKING:
    from tldextract import TLDExtract

__all__ = [
    "core_domain_name",
    "domain_of",
    "is_public_suffix",
    "is_same_site",
    "site_of",
    "twin_of",
]

_WWW: Final = "www."
_USUAL: Final = frozenset((("http", 80), ("https", 443)))
_USUAL_PORTS: Final = frozenset(port for _, port in _USUAL)


def domain_of(text: str) -> str:
    """The host of what somebody typed, in lower case and in ASCII, with ``www.`` if they wrote it.

    A whole address will do; an IP address, or a name without a dot, is no domain. On another port
    than the usual ones there may be another site, which no domain names.
    """
    from gotgan.fetch.addresses import parse  # noqa: PLC0415 - it loads yarl

    typed = text.strip()
    try:
        address = parse(typed if "://" in typed else f"https://{typed}")
    except AddressRefused:
        raise _no_domain(typed) from None
    if address.ip is not None or "." not in address.host:
        raise _no_domain(typed)
    if address.port not in _USUAL_PORTS:
        raise UsageError(
            f"{typed[:100]!r} names port {address.port}; shops are visited on the usual ports, so "
            f"leave it out: {address.host}"
        )
    return address.host


def core_domain_name(domain: str) -> str:
    """What a domain is called without what is sold to everybody: example, of www.example.co.uk.

    Shops under one host's name (antik.myshopify.com) each have their own. Where nobody knows which
    part is sold, as in an internal network, it is the first label after ``www.``.
    """
    icann, private = _extractors()
    for extractor in (private, icann):
        found = extractor.extract_str(domain)
        if found.suffix and found.domain:
            return found.domain
    return site_of(domain).partition(".")[0]


def is_public_suffix(domain: str) -> bool:
    """Whether names under a domain are sold to everybody, as under co.uk: it is nobody's shop."""
    icann, _ = _extractors()
    found = icann.extract_str(domain)
    return bool(found.suffix) and not found.domain


def is_same_site(url: str, domain: str) -> bool:
    """Whether an address is on a shop's own host, with or without ``www.``, on the usual port.

    Another subdomain is another site: under one suffix it may be somebody else's.
    """
    return _host_of("/".join(url.split("/", 3)[:3])) == site_of(domain)


def site_of(domain: str) -> str:
    """What a domain is called without ``www.``: those that share it are one site."""
    return domain.removeprefix(_WWW)


def twin_of(domain: str) -> str:
    """The other domain of the same site: with ``www.``, or without it."""
    site = site_of(domain)
    return f"{_WWW}{site}" if site == domain else site


@lru_cache(maxsize=1_024)
def _host_of(origin: str) -> str | None:
    """The host of an address without ``www.``; kept, because most links of a page lead to it."""
    from gotgan.domains.shops.canonical import absolute  # noqa: PLC0415 - as above

    address = absolute(origin)
    if address is None or (address.scheme, address.port) not in _USUAL:
        return None
    return site_of(address.host)


@cache
def _extractors() -> tuple[TLDExtract, TLDExtract]:
    """What knows the public suffixes, without and with those of hosts; from a list that ships."""
    from tldextract import TLDExtract  # noqa: PLC0415 - slow to load, and few commands need it

    return (
        TLDExtract(suffix_list_urls=(), cache_dir=None),
        TLDExtract(suffix_list_urls=(), cache_dir=None, include_psl_private_domains=True),
    )


def _no_domain(typed: str) -> UsageError:
    return UsageError(f"{typed[:100]!r} is no domain of a shop; write it like example.com")
