"""What every imported file is held to: how much it may hold, and how its faults are told."""

from __future__ import annotations

import hashlib
from collections import Counter
from dataclasses import dataclass, field
from datetime import datetime
from typing import Final

from gotgan.clock import utc_iso
from gotgan.domains.videos.keys import video_id_of
from gotgan.errors import BadUpload, UsageError
from gotgan.settings import Secret

__all__ = [
    "LARGEST_FILE",
    "LONGEST_TEXT",
    "MOST_COMMENTS",
    "SAMPLING",
    "ImportFile",
    "expect_room",
    "shown",
]

LARGEST_FILE: Final = 64_000_000
"""How many bytes a file may have."""
MOST_COMMENTS: Final = 200_000
"""How many comments a file may hold."""
LONGEST_TEXT: Final = 10_000
"""How many characters a comment may have, as on YouTube."""
SAMPLING: Final = "import"
"""How imported comments were chosen: nobody knows."""

_LONGEST_SHOWN: Final = 40
_DIGITS: Final = 32


def expect_room(name: str, size: int) -> None:
    """Refuse a file that is too large."""
    if size > LARGEST_FILE:
        raise BadUpload(
            f"{name} has more than {LARGEST_FILE:,} bytes, which is too much; split it by video"
        )


@dataclass
class ImportFile:
    """One file that is being read."""

    name: str
    secret: Secret
    """What keys the hashes of people."""
    video_id: str | None = None
    """Which video it is about, where it does not say so itself."""
    _same: Counter[str] = field(default_factory=Counter, init=False)

    def fault(self, place: str, why: str) -> BadUpload:
        """The error for something in it."""
        return BadUpload(f"{self.name}{f', {place}' if place else ''}: {why}")

    def video_of(self, given: str, place: str) -> str:
        """The id of a video that it names, or of the one that it is about."""
        if not given.strip():
            return self._video_it_is_about(place)
        try:
            return video_id_of(given)
        except UsageError as error:
            raise self.fault(place, error.message) from None

    def expect_text(self, text: str, place: str) -> str:
        """A comment's text; no comment of YouTube's is longer."""
        if len(text) > LONGEST_TEXT:
            raise self.fault(
                place,
                f"the comment has more than {LONGEST_TEXT:,} characters, which none on YouTube "
                "has; see whether a quotation mark is missing, or shorten it",
            )
        return text

    def expect_few(self, number: int) -> None:
        """Refuse more comments than are taken at once."""
        if number > MOST_COMMENTS:
            raise self.fault("", f"it holds more than {MOST_COMMENTS:,} comments; split it")

    def made_up_id(self, video_id: str, text: str, published_at: datetime | None) -> str:
        """An id for a comment without one: the same whenever the same file is read.

        Of comments that say the same at the same time, each has its own.
        """
        when = "" if published_at is None else utc_iso(published_at)
        said = f"{video_id}\0{when}\0{text}"
        self._same[said] += 1
        numbered = f"{said}\0{self._same[said]}"
        return f"import-{hashlib.sha256(numbered.encode()).hexdigest()[:_DIGITS]}"

    def _video_it_is_about(self, place: str) -> str:
        if self.video_id is None:
            raise self.fault(
                place,
                "the file does not name its video; name it with --video (API, console: video)",
            )
        return self.video_id


def shown(text: str) -> str:
    """The beginning of something that is wrong."""
    return repr(text[:_LONGEST_SHOWN])
