"""An imported file: its limits, its faults, and how its comments become ours."""

from __future__ import annotations

import hashlib
from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass, field
from datetime import datetime
from typing import Any, Final

from gotgan.clock import utc_iso
from gotgan.domains.videos import messages
from gotgan.domains.videos.keys import author_hash, parse_video_id
from gotgan.domains.videos.models import Channel, Comment, Material, Video
from gotgan.domains.videos.sources.fields import MAX_COMMENT_ID_CHARS, bounded_text
from gotgan.domains.videos.sources.sampling import unique_comments
from gotgan.errors import BadUpload, UsageError
from gotgan.settings import Secret

MAX_FILE_BYTES: Final = 64_000_000
MAX_COMMENTS: Final = 200_000
"""How many comments a file may hold."""
MAX_TEXT_CHARS: Final = 10_000
"""How many characters a comment may have, as on YouTube."""
_SAMPLING: Final = "import"
"""How imported comments were chosen is unknown."""
_HASH_DIGITS: Final = 32


def expect_size(name: str, size: int) -> None:
    """Refuse a file that is too large."""
    if size > MAX_FILE_BYTES:
        raise BadUpload(messages.FILE_TOO_LARGE(file=name, count=MAX_FILE_BYTES))


@dataclass
class ImportFile:
    """One file that is being read."""

    name: str
    secret: Secret
    """The key of the hashes of authors."""
    video_id: str | None = None
    """The video of a file that does not name one."""
    _same: Counter[str] = field(default_factory=Counter, init=False)

    def fault(self, place: str, fault: str) -> BadUpload:
        """The error for a place in it, or for all of it."""
        if not place:
            return BadUpload(messages.OF_FILE(file=self.name, fault=fault))
        return BadUpload(messages.OF_PLACE(file=self.name, place=place, fault=fault))

    def expect_video_id(self, text: str, place: str) -> str:
        """The id of a video that the file names, or else of the video that was given with it."""
        if text.strip():
            try:
                return parse_video_id(text)
            except UsageError as error:
                raise self.fault(place, error.message) from None
        if self.video_id is None:
            raise self.fault(place, messages.VIDEO_UNNAMED())
        return self.video_id

    def expect_text(self, text: str, place: str) -> str:
        """Refuse a text that is longer than a comment on YouTube can be."""
        if len(text) > MAX_TEXT_CHARS:
            raise self.fault(place, messages.COMMENT_TOO_LONG(count=MAX_TEXT_CHARS))
        return text

    def expect_few(self, number: int) -> None:
        """Refuse too many comments."""
        if number > MAX_COMMENTS:
            raise self.fault("", messages.TOO_MANY_COMMENTS(count=MAX_COMMENTS))

    def comment(  # noqa: PLR0913 - the fields of a comment
        self,
        video_id: str,
        text: str,
        place: str,
        *,
        comment_id: Any,
        author: str,
        likes: int,
        published_at: datetime | None,
        updated_at: datetime | None = None,
        parent_id: str | None,
    ) -> Comment:
        """A comment, with an id if it has none, and with a hash of its author."""
        known_id = bounded_text(comment_id, MAX_COMMENT_ID_CHARS)
        return Comment(
            comment_id=known_id or self._made_up_id(video_id, text, published_at),
            text=self.expect_text(text, place),
            likes=likes,
            published_at=published_at,
            updated_at=updated_at or published_at,
            author=author_hash(self.secret, author) if author else None,
            parent_id=parent_id,
        )

    def material(
        self,
        video: Video,
        comments: Iterable[Comment | None],
        channel: Channel | None = None,
        warnings: tuple[str, ...] = (),
    ) -> Material:
        """A video with what the file holds of it."""
        unique = unique_comments(each for each in comments if each is not None)
        return Material(video, channel, unique, None, "import", _SAMPLING, warnings)

    def _made_up_id(self, video_id: str, text: str, published_at: datetime | None) -> str:
        """An id that is the same whenever the file is read; equal comments are numbered."""
        content = f"{video_id}\0{utc_iso(published_at) if published_at else ''}\0{text}"
        self._same[content] += 1
        numbered = f"{content}\0{self._same[content]}"
        return f"import-{hashlib.sha256(numbered.encode()).hexdigest()[:_HASH_DIGITS]}"
