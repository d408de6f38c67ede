"""What the built-in analyser speaks about: a video, its figures, and the language to say it in."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass
from typing import Final

from gotgan.domains.videos.analysers.builtin_wording import ENGLISH, KOREAN, LanguageWording
from gotgan.domains.videos.measuring.background import known_nouns
from gotgan.domains.videos.measuring.measured import Measurements, VideoTimestamp
from gotgan.domains.videos.measuring.nouns import stems_of
from gotgan.domains.videos.measuring.words import plain, tokens_of
from gotgan.domains.videos.models import Material, Video

__all__ = ["Subject", "fitted", "listed", "percent", "place", "subject_of"]

_UNSHOWABLE: Final = re.compile(
    r"[\x00-\x08\x0b\x0c\x0e-\x1f\x7f-\x9f\u200e\u200f\u202a-\u202e\u2066-\u2069\ud800-\udfff]"
)
"""Controls, marks that turn the writing round, and halves of characters."""
_HANGUL: Final = re.compile("[가-힣]")
_LONGEST_TITLE: Final = 120
_MOST_OWN_WORDS: Final = 12


@dataclass(frozen=True)
class Subject:
    """A video as the built-in analyser sees it."""

    measured: Measurements
    wording: LanguageWording
    title: str
    """Fit to be shown; it may be empty."""
    basis: str
    """What there is beside comments, in words."""
    own_words: tuple[str, ...]
    """Words that stand out in the title and the description."""

    @property
    def heard(self) -> int:
        """How many comments there are to go by."""
        return self.measured.sentiment.n

    @property
    def shared_moments(self) -> tuple[VideoTimestamp, ...]:
        """The places that several comments name, or all of them where none is named twice."""
        shared = tuple(moment for moment in self.measured.moments if moment.count > 1)
        return shared or self.measured.moments


def subject_of(material: Material, measured: Measurements) -> Subject:
    """What to speak about."""
    video = material.video
    wording = _wording(video, measured)
    has_description = bool(video.description.strip())
    basis = wording.title_and_description if has_description else wording.title_only
    return Subject(measured, wording, fitted(video.title, _LONGEST_TITLE), basis, _words(video))


def fitted(text: str, most: int) -> str:
    """A text of one line that can be shown, cut where it is too long."""
    text = " ".join(_UNSHOWABLE.sub("", text).split())
    return text if len(text) <= most else text[: most - 1].rstrip() + "…"


def listed(items: Iterable[str]) -> str:
    """Several things in one sentence."""
    return ", ".join(items)


def percent(part: int, whole: int) -> int:
    """A share as people say it."""
    return round(100 * part / whole)


def place(seconds: int) -> str:
    """A place in the video as comments write it."""
    hours, rest = divmod(seconds, 3_600)
    minutes, left = divmod(rest, 60)
    return f"{hours}:{minutes:02}:{left:02}" if hours else f"{minutes}:{left:02}"


def _wording(video: Video, measured: Measurements) -> LanguageWording:
    """Korean where most comments are Korean, or the title is and there are none."""
    if not measured.sentiment.n:
        return KOREAN if _HANGUL.search(video.title) else ENGLISH
    korean = measured.languages.get("ko", 0)
    return KOREAN if korean >= max(measured.languages.values(), default=0) else ENGLISH


def _words(video: Video) -> tuple[str, ...]:
    """The words of the title, and those that the description repeats."""
    title, described = tokens_of(plain(video.title)), tokens_of(plain(video.description))
    counts = Counter([*title, *title, *described])
    stems = stems_of(counts, 2, known_nouns())
    words = [stems[word] for word in counts if word in stems and counts[word] > 1]
    return tuple(dict.fromkeys(words))[:_MOST_OWN_WORDS]
