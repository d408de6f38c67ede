"""Comments as the tool youtube-comment-downloader writes them: one object for each, no video.

It writes JSON lines, or with ``--pretty`` one object with a list; other programs save its records
as a plain list.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from decimal import Decimal
from typing import Any, Final

from gotgan.domains.videos.keys import author_hash
from gotgan.domains.videos.models import Comment, Material, Video
from gotgan.domains.videos.sources.fields import (
    MOST_LIKES,
    items_of,
    moment_of,
    short_of,
    text_of,
)
from gotgan.domains.videos.sources.imported import SAMPLING, ImportFile
from gotgan.domains.videos.sources.sampling import each_once
from gotgan.domains.videos.sources.youtube_answers import LONGEST_COMMENT_ID

__all__ = ["is_download", "material_of_download", "votes_of"]

_TELLING: Final = frozenset({"cid", "text"})
_VOTES: Final = re.compile(r"([0-9]{1,12})(?:[.,]([0-9]{1,3}))?\s*([KMB천만억]?)", re.IGNORECASE)
_TIMES: Final = {"": 1, "K": 10**3, "M": 10**6, "B": 10**9, "천": 10**3, "만": 10**4, "억": 10**8}
_GROUP: Final = 3


def is_download(document: Any) -> bool:
    """Whether a document holds such comments."""
    records = _records(document)
    return bool(records) and records[0].keys() >= _TELLING


def material_of_download(upload: ImportFile, document: Any) -> Material:
    """The comments; which video they are about has to be given beside the file."""
    video_id = upload.video_of("", "")
    records = _records(document)
    upload.expect_few(len(records))
    comments = [
        _comment(upload, video_id, each, f"comment {number}")
        for number, each in enumerate(records, start=1)
    ]
    return Material(
        video=Video(video_id, title=""),
        channel=None,
        comments=each_once(comment for comment in comments if comment is not None),
        source="import",
        sampling=SAMPLING,
    )


def votes_of(value: Any) -> int:
    """How many likes a comment has, as YouTube shows them: ``1,234``, ``1.2K`` or ``3만``."""
    found = _VOTES.fullmatch(str(value).strip())
    if found is None:
        return 0
    whole, part, unit = found[1], found[2] or "", found[3].upper()
    if not unit and len(part) == _GROUP:  # the sign separates thousands
        whole, part = whole + part, ""
    return min(int(Decimal(f"{whole}.{part or 0}") * _TIMES[unit]), MOST_LIKES)


def _records(document: Any) -> list[Mapping[str, Any]]:
    if isinstance(document, Mapping):
        return items_of(document.get("comments")) if "comments" in document else [document]
    return items_of(document)


def _comment(
    upload: ImportFile, video_id: str, record: Mapping[str, Any], place: str
) -> Comment | None:
    """A comment; None where it says nothing. Its time is known where the tool could parse it."""
    text = text_of(record.get("text"))
    if not text.strip():
        return None
    published = moment_of(record.get("time_parsed"))
    given = short_of(record.get("cid"), LONGEST_COMMENT_ID)
    author = text_of(record.get("channel")) or text_of(record.get("author"))
    parent, dot, _ = (given or "").partition(".")  # a reply is named <parent>.<own>
    return Comment(
        comment_id=given or upload.made_up_id(video_id, text, published),
        text=upload.expect_text(text, place),
        likes=votes_of(record.get("votes")),
        published_at=published,
        updated_at=published,
        author=author_hash(upload.secret, author) if author else None,
        parent_id=parent if dot else None,
    )
