"""Everything that can be counted in the comments of a video, without a network."""

from __future__ import annotations

import re
from collections import Counter, defaultdict
from collections.abc import Iterator, Sequence
from collections.abc import Set as AbstractSet
from typing import Final

from gotgan.domains.videos.metrics.keywords import (
    build_keywords,
    count_labels,
    locate_keywords,
)
from gotgan.domains.videos.metrics.measurements import Measurements, NotableComment, VideoTimestamp
from gotgan.domains.videos.metrics.questions import find_questions, find_requests
from gotgan.domains.videos.metrics.sentiment import classify, detect_language
from gotgan.domains.videos.metrics.spam import spam_flags
from gotgan.domains.videos.metrics.topics import find_topics
from gotgan.domains.videos.metrics.words import (
    MAX_COMMENT_CHARS,
    MAX_EVIDENCE,
    Remark,
    by_likes,
    tokenize,
    unique_remarks,
)
from gotgan.domains.videos.models import Comment, Material


def measure(material: Material) -> Measurements:
    """The figures of a video's comments; spam is counted and otherwise left out."""
    comments = list({comment.comment_id: comment for comment in material.comments}.values())
    flags = spam_flags(comments)
    kept = [each for each, is_spam in zip(comments, flags, strict=True) if not is_spam]
    texts = [comment.text for comment in kept]
    languages = [detect_language(text) for text in texts]
    labels = classify(texts, languages, material.video.title)
    remarks = unique_remarks(kept, labels)
    places = locate_keywords(remarks)
    return Measurements(
        sentiment=count_labels(labels),
        labels={each.comment_id: label for each, label in zip(kept, labels, strict=True)},
        languages=Counter(languages),
        spam=len(comments) - len(kept),
        keywords=build_keywords(remarks, places),
        topics=find_topics(remarks, places),
        requests=find_requests(remarks),
        questions=find_questions(remarks),
        highlights=find_highlights(remarks),
        moments=find_moments(kept, material.video.duration_sec),
    )


_MAX_HIGHLIGHTS: Final = 10
_HIGHLIGHT_CANDIDATES: Final = 100
"""How many of the most liked remarks can be highlights."""
_SAME_WORDS_SHARE: Final = 0.5
"""Two remarks say the same if they share this part of their words."""


def find_highlights(remarks: Sequence[Remark]) -> tuple[NotableComment, ...]:
    """The most liked remarks that differ, one for each author."""
    chosen: list[tuple[Remark, AbstractSet[str]]] = []
    for remark in remarks[:_HIGHLIGHT_CANDIDATES]:
        words = frozenset(tokenize(remark.text))
        if remark.comment.likes > 0 and not any(_repeats(remark, words, *each) for each in chosen):
            chosen.append((remark, words))
    return tuple(remark.notable for remark, _ in chosen[:_MAX_HIGHLIGHTS])


def _repeats(
    remark: Remark, words: AbstractSet[str], other: Remark, others: AbstractSet[str]
) -> bool:
    """Whether a remark is by the same author as another one, or says the same."""
    author = remark.comment.author
    if author is not None and author == other.comment.author:
        return True
    return len(words & others) >= _SAME_WORDS_SHARE * max(len(words | others), 1)


_MAX_MOMENTS: Final = 20
_SAME_MOMENT_S: Final = 5
"""Moments so close are one: people stop the video a little early or late."""
_MIN_MOMENT_COUNT: Final = 3
"""A place that fewer comments name is theirs alone."""
_TIMESTAMP: Final = re.compile(
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
_WIDE_COLON: Final = "\uff1a"
"""A colon of Chinese and Japanese keyboards."""
_CONTEXT_CHARS: Final = 12
"""How much before and after a time is searched for signs that it is no timestamp."""


def find_moments(comments: Sequence[Comment], duration: int | None) -> tuple[VideoTimestamp, ...]:
    """The moments that most comments name, the most named first."""
    named: defaultdict[int, set[int]] = defaultdict(set)
    for at, comment in enumerate(comments):
        for seconds in parse_timestamps(comment.text):
            if not duration or seconds <= duration:
                named[seconds].add(at)
    several = (each for each in _merge_close(named) if len(each[1]) >= _MIN_MOMENT_COUNT)
    moments = sorted(several, key=lambda moment: (-len(moment[1]), moment[0]))
    return tuple(_moment(comments, *moment) for moment in moments[:_MAX_MOMENTS])


def parse_timestamps(text: str) -> Iterator[int]:
    """The moments in a video that a text names, in seconds."""
    if ":" not in text and _WIDE_COLON not in text:
        return
    text = text[:MAX_COMMENT_CHARS].replace(_WIDE_COLON, ":").lower()
    for found in _TIMESTAMP.finditer(text):
        if not _is_no_timestamp(text, found.start(), found.end()):
            hours, minutes, alone, seconds = (int(part or 0) for part in found.groups())
            yield hours * 3_600 + (minutes + alone) * 60 + seconds


def _is_no_timestamp(text: str, start: int, end: int) -> bool:
    """Whether it is a time of day, the result of a match, or a verse."""
    before = text[max(0, start - _CONTEXT_CHARS) : start]
    return bool(_CLOCK_BEFORE.search(before) or _CLOCK_AFTER.match(text, end, end + _CONTEXT_CHARS))


def _merge_close(named: dict[int, set[int]]) -> Iterator[tuple[int, set[int]]]:
    """Moments with those close to them, under the second that most comments name."""
    left = dict(named)
    for seconds in sorted(named, key=lambda second: (-len(named[second]), second)):
        if seconds in left:
            close = range(seconds - _SAME_MOMENT_S, seconds + _SAME_MOMENT_S + 1)
            yield seconds, set().union(*(left.pop(at) for at in close if at in left))


def _moment(comments: Sequence[Comment], seconds: int, places: set[int]) -> VideoTimestamp:
    liked = sorted((comments[at] for at in places), key=by_likes)[:MAX_EVIDENCE]
    return VideoTimestamp(seconds, len(places), tuple(comment.comment_id for comment in liked))
