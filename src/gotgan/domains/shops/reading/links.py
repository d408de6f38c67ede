"""Where a page leads, where it is at home, and whether it wants to be found."""

from __future__ import annotations

import re
from functools import lru_cache
from typing import Final

from gotgan.domains.shops.canonical import canonical
from gotgan.domains.shops.reading.elements import Elements

__all__ = ["base_of", "canonical_of", "is_index", "links_of"]

_MOST: Final = 10_000
"""How many links of a page are followed: who has more is a trap, or a list that has pages."""
_FROM_ROOT: Final = ("/", "http://", "https://")
"""How links begin that lead to the same place from every page of a site."""
_ORIGIN: Final = re.compile(r"https?://[^/?#]+")
_NO_PAGES: Final = ("javascript:", "mailto:", "tel:")
_ROBOTS: Final = ("robots", "googlebot")


def base_of(elements: Elements, address: str) -> str:
    """What the page's links are relative to."""
    if elements.base is None:
        return address
    return canonical(elements.base, address) or address


def links_of(elements: Elements, base: str) -> tuple[str, ...]:
    """The canonical addresses that the page links to, each once, without those it disowns."""
    if not _robots(elements).isdisjoint(("nofollow", "none")):
        return ()
    hrefs = dict.fromkeys(
        (each.get("href") or "").partition("#")[0].strip()
        for each in elements.anchors[:_MOST]
        if "nofollow" not in (each.get("rel") or "").lower()
    )
    origin = _ORIGIN.match(base)
    root = origin[0] if origin else base
    found = (_resolved(href, root if href.startswith(_FROM_ROOT) else base) for href in hrefs)
    return tuple(dict.fromkeys(url for url in found if url is not None))


@lru_cache(maxsize=16_384)
def _resolved(href: str, base: str) -> str | None:
    """Kept, because most links stand on all pages of a shop."""
    return canonical(href, base) if href and not href.startswith(_NO_PAGES) else None


def canonical_of(elements: Elements, base: str) -> str | None:
    """Where the page says it is at home."""
    said = (each.get("href") for each in elements.relations if _is_canonical(each))
    found = (canonical(href, base) for href in said if href)
    return next((url for url in found if url is not None), None)


def is_index(elements: Elements) -> bool:
    """Whether the page wants to be found."""
    return _robots(elements).isdisjoint(("noindex", "none"))


def _is_canonical(attributes: dict[str, str | None]) -> bool:
    return "canonical" in (attributes.get("rel") or "").lower().split()


def _robots(elements: Elements) -> frozenset[str]:
    said = (elements.metas.get(name, "") for name in _ROBOTS)
    return frozenset(each.strip().lower() for text in said for each in text.split(","))
