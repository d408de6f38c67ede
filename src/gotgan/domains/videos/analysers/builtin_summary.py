"""What viewers make of a video, as sentences around the figures."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from typing import Final

from gotgan.domains.videos.analysers.builtin_subject import (
    Subject,
    fitted,
    listed,
    percent,
    place,
)
from gotgan.domains.videos.measuring.asking import MOST_FOUND
from gotgan.domains.videos.measuring.measured import Sentiment, TopicCluster
from gotgan.domains.videos.shapes import Summary

__all__ = ["leaning_topics", "negatives", "positives", "summary_of"]

_LONGEST: Final = 1_000
_MOST_NAMED: Final = 5
_MOST_POINTS: Final = 3

Part = Callable[[Sentiment], int]
"""One of the figures of sentiment."""


def positives(sentiment: Sentiment) -> int:
    """The positive ones."""
    return sentiment.positive


def negatives(sentiment: Sentiment) -> int:
    """The negative ones."""
    return sentiment.negative


def summary_of(subject: Subject) -> Summary:
    """The three paragraphs."""
    wording = subject.wording
    return Summary(
        majorReactions=_joined(_reactions(subject)),
        positivePoints=_joined(
            _points(subject, positives, wording.positive, wording.positive_topic)
            if subject.measured.sentiment.positive
            else _none(subject, wording.no_positive, wording.unheard_positive)
        ),
        weakPoints=_joined(
            _points(subject, negatives, wording.negative, wording.negative_topic)
            if subject.measured.sentiment.negative
            else _none(subject, wording.no_negative, wording.unheard_negative)
        ),
    )


def leaning_topics(subject: Subject, part: Part) -> list[TopicCluster]:
    """The topics in which a part is larger than among all comments, the largest first."""
    whole = subject.measured.sentiment
    leaning = [
        topic
        for topic in subject.measured.topics
        if part(topic.sentiment) > 1
        and part(topic.sentiment) * whole.n >= part(whole) * topic.sentiment.n
    ]
    return sorted(leaning, key=lambda topic: -part(topic.sentiment))


def _joined(sentences: Iterator[str]) -> str:
    return fitted(" ".join(sentences), _LONGEST)


def _reactions(subject: Subject) -> Iterator[str]:
    if subject.heard:
        yield _counted(subject)
    else:
        yield subject.wording.unheard.format(basis=subject.basis)
    if subject.measured.spam:
        spam = subject.wording.comments(subject.measured.spam)
        yield subject.wording.spam.format(comments=spam)
    yield from _heard(subject) if subject.heard else _read(subject)


def _counted(subject: Subject) -> str:
    sentiment = subject.measured.sentiment
    positive = percent(sentiment.positive, sentiment.n)
    negative = percent(sentiment.negative, sentiment.n)
    return subject.wording.counted.format(
        comments=subject.wording.comments(sentiment.n),
        positive=positive,
        neutral=100 - positive - negative,
        negative=negative,
    )


def _heard(subject: Subject) -> Iterator[str]:
    """Topics, words, moments, and what was asked; whatever there is of them."""
    wording, measured = subject.wording, subject.measured
    named = (
        (wording.topics, [(topic.label, topic.count) for topic in measured.topics]),
        (wording.keywords, [(keyword.word, keyword.count) for keyword in measured.keywords]),
        (wording.moments, [(place(at.seconds), at.count) for at in subject.shared_moments]),
    )
    for sentence, figures in named:
        if figures:
            yield sentence.format(items=_items(subject, figures))
    if measured.requests or measured.questions:
        yield wording.asking.format(
            requests=wording.at_least(len(measured.requests), MOST_FOUND),
            questions=wording.at_least(len(measured.questions), MOST_FOUND),
        )


def _items(subject: Subject, figures: Sequence[tuple[str, int]]) -> str:
    comments = subject.wording.comments
    return listed(f"{name} ({comments(count)})" for name, count in figures[:_MOST_NAMED])


def _read(subject: Subject) -> Iterator[str]:
    """What the title and the description have to say."""
    if subject.own_words:
        items = listed(subject.own_words[:_MOST_NAMED])
        yield subject.wording.own_words.format(basis=subject.basis, items=items)


def _points(subject: Subject, part: Part, sentence: str, on_topic: str) -> Iterator[str]:
    """How many comments are of a kind, and which topics have more than their share of them."""
    whole, wording = subject.measured.sentiment, subject.wording
    yield sentence.format(
        total=wording.comments(whole.n),
        comments=wording.comments(part(whole)),
        share=percent(part(whole), whole.n),
    )
    topics = leaning_topics(subject, part)[:_MOST_POINTS]
    for topic in topics:
        share = percent(part(topic.sentiment), topic.count)
        comments = wording.comments(topic.count)
        yield on_topic.format(label=topic.label, comments=comments, share=share)
    if not topics:
        yield wording.scattered


def _none(subject: Subject, of_heard: str, of_unheard: str) -> Iterator[str]:
    if subject.heard:
        yield of_heard.format(total=subject.wording.comments(subject.heard))
    else:
        yield of_unheard
