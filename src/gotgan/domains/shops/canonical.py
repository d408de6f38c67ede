"""The one spelling of a page's address: two links to the same page become the same text.

What is left out says who asks or where from, never what is shown; what may matter stays, in its
order. Two addresses that differ here may still be one page: its ``rel=canonical`` says so then.
"""

from __future__ import annotations

import re
from functools import lru_cache
from typing import Final
from urllib.parse import urljoin

from gotgan.errors import AddressRefused
from gotgan.fetch.addresses import Address, parse

__all__ = ["TRACKING", "TRACKING_PREFIXES", "absolute", "canonical"]

TRACKING_PREFIXES: Final = (
    "utm_",  # Google Analytics, and everybody after it
    "hsa_",  # HubSpot's advertisements
    "itm_",  # links within a site
    "matomo_",
    "mtm_",
    "pk_",  # Piwik, Matomo's first name
    "pr_",  # Shopify's recommendations: pr_prod_strat, pr_rec_id, pr_ref_pid, pr_seq
)
TRACKING: Final = frozenset(
    (
        # An advertisement that was clicked: Google, Meta, Microsoft, Yandex, X, TikTok, LinkedIn,
        # Pinterest, Instagram.
        *("gclid", "gclsrc", "dclid", "gbraid", "wbraid", "gad_source", "gad_campaignid"),
        *("srsltid", "fbclid", "msclkid", "yclid", "ysclid", "twclid", "ttclid", "li_fat_id"),
        *("epik", "igsh", "igshid"),
        # A visitor who is followed from page to page, or out of a letter: Google Analytics,
        # Mailchimp, Marketo, HubSpot, Klaviyo.
        *("_ga", "_gl", "mc_cid", "mc_eid", "mkt_tok", "_hsenc", "_hsmi", "_ke", "_kx"),
        # The place in Shopify's list of results that led here.
        *("_pos", "_sid", "_ss", "_psq", "_fid"),
        # The visit itself, where a shop writes it into its links.
        *("phpsessid", "jsessionid", "oscsid", "xtcsid", "modsid", "zenid"),
    )
)
"""Parameters that never say what is shown, by their names in lower case."""

_FILES: Final = frozenset(
    (
        *("jpg", "jpeg", "png", "gif", "webp", "avif", "svg", "ico", "bmp", "tif", "tiff", "heic"),
        *("mp3", "mp4", "m4a", "m4v", "mov", "avi", "webm", "ogg", "wav"),
        *("pdf", "doc", "docx", "xls", "xlsx", "ppt", "pptx", "csv", "ics", "vcf", "epub"),
        *("zip", "gz", "tgz", "rar", "7z", "exe", "dmg", "apk", "iso"),
        *("css", "js", "mjs", "map", "woff", "woff2", "ttf", "otf", "eot"),
        *("xml", "rss", "atom", "json", "txt"),
    )
)
"""How addresses end of which everybody knows that no page is there."""
_LONGEST: Final = 8_000
"""Servers read no more; and pictures that stand in links themselves are never kept in mind."""
_BREAKS: Final = str.maketrans("", "", "\t\n\r")
"""What browsers leave out, wherever it stands."""
_IN_FULL: Final = ("https://", "http://")
_FROM_ROOT: Final = re.compile(r"/(?!/)")
_ORIGIN: Final = re.compile(r"https?://[^/?#]+")
_ENCODED: Final = re.compile(r"%([0-9A-Fa-f]{2})?")
_UNRESERVED: Final = frozenset(
    b"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-._~"
)


def canonical(url: str, base: str | None = None) -> str | None:
    """The one spelling of an address, or of a link on the page ``base``; None if it is no page."""
    return _spelling(_joined(url, base))


def absolute(url: str, base: str | None = None) -> Address | None:
    """Where a link leads, or None if that is nowhere in the web."""
    return _parsed(_joined(url, base))


@lru_cache(maxsize=16_384)
def _spelling(link: str) -> str | None:
    """Kept, because the pages of a shop link to each other: most links were seen before."""
    address = _parsed(link)
    if address is None:
        return None
    path, _, query = address.target.partition("?")
    path = _without_dots(_encoded_alike(path))
    if _is_file(path):
        return None
    query = _without_tracking(_encoded_alike(query)) if query else ""
    spelt = f"{address.scheme}://{address.host_header}{path}{query and '?'}{query}"
    return spelt if len(spelt) <= _LONGEST else None


def _joined(url: str, base: str | None) -> str:
    """A link without its fragment, in full as far as the page's address has the rest."""
    if len(url) > _LONGEST:
        return ""
    link = url.partition("#")[0].strip().translate(_BREAKS)
    if base is None or link.startswith(_IN_FULL):
        return link
    if _FROM_ROOT.match(link) and (origin := _ORIGIN.match(base)):
        return origin[0] + link
    try:
        return urljoin(base, link)
    except ValueError:
        return ""


def _parsed(link: str) -> Address | None:
    try:
        return parse(link)
    except AddressRefused:
        return None


def _encoded_alike(text: str) -> str:
    return _ENCODED.sub(_spelt, text) if "%" in text else text


def _spelt(found: re.Match[str]) -> str:
    """What needs no encoding without it, all else in capitals, and a bare % as what it means."""
    digits = found[1]
    if digits is None:
        return "%25"
    byte = int(digits, 16)
    return chr(byte) if byte in _UNRESERVED else f"%{digits.upper()}"


def _without_dots(path: str) -> str:
    """A path without the steps ``.`` and ``..``."""
    if "/." not in path:
        return path
    kept: list[str] = []
    steps = path.split("/")[1:]
    for step in steps:
        if step == "..":
            del kept[-1:]
        elif step != ".":
            kept.append(step)
    if steps[-1] in {".", ".."}:
        kept.append("")
    return "/" + "/".join(kept)


def _is_file(path: str) -> bool:
    return path.rpartition(".")[2].lower() in _FILES


def _without_tracking(query: str) -> str:
    return "&".join(each for each in query.split("&") if each and not _is_tracking(each))


def _is_tracking(parameter: str) -> bool:
    name = parameter.partition("=")[0].lower()
    return name in TRACKING or name.startswith(TRACKING_PREFIXES)
