"""What a sitemap lists: pages, other sitemaps, and when each last changed.

A sitemap is whatever a stranger put there, so it is read within bounds; one that is broken gives
what stands before the break.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from datetime import datetime
from typing import Final

from gotgan.domains.shops.canonical import absolute, canonical
from gotgan.domains.shops.sitemap_xml import SitemapEntry, SitemapUnreadable, entries_of
from gotgan.errors import FetchError
from gotgan.fetch.unpacking import Unpacked

__all__ = ["Listed", "Sitemap", "read_sitemap", "walked"]

_GZIP: Final = b"\x1f\x8b"
_LARGEST: Final = 50 * 1024 * 1024
_MOST: Final = 50_000
"""Both bounds of a file are the protocol's own."""
_DEEPEST: Final = 3
"""The protocol knows an index and its files; some shops put one more above."""
_MOST_FILES: Final = 500


def _unheard(_: str) -> None:
    """Tell nobody what is left out."""


@dataclass(frozen=True)
class Listed:
    """An address in a sitemap."""

    url: str
    lastmod: datetime | None = None
    """When it changed last, in UTC, where that is said and can be read."""


@dataclass(frozen=True)
class Sitemap:
    """One file: of pages, or of other sitemaps, each once and in its order."""

    pages: tuple[Listed, ...] = ()
    sitemaps: tuple[Listed, ...] = ()
    flaw: str | None = None
    """Why this is not all of it, where it is not."""


def read_sitemap(body: bytes, address: str) -> Sitemap:
    """Read a sitemap of any kind: XML, an index, plain lines, RSS or Atom, packed or not."""
    try:
        entries = _entries(_unpacked(body, address))
    except FetchError as error:
        return Sitemap(flaw=error.message)
    return _collected(entries, address)


def walked(
    addresses: Iterable[str],
    read: Callable[[str], Sitemap],
    *,
    deepest: int = _DEEPEST,
    most_files: int = _MOST_FILES,
    on_flaw: Callable[[str], None] = _unheard,
) -> Iterator[Listed]:
    """The pages of some sitemaps, and of those that these list; ``read`` brings one of them.

    ``on_flaw`` is told where some are left out, because they are too many or too deep.
    """
    waiting = [(address, 1) for address in dict.fromkeys(addresses)]
    known = {address for address, _ in waiting}
    for number, (address, depth) in enumerate(waiting):  # it grows meanwhile
        if number == most_files:
            on_flaw(f"it has more than {most_files:,} sitemaps")
            return
        sitemap = read(address)
        yield from sitemap.pages
        fresh = [each.url for each in sitemap.sitemaps if each.url not in known]
        if fresh and depth == deepest:
            on_flaw(f"its sitemaps lie more than {deepest} deep")
        elif len(known) <= most_files:
            known.update(fresh)
            waiting += [(url, depth + 1) for url in fresh]


def _unpacked(body: bytes, address: str) -> bytes:
    unpacked = Unpacked(address, "gzip" if body.startswith(_GZIP) else "", _LARGEST)
    unpacked.feed(body)
    return unpacked.whole()


def _entries(body: bytes) -> Iterator[SitemapEntry]:
    return entries_of(body) if b"<" in body[:100] else _lines(body)


def _lines(body: bytes) -> Iterator[SitemapEntry]:
    for line in body.decode("utf-8-sig", "replace").splitlines():
        if line.lstrip().startswith("http"):
            yield SitemapEntry("url", line)


def _collected(entries: Iterable[SitemapEntry], address: str) -> Sitemap:
    pages: dict[str, Listed] = {}
    sitemaps: dict[str, Listed] = {}
    flaw = None
    try:
        for entry in entries:
            _keep(entry, address, sitemaps if entry.kind == "sitemap" else pages)
    except SitemapUnreadable as reason:
        flaw = str(reason)
    if not pages and not sitemaps:
        flaw = flaw or "it lists nothing"
    return Sitemap(tuple(pages.values()), tuple(sitemaps.values()), flaw)


def _keep(entry: SitemapEntry, address: str, kept: dict[str, Listed]) -> None:
    spelt = _file if entry.kind == "sitemap" else canonical
    url = spelt(entry.place, address)
    if url is None or url in kept:
        return
    if len(kept) == _MOST:
        raise SitemapUnreadable(f"it lists more than {_MOST:,} addresses")
    kept[url] = Listed(url, entry.moment)


def _file(place: str, address: str) -> str | None:
    found = absolute(place, address)
    return found.url if found else None
