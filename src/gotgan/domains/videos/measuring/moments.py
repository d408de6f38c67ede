"""Places in a video that comments name, such as 2:14."""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Iterator, Sequence
from typing import Final

from gotgan.domains.videos.measuring.measured import VideoTimestamp
from gotgan.domains.videos.measuring.remarks import MOST_EVIDENCE, by_likes
from gotgan.domains.videos.measuring.words import LONGEST_COMMENT
from gotgan.domains.videos.models import Comment

__all__ = ["moments_of", "seconds_in"]

_MOST_MOMENTS: Final = 20
_APART: Final = 5
"""Places so many seconds apart are one: people stop the video a little early or late."""
_PLACE: Final = re.compile(
    r"(?<![\d:])(?<!\d[./])(?:(\d{1,2}):([0-5]\d)|(\d{1,3})):([0-5]\d)(?![\d:])", re.ASCII
)
_CLOCK_BEFORE: Final = re.compile(
    r"(?:오전|오후|새벽|아침|점심|저녁|밤|낮|현재|시각|시간은|비율|스코어|ratio|score"
    r"|[가-힣]복음|시편|psalms?|matthew|mark|luke|john|romans|genesis"
    r"|\d{4}[./-]\d{1,2}[./-]\d{1,2}\.?)\s?$"
)
_CLOCK_AFTER: Final = re.compile(
    r"\s?(?:[ap]\.?m\b(?!\si\b)|시(?!작)|(?:kst|[ecp][sd]t|gmt|utc|ist)\b|비율|ratio|스코어"
    r"|(?:으?로\s?)?(?:이겼|이기|졌|승리|패배|역전))"
)
_WIDE: Final = "\uff1a"
"""A colon as keyboards for Chinese and Japanese write it."""
_CONTEXT: Final = 12
"""So many characters before and after a time are looked at to tell what it is."""


def moments_of(comments: Sequence[Comment], duration: int | None) -> tuple[VideoTimestamp, ...]:
    """The places most comments name, the most named first; each comment names a place once."""
    named: defaultdict[int, set[int]] = defaultdict(set)
    for at, comment in enumerate(comments):
        for seconds in seconds_in(comment.text):
            if not duration or seconds <= duration:
                named[seconds].add(at)
    moments = [_moment(comments, seconds, at) for seconds, at in _merged(named)]
    moments.sort(key=lambda moment: (-moment.count, moment.seconds))
    return tuple(moments[:_MOST_MOMENTS])


def seconds_in(text: str) -> Iterator[int]:
    """The places in a video that a text names, in seconds from its start."""
    text = text[:LONGEST_COMMENT].replace(_WIDE, ":").lower()
    if ":" not in text:
        return
    for found in _PLACE.finditer(text):
        if not _is_other(text, found.start(), found.end()):
            hours, minutes, alone, seconds = (int(part or 0) for part in found.groups())
            yield hours * 3_600 + (minutes + alone) * 60 + seconds


def _is_other(text: str, start: int, end: int) -> bool:
    """Whether a time is one of a day, a result of a match, or a verse."""
    before = text[max(0, start - _CONTEXT) : start]
    return bool(_CLOCK_BEFORE.search(before) or _CLOCK_AFTER.match(text, end, end + _CONTEXT))


def _merged(named: dict[int, set[int]]) -> Iterator[tuple[int, set[int]]]:
    """Places with those close to them, under the second that most comments name."""
    left = dict(named)
    for seconds in sorted(named, key=lambda second: (-len(named[second]), second)):
        if seconds in left:
            close = range(seconds - _APART, seconds + _APART + 1)
            yield seconds, set().union(*(left.pop(at) for at in close if at in left))


def _moment(comments: Sequence[Comment], seconds: int, places: set[int]) -> VideoTimestamp:
    liked = sorted((comments[at] for at in places), key=by_likes)[:MOST_EVIDENCE]
    return VideoTimestamp(seconds, len(places), tuple(comment.comment_id for comment in liked))
