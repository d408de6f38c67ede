"""What could be made next: templates, each with the figures and the comments it rests on."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Final

from gotgan.domains.videos.analysers.builtin_subject import Subject, fitted, listed, place
from gotgan.domains.videos.analysers.builtin_summary import leaning_topics, negatives
from gotgan.domains.videos.measuring.asking import MOST_FOUND
from gotgan.domains.videos.measuring.measured import NotableComment, TopicCluster
from gotgan.domains.videos.measuring.remarks import MOST_EVIDENCE
from gotgan.domains.videos.shapes import Idea, TitleSuggestion

__all__ = ["ideas_of", "titles_of"]

_LONGEST_TITLE: Final = 200
_LONGEST_TEXT: Final = 1_000
_MOST_IDEAS: Final = 10
_MOST_TITLES: Final = 5
_MOST_OF_A_KIND: Final = 3


def ideas_of(subject: Subject) -> list[Idea]:
    """Suggestions for other videos; there is always one."""
    ideas = list(_heard(subject)) if subject.heard else []
    return (ideas or list(_unheard(subject)))[:_MOST_IDEAS]


def titles_of(subject: Subject) -> list[TitleSuggestion]:
    """Other titles for the same video, made from what comments speak of."""
    titles: dict[str, TitleSuggestion] = {}
    for text, evidence in _titles(subject) if subject.title else ():
        title = fitted(text, _LONGEST_TITLE)
        titles.setdefault(title, TitleSuggestion(title=title, evidence=_named(evidence)))
    return list(titles.values())[:_MOST_TITLES]


def _heard(subject: Subject) -> Iterator[Idea]:
    """What comments give rise to, the surest first."""
    wording, measured = subject.wording, subject.measured
    if measured.requests:
        yield _asked(subject, wording.request_idea, measured.requests)
    for topic in measured.topics[:_MOST_OF_A_KIND]:
        yield _deeper(subject, topic)
    for topic in leaning_topics(subject, negatives)[:1]:
        yield _weaker(subject, topic)
    if measured.questions:
        yield _asked(subject, wording.question_idea, measured.questions)
    for moment in subject.shared_moments[:1]:
        title, text = wording.moment_idea
        title = title.format(comments=wording.comments(moment.count), place=place(moment.seconds))
        yield _idea(title, _resting(subject, moment.count), text, evidence=moment.evidence)


def _unheard(subject: Subject) -> Iterator[Idea]:
    """What the title and the description give rise to."""
    rests = subject.wording.own_template.format(basis=subject.basis)
    for word in subject.own_words[:_MOST_OF_A_KIND]:
        title, text = subject.wording.word_idea
        yield _idea(title.format(basis=subject.basis, label=word), rests, text)
    title, text = subject.wording.ask_idea
    yield _idea(title, rests, text)


def _asked(subject: Subject, words: tuple[str, str], found: Sequence[NotableComment]) -> Idea:
    """An idea from requests or questions, with the keywords that are met in them."""
    comments = subject.wording.at_least(len(found), MOST_FOUND)
    title = words[0].format(comments=comments)
    evidence = [each.comment_id for each in found]
    met = [
        keyword.word
        for keyword in subject.measured.keywords
        if not set(evidence).isdisjoint(keyword.evidence)
    ]
    texts = words[1], *_listing(subject.wording.words_in, met[:_MOST_OF_A_KIND])
    rests = subject.wording.template.format(comments=comments)
    return _idea(title, rests, *texts, evidence=evidence)


def _deeper(subject: Subject, topic: TopicCluster) -> Idea:
    wording, sentiment = subject.wording, topic.sentiment
    title = wording.topic_idea[0].format(comments=wording.comments(topic.count), label=topic.label)
    figures = wording.topic_idea[1].format(
        positive=sentiment.positive, neutral=sentiment.neutral, negative=sentiment.negative
    )
    texts = figures, *_listing(wording.together, topic.words[1:])
    return _idea(title, _resting(subject, topic.count), *texts, evidence=topic.evidence)


def _weaker(subject: Subject, topic: TopicCluster) -> Idea:
    title, text = subject.wording.weak_idea
    count = topic.sentiment.negative
    title = title.format(comments=subject.wording.comments(count), label=topic.label)
    labels = subject.measured.labels
    evidence = [each for each in topic.evidence if labels.get(each) == "negative"]
    return _idea(title, _resting(subject, count), text, evidence=evidence or topic.evidence)


def _listing(sentence: str, words: Sequence[str]) -> list[str]:
    return [sentence.format(items=listed(words))] if words else []


def _resting(subject: Subject, count: int) -> str:
    return subject.wording.template.format(comments=subject.wording.comments(count))


def _idea(title: str, *sentences: str, evidence: Sequence[str] = ()) -> Idea:
    return Idea(
        title=fitted(title, _LONGEST_TITLE),
        description=fitted(" ".join(sentences), _LONGEST_TEXT),
        evidence=_named(evidence),
    )


def _named(evidence: Sequence[str]) -> list[str]:
    return list(evidence[:MOST_EVIDENCE])


def _titles(subject: Subject) -> Iterator[tuple[str, Sequence[str]]]:
    wording, measured = subject.wording, subject.measured
    known = subject.title.lower()
    new = [keyword for keyword in measured.keywords if keyword.word not in known]
    for keyword in new[:2]:
        text = wording.keyword_title.format(word=keyword.word, title=subject.title)
        yield text, keyword.evidence
    for topic in measured.topics[:2]:
        text = wording.topic_title.format(label=topic.label, title=subject.title)
        yield text, topic.evidence
    for moment in subject.shared_moments[:1]:
        text = wording.moment_title.format(place=place(moment.seconds), title=subject.title)
        yield text, moment.evidence
