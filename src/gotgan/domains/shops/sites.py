"""The site of a URL: the domain of a shop, and the core name that it shares with others."""

from __future__ import annotations

import re
from functools import cache, lru_cache
from typing import TYPE_CHECKING, Final, Literal
from urllib.parse import urlsplit

from gotgan.domains.shops import messages
from gotgan.errors import AddressRefused, UsageError

if TYPE_CHECKING:
    from tldextract import TLDExtract


_WWW: Final = "www."
_DEFAULT_ORIGINS: Final = frozenset((("http", 80), ("https", 443)))
_DEFAULT_PORTS: Final = frozenset(port for _, port in _DEFAULT_ORIGINS)


def parse_domain(text: str) -> str:
    """The host of a domain or URL, in lower case and ASCII, with ``www.`` if given.

    IP addresses and names without a dot are refused, and other ports than the default ones: there
    may be another site, which no domain names.
    """
    from gotgan.fetch.addresses import parse_url  # noqa: PLC0415 - it loads yarl

    typed = text.strip()
    try:
        address = parse_url(typed if "://" in typed else f"https://{typed}")
    except AddressRefused:
        raise _bad_domain(typed) from None
    if address.ip is not None or "." not in address.host:
        raise _bad_domain(typed)
    if address.port not in _DEFAULT_PORTS:
        port = str(address.port)
        raise UsageError(messages.HAS_PORT(domain=repr(typed[:100]), port=port, host=address.host))
    return address.host


def core_domain_name(domain: str) -> str:
    """The registered name of a domain without its suffix: example, of www.example.co.uk.

    Shops under one host's name (antik.myshopify.com) each have their own. If the suffix is unknown,
    as in an internal network, it is the first label after ``www.``.
    """
    icann, private = _extractors()
    for extractor in (private, icann):
        found = extractor.extract_str(domain)
        if found.suffix and found.domain:
            return found.domain
    return without_www(domain).partition(".")[0]


def is_public_suffix(domain: str) -> bool:
    """Whether names under a domain are sold to everybody, as under co.uk."""
    icann, _ = _extractors()
    found = icann.extract_str(domain)
    return bool(found.suffix) and not found.domain


def is_same_site(url: str, domain: str) -> bool:
    """Whether a URL is on a shop's own host, with or without ``www.``, on the default port.

    Another subdomain is another site: it may belong to another owner.
    """
    return _host_of("/".join(url.split("/", 3)[:3])) == without_www(domain)


def without_www(domain: str) -> str:
    """The domain without ``www.``; domains that share it are one site."""
    return domain.removeprefix(_WWW)


def www_twin(domain: str) -> str:
    """The other domain of the same site: with ``www.``, or without it."""
    site = without_www(domain)
    return f"{_WWW}{site}" if site == domain else site


_LOGIN_WORDS: Final = re.compile(
    r"(?<![a-z])(?:(?:log|sign)[-_]?in|anmeld(?:en|ung)|connexion|password)(?![a-z])", re.IGNORECASE
)
CONSENT_WORDS: Final = re.compile(
    r"consent|(?<![a-z])cookie[-_ ]?wall|before you continue|bevor sie fortfahren", re.IGNORECASE
)


def form_kind(url: str) -> Literal["login", "consent"] | None:
    """Which form a URL leads to, by its words."""
    place = urlsplit(url)
    asked = f"{place.path}?{place.query}"
    if _LOGIN_WORDS.search(asked):
        return "login"
    return "consent" if CONSENT_WORDS.search(asked) else None


@lru_cache(maxsize=1_024)
def _host_of(origin: str) -> str | None:
    """The host of a URL without ``www.``; cached, because most links of a page lead to it."""
    from gotgan.domains.shops.canonical import absolute_url  # noqa: PLC0415 - as above

    address = absolute_url(origin)
    if address is None or (address.scheme, address.port) not in _DEFAULT_ORIGINS:
        return None
    return without_www(address.host)


@cache
def _extractors() -> tuple[TLDExtract, TLDExtract]:
    """Public suffixes without and with those of hosting companies, from the bundled list."""
    from tldextract import TLDExtract  # noqa: PLC0415 - slow to load, and few commands need it

    return (
        TLDExtract(suffix_list_urls=(), cache_dir=None),
        TLDExtract(suffix_list_urls=(), cache_dir=None, include_psl_private_domains=True),
    )


def _bad_domain(typed: str) -> UsageError:
    return UsageError(messages.NOT_A_DOMAIN(domain=repr(typed[:100])))
