"""Words of comments, how common they are in comments anywhere, and comments without copies."""

from __future__ import annotations

import re
from collections.abc import Container, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from importlib.resources import files
from typing import Final
from unicodedata import is_normalized, normalize

from gotgan.domains.videos.metrics.measurements import Label, NotableComment
from gotgan.domains.videos.models import Comment

MAX_COMMENT_CHARS: Final = 2_000
"""The rest of a longer comment is not read."""
_TOKEN: Final = re.compile(r"[^\W_ㄱ-ㆎ]+(?:'[a-z]+)?")
"""Letters and digits, but no laughter (ㅋㅋ) or tears (ㅠㅠ), which may stick to a word."""
_CURLY: Final = "\u2019"
"""An apostrophe as phones write it."""
_ZERO_WIDTH: Final = ("\u200b", "\u2060", "\ufeff")
"""YouTube writes the first one before the ``@name`` of a reply."""
_ADDRESS: Final = re.compile(r"(?:https?://|www\.)\S+|@[\w.-]+")
_BACKGROUND_COMMENTS: Final = 100_000
"""The number of comments that the counts of background files refer to."""
_RARE_SHARE: Final = 10 / _BACKGROUND_COMMENTS
"""The share of a word that neither file has; their last words are a little above it."""
MAX_EVIDENCE: Final = 10
"""How many comments are named for each figure."""


def plain_text(text: str) -> str:
    """A comment in one spelling: composed, in lower case, with single spaces."""
    text = text[:MAX_COMMENT_CHARS]
    for invisible in _ZERO_WIDTH:
        if invisible in text:
            text = text.replace(invisible, "")
    if not is_normalized("NFC", text):
        text = normalize("NFC", text)
    return " ".join(text.lower().replace(_CURLY, "'").split())


def tokenize(text: str) -> list[str]:
    """The words of a plain comment in their order, without addresses and names of accounts."""
    if "@" in text or "://" in text or "www." in text:
        text = _ADDRESS.sub(" ", text)
    return _TOKEN.findall(text)


def data_lines(package: str, name: str) -> Iterator[list[str]]:
    """The lines of a data file that are no comments, as their words."""
    text = files(package).joinpath(name).read_text(encoding="utf-8")
    return (line.split() for line in text.splitlines() if not line.startswith("#"))


@cache
def stopwords() -> frozenset[str]:
    """Korean and English words that are common in comments on any video."""
    return frozenset(word for line in data_lines(__package__, "stopwords.txt") for word in line)


def background_share(word: str) -> float:
    """The share of all comments anywhere that have a word."""
    return _shares().get(word, _RARE_SHARE)


def known_nouns() -> Container[str]:
    """The nouns that are common in comments anywhere."""
    return _shares().keys()


@cache
def _shares() -> Mapping[str, float]:
    return {
        word: int(count) / _BACKGROUND_COMMENTS
        for name in ("background_en.txt", "background_ko.txt")
        for count, *words in data_lines(__package__, name)
        for word in words
    }


@dataclass(frozen=True, slots=True)
class Remark:
    """A text, and the most liked of the comments that have it."""

    comment: Comment
    text: str
    """As ``plain_text`` writes it."""
    label: Label

    @property
    def notable(self) -> NotableComment:
        """The remark in a list of comments."""
        return NotableComment(self.comment.comment_id, max(self.comment.likes, 0), self.label)


def by_likes(comment: Comment) -> tuple[int, str]:
    """A key that sorts the most liked first, and always in the same order."""
    return -comment.likes, comment.comment_id


def unique_remarks(comments: Sequence[Comment], labels: Sequence[Label]) -> list[Remark]:
    """The remarks in comments, the most liked first."""
    remarks: dict[str, Remark] = {}
    pairs = zip(comments, labels, strict=True)
    for comment, label in sorted(pairs, key=lambda pair: by_likes(pair[0])):
        text = plain_text(comment.text)
        remarks.setdefault(text, Remark(comment, text, label))
    return list(remarks.values())


def top_comment_ids(remarks: Sequence[Remark], places: Iterable[int]) -> tuple[str, ...]:
    """The ids of the most liked remarks at some places."""
    return tuple(remarks[at].comment.comment_id for at in sorted(places)[:MAX_EVIDENCE])
