"""By what videos, analyses, comments and people are known."""

from __future__ import annotations

import hashlib
import hmac
import json
import re
from collections.abc import Iterable
from typing import TYPE_CHECKING, Final
from urllib.parse import SplitResult, parse_qs, urlsplit

from gotgan.clock import utc_iso
from gotgan.domains.videos.models import Comment
from gotgan.errors import UsageError

if TYPE_CHECKING:
    from gotgan.settings import Secret

__all__ = ["author_hash", "cache_key", "snapshot_hash", "video_id_of"]

_ID: Final = re.compile(r"[A-Za-z0-9_-]{11}")
_SITES: Final = ("youtube.com", "youtube-nocookie.com")
_SHORT: Final = "youtu.be"
_FOLDERS: Final = frozenset({"embed", "live", "shorts", "v"})
"""What stands before the id in an address that is none of ``watch?v=``."""
_LONGEST_SHOWN: Final = 80
_DIGITS: Final = 32


def video_id_of(text: str) -> str:
    """The id of a video, of itself or of any address that YouTube gives it."""
    given = text.strip()
    found = given if _ID.fullmatch(given) else _id_in(given)
    if found is None or not _ID.fullmatch(found):
        raise UsageError(
            f"{given[:_LONGEST_SHOWN]!r} is no video of YouTube; give its address, such as "
            "https://www.youtube.com/watch?v=dQw4w9WgXcQ, or its id of 11 characters"
        )
    return found


def cache_key(video_id: str, version: str, snapshot: str | None = None) -> str:
    """What an analysis is found by; ``snapshot`` ties it to certain comments."""
    return ":".join(["analysis", video_id, version, *([snapshot] if snapshot else [])])


def snapshot_hash(comments: Iterable[Comment], sampling: str) -> str:
    """The same for the same versions of the same comments, chosen in the same way."""
    versions = sorted((each.comment_id, _version(each)) for each in comments)
    said = json.dumps([sampling, versions], separators=(",", ":"))
    return hashlib.sha256(said.encode()).hexdigest()


def author_hash(secret: Secret, channel_id: str) -> str:
    """Somebody, so that they can be counted and not named."""
    said = f"author\0{channel_id}".encode()
    return hmac.new(secret.reveal().encode(), said, hashlib.sha256).hexdigest()[:_DIGITS]


def _version(comment: Comment) -> str:
    return "" if comment.updated_at is None else utc_iso(comment.updated_at)


def _id_in(address: str) -> str | None:
    try:
        parts = urlsplit(address if "://" in address else f"https://{address.lstrip('/')}")
        host = (parts.hostname or "").removesuffix(".")
    except ValueError:
        return None
    if parts.scheme not in {"http", "https"}:
        return None
    if host.removeprefix("www.") == _SHORT:
        return parts.path.strip("/").partition("/")[0]
    is_youtube = any(host == site or host.endswith(f".{site}") for site in _SITES)
    return _id_in_path(parts) if is_youtube else None


def _id_in_path(parts: SplitResult) -> str | None:
    first, _, rest = parts.path.strip("/").partition("/")
    if first == "watch":
        return next(iter(parse_qs(parts.query).get("v", [])), None)
    return rest.partition("/")[0] if first in _FOLDERS else None
