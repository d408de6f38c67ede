"""Where a link leads, without changing a character that need not be changed."""

from __future__ import annotations

import re
from typing import Final
from urllib.parse import urljoin, urlsplit

__all__ = ["resolved", "without_query"]

_AROUND: Final = " \t\n\r\f"
"""What HTML calls white space; whatever else stands at an end belongs to the address."""
_SCHEME: Final = re.compile(r"[a-z][a-z0-9+.-]*:", re.IGNORECASE)
_WEB: Final = re.compile(r"https?://", re.IGNORECASE)


def resolved(href: str, address: str) -> str | None:
    """The address that a link on the page at ``address`` leads to; None where it is no page.

    An absolute link stays as it is and one with a path gets what is missing put in front, because
    an address is a key: ``urljoin`` drops an empty ``?`` or ``#`` and so makes another one of it.
    """
    link = href.strip(_AROUND)
    if not link or link.startswith("#"):
        return None
    return _if_it_can_be_asked(_absolute(link, address))


def without_query(url: str) -> str:
    """An address up to its query or fragment."""
    return url.partition("#")[0].partition("?")[0]


def _absolute(link: str, address: str) -> str:
    if _SCHEME.match(link):
        return link
    scheme, _, rest = address.partition("://")
    if link.startswith("//"):
        return f"{scheme}:{link}"
    if link.startswith("/"):
        return f"{scheme}://{re.split('[/?#]', rest, maxsplit=1)[0]}{link}"
    return _joined(address, link)


def _joined(address: str, link: str) -> str:
    try:
        return urljoin(address, link)
    except ValueError:  # brackets that enclose no IPv6 address
        return ""


def _if_it_can_be_asked(url: str) -> str | None:
    try:
        has_host = bool(urlsplit(url).hostname)
    except ValueError:
        return None
    return url if has_host and _WEB.match(url) else None
