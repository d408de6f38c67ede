"""The canonical URL of a page: two links to the same page become the same text.

Parameters that only identify the visitor or the referrer are dropped; all others stay, in their
order. Two URLs that differ here may still be one page, as its ``rel=canonical`` says.
"""

from __future__ import annotations

import re
from functools import lru_cache
from typing import Final
from urllib.parse import urljoin

from gotgan.errors import AddressRefused
from gotgan.fetch.addresses import Address, parse_url

TRACKING_PREFIXES: Final = (
    "utm_",  # Google Analytics, and everybody after it
    "hsa_",  # HubSpot's advertisements
    "itm_",  # links within a site
    "matomo_",
    "mtm_",
    "pk_",  # Piwik, Matomo's first name
    "pr_",  # Shopify's recommendations: pr_prod_strat, pr_rec_id, pr_ref_pid, pr_seq
)
TRACKING_PARAMS: Final = frozenset(
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
"""Parameters that never change the page, in lower case."""

_FILE_EXTENSIONS: Final = frozenset(
    (
        *("jpg", "jpeg", "png", "gif", "webp", "avif", "svg", "ico", "bmp", "tif", "tiff", "heic"),
        *("mp3", "mp4", "m4a", "m4v", "mov", "avi", "webm", "ogg", "wav"),
        *("pdf", "doc", "docx", "xls", "xlsx", "ppt", "pptx", "csv", "ics", "vcf", "epub"),
        *("zip", "gz", "tgz", "rar", "7z", "exe", "dmg", "apk", "iso"),
        *("css", "js", "mjs", "map", "woff", "woff2", "ttf", "otf", "eot"),
        *("xml", "rss", "atom", "json", "txt"),
    )
)
_MAX_URL_CHARS: Final = 8_000
"""The limit of servers; it also keeps inlined pictures out of the cache."""
_LINE_BREAKS: Final = str.maketrans("", "", "\t\n\r")
_ABSOLUTE: Final = ("https://", "http://")
_FROM_ROOT: Final = re.compile(r"/(?!/)")
_ORIGIN: Final = re.compile(r"https?://[^/?#]+")
_ENCODED: Final = re.compile(r"%([0-9A-Fa-f]{2})?")
_UNRESERVED: Final = frozenset(
    b"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-._~"
)


def canonical_url(url: str, base: str | None = None) -> str | None:
    """The canonical form of a URL, or of a link on the page ``base``; None if it is no page."""
    return _canonical_spelling(_join(url, base))


def absolute_url(url: str, base: str | None = None) -> Address | None:
    """The URL of a link, or None if it does not lead into the web."""
    return _parse(_join(url, base))


@lru_cache(maxsize=16_384)
def _canonical_spelling(link: str) -> str | None:
    """Cached, because the pages of a shop link to each other."""
    address = _parse(link)
    if address is None:
        return None
    path, _, query = address.target.partition("?")
    path = _without_dots(_normalize_escapes(path))
    if path.rpartition(".")[2].lower() in _FILE_EXTENSIONS:
        return None
    parameters = _normalize_escapes(query).split("&")
    named = ((each, each.partition("=")[0].lower()) for each in parameters if each)
    query = "&".join(
        each
        for each, name in named
        if name not in TRACKING_PARAMS and not name.startswith(TRACKING_PREFIXES)
    )
    spelt = f"{address.scheme}://{address.host_header}{path}{query and '?'}{query}"
    return spelt if len(spelt) <= _MAX_URL_CHARS else None


def _join(url: str, base: str | None) -> str:
    """An absolute link without its fragment."""
    if len(url) > _MAX_URL_CHARS:
        return ""
    link = url.partition("#")[0].strip().translate(_LINE_BREAKS)
    if base is None or link.startswith(_ABSOLUTE):
        return link
    if _FROM_ROOT.match(link) and (origin := _ORIGIN.match(base)):
        return origin[0] + link
    try:
        return urljoin(base, link)
    except ValueError:
        return ""


def _parse(link: str) -> Address | None:
    try:
        return parse_url(link)
    except AddressRefused:
        return None


def _normalize_escapes(text: str) -> str:
    return _ENCODED.sub(_normal_escape, text) if "%" in text else text


def _normal_escape(found: re.Match[str]) -> str:
    """Unreserved characters are decoded, other escapes are in capitals, a bare % becomes %25."""
    digits = found[1]
    if digits is None:
        return "%25"
    byte = int(digits, 16)
    return chr(byte) if byte in _UNRESERVED else f"%{digits.upper()}"


def _without_dots(path: str) -> str:
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
