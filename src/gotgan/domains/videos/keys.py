"""Ids and keys of videos, analyses, comments and authors."""

from __future__ import annotations

import hashlib
import hmac
import json
import re
import secrets
from collections.abc import Iterable
from datetime import datetime
from typing import TYPE_CHECKING, Final
from urllib.parse import SplitResult, parse_qs, urlsplit

from gotgan.clock import utc_iso
from gotgan.domains.videos import messages
from gotgan.domains.videos.models import Comment
from gotgan.errors import UsageError

if TYPE_CHECKING:
    from gotgan.settings import Secret

_ID_PATTERN: Final = re.compile(r"[A-Za-z0-9_-]{11}")
_YOUTUBE_HOSTS: Final = ("youtube.com", "youtube-nocookie.com")
_SHORT_HOST: Final = "youtu.be"
_ID_FOLDERS: Final = frozenset({"embed", "live", "shorts", "v"})
"""What comes before the id in a URL without ``watch?v=``."""
_MAX_SHOWN_CHARS: Final = 80
_HASH_DIGITS: Final = 32


def parse_video_id(text: str) -> str:
    """The id of a video, from itself or from any of its URLs on YouTube."""
    given = text.strip()
    found = given if _ID_PATTERN.fullmatch(given) else _id_in_url(given)
    if found is None or not _ID_PATTERN.fullmatch(found):
        raise UsageError(messages.NOT_A_VIDEO(video=repr(given[:_MAX_SHOWN_CHARS])))
    return found


def cache_key(video_id: str, version: str, snapshot: str | None = None) -> str:
    """The key of an analysis; ``snapshot`` ties it to certain comments."""
    return ":".join(["analysis", video_id, version, *([snapshot] if snapshot else [])])


def snapshot_hash(comments: Iterable[Comment], sampling: str) -> str:
    """A hash of the versions of comments and of their selection."""
    versions = sorted(
        (each.comment_id, utc_iso(each.updated_at) if each.updated_at else "") for each in comments
    )
    content = json.dumps([sampling, versions], separators=(",", ":"))
    return hashlib.sha256(content.encode()).hexdigest()


def author_hash(secret: Secret, channel_id: str) -> str:
    """A keyed hash of an author, who can be counted and not named."""
    content = f"author\0{channel_id}".encode()
    return hmac.new(secret.reveal().encode(), content, hashlib.sha256).hexdigest()[:_HASH_DIGITS]


def _id_in_url(address: str) -> str | None:
    try:
        parts = urlsplit(address if "://" in address else f"https://{address.lstrip('/')}")
        host = (parts.hostname or "").removesuffix(".")
    except ValueError:
        return None
    if parts.scheme not in {"http", "https"}:
        return None
    if host.removeprefix("www.") == _SHORT_HOST:
        return parts.path.strip("/").partition("/")[0]
    is_youtube = any(host == site or host.endswith(f".{site}") for site in _YOUTUBE_HOSTS)
    return _id_in_path(parts) if is_youtube else None


def _id_in_path(parts: SplitResult) -> str | None:
    first, _, rest = parts.path.strip("/").partition("/")
    if first == "watch":
        return next(iter(parse_qs(parts.query).get("v", [])), None)
    return rest.partition("/")[0] if first in _ID_FOLDERS else None


def new_id(now: datetime) -> str:
    """A unique id of 32 hexadecimal digits; ids sort by their time."""
    return f"{int(now.timestamp() * 1000):012x}{secrets.token_hex(10)}"
